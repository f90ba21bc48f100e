//! Late move reductions, in 1/1024 plies.

use nnue::arch::QP;

use super::params;

const SIZE: usize = 64;

/// Base reductions: the logarithm of the depth times that of the move number.
pub(crate) struct Reductions {
    quiet: [[i32; SIZE]; SIZE], // [depth][move number]
    noisy: [[i32; SIZE]; SIZE],
}

impl Reductions {
    pub(crate) fn new() -> Reductions {
        let table = |base: i32, divisor: i32| {
            let mut table = [[0; SIZE]; SIZE];
            for (depth, row) in table.iter_mut().enumerate().skip(1) {
                for (number, reduction) in row.iter_mut().enumerate().skip(1) {
                    let logs = (depth as f64).ln() * (number as f64).ln();
                    *reduction = base + (logs * 1024.0 * 1024.0 / f64::from(divisor)) as i32;
                }
            }
            table
        };
        Reductions {
            quiet: table(params::lmr_base(), params::lmr_divisor()),
            noisy: table(params::lmr_noisy_base(), params::lmr_noisy_divisor()),
        }
    }

    #[inline]
    pub(crate) fn base(&self, depth: i32, number: usize, quiet: bool) -> i32 {
        let depth = (depth.max(0) as usize).min(SIZE - 1);
        let number = number.min(SIZE - 1);
        if quiet { self.quiet[depth][number] } else { self.noisy[depth][number] }
    }
}

/// What the reduction of a late move depends on.
#[derive(Clone, Copy, Default)]
pub(crate) struct MoveFacts {
    pub(crate) pv: bool,
    pub(crate) tt_pv: bool,
    pub(crate) cut_node: bool,
    pub(crate) improving: bool,
    pub(crate) tt_noisy: bool,
    /// The hash table has no move for this node.
    pub(crate) no_tt_move: bool,
    /// The hash entry is at least as deep as this node.
    pub(crate) tt_deep: bool,
    pub(crate) refutation: bool,
    pub(crate) gives_check: bool,
    /// Several children of this node have failed high.
    pub(crate) many_cutoffs: bool,
    pub(crate) history: i32,
    /// What the policy thinks of the move, at scale `QP`.
    pub(crate) policy: i32,
    /// How far the search has found the evaluation wrong in similar positions.
    pub(crate) doubt: i32,
}

/// The reduction of a late move: more where a cutoff is expected from another move, less where this one may matter.
#[inline]
pub(crate) fn reduction(base: i32, facts: &MoveFacts) -> i32 {
    if !params::tuned_reduction() {
        return base;
    }
    let when = |condition: bool, amount: i32| if condition { amount } else { 0 };
    base + when(facts.cut_node, params::lmr_cut_node())
        + when(facts.cut_node && facts.no_tt_move, params::lmr_no_tt_move())
        + when(!facts.improving, params::lmr_not_improving())
        + when(facts.tt_noisy, params::lmr_tt_noisy())
        + when(facts.many_cutoffs, params::lmr_cutoffs())
        - when(facts.pv, params::lmr_pv())
        - when(facts.tt_pv, params::lmr_tt_pv())
        - when(facts.tt_pv && facts.tt_deep, params::lmr_tt_deep())
        - params::lmr_doubt() * facts.doubt / 8
        - when(facts.refutation, params::lmr_killer())
        - when(facts.gives_check, params::lmr_check())
        - facts.history * 1024 / params::lmr_history()
        - when(params::policy_selectivity(), by_policy(facts.policy))
}

/// How much less to reduce a move of which the policy thinks this.
#[inline]
fn by_policy(policy: i32) -> i32 {
    policy * params::policy_reduction() / QP
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions_grow_with_depth_and_number() {
        let table = Reductions::new();
        assert!(table.base(3, 3, true) < table.base(12, 3, true));
        assert!(table.base(12, 3, true) < table.base(12, 30, true));
        assert!(table.base(12, 30, false) < table.base(12, 30, true));
        assert_eq!(table.base(500, 500, true), table.base(63, 63, true));
    }

    #[test]
    fn moves_that_the_policy_likes_are_reduced_less() {
        assert!(by_policy(QP) == params::policy_reduction() && by_policy(-QP) < 0);
    }

    #[test]
    fn facts_push_the_right_way() {
        let plain = MoveFacts { improving: true, ..MoveFacts::default() };
        let base = reduction(2048, &plain);
        assert_eq!(base, 2048);
        for more in [
            MoveFacts { cut_node: true, ..plain },
            MoveFacts { improving: false, ..plain },
            MoveFacts { tt_noisy: true, ..plain },
        ] {
            assert!(reduction(2048, &more) > base);
        }
        let cut_node = MoveFacts { cut_node: true, ..plain };
        assert!(reduction(2048, &MoveFacts { no_tt_move: true, ..cut_node }) > reduction(2048, &cut_node));
        let tt_pv = MoveFacts { tt_pv: true, ..plain };
        assert!(reduction(2048, &MoveFacts { tt_deep: true, ..tt_pv }) < reduction(2048, &tt_pv));
        for less in [
            MoveFacts { pv: true, ..plain },
            MoveFacts { refutation: true, ..plain },
            MoveFacts { gives_check: true, ..plain },
            MoveFacts { history: 9000, ..plain },
            MoveFacts { doubt: 40, ..plain },
        ] {
            assert!(reduction(2048, &less) < base);
        }
    }
}
