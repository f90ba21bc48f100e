//! Studies of one engine: what each of its switches is worth (`ablate`), how the roadmap's rungs compare (`ladder`),
//! which parameter values choose better moves (`regret`), and which play better (`spsa`). Each is a command with its own
//! options, state file and report; the command line only starts it.
//!
//! `subject` is the engine under study, `duel` plays two variants of it in the arena, `journal` stores the results, and
//! `output` has the options for files.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod ablate;
mod duel;
mod journal;
pub mod ladder;
mod output;
pub mod regret;
pub mod spsa;
mod subject;
