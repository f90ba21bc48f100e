//! Statistics of matches. Pure functions of counts: nothing here knows of engines, files or terminals.

mod normal;
pub mod rating;
mod results;
mod sprt;

pub use results::{Estimate, Games, Pairs, Results, expected_score};
pub use sprt::{Decision, Model, Sprt};
