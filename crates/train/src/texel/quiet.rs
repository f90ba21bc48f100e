//! Checks whether a position is quiet, with a plain quiescence search over captures that do not lose material.

use chess::{Board, MoveList};
use engine::eval::{Evaluator, Psq};

/// Capture sequences end long before this, but a recursive search needs a bound.
const DEEPEST: u32 = 12;

/// A quiescence search on the static evaluation.
pub(super) struct Quiescence {
    evaluator: Evaluator,
}

impl Quiescence {
    pub(super) fn new() -> Quiescence {
        Quiescence { evaluator: Evaluator::new() }
    }

    /// How far captures change the value of a position, in centipawns. The side to move must not be in check.
    pub(super) fn unrest(&mut self, board: &Board) -> i32 {
        let value = self.evaluator.evaluate(board, Psq::new(board));
        // Values outside this window need not be exact.
        self.search(board, Psq::new(board), value - 1, value + 400, DEEPEST) - value
    }

    fn search(&mut self, board: &Board, psq: Psq, mut alpha: i32, beta: i32, depth: u32) -> i32 {
        // In check anything can happen; the static value is as good a guess as any.
        let value = self.evaluator.evaluate(board, psq);
        alpha = alpha.max(value);
        if alpha >= beta || depth == 0 || board.in_check() {
            return alpha.min(beta);
        }
        let mut moves = MoveList::new();
        board.generate_noisy(&mut moves);
        let mut moves: Vec<_> = moves.iter().copied().filter(|&mv| board.see_ge(mv, 0)).collect();
        moves.sort_by_key(|&mv| std::cmp::Reverse(board.captured(mv)));
        for mv in moves {
            let (mut next, mut next_psq) = (*board, psq);
            next.play_with(mv, &mut next_psq);
            alpha = alpha.max(-self.search(&next, next_psq, -beta, -alpha, depth - 1));
            if alpha >= beta {
                break;
            }
        }
        alpha
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unrest(fen: &str) -> i32 {
        Quiescence::new().unrest(&fen.parse().expect("a board"))
    }

    #[test]
    fn hanging_pieces_are_unrest() {
        assert_eq!(unrest("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), 0);
        assert!(unrest("4k3/pp6/8/3q4/8/8/PP6/3RK3 w - - 0 1") > 300);
        assert_eq!(unrest("3rk3/pp6/8/3p4/8/8/PP6/3RK3 w - - 0 1"), 0, "a defended pawn is safe from a rook");
    }
}
