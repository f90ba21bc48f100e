//! Games and books on file: PGN and Polyglot, both ways. This room knows the rules of chess and nothing of search; it opens no
//! files, so what it is given are bytes and what it gives are values or a [`Problem`](pgn::Problem) with its place.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

pub mod pgn;
pub mod polyglot;
