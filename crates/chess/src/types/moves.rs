//! Moves in sixteen bits, and a list of them that never allocates.
//!
//! Layout: bits 0–5 the departure square, bits 6–11 the target, bits 12–15 the kind. Bit 14 marks a capture, bit 15 a
//! promotion, so "is it noisy?" needs no board. Castling is king takes rook. Every legal move of a position has exactly
//! one code.

use std::fmt;
use std::num::NonZeroU16;
use std::ops::{Deref, DerefMut};

use super::{CastlingSide, PieceKind, Square};

/// The kind of a move; the numbers are the high four bits of the code.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
#[expect(missing_docs, reason = "the names say it all")]
pub enum MoveKind {
    /// A move to an empty square that is none of the others.
    Quiet = 0,
    DoublePush = 1,
    /// King takes own rook.
    Castle = 2,
    Capture = 4,
    EnPassant = 5,
    PromoteKnight = 8,
    PromoteBishop = 9,
    PromoteRook = 10,
    PromoteQueen = 11,
    CapturePromoteKnight = 12,
    CapturePromoteBishop = 13,
    CapturePromoteRook = 14,
    CapturePromoteQueen = 15,
}

impl MoveKind {
    const CAPTURE_BIT: u16 = 4 << 12;
    const PROMOTION_BIT: u16 = 8 << 12;

    /// The promotion to `kind`, which is a knight, bishop, rook or queen.
    #[inline]
    #[must_use]
    pub const fn promotion(kind: PieceKind, capture: bool) -> MoveKind {
        use MoveKind as M;
        match (kind, capture) {
            (PieceKind::Knight, false) => M::PromoteKnight,
            (PieceKind::Bishop, false) => M::PromoteBishop,
            (PieceKind::Rook, false) => M::PromoteRook,
            (PieceKind::Knight, true) => M::CapturePromoteKnight,
            (PieceKind::Bishop, true) => M::CapturePromoteBishop,
            (PieceKind::Rook, true) => M::CapturePromoteRook,
            (_, false) => M::PromoteQueen,
            (_, true) => M::CapturePromoteQueen,
        }
    }

    const fn from_code(code: u16) -> Option<MoveKind> {
        use MoveKind as M;
        Some(match code {
            0 => M::Quiet,
            1 => M::DoublePush,
            2 => M::Castle,
            4 => M::Capture,
            5 => M::EnPassant,
            8 => M::PromoteKnight,
            9 => M::PromoteBishop,
            10 => M::PromoteRook,
            11 => M::PromoteQueen,
            12 => M::CapturePromoteKnight,
            13 => M::CapturePromoteBishop,
            14 => M::CapturePromoteRook,
            15 => M::CapturePromoteQueen,
            _ => return None,
        })
    }
}

/// A move; `Option<Move>` takes no more room.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(NonZeroU16);

impl Move {
    /// Stands for no move. No real move has its kind, so it is never legal.
    const FILLER: Move = match NonZeroU16::new(3 << 12) {
        Some(code) => Move(code),
        None => unreachable!(),
    };

    /// The move of this kind from one square to another.
    #[inline]
    #[must_use]
    pub const fn new(from: Square, to: Square, kind: MoveKind) -> Move {
        debug_assert!(from.index() != to.index(), "a move goes somewhere");
        let code = from.index() as u16 | (to.index() as u16) << 6 | (kind as u16) << 12;
        match NonZeroU16::new(code) {
            Some(code) => Move(code),
            // Zero would be a quiet move from a1 to a1, which does not occur.
            None => Move::FILLER,
        }
    }

    /// The move with this code, from outside. Any code but zero is accepted, so check its legality before use.
    #[inline]
    #[must_use]
    pub const fn from_bits(code: u16) -> Option<Move> {
        match NonZeroU16::new(code) {
            Some(code) => Some(Move(code)),
            None => None,
        }
    }

    /// The sixteen bits.
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// The departure square.
    #[inline]
    #[must_use]
    pub const fn from(self) -> Square {
        Square::from_index(self.0.get() as usize)
    }

    /// The target square; for castling, the rook's.
    #[inline]
    #[must_use]
    pub const fn to(self) -> Square {
        Square::from_index(self.0.get() as usize >> 6)
    }

    /// From and to as one index below 4096, for tables.
    #[inline]
    #[must_use]
    pub const fn from_to(self) -> usize {
        (self.0.get() & 0xfff) as usize
    }

    /// The kind; none if the code has no valid one, as a code from outside may.
    #[inline]
    #[must_use]
    pub const fn checked_kind(self) -> Option<MoveKind> {
        MoveKind::from_code(self.0.get() >> 12)
    }

    #[inline]
    const fn is(self, kind: MoveKind) -> bool {
        self.0.get() >> 12 == kind as u16
    }

    /// Whether it captures, en passant included.
    #[inline]
    #[must_use]
    pub const fn is_capture(self) -> bool {
        self.0.get() & MoveKind::CAPTURE_BIT != 0
    }

    /// Whether a pawn promotes.
    #[inline]
    #[must_use]
    pub const fn is_promotion(self) -> bool {
        self.0.get() & MoveKind::PROMOTION_BIT != 0
    }

    /// Whether it is a capture or a promotion.
    #[inline]
    #[must_use]
    pub const fn is_noisy(self) -> bool {
        self.0.get() & (MoveKind::CAPTURE_BIT | MoveKind::PROMOTION_BIT) != 0
    }

    /// Whether it is neither capture nor promotion.
    #[inline]
    #[must_use]
    pub const fn is_quiet(self) -> bool {
        !self.is_noisy()
    }

    /// Whether it castles.
    #[inline]
    #[must_use]
    pub const fn is_castle(self) -> bool {
        self.is(MoveKind::Castle)
    }

    /// Whether it captures en passant.
    #[inline]
    #[must_use]
    pub const fn is_en_passant(self) -> bool {
        self.is(MoveKind::EnPassant)
    }

    /// Whether a pawn steps two squares.
    #[inline]
    #[must_use]
    pub const fn is_double_push(self) -> bool {
        self.is(MoveKind::DoublePush)
    }

    /// What the pawn promotes to.
    #[inline]
    #[must_use]
    pub const fn promotion(self) -> Option<PieceKind> {
        if !self.is_promotion() {
            return None;
        }
        Some(match self.0.get() >> 12 & 3 {
            0 => PieceKind::Knight,
            1 => PieceKind::Bishop,
            2 => PieceKind::Rook,
            _ => PieceKind::Queen,
        })
    }

    /// The square of the captured piece; en passant, that of the pawn.
    #[inline]
    #[must_use]
    pub const fn capture_square(self) -> Square {
        if self.is_en_passant() { Square::from_index(self.to().index() ^ 8) } else { self.to() }
    }

    /// The wing a castling move goes to.
    #[inline]
    #[must_use]
    pub const fn castling_side(self) -> CastlingSide {
        CastlingSide::of(self.from(), self.to())
    }

    /// Where the moving piece really lands: for castling the king's target, otherwise `to`.
    #[inline]
    #[must_use]
    pub const fn landing(self) -> Square {
        if self.is_castle() { Square::new(self.castling_side().king_file(), self.from().rank()) } else { self.to() }
    }

    /// The move in UCI notation, castling written king-takes-rook if `chess960` and by the king's target otherwise.
    ///
    /// The king's target is enough where [`Board::is_classical_castling`](crate::Board::is_classical_castling) is true.
    /// In other positions it can be one step away, or none, and then the text is that of a plain king move, or of no
    /// move: those need `chess960`.
    #[must_use]
    pub fn uci(self, chess960: bool) -> String {
        let to = if chess960 { self.to() } else { self.landing() };
        let promotion = self.promotion().map(|kind| kind.letter().to_string()).unwrap_or_default();
        format!("{}{to}{promotion}", self.from())
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", self.uci(true), self.checked_kind())
    }
}

/// A list of moves in place. No position of legal material has more than 218 moves, so 256 always suffice.
#[derive(Clone)]
pub struct MoveList {
    moves: [Move; MoveList::CAPACITY],
    len: usize,
}

impl MoveList {
    /// How many moves the list can hold.
    pub const CAPACITY: usize = 256;

    /// A list without moves.
    #[inline]
    #[must_use]
    pub const fn new() -> MoveList {
        MoveList { moves: [Move::FILLER; MoveList::CAPACITY], len: 0 }
    }

    /// Appends a move.
    #[inline]
    pub fn push(&mut self, mv: Move) {
        self.moves[self.len] = mv;
        self.len += 1;
    }

    /// Removes all moves.
    #[inline]
    pub fn clear(&mut self) {
        self.len = 0;
    }
}

impl Default for MoveList {
    fn default() -> MoveList {
        MoveList::new()
    }
}

impl Deref for MoveList {
    type Target = [Move];
    #[inline]
    fn deref(&self) -> &[Move] {
        &self.moves[..self.len]
    }
}

impl DerefMut for MoveList {
    #[inline]
    fn deref_mut(&mut self) -> &mut [Move] {
        &mut self.moves[..self.len]
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = std::slice::Iter<'a, Move>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_can_be_changed_in_place_and_used_again() {
        let moves = [Square::A2, Square::B2].map(|from| Move::new(from, from.offset(8), MoveKind::Quiet));
        let mut list = MoveList::new();
        moves.into_iter().for_each(|mv| list.push(mv));
        list.swap(0, 1);
        assert_eq!(*list, [moves[1], moves[0]]);
        list.clear();
        assert!(list.is_empty());
    }

    #[test]
    fn what_stands_where_no_move_is_can_never_be_one() {
        assert_eq!(Move::FILLER.checked_kind(), None);
        assert!(!crate::Board::start().is_playable(Move::FILLER));
        assert_eq!(size_of::<Option<Move>>(), 2);
    }
}
