//! Helpers for the commands that talk to people: scores and lines in words, drawings of the board, and parsing of
//! positions and times.

pub(crate) mod draw;
pub(crate) mod time;
pub(crate) mod words;
pub(crate) mod wrap;

use std::hash::{BuildHasher as _, RandomState};
use std::time::Duration;

use anyhow::Context;
use chess::Board;
use engine::Engine;

/// The board of a FEN, parsed leniently; repairs are reported on standard error.
pub(crate) fn read_fen(text: &str) -> anyhow::Result<Board> {
    let (board, repairs) = chess::fen::repair(text).with_context(|| format!("cannot use the position \"{text}\""))?;
    for repair in repairs {
        eprintln!("stillwater: {repair}");
    }
    Ok(board)
}

/// An engine without move overhead, since nothing has to be transmitted. It does not report on the tables; see
/// [`open_tables`].
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

/// Opens the tables and reports on standard error what was found; does nothing without a path.
pub(crate) fn open_tables(engine: &mut Engine, path: Option<&str>) {
    for message in path.map(|path| engine.set_syzygy_path(path)).unwrap_or_default() {
        eprintln!("stillwater: {message}");
    }
}

/// A random word: the standard library seeds its hash maps at random.
pub(crate) fn random_word() -> u64 {
    RandomState::new().hash_one(0)
}
