//! The UCI protocol as types, for both sides: [`Command`] is everything a user interface sends, [`Reply`] everything an
//! engine answers. Each is read with [`str::parse`] and printed with [`Display`](std::fmt::Display), so an engine and a
//! match runner share one grammar.
//!
//! Parsing is tolerant, as the protocol asks: unknown words are skipped, any white space separates words, and numbers
//! that are too large become the largest possible. What cannot be used is an error value with a message for people. No
//! input panics. This crate has no threads and no state, and does not check whether a move is legal: that takes a
//! board.
//!
//! ```
//! use stillwater_uci::{Command, Parsed};
//!
//! let command: Command = "go depth 12 searchmoves e2e4 d2d4 infinite".parse()?;
//! assert_eq!(command.to_string(), "go searchmoves e2e4 d2d4 depth 12 infinite");
//!
//! // A bad word does not spoil the rest: the tolerant reader keeps what it can and reports what it could not.
//! let Parsed { command, problems } = Command::read("go depth many movetime 100")?;
//! assert_eq!(command.to_string(), "go movetime 100");
//! assert_eq!(problems[0].to_string(), "depth needs a number, not \"many\"");
//! # Ok::<(), stillwater_uci::ParseError>(())
//! ```
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

mod command;
mod error;
mod moves;
mod option;
mod reply;
mod words;

pub use command::{Command, Go, Parsed, Registration, SetOption, SetPosition, StartPosition};
pub use error::{ParseError, excerpt};
pub use moves::UciMove;
pub use option::{OptionInfo, OptionKind, OptionValue, ValueError};
pub use reply::{Bound, Info, Reply, Score, Status};
