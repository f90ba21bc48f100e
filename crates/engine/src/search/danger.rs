//! The squares that the opponent attacks, found once per node, for the order of quiet moves and for the histories.

use chess::{Bitboard, Board, Move, PieceKind, attacks};

use super::params;

/// The squares attacked by the opponent of the side to move: by pawns, by pieces up to minors, up to rooks, by any.
#[derive(Clone, Copy, Default)]
pub(super) struct Danger([Bitboard; 4]);

const ANY: usize = 3;

/// For each kind of piece: which squares a lesser piece attacks, and the weight of entering or leaving them. [kind]
const LESSER: [(usize, i32); 6] = [(0, 0), (0, 7000), (0, 7000), (1, 10_000), (2, 14_000), (0, 0)];

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
        Danger([by_pawn, by_minor, by_rook, by_any])
    }

    /// Whether the opponent attacks the square a move leaves and the one it reaches, as an index.
    #[inline]
    pub(super) fn index(&self, mv: Move) -> usize {
        if !params::threat_history() {
            return 0;
        }
        2 * usize::from(self.0[ANY].has(mv.from())) + usize::from(self.0[ANY].has(mv.to()))
    }

    /// What a move gains by leaving a square that a lesser piece attacks, or loses by entering one.
    #[inline]
    pub(super) fn score(&self, board: &Board, mv: Move) -> i32 {
        if !params::threat_ordering() {
            return 0;
        }
        // A table instead of a `match`: which kind moves next is hard to predict.
        let (lesser, weight) = board.kind_on(mv.from()).map_or((0, 0), |kind| LESSER[kind.index()]);
        let squares = self.0[lesser];
        weight * (i32::from(squares.has(mv.from())) - i32::from(squares.has(mv.to())))
    }
}
