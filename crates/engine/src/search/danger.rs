//! What the opponent attacks: found once a node, for the order of quiet moves and for the histories that tell moves out of danger from
//! others.

use chess::{Bitboard, Board, Move, PieceKind, attacks};

use super::params;

/// The squares that the opponent of the side to move attacks.
#[derive(Clone, Copy, Default)]
pub(super) struct Danger {
    by_pawn: Bitboard,
    by_minor: Bitboard,
    by_rook: Bitboard,
    by_any: Bitboard,
}

impl Danger {
    #[inline]
    pub(super) fn new(board: &Board) -> Danger {
        let them = board.side_to_move().other();
        let attacks_of = |kind| {
            let pieces = board.pieces(them, kind).into_iter();
            pieces.fold(Bitboard::EMPTY, |set, from| set | attacks::of(kind, them, from, board.occupied()))
        };
        let by_pawn = attacks::pawns(them, board.pieces(them, PieceKind::Pawn));
        let by_minor = by_pawn | attacks_of(PieceKind::Knight) | attacks_of(PieceKind::Bishop);
        let by_rook = by_minor | attacks_of(PieceKind::Rook);
        let by_any = by_rook | attacks_of(PieceKind::Queen) | attacks::king(board.king(them));
        Danger { by_pawn, by_minor, by_rook, by_any }
    }

    /// Whether the opponent attacks the square a move leaves and the one it goes to, as an index.
    #[inline]
    pub(super) fn index(&self, mv: Move) -> usize {
        if !params::threat_history() {
            return 0;
        }
        2 * usize::from(self.by_any.has(mv.from())) + usize::from(self.by_any.has(mv.to()))
    }

    /// What a move gains or loses by leaving or entering squares where its piece would be lost to a lesser one.
    #[inline]
    pub(super) fn score(&self, board: &Board, mv: Move) -> i32 {
        if !params::threat_ordering() {
            return 0;
        }
        let (squares, weight) = match board.kind_on(mv.from()) {
            Some(PieceKind::Knight | PieceKind::Bishop) => (self.by_pawn, 7000),
            Some(PieceKind::Rook) => (self.by_minor, 10_000),
            Some(PieceKind::Queen) => (self.by_rook, 14_000),
            _ => return 0,
        };
        weight * (i32::from(squares.has(mv.from())) - i32::from(squares.has(mv.to())))
    }
}
