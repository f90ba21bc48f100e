//! The laboratory of move ordering: heuristics from the literature that the engine does without unless a switch says otherwise.
//!
//! One file each, so that one can be judged, kept or thrown away alone. In a normal build the switches are constants and off, and
//! nothing of this is left in the program. What each is worth is in `docs/EXPERIMENTS.md`. They change the order of moves only,
//! not how deep a move is searched, except [`threat`]'s extension, [`children`]'s cutoff and [`oracle`]'s bonus.

mod children;
mod frequency;
mod guard;
mod oracle;
mod reply;
mod squares;
mod threat;

#[cfg(test)]
mod tests;

use chess::{Board, Move, PieceKind, Square};

use super::learn::Tried;
use super::params;
use super::stack::Stack;
use super::worker::Worker;
use frequency::Frequencies;
use guard::Guards;
use reply::Replies;
use threat::{Threat, Threats};

pub(crate) use oracle::give_bonuses;

/// What the heuristics remember. Each thread owns its memory.
pub(crate) struct Lab {
    frequencies: Frequencies,
    replies: Replies,
    threats: Threats,
}

impl Lab {
    pub(crate) fn new() -> Lab {
        Lab { frequencies: Frequencies::new(), replies: Replies::new(), threats: Threats::new() }
    }

    /// A new search begins, with other moves at its root.
    pub(crate) fn begin(&mut self) {
        self.replies.forget_root();
    }
}

/// What the laboratory thinks of the quiet moves of one node.
pub(crate) struct QuietHints<'a> {
    frequencies: &'a Frequencies,
    guards: Option<Guards>,
    threat: Option<Threat>,
    phase: i32,
}

impl<'a> QuietHints<'a> {
    #[inline]
    pub(crate) fn new(board: &Board, lab: &'a Lab, stack: &Stack, ply: usize) -> QuietHints<'a> {
        QuietHints {
            frequencies: &lab.frequencies,
            guards: params::guard_heuristic().then(|| Guards::new(board)),
            threat: if params::threat_move() { lab.threats.known(ply, board.key()) } else { None },
            phase: if params::square_ordering() { stack.at(ply).psq.phase() } else { 0 },
        }
    }

    /// What to add to a move's score.
    #[inline]
    pub(crate) fn score(&self, board: &Board, mv: Move) -> i32 {
        let side = board.side_to_move();
        let mut score = 0;
        if params::relative_history() {
            score += self.frequencies.success(side, mv, params::lab_relative_weight());
        }
        if params::butterfly_history() {
            score += self.frequencies.magnitude(side, mv) * params::lab_butterfly_weight();
        }
        if params::square_ordering() {
            score += squares::gain(board, mv, self.phase) * params::lab_square_weight();
        }
        if let Some(guards) = &self.guards {
            score += guards.gain(board, mv) * params::lab_guard_weight();
        }
        if let Some(threat) = self.threat {
            score += threat.answered_by(board, mv) * params::lab_threat_weight();
        }
        score
    }
}

/// What the laboratory thinks of the captures and promotions of one node.
pub(crate) struct NoisyHints {
    recapture: Option<Square>,
    reply: Option<Move>,
}

impl NoisyHints {
    #[inline]
    pub(crate) fn new(worker: &Worker, ply: usize) -> NoisyHints {
        let last = worker.stack.before(ply, 1).mv;
        NoisyHints {
            recapture: if params::recapture_ordering() { last.map(|mv| mv.to()) } else { None },
            reply: if params::last_best_reply() { worker.last_best_reply(ply) } else { None },
        }
    }

    /// What to add to a move's score. As the picker's exchange test asks less of a move with a high score, it is a little more
    /// patient with these moves too.
    #[inline]
    pub(crate) fn score(&self, board: &Board, mv: Move) -> i32 {
        let mut score = 0;
        if params::recapture_ordering() && mv.is_capture() && Some(mv.to()) == self.recapture {
            score += recapture_score(board.kind_on(mv.from()), params::lab_recapture_weight());
        }
        if params::last_best_reply() && Some(mv) == self.reply {
            score += params::lab_reply_weight();
        }
        score
    }
}

/// The piece that moved last is the likeliest to have given something up; the cheaper the piece that takes it, the safer.
fn recapture_score(attacker: Option<PieceKind>, weight: i32) -> i32 {
    let rank = attacker.map_or(0, PieceKind::index) as i32;
    weight - weight * rank / 8
}

impl Worker<'_> {
    /// Notes what a node found: which quiet moves were tried, and which move was best.
    #[inline]
    pub(crate) fn learn_in_lab(&mut self, best: Option<Move>, quiets: &Tried, depth: i32, ply: usize) {
        if params::relative_history() || params::butterfly_history() {
            let side = self.position.side_to_move();
            quiets.iter().for_each(|mv| self.lab.frequencies.count(side, mv, depth, false));
            if let Some(mv) = best.filter(|mv| mv.is_quiet()) {
                self.lab.frequencies.count(side, mv, depth, true);
            }
        }
        // With a move left out, the best of the others is not the reply.
        if (params::last_best_reply() || params::refutation_table()) && self.stack.at(ply).excluded.is_none() {
            self.note_reply(best, ply);
        }
    }
}
