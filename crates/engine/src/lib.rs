//! The thinking: search, evaluation, hash table, time, tablebases. It reads no input and prints nothing; what it finds goes to a
//! [`Reporter`], what it may use comes in [`Limits`], and [`Control`] stops it from another thread.
//!
//! Analysing a position:
//!
//! ```
//! use chess::Position;
//! use stillwater_engine::{Control, Engine, Limits, Silent, score};
//!
//! let position = Position::new("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 4 4".parse()?);
//! let mut engine = Engine::new();
//! let limits = Limits { nodes: Some(20_000), ..Limits::default() };
//! let answer = engine.search(&position, &limits, &Control::new(false), &mut Silent);
//! let best = answer.best.ok_or("the game is over")?;
//! assert_eq!(position.san(best), "Qxf7#");
//! assert_eq!(score::display(answer.score), score::Display::Mate(1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Lines and scores of every iteration, and several lines at once ([`Options::multi_pv`]), come to a [`Reporter`] given instead of
//! [`Silent`]. One engine searches one position at a time, on [`Options::threads`] threads, and remembers what it learned until
//! [`Engine::new_game`]; for many positions at once, use as many engines. With one thread and a limit of nodes or depth the
//! answer is always the same. A search needs some megabytes of stack: give threads of your own 16.

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
mod verdict;

pub use control::Control;
pub use nnue::Network;

pub use engine::{BestMove, Engine, EngineError, Options};
pub use handicap::ELO_RANGE;
pub use limits::{Clock, Limits};
pub use report::{Bound, Info, Reporter, Silent};
pub use search::params;
#[cfg(feature = "stats")]
pub use search::stats::Stats;
