//! The threat move: what the opponent would play if we passed, as the null-move search found out.
//!
//! If passing fails low, the threat should be answered: quiet moves that get out of the way, block it or guard the
//! target come first. If passing gets mated, the whole node may be searched a ply deeper.

use chess::{Board, Move, attacks};

use crate::score::{self, MAX_PLY};
use crate::search::params;
use crate::search::worker::Worker;
use crate::tt;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Threat {
    mv: Move,
    mates: bool,
}

/// The threats found on the current line, each with the key of the position it is a threat in.
pub(super) struct Threats(Box<[Option<(u64, Threat)>]>); // [ply]

impl Threats {
    pub(super) fn new() -> Threats {
        Threats(vec![None; MAX_PLY].into())
    }

    pub(super) fn known(&self, ply: usize, key: u64) -> Option<Threat> {
        self.0.get(ply).copied().flatten().filter(|(of, _)| *of == key).map(|(_, threat)| threat)
    }

    fn note(&mut self, ply: usize, key: u64, threat: Threat) {
        if let Some(place) = self.0.get_mut(ply) {
            *place = Some((key, threat));
        }
    }
}

impl Threat {
    /// How well a quiet move answers the threat: 2 if it moves the attacked piece or blocks the way, 1 if it guards the
    /// target, 0 otherwise.
    pub(super) fn answered_by(self, board: &Board, mv: Move) -> i32 {
        let target = self.mv.to();
        let escapes = self.mv.is_capture() && mv.from() == self.mv.capture_square();
        if mv.is_castle() {
            return if escapes { 2 } else { 0 };
        }
        if escapes || attacks::between(self.mv.from(), target).has(mv.to()) {
            return 2;
        }
        let Some(kind) = board.kind_on(mv.from()) else { return 0 };
        let guarded = attacks::of(kind, board.side_to_move(), mv.to(), board.occupied());
        i32::from(guarded.has(target))
    }
}

impl Worker<'_> {
    /// Stores the move that refuted a null move at `ply`, which is still on the board; `score` is that of passing.
    pub(crate) fn note_threat(&mut self, score: i32, beta: i32, ply: usize) {
        if score >= beta || !(params::threat_move() || params::threat_extension()) {
            return;
        }
        self.note_refuting_move(score, ply);
    }

    fn note_refuting_move(&mut self, score: i32, ply: usize) {
        let Some(key) = self.position.previous().map(|board| board.key()) else { return };
        let hit = self.shared.table.probe(tt::key(&self.position), ply + 1, self.position.halfmove_clock());
        if let Some(mv) = hit.and_then(|hit| hit.mv).filter(|&mv| self.position.is_playable(mv)) {
            let mates = score::is_mate(score) && score::is_loss(score);
            self.histories.lab.threats.note(ply, key, Threat { mv, mates });
        }
    }

    /// Whether passing instead of the last move would have been mated: then that move is searched a ply deeper. Not
    /// beyond twice the depth of the iteration.
    pub(super) fn was_mate_threatened(&self, ply: usize) -> bool {
        let last = self.stack.before(ply, 1).mv.and(self.position.previous());
        let threat = last.and_then(|before| self.histories.lab.threats.known(ply - 1, before.key()));
        threat.is_some_and(|threat| threat.mates) && ply <= 2 * self.root_depth.max(1) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::fixture::with_worker;
    use crate::search::node_type::NonPv;
    use chess::{MoveKind, Square};

    #[test]
    fn answers_are_told_from_other_moves() {
        // The rook on a8 would take the knight on a1.
        let board: Board = "r3k3/8/8/8/8/4B3/7P/N3K2R w K - 0 1".parse().expect("a board");
        let threat = Threat { mv: Move::new(Square::A8, Square::A1, MoveKind::Capture), mates: false };
        for (mv, value) in [
            ("a1b3", 2), // away
            ("e3a7", 2), // in the way
            ("e3d4", 1), // guards a1
            ("e3h6", 0),
            ("h2h3", 0),
            ("e1g1", 0), // castles
        ] {
            assert_eq!(threat.answered_by(&board, board.parse_uci(mv).expect(mv)), value, "{mv}");
        }
    }

    #[test]
    fn a_null_move_that_fails_tells_what_is_threatened() {
        // The windows are such that no other move refutes it.
        for (fen, beta, threat, mates) in [
            ("4r1k1/Q4ppp/8/8/8/8/5PPP/6K1 w - - 0 1", -300, "e8e1", true),
            ("6k1/5ppp/8/8/r6R/8/5PPP/6K1 w - - 0 1", 300, "a4h4", false),
        ] {
            with_worker(fen, |worker| {
                worker.root_depth = 6;
                worker.make_null(0);
                let score = -worker.search::<NonPv>(beta - 1, beta, 6, 1, false);
                worker.note_refuting_move(score, 0);
                worker.position.unmake();
                let known = worker.histories.lab.threats.known(0, worker.position.key());
                assert_eq!(known.map(|known| known.mv.uci(false)).as_deref(), Some(threat), "{fen}");
                let mv = worker.root_moves[0].mv;
                worker.make(mv, 0);
                assert_eq!(worker.was_mate_threatened(1), mates, "{fen} {score}");
                worker.root_depth = 0;
                assert!(!worker.was_mate_threatened(3), "too deep, and another ply");
                worker.position.unmake();
            });
        }
    }

    #[test]
    fn a_threat_is_known_in_its_own_position_only() {
        let mut threats = Threats::new();
        let threat = Threat { mv: Move::new(Square::A8, Square::A1, MoveKind::Capture), mates: true };
        threats.note(3, 77, threat);
        assert_eq!(threats.known(3, 77), Some(threat));
        assert_eq!((threats.known(3, 78), threats.known(2, 77), threats.known(MAX_PLY, 77)), (None, None, None));
    }
}
