//! The arena: matches between engines, and what they prove. Engines are processes here; nothing looks inside one.
//!
//! `spec` describes an engine, `process` runs it, `player` talks to it; `game` plays one game and `runner` many, as `schedule`
//! and `opening` say; `stalls` watches the machine, `scrutiny` checks what engines say, `pgn` and `games_file` keep the games. `stats` judges numbers and knows nothing else, `report` shows them, and
//! `suite` puts test positions to engines instead of games.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod adjudicate;
mod affinity;
mod clock;
mod game;
pub mod games_file;
mod listener;
mod opening;
mod pgn;
mod player;
mod polyglot;
mod process;
pub mod report;
pub mod runner;
mod schedule;
mod scrutiny;
mod spec;
pub mod stalls;
pub mod stats;
pub mod suite;
mod summary;

pub use adjudicate::{DrawRule, ResignRule, Rules};
pub use clock::{Limits, TimeControl};
pub use game::{Cause, Game};
pub use opening::{Book, Openings, Order};
pub use schedule::{Format, Pairing, Schedule};
pub use spec::{EngineSpec, parse_engines, words};
pub use summary::{Effort, Fault, Summary};
