//! The arithmetic of pruning: each rule a small function of the facts of a node.

use super::params;
use crate::score;

/// What the rules that need no move look at.
#[derive(Clone, Copy)]
pub(crate) struct Facts {
    pub(crate) depth: i32,
    pub(crate) alpha: i32,
    pub(crate) beta: i32,
    /// The evaluation, sharpened by the hash score.
    pub(crate) eval: i32,
    /// The evaluation of the position itself.
    pub(crate) static_eval: i32,
    pub(crate) improving: bool,
}

/// Whether the position is so bad that only tactics can save it: let quiescence decide.
#[inline]
pub(crate) fn razoring(facts: &Facts) -> bool {
    params::razoring()
        && facts.depth <= params::razor_depth()
        && facts.eval + params::razor_base() + params::razor_margin() * facts.depth < facts.alpha
}

/// The score to return when the position is so good that a few plies cannot spoil it.
#[inline]
pub(crate) fn reverse_futility(facts: &Facts) -> Option<i32> {
    let improving = if facts.improving { params::rfp_improving() } else { 0 };
    let margin = params::rfp_margin() * facts.depth - improving;
    let prune = params::reverse_futility()
        && facts.depth <= params::rfp_depth()
        && facts.eval - margin.max(0) >= facts.beta
        && !score::is_loss(facts.beta)
        && !score::is_win(facts.eval);
    prune.then(|| (facts.eval + 2 * facts.beta) / 3)
}

/// The plies by which a search after passing is shallower, if passing should be tried.
#[inline]
pub(crate) fn null_move(facts: &Facts) -> Option<i32> {
    let try_it = params::null_move()
        && facts.depth >= 2
        && facts.eval >= facts.beta
        && facts.static_eval >= facts.beta + params::nmp_margin() - params::nmp_margin_depth() * facts.depth
        && !score::is_loss(facts.beta);
    let surplus = ((facts.eval - facts.beta) / params::nmp_eval_divisor()).min(params::nmp_eval_max());
    try_it.then(|| params::nmp_base() + facts.depth / params::nmp_depth_divisor() + surplus)
}

/// The score a capture must reach in a shallow search to stand for a cutoff of the deep one.
#[inline]
pub(crate) fn probcut_beta(facts: &Facts) -> Option<i32> {
    let improving = if facts.improving { params::probcut_improving() } else { 0 };
    let try_it = params::probcut() && facts.depth >= params::probcut_depth() && !score::is_decisive(facts.beta);
    try_it.then(|| facts.beta + params::probcut_margin() - improving)
}

/// How many moves are tried before the remaining quiet ones are given up.
#[inline]
pub(crate) fn late_move_limit(depth: i32, improving: bool) -> usize {
    if !params::late_move_pruning() {
        return usize::MAX;
    }
    let limit = params::lmp_base() + depth * depth;
    (if improving { limit } else { limit / 2 }) as usize
}

/// What a quiet move could hope for this close to the leaves; none if it is too far to tell.
#[inline]
pub(crate) fn quiet_hope(static_eval: i32, reduced_depth: i32) -> Option<i32> {
    (params::futility() && reduced_depth <= params::futility_depth())
        .then(|| static_eval + params::futility_base() + params::futility_margin() * reduced_depth)
}

/// The same for a capture of something worth `victim`.
#[inline]
pub(crate) fn noisy_hope(static_eval: i32, reduced_depth: i32, victim: i32, history: i32) -> Option<i32> {
    (params::futility() && reduced_depth <= params::noisy_futility_depth()).then(|| {
        static_eval
            + params::noisy_futility_base()
            + params::noisy_futility_margin() * reduced_depth
            + victim
            + history / 16
    })
}

/// Whether a quiet move has failed too often to be tried at this depth.
#[inline]
pub(crate) fn bad_history(history: i32, reduced_depth: i32, depth: i32) -> bool {
    params::history_pruning()
        && reduced_depth <= params::history_pruning_depth()
        && history < -params::history_pruning_margin() * depth
}

/// The exchange value below which a quiet move is not tried.
#[inline]
pub(crate) fn quiet_exchange_floor(reduced_depth: i32) -> i32 {
    -params::see_quiet_margin() * reduced_depth * reduced_depth
}

/// The exchange value below which a capture is not tried.
#[inline]
pub(crate) fn noisy_exchange_floor(depth: i32, history: i32) -> i32 {
    -(params::see_noisy_margin() * depth + history / 32).max(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVEN: Facts = Facts { depth: 4, alpha: -1, beta: 0, eval: 0, static_eval: 0, improving: false };

    #[test]
    fn razoring_needs_a_hopeless_position() {
        assert!(!razoring(&EVEN));
        assert!(razoring(&Facts { eval: -2500, ..EVEN }));
        assert!(!razoring(&Facts { eval: -2500, depth: 9, ..EVEN }));
    }

    #[test]
    fn reverse_futility_returns_between_beta_and_evaluation() {
        assert_eq!(reverse_futility(&EVEN), None);
        let won = Facts { eval: 900, ..EVEN };
        assert!(reverse_futility(&won).is_some_and(|score| (0..=900).contains(&score)));
        assert_eq!(reverse_futility(&Facts { beta: -score::MATE + 9, ..won }), None);
    }

    #[test]
    fn passing_is_tried_only_from_strength_and_reduces_more_when_stronger() {
        assert_eq!(null_move(&Facts { eval: -10, ..EVEN }), None);
        let good = Facts { eval: 300, static_eval: 300, depth: 10, ..EVEN };
        let better = Facts { eval: 900, static_eval: 900, ..good };
        assert!(null_move(&good) < null_move(&better));
    }

    #[test]
    fn late_moves_are_cut_earlier_when_things_get_worse() {
        assert!(late_move_limit(4, false) < late_move_limit(4, true));
        assert!(late_move_limit(3, true) < late_move_limit(6, true));
    }
}
