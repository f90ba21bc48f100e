//! What the commands for people share: scores and lines in words, the board as a drawing.

pub(crate) mod draw;
pub(crate) mod fen;
pub(crate) mod tables;
pub(crate) mod time;
pub(crate) mod words;
pub(crate) mod wrap;
