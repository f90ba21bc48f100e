//! Studies of one engine: what each of its switches is worth (`ablate`), how the roadmap's rungs compare (`ladder`), which numbers
//! play better (`spsa`). Each is a command with options, a state file and a report of its own; the command line only starts it.
//!
//! `subject` is the engine under study, `duel` plays two variants of it in the arena, `journal` keeps what was found, `output` says where.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod ablate;
mod duel;
mod journal;
pub mod ladder;
mod output;
pub mod spsa;
mod subject;
