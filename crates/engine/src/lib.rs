//! The engine: search, evaluation, hash table, time management, tablebases. It reads no input and prints nothing:
//! [`Limits`] says what a search may use, [`SearchResult`] what it found, and [`Control`] stops it from another thread.
//!
//! Analysing a position:
//!
//! ```
//! use chess::Position;
//! use stillwater_engine::{Control, Engine, Limits, Score, Silent};
//!
//! let position = Position::new("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 4 4".parse()?);
//! let mut engine = Engine::new();
//! let limits = Limits { nodes: Some(20_000), ..Limits::default() };
//! let found = engine.search(&position, &limits, &Control::new(), &mut Silent);
//! let best = found.best_move().ok_or("the game is over")?;
//! assert_eq!(position.san(best), "Qxf7#");
//! assert_eq!(found.best.score, Score::Mate(1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Set [`Options::multi_pv`] to find several lines; pass a [`Reporter`] instead of [`Silent`] to follow the search. One
//! engine searches one position at a time, on [`Options::threads`] threads with stacks of their own, and keeps what it
//! learned until [`Engine::new_game`]; for many positions at once, use several engines. With one thread and a limit of
//! nodes or depth the result is always the same.

#![deny(unsafe_code)]

pub mod chances;
mod control;
mod engine;
pub mod eval;
mod handicap;
mod limits;
mod logged;
mod memory;
mod report;
mod result;
mod score;
mod search;
pub mod tablebase;
mod threads;
mod time;
mod tt;
mod tt_file;
mod vote;

pub use control::Control;
pub use nnue::Network;

pub use engine::{Engine, EngineError, Options};
pub use handicap::ELO_RANGE;
pub use limits::{Clock, Limits};
pub use logged::{LoggedMove, LoggedNode};
pub use report::{Bound, Reporter, Silent};
pub use result::{PvLine, SearchResult};
pub use score::{MAX_PLY, Score, SearchScore, WhiteScore};
pub use search::params;
#[cfg(feature = "stats")]
pub use search::stats::Stats;
pub use threads::on_search_stack;
