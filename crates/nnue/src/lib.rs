//! The network: its architecture and file format, one source for the trainer and the engine, and its evaluation.
//!
//! Every piece is an input twice, once as each side sees it; a wide first layer turns each side's inputs into an accumulator,
//! and a small second layer makes a value for the side to move of both. [`arch`] has the sizes, [`features`] the inputs,
//! [`Network`] the weights and their file, [`Accumulators`] the way to many values quickly.
#![deny(unsafe_code)]

mod accumulator;
pub mod arch;
mod block;
mod cache;
mod error;
pub mod features;
mod file;
mod network;
mod simd;
#[cfg(test)]
mod tests;

pub use accumulator::{Accumulators, Recorder};
pub use error::NetworkError;
pub use file::{Data, Layer, LayerFile};
pub use network::{Network, Parts};
