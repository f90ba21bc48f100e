//! Answers questions about positions by searching.

use std::sync::Arc;
use std::time::Duration;

use chess::{Move, Position};
use engine::tablebase::Wdl;
use engine::{Control, Engine, Limits, Network, PvLine, SearchResult, Silent};

/// The effort for ranking the moves. Every other question gets a quarter of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Effort {
    Nodes(u64),
    Time(Duration),
}

impl Effort {
    fn quarter(self) -> Effort {
        match self {
            Effort::Nodes(nodes) => Effort::Nodes((nodes / 4).max(1)),
            Effort::Time(time) => Effort::Time(time / 4),
        }
    }
}

/// An engine with its effort and its stop control. The questions are asked in a fixed order from empty tables, so with
/// a node limit and one thread a position always gets the same answers.
pub(crate) struct Thinker<'a> {
    engine: &'a mut Engine,
    effort: Effort,
    control: &'a Control,
}

impl<'a> Thinker<'a> {
    pub(crate) fn new(engine: &'a mut Engine, effort: Effort, control: &'a Control) -> Thinker<'a> {
        engine.new_game();
        Thinker { engine, effort, control }
    }

    /// Whether it was called off; its answers are then worthless.
    pub(super) fn is_stopped(&self) -> bool {
        self.control.is_stopped()
    }

    pub(super) fn network(&self) -> Option<&Arc<Network>> {
        self.engine.network()
    }

    /// The tablebase result of a position, for the side to move.
    pub(super) fn tables(&self, position: &Position) -> Option<Wdl> {
        let ranks = self.engine.tablebases().rank_root(position, true)?;
        ranks.first().map(|(_, rank)| rank.outcome)
    }

    /// The best lines, at most `count`.
    pub(super) fn rank(&mut self, position: &Position, count: usize) -> SearchResult {
        self.ask(position, count, Vec::new(), self.effort)
    }

    /// The best line that begins with this move, searched as thoroughly as the ranking.
    pub(super) fn line_with(&mut self, position: &Position, mv: Move) -> PvLine {
        self.ask(position, 1, vec![mv], self.effort).best
    }

    /// The best line.
    pub(super) fn line(&mut self, position: &Position) -> PvLine {
        self.ask(position, 1, Vec::new(), self.effort.quarter()).best
    }

    /// The best line that begins with this move.
    pub(super) fn line_after(&mut self, position: &Position, mv: Move) -> PvLine {
        self.ask(position, 1, vec![mv], self.effort.quarter()).best
    }

    fn ask(&mut self, position: &Position, count: usize, search_moves: Vec<Move>, effort: Effort) -> SearchResult {
        let lines = std::mem::replace(&mut self.engine.options.multi_pv, count);
        let mut limits = Limits { search_moves, ..Limits::default() };
        match effort {
            Effort::Nodes(nodes) => limits.nodes = Some(nodes),
            Effort::Time(time) => limits.move_time = Some(time),
        }
        let found = self.engine.search(position, &limits, self.control, &mut Silent);
        self.engine.options.multi_pv = lines;
        found
    }
}
