//! Castling rights, for chess and Chess960 alike.
//!
//! The one idea: a right *is* the rook that may still castle, so the rights are the set of those rooks' squares. A move
//! from or to such a square loses the right, a king move loses the side's whole back rank, and no table is needed. The
//! wing of a rook follows from the king, which cannot have moved.

use super::{Bitboard, Color, File, Square};

/// A wing to castle to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum CastlingSide {
    /// Towards the h-file, `O-O`: the king ends on the g-file.
    King,
    /// Towards the a-file, `O-O-O`: the king ends on the c-file.
    Queen,
}

impl CastlingSide {
    /// Both wings.
    pub const ALL: [CastlingSide; 2] = [CastlingSide::King, CastlingSide::Queen];

    /// The wing a castling rook stands on, seen from its king.
    #[inline]
    #[must_use]
    pub const fn of(king: Square, rook: Square) -> CastlingSide {
        if rook.index() > king.index() { CastlingSide::King } else { CastlingSide::Queen }
    }

    /// The file the king ends on.
    #[inline]
    #[must_use]
    pub const fn king_file(self) -> File {
        match self {
            CastlingSide::King => File::G,
            CastlingSide::Queen => File::C,
        }
    }

    /// The file the rook ends on.
    #[inline]
    #[must_use]
    pub const fn rook_file(self) -> File {
        match self {
            CastlingSide::King => File::F,
            CastlingSide::Queen => File::D,
        }
    }

    /// Where `color`'s king ends.
    #[inline]
    #[must_use]
    pub const fn king_target(self, color: Color) -> Square {
        Square::new(self.king_file(), color.back_rank())
    }

    /// Where `color`'s rook ends.
    #[inline]
    #[must_use]
    pub const fn rook_target(self, color: Color) -> Square {
        Square::new(self.rook_file(), color.back_rank())
    }
}

/// The rooks that may still castle.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct CastlingRights(Bitboard);

impl CastlingRights {
    /// No castling rights.
    pub const NONE: CastlingRights = CastlingRights(Bitboard::EMPTY);

    /// The rights of the rooks on these squares.
    #[inline]
    #[must_use]
    pub const fn from_rooks(rooks: Bitboard) -> CastlingRights {
        CastlingRights(rooks)
    }

    /// The squares of all rooks that may castle.
    #[inline]
    #[must_use]
    pub const fn rooks(self) -> Bitboard {
        self.0
    }

    /// The squares of `color`'s rooks that may castle.
    #[inline]
    #[must_use]
    pub fn of(self, color: Color) -> Bitboard {
        self.0 & color.back_rank().bitboard()
    }

    /// The rook with which the king on `king` may castle to `side`.
    #[must_use]
    pub fn rook(self, color: Color, king: Square, side: CastlingSide) -> Option<Square> {
        self.of(color).into_iter().find(|&rook| CastlingSide::of(king, rook) == side)
    }

    /// Removes the rights of the rooks on `squares` and returns those that were lost.
    #[inline]
    pub fn remove(&mut self, squares: Bitboard) -> Bitboard {
        let lost = self.0 & squares;
        self.0 ^= lost;
        lost
    }
}
