//! Training: from the engine's own games to a network.
//!
//! `load` reads and filters games into `sample`s; `pass` computes the network of `net` forward and back over a share of a
//! batch, with the loops of `kernel`; `adam` takes a step; `trainer` does so in the order of `order` and at the pace of
//! `schedule`; `checkpoint`, `curve` and `export` put on disk what comes of it.
//!
//! With a single king bucket every feature is its own row, so there is nothing a factoriser could share.

pub mod adam;
pub mod aligned;
pub mod checkpoint;
pub mod curve;
pub mod export;
pub mod filter;
pub mod kernel;
pub mod load;
pub mod loss;
pub mod net;
pub mod order;
pub mod pass;
pub mod run;
pub mod sample;
pub mod schedule;
pub mod settings;
#[cfg(test)]
mod tests;
pub mod trainer;
