//! Match statistics: pure functions of counts, independent of engines, files and terminals.

mod normal;
pub mod rating;
mod results;
mod sprt;

pub use results::{Estimate, Games, Pairs, Results, expected_score};
pub use sprt::{Decision, Model, Sprt};
