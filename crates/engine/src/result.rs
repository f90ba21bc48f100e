//! The result of a search. Progress reports have the same form, so a caller that waits for the end needs no
//! [`Reporter`](crate::Reporter).

use std::time::Duration;

use chess::Move;

use crate::report::Bound;
use crate::score::{Score, SearchScore};

/// A principal variation and what it is worth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PvLine {
    /// The score for the side to move at the root, as it is shown.
    pub score: Score,
    /// The same in the search's own units.
    pub search_score: SearchScore,
    /// How exact the score is.
    pub bound: Bound,
    /// Chances of win, draw and loss per mille, for the side to move.
    pub wdl: [u16; 3],
    /// The iteration the score comes from; 0 if it is not from a search.
    pub depth: i32,
    /// The deepest ply looked at.
    pub seldepth: usize,
    /// The moves, legal to the end; none if the game is over.
    pub moves: Vec<Move>,
}

/// What a search has found so far, or in the end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchResult {
    /// The line to play. If the game is over it has no moves, and the score says how it ended.
    pub best: PvLine,
    /// Further lines if several were requested, best first; only those that some iteration has finished.
    pub others: Vec<PvLine>,
    /// Nodes visited by all threads.
    pub nodes: u64,
    /// How full the hash table is, per mille.
    pub hashfull: usize,
    /// Tablebase positions looked up by all threads.
    pub tb_hits: u64,
    /// Since the search began.
    pub time: Duration,
}

impl SearchResult {
    /// The move to play; none if the game is over.
    #[must_use]
    pub fn best_move(&self) -> Option<Move> {
        self.best.moves.first().copied()
    }

    /// The reply expected to it.
    #[must_use]
    pub fn ponder_move(&self) -> Option<Move> {
        self.best.moves.get(1).copied()
    }

    /// All lines, the best first.
    pub fn lines(&self) -> impl Iterator<Item = &PvLine> {
        std::iter::once(&self.best).chain(&self.others)
    }

    /// Whether another result has the same lines, whatever they cost.
    #[must_use]
    pub fn has_lines_of(&self, other: &SearchResult) -> bool {
        self.best == other.best && self.others == other.others
    }

    /// Nodes per second.
    #[must_use]
    pub fn nps(&self) -> u64 {
        let microseconds = self.time.as_micros().max(1);
        u64::try_from(u128::from(self.nodes) * 1_000_000 / microseconds).unwrap_or(u64::MAX)
    }
}
