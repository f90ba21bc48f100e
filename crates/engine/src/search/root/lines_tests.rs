//! Lines of more than one move: whatever the tablebases and the search know, they are shown best first.

use super::*;
use crate::search::fixture::with_worker;

const QUEEN_ENDING: &str = "8/6k1/8/8/8/5q2/8/4K3 b - - 0 1";

/// The scores shown for two moves that the tables give these values, best first, if the search found `found` for them.
fn shown(by_tables: i32, found: [i32; 2]) -> Vec<i32> {
    let mut shown = Vec::new();
    with_worker(QUEEN_ENDING, |worker| {
        worker.root_moves.truncate(2);
        for (order, (root_move, score)) in worker.root_moves.iter_mut().zip(found).enumerate() {
            (root_move.tb_order, root_move.tb_score) = (-(order as i32), Some(by_tables));
            (root_move.score, root_move.depth) = (score, 9);
        }
        worker.finished_lines = 2;
        shown = worker.known_lines(2, 0).iter().map(|line| line.search_score.units()).collect();
    });
    shown
}

/// Fails if a mate is shown below a win without one, or a loss below a mate.
#[test]
fn mates_beside_the_tablebases_are_shown_only_in_order() {
    let (win, mate) = (score::TB_WIN, score::mate_in(15));
    assert_eq!(shown(win, [mate, 300]), [mate, win]);
    assert_eq!(shown(win, [300, mate]), [win, win]);
    assert_eq!(shown(win, [300, 200]), [win, win]);
    assert_eq!(shown(-win, [-300, -mate]), [-win, -mate]);
    assert_eq!(shown(-win, [-mate, -300]), [-win, -win]);
}
