//! The arena: engines as processes, one game, many games. It knows nothing of statistics.

pub mod adjudicate;
pub mod clock;
pub mod game;
pub mod opening;
pub mod player;
pub mod polyglot;
pub mod process;
pub mod protocol;
pub mod runner;
pub mod schedule;
pub mod spec;
pub mod summary;
pub mod tablebase;
