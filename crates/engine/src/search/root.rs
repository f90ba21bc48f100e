//! The root: iterative deepening, aspiration windows, MultiPV, and when to stop.

use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use chess::{Move, Position, zobrist::splitmix};

use super::mate::{self, Allowance};
use super::node_type::Root;
use super::params;
use super::worker::{Shared, Worker};
use crate::report::Bound;
use crate::result::{PvLine, SearchResult};
use crate::score::{self, MAX_PLY, SearchScore};
use crate::time::Trend;
use crate::tt::{self, Table};

/// A root move and its results so far.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub(crate) mv: Move,
    /// In this iteration; minus infinity if it was shown to be no better than another move.
    pub(crate) score: i32,
    /// In the iteration before.
    previous: i32,
    /// Over all iterations; recent ones count more.
    average: i32,
    /// How exact the last score was, and from which iteration.
    bound: Bound,
    depth: i32,
    pub(crate) seldepth: usize,
    pub(crate) pv: Vec<Move>,
    /// Nodes below it in this iteration, and in all.
    nodes: u64,
    total_nodes: u64,
    /// Its rank by the tablebases; the same for all moves without tables.
    pub(crate) tb_order: i32,
    /// Its score by the tablebases.
    pub(crate) tb_score: Option<i32>,
}

impl RootMove {
    pub(crate) fn new(mv: Move) -> RootMove {
        RootMove {
            mv,
            score: -score::INFINITE,
            previous: -score::INFINITE,
            average: score::NONE,
            bound: Bound::Exact,
            depth: 0,
            seldepth: 0,
            pv: vec![mv],
            nodes: 0,
            total_nodes: 0,
            tb_order: 0,
            tb_score: None,
        }
    }

    /// Its score and bound; none if it was never searched to the end. Tablebase scores come first, except for mates.
    fn known_score(&self) -> Option<(i32, Bound)> {
        let found = if self.is_refuted() { self.previous } else { self.score };
        match self.tb_score {
            Some(tb_score) if !score::is_mate(found) => Some((tb_score, Bound::Exact)),
            _ => (found != -score::INFINITE).then_some((found, self.bound)),
        }
    }

    /// Whether this iteration only showed that it is no better than another move.
    fn is_refuted(&self) -> bool {
        self.score == -score::INFINITE
    }
}

/// The node limit for the proof of a short mate.
const PROOF_NODES: u64 = 200_000;
/// Searches limited to fewer nodes than this do without the proof.
const PROOF_FROM_NODES: u64 = 50_000;
/// Short mates are proven only if the search may take this long and has no clock.
const PROOF_TIME: Duration = Duration::from_secs(1);
/// Bound lines and current moves are reported only after this time.
const PATIENCE: Duration = Duration::from_secs(3);

impl Worker<'_> {
    /// Searches deeper and deeper until a limit is reached or the search is over.
    pub(crate) fn deepen(&mut self) {
        let limits = self.shared.limits;
        let max_depth = limits.depth.unwrap_or(MAX_PLY as i32 - 1).clamp(1, MAX_PLY as i32 - 1);
        let first_depth = if params::iterative_deepening() || limits.depth.is_none() { 1 } else { max_depth };
        let lines = self.shared.lines.clamp(1, self.root_moves.len().max(1));
        let mut stability = 0;
        let mut last_best = None;
        let mut scores: Vec<i32> = Vec::new();
        #[cfg(feature = "stats")]
        let (mut nodes_then, mut iteration_then) = (0, 0);

        for depth in first_depth..=max_depth {
            if params::random_mover() {
                self.play_at_random();
                break;
            }
            self.root_depth = depth;
            self.finished_lines = 0;
            for root_move in &mut self.root_moves {
                root_move.previous = root_move.score;
                root_move.nodes = 0;
            }
            if self.id == 0 && lines == 1 && self.prove_mate(depth) {
                self.completed_depth = depth;
                self.report(1);
                break;
            }
            for index in 0..lines {
                self.pv_index = index;
                self.pv_end = self.end_of_rank(index);
                self.seldepth = 0;
                self.aspire(depth);
                self.root_moves[..=index].sort_by_key(|root_move| (-root_move.tb_order, -root_move.score));
                if self.shared.is_over() {
                    break;
                }
                self.finished_lines = index + 1;
            }
            self.publish();
            if self.shared.is_over() {
                break;
            }
            self.completed_depth = depth;
            #[cfg(feature = "stats")]
            {
                let iteration = self.nodes - nodes_then;
                self.stats.iteration(iteration, iteration_then);
                (nodes_then, iteration_then) = (self.nodes, iteration);
            }
            self.report(lines.min(self.shared.options.multi_pv));

            // Only the first thread decides when to stop.
            if self.id != 0 {
                continue;
            }
            let best = &self.root_moves[0];
            stability = if last_best == Some(best.mv) { stability + 1 } else { 0 };
            last_best = Some(best.mv);
            scores.push(best.score);
            let nodes = self.shared.nodes();
            let trend = Trend {
                stability,
                best_share: best.total_nodes as f64 / (self.nodes.max(1)) as f64,
                fall: scores.iter().rev().nth(3).map_or(0, |earlier| (earlier - best.score).clamp(-200, 200)),
                forced: self.root_moves.len() == 1,
            };
            let mate_found = limits
                .mate
                .is_some_and(|moves| score::is_mate(best.score) && (score::MATE - best.score.abs() + 1) / 2 <= moves);
            let enough = self.shared.budget.is_soft_over(nodes, &trend) || self.is_settled(best.score, depth);
            // After a ponder hit, the rest of a longer iteration would cost our own time.
            self.shared.enough.store(enough, Relaxed);
            if mate_found || self.has_had_nodes(nodes) || (enough && !self.shared.is_pondering()) {
                break;
            }
        }
        if self.id == 0 {
            self.shared.end();
        }
        self.publish();
    }

    /// Whether a soft node limit ends the search after this iteration.
    fn has_had_nodes(&self, nodes: u64) -> bool {
        let is_over = |limit: Option<u64>| limit.is_some_and(|limit| nodes >= limit);
        let is_noisy = self.position.in_check() || self.root_moves[0].mv.is_noisy();
        is_over(self.shared.limits.soft_nodes) || (is_noisy && is_over(self.shared.limits.noisy_nodes))
    }

    /// Plays any legal move: the lowest rung of the ladder.
    fn play_at_random(&mut self) {
        let seed = self.position.key() ^ u64::from(self.position.halfmove_clock());
        let choice = splitmix(seed) as usize % self.root_moves.len();
        self.root_moves.swap(0, choice);
        self.root_moves[0].score = self.evaluate(0);
        self.root_moves[0].depth = 1;
        self.completed_depth = 1;
        self.report(1);
    }

    /// Tries to prove a mate in one, two or three before the iteration that reaches as far, so that none is overlooked.
    /// A mate becomes the best line. The proof costs some thousand nodes, so it is skipped if time or nodes are few.
    fn prove_mate(&mut self, depth: i32) -> bool {
        let shared = self.shared;
        let moves = (depth as usize).div_ceil(2);
        let proven_depth = depth % 2 == 1 && moves <= 3;
        // A soft or low node limit means many small searches: the proof would take most of each.
        let has_nodes =
            shared.limits.soft_nodes.is_none() && shared.limits.nodes.is_none_or(|limit| limit >= PROOF_FROM_NODES);
        // In a game the time is better spent on the search.
        let budget = &shared.budget;
        let has_time = has_nodes && !budget.has_clock() && budget.is_ample(PROOF_TIME) && !shared.is_pondering();
        let clock_is_low = self.position.halfmove_clock() < 90;
        if !params::mate_proof() || !proven_depth || !has_time || !clock_is_low || self.root_moves[0].tb_score.is_some()
        {
            return false;
        }
        let limit =
            shared.limits.nodes.map_or(PROOF_NODES, |limit| limit.saturating_sub(self.nodes) / 2).min(PROOF_NODES);
        let mut nodes = Allowance { limit, used: 0 };
        let root: Vec<Move> = self.root_moves.iter().map(|root_move| root_move.mv).collect();
        let found = mate::find(self.position.board(), &root, moves, &mut nodes);
        self.nodes += nodes.used;
        self.publish();
        self.forget_pause();
        let Ok(Some(line)) = found else { return false };
        let Some(place) = self.root_moves.iter().position(|root_move| Some(&root_move.mv) == line.first()) else {
            return false;
        };
        self.root_moves[..=place].rotate_right(1);
        let best = &mut self.root_moves[0];
        best.score = score::mate_in(line.len());
        best.bound = Bound::Exact;
        best.depth = depth;
        best.seldepth = line.len();
        best.pv = line;
        true
    }

    /// With a clock running, a mate that is found and confirmed needs no further search.
    fn is_settled(&self, score: i32, depth: i32) -> bool {
        self.shared.budget.has_clock() && score::is_mate(score) && depth > 2 * (score::MATE - score.abs()) + 8
    }

    /// The end of the root moves that the tablebases rank like this one. Only moves of one rank compete.
    fn end_of_rank(&self, index: usize) -> usize {
        let order = self.root_moves[index].tb_order;
        self.root_moves.iter().position(|root_move| root_move.tb_order < order).unwrap_or(self.root_moves.len())
    }

    /// Searches with an aspiration window around the expected score, and widens it until the score lies inside.
    fn aspire(&mut self, depth: i32) {
        let (mut alpha, mut beta) = (-score::INFINITE, score::INFINITE);
        let mut delta = params::aspiration_width();
        let average = self.root_moves[self.pv_index].average;
        if params::aspiration() && depth >= params::aspiration_depth() && average != score::NONE {
            delta += (average * average / 16_384).min(100);
            alpha = (average - delta).max(-score::INFINITE);
            beta = (average + delta).min(score::INFINITE);
        }
        let mut failed_high = 0;
        loop {
            let adjusted = (depth - failed_high).max(1);
            let found = self.search::<Root>(alpha, beta, adjusted, 0, false);
            if !params::alpha_beta() && self.shared.is_over() {
                // Every move has its own score here, but an aborted iteration cannot be compared with the last one.
                self.root_moves.iter_mut().for_each(|root_move| root_move.score = root_move.previous);
            }
            self.sort_root_moves();
            if self.shared.is_over() {
                return;
            }
            if found <= alpha && alpha > -score::INFINITE {
                beta = (alpha + beta) / 2;
                alpha = (found - delta).max(-score::INFINITE);
                failed_high = 0;
                self.report_bound();
            } else if found >= beta && beta < score::INFINITE {
                beta = (found + delta).min(score::INFINITE);
                failed_high += i32::from(!score::is_decisive(found));
                self.report_bound();
            } else {
                return;
            }
            delta += delta * params::aspiration_growth() / 100;
            if score::is_decisive(found) || delta > 1000 {
                (alpha, beta) = if found > 0 { (alpha, score::INFINITE) } else { (-score::INFINITE, beta) };
            }
        }
    }

    /// Sorts the best move first, and those no better by the size of their subtrees: what took long to refute may be
    /// best next time.
    fn sort_root_moves(&mut self) {
        let (begin, end) = (self.pv_index, self.pv_end);
        self.root_moves[begin..end].sort_by_key(|root_move| {
            let effort = if params::root_by_nodes() { root_move.nodes } else { 0 };
            (-root_move.score, std::cmp::Reverse(effort))
        });
    }

    /// The next root move, in the order of the last iteration.
    pub(crate) fn next_root_move(&self, count: usize) -> Option<Move> {
        self.root_moves[self.pv_index..self.pv_end].get(count).map(|root_move| root_move.mv)
    }

    /// Reports which root move is being searched, once the search has run for a while.
    pub(crate) fn announce(&mut self, mv: Move, count: usize) {
        let number = count + self.pv_index;
        if let Some(reporter) = &mut self.reporter
            && self.shared.budget.wall_time() > PATIENCE
        {
            reporter.current_move(self.root_depth, mv, number);
        }
    }

    /// Records the result of a root move.
    pub(crate) fn update_root_move(
        &mut self,
        mv: Move,
        found: i32,
        window: (i32, i32),
        count: usize,
        nodes_before: u64,
    ) {
        let nodes = self.nodes - nodes_before;
        let (alpha, beta) = window;
        let tail: Vec<Move> =
            if count == 1 || found > alpha { self.pv_table.at(1).moves().collect() } else { Vec::new() };
        let (depth, seldepth) = (self.root_depth, self.seldepth);
        let Some(root_move) = self.root_moves.iter_mut().find(|root_move| root_move.mv == mv) else { return };
        root_move.nodes += nodes;
        root_move.total_nodes += nodes;
        if count > 1 && found <= alpha {
            root_move.score = -score::INFINITE;
            return;
        }
        root_move.score = found;
        root_move.average = if root_move.average == score::NONE { found } else { (2 * found + root_move.average) / 3 };
        (root_move.depth, root_move.seldepth) = (depth, seldepth);
        root_move.bound = match found {
            _ if found >= beta => Bound::Lower,
            _ if found <= alpha => Bound::Upper,
            _ => Bound::Exact,
        };
        root_move.pv.truncate(1);
        root_move.pv.extend(tail);
    }

    fn report_bound(&mut self) {
        if self.shared.options.multi_pv == 1 && self.shared.budget.wall_time() > PATIENCE {
            self.publish();
            self.report(1);
        }
    }

    fn report(&mut self, lines: usize) {
        if self.reporter.as_ref().is_some_and(|reporter| reporter.listens()) {
            let found = self.shared.result(self.found(lines));
            if let Some(reporter) = &mut self.reporter {
                reporter.progress(&found);
            }
        }
    }

    /// The known lines, best first, at most `count`. Lines that this iteration has not finished keep the score of the
    /// last one, or that of the line before them if they were shown to be no better. Mates found beside the tablebases
    /// are shown only if they keep the lines in order. If nothing is known, the first move gets the static evaluation.
    pub(crate) fn found(&mut self, count: usize) -> Vec<PvLine> {
        let unsearched = if self.root_moves[0].known_score().is_some() { 0 } else { self.evaluate(0) };
        self.known_lines(count, unsearched)
    }

    /// The same; the first move gets `unsearched` if nothing is known.
    pub(crate) fn known_lines(&self, count: usize, unsearched: i32) -> Vec<PvLine> {
        let worst_finished = &self.root_moves[self.finished_lines.saturating_sub(1)];
        let ceiling = worst_finished.known_score().map_or(score::INFINITE, |(score, _)| score);
        let (best, others) = self.root_moves.split_first().unwrap_or_else(|| unreachable!("a search has moves"));
        let mut known: Vec<(&RootMove, i32, Bound)> = Vec::with_capacity(count);
        if count > 1 {
            known.extend(others.iter().filter_map(|root_move| match root_move.known_score()? {
                (score, _) if root_move.is_refuted() && score > ceiling => Some((root_move, ceiling, Bound::Upper)),
                (score, bound) => Some((root_move, score, bound)),
            }));
            known.sort_by_key(|(root_move, score, _)| (-root_move.tb_order, -score));
            known.truncate(count - 1);
        }
        let (score, bound) = best.known_score().unwrap_or((unsearched, Bound::Exact));
        known.insert(0, (best, score, bound));
        // The tables rank by distance to the next capture or pawn move: a mate may be found for a line they rank lower.
        if !known.is_sorted_by_key(|(_, score, _)| -score) {
            for (root_move, score, bound) in &mut known {
                if let Some(tb_score) = root_move.tb_score {
                    (*score, *bound) = (tb_score, Bound::Exact);
                }
            }
        }
        known.into_iter().map(|(root_move, score, bound)| self.shared.line(root_move, score, bound)).collect()
    }
}

impl Shared<'_> {
    fn line(&self, root_move: &RootMove, score: i32, bound: Bound) -> PvLine {
        let score = SearchScore::new(score);
        PvLine {
            score: self.scale.show(score),
            search_score: score,
            bound,
            wdl: self.scale.wdl(score),
            depth: root_move.depth,
            seldepth: root_move.seldepth,
            moves: root_move.pv.clone(),
        }
    }

    /// These lines, with the nodes and time they took.
    pub(crate) fn result(&self, mut lines: Vec<PvLine>) -> SearchResult {
        SearchResult {
            best: lines.remove(0),
            others: lines,
            nodes: self.nodes(),
            hashfull: self.table.hashfull(),
            tb_hits: self.tb_hits(),
            time: self.budget.wall_time(),
        }
    }
}

/// Extends a line of a single move by the reply in the hash table.
pub(crate) fn add_reply(position: &Position, pv: &mut Vec<Move>, table: &Table) {
    let &[mv] = pv.as_slice() else { return };
    let mut next = position.clone();
    next.play(mv);
    let hit = table.probe(tt::key(&next), 0, next.halfmove_clock());
    let reply = hit.and_then(|hit| hit.mv).filter(|&mv| next.outcome().is_none() && next.is_playable(mv));
    pv.extend(reply);
}

#[cfg(test)]
mod aspiration_tests;
#[cfg(test)]
mod lines_tests;
