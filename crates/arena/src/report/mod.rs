//! What people and programs get to see of a match.

pub mod json;
mod standings;
pub mod table;

pub use standings::{Duel, Standings, Total};
