//! The two sides.

use std::fmt;
use std::ops::Not;

use super::Rank;

/// A side of the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Color {
    /// The side that moves first and plays up the board.
    White,
    /// The side that plays down the board.
    Black,
}

impl Color {
    /// Both sides, White first.
    pub const ALL: [Color; 2] = [Color::White, Color::Black];

    index!("0 for White, 1 for Black.");

    /// The other side.
    #[inline]
    #[must_use]
    pub const fn other(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }

    /// How far a pawn of this side steps, in square numbers.
    #[inline]
    #[must_use]
    pub const fn forward(self) -> i8 {
        match self {
            Color::White => 8,
            Color::Black => -8,
        }
    }

    /// The rank the side's king starts on.
    #[inline]
    #[must_use]
    pub const fn back_rank(self) -> Rank {
        Rank::First.relative_to(self)
    }
}

impl Not for Color {
    type Output = Color;

    #[inline]
    fn not(self) -> Color {
        self.other()
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Color::White => "White",
            Color::Black => "Black",
        })
    }
}
