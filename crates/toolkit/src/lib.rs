//! What several rooms of the laboratory share and none of them owns: random numbers, progress at a terminal, charts, and what
//! tablebases say of a game. Nothing here knows an engine.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod chart;
mod progress;
mod rng;
mod tablebase;

pub use progress::{NEVER, Progress};
pub use rng::Rng;
pub use tablebase::Tables;
