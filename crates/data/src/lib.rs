//! Games to train on: their file format, readers and writers, and the self-play that generates them.
//!
//! The files are viriformat, which other tools can read: a packed start board, then a move and a score for every
//! position, then four zero bytes; whole games one after another and nothing else. Scores are White's centipawns.
//!
//! ```no_run
//! for game in stillwater_data::Reader::open("games.vf".as_ref())? {
//!     let game = game?;
//!     for position in game.positions() {
//!         println!("{} {} {}", position.board, position.score, game.result.white_points());
//!     }
//! }
//! # Ok::<(), anyhow::Error>(())
//! ```
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod about;
mod format;
mod game;
pub mod generate;
mod inputs;
mod judge;
mod judge_by;
mod nodes;
mod opening;
mod reader;
pub mod rescore;
pub mod reshape;
mod selfplay;
pub mod statistics;
mod teacher;
mod writer;

pub use about::About;
pub use format::{FormatError, Record, decode_move, encode_move, pack, unpack};
pub use game::{Game, GameResult, Sample};
pub use inputs::{for_each_record, games_of};
pub use judge::Rules;
pub use judge_by::JudgeBy;
pub use nodes::{GameNodes, NodeBytes, NodeReader, NodeWriter};
pub use opening::{Starts, Variety};
pub use reader::{Reader, Records, Torn};
pub use selfplay::{Plan, Played};
pub use teacher::{Lesson, Teacher};
pub use writer::{Found, Writer};
