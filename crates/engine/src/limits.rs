//! How long a search may go on. Whichever limit is reached first ends it; none at all means until stopped.

use std::time::{Duration, Instant};

use chess::Move;

/// What a search may use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Complete this many iterations.
    pub depth: Option<i32>,
    /// Visit no more nodes than this.
    pub nodes: Option<u64>,
    /// Begin no new iteration after this many nodes, and spend none on the proof of short mates.
    pub soft_nodes: Option<u64>,
    /// Stop once a mate in this many moves is found.
    pub mate: Option<i32>,
    /// Use exactly this much time.
    pub move_time: Option<Duration>,
    /// Play with this clock.
    pub clock: Option<Clock>,
    /// Do not answer before being told to, whatever was found and whichever limit was reached.
    pub infinite: bool,
    /// Search in the opponent's time, with no limit but depth: as `infinite`, until
    /// [`Control::ponder_hit`](crate::Control::ponder_hit).
    pub ponder: bool,
    /// When the time began to run; when the search begins unless told.
    pub since: Option<Instant>,
    /// Consider only these moves at the root; if empty, all.
    pub search_moves: Vec<Move>,
}

/// The clock of the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// What is left.
    pub remaining: Duration,
    /// What every move adds.
    pub increment: Duration,
    /// Moves until more time is added, if the control is of that kind.
    pub moves_to_go: Option<u32>,
}
