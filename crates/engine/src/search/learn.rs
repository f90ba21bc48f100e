//! What the search learns from a node: the best move gains, those tried before it lose.

use chess::Move;

use super::history;
use super::params;
use super::worker::Worker;
use crate::score;
use crate::tt::Entry;

/// The first moves of one kind.
pub(super) struct Moves {
    moves: [Option<Move>; 32],
    len: usize,
}

impl Moves {
    #[inline]
    fn new() -> Moves {
        Moves { moves: [None; 32], len: 0 }
    }

    #[inline]
    fn push(&mut self, mv: Move) {
        if let Some(slot) = self.moves.get_mut(self.len) {
            *slot = Some(mv);
            self.len += 1;
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Move> {
        self.moves[..self.len].iter().copied().flatten()
    }
}

/// Moves that were searched and are not the best.
pub(crate) struct Tried {
    pub(super) quiets: Moves,
    noisy: Moves,
}

impl Tried {
    #[inline]
    pub(crate) fn new() -> Tried {
        Tried { quiets: Moves::new(), noisy: Moves::new() }
    }

    #[inline]
    pub(crate) fn push(&mut self, mv: Move) {
        if mv.is_quiet() { self.quiets.push(mv) } else { self.noisy.push(mv) }
    }
}

impl Worker<'_> {
    /// Updates the histories after a node: `best` is the best move, if any beat alpha, and `tried` are the others.
    pub(crate) fn learn(&mut self, best: Option<Move>, score: i32, beta: i32, tried: &Tried, depth: i32, ply: usize) {
        match best {
            Some(best) => self.learn_from_best(best, score, beta, tried, depth, ply),
            None => self.learn_from_failure(depth, ply),
        }
        lab!(self.learn_in_lab(best, tried, depth, ply));
    }

    /// The best move gains, the others lose.
    fn learn_from_best(&mut self, best: Move, score: i32, beta: i32, tried: &Tried, depth: i32, ply: usize) {
        let context = self.stack.context(ply);
        let (bonus, malus) = (history::bonus(depth), history::malus(depth));
        let board = self.position.board();
        if best.is_quiet() {
            self.histories.update_quiet(board, best, &context, bonus);
            for mv in tried.quiets.iter() {
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
        for mv in tried.noisy.iter() {
            self.histories.update_capture(board, mv, malus);
        }
    }

    /// Learns how far the static evaluation was off, if the score shows it. If the best move is a capture, it does not.
    pub(crate) fn learn_correction(&mut self, found: &Entry, static_eval: i32, ply: usize) {
        let noisy = found.mv.is_some_and(|mv| mv.is_noisy());
        if !noisy && found.corrects(static_eval) && !score::is_decisive(found.score) {
            let last = self.stack.last_moves(ply);
            self.corrections.update(self.position.board(), last, found.depth, found.score - static_eval);
        }
    }

    /// Rates the move that led here by the change of the static evaluation alone (as in Stockfish and Reckless).
    pub(crate) fn learn_from_swing(&mut self, ply: usize) {
        let before = self.stack.before(ply, 1);
        let (Some(last), Some(swing)) = (before.mv.filter(|mv| mv.is_quiet() && ply > 0), self.stack.swing(ply)) else {
            return;
        };
        let most = params::swing_max();
        let bonus = (params::swing_scale() * (params::swing_offset() - swing) / 8).clamp(-most, most);
        let danger = before.danger;
        self.histories.update_from_to(self.position.side_to_move().other(), last, &danger, bonus);
    }

    /// No move beat alpha: the move that led here was good.
    fn learn_from_failure(&mut self, depth: i32, ply: usize) {
        let Some(last) = self.stack.before(ply, 1).mv.filter(|mv| mv.is_quiet() && ply > 0) else { return };
        let bonus = history::bonus(depth) / 2;
        if let Some(piece_to) = self.stack.before(ply, 1).piece_to {
            let context = self.stack.context(ply - 1);
            self.histories.update_continuation(piece_to, &context, bonus);
        }
        let danger = self.stack.before(ply, 1).danger;
        self.histories.update_from_to(self.position.side_to_move().other(), last, &danger, bonus);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Bound;
    use crate::search::Spread;
    use crate::search::fixture::{find, with_worker};

    /// Black answers a knight's move, and may take a pawn.
    fn after_a_knight_move(check: impl FnOnce(&mut Worker<'_>)) {
        with_worker("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", |worker| {
            let mv = find(worker, "g1f3");
            worker.make(mv, 0);
            check(worker);
        });
    }

    fn tried(worker: &Worker<'_>, moves: &[&str]) -> Tried {
        let mut tried = Tried::new();
        moves.iter().for_each(|mv| tried.push(find(worker, mv)));
        tried
    }

    /// The history score of a move at ply 1.
    fn known(worker: &Worker<'_>, mv: &str) -> i32 {
        let (board, mv) = (worker.position.board(), find(worker, mv));
        match mv.is_quiet() {
            true => worker.histories.quiet(board, mv, &worker.stack.context(1)),
            false => worker.histories.capture(board, mv),
        }
    }

    #[test]
    fn the_best_quiet_move_gains_and_all_others_lose() {
        after_a_knight_move(|worker| {
            let others = tried(worker, &["a7a6", "d5e4"]);
            let best = find(worker, "g8f6");
            worker.learn(Some(best), 50, 40, &others, 6, 1);
            assert!(known(worker, "g8f6") > 0 && known(worker, "a7a6") < 0 && known(worker, "d5e4") < 0);
            assert_eq!(known(worker, "h7h6"), 0, "it was not tried");
        });
    }

    #[test]
    fn a_capture_that_is_best_says_nothing_of_quiet_moves() {
        after_a_knight_move(|worker| {
            let others = tried(worker, &["a7a6", "d8d6"]);
            let best = find(worker, "d5e4");
            worker.learn(Some(best), 50, 40, &others, 6, 1);
            assert!(known(worker, "d5e4") > 0);
            assert_eq!((known(worker, "a7a6"), known(worker, "d8d6")), (0, 0));
            assert_eq!(worker.stack.at(1).killers, [None; 2]);
        });
    }

    #[test]
    fn only_a_cutoff_makes_killers_and_countermoves() {
        after_a_knight_move(|worker| {
            let last = worker.stack.at(0).piece_to;
            let [first, second, third] = ["g8f6", "a7a6", "h7h6"].map(|mv| find(worker, mv));
            let mut learn = |best, score| {
                worker.learn(Some(best), score, 40, &Tried::new(), 6, 1);
                let frame = worker.stack.at(1);
                (frame.killers, frame.mate_killer, worker.histories.countermove(last))
            };
            assert_eq!(learn(third, 39), ([None; 2], None, None), "better than alpha, but no cutoff");
            assert_eq!(learn(first, 40), ([Some(first), None], None, Some(first)));
            assert_eq!(learn(first, 40), ([Some(first), None], None, Some(first)), "the same is kept once");
            assert_eq!(learn(second, 40), ([Some(second), Some(first)], None, Some(second)));
            let mates = score::mate_in(5);
            assert_eq!(learn(third, mates), ([Some(third), Some(second)], Some(third), Some(third)));
        });
    }

    #[test]
    fn when_all_moves_fail_the_move_before_gains_if_it_was_quiet() {
        after_a_knight_move(|worker| {
            let mv = find(worker, "d5e4");
            worker.make(mv, 1);
            worker.learn(None, -50, 40, &Tried::new(), 6, 2);
            worker.position.unmake();
            assert_eq!(known(worker, "d5e4"), 0, "captures are left alone");
            worker.learn(None, -50, 40, &Tried::new(), 6, 1);
            worker.position.unmake();
            let of = |mv| worker.histories.quiet(worker.position.board(), find(worker, mv), &worker.stack.context(0));
            assert!(of("g1f3") > 0);
            assert_eq!(of("g1h3"), 0);
        });
    }

    #[test]
    fn the_evaluation_tells_whether_the_move_before_was_good() {
        let after = |before, now| {
            let mut learned = 0;
            after_a_knight_move(|worker| {
                worker.stack.at_mut(0).static_eval = before;
                worker.stack.at_mut(1).static_eval = now;
                worker.learn_from_swing(1);
                worker.position.unmake();
                let mv = find(worker, "g1f3");
                learned = worker.histories.quiet(worker.position.board(), mv, &worker.stack.context(0));
            });
            learned
        };
        assert!(after(20, -80) > 0, "White thought less of it before");
        assert!(after(20, 80) < 0, "and here more");
        assert_eq!(after(0, 5000), -params::swing_max());
        assert_eq!(after(score::NONE, 50), 0, "from check nothing can be said");
    }

    #[test]
    fn too_many_moves_are_no_harm() {
        after_a_knight_move(|worker| {
            let mv = find(worker, "a7a6");
            let mut tried = Tried::new();
            (0..100).for_each(|_| tried.push(mv));
            assert_eq!(tried.quiets.iter().count(), 32);
        });
    }

    #[test]
    fn the_evaluation_is_corrected_only_where_the_score_says_so() {
        after_a_knight_move(|worker| {
            let [mv, noisy] = ["g8f6", "d5e4"].map(|mv| Some(find(worker, mv)));
            let found = |score, bound| Entry {
                mv,
                score,
                eval: 0,
                depth: 8,
                bound: Some(bound),
                pv: false,
                spread: Spread::UNKNOWN,
            };
            let mut learn = |found: Entry| {
                worker.learn_correction(&found, 100, 1);
                worker.corrected(100, 1)
            };
            assert_eq!(learn(found(50, Bound::Lower)), 100, "at least less than that is no news");
            assert_eq!(learn(found(150, Bound::Upper)), 100, "nor is at most more than that");
            assert_eq!(learn(found(score::mate_in(9), Bound::Lower)), 100, "a mate is no error of the evaluation");
            assert_eq!(learn(Entry { mv: noisy, ..found(300, Bound::Exact) }), 100, "captures say nothing");
            let higher = learn(found(300, Bound::Lower));
            assert!(higher > 100);
            assert!(learn(found(50, Bound::Exact)) < higher);
        });
    }
}
