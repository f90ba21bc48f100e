//! Positions that people give: read forgivingly, with a note on standard error of what was put right.

use anyhow::Context;
use chess::Board;

/// The board of a FEN.
pub(crate) fn read(text: &str) -> anyhow::Result<Board> {
    let (board, repairs) = chess::fen::repair(text).with_context(|| format!("cannot use the position \"{text}\""))?;
    for repair in repairs {
        eprintln!("stillwater: {repair}");
    }
    Ok(board)
}
