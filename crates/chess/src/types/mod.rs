//! The basic types: squares, sets of squares, pieces, moves. All are `Copy` and independent of a board.

/// The index of a value among all of its type.
macro_rules! index {
    ($doc:literal) => {
        #[doc = $doc]
        #[inline]
        #[must_use]
        pub const fn index(self) -> usize {
            self as usize
        }
    };
}

mod bitboard;
mod castling;
mod color;
mod moves;
mod piece;
mod square;

pub use bitboard::{Bitboard, Squares};
pub use castling::{CastlingRights, CastlingSide};
pub use color::Color;
pub use moves::{Move, MoveKind, MoveList};
pub use piece::{Piece, PieceKind};
pub use square::{File, ParseSquareError, Rank, Square};
