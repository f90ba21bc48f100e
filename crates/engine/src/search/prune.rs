//! The formulas of pruning: each rule is a small function of the facts of a node.

use chess::{Board, Move, SEE_VALUES};

use super::guide::Spread;
use super::params;
use crate::score;

/// The inputs of the rules that look at no move.
#[derive(Clone, Copy)]
pub(crate) struct NodeFacts {
    pub(crate) depth: i32,
    pub(crate) alpha: i32,
    pub(crate) beta: i32,
    /// The static evaluation, or the hash score where that is the better estimate.
    pub(crate) eval: i32,
    /// The static evaluation, corrected.
    pub(crate) static_eval: i32,
    pub(crate) improving: bool,
    /// How far the search has found the evaluation wrong in similar positions.
    pub(crate) doubt: i32,
    /// How far the evaluation may be off, by the network's own account.
    pub(crate) spread: Spread,
}

/// Razoring: whether the position is so bad that only tactics can save it, so that quiescence may decide.
#[inline]
pub(crate) fn razoring(facts: &NodeFacts) -> bool {
    params::razoring()
        && facts.depth <= params::razor_depth()
        && facts.eval + facts.spread.upward(params::razor_base() + params::razor_margin() * facts.depth) < facts.alpha
}

/// Reverse futility: the score to return if the position is so good that a few plies cannot spoil it.
#[inline]
pub(crate) fn reverse_futility(facts: &NodeFacts) -> Option<i32> {
    let improving = if facts.improving { params::rfp_improving() } else { 0 };
    let plain = params::rfp_margin() * facts.depth - improving;
    let margin = facts.spread.downward(plain) + params::rfp_doubt() * facts.doubt / 64;
    let prune = params::reverse_futility()
        && facts.depth <= params::rfp_depth()
        && facts.eval - margin.max(0) >= facts.beta
        && !score::is_loss(facts.beta)
        && !score::is_win(facts.eval);
    prune.then(|| (facts.eval + 2 * facts.beta) / 3)
}

/// Null move: by how many plies to reduce the search after passing, if passing should be tried.
#[inline]
pub(crate) fn null_move(facts: &NodeFacts) -> Option<i32> {
    let try_it = params::null_move()
        && facts.depth >= 2
        && facts.eval >= facts.beta
        && facts.static_eval
            >= facts.beta + facts.spread.downward(params::nmp_margin()) - params::nmp_margin_depth() * facts.depth
        && !score::is_loss(facts.beta);
    let surplus = ((facts.eval - facts.beta) / params::nmp_eval_divisor()).min(params::nmp_eval_max());
    try_it.then(|| params::nmp_base() + facts.depth / params::nmp_depth_divisor() + surplus)
}

/// ProbCut: the score that a capture must reach in a shallow search to cut off the node.
#[inline]
pub(crate) fn probcut_beta(facts: &NodeFacts) -> Option<i32> {
    let improving = if facts.improving { params::probcut_improving() } else { 0 };
    let try_it = params::probcut() && facts.depth >= params::probcut_depth() && !score::is_decisive(facts.beta);
    try_it.then(|| facts.beta + params::probcut_margin() - improving)
}

/// Late move pruning: how many moves are tried before the remaining quiet ones are skipped.
#[inline]
pub(crate) fn late_move_limit(depth: i32, improving: bool) -> usize {
    if !params::late_move_pruning() {
        return usize::MAX;
    }
    let limit = params::lmp_base() + depth * depth;
    (if improving { limit } else { limit / 2 }) as usize
}

/// A late move, and what its pruning depends on.
pub(crate) struct LateMove {
    pub(crate) mv: Move,
    pub(crate) history: i32,
    pub(crate) depth: i32,
    /// The depth it would be searched to.
    pub(crate) reduced_depth: i32,
    pub(crate) static_eval: i32,
    pub(crate) alpha: i32,
    /// How far the search has found the evaluation wrong in similar positions.
    pub(crate) doubt: i32,
    /// How far the evaluation may be off, by the network's own account.
    pub(crate) spread: Spread,
    /// Whether either side is in check: the evaluation cannot be trusted then.
    pub(crate) in_or_gives_check: bool,
}

/// Whether a late move is not worth searching. A futile quiet move still raises `best_score` to its futility value.
#[inline]
pub(crate) fn is_hopeless(board: &Board, late: &LateMove, best_score: &mut i32) -> bool {
    let &LateMove { mv, history, depth, reduced_depth, static_eval, .. } = late;
    if mv.is_quiet() {
        if is_history_pruned(history, reduced_depth, depth) {
            return true;
        }
        if !late.in_or_gives_check
            && let Some(value) = quiet_futility_value(
                static_eval + history / 128 + params::futility_doubt() * late.doubt / 64,
                reduced_depth,
                late.spread,
            )
            && value <= late.alpha
        {
            if *best_score <= value && !score::is_decisive(*best_score) && !score::is_win(value) {
                *best_score = value;
            }
            return true;
        }
        return params::see_pruning() && !board.see_ge(mv, quiet_see_threshold(reduced_depth));
    }
    let victim = board.captured(mv).map_or(0, |kind| SEE_VALUES[kind.index()]);
    if !late.in_or_gives_check
        && let Some(value) = noisy_futility_value(static_eval, reduced_depth, victim, history)
        && value <= late.alpha
    {
        return true;
    }
    params::see_pruning() && !board.see_ge(mv, noisy_see_threshold(depth, history))
}

/// The futility value of a quiet move: the most it can be expected to score this close to the leaves.
#[inline]
fn quiet_futility_value(static_eval: i32, reduced_depth: i32, spread: Spread) -> Option<i32> {
    (params::futility() && reduced_depth <= params::futility_depth())
        .then(|| static_eval + spread.upward(params::futility_base() + params::futility_margin() * reduced_depth))
}

/// The same for a capture of a piece worth `victim`.
#[inline]
fn noisy_futility_value(static_eval: i32, reduced_depth: i32, victim: i32, history: i32) -> Option<i32> {
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
fn is_history_pruned(history: i32, reduced_depth: i32, depth: i32) -> bool {
    params::history_pruning()
        && reduced_depth <= params::history_pruning_depth()
        && history < -params::history_pruning_margin() * depth
}

/// The SEE value below which a quiet move is not tried.
#[inline]
fn quiet_see_threshold(reduced_depth: i32) -> i32 {
    -params::see_quiet_margin() * reduced_depth * reduced_depth
}

/// The SEE value below which a capture is not tried.
#[inline]
fn noisy_see_threshold(depth: i32, history: i32) -> i32 {
    -(params::see_noisy_margin() * depth + history / 32).max(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVEN: NodeFacts = NodeFacts {
        depth: 4,
        alpha: -1,
        beta: 0,
        eval: 0,
        static_eval: 0,
        improving: false,
        doubt: 0,
        spread: Spread::UNKNOWN,
    };

    #[test]
    fn razoring_needs_a_hopeless_position() {
        assert!(!razoring(&EVEN));
        assert!(razoring(&NodeFacts { eval: -2500, ..EVEN }));
        assert!(!razoring(&NodeFacts { eval: -2500, depth: 9, ..EVEN }));
    }

    #[test]
    fn reverse_futility_returns_between_beta_and_evaluation() {
        assert_eq!(reverse_futility(&EVEN), None);
        let won = NodeFacts { eval: 900, ..EVEN };
        assert!(reverse_futility(&won).is_some_and(|score| (0..=900).contains(&score)));
        assert_eq!(reverse_futility(&NodeFacts { beta: -score::MATE + 9, ..won }), None);
        let just = NodeFacts { eval: params::rfp_margin() * EVEN.depth, ..EVEN };
        assert!(reverse_futility(&just).is_some());
        assert_eq!(reverse_futility(&NodeFacts { doubt: 40, ..just }), None, "the evaluation was often wrong here");
    }

    #[test]
    fn passing_is_tried_only_from_strength_and_reduces_more_when_stronger() {
        assert_eq!(null_move(&NodeFacts { eval: -10, ..EVEN }), None);
        let good = NodeFacts { eval: 300, static_eval: 300, depth: 10, ..EVEN };
        let better = NodeFacts { eval: 900, static_eval: 900, ..good };
        assert!(null_move(&good) < null_move(&better));
    }

    /// A late move of this board at depth 4, two plies reduced, with level scores.
    fn late(board: &Board, mv: &str) -> LateMove {
        let mv = board.parse_uci(mv).expect(mv);
        LateMove {
            mv,
            history: 0,
            depth: 4,
            reduced_depth: 2,
            static_eval: 0,
            alpha: 0,
            doubt: 0,
            spread: Spread::UNKNOWN,
            in_or_gives_check: false,
        }
    }

    #[test]
    fn futile_moves_are_given_up_for_their_futility_value() {
        let board: Board = "4k3/8/3p4/8/8/8/3R4/4K3 w - - 0 1".parse().expect("a board");
        let quiet = late(&board, "e1e2");
        let decide = |late: LateMove| {
            let mut best_score = -2000;
            (is_hopeless(&board, &late, &mut best_score), best_score)
        };
        assert_eq!(decide(LateMove { ..quiet }), (false, -2000));
        let (hopeless, value) = decide(LateMove { static_eval: -1000, ..quiet });
        assert!(hopeless && (-1000..=0).contains(&value), "{value}");
        let better = decide(LateMove { static_eval: -1000, history: 12_800, ..quiet });
        assert_eq!(better, (true, value + 100), "a good history makes it worth more");
        let deep = LateMove { static_eval: -1000, reduced_depth: params::futility_depth() + 1, ..quiet };
        assert_eq!(decide(deep), (false, -2000), "too far from the leaves");
        assert!(!decide(LateMove { static_eval: -1000, in_or_gives_check: true, ..quiet }).0);
        assert!(decide(LateMove { static_eval: -1000, doubt: 40, ..quiet }).1 > value, "nobody knows how bad it is");
        // A free pawn makes up for a little, not for a rook.
        assert!(!decide(LateMove { static_eval: -500, ..late(&board, "d2d6") }).0);
        assert_eq!(decide(LateMove { static_eval: -1500, ..late(&board, "d2d6") }), (true, -2000));
    }

    #[test]
    fn moves_that_lose_material_are_given_up_near_the_leaves() {
        // The queen is lost on e5 for nothing, and on d6 for a pawn.
        let board: Board = "7k/2p5/3p4/8/8/6Q1/8/4K3 w - - 0 1".parse().expect("a board");
        let hopeless = |mv, depth, reduced_depth| {
            is_hopeless(&board, &LateMove { depth, reduced_depth, ..late(&board, mv) }, &mut 0)
        };
        assert!(hopeless("g3e5", 2, 1) && hopeless("g3d6", 2, 1));
        assert!(!hopeless("g3f4", 2, 1), "a safe square");
        assert!(!hopeless("g3e5", 12, 8) && !hopeless("g3d6", 12, 8), "deep enough to see what it is good for");
    }

    #[test]
    fn late_moves_are_cut_earlier_when_things_get_worse() {
        assert!(late_move_limit(4, false) < late_move_limit(4, true));
        assert!(late_move_limit(3, true) < late_move_limit(6, true));
    }
}
