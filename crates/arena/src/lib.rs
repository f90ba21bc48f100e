//! The arena: runs matches between engines and computes what the results prove. Engines are separate processes, and
//! only their UCI output is used.
//!
//! `spec` describes an engine, `process` runs it and `player` talks to it. `game` plays one game and `runner` many, in
//! the order of `schedule` and from the positions of `opening`. `stalls` watches the machine, `scrutiny` checks what
//! engines report, and `pgn` and `games_file` store the games. `stats` does the statistics, `report` shows them, and
//! `suite` runs test positions instead of games, and `consult` asks an engine about any position.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod adjudicate;
mod affinity;
mod clock;
mod consult;
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
pub use consult::{Consultant, Opinion};
pub use game::{Cause, Game};
pub use opening::{Book, Openings, Order};
pub use schedule::{Format, Pairing, Schedule};
pub use spec::{EngineSpec, parse_engines, words};
pub use summary::{Effort, Fault, Summary};
