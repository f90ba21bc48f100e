//! Presents the result of a match to people and to programs.

pub mod json;
mod standings;
pub mod table;

pub use standings::{Duel, Standings, Total};
