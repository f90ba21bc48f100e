//! The thinking: search, evaluation, hash table, time, tablebases. It reads no input and prints nothing; what it finds goes to a
//! [`Reporter`], what it may use comes in [`Limits`], and [`Control`] stops it from another thread.

pub mod chances;
mod control;
mod engine;
pub mod eval;
mod handicap;
mod limits;
mod report;
pub mod score;
mod search;
pub mod tablebase;
mod time;
mod tt;
mod tt_file;

pub use control::Control;
pub use nnue::Network;

pub use engine::{BestMove, Engine, EngineError, Options};
pub use handicap::ELO_RANGE;
pub use limits::{Clock, Limits};
pub use report::{Bound, Info, Reporter, Silent};
pub use search::params;
#[cfg(feature = "stats")]
pub use search::stats::Stats;
