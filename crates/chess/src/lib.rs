//! The rules of chess and Chess960, and nothing else: no search, no evaluation, no input or output, no globals.
//!
//! [`Board`] is one moment of a game, plain and cheap to copy; [`Position`] is a board with its history, for
//! repetitions and for taking moves back. Castling is encoded as king takes rook, so chess and Chess960 share all code.
//!
//! ```
//! use stillwater_chess::{Board, Position};
//!
//! let mut position = Position::new("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 4 4".parse()?);
//! let mate = position.parse_san("Qxf7")?;
//! assert!(position.see_ge(mate, 100));
//! position.play(mate);
//! assert!(position.outcome().is_some_and(|outcome| outcome.to_string() == "White mates"));
//! assert_eq!(stillwater_chess::perft::perft(&Board::start(), 4), 197_281);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![cfg_attr(not(fast_pext), forbid(unsafe_code))]
#![cfg_attr(fast_pext, deny(unsafe_code))]

pub mod attacks;
mod board;
mod cuckoo;
pub mod fen;
mod movegen;
pub mod notation;
pub mod perft;
mod position;
mod types;
pub mod zobrist;

pub use board::{Board, CheckInfo, IllegalBoard, IllegalMove, Observer, SEE_VALUES, Setup};
pub use movegen::Sink;
pub use position::{Outcome, Position};
pub use types::{
    Bitboard, CastlingRights, CastlingSide, Color, File, Move, MoveKind, MoveList, ParseSquareError, Piece, PieceKind,
    Rank, Square, Squares,
};

/// Runs the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
