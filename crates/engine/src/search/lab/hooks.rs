//! Where the search and the laboratory meet: the memory of the ideas, and the hooks that the search calls.

use std::ops::{Deref, DerefMut, Range};

use chess::{Board, Move, PieceKind, Square};

use super::frequency::Frequencies;
use super::guard::Guards;
use super::reply::Replies;
use super::squares;
use super::threat::{Threat, Threats};
use crate::eval::Psq;
use crate::search::history;
use crate::search::learn::Tried;
use crate::search::node_type::NodeType;
use crate::search::params;
use crate::search::worker::Worker;

/// The histories of the search, with the memory of the ideas.
pub(crate) struct Histories {
    used: Box<history::Histories>,
    pub(super) lab: Lab,
}

/// The memory of the ideas. Each thread has its own.
pub(super) struct Lab {
    pub(super) frequencies: Frequencies,
    pub(super) replies: Replies,
    pub(super) threats: Threats,
    /// The oracle has shifted the window of the root move being searched.
    pub(super) is_shifted: bool,
}

impl Histories {
    pub(crate) fn new() -> Box<Histories> {
        let (frequencies, replies, threats) = (Frequencies::new(), Replies::new(), Threats::new());
        let lab = Lab { frequencies, replies, threats, is_shifted: false };
        Box::new(Histories { used: history::Histories::new(), lab })
    }
}

impl Deref for Histories {
    type Target = history::Histories;

    fn deref(&self) -> &history::Histories {
        &self.used
    }
}

impl DerefMut for Histories {
    fn deref_mut(&mut self) -> &mut history::Histories {
        &mut self.used
    }
}

impl Worker<'_> {
    /// Called on entering a node. Returns a score if an idea has one; may raise the depth.
    pub(crate) fn enter_lab<N: NodeType>(
        &mut self,
        (alpha, beta): (i32, i32),
        depth: &mut i32,
        ply: usize,
        cut_node: bool,
    ) -> Option<i32> {
        if N::ROOT {
            let key = self.position.key();
            self.histories.lab.replies.begin(key);
            return None;
        }
        if self.stack.at(ply).excluded.is_some() {
            return None;
        }
        if params::oracle() && ply == 1 && !self.histories.lab.is_shifted {
            return Some(self.search_shifted::<N>(alpha, beta, *depth, cut_node));
        }
        if params::threat_extension() && self.was_mate_threatened(ply) {
            *depth += 1;
        }
        if params::refutation_table() && ply == 1 {
            self.suggest_refutation();
        }
        if params::free_foresight() {
            self.foresee::<N>((alpha, beta), *depth, ply, cut_node);
        }
        if params::enhanced_cutoff() && !N::PV && *depth >= params::enhanced_cutoff_depth() {
            return self.enhanced_cutoff(alpha, beta, *depth, ply);
        }
        None
    }

    /// Records the result of a node: which quiet moves were tried, and which move was best.
    pub(crate) fn learn_in_lab(&mut self, best: Option<Move>, tried: &Tried, depth: i32, ply: usize) {
        if params::relative_history() || params::butterfly_history() {
            let side = self.position.side_to_move();
            tried.quiets.iter().for_each(|mv| self.histories.lab.frequencies.count(side, mv, depth, false));
            if let Some(mv) = best.filter(|mv| mv.is_quiet()) {
                self.histories.lab.frequencies.count(side, mv, depth, true);
            }
        }
        // With a move left out, the best of the others is not the reply.
        if (params::last_best_reply() || params::refutation_table()) && self.stack.at(ply).excluded.is_none() {
            self.note_reply(best, ply);
        }
    }
}

/// Adds the ideas' scores to the moves that a picker has scored, in this part of the pool. Evasions are left alone.
pub(crate) fn hint(worker: &mut Worker<'_>, moves: Range<usize>, ply: usize) {
    if worker.position.in_check() || moves.is_empty() {
        return;
    }
    let hints = Hints::new(worker, worker.pool.0[moves.start].mv.is_quiet(), ply);
    let scored = &worker.pool.0[moves.clone()];
    let scores: Vec<i32> = scored.iter().map(|scored| hints.score(worker.position.board(), scored.mv)).collect();
    worker.pool.0[moves].iter_mut().zip(scores).for_each(|(scored, hint)| scored.score += hint);
}

/// What the ideas contribute to one node.
struct Hints<'a> {
    frequencies: &'a Frequencies,
    guards: Option<Guards>,
    threat: Option<Threat>,
    phase: Option<i32>,
    recapture: Option<Square>,
    reply: Option<Move>,
}

impl<'a> Hints<'a> {
    fn new(worker: &'a Worker<'_>, quiet: bool, ply: usize) -> Hints<'a> {
        let board = worker.position.board();
        let lab = &worker.histories.lab;
        let last = worker.stack.before(ply, 1).mv;
        Hints {
            frequencies: &lab.frequencies,
            guards: (quiet && params::guard_heuristic()).then(|| Guards::new(board)),
            threat: if params::threat_move() { lab.threats.known(ply, board.key()) } else { None },
            phase: (quiet && params::square_ordering()).then(|| Psq::new(board).phase()),
            recapture: if params::recapture_ordering() { last.map(|mv| mv.to()) } else { None },
            reply: if params::last_best_reply() { worker.last_best_reply(ply) } else { None },
        }
    }

    /// What to add to a move's score.
    fn score(&self, board: &Board, mv: Move) -> i32 {
        if mv.is_quiet() { self.quiet_score(board, mv) } else { self.noisy_score(board, mv) }
    }

    fn quiet_score(&self, board: &Board, mv: Move) -> i32 {
        let side = board.side_to_move();
        let mut score = 0;
        if params::relative_history() {
            score += self.frequencies.success(side, mv, params::lab_relative_weight());
        }
        if params::butterfly_history() {
            score += self.frequencies.magnitude(side, mv) * params::lab_butterfly_weight();
        }
        if let Some(phase) = self.phase {
            score += squares::gain(board, mv, phase) * params::lab_square_weight();
        }
        if let Some(guards) = &self.guards {
            score += guards.gain(board, mv) * params::lab_guard_weight();
        }
        if let Some(threat) = self.threat {
            score += threat.answered_by(board, mv) * params::lab_threat_weight();
        }
        // The first of the quiet moves that are neither killer nor countermove.
        if Some(mv) == self.reply {
            score += 1 << 24;
        }
        score
    }

    /// The picker's SEE test asks less of a move with a high score, so these moves pass it a little more easily too.
    fn noisy_score(&self, board: &Board, mv: Move) -> i32 {
        let mut score = 0;
        if mv.is_capture() && Some(mv.to()) == self.recapture {
            score += recapture_score(board.kind_on(mv.from()), params::lab_recapture_weight());
        }
        if Some(mv) == self.reply {
            score += params::lab_reply_weight();
        }
        score
    }
}

/// The piece that moved last is the likeliest to hang; the cheaper the piece that captures it, the safer.
fn recapture_score(attacker: Option<PieceKind>, weight: i32) -> i32 {
    let rank = attacker.map_or(0, PieceKind::index) as i32;
    weight - weight * rank / 8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cheapest_piece_recaptures_first() {
        let order: Vec<_> = PieceKind::ALL.iter().map(|&kind| recapture_score(Some(kind), 800)).collect();
        assert!(order.windows(2).all(|pair| pair[0] > pair[1]) && order[5] > 0, "{order:?}");
    }
}
