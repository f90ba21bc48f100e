//! Material and piece-square tables: the part of the evaluation that a move changes in at most four places, and so the
//! part that is updated incrementally.

use chess::{Board, Color, Observer, Piece, PieceKind, Square};

use super::packed::S;
use super::sets;
use super::trace::Trace;
use super::weights::{
    BISHOP_SQUARES, KING_SQUARES, KNIGHT_SQUARES, MATERIAL, PAWN_SQUARES, QUEEN_SQUARES, ROOK_SQUARES, Table, WEIGHTS,
};

/// The phase of a board with all its pieces.
pub(super) const FULL_PHASE: i32 = 24;
// [kind]
const PHASE: [u8; 6] = [0, 1, 1, 2, 4, 0];
// [kind]
const SQUARES: [Table; 6] = [PAWN_SQUARES, KNIGHT_SQUARES, BISHOP_SQUARES, ROOK_SQUARES, QUEEN_SQUARES, KING_SQUARES];

/// The value of a piece on a square, for White. [piece][square]
static WORTH: [[S; 64]; 12] = {
    let mut worth = [[S::ZERO; 64]; 12];
    let mut kind = 0;
    while kind < 6 {
        let mut square = 0;
        while square < 64 {
            let file = square & 7;
            let half = (square >> 3) * 4 + if file < 4 { file } else { 7 - file };
            let value = WEIGHTS[MATERIAL.start + kind].plus(WEIGHTS[SQUARES[kind].start + half]);
            worth[kind * 2][square] = value;
            worth[kind * 2 + 1][square ^ 56] = value.negated();
            square += 1;
        }
        kind += 1;
    }
    worth
};

/// The sum of all piece-square values, White's minus Black's, and the phase of the game. Pass it to
/// [`Board::play_with`] as the observer to keep it up to date.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Psq {
    score: S,
    phase: i32,
}

impl Psq {
    /// Counts the pieces of a board.
    #[must_use]
    pub fn new(board: &Board) -> Psq {
        let mut psq = Psq::default();
        for square in board.occupied() {
            if let Some(piece) = board.piece_on(square) {
                psq.added(piece, square);
            }
        }
        psq
    }

    /// Material and squares, White's minus Black's.
    #[inline]
    #[must_use]
    pub fn score(self) -> S {
        self.score
    }

    /// From 0 for an endgame without pieces to 24 for a board that has them all; promoted pieces do not count beyond.
    #[inline]
    #[must_use]
    pub fn phase(self) -> i32 {
        self.phase.min(FULL_PHASE)
    }
}

impl Observer for Psq {
    #[inline]
    fn removed(&mut self, piece: Piece, square: Square) {
        self.score -= WORTH[piece.index()][square.index()];
        self.phase -= i32::from(PHASE[piece.index() / 2]);
    }

    #[inline]
    fn added(&mut self, piece: Piece, square: Square) {
        self.score += WORTH[piece.index()][square.index()];
        self.phase += i32::from(PHASE[piece.index() / 2]);
    }
}

/// Material alone, White's minus Black's.
pub(super) fn material(board: &Board) -> S {
    let count = |color, kind| board.pieces(color, kind).len() as i32;
    let kinds = PieceKind::ALL.into_iter().filter(|&kind| kind != PieceKind::King);
    kinds.fold(S::ZERO, |sum, kind| {
        sum + WEIGHTS[MATERIAL.start + kind.index()] * (count(Color::White, kind) - count(Color::Black, kind))
    })
}

/// Traces the weights that a [`Psq`] of this board has added up.
pub(super) fn trace(board: &Board, trace: &mut impl Trace) {
    for us in Color::ALL {
        for kind in PieceKind::ALL {
            for square in board.pieces(us, kind) {
                let half = sets::own_rank(us, square) * 4 + sets::edge_distance(square.file().index());
                trace.once(us, MATERIAL, kind.index());
                trace.once(us, SQUARES[kind.index()], half);
            }
        }
    }
}
