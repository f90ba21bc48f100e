//! The guard heuristic (Ke and Parng 1993): how well each side guards a square, counted without an exchange evaluation.
//! Only its ordering is used here, not its pruning.

use chess::{Board, Move, PieceKind, attacks};

/// How much a piece's guard of a square counts: cheap pieces guard well, since they can afford to capture. [kind]
const STRENGTH: [i32; 6] = [9, 6, 5, 2, 1, 1];

/// For each square, the strength of our guards minus that of theirs.
pub(super) struct Guards([i32; 64]);

impl Guards {
    pub(super) fn new(board: &Board) -> Guards {
        let us = board.side_to_move();
        let mut values = [0; 64];
        for from in board.occupied() {
            let Some(piece) = board.piece_on(from) else { continue };
            let strength = STRENGTH[piece.kind().index()];
            let strength = if piece.color() == us { strength } else { -strength };
            for to in attacks::of(piece.kind(), piece.color(), from, board.occupied()) {
                values[to.index()] += strength;
            }
        }
        Guards(values)
    }

    /// How much better guarded a piece is after a quiet move. Only squares that the opponent attacks count; guards
    /// elsewhere are worth nothing.
    #[inline]
    pub(super) fn gain(&self, board: &Board, mv: Move) -> i32 {
        if mv.is_castle() {
            return 0;
        }
        // A piece guards its target until it stands there; a pawn that steps forward never did.
        let own = match board.kind_on(mv.from()) {
            None | Some(PieceKind::Pawn) => 0,
            Some(kind) => STRENGTH[kind.index()],
        };
        (self.0[mv.to().index()] - own).min(0) - self.0[mv.from().index()].min(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Square;

    #[test]
    fn guards_agree_with_the_attackers_of_each_square() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
        ] {
            let board: Board = fen.parse().expect(fen);
            let guards = Guards::new(&board);
            for square in Square::all() {
                let strength = |color| -> i32 {
                    let attackers = board.attackers_to(square, board.occupied()) & board.color(color);
                    attackers
                        .into_iter()
                        .filter_map(|from| board.kind_on(from))
                        .map(|kind| STRENGTH[kind.index()])
                        .sum()
                };
                let wanted = strength(board.side_to_move()) - strength(board.side_to_move().other());
                assert_eq!(guards.0[square.index()], wanted, "{square:?} {fen}");
            }
        }
    }

    #[test]
    fn leaving_a_lost_square_gains_and_entering_one_loses() {
        // A pawn attacks the knight on d4; another guards f5, and no piece guards b3.
        let board: Board = "4k3/8/6p1/2p5/3N4/8/8/4K3 w - - 0 1".parse().expect("a board");
        let guards = Guards::new(&board);
        let gain = |mv| guards.gain(&board, board.parse_uci(mv).expect(mv));
        assert_eq!(gain("d4b3"), 9);
        assert_eq!(gain("d4f5"), 0);
        assert_eq!(gain("e1e2"), 0);
    }
}
