//! What a perfect first move would be worth: a node without a hash move gets one from a search of half the depth whose
//! nodes do not count. No engine gets that for free; it is an upper bound for everything that predicts moves, measured
//! before any of it is built.

use crate::search::node_type::NodeType;
use crate::search::worker::Worker;
use crate::tt;

/// Shallower nodes are not worth it.
const LEAST_DEPTH: i32 = 4;

impl Worker<'_> {
    /// Puts a move for this node into the hash table, if a search of half its depth finds one.
    pub(super) fn foresee<N: NodeType>(&mut self, (alpha, beta): (i32, i32), depth: i32, ply: usize, cut_node: bool) {
        let hit = self.shared.table.probe(tt::key(&self.position), ply, self.position.halfmove_clock());
        if depth < LEAST_DEPTH || hit.is_some_and(|hit| hit.mv.is_some()) {
            return;
        }
        let nodes = self.nodes;
        self.search::<N::Next>(alpha, beta, depth / 2, ply, cut_node);
        self.nodes = nodes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::fixture::with_warm_worker;
    use crate::search::node_type::NonPv;

    #[test]
    fn a_move_is_known_afterwards_and_no_node_is_counted() {
        with_warm_worker(chess::fen::START, |worker| {
            let beta = worker.evaluate(1) - 10;
            let nodes = worker.nodes;
            let known = |worker: &Worker<'_>| {
                worker.shared.table.probe(tt::key(&worker.position), 1, 0).is_some_and(|hit| hit.mv.is_some())
            };
            worker.root_depth = 8;
            worker.foresee::<NonPv>((beta - 1, beta), LEAST_DEPTH - 1, 1, true);
            assert!(!known(worker), "too shallow to matter");
            worker.foresee::<NonPv>((beta - 1, beta), 8, 1, true);
            assert!(known(worker));
            assert_eq!(worker.nodes, nodes);
        });
    }
}
