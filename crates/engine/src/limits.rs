//! How long a search may run. The first limit reached ends it; without limits it runs until stopped.

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
    /// The same in check, and while the best move is a capture or a promotion. Such positions teach a network nothing.
    pub noisy_nodes: Option<u64>,
    /// Stop once a mate in this many moves is found.
    pub mate: Option<i32>,
    /// Use exactly this much time.
    pub move_time: Option<Duration>,
    /// Play with this clock.
    pub clock: Option<Clock>,
    /// Do not answer before being stopped, whatever was found and whichever limit was reached.
    pub infinite: bool,
    /// Search on the opponent's time, with no limit but depth: as `infinite`, until
    /// [`Control::ponder_hit`](crate::Control::ponder_hit).
    pub ponder: bool,
    /// When the clock started; by default, when the search begins.
    pub since: Option<Instant>,
    /// Consider only these moves at the root; if empty, all.
    pub search_moves: Vec<Move>,
}

/// The clock of the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// The time left.
    pub remaining: Duration,
    /// The time that every move adds.
    pub increment: Duration,
    /// Moves until the next time control, if there is one.
    pub moves_to_go: Option<u32>,
}
