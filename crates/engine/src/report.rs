//! What a search tells while it runs.

use std::time::Duration;

use chess::Move;

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

/// One line of a search's findings.
#[derive(Clone, Debug)]
pub struct Info {
    /// The iteration.
    pub depth: i32,
    /// The deepest ply looked at.
    pub seldepth: usize,
    /// Which of several lines, from 1.
    pub multipv: usize,
    /// The score for the side to move at the root, in centipawns of which 100 are an even chance to win; mates and tablebase
    /// results as in [`score`](crate::score).
    pub score: i32,
    /// How exact the score is.
    pub bound: Bound,
    /// Chances of win, draw and loss per mille, for the side to move.
    pub wdl: [u16; 3],
    /// Nodes visited by all threads.
    pub nodes: u64,
    /// How full the hash table is, per mille.
    pub hashfull: usize,
    /// Tablebase positions looked up by all threads.
    pub tb_hits: u64,
    /// Since the search began.
    pub time: Duration,
    /// The line, legal to its end.
    pub pv: Vec<Move>,
}

/// Somebody who listens to a search.
pub trait Reporter: Send {
    /// A line was completed, or failed high or low.
    fn info(&mut self, info: &Info);
    /// Whether lines are wanted at all. Where searches are short and many, putting them together would be felt.
    fn listens(&self) -> bool {
        true
    }
    /// The search turns to a root move; told only in searches that last.
    fn current_move(&mut self, depth: i32, mv: Move, number: usize) {
        let _ = (depth, mv, number);
    }
    /// Something a person should know.
    fn note(&mut self, text: &str) {
        let _ = text;
    }
}

/// Listens to nothing.
pub struct Silent;

impl Reporter for Silent {
    fn info(&mut self, _: &Info) {}

    fn listens(&self) -> bool {
        false
    }
}
