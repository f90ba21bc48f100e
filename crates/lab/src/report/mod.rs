//! What people and programs get to see of a match.

pub mod chart;
pub mod json;
pub mod progress;
pub mod standings;
pub mod table;

pub use standings::{Duel, Standings};
