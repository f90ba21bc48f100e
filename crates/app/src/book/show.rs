//! `stillwater book show`: prints a book's moves in a position.

use std::cmp::Reverse;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::bail;
use chess::Position;
use record::polyglot::{BookMove, key_in_game, total_weight};

/// Show a book's moves in a position
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Options {
    /// The book (Polyglot)
    book: PathBuf,
    /// A FEN, or moves from the start position such as: e4 c5 Nf3 (or e2e4 c7c5 g1f3); the start position if empty
    #[arg(num_args = 0.., trailing_var_arg = true)]
    position: Vec<String>,
}

pub(super) fn run(options: &Options) -> anyhow::Result<()> {
    let book = super::load(&options.book)?;
    let position = position(&options.position.join(" "))?;
    let mut moves = book.moves_in_game(&position);
    moves.sort_by_key(|found| Reverse(found.weight));
    let mut out = io::stdout().lock();
    writeln!(out, "{}: {} positions, {} moves", options.book.display(), book.positions(), book.len())?;
    writeln!(out, "{} (key {:016x})", position.board(), key_in_game(&position))?;
    if moves.is_empty() {
        writeln!(out, "the book has no moves here")?;
        return Ok(());
    }
    let chess960 = !position.is_classical_castling();
    let total = total_weight(&moves).max(1) as f64;
    writeln!(out, "{:8} {:8} {:>6} {:>7}", "move", "uci", "weight", "share")?;
    for BookMove { mv, weight, .. } in moves {
        let share = 100.0 * f64::from(weight) / total;
        writeln!(out, "{:8} {:8} {weight:>6} {share:>5.1} %", position.san(mv), mv.uci(chess960))?;
    }
    Ok(())
}

/// A FEN, or moves in either notation, with or without move numbers.
fn position(text: &str) -> anyhow::Result<Position> {
    let text = text.trim();
    if text.contains('/') {
        return Ok(Position::new(crate::people::read_fen(text)?));
    }
    let mut position = Position::start();
    for word in text.split_whitespace() {
        let word = word.trim_start_matches(|letter: char| letter.is_ascii_digit() && !word.contains('-'));
        let word = word.trim_start_matches('.');
        if word.is_empty() {
            continue;
        }
        match position.parse_uci(word).or_else(|_| position.parse_san(word)) {
            Ok(mv) => position.play(mv),
            Err(error) => bail!("{error} (after {} moves)", position.plies()),
        }
    }
    Ok(position)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_in_every_form() {
        let fen = |text: &str| position(text).map(|position| position.to_string());
        let open = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
        for text in ["e4 e5", "1. e4 e5", "1.e4 e5", "e2e4 e7e5", open] {
            assert_eq!(fen(text).expect(text), open);
        }
        assert_eq!(fen("").expect("the start"), chess::fen::START);
        assert!(fen("e4 e5 Nf3 Nc6 Bc4 Bc5 0-0").expect("castling").contains("RNBQ1RK1"));
        assert!(
            fen("e4 e4").expect_err("illegal").to_string().contains("\"e4\" is not a legal move here (after 1 moves)")
        );
        assert!(fen("8/8 w").is_err());
    }
}
