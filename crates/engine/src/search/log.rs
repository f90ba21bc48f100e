//! A log for the laboratory: what the search knew at a node before it searched the moves, and what it found. Networks
//! that guide the search learn from it, and rules of pruning are judged by it. Only in builds with the feature `log`.
//!
//! One node in 64 is logged, of those off the principal variation that are not in check and that neither the hash table
//! nor the tablebases decide. Razoring, reverse futility, null move and ProbCut may not end a logged node, so that the log
//! also shows what they would have missed; if multi-cut ends it, it is not logged.

use chess::Move;

use super::learn::Tried;
use super::picker::Picker;
use super::prune::NodeFacts;
use super::worker::Worker;
use crate::logged::{LoggedMove, LoggedNode};
use crate::report::Bound;
use crate::score::MAX_PLY;

/// One node in so many is logged.
const EVERY: u32 = 64;
/// A search without end logs no more nodes than this.
const MOST: usize = 1 << 16;

/// The log of one thread.
pub(crate) struct Log {
    nodes: Vec<LoggedNode>,
    /// Nodes until the next one that is logged.
    wait: u32,
    /// What was known at the node of each ply, where one is being logged.
    open: Vec<Option<LoggedNode>>,
}

impl Log {
    pub(crate) fn new() -> Log {
        Log { nodes: Vec::new(), wait: EVERY, open: vec![None; MAX_PLY] }
    }

    /// Hands over the nodes logged so far.
    pub(crate) fn take(&mut self) -> Vec<LoggedNode> {
        std::mem::take(&mut self.nodes)
    }
}

impl Worker<'_> {
    /// Counts a node, and returns whether to log it.
    pub(super) fn is_logged(&mut self) -> bool {
        self.log.wait -= 1;
        let is_due = self.log.wait == 0;
        if is_due {
            self.log.wait = EVERY;
        }
        is_due && self.log.nodes.len() < MOST
    }

    /// Notes what is known at a node before its moves are searched.
    pub(super) fn begin_log(&mut self, facts: &NodeFacts, raw_eval: i32, cut_node: bool, ply: usize) {
        let moves = Picker::score_quiets(self, ply);
        self.log.open[ply] = Some(LoggedNode {
            board: *self.position.board(),
            evals: [raw_eval, facts.static_eval],
            beta: facts.beta,
            depth: facts.depth,
            improving: facts.improving,
            cut_node,
            score: 0,
            bound: Bound::Exact,
            best: None,
            quiets: moves.into_iter().map(|it| LoggedMove { mv: it.mv, order: it.score, tried: false }).collect(),
        });
    }

    /// Notes what was found at a node that is being logged.
    pub(super) fn end_log(&mut self, best: Option<Move>, score: i32, bound: Bound, tried: &Tried, ply: usize) {
        let Some(mut node) = self.log.open[ply].take() else { return };
        (node.best, node.score, node.bound) = (best, score, bound);
        match best.and_then(|best| node.quiets.iter().position(|quiet| quiet.mv == best)) {
            Some(place) => {
                let is_tried = |mv| Some(mv) == best || tried.quiets.iter().any(|other| other == mv);
                node.quiets.iter_mut().for_each(|quiet| quiet.tried = is_tried(quiet.mv));
                node.quiets.swap(0, place);
                node.quiets[1..].sort_by_key(|quiet| !quiet.tried);
            }
            None => node.quiets.clear(),
        }
        self.log.nodes.push(node);
    }
}

#[cfg(test)]
mod tests {
    use chess::Position;

    use crate::{Bound, Control, Engine, Limits, Silent};

    #[test]
    fn the_log_tells_what_was_known_and_found() {
        let mut engine = Engine::new();
        let limits = Limits { nodes: Some(60_000), ..Limits::default() };
        let mut log = Vec::new();
        let mut nodes = 0;
        // With many checks, most nodes that end are not logged.
        for fen in
            [chess::fen::START, "8/P7/P1r1k3/B1p1p2p/6pP/4Np2/1r2nK2/RR6 w - - 0 1", "6k1/5q2/8/8/8/8/1Q6/K7 w - - 0 1"]
        {
            let position = Position::new(fen.parse().expect(fen));
            nodes += engine.search(&position, &limits, &Control::new(), &mut Silent).nodes;
            log.extend(engine.take_log());
            assert!(engine.take_log().is_empty());
        }
        let share = nodes as usize / log.len();
        assert!((64..1000).contains(&share), "one node in {share}, quiescence and cutoffs included");
        let mut cut = 0;
        for node in &log {
            assert!(!node.board.in_check() && node.depth > 0);
            assert!(node.best.is_none_or(|mv| node.board.is_playable(mv)));
            assert_eq!(node.best.is_none(), node.bound == Bound::Upper);
            assert_eq!(node.score >= node.beta, node.bound == Bound::Lower);
            let is_quiet = node.best.is_some_and(|mv| mv.is_quiet());
            assert_eq!(node.quiets.is_empty(), !is_quiet);
            if is_quiet {
                assert_eq!(Some(node.quiets[0].mv), node.best);
                assert!(node.quiets[0].tried && node.quiets.is_sorted_by_key(|quiet| !quiet.tried));
                let legal = node.board.legal_moves().iter().filter(|mv| mv.is_quiet()).count();
                assert_eq!(node.quiets.len(), legal);
                cut += usize::from(node.bound == Bound::Lower);
            }
        }
        assert!(cut > log.len() / 20, "{cut} of {} nodes were cut off by a quiet move", log.len());
    }

    #[test]
    fn the_log_shows_nodes_that_pruning_would_have_ended() {
        let mut engine = Engine::new();
        let limits = Limits { nodes: Some(60_000), ..Limits::default() };
        engine.search(&Position::start(), &limits, &Control::new(), &mut Silent);
        let far = |node: &&crate::LoggedNode| node.evals[1] > node.beta + 120 * node.depth && node.depth <= 6;
        assert!(engine.take_log().iter().filter(far).count() > 10);
    }
}
