//! Utilities shared by the program and the laboratory's crates: files that are replaced atomically or resumed after a
//! kill, worker threads whose results come in order, interruption, random starts of games, progress bars, charts and
//! tablebase adjudication. Nothing here depends on the engine.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod chart;
pub mod files;
mod in_order;
mod interrupt;
mod progress;
mod resume;
mod rng;
mod starts;
mod tablebase;

pub use in_order::in_order;
pub use interrupt::{interrupt_flag, is_interrupted, on_interrupt};
pub use progress::{NEVER, Progress, bar};
pub use resume::ResumeFile;
pub use rng::Rng;
pub use starts::{Variety, random_walk};
pub use tablebase::Tables;
