//! Progress reports of a running search.

use std::time::Duration;

use chess::Move;

use crate::result::SearchResult;

/// Whether a score is exact or a bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The score is exact.
    Exact,
    /// The true score is at least this (fail high).
    Lower,
    /// The true score is at most this (fail low).
    Upper,
}

/// Receives reports of a search.
pub trait Reporter: Send {
    /// An iteration is complete; or, in a long search, its best line failed high or low.
    fn progress(&mut self, found: &SearchResult);
    /// Whether to report progress at all. For many short searches, preparing reports would cost too much.
    fn listens(&self) -> bool {
        true
    }
    /// The search turns to a root move; only reported in long searches.
    fn current_move(&mut self, depth: i32, mv: Move, number: usize) {
        let _ = (depth, mv, number);
    }
    /// Nodes and time so far, many times a second, for reporters that listen.
    fn tick(&mut self, nodes: u64, time: Duration) {
        let _ = (nodes, time);
    }

    /// A message for the user.
    fn note(&mut self, text: &str) {
        let _ = text;
    }
}

/// Ignores all reports.
pub struct Silent;

impl Reporter for Silent {
    fn progress(&mut self, _: &SearchResult) {}

    fn listens(&self) -> bool {
        false
    }
}
