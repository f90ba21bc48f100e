//! What the commands for people share: scores and lines in words, the board as a drawing, positions and engines as people ask for them.

pub(crate) mod draw;
pub(crate) mod time;
pub(crate) mod words;
pub(crate) mod wrap;

use std::hash::{BuildHasher as _, RandomState};
use std::time::Duration;

use anyhow::Context;
use chess::Board;
use engine::Engine;

/// The board of a FEN, read forgivingly: what was put right is told on standard error.
pub(crate) fn read_fen(text: &str) -> anyhow::Result<Board> {
    let (board, repairs) = chess::fen::repair(text).with_context(|| format!("cannot use the position \"{text}\""))?;
    for repair in repairs {
        eprintln!("stillwater: {repair}");
    }
    Ok(board)
}

/// An engine whose moves need not travel. What there is to say of the tables is left to [`open_tables`].
pub(crate) fn engine(hash: u32, threads: u16, syzygy: Option<&str>) -> anyhow::Result<Engine> {
    let mut engine = Engine::new();
    engine.set_hash(hash as usize)?;
    engine.options.threads = threads.into();
    engine.options.move_overhead = Duration::ZERO;
    if let Some(path) = syzygy {
        engine.set_syzygy_path(path);
    }
    Ok(engine)
}

/// Opens the tables and says on standard error what was found; does nothing without a path.
pub(crate) fn open_tables(engine: &mut Engine, path: Option<&str>) {
    for message in path.map(|path| engine.set_syzygy_path(path)).unwrap_or_default() {
        eprintln!("stillwater: {message}");
    }
}

/// A word that differs from call to call: the standard library seeds its hash maps so.
pub(crate) fn random_word() -> u64 {
    RandomState::new().hash_one(0)
}
