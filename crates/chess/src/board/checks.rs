//! Which moves give check.

use super::Board;
use crate::attacks;
use crate::types::{Bitboard, Move, PieceKind, Square};

/// What decides whether a move gives check; worth keeping for all moves of one node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CheckInfo {
    pub(crate) king: Square,
    pub(crate) squares: [Bitboard; 6], // [kind] where a piece of the kind attacks the enemy king
    pub(crate) discoverers: Bitboard,
}

impl CheckInfo {
    /// The squares from which a piece of this kind attacks the enemy king.
    #[inline]
    #[must_use]
    pub fn squares(&self, kind: PieceKind) -> Bitboard {
        self.squares[kind.index()]
    }

    /// The pieces of the side to move that give a discovered check when they leave their line.
    #[inline]
    #[must_use]
    pub fn discoverers(&self) -> Bitboard {
        self.discoverers
    }
}

impl Board {
    /// Computes what [`gives_check`](Self::gives_check) needs.
    #[must_use]
    pub fn check_info(&self) -> CheckInfo {
        let us = self.side;
        let king = self.king(us.other());
        let occupied = self.occupied();
        let (bishop, rook) = (attacks::bishop(king, occupied), attacks::rook(king, occupied));
        let (_, blockers) = self.aim_at(king, self.color(us), occupied);
        CheckInfo {
            king,
            squares: [
                attacks::pawn(us.other(), king),
                attacks::knight(king),
                bishop,
                rook,
                bishop | rook,
                Bitboard::EMPTY,
            ],
            discoverers: blockers & self.color(us),
        }
    }

    /// Whether a legal move gives check; `info` is this board's.
    #[must_use]
    pub fn gives_check(&self, mv: Move, info: &CheckInfo) -> bool {
        let (from, to) = (mv.from(), mv.to());
        if mv.is_castle() {
            let target = mv.castling_side().rook_target(self.side);
            let gone = from.bitboard() | to.bitboard();
            let occupied = (self.occupied() - gone) | target.bitboard() | mv.landing().bitboard();
            return attacks::rook(target, occupied).has(info.king);
        }
        if info.discoverers.has(from) && !attacks::line(info.king, from).has(to) {
            return true;
        }
        if let Some(kind) = mv.promotion() {
            return attacks::of(kind, self.side, to, self.occupied() ^ from.bitboard()).has(info.king);
        }
        let Some(kind) = self.kind_on(from) else { return false };
        info.squares[kind.index()].has(to) || (mv.is_en_passant() && self.en_passant_discovers(mv, info.king))
    }

    /// Removing the captured pawn can open a line to the enemy king that two pawns blocked.
    fn en_passant_discovers(&self, mv: Move, king: Square) -> bool {
        let gone = mv.from().bitboard() | mv.capture_square().bitboard();
        let occupied = (self.occupied() - gone) | mv.to().bitboard();
        (self.sliders_to(king, occupied) & self.color(self.side)).any()
    }
}
