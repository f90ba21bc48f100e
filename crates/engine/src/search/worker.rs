//! One search thread: what it owns, what it shares, and the small things every node does.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use chess::{Move, PieceKind, Position};
use nnue::{Accumulators, MoveMap, Network};

use super::abdada::Abdada;
use super::correction::Corrections;
use super::guide::{self, Spread};
use super::history::PieceTo;
use super::lab::Histories;
use super::params;
use super::reduce::Reductions;
use super::root::RootMove;
use super::stack::{MovePool, PvTable, Stack};
use crate::chances::Scale;
use crate::control::Control;
use crate::engine::Options;
use crate::eval::{self, Evaluator, Psq};
use crate::handicap::Noise;
use crate::limits::Limits;
use crate::report::Reporter;
use crate::score::{self, MAX_PLY};
use crate::tablebase::Tablebases;
use crate::time::{Budget, Lag};
use crate::tt::{self, Entry, Table};

/// What all threads of a search share.
pub(crate) struct Shared<'a> {
    pub(crate) table: &'a Table,
    pub(crate) tablebases: &'a Tablebases,
    /// The network; without one, the hand-crafted evaluation (HCE) is used.
    pub(crate) network: Option<&'a Arc<Network>>,
    /// The evaluation errors of a weaker player; none at full strength.
    pub(crate) noise: Option<Noise>,
    /// Positions with more pieces are not probed in search; 0 if the root itself was found in the tables.
    pub(crate) tb_limit: usize,
    pub(crate) control: &'a Control,
    pub(crate) limits: &'a Limits,
    pub(crate) options: &'a Options,
    /// How many lines are searched; not all of them need be reported.
    pub(crate) lines: usize,
    pub(crate) budget: Budget,
    pub(crate) lag: &'a Lag,
    /// While pondering: the search has taken all the time that the move deserves, so a ponder hit ends it.
    pub(crate) enough: AtomicBool,
    /// Whether the search is over.
    pub(crate) over: AtomicBool,
    pub(crate) abdada: Abdada,
    pub(crate) counters: Vec<Counter>,
    /// Tablebase probes before the search began.
    pub(crate) root_hits: u64,
    /// How scores are shown.
    pub(crate) scale: Scale,
}

/// The counts that one thread publishes, on cache lines of their own.
#[derive(Default)]
#[repr(align(128))]
pub(crate) struct Counter {
    nodes: AtomicU64,
    tb_hits: AtomicU64,
}

impl Shared<'_> {
    pub(crate) fn nodes(&self) -> u64 {
        self.counters.iter().map(|counter| counter.nodes.load(Relaxed)).sum()
    }

    pub(crate) fn tb_hits(&self) -> u64 {
        self.root_hits + self.counters.iter().map(|counter| counter.tb_hits.load(Relaxed)).sum::<u64>()
    }

    #[inline]
    pub(crate) fn is_over(&self) -> bool {
        self.over.load(Relaxed)
    }

    /// Whether the engine is pondering, on the opponent's time.
    pub(crate) fn is_pondering(&self) -> bool {
        self.control.is_pondering(self.limits)
    }

    pub(crate) fn end(&self) {
        self.over.store(true, Relaxed);
    }
}

/// What a thread keeps from search to search.
pub(crate) struct Memory {
    pub(crate) histories: Box<Histories>,
    pub(crate) corrections: Corrections,
    pub(crate) evaluator: Evaluator,
    accumulators: Option<Accumulators>,
    move_map: Option<MoveMap>,
    reductions: Reductions,
    stack: Stack,
    pv_table: PvTable,
    pool: MovePool,
    #[cfg(feature = "log")]
    pub(crate) log: super::log::Log,
}

impl Memory {
    pub(crate) fn new() -> Memory {
        Memory {
            histories: Histories::new(),
            corrections: Corrections::new(),
            evaluator: Evaluator::new(),
            accumulators: None,
            move_map: None,
            reductions: Reductions::new(),
            stack: Stack::new(),
            pv_table: PvTable::new(),
            pool: MovePool::new(),
            #[cfg(feature = "log")]
            log: super::log::Log::new(),
        }
    }

    /// Allocates what this network needs.
    pub(crate) fn equip(&mut self, network: Option<&Arc<Network>>) {
        let is_same = match (&self.accumulators, network) {
            (Some(accumulators), Some(network)) => Arc::ptr_eq(accumulators.network(), network),
            (None, None) => true,
            _ => false,
        };
        if !is_same {
            self.accumulators = network.map(|network| Accumulators::new(Arc::clone(network), MAX_PLY + 1));
        }
        if !is_same || self.move_map.is_some() != guide::uses_policy() {
            self.move_map = network.filter(|_| guide::uses_policy()).and_then(MoveMap::new);
        }
    }

    /// Prepares for a search from this position.
    fn prepare(&mut self, position: &Position, network: Option<&Arc<Network>>) {
        if cfg!(feature = "tune") {
            self.reductions = Reductions::new();
        }
        self.stack.clear();
        self.pool.0.clear();
        self.equip(network);
        match &mut self.accumulators {
            Some(accumulators) => accumulators.reset(position.board()),
            None => self.stack.at_mut(0).psq = Psq::new(position.board()),
        }
    }
}

/// How many nodes pass between two checks of the limits.
const CHECK_INTERVAL: u64 = 512;

/// A thread that searches.
pub(crate) struct Worker<'a> {
    pub(crate) id: usize,
    pub(crate) shared: &'a Shared<'a>,
    /// Receives reports; only the first thread has one.
    pub(crate) reporter: Option<&'a mut dyn Reporter>,
    pub(crate) position: Position,
    pub(crate) histories: &'a mut Histories,
    pub(crate) corrections: &'a mut Corrections,
    pub(crate) evaluator: &'a mut Evaluator,
    /// The accumulators of the network, if there is one. Then the evaluator and its piece-square sums are unused.
    pub(crate) accumulators: Option<&'a mut Accumulators>,
    /// The policy of the network, if it has one that is used.
    pub(crate) move_map: Option<&'a mut MoveMap>,
    pub(crate) reductions: &'a Reductions,
    pub(crate) stack: &'a mut Stack,
    pub(crate) pv_table: &'a mut PvTable,
    pub(crate) pool: &'a mut MovePool,
    pub(crate) root_moves: Vec<RootMove>,
    /// The line being searched: its move is the best of the root moves from this index on.
    pub(crate) pv_index: usize,
    /// How many lines of this iteration are complete.
    pub(crate) finished_lines: usize,
    /// Root moves from this index on are not searched: the tablebases rank them lower.
    pub(crate) pv_end: usize,
    pub(crate) root_depth: i32,
    pub(crate) completed_depth: i32,
    pub(crate) seldepth: usize,
    pub(crate) nodes: u64,
    pub(crate) tb_hits: u64,
    /// No null move before this ply, while one is being verified.
    pub(crate) null_min_ply: usize,
    next_check: u64,
    last_check: Instant,
    #[cfg(feature = "log")]
    pub(crate) log: &'a mut super::log::Log,
    #[cfg(feature = "stats")]
    pub(crate) stats: super::stats::Stats,
}

impl<'a> Worker<'a> {
    pub(crate) fn new(
        id: usize,
        shared: &'a Shared<'a>,
        memory: &'a mut Memory,
        position: Position,
        root_moves: Vec<RootMove>,
        reporter: Option<&'a mut dyn Reporter>,
    ) -> Worker<'a> {
        memory.prepare(&position, shared.network);
        let mut worker = Worker {
            id,
            shared,
            reporter,
            position,
            histories: &mut memory.histories,
            corrections: &mut memory.corrections,
            evaluator: &mut memory.evaluator,
            accumulators: memory.accumulators.as_mut(),
            move_map: memory.move_map.as_mut(),
            reductions: &memory.reductions,
            stack: &mut memory.stack,
            pv_table: &mut memory.pv_table,
            pool: &mut memory.pool,
            root_moves,
            pv_index: 0,
            finished_lines: 0,
            pv_end: 0,
            root_depth: 0,
            completed_depth: 0,
            seldepth: 0,
            nodes: 0,
            tb_hits: 0,
            null_min_ply: 0,
            next_check: 0,
            last_check: Instant::now(),
            #[cfg(feature = "log")]
            log: &mut memory.log,
            #[cfg(feature = "stats")]
            stats: super::stats::Stats::default(),
        };
        worker.schedule_check();
        worker
    }

    /// Whether the search is over. Checks the limits from time to time.
    #[inline]
    pub(crate) fn must_stop(&mut self) -> bool {
        if self.nodes >= self.next_check {
            self.check_limits();
        }
        self.shared.is_over()
    }

    #[cold]
    fn check_limits(&mut self) {
        self.publish();
        self.schedule_check();
        let shared = self.shared;
        let now = Instant::now();
        shared.lag.observe(now - self.last_check);
        self.last_check = now;
        #[cfg(test)]
        assert!(!shared.control.is_to_fail(self.id), "told to fail");
        if shared.control.is_stopped() {
            shared.end();
        }
        if shared.is_pondering() {
            return;
        }
        // All threads check: with more threads than cores, the first may not run in time.
        let nodes = shared.nodes();
        if shared.limits.nodes.is_some_and(|limit| nodes >= limit)
            || shared.budget.is_hard_over(nodes)
            || shared.enough.load(Relaxed)
        {
            shared.end();
        }
        if let Some(reporter) = self.reporter.as_mut().filter(|reporter| reporter.listens()) {
            reporter.tick(nodes, shared.budget.wall_time());
        }
    }

    /// The time since the last look at the clock was work, not lag of the machine.
    pub(crate) fn forget_pause(&mut self) {
        self.last_check = Instant::now();
    }

    fn schedule_check(&mut self) {
        self.next_check = self.nodes + CHECK_INTERVAL;
        // With one thread a node limit is exact.
        if let Some(limit) = self.shared.limits.nodes
            && self.shared.counters.len() == 1
        {
            self.next_check = self.next_check.min(limit.max(self.nodes + 1));
        }
    }

    /// Publishes this thread's counts.
    pub(crate) fn publish(&self) {
        let counter = &self.shared.counters[self.id];
        counter.nodes.store(self.nodes, Relaxed);
        counter.tb_hits.store(self.tb_hits, Relaxed);
    }

    /// Prefetches the hash entry of the position after a move.
    #[inline]
    pub(crate) fn prefetch(&self, mv: Move) {
        let is_reversible = mv.is_quiet() && self.position.kind_on(mv.from()) != Some(PieceKind::Pawn);
        let clock = if is_reversible { self.position.halfmove_clock().saturating_add(1) } else { 0 };
        self.shared.table.prefetch(tt::key_at(self.position.key_after(mv), clock));
    }

    /// Plays a move found at `ply`.
    #[inline]
    pub(crate) fn make(&mut self, mv: Move, ply: usize) {
        let piece_to = PieceTo::of(self.position.board(), mv);
        let frame = self.stack.at_mut(ply);
        frame.mv = Some(mv);
        frame.piece_to = Some(piece_to);
        if let Some(accumulators) = &mut self.accumulators {
            self.position.play_with(mv, &mut accumulators.record(ply));
            accumulators.prefetch(self.position.board());
        } else {
            let mut psq = frame.psq;
            self.position.play_with(mv, &mut psq);
            self.stack.at_mut(ply + 1).psq = psq;
        }
        self.corrections.prefetch(self.position.board(), self.stack.last_moves(ply + 1));
        self.nodes += 1;
    }

    /// Passes at `ply`.
    #[inline]
    pub(crate) fn make_null(&mut self, ply: usize) {
        let clock = self.position.halfmove_clock().saturating_add(1);
        self.shared.table.prefetch(tt::key_at(self.position.key_after_null(), clock));
        let frame = self.stack.at_mut(ply);
        frame.mv = None;
        frame.piece_to = None;
        if let Some(accumulators) = &mut self.accumulators {
            accumulators.record(ply);
        } else {
            self.stack.at_mut(ply + 1).psq = self.stack.at(ply).psq;
        }
        self.position.make_null();
        self.nodes += 1;
    }

    /// The score, if the game is drawn here. If the side to move can repeat a position, a draw is the least it gets:
    /// this raises alpha, and may cut off.
    #[inline]
    pub(crate) fn draw_by_rule(&self, alpha: &mut i32, beta: i32, ply: usize) -> Option<i32> {
        if *alpha < score::DRAW && self.can_repeat(ply) {
            *alpha = self.draw_score();
            if *alpha >= beta {
                return Some(*alpha);
            }
        }
        self.is_draw(ply).then(|| self.draw_score())
    }

    /// Whether the game is drawn here, `ply` plies from the root.
    #[inline]
    pub(crate) fn is_draw(&self, ply: usize) -> bool {
        params::repetition() && self.position.is_draw(ply)
    }

    /// Whether the side to move can repeat an earlier position.
    #[inline]
    pub(crate) fn can_repeat(&self, ply: usize) -> bool {
        params::repetition() && params::upcoming_repetition() && self.position.upcoming_repetition(ply)
    }

    /// The static evaluation, scaled down as the fifty-move rule comes closer.
    #[inline]
    pub(crate) fn evaluate(&mut self, ply: usize) -> i32 {
        let board = self.position.board();
        if let Some(known) = eval::lone_king(board) {
            return known.clamp(-score::MAX_EVAL, score::MAX_EVAL);
        }
        let raw = match &mut self.accumulators {
            Some(accumulators) => eval::adjusted(accumulators.evaluate(board, ply), board),
            None => self.evaluator.evaluate(board, self.stack.at(ply).psq),
        };
        let raw = raw + self.shared.noise.map_or(0, |noise| noise.of(board));
        let clock = i32::from(self.position.halfmove_clock()).min(100);
        let range = params::fifty_range();
        (raw * (range - clock) / range).clamp(-score::MAX_EVAL, score::MAX_EVAL)
    }

    /// The raw static evaluation, from the hash entry if possible, and the corrected one, which is kept on the stack.
    #[inline]
    pub(crate) fn static_eval(&mut self, hit: Option<Entry>, ply: usize) -> (i32, i32) {
        let (raw, spread) = match hit {
            Some(hit) if hit.eval != score::NONE => (hit.eval, hit.spread),
            _ => (self.evaluate(ply), self.spread(ply)),
        };
        let corrected = self.corrected(raw, ply);
        let frame = self.stack.at_mut(ply);
        frame.static_eval = corrected;
        frame.doubt = (corrected - raw).abs();
        frame.spread = spread;
        (raw, corrected)
    }

    /// How far the evaluation that the network has just made may be off, by its own account.
    #[inline]
    fn spread(&self, ply: usize) -> Spread {
        let Some(accumulators) = self.accumulators.as_ref().filter(|_| params::confidence()) else {
            return Spread::UNKNOWN;
        };
        let board = self.position.board();
        match (accumulators.network().confidence(), eval::lone_king(board)) {
            (Some(confidence), None) => accumulators
                .quantiles(board, ply)
                .map_or(Spread::UNKNOWN, |quantiles| Spread::new(quantiles, confidence.mean())),
            _ => Spread::UNKNOWN,
        }
    }

    /// An evaluation plus what the search has learned about similar positions.
    #[inline]
    pub(crate) fn corrected(&self, raw: i32, ply: usize) -> i32 {
        if eval::lone_king(self.position.board()).is_some() {
            return raw;
        }
        let correction = self.corrections.correction(self.position.board(), self.stack.last_moves(ply));
        (raw + correction).clamp(-score::MAX_EVAL, score::MAX_EVAL)
    }

    /// A draw score that varies a little around zero, so that the search does not take all draws for the same.
    #[inline]
    pub(crate) fn draw_score(&self) -> i32 {
        score::DRAW - 1 + (self.nodes & 2) as i32
    }
}
