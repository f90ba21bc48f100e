//! Aspiration windows: whatever score was expected, the result is exact and not a bound.

use super::*;
use crate::search::fixture::with_warm_worker;

/// White wins a queen.
const WINS_A_QUEEN: &str = "6k1/5pp1/7p/8/q7/7P/R4PP1/6K1 w - - 0 1";
const DEPTH: i32 = 6;

/// The best move, its score and its bound, if this score was expected of the best move.
fn found(expected: i32) -> (String, i32, Bound) {
    let mut found = None;
    with_warm_worker(WINS_A_QUEEN, |worker| {
        worker.root_depth = DEPTH;
        worker.root_moves.iter_mut().for_each(|root_move| root_move.average = expected);
        worker.aspire(DEPTH);
        let best = &worker.root_moves[0];
        found = Some((best.mv.uci(false), best.score, best.bound));
    });
    found.expect("a search")
}

/// Fails if a missed window is not widened: then the best move has only a bound, or no move is best.
#[test]
fn a_window_that_was_wrong_is_widened_until_the_score_lies_within() {
    let (mv, open, bound) = found(score::NONE);
    assert_eq!((mv.as_str(), bound), ("a2a4", Bound::Exact));
    // Too low, about right, a little too high, far too high.
    for expected in [open - 80, open, open + 80, 2500] {
        let (mv, score, bound) = found(expected);
        assert_eq!((mv.as_str(), bound), ("a2a4", Bound::Exact), "{expected}: {score} instead of {open}");
        assert!((score - open).abs() <= 100, "{expected}: {score} instead of {open}");
    }
}
