//! Ordering of quiet moves by what lesser pieces attack.

use chess::{Bitboard, Board, Move, PieceKind, attacks};

use super::params;

/// Squares where a piece would be lost to a lesser one: leaving them is good, going there is bad.
#[derive(Default)]
pub(super) struct Danger {
    by_pawn: Bitboard,
    by_minor: Bitboard,
    by_rook: Bitboard,
}

impl Danger {
    pub(super) fn new(board: &Board) -> Danger {
        if !params::threat_ordering() {
            return Danger::default();
        }
        let them = board.side_to_move().other();
        let attacks_of = |kind| {
            let pieces = board.pieces(them, kind).into_iter();
            pieces.fold(Bitboard::EMPTY, |set, from| set | attacks::of(kind, them, from, board.occupied()))
        };
        let by_pawn = attacks::pawns(them, board.pieces(them, PieceKind::Pawn));
        let by_minor = by_pawn | attacks_of(PieceKind::Knight) | attacks_of(PieceKind::Bishop);
        Danger { by_pawn, by_minor, by_rook: by_minor | attacks_of(PieceKind::Rook) }
    }

    /// What a move gains or loses by it.
    #[inline]
    pub(super) fn score(&self, board: &Board, mv: Move) -> i32 {
        let (squares, weight) = match board.kind_on(mv.from()) {
            Some(PieceKind::Knight | PieceKind::Bishop) => (self.by_pawn, 7000),
            Some(PieceKind::Rook) => (self.by_minor, 10_000),
            Some(PieceKind::Queen) => (self.by_rook, 14_000),
            _ => return 0,
        };
        weight * (i32::from(squares.has(mv.from())) - i32::from(squares.has(mv.to())))
    }
}
