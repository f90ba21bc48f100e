//! The quiescence search: captures and checks until the position is quiet enough for the static evaluation.
//!
//! The steps are those of Stockfish's quiescence search of 2025: early exits, hash probe, stand pat, moves with
//! pruning, mate, store. The deeper it gets, the fewer moves it tries; see `picker.rs`.

use chess::SEE_VALUES;

use super::danger::Danger;
use super::guide::Spread;
use super::history::PieceTo;
use super::node_type::NodeType;
use super::params;
use super::picker::Picker;
use super::worker::Worker;
use crate::report::Bound;
use crate::score::{self, MAX_PLY};
use crate::tt::{self, Entry, QUIESCENCE};

impl Worker<'_> {
    /// Searches captures (and at depth 0 quiet checks) until nothing is left that could change the score.
    pub(crate) fn quiesce<N: NodeType>(&mut self, mut alpha: i32, beta: i32, depth: i32, ply: usize) -> i32 {
        const { assert!(!N::ROOT) };
        debug_assert!(alpha < beta && (N::PV || alpha == beta - 1 || !params::pvs()) && depth <= 0);

        // Step 1. Early exits.
        if N::PV {
            self.pv_table.clear(ply);
            self.seldepth = self.seldepth.max(ply + 1);
        }
        if self.must_stop() {
            return score::DRAW;
        }
        #[cfg(feature = "stats")]
        self.stats.visit_quiescence();
        if let Some(score) = self.draw_by_rule(&mut alpha, beta, ply) {
            return score;
        }
        if !params::quiescence() {
            return self.leaf_score(ply);
        }
        let in_check = self.position.in_check();
        if ply >= MAX_PLY - 1 {
            return if in_check { score::DRAW } else { self.evaluate(ply) };
        }

        // Step 2. Probe the hash table. At non-PV nodes a bound on the right side cuts off at once.
        let key = tt::key(&self.position);
        let hit = self.shared.table.probe(key, ply, self.position.halfmove_clock());
        let tt_pv = N::PV || hit.is_some_and(|hit| hit.pv);
        if let Some(hit) = hit
            && !N::PV
            && params::tt_cutoff()
            && hit.depth >= QUIESCENCE
            && hit.score != score::NONE
            && hit.proves(alpha, beta)
        {
            return hit.score;
        }

        // Step 3. Stand pat. Unless in check, the side to move need not capture and gets at least the static
        // evaluation.
        let mut raw_eval = score::NONE;
        let mut best_score = -score::INFINITE;
        let mut futility_base = -score::INFINITE;
        if in_check {
            let danger = Danger::new(self.position.board());
            let frame = self.stack.at_mut(ply);
            (frame.static_eval, frame.danger, frame.spread) = (score::NONE, danger, Spread::UNKNOWN);
        } else {
            (raw_eval, best_score) = self.static_eval(hit, ply);
            futility_base = best_score + self.stack.at(ply).spread.upward(params::quiesce_futility());
            // The hash score is the better estimate if its bound points the right way.
            if let Some(hit) = hit
                && hit.score != score::NONE
                && !score::is_decisive(hit.score)
                && hit.corrects(best_score)
            {
                best_score = hit.score;
            }
            if best_score >= beta {
                if !score::is_decisive(best_score) {
                    best_score = (best_score + beta) / 2;
                }
                if hit.is_none() {
                    let bound = Some(Bound::Lower);
                    let spread = self.stack.at(ply).spread;
                    let entry = Entry { score: best_score, bound, spread, ..Entry::of_evaluation(raw_eval, false) };
                    self.shared.table.store(key, ply, entry);
                }
                return best_score;
            }
            alpha = alpha.max(best_score);
        }

        // Step 4. Loop over the moves, best first.
        let last_target = self.stack.before(ply, 1).mv.map(|mv| mv.to());
        let mut picker = Picker::quiescence(self, hit.and_then(|hit| hit.mv), depth, last_target, ply);
        let context = self.stack.context(ply);
        let mut best_move = None;
        let mut count = 0;
        while let Some(mv) = picker.next(self) {
            count += 1;
            let board = self.position.board();

            // Step 5. Pruning, unless every move so far loses.
            if params::quiesce_pruning() && !score::is_loss(best_score) {
                let gives_check = board.gives_check(mv, picker.check_info(board));
                if !gives_check && Some(mv.to()) != last_target && !score::is_loss(futility_base) && !mv.is_promotion()
                {
                    // Two such moves are enough.
                    if count > 2 {
                        continue;
                    }
                    let futility_value = futility_base + board.captured(mv).map_or(0, |kind| SEE_VALUES[kind.index()]);
                    if futility_value <= alpha {
                        best_score = best_score.max(futility_value);
                        continue;
                    }
                    if !board.see_ge(mv, alpha - futility_base) {
                        best_score = best_score.max(alpha.min(futility_base));
                        continue;
                    }
                }
                // Quiet moves are judged by their history: after the first evasion only those with a good one are
                // tried, and checks unless theirs is bad.
                let floor = if in_check { params::quiesce_evasion() } else { params::quiesce_check() };
                if mv.is_quiet() && self.histories.continuation(PieceTo::of(board, mv), &context) <= floor {
                    continue;
                }
                if !is_obvious(board, mv) && !board.see_ge(mv, params::quiesce_see()) {
                    continue;
                }
            }

            // Step 6. Make the move and search it.
            self.prefetch(mv);
            self.make(mv, ply);
            let score = -self.quiesce::<N>(-beta, -alpha, depth - 1, ply + 1);
            self.position.unmake();
            if self.shared.is_over() {
                break;
            }

            // Step 7. Keep the best.
            if score > best_score {
                best_score = score;
                if score > alpha {
                    best_move = Some(mv);
                    if N::PV {
                        self.pv_table.set(ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
        }
        picker.finish(self.pool);
        if self.shared.is_over() {
            return score::DRAW;
        }

        // Step 8. In check without a move: mate.
        if in_check && best_score == -score::INFINITE {
            return if params::game_end() { score::mated_in(ply) } else { self.evaluate(ply) };
        }
        // A fail high is a bound, not a score: pull it towards beta.
        if best_score > beta && !score::is_decisive(best_score) {
            best_score = (best_score + beta) / 2;
        }

        // Step 9. Store the result in the hash table.
        let bound = if best_score >= beta { Bound::Lower } else { Bound::Upper };
        let (score, eval, bound) = (best_score, raw_eval, Some(bound));
        let spread = self.stack.at(ply).spread;
        let entry = Entry { mv: best_move, score, eval, depth: QUIESCENCE, bound, pv: tt_pv, spread };
        self.shared.table.store(key, ply, entry);
        best_score
    }

    /// The score of a leaf where quiescence is switched off, as on the lower rungs of the ladder.
    fn leaf_score(&mut self, ply: usize) -> i32 {
        if params::game_end() && !self.position.has_legal_moves() {
            return if self.position.in_check() { score::mated_in(ply) } else { score::DRAW };
        }
        self.evaluate(ply)
    }
}

/// A capture of a piece worth at least as much as the capturer never loses material, so it needs no SEE.
#[inline]
fn is_obvious(board: &chess::Board, mv: chess::Move) -> bool {
    let value = |kind: Option<chess::PieceKind>| kind.map_or(0, |kind| SEE_VALUES[kind.index()]);
    mv.is_capture() && value(board.captured(mv)) >= value(board.kind_on(mv.from())) && !mv.is_promotion()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::fixture::{find, with_warm_worker};
    use crate::search::node_type::{NonPv, Pv};

    /// The score relative to the evaluation, and the nodes, with alpha this far above it and no quiet checks.
    fn outcome(fen: &str, above: i32) -> (i32, u64) {
        let mut outcome = (0, 0);
        with_warm_worker(fen, |worker| {
            let eval = worker.static_eval(None, 1).1;
            let score = worker.quiesce::<NonPv>(eval + above, eval + above + 1, -1, 1);
            outcome = (score - eval, worker.nodes);
        });
        outcome
    }

    #[test]
    fn nobody_has_to_capture() {
        // The queen could take a defended pawn.
        let (gain, nodes) = outcome("4k3/2p5/3p4/8/8/8/8/3QK3 w - - 0 1", -100);
        assert!(nodes == 0 && (-99..=0).contains(&gain), "{gain} {nodes}");
    }

    #[test]
    fn what_hangs_is_taken() {
        let (gain, nodes) = outcome("4k3/5ppp/8/8/3q4/8/3R1PPP/4K3 w - - 0 1", 300);
        assert!(nodes > 0 && gain > 300, "{gain} {nodes}");
    }

    #[test]
    fn captures_that_lose_or_gain_too_little_are_not_tried() {
        // A queen for a pawn.
        assert_eq!(outcome("4k3/2p5/3p4/8/8/8/8/3QK3 w - - 0 1", 0).1, 0);
        // A free pawn: enough to be a little better, not to be a rook better.
        let free_pawn = "4k3/8/3p4/8/8/8/3R4/4K3 w - - 0 1";
        assert!(outcome(free_pawn, 0).1 > 0);
        let (gain, nodes) = outcome(free_pawn, 600);
        assert!(nodes == 0 && (params::quiesce_futility()..=600).contains(&gain), "{gain} {nodes}");
    }

    #[test]
    fn two_captures_that_fail_are_enough() {
        // Three pawns hang, but one pawn is not enough.
        assert_eq!(outcome("6k1/3p4/8/8/p2R3p/8/8/4K3 w - - 0 1", 250).1, 2);
    }

    #[test]
    fn mate_is_seen_and_one_evasion_is_enough() {
        with_warm_worker("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", |worker| {
            assert_eq!(worker.quiesce::<Pv>(-score::INFINITE, score::INFINITE, 0, 1), score::mated_in(1));
        });
        // The king has five squares. After the first evasion, no other has a good enough history.
        with_warm_worker("4k3/8/8/8/8/8/8/r3K3 w - - 0 1", |worker| {
            let eval = -worker.evaluate(1).abs() - 1000;
            worker.quiesce::<NonPv>(eval - 1, eval, 0, 1);
            assert_eq!(worker.nodes, 1);
        });
    }

    #[test]
    fn quiet_checks_that_failed_before_are_left_out() {
        with_warm_worker("4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1", |worker| {
            let eval = worker.static_eval(None, 1).1;
            let ask = |worker: &mut Worker<'_>| {
                let before = worker.nodes;
                worker.quiesce::<NonPv>(eval + 100, eval + 101, 0, 1);
                worker.nodes - before
            };
            let mv = find(worker, "e1f1");
            worker.stack.at_mut(0).piece_to = Some(PieceTo::of(worker.position.board(), mv));
            let check = PieceTo::of(worker.position.board(), find(worker, "a1a8"));
            let context = worker.stack.context(1);
            worker.histories.update_continuation(check, &context, 4 * params::quiesce_check().abs());
            assert!(ask(worker) > 0, "the rook's check is tried");
            (0..20).for_each(|_| worker.histories.update_continuation(check, &context, 8 * params::quiesce_check()));
            worker.shared.table.store(tt::key(&worker.position), 1, Entry::of_evaluation(eval, false));
            assert_eq!(ask(worker), 0, "it has failed too often");
        });
    }
}
