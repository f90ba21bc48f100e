//! Training: from the engine's own games to a network.

pub mod adam;
pub mod aligned;
pub mod kernel;
pub mod loss;
pub mod net;
pub mod order;
pub mod pass;
pub mod sample;
pub mod schedule;
