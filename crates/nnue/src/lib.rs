//! The network: its architecture and file format, one source for the trainer and the engine, and its evaluation.
//!
//! Every piece is an input twice, once from each side's perspective. A wide first layer turns each side's inputs into
//! an accumulator, and a small second layer, or [`relations`] and dense layers, turn both into a value for the side to
//! move. [`arch`] has the sizes,
//! [`features`] the inputs, [`Network`] the weights and their file, [`Accumulators`] the incremental updates. A network may also
//! guide the search, with a [`Policy`] and a [`Confidence`].
#![deny(unsafe_code)]

mod accumulator;
pub mod arch;
mod block;
mod cache;
mod dense;
mod error;
pub mod features;
mod file;
mod guide;
mod network;
pub mod relations;
mod simd;
#[cfg(test)]
mod tests;

pub use accumulator::{Accumulators, Recorder};
pub use dense::Dense;
pub use error::NetworkError;
pub use file::{Data, Layer, LayerFile};
pub use guide::{Confidence, Logits, MoveMap, Policy, move_index};
pub use network::{Network, Parts};
