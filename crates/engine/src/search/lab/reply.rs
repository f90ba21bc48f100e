//! Replies: what was best against a certain move the last time it was played.
//!
//! Last best reply (Edwards 2011) is a strict countermove heuristic: the move before must be the same piece making the
//! same move, capturing the same piece, at the same ply. It applies less often and is right more often. The refutation
//! table (Akl and Newborn 1977) keeps the best reply to each root move from iteration to iteration, for programs whose
//! hash table loses it.

use chess::zobrist::splitmix;
use chess::{Move, PieceKind};

use crate::score;
use crate::search::worker::Worker;
use crate::tt::{self, Entry};

/// A power of two, large enough that the replies of one search seldom collide.
const SLOTS: usize = 1 << 14;

/// Which move at which ply. Every part has bits of its own, so two keys are equal only if all parts are.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Key(u32);

#[derive(Clone, Copy, Default)]
struct Slot {
    key: Key,
    reply: Option<Move>,
}

pub(super) struct Replies {
    slots: Box<[Slot]>,
    /// The root to which the refutations belong.
    root: u64,
    /// Root moves and the best replies to them.
    refutations: Vec<(Move, Move)>,
}

impl Replies {
    pub(super) fn new() -> Replies {
        Replies { slots: vec![Slot::default(); SLOTS].into(), root: 0, refutations: Vec::new() }
    }

    /// Starts a search of this root: forgets the refutations of another.
    pub(super) fn begin(&mut self, root: u64) {
        if self.root != root {
            self.root = root;
            self.refutations.clear();
        }
    }

    fn known(&self, key: Key) -> Option<Move> {
        let slot = self.slots[place(key)];
        slot.reply.filter(|_| slot.key == key)
    }

    fn note(&mut self, key: Key, reply: Move) {
        self.slots[place(key)] = Slot { key, reply: Some(reply) };
    }

    fn refutation(&self, root_move: Move) -> Option<Move> {
        self.refutations.iter().find(|(mv, _)| *mv == root_move).map(|&(_, reply)| reply)
    }

    fn note_refutation(&mut self, root_move: Move, reply: Move) {
        match self.refutations.iter_mut().find(|(mv, _)| *mv == root_move) {
            Some(entry) => entry.1 = reply,
            None => self.refutations.push((root_move, reply)),
        }
    }
}

fn place(key: Key) -> usize {
    splitmix(u64::from(key.0)) as usize % SLOTS
}

impl Worker<'_> {
    /// The move that led to a ply; none at the root and after a null move.
    fn key_of_last_move(&self, ply: usize) -> Option<Key> {
        let last = self.stack.before(ply, 1).mv?;
        let before = self.position.previous()?;
        let piece = before.piece_on(last.from())?.index() as u32;
        // No king is ever captured, so it can stand for no capture.
        let taken = before.captured(last).unwrap_or(PieceKind::King).index() as u32;
        Some(Key((ply as u32) << 23 | piece << 19 | taken << 16 | u32::from(last.bits())))
    }

    /// The best move the last time that the move before was played at this ply.
    pub(super) fn last_best_reply(&self, ply: usize) -> Option<Move> {
        self.histories.lab.replies.known(self.key_of_last_move(ply)?)
    }

    /// The move that refuted the root move being searched in the iteration before.
    fn refutation(&self) -> Option<Move> {
        self.histories.lab.replies.refutation(self.stack.at(0).mv?)
    }

    /// Puts the refutation of the root move being searched into the hash table, if that has lost it.
    pub(super) fn suggest_refutation(&self) {
        let table = self.shared.table;
        let key = tt::key(&self.position);
        let known = table.probe(key, 1, self.position.halfmove_clock());
        if known.is_none()
            && let Some(mv) = self.refutation()
        {
            table.store(key, 1, Entry { mv: Some(mv), ..Entry::of_evaluation(score::NONE, false) });
        }
    }

    /// Stores the best move of a node as the reply to the move before it.
    pub(super) fn note_reply(&mut self, best: Option<Move>, ply: usize) {
        let (Some(best), Some(key)) = (best, self.key_of_last_move(ply)) else { return };
        let root_move = self.stack.at(0).mv;
        let replies = &mut self.histories.lab.replies;
        replies.note(key, best);
        if let (1, Some(root_move)) = (ply, root_move) {
            replies.note_refutation(root_move, best);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::fixture::{find, with_worker};

    #[test]
    fn a_reply_is_known_for_exactly_the_same_move_at_the_same_ply() {
        // Both knights reach d2, and the rook takes on d5 what the queen could take too.
        let fen = "4k3/8/8/Q2p4/8/1N3N2/8/3RK3 w - - 0 1";
        with_worker(fen, |worker| {
            let after = |worker: &mut Worker<'_>, first: &str, reply: Option<&str>| {
                let mv = find(worker, first);
                worker.make(mv, 0);
                if let Some(reply) = reply {
                    let reply = find(worker, reply);
                    worker.note_reply(Some(reply), 1);
                }
                let known = worker.last_best_reply(1).map(|mv| mv.uci(false));
                worker.position.unmake();
                known
            };
            assert_eq!(after(worker, "b3d2", None), None);
            assert_eq!(after(worker, "b3d2", Some("d5d4")).as_deref(), Some("d5d4"));
            assert_eq!(after(worker, "f3d2", None), None, "another piece of the same kind came from another square");
            assert_eq!(after(worker, "d1d5", Some("e8e7")).as_deref(), Some("e8e7"));
            assert_eq!(after(worker, "a5d5", None), None, "another piece took");
            assert_eq!(after(worker, "b3d2", None).as_deref(), Some("d5d4"), "still known");
            assert_eq!(after(worker, "b3d2", Some("e8f8")).as_deref(), Some("e8f8"), "the last one counts");

            // The same move at another ply is another move.
            let mv = find(worker, "b3d2");
            worker.make(mv, 2);
            assert_eq!(worker.last_best_reply(3), None);
            worker.position.unmake();
        });
    }

    #[test]
    fn refutations_are_kept_by_root_move_until_the_next_search() {
        with_worker(chess::fen::START, |worker| {
            worker.histories.lab.replies.begin(worker.position.key());
            for (first, reply) in [("e2e4", "e7e5"), ("d2d4", "d7d5"), ("e2e4", "c7c5")] {
                let mv = find(worker, first);
                worker.make(mv, 0);
                let reply = find(worker, reply);
                worker.note_reply(Some(reply), 1);
                worker.position.unmake();
            }
            let known = |worker: &mut Worker<'_>, first: &str| {
                let mv = find(worker, first);
                worker.make(mv, 0);
                worker.position.unmake();
                worker.refutation().map(|mv| mv.uci(false))
            };
            assert_eq!(known(worker, "e2e4").as_deref(), Some("c7c5"));
            assert_eq!(known(worker, "d2d4").as_deref(), Some("d7d5"));
            assert_eq!(known(worker, "g1f3"), None);
            // The hash table gets what it lost, and nothing else.
            let mv = find(worker, "e2e4");
            worker.make(mv, 0);
            worker.suggest_refutation();
            let key = tt::key(&worker.position);
            let hit = worker.shared.table.probe(key, 1, worker.position.halfmove_clock()).expect("an entry");
            assert_eq!((hit.mv, hit.score, hit.bound), (Some(find(worker, "c7c5")), score::NONE, None));
            worker.position.unmake();

            let root = worker.position.key();
            worker.histories.lab.replies.begin(root);
            worker.histories.lab.replies.begin(root ^ 1);
            assert_eq!(known(worker, "e2e4"), None);
        });
    }
}
