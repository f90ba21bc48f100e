//! Listening to a search while it runs.

use std::time::Duration;

use chess::Move;

use crate::result::SearchResult;

/// Whether a score is exact or only known to be at least or at most so much.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The score is what it says.
    Exact,
    /// The true score is at least this (fail high).
    Lower,
    /// The true score is at most this (fail low).
    Upper,
}

/// Somebody who listens to a search.
pub trait Reporter: Send {
    /// An iteration is complete, or in a search that lasts, its best line failed high or low.
    fn progress(&mut self, found: &SearchResult);
    /// Whether progress is of interest at all. Where searches are short and many, putting it together would be felt.
    fn listens(&self) -> bool {
        true
    }
    /// The search turns to a root move; told only in searches that last.
    fn current_move(&mut self, depth: i32, mv: Move, number: usize) {
        let _ = (depth, mv, number);
    }
    /// How far the search is, told many times a second by those searches whose reporter listens.
    fn tick(&mut self, nodes: u64, time: Duration) {
        let _ = (nodes, time);
    }

    /// Something a person should know.
    fn note(&mut self, text: &str) {
        let _ = text;
    }
}

/// Listens to nothing.
pub struct Silent;

impl Reporter for Silent {
    fn progress(&mut self, _: &SearchResult) {}

    fn listens(&self) -> bool {
        false
    }
}
