//! Trains what guides the search besides the value: the policy, on nodes that searches have logged, and the confidence,
//! on games. The value of the network stays as it is, number by number.

mod confidence;
mod fit;
mod policy;

pub use confidence::{ConfidenceReport, train_confidence};
pub use fit::FitSettings;
pub use policy::{PolicyPlan, PolicyReport, Prediction, train_policy};
