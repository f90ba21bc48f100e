//! The laboratory of Stillwater: matches between engines, and what they prove.
//!
//! `arena` plays games, `pgn` writes and reads them, `stats` judges numbers, `report` shows them, `commands` ties it all to
//! the command line. `subject` is the engine whose numbers and switches are studied,
//! `spsa` the method that betters its numbers.
//! `arena` plays games, `pgn` writes and reads them, `suite` puts test positions to engines, `stats` judges numbers, `report`
//! shows them, `data` holds games to learn from, `texel` learns from them, `commands` ties it all to the command line.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod arena;
pub mod commands;
pub mod data;
pub mod pgn;
pub mod report;
pub mod rng;
pub mod spsa;
pub mod stats;
pub mod subject;
pub mod suite;
pub mod texel;
pub mod train;
