//! What a node teaches: the move that was best gains, those tried before it lose.

use chess::Move;

use super::history;
use super::worker::Worker;
use crate::score;

/// Moves that were searched before the best one was found.
pub(crate) struct Tried {
    moves: [Option<Move>; 32],
    len: usize,
}

impl Tried {
    pub(crate) fn new() -> Tried {
        Tried { moves: [None; 32], len: 0 }
    }

    #[inline]
    pub(crate) fn push(&mut self, mv: Move) {
        if let Some(slot) = self.moves.get_mut(self.len) {
            *slot = Some(mv);
            self.len += 1;
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Move> {
        self.moves[..self.len].iter().copied().flatten()
    }
}

impl Worker<'_> {
    /// The best move gains, those tried before it lose.
    pub(crate) fn learn(&mut self, best: Move, score: i32, beta: i32, tried: (&Tried, &Tried), depth: i32, ply: usize) {
        let (quiets, captures) = tried;
        let context = self.stack.context(ply);
        let (bonus, malus) = (history::bonus(depth), history::malus(depth));
        let board = self.position.board();
        if best.is_quiet() {
            self.histories.update_quiet(board, best, &context, bonus);
            for mv in quiets.iter() {
                self.histories.update_quiet(board, mv, &context, malus);
            }
            if score >= beta {
                let last = self.stack.before(ply, 1).piece_to;
                self.histories.set_countermove(last, best);
                let frame = self.stack.at_mut(ply);
                if frame.killers[0] != Some(best) {
                    frame.killers = [Some(best), frame.killers[0]];
                }
                if score::is_mate(score) && score::is_win(score) {
                    frame.mate_killer = Some(best);
                }
            }
        } else {
            self.histories.update_capture(board, best, bonus);
        }
        for mv in captures.iter() {
            self.histories.update_capture(board, mv, malus);
        }
    }

    /// All moves of the opponent failed: the move that led here was good.
    pub(crate) fn learn_from_failure(&mut self, depth: i32, ply: usize) {
        let Some(last) = self.stack.before(ply, 1).mv.filter(|mv| mv.is_quiet() && ply > 0) else { return };
        let bonus = history::bonus(depth) / 2;
        if let Some(piece_to) = self.stack.before(ply, 1).piece_to {
            let context = self.stack.context(ply - 1);
            self.histories.update_continuation(piece_to, &context, bonus);
        }
        self.histories.update_from_to(self.position.side_to_move().other(), last, bonus);
    }
}
