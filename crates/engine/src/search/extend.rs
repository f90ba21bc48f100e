//! Singular extensions: a move that is better than all others by a margin deserves a deeper search.

use chess::Move;

use super::node_type::{NodeType, NonPv};
use super::params;
use super::worker::Worker;
use crate::report::Bound;
use crate::score;
use crate::tt::Entry;

impl Worker<'_> {
    /// Whether the hash entry is deep and good enough to test whether its move is singular.
    pub(crate) fn may_be_singular(&self, hit: &Entry, depth: i32, ply: usize, tt_pv: bool) -> bool {
        params::singular()
            && depth >= params::singular_depth() + i32::from(tt_pv)
            && hit.depth >= depth - 3
            && matches!(hit.bound, Some(Bound::Lower | Bound::Exact))
            && hit.score != score::NONE
            && !score::is_decisive(hit.score)
            && ply < 2 * self.root_depth.max(1) as usize
    }

    /// By how many plies to search this node deeper or less deep, given how the move that led here was reduced.
    #[inline]
    pub(crate) fn hindsight(&self, depth: i32, ply: usize) -> i32 {
        let (reduced, swing) = (self.stack.before(ply, 1).reduction, self.stack.swing(ply));
        match swing {
            Some(swing) if params::hindsight() && reduced >= 3 && swing <= 0 => 1,
            Some(swing) if params::hindsight() && reduced >= 2 && depth >= 2 && swing > params::hindsight_margin() => {
                -1
            }
            _ => 0,
        }
    }

    /// Searches without the hash move to see whether it is the only good one. Returns its extension, or a score if
    /// other moves beat beta too and the node is cut off (multi-cut).
    pub(crate) fn singular<N: NodeType>(
        &mut self,
        hit: &Entry,
        mv: Move,
        beta: i32,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Result<i32, i32> {
        let singular_beta = hit.score - params::singular_margin() * depth / 64;
        self.stack.at_mut(ply).excluded = Some(mv);
        let score = self.search::<NonPv>(singular_beta - 1, singular_beta, (depth - 1) / 2, ply, cut_node);
        self.stack.at_mut(ply).excluded = None;
        if self.shared.is_over() {
            return Err(score::DRAW);
        }
        if score < singular_beta {
            let double = params::double_extension()
                && !N::PV
                && score < singular_beta - params::double_margin()
                && self.stack.at(ply).double_extensions < params::double_limit();
            return Ok(if double { 2 } else { 1 });
        }
        if params::multi_cut() && !N::PV && score >= beta && !score::is_decisive(score) {
            return Err(score);
        }
        if params::negative_extension() {
            if hit.score >= beta {
                return Ok(if N::PV { -1 } else { -2 });
            }
            if cut_node {
                return Ok(-2);
            }
        }
        Ok(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Spread;
    use crate::search::fixture::{find, with_warm_worker};
    use crate::search::node_type::Pv;

    /// White's rook must take the queen, or be taken by it.
    const ONE_GOOD_MOVE: &str = "4k3/5ppp/8/8/3q4/8/3R1PPP/4K3 w - - 0 1";
    /// White wins with any move.
    const MANY_GOOD_MOVES: &str = "4k3/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1";

    const DEPTH: i32 = 10;

    fn entry(worker: &Worker<'_>, mv: &str, score: i32) -> Entry {
        Entry {
            mv: Some(find(worker, mv)),
            score,
            eval: 0,
            depth: DEPTH,
            bound: Some(Bound::Lower),
            pv: false,
            spread: Spread::UNKNOWN,
        }
    }

    /// The result of a singular search at ply 1 of this position, where the hash move scores `score`.
    fn verdict<N: NodeType>(fen: &str, mv: &str, score: i32, beta: i32, cut_node: bool) -> Result<i32, i32> {
        let mut verdict = Ok(0);
        with_warm_worker(fen, |worker| {
            let hit = entry(worker, mv, score);
            let mv = find(worker, mv);
            verdict = worker.singular::<N>(&hit, mv, beta, DEPTH, 1, cut_node);
            assert_eq!(worker.stack.at(1).excluded, None, "the move is let in again");
        });
        verdict
    }

    #[test]
    fn the_only_good_move_is_extended_and_twice_off_the_principal_variation() {
        // Without the rook's capture nothing comes near 500.
        assert_eq!(verdict::<Pv>(ONE_GOOD_MOVE, "d2d4", 500, 450, false), Ok(1));
        assert_eq!(verdict::<NonPv>(ONE_GOOD_MOVE, "d2d4", 500, 450, false), Ok(2));
    }

    #[test]
    fn double_extensions_come_to_an_end() {
        with_warm_worker(ONE_GOOD_MOVE, |worker| {
            let hit = entry(worker, "d2d4", 500);
            let mv = find(worker, "d2d4");
            worker.stack.at_mut(0).double_extensions = params::double_limit();
            assert_eq!(worker.singular::<NonPv>(&hit, mv, 450, DEPTH, 1, false), Ok(1));
        });
    }

    #[test]
    fn several_moves_that_beat_beta_cut_off_at_once() {
        let cut = verdict::<NonPv>(MANY_GOOD_MOVES, "g1f3", 500, 400, true);
        assert!(cut.is_err_and(|score| (400..score::MAX_EVAL).contains(&score)), "{cut:?}");
        // On the principal variation a bound is not enough.
        assert_eq!(verdict::<Pv>(MANY_GOOD_MOVES, "g1f3", 500, 400, false), Ok(-1));
    }

    #[test]
    fn a_move_among_equals_is_searched_less_deep_where_a_cutoff_is_expected() {
        // The others are good, but may not beat beta.
        assert_eq!(verdict::<NonPv>(MANY_GOOD_MOVES, "g1f3", 500, 9000, true), Ok(-2));
        assert_eq!(verdict::<NonPv>(MANY_GOOD_MOVES, "g1f3", 500, 9000, false), Ok(0));
    }

    #[test]
    fn hindsight_looks_closer_at_reduced_moves_that_did_no_harm() {
        with_warm_worker(ONE_GOOD_MOVE, |worker| {
            let mut plies = |reduction, before, now| {
                (worker.stack.at_mut(0).reduction, worker.stack.at_mut(0).static_eval) = (reduction, before);
                worker.stack.at_mut(1).static_eval = now;
                worker.hindsight(5, 1)
            };
            let much = params::hindsight_margin() + 1;
            assert_eq!(plies(3, 40, -50), 1, "whoever made it stands better than before");
            assert_eq!(plies(2, 40, -50), 0, "it was hardly reduced");
            assert_eq!(plies(3, 40, -30), 0, "a little worse");
            assert_eq!(plies(2, 40, much), -1, "much worse");
            assert_eq!(plies(1, 40, much), 0);
            assert_eq!(plies(3, score::NONE, -50), 0, "from check nothing can be said");
        });
    }

    #[test]
    fn only_a_deep_lower_bound_that_is_no_mate_is_worth_asking_about() {
        with_warm_worker(ONE_GOOD_MOVE, |worker| {
            worker.root_depth = 10;
            let hit = entry(worker, "d2d4", 500);
            let may = |hit: Entry, depth, ply| worker.may_be_singular(&hit, depth, ply, false);
            let depth = params::singular_depth();
            assert!(may(hit, depth, 1));
            assert!(!may(hit, depth - 1, 1), "too shallow");
            assert!(
                !worker.may_be_singular(&hit, depth, 1, true),
                "a ply more is asked of former principal variations"
            );
            assert!(!may(hit, depth, 20), "twice as deep as the iteration");
            assert!(!may(Entry { depth: depth - 4, ..hit }, depth, 1), "the entry is too shallow");
            assert!(!may(Entry { bound: Some(Bound::Upper), ..hit }, depth, 1));
            assert!(!may(Entry { score: score::mate_in(9), ..hit }, depth, 1));
            assert!(!may(Entry { score: score::NONE, ..hit }, depth, 1));
        });
    }
}
