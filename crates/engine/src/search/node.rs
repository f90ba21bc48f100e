//! The alpha-beta search. The numbered steps are here; the formulas are in `prune.rs` and `reduce.rs`.
//!
//! Off the principal variation every search has a zero window. Such a node is expected either to fail high on one good
//! move (`cut_node`) or to fail low after all moves.

use super::abdada::{DEFER_DEPTH, Deferred};
use super::danger::Danger;
use super::guide::Spread;
use super::history::{self, PieceTo};
use super::learn::Tried;
use super::node_type::NodeType;
use super::params;
use super::picker::Picker;
use super::prune;
use super::reduce;
use super::worker::Worker;
use crate::report::Bound;
use crate::score::{self, MAX_PLY};
use crate::tt::{self, Entry};

impl Worker<'_> {
    /// Searches the position and returns its score for the side to move; outside `alpha` and `beta` only a bound.
    pub(crate) fn search<N: NodeType>(
        &mut self,
        mut alpha: i32,
        mut beta: i32,
        mut depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> i32 {
        debug_assert!(alpha < beta && (N::PV || alpha == beta - 1 || !params::pvs()) && !(N::PV && cut_node));
        lab!(return self.enter_lab::<N>((alpha, beta), &mut depth, ply, cut_node));

        // Step 1. At the horizon, drop into the quiescence search.
        if depth <= 0 {
            return self.quiesce::<N::Next>(alpha, beta, 0, ply);
        }
        if N::PV {
            self.pv_table.clear(ply);
            self.seldepth = self.seldepth.max(ply + 1);
        }
        if self.must_stop() {
            return score::DRAW;
        }
        #[cfg(feature = "stats")]
        self.stats.visit(N::PV, cut_node);
        let in_check = self.position.in_check();
        let excluded = self.stack.at(ply).excluded;

        // Step 2. Draws, and mate distance pruning.
        if !N::ROOT {
            if let Some(score) = self.draw_by_rule(&mut alpha, beta, ply) {
                return score;
            }
            if ply >= MAX_PLY - 1 {
                return if in_check { score::DRAW } else { self.evaluate(ply) };
            }
            alpha = alpha.max(score::mated_in(ply));
            beta = beta.min(score::mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }
        self.stack.enter(ply);

        // Step 3. Probe the hash table. Off the principal variation, a deep enough entry may cut off at once.
        let key = tt::key(&self.position);
        let hit = self.shared.table.probe(key, ply, self.position.halfmove_clock());
        let tt_move = if N::ROOT {
            self.root_moves.get(self.pv_index).map(|root_move| root_move.mv)
        } else {
            hit.and_then(|hit| hit.mv)
        };
        let tt_noisy = tt_move.is_some_and(|mv| mv.is_noisy());
        if excluded.is_none() {
            self.stack.at_mut(ply).tt_pv = N::PV || hit.is_some_and(|hit| hit.pv);
        }
        let tt_pv = self.stack.at(ply).tt_pv;
        if let Some(hit) = hit
            && !N::PV
            && excluded.is_none()
            && let Some(score) = self.hash_cutoff(&hit, alpha, beta, depth, ply)
        {
            return score;
        }

        // Step 4. Probe the tablebases.
        let mut best_score = -score::INFINITE;
        let mut max_score = score::INFINITE;
        if !N::ROOT
            && excluded.is_none()
            && let Some(known) = self.probe_tablebases(depth, ply)
        {
            if known.proves(alpha, beta) {
                self.shared.table.store(key, ply, known);
                return known.score;
            }
            match known.bound {
                Some(Bound::Lower) if N::PV => {
                    // Whatever the moves below seem to be worth, the tables promise this much.
                    best_score = known.score;
                    alpha = alpha.max(best_score);
                }
                Some(Bound::Upper) if N::PV => max_score = known.score,
                _ => {}
            }
        }

        // Step 5. The static evaluation, and whether it is improving.
        let mut raw_eval = score::NONE;
        let mut eval = score::NONE;
        if in_check {
            let frame = self.stack.at_mut(ply);
            (frame.static_eval, frame.spread) = (score::NONE, Spread::UNKNOWN);
        } else if excluded.is_some() {
            eval = self.stack.at(ply).static_eval;
        } else {
            (raw_eval, eval) = self.static_eval(hit, ply);
            match hit {
                // The hash score is the better estimate if its bound points the right way.
                Some(hit) if hit.score != score::NONE && hit.corrects(eval) => eval = hit.score,
                Some(_) => {}
                None => {
                    let spread = self.stack.at(ply).spread;
                    self.shared.table.store(key, ply, Entry { spread, ..Entry::of_evaluation(raw_eval, tt_pv) });
                }
            }
        }
        let static_eval = self.stack.at(ply).static_eval;
        let improving = params::improving_heuristic() && !in_check && self.stack.is_improving(ply);
        let doubt = if in_check { 0 } else { self.stack.at(ply).doubt };
        let spread = self.stack.at(ply).spread;
        if excluded.is_none() && !N::ROOT {
            self.learn_from_swing(ply);
            // Hindsight (as in Stockfish): if the move that led here was reduced, search a ply deeper if it did not
            // worsen its side's evaluation, and a ply less deep if it clearly did.
            depth += self.hindsight(depth, ply);
        }

        // Step 6. Prune the whole node: razoring, reverse futility, null move.
        let may_prune = !N::PV && !in_check && excluded.is_none();
        #[cfg(feature = "log")]
        let logged = may_prune && self.is_logged();
        #[cfg(feature = "log")]
        let may_prune = may_prune && !logged;
        let facts = |depth| prune::NodeFacts { depth, alpha, beta, eval, static_eval, improving, doubt, spread };
        if may_prune && let Some(score) = self.pruned_score(&facts(depth), ply, cut_node) {
            return score;
        }
        #[cfg(feature = "log")]
        let known = facts(depth);

        // Step 7. Internal iterative reduction: without a hash move, search a ply less deep for now.
        if params::iir() && depth >= params::iir_depth() && tt_move.is_none() && (N::PV || cut_node) {
            depth -= 1;
        }

        let danger = Danger::new(self.position.board());
        self.stack.at_mut(ply).danger = danger;
        #[cfg(feature = "log")]
        if logged {
            self.begin_log(&known, raw_eval, cut_node, ply);
        }

        // Step 8. ProbCut: if a capture beats beta by a margin in a shallow search, trust it to do so at full depth.
        if may_prune && let Some(score) = self.probcut(&facts(depth), hit, key, raw_eval, ply, cut_node) {
            return score;
        }

        // Step 9. Loop over the moves, best first.
        let mut picker = Picker::main(self, tt_move, depth, ply);
        let context = self.stack.context(ply);
        let us = self.position.side_to_move();
        let has_pieces = self.position.has_non_pawns(us);
        let last_target = self.stack.before(ply, 1).mv.map(|mv| mv.to());
        let mut best_move = None;
        let mut count = 0;
        let mut tried = Tried::new();
        // Moves that another thread was searching when their turn came.
        let mut deferred = Deferred::new();
        let sharing = !N::ROOT && excluded.is_none() && depth >= DEFER_DEPTH && self.shared.abdada.is_shared();
        loop {
            let next = if N::ROOT { self.next_root_move(count) } else { picker.next(self) };
            let (mv, number, stage, policy, again) = match next {
                Some(mv) => (mv, count + 1, picker.last_stage(), picker.policy(), false),
                None => match deferred.pop() {
                    Some((mv, number, stage, policy)) => (mv, number, stage, policy, true),
                    None => break,
                },
            };
            if Some(mv) == excluded {
                continue;
            }
            count += usize::from(!again);
            if N::ROOT {
                self.announce(mv, number);
            }
            let board = self.position.board();
            let quiet = mv.is_quiet();
            let gives_check = board.gives_check(mv, picker.check_info(board));
            let piece_to = PieceTo::of(board, mv);
            let move_history =
                if quiet { self.histories.quiet(board, mv, &context) } else { self.histories.capture(board, mv) };
            let mut reduction = self.reductions.base(depth, number, quiet);

            // Step 10. Prune late moves that promise little.
            if !N::ROOT && has_pieces && !again && !score::is_loss(best_score) {
                if count >= prune::late_move_limit(depth, improving) {
                    picker.skip_quiets();
                }
                let late = prune::LateMove {
                    mv,
                    history: move_history,
                    depth,
                    reduced_depth: (depth - 1 - reduction / 1024).max(0),
                    static_eval,
                    alpha,
                    doubt,
                    spread,
                    in_or_gives_check: in_check || gives_check,
                };
                if prune::is_hopeless(board, &late, &mut best_score) {
                    continue;
                }
            }

            if sharing
                && number > 1
                && !again
                && self.shared.abdada.defers(key, mv)
                && deferred.push((mv, number, stage, policy))
            {
                continue;
            }

            // Step 11. Extensions.
            let mut extension = 0;
            if let Some(hit) = hit
                && !N::ROOT
                && Some(mv) == tt_move
                && excluded.is_none()
                && self.may_be_singular(&hit, depth, ply, tt_pv)
            {
                match self.singular::<N>(&hit, mv, beta, depth, ply, cut_node) {
                    Ok(plies) => extension = plies,
                    Err(score) => {
                        picker.finish(self.pool);
                        return score;
                    }
                }
            } else if (params::check_extension() && gives_check)
                || (params::recapture_extension() && N::PV && mv.is_capture() && Some(mv.to()) == last_target)
            {
                extension = 1;
            }

            // Step 12. Make the move.
            let nodes_before = self.nodes;
            let mut new_depth = depth - 1 + extension;
            if extension >= 2 {
                self.stack.at_mut(ply).double_extensions += 1;
            }
            self.prefetch(mv);
            if sharing {
                self.shared.abdada.start(key, mv);
            }
            self.make(mv, ply);

            // Step 13. Late move reductions: search late moves less deep, and again at full depth if they beat alpha.
            let mut score = -score::INFINITE;
            if params::late_move_reduction() && depth >= 2 && number > 1 + usize::from(N::ROOT) {
                let facts = reduce::MoveFacts {
                    pv: N::PV,
                    tt_pv,
                    cut_node,
                    improving,
                    tt_noisy,
                    no_tt_move: tt_move.is_none(),
                    tt_deep: hit.is_some_and(|hit| hit.depth >= depth),
                    refutation: stage.is_refutation(),
                    gives_check,
                    many_cutoffs: self.stack.at(ply + 1).cutoffs > 2,
                    history: move_history,
                    policy,
                    doubt,
                };
                reduction = reduce::reduction(reduction, &facts);
                let reduced = (new_depth - reduction / 1024).clamp(1.min(new_depth), new_depth + i32::from(N::PV));
                self.stack.at_mut(ply).reduction = new_depth - reduced;
                score = self.search_zero_window((alpha, beta), reduced, ply + 1, true);
                self.stack.at_mut(ply).reduction = 0;
                if score > alpha && reduced < new_depth {
                    // Far better than the best so far: search a ply deeper. Barely better: a ply less will do.
                    new_depth += i32::from(score > best_score + params::lmr_deeper_margin() + 2 * new_depth);
                    new_depth -= i32::from(score < best_score + new_depth);
                    if reduced < new_depth {
                        score = self.search_zero_window((alpha, beta), new_depth, ply + 1, !cut_node);
                    }
                    if quiet {
                        let bonus = history::research_bonus(score, alpha, beta, new_depth);
                        self.histories.update_continuation(piece_to, &context, bonus);
                    }
                }
            } else if !N::PV || number > 1 {
                // Step 14. No reduction: a zero-window search at full depth shows whether the move beats alpha.
                score = self.search_zero_window((alpha, beta), new_depth, ply + 1, !cut_node);
            }
            // Step 15. On the principal variation, the first move and every move that beats alpha gets the full window.
            if N::PV && (score == -score::INFINITE || (params::pvs() && score > alpha)) {
                score = -self.search::<N::Next>(-beta, -alpha, new_depth, ply + 1, false);
            }
            self.position.unmake();
            if sharing {
                self.shared.abdada.finish(key, mv);
            }
            if extension >= 2 {
                self.stack.at_mut(ply).double_extensions -= 1;
            }
            if self.shared.is_over() {
                picker.finish(self.pool);
                return score::DRAW;
            }
            if N::ROOT {
                self.update_root_move(mv, score, (alpha, beta), number, nodes_before);
            }

            // Step 16. Keep the best move, and stop at a beta cutoff.
            if score > best_score {
                best_score = score;
                if score > alpha {
                    best_move = Some(mv);
                    if N::PV {
                        self.pv_table.set(ply, mv);
                    }
                    if score >= beta && params::alpha_beta() {
                        self.stack.at_mut(ply).cutoffs += u32::from(extension < 2 || N::PV);
                        #[cfg(feature = "stats")]
                        self.stats.cutoff(N::PV, cut_node, depth, number, stage);
                        break;
                    }
                    if params::alpha_beta() {
                        alpha = score;
                    }
                    // Once a move has raised alpha, the rest are less likely to: search them a ply less deep.
                    if params::alpha_reduction() && depth > 2 && depth < 12 && !score::is_decisive(score) {
                        depth -= 1;
                    }
                }
            }
            if Some(mv) != best_move {
                tried.push(mv);
            }
        }
        picker.finish(self.pool);

        // Step 17. No legal move: mate or stalemate. If a move was excluded, fail low.
        if count == 0 {
            return match (excluded, in_check) {
                (Some(_), _) => alpha,
                (None, _) if !params::game_end() => self.evaluate(ply),
                (None, true) => score::mated_in(ply),
                (None, false) => score::DRAW,
            };
        }
        if best_score >= beta && !score::is_decisive(best_score) && !score::is_decisive(alpha) {
            best_score = (best_score * depth + beta) / (depth + 1);
        }
        best_score = best_score.min(max_score);

        // Step 18. Update the histories: which moves were good and which were not.
        self.learn(best_move, best_score, beta, &tried, depth, ply);

        // Step 19. Store the result in the hash table, and learn how far the static evaluation was off.
        if excluded.is_none() {
            let bound = if best_score >= beta {
                Bound::Lower
            } else if best_move.is_some() {
                Bound::Exact
            } else {
                Bound::Upper
            };
            #[cfg(feature = "log")]
            if logged {
                self.end_log(best_move, best_score, bound, &tried, ply);
            }
            let entry = Entry {
                mv: best_move,
                score: best_score,
                eval: raw_eval,
                depth,
                bound: Some(bound),
                pv: tt_pv,
                spread,
            };
            if !(N::ROOT && self.pv_index > 0) {
                self.shared.table.store(key, ply, entry);
            }
            if !in_check {
                self.learn_correction(&entry, static_eval, ply);
            }
        }
        best_score
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::fixture::{find, with_warm_worker};
    use crate::search::node_type::NonPv;

    /// The depth that a zero-window search of the start position stores; beta is too high for pruning.
    fn depth_written(depth: i32, cut_node: bool, hash_move: Option<&str>) -> i32 {
        let mut written = 0;
        with_warm_worker(chess::fen::START, |worker| {
            let key = tt::key(&worker.position);
            if let Some(mv) = hash_move {
                let mv = Some(find(worker, mv));
                worker.shared.table.store(key, 1, Entry { mv, ..Entry::of_evaluation(score::NONE, false) });
            }
            worker.root_depth = depth;
            let beta = worker.evaluate(1) + 60;
            worker.search::<NonPv>(beta - 1, beta, depth, 1, cut_node);
            written = worker.shared.table.probe(key, 1, 0).expect("an entry").depth;
        });
        written
    }

    #[test]
    fn a_cut_node_without_hash_move_is_searched_a_ply_less_deep() {
        let depth = params::iir_depth() + 1;
        assert_eq!(depth_written(depth, true, None), depth - 1);
        assert_eq!(depth_written(depth, true, Some("e2e4")), depth, "the hash move is known");
        assert_eq!(depth_written(depth, false, None), depth, "no cutoff is expected");
        let shallow = params::iir_depth() - 1;
        assert_eq!(depth_written(shallow, true, None), shallow, "too shallow to matter");
    }
}
