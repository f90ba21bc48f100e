//! Everything about chess that is kept as text or in files: PGN and EPD, results and dates, and Polyglot books. This crate
//! knows the rules of chess and nothing of search. It opens no files: it is given bytes, and gives back values, or an error
//! that says where the fault is.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

pub mod date;
pub mod epd;
pub mod pgn;
pub mod polyglot;
mod result;

pub use result::GameResult;
