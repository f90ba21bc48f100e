//! The one alpha-beta search. Control flow and numbered steps are here; each rule's arithmetic is in `prune.rs` and `reduce.rs`.
//!
//! Off the principal variation the window is closed, and a node is expected either to be cut off by one good move (`cut_node`) or to
//! fail low after all moves.

use chess::SEE_VALUES;

use super::busy::{DEFER_DEPTH, Later};
use super::history::{self, PieceTo};
use super::kind::{Node, Scout};
use super::learn::Tried;
use super::params;
use super::picker::{Picker, Stage};
use super::prune;
use super::reduce;
use super::worker::Worker;
use crate::report::Bound;
use crate::score::{self, MAX_PLY};
use crate::tt::{self, EVALUATION, Record};

impl Worker<'_> {
    /// The score of the position for the side to move, as far as it matters between `alpha` and `beta`.
    pub(crate) fn search<N: Node>(
        &mut self,
        mut alpha: i32,
        mut beta: i32,
        mut depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> i32 {
        debug_assert!(alpha < beta && (N::PV || alpha == beta - 1 || !params::pvs()) && !(N::PV && cut_node));
        lab!(return self.enter_lab::<N>((alpha, beta), &mut depth, ply, cut_node));

        // Step 1. At the horizon quiescence takes over.
        if depth <= 0 {
            return self.quiesce::<N::Next>(alpha, beta, 0, ply);
        }
        if N::PV {
            self.lines.clear(ply);
            self.seldepth = self.seldepth.max(ply + 1);
        }
        if self.must_stop() {
            return score::DRAW;
        }
        #[cfg(feature = "stats")]
        self.stats.visit(N::PV, cut_node);
        let in_check = self.position.in_check();
        let excluded = self.stack.at(ply).excluded;

        // Step 2. Draws, and mates that are too far away to matter.
        if !N::ROOT {
            if alpha < score::DRAW && self.can_repeat(ply) {
                alpha = self.draw_score();
                if alpha >= beta {
                    return alpha;
                }
            }
            if self.is_draw(ply) {
                return self.draw_score();
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
        self.stack.at_mut(ply + 1).killers = [None; 2];
        self.stack.at_mut(ply + 2).cutoffs = 0;
        if !N::ROOT {
            let inherited = self.stack.before(ply, 1).double_extensions;
            self.stack.at_mut(ply).double_extensions = inherited;
        }

        // Step 3. Hash probe. What was searched as deep before answers off the principal variation.
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
            && params::tt_cutoff()
            && hit.depth >= depth
            && hit.score != score::NONE
            && hit.proves(alpha, beta)
            && self.position.halfmove_clock() < 90
        {
            // A quiet move that cuts off again is worth remembering.
            if let Some(mv) = tt_move
                && hit.score >= beta
                && mv.is_quiet()
                && self.position.is_pseudo_legal(mv)
            {
                let context = self.stack.context(ply);
                self.histories.update_quiet(self.position.board(), mv, &context, history::bonus(depth) / 2);
            }
            return hit.score;
        }

        // Step 4. Tablebases know the result.
        let mut max_score = score::INFINITE;
        if !N::ROOT
            && excluded.is_none()
            && let Some((value, bound)) = self.probe_tablebases(depth, ply)
        {
            let decides = match bound {
                Bound::Exact => true,
                Bound::Lower => value >= beta,
                Bound::Upper => value <= alpha,
            };
            if decides {
                let record = Record {
                    mv: None,
                    score: value,
                    eval: score::NONE,
                    depth: depth + 6,
                    bound: Some(bound),
                    pv: tt_pv,
                };
                self.shared.table.store(key, ply, record);
                return value;
            }
            if N::PV {
                match bound {
                    Bound::Lower => alpha = alpha.max(value),
                    _ => max_score = value,
                }
            }
        }

        // Step 5. The static evaluation, and whether things are getting better.
        let mut raw_eval = score::NONE;
        let mut eval = score::NONE;
        if in_check {
            self.stack.at_mut(ply).static_eval = score::NONE;
        } else if excluded.is_some() {
            eval = self.stack.at(ply).static_eval;
        } else {
            raw_eval = match hit {
                Some(hit) if hit.eval != score::NONE => hit.eval,
                _ => self.evaluate(ply),
            };
            eval = self.corrected(raw_eval, ply);
            self.stack.at_mut(ply).static_eval = eval;
            match hit {
                // The hash score knows more than the evaluation, if its bound points the right way.
                Some(hit) if hit.score != score::NONE && hit.corrects(eval) => eval = hit.score,
                Some(_) => {}
                None => {
                    let record = Record {
                        mv: None,
                        score: score::NONE,
                        eval: raw_eval,
                        depth: EVALUATION,
                        bound: None,
                        pv: tt_pv,
                    };
                    self.shared.table.store(key, ply, record);
                }
            }
        }
        let static_eval = self.stack.at(ply).static_eval;
        let improving = params::improving_heuristic() && !in_check && self.stack.is_improving(ply);

        // Step 6. Pruning of the whole node, where a margin can be trusted.
        if !N::PV && !in_check && excluded.is_none() {
            let facts = prune::Facts { depth, alpha, beta, eval, static_eval, improving };

            // Razoring: far below alpha, quiescence is enough to see whether there is a way back.
            if prune::razoring(&facts) {
                let score = self.quiesce::<Scout>(alpha, beta, 0, ply);
                if score <= alpha {
                    return score;
                }
            }
            // Reverse futility: far above beta, the opponent needs more than a few plies.
            if let Some(score) = prune::reverse_futility(&facts)
                && !(tt_pv && depth > 4)
            {
                return score;
            }
            // Null move: if passing still beats beta, so does the best move. Not without pieces, for fear of zugzwang.
            if let Some(reduction) = prune::null_move(&facts)
                && self.stack.before(ply, 1).mv.is_some()
                && ply >= self.null_min_ply
                && self.position.has_non_pawns(self.position.side_to_move())
                && let Some(score) = self.null_move(beta, depth, reduction, ply, cut_node)
            {
                return score;
            }
        }

        // Step 7. Without a hash move the node will be searched again anyway: less deep for now.
        if params::iir() && depth >= params::iir_depth() && tt_move.is_none() && (N::PV || cut_node) {
            depth -= 1;
        }

        // Step 8. ProbCut: a capture that beats beta by far in a shallow search will do so in the deep one.
        if !N::PV && !in_check && excluded.is_none() {
            let facts = prune::Facts { depth, alpha, beta, eval, static_eval, improving };
            if let Some(high) = prune::probcut_beta(&facts)
                && !hit.is_some_and(|hit| hit.depth >= depth - 3 && hit.score != score::NONE && hit.score < high)
                && let Some(score) = self.probcut(&facts, high, tt_move, key, raw_eval, ply, cut_node)
            {
                return score;
            }
        }

        // Step 9. The moves, best first.
        let mut picker = Picker::main(self, tt_move, depth, ply);
        let context = self.stack.context(ply);
        let info = self.position.check_info();
        let us = self.position.side_to_move();
        let has_pieces = self.position.has_non_pawns(us);
        let last_target = self.stack.before(ply, 1).mv.map(|mv| mv.to());
        let mut best_score = -score::INFINITE;
        let mut best_move = None;
        let mut count = 0;
        let mut tried = Tried::new();
        // Moves that another thread was at when their turn came.
        let mut later = Later::new();
        let sharing = !N::ROOT && excluded.is_none() && depth >= DEFER_DEPTH && self.shared.busy.is_shared();
        loop {
            let next = if N::ROOT { self.next_root_move(count) } else { picker.next(self) };
            let (mv, number, again) = match next {
                Some(mv) => (mv, count + 1, false),
                None => match later.pop() {
                    Some((mv, number)) => (mv, number, true),
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
            let gives_check = board.gives_check(mv, &info);
            let piece_to = PieceTo::of(board, mv);
            let move_history =
                if quiet { self.histories.quiet(board, mv, &context) } else { self.histories.capture(board, mv) };
            let mut reduction = self.reductions.base(depth, number, quiet);

            // Step 10. Pruning of moves that come late and promise little.
            if !N::ROOT && has_pieces && !again && !score::is_loss(best_score) {
                let reduced_depth = (depth - 1 - reduction / 1024).max(0);
                if count >= prune::late_move_limit(depth, improving) {
                    picker.skip_quiets();
                }
                if quiet {
                    if prune::bad_history(move_history, reduced_depth, depth) {
                        continue;
                    }
                    if !in_check
                        && !gives_check
                        && let Some(hope) = prune::quiet_hope(static_eval + move_history / 128, reduced_depth)
                        && hope <= alpha
                    {
                        if best_score <= hope && !score::is_decisive(best_score) && !score::is_win(hope) {
                            best_score = hope;
                        }
                        continue;
                    }
                    if params::see_pruning() && !board.see_ge(mv, prune::quiet_exchange_floor(reduced_depth)) {
                        continue;
                    }
                } else {
                    let victim = board.captured(mv).map_or(0, |kind| SEE_VALUES[kind.index()]);
                    if !in_check
                        && !gives_check
                        && let Some(hope) = prune::noisy_hope(static_eval, reduced_depth, victim, move_history)
                        && hope <= alpha
                    {
                        continue;
                    }
                    if params::see_pruning() && !board.see_ge(mv, prune::noisy_exchange_floor(depth, move_history)) {
                        continue;
                    }
                }
            }

            if sharing && number > 1 && !again && self.shared.busy.is_taken(key, mv) && later.push(mv, number) {
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
            self.shared.table.prefetch(self.position.key_after(mv));
            let refutation = matches!(
                picker.last_stage(),
                Stage::MateKiller | Stage::FirstKiller | Stage::SecondKiller | Stage::Countermove
            );
            if sharing {
                self.shared.busy.begin(key, mv);
            }
            self.make(mv, ply);

            // Step 13. Late moves are searched less deep, and again if they surprise.
            let mut score = -score::INFINITE;
            if params::late_move_reduction() && depth >= 2 && number > 1 + usize::from(N::ROOT) {
                let facts = reduce::Facts {
                    pv: N::PV,
                    tt_pv,
                    cut_node,
                    improving,
                    tt_noisy,
                    refutation,
                    gives_check,
                    many_cutoffs: self.stack.at(ply + 1).cutoffs > 2,
                    history: move_history,
                };
                reduction = reduce::reduction(reduction, &facts);
                let reduced = (new_depth - reduction / 1024).clamp(1.min(new_depth), new_depth + i32::from(N::PV));
                score = self.scout((alpha, beta), reduced, ply + 1, true);
                if score > alpha && reduced < new_depth {
                    // So much better than the best that a ply more is in order, or hardly better and a ply less will do.
                    new_depth += i32::from(score > best_score + params::lmr_deeper_margin() + 2 * new_depth);
                    new_depth -= i32::from(score < best_score + new_depth);
                    if reduced < new_depth {
                        score = self.scout((alpha, beta), new_depth, ply + 1, !cut_node);
                    }
                    if quiet {
                        let bonus = if score >= beta {
                            history::bonus(new_depth)
                        } else if score <= alpha {
                            history::malus(new_depth)
                        } else {
                            0
                        };
                        self.histories.update_continuation(piece_to, &context, bonus);
                    }
                }
            } else if !N::PV || number > 1 {
                // Step 14. Moves after the first only have to be shown to be no better.
                score = self.scout((alpha, beta), new_depth, ply + 1, !cut_node);
            }
            // Step 15. On the principal variation, the first move and every move that is better gets the open window.
            if N::PV && (score == -score::INFINITE || (params::pvs() && score > alpha)) {
                score = -self.search::<N::Next>(-beta, -alpha, new_depth, ply + 1, false);
            }
            self.position.unmake();
            if sharing {
                self.shared.busy.end(key, mv);
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

            // Step 16. Keep the best.
            if score > best_score {
                best_score = score;
                if score > alpha {
                    best_move = Some(mv);
                    if N::PV {
                        self.lines.set(ply, mv);
                    }
                    if score >= beta && params::alpha_beta() {
                        self.stack.at_mut(ply).cutoffs += u32::from(extension < 2 || N::PV);
                        #[cfg(feature = "stats")]
                        self.stats.cutoff(N::PV, cut_node, depth, number, picker.last_stage());
                        break;
                    }
                    if params::alpha_beta() {
                        alpha = score;
                    }
                    // What comes after a better move is less likely to be better still.
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

        // Step 17. No move: mate or stalemate; with a move left out, nothing can be said.
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

        // Step 18. Learn which moves were good and which were not.
        self.learn(best_move, best_score, beta, &tried, depth, ply);

        // Step 19. Write back, and learn how far the evaluation was off.
        if excluded.is_none() {
            let bound = if best_score >= beta {
                Bound::Lower
            } else if best_move.is_some() {
                Bound::Exact
            } else {
                Bound::Upper
            };
            if !(N::ROOT && self.pv_index > 0) {
                let record =
                    Record { mv: best_move, score: best_score, eval: raw_eval, depth, bound: Some(bound), pv: tt_pv };
                self.shared.table.store(key, ply, record);
            }
            let says_nothing = match bound {
                Bound::Lower => best_score <= static_eval,
                Bound::Upper => best_score >= static_eval,
                Bound::Exact => false,
            };
            if !in_check
                && !best_move.is_some_and(|mv| mv.is_noisy())
                && !says_nothing
                && !score::is_decisive(best_score)
            {
                let last = self.stack.last_moves(ply);
                self.corrections.update(self.position.board(), last, depth, best_score - static_eval);
            }
        }
        best_score
    }
}
