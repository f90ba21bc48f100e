//! Trains the engine's network on its own games.
//!
//! `load` reads and filters games into `sample`s. `pass` runs the network of `net` forward and backward over a share of
//! a batch, with the loops of `kernel`. `adam` takes a step; `trainer` repeats that in the order of `order` and at the
//! learning rate of `schedule`. `checkpoint`, `curve` and `export` write the results to disk.
//!
//! Two smaller fits read the same games: `texel` fits the weights of the hand-crafted evaluation, `chances` the
//! probabilities of win, draw and loss for a score.
//!
//! `guide` trains what guides the search besides the value: the policy and the confidence.
//!
//! With a single king bucket every feature has its own row, so a factoriser would have nothing to share.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod adam;
mod aligned;
mod chances;
mod checkpoint;
mod curve;
mod dense;
mod export;
mod filter;
pub mod guide;
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
pub use net::{Head, Net, Shape};
pub use pass::{Aim, Pass};
pub use sample::Sample;
pub use schedule::{Blend, Fall, Rate};
pub use settings::Settings;
