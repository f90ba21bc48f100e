//! A node in the log of a search; see `search/log.rs` for which nodes are logged. Only builds with the feature `log` make
//! such logs, but all can use them.

use chess::{Board, Move};

use crate::report::Bound;

/// A node in the log. All scores are those of the side to move, in the units of the search.
#[derive(Clone, PartialEq, Debug)]
pub struct LoggedNode {
    /// The position.
    pub board: Board,
    /// The static evaluation, before and after correction.
    pub evals: [i32; 2],
    /// The score that the node had to reach.
    pub beta: i32,
    /// The depth to which it was searched.
    pub depth: i32,
    /// Whether the static evaluation was better than two plies before.
    pub improving: bool,
    /// Whether the node was expected to fail high.
    pub cut_node: bool,
    /// The score found, and which side of the truth it is on.
    pub score: i32,
    /// Its bound.
    pub bound: Bound,
    /// The best move, if there was one.
    pub best: Option<Move>,
    /// If the best move is quiet, all quiet moves as the picker would have ordered them: the best one first, then those
    /// that were tried without success, then the others.
    pub quiets: Vec<LoggedMove>,
}

/// A quiet move of a node in the log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LoggedMove {
    /// The move.
    pub mv: Move,
    /// The score by which the picker orders it.
    pub order: i32,
    /// Whether it was searched.
    pub tried: bool,
}
