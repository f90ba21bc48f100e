//! Training: from the engine's own games to a network.
//!
//! `load` reads and filters games into `sample`s; `pass` computes the network of `net` forward and back over a share of a
//! batch, with the loops of `kernel`; `adam` takes a step; `trainer` does so in the order of `order` and at the pace of
//! `schedule`; `checkpoint`, `curve` and `export` put on disk what comes of it.
//!
//! Two smaller fits read the same games: `texel` the weights of the hand-written evaluation, `chances` what a score is worth in
//! wins, draws and losses.
//!
//! With a single king bucket every feature is its own row, so there is nothing a factoriser could share.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod adam;
mod aligned;
mod chances;
mod checkpoint;
mod curve;
mod export;
mod filter;
mod kernel;
pub mod load;
mod loss;
mod net;
mod order;
mod pass;
pub mod run;
mod sample;
mod schedule;
mod settings;
#[cfg(test)]
mod tests;
pub mod texel;
mod trainer;

pub use adam::AdamSettings;
pub use chances::Outcomes;
pub use filter::Filter;
pub use loss::{Loss, sigmoid};
pub use net::{Net, Shape};
pub use pass::{Aim, Pass};
pub use sample::Sample;
pub use schedule::{Blend, Fall, Rate};
pub use settings::Settings;
