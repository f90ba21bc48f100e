//! The loop that turns idle cores into strength: play games, train a network on them, match it against the champion, promote it
//! if it wins, and begin again.
//!
//! The one idea: a generation is a list of ordinary laboratory commands, and each of them can be killed and resumed by itself.
//! So this crate only decides which command comes next, writes down what came of it, and asks somebody else to run it. It
//! knows the commands as text, which is also what the lineage shows and what a person can type.
//!
//! `recipe` says what is wanted, `stage` makes the commands, `state` remembers how far it is, `lineage` what was found,
//! `board` and `page` show it in the terminal and in a browser, and `run` turns the wheel.
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
