//! Chess as text and in files: PGN and EPD, results and dates, and Polyglot books. This crate depends on the rules of
//! chess but not on search. It opens no files: it takes bytes and returns values, or an error that says where the
//! problem is.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

pub mod date;
pub mod epd;
pub mod pgn;
pub mod polyglot;
mod result;

pub use result::GameResult;
