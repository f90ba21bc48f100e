//! What the commands for people share: a search and what it found, scores and lines in words, the board as a drawing.

pub(crate) mod draw;
pub(crate) mod thinking;
pub(crate) mod words;
