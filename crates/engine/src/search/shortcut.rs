//! Ways to score a node without searching its moves: hash table, tablebases, margins, null move, and ProbCut.

use super::danger::Danger;
use super::history;
use super::node_type::NonPv;
use super::params;
use super::picker::Picker;
use super::prune;
use super::worker::Worker;
use crate::report::Bound;
use crate::score;
use crate::search::Spread;
use crate::tablebase::Wdl;
use crate::tt::Entry;

impl Worker<'_> {
    /// Tests with a zero window whether the move that led to `ply` beats alpha. Without principal variation search the
    /// window stays open, and a score inside it is final.
    #[inline]
    pub(super) fn search_zero_window(
        &mut self,
        (alpha, beta): (i32, i32),
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> i32 {
        if !params::pvs() {
            self.pv_table.clear(ply);
            return -self.search::<NonPv>(-beta, -alpha, depth, ply, cut_node);
        }
        -self.search::<NonPv>(-alpha - 1, -alpha, depth, ply, cut_node)
    }

    /// The score of the hash entry, if it is deep enough and its bound settles the question.
    #[inline]
    pub(crate) fn hash_cutoff(&mut self, hit: &Entry, alpha: i32, beta: i32, depth: i32, ply: usize) -> Option<i32> {
        if !params::tt_cutoff()
            || hit.depth < depth
            || hit.score == score::NONE
            || !hit.proves(alpha, beta)
            || self.position.halfmove_clock() >= 90
        {
            return None;
        }
        // A quiet move that cuts off again earns a bonus.
        if let Some(mv) = hit.mv
            && hit.score >= beta
            && mv.is_quiet()
            && self.position.is_pseudo_legal(mv)
        {
            self.stack.at_mut(ply).danger = Danger::new(self.position.board());
            let context = self.stack.context(ply);
            self.histories.update_quiet(self.position.board(), mv, &context, history::bonus(depth) / 2);
        }
        Some(hit.score)
    }

    /// The tablebase result as a hash entry, if the tables cover the position and the half-move clock is zero.
    #[inline]
    pub(crate) fn probe_tablebases(&mut self, depth: i32, ply: usize) -> Option<Entry> {
        let options = self.shared.options;
        let pieces = self.position.occupied().len();
        let limit = self.shared.tb_limit;
        if pieces > limit
            || self.position.halfmove_clock() != 0
            || (pieces == limit && depth < options.syzygy_probe_depth)
        {
            return None;
        }
        let mut wdl = self.shared.tablebases.probe_wdl(self.position.board())?;
        self.tb_hits += 1;
        if !options.syzygy_50_move_rule {
            wdl = wdl.without_50_move_rule();
        }
        let (score, bound) = match wdl {
            Wdl::Win => (score::TB_WIN - ply as i32, Bound::Lower),
            Wdl::Loss => (ply as i32 - score::TB_WIN, Bound::Upper),
            Wdl::CursedWin => (score::DRAW + 2, Bound::Exact),
            Wdl::Draw => (score::DRAW, Bound::Exact),
            Wdl::BlessedLoss => (score::DRAW - 2, Bound::Exact),
        };
        let pv = self.stack.at(ply).tt_pv;
        Some(Entry {
            mv: None,
            score,
            eval: score::NONE,
            depth: depth + 6,
            bound: Some(bound),
            pv,
            spread: Spread::UNKNOWN,
        })
    }

    /// The score of a node that is pruned as a whole, if it is.
    #[inline]
    pub(crate) fn pruned_score(&mut self, facts: &prune::NodeFacts, ply: usize, cut_node: bool) -> Option<i32> {
        let &prune::NodeFacts { depth, alpha, beta, .. } = facts;
        // Razoring: far below alpha, let quiescence decide whether tactics save the node.
        if prune::razoring(facts) {
            let score = self.quiesce::<NonPv>(alpha, beta, 0, ply);
            if score <= alpha || self.shared.is_over() {
                return Some(score);
            }
        }
        // Reverse futility: so far above beta that a few plies will hardly change it.
        if let Some(score) = prune::reverse_futility(facts)
            && !(self.stack.at(ply).tt_pv && depth > 4)
        {
            return Some(score);
        }
        // Null move: if passing still beats beta, so does the best move. Not without pieces, because of zugzwang.
        let reduction = prune::null_move(facts)?;
        if self.stack.before(ply, 1).mv.is_none()
            || ply < self.null_min_ply
            || !self.position.has_non_pawns(self.position.side_to_move())
        {
            return None;
        }
        self.null_move(beta, depth, reduction, ply, cut_node)
    }

    /// Passes, and returns the score if it still beats beta. At high depth, a search without null moves verifies it.
    pub(crate) fn null_move(
        &mut self,
        beta: i32,
        depth: i32,
        reduction: i32,
        ply: usize,
        cut_node: bool,
    ) -> Option<i32> {
        self.make_null(ply);
        let score = -self.search::<NonPv>(-beta, -beta + 1, depth - reduction, ply + 1, !cut_node);
        lab!(self.note_threat(score, beta, ply));
        self.position.unmake();
        if self.shared.is_over() {
            return Some(score::DRAW);
        }
        if score < beta {
            return None;
        }
        // A mate score after passing proves nothing.
        let score = if score::is_win(score) { beta } else { score };
        if !params::null_verification() || self.null_min_ply > 0 || depth < params::nmp_verification_depth() {
            return Some(score);
        }
        self.null_min_ply = ply + 3 * (depth - reduction).max(1) as usize / 4;
        let verified = self.search::<NonPv>(beta - 1, beta, (depth - reduction).max(1), ply, false);
        self.null_min_ply = 0;
        (verified >= beta).then_some(score)
    }

    /// ProbCut: looks for a capture that beats beta by a margin, first in quiescence and then in a shallow search. Not
    /// tried if the hash entry shows that there is none.
    pub(crate) fn probcut(
        &mut self,
        facts: &prune::NodeFacts,
        hit: Option<Entry>,
        key: u64,
        raw_eval: i32,
        ply: usize,
        cut_node: bool,
    ) -> Option<i32> {
        let high = prune::probcut_beta(facts)?;
        if hit.is_some_and(|hit| hit.depth >= facts.depth - 3 && hit.score != score::NONE && hit.score < high) {
            return None;
        }
        let mut picker = Picker::probcut(self, hit.and_then(|hit| hit.mv), high - facts.static_eval, ply);
        let mut found = None;
        let shallow = facts.depth - 4;
        while let Some(mv) = picker.next(self) {
            self.prefetch(mv);
            self.make(mv, ply);
            let mut score = -self.quiesce::<NonPv>(-high, -high + 1, 0, ply + 1);
            if score >= high && shallow > 0 {
                score = -self.search::<NonPv>(-high, -high + 1, shallow, ply + 1, !cut_node);
            }
            self.position.unmake();
            if self.shared.is_over() {
                break;
            }
            if score >= high {
                let bound = Some(Bound::Lower);
                let entry = Entry {
                    mv: Some(mv),
                    score,
                    eval: raw_eval,
                    depth: shallow + 1,
                    bound,
                    pv: false,
                    spread: self.stack.at(ply).spread,
                };
                self.shared.table.store(key, ply, entry);
                found = Some(if score::is_decisive(score) { score } else { score - (high - facts.beta) });
                break;
            }
        }
        picker.finish(self.pool);
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::fixture::{find, with_warm_worker};
    use crate::tt;

    /// White's rook can take the queen.
    const WINS_A_QUEEN: &str = "4k3/5ppp/8/8/3q4/8/3R1PPP/4K3 w - - 0 1";

    /// Calls ProbCut with beta this far above the evaluation.
    fn ask(worker: &mut Worker<'_>, depth: i32, above: i32, hit: Option<Entry>) -> Option<i32> {
        let eval = worker.evaluate(1);
        let beta = eval + above;
        let facts = prune::NodeFacts {
            depth,
            alpha: beta - 1,
            beta,
            eval,
            static_eval: eval,
            improving: false,
            doubt: 0,
            spread: Spread::UNKNOWN,
        };
        worker.probcut(&facts, hit, tt::key(&worker.position), eval, 1, true)
    }

    #[test]
    fn probcut_finds_a_capture_that_wins_by_far() {
        with_warm_worker(WINS_A_QUEEN, |worker| {
            let (depth, eval, key) = (6, worker.evaluate(1), tt::key(&worker.position));
            let score = ask(worker, depth, 100, None).expect("a cutoff");
            assert!(score >= eval + 100, "{score} {eval}");
            let hit = worker.shared.table.probe(key, 1, 0).expect("written back");
            assert_eq!((hit.mv, hit.bound), (Some(find(worker, "d2d4")), Some(Bound::Lower)));
            assert_eq!((hit.eval, hit.depth), (eval, depth - 3));
            assert!(hit.score > score, "the margin is taken off what is returned, not off what is remembered");
        });
    }

    #[test]
    fn probcut_is_not_tried_where_it_cannot_help() {
        with_warm_worker(WINS_A_QUEEN, |worker| {
            let nodes = worker.nodes;
            assert_eq!(ask(worker, params::probcut_depth() - 1, 100, None), None, "too shallow");
            assert_eq!(ask(worker, 6, 2000, None), None, "no capture gains as much");
            assert_eq!(ask(worker, 6, score::MATE, None), None, "mates are not won by captures");
            let eval = worker.evaluate(1);
            let refuted =
                Entry { score: eval, depth: 3, bound: Some(Bound::Upper), ..Entry::of_evaluation(eval, false) };
            assert_eq!(ask(worker, 6, 100, Some(refuted)), None, "the hash table knows better");
            assert_eq!(worker.nodes, nodes, "and nothing was searched");
            assert!(ask(worker, 6, 100, Some(Entry { depth: 2, ..refuted })).is_some(), "too shallow to know");
        });
        with_warm_worker(chess::fen::START, |worker| assert_eq!(ask(worker, 6, -300, None), None, "no capture at all"));
    }

    #[test]
    fn a_hash_entry_answers_only_what_it_knows() {
        with_warm_worker(chess::fen::START, |worker| {
            let mv = Some(find(worker, "e2e4"));
            let hit = Entry {
                mv,
                score: 50,
                eval: 0,
                depth: 6,
                bound: Some(Bound::Lower),
                pv: false,
                spread: Spread::UNKNOWN,
            };
            let quiet = |worker: &Worker<'_>| {
                worker.histories.quiet(worker.position.board(), find(worker, "e2e4"), &worker.stack.context(1))
            };
            let before = quiet(worker);
            assert_eq!(worker.hash_cutoff(&hit, 49, 50, 7, 1), None, "not as deep as that");
            assert_eq!(worker.hash_cutoff(&hit, 50, 51, 6, 1), None, "not as good as that");
            assert_eq!(worker.hash_cutoff(&Entry { score: score::NONE, ..hit }, 49, 50, 6, 1), None);
            assert_eq!(quiet(worker), before);
            assert_eq!(worker.hash_cutoff(&hit, 49, 50, 6, 1), Some(50));
            assert!(quiet(worker) > before, "a quiet move that cut off gains");
        });
        with_warm_worker("4k3/8/8/8/8/8/R7/4K3 w - - 90 99", |worker| {
            let hit = Entry { score: 500, depth: 6, bound: Some(Bound::Exact), ..Entry::of_evaluation(0, false) };
            assert_eq!(worker.hash_cutoff(&hit, 49, 50, 6, 1), None, "too close to the fifty-move rule");
        });
    }

    #[test]
    fn passing_does_not_cut_off_in_zugzwang_or_twice_in_a_row() {
        let facts = |eval| prune::NodeFacts {
            depth: 8,
            alpha: -1,
            beta: 0,
            eval,
            static_eval: eval,
            improving: false,
            doubt: 0,
            spread: Spread::UNKNOWN,
        };
        // Two knights ahead, but not far enough for reverse futility.
        with_warm_worker("4k3/pppp4/8/8/8/8/PPPP4/1N2K1N1 w - - 0 1", |worker| {
            let mv = find(worker, "b1c3");
            worker.stack.at_mut(0).mv = Some(mv);
            worker.stack.at_mut(1).tt_pv = true;
            assert!(worker.pruned_score(&facts(500), 1, true).is_some_and(|score| score >= 0));
            worker.stack.at_mut(0).mv = None;
            assert_eq!(worker.pruned_score(&facts(500), 1, true), None, "the opponent has just passed");
        });
        with_warm_worker("4k3/pp6/8/8/8/8/PPPPP3/4K3 w - - 0 1", |worker| {
            let mv = find(worker, "e2e4");
            worker.stack.at_mut(0).mv = Some(mv);
            worker.stack.at_mut(1).tt_pv = true;
            assert_eq!(worker.pruned_score(&facts(500), 1, true), None, "pawns alone may be in zugzwang");
        });
    }
}
