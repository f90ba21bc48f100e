//! Whether a move is legal, and finding moves by their squares. Hash moves come from other positions and other threads,
//! so every 16-bit code must be handled.

use super::Board;
use crate::attacks;
use crate::types::{Bitboard, CastlingSide, Move, MoveKind, PieceKind, Rank, Square};

impl Board {
    /// Whether the piece can move this way, king safety aside. For castling: the right exists and the path is free.
    #[must_use]
    pub fn is_pseudo_legal(&self, mv: Move) -> bool {
        let us = self.side;
        let (from, to) = (mv.from(), mv.to());
        let (Some(kind), Some(piece)) = (mv.checked_kind(), self.piece_on(from)) else { return false };
        if piece.color() != us {
            return false;
        }
        match kind {
            MoveKind::Castle => {
                return piece.kind() == PieceKind::King
                    && self.castling.of(us).has(to)
                    && self.is_castling_way_free(from, to);
            }
            MoveKind::EnPassant => {
                return piece.kind() == PieceKind::Pawn
                    && self.en_passant == Some(to)
                    && attacks::pawn(us, from).has(to);
            }
            _ => {}
        }
        let targets = if mv.is_capture() { self.color(us.other()) } else { !self.occupied() };
        if !targets.has(to) {
            return false;
        }
        if piece.kind() != PieceKind::Pawn {
            let plain = matches!(kind, MoveKind::Quiet | MoveKind::Capture);
            return plain && attacks::of(piece.kind(), us, from, self.occupied()).has(to);
        }
        if mv.is_promotion() != (to.rank() == Rank::Eighth.relative_to(us)) {
            return false;
        }
        if mv.is_capture() {
            return attacks::pawn(us, from).has(to);
        }
        let one_step = from.offset(us.forward());
        if kind == MoveKind::DoublePush {
            from.rank() == Rank::Second.relative_to(us)
                && to == one_step.offset(us.forward())
                && !self.occupied().has(one_step)
        } else {
            to == one_step
        }
    }

    /// Whether a pseudo-legal move leaves its own king safe, and so is legal.
    #[must_use]
    pub fn is_legal(&self, mv: Move) -> bool {
        debug_assert!(self.is_pseudo_legal(mv), "{mv:?} in {self}");
        let us = self.side;
        let (from, to) = (mv.from(), mv.to());
        if mv.is_castle() {
            return self.is_castling_safe(from, to);
        }
        if mv.is_en_passant() {
            return self.is_en_passant_legal(from, to);
        }
        let king = self.king(us);
        if from == king {
            let occupied = self.occupied() ^ from.bitboard();
            return (self.attackers_to(to, occupied) & self.color(us.other())).is_empty();
        }
        if self.pinned.has(from) && !attacks::line(king, from).has(to) {
            return false;
        }
        self.evasion_targets().has(to)
    }

    /// Whether any move at all, from wherever, is legal here.
    #[inline]
    #[must_use]
    pub fn is_playable(&self, mv: Move) -> bool {
        self.is_pseudo_legal(mv) && self.is_legal(mv)
    }

    /// The legal move between two squares. Castling may be given by the rook's square or by the king's target.
    #[must_use]
    pub fn find_move(&self, from: Square, to: Square, promotion: Option<PieceKind>) -> Option<Move> {
        let moves = self.legal_moves();
        let find = |target: fn(Move) -> Square| {
            moves.iter().copied().find(|&mv| (mv.from(), target(mv), mv.promotion()) == (from, to, promotion))
        };
        // In Chess960 a king move may look like castling; the plain move comes first.
        find(Move::to).or_else(|| find(Move::landing))
    }

    /// Where a piece other than the king may go to answer a check: anywhere without check, onto or in front of a single
    /// checker, nowhere in double check.
    #[inline]
    pub(crate) fn evasion_targets(&self) -> Bitboard {
        match self.checkers {
            Bitboard::EMPTY => Bitboard::FULL,
            checkers if checkers.is_several() => Bitboard::EMPTY,
            checker => attacks::between(self.king(self.side), checker.first_unchecked()) | checker,
        }
    }

    /// The pawns of the side to move that attack the en passant square.
    #[inline]
    pub(crate) fn en_passant_capturers(&self, square: Square) -> Bitboard {
        attacks::pawn(self.side.other(), square) & self.pieces(self.side, PieceKind::Pawn)
    }

    /// Two pawns leave and one arrives, which can open any line: test the resulting board.
    pub(crate) fn is_en_passant_legal(&self, from: Square, to: Square) -> bool {
        let victim = Square::from_index(to.index() ^ 8).bitboard();
        let occupied = (self.occupied() ^ from.bitboard() ^ victim) | to.bitboard();
        let attackers = self.attackers_to(self.king(self.side), occupied);
        (attackers & (self.color(self.side.other()) - victim)).is_empty()
    }

    /// Whether no other piece stands on the paths and targets of king and rook.
    #[inline]
    pub(crate) fn is_castling_way_free(&self, king: Square, rook: Square) -> bool {
        let side = CastlingSide::of(king, rook);
        let (king_target, rook_target) = (side.king_target(self.side), side.rook_target(self.side));
        let way = attacks::between(king, king_target)
            | attacks::between(rook, rook_target)
            | king_target.bitboard()
            | rook_target.bitboard();
        (way & (self.occupied() ^ king.bitboard() ^ rook.bitboard())).is_empty()
    }

    /// Whether the king is not in check, passes no attacked square and lands on none. A pinned castling rook shields
    /// the king from the side (Chess960 only), and would no longer.
    pub(crate) fn is_castling_safe(&self, king: Square, rook: Square) -> bool {
        let target = CastlingSide::of(king, rook).king_target(self.side);
        let theirs = self.color(self.side.other());
        let occupied = self.occupied() ^ king.bitboard();
        !self.in_check()
            && !self.pinned.has(rook)
            && (attacks::between(king, target) | target.bitboard())
                .into_iter()
                .all(|square| (self.attackers_to(square, occupied) & theirs).is_empty())
    }
}
