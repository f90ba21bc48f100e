//! The loop that improves the network unattended: play games, train a network on them, match it against the champion,
//! promote it if it wins, and start over.
//!
//! A generation is a list of ordinary laboratory commands, each of which can be killed and resumed. So this crate only
//! decides which command comes next, records the result, and has the caller run it. It handles commands as text, which
//! is also what the lineage shows and what a person can type.
//!
//! `recipe` holds the settings, `stage` makes the commands, `state` records the progress and `lineage` the results,
//! `board` and `page` show them in the terminal and in a browser, and `run` drives the loop.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod board;
mod lineage;
mod page;
mod recipe;
mod run;
mod stage;
mod state;
#[cfg(test)]
mod tests;

pub use recipe::Recipe;
pub use run::{Laboratory, Loop, Outcome, Tally};
