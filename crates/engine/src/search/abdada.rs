//! ABDADA, as Tom Kerrigan simplified it. Two threads at one node would search the same moves in the same order and do
//! the work twice. So a thread defers a move that another is searching: when its turn comes again, the hash table has
//! the answer.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use chess::Move;

use super::picker::Stage;

/// Shallower searches are over before another thread could benefit.
pub(crate) const DEFER_DEPTH: i32 = 4;
/// A power of two, many times the number of moves that all threads search at once.
const SLOTS: usize = 1 << 14;

/// The moves being searched, by position and move. A claim may be overwritten; that only costs some duplicate work.
pub(crate) struct Abdada {
    slots: Vec<AtomicU64>,
}

impl Abdada {
    /// A single thread gets no table.
    pub(crate) fn new(threads: usize) -> Abdada {
        let slots = if threads > 1 { SLOTS } else { 0 };
        Abdada { slots: (0..slots).map(|_| AtomicU64::new(0)).collect() }
    }

    #[inline]
    pub(crate) fn is_shared(&self) -> bool {
        !self.slots.is_empty()
    }

    /// Whether another thread is searching this move, so that it should be deferred.
    #[inline]
    pub(crate) fn defers(&self, key: u64, mv: Move) -> bool {
        let name = name(key, mv);
        self.slot(name).is_some_and(|slot| slot.load(Relaxed) == name)
    }

    #[inline]
    pub(crate) fn start(&self, key: u64, mv: Move) {
        let name = name(key, mv);
        if let Some(slot) = self.slot(name) {
            slot.store(name, Relaxed);
        }
    }

    #[inline]
    pub(crate) fn finish(&self, key: u64, mv: Move) {
        let name = name(key, mv);
        if let Some(slot) = self.slot(name)
            && slot.load(Relaxed) == name
        {
            slot.store(0, Relaxed);
        }
    }

    #[inline]
    fn slot(&self, name: u64) -> Option<&AtomicU64> {
        self.slots.get(name as usize & (SLOTS - 1))
    }
}

/// A number for a move in a position; never zero, which marks a free slot.
#[inline]
fn name(key: u64, mv: Move) -> u64 {
    (key ^ u64::from(mv.bits()).wrapping_mul(0x9E37_79B9_7F4A_7C15)) | 1 << 63
}

/// A deferred move with its move number, the picker's stage that it came from, and what the policy thinks of it.
pub(crate) type Later = (Move, usize, Stage, i32);

/// The deferred moves of a node.
pub(crate) struct Deferred {
    moves: [Option<Later>; 16],
    pushed: usize,
    popped: usize,
}

impl Deferred {
    pub(crate) fn new() -> Deferred {
        Deferred { moves: [None; 16], pushed: 0, popped: 0 }
    }

    /// Defers a move; false if there are too many already.
    #[inline]
    pub(crate) fn push(&mut self, later: Later) -> bool {
        let Some(slot) = self.moves.get_mut(self.pushed) else { return false };
        *slot = Some(later);
        self.pushed += 1;
        true
    }

    #[inline]
    pub(crate) fn pop(&mut self) -> Option<Later> {
        if self.popped == self.pushed {
            return None;
        }
        self.popped += 1;
        self.moves.get(self.popped - 1).copied().flatten()
    }
}

#[cfg(test)]
mod tests {
    use chess::{Board, MoveList};

    use super::*;

    fn moves() -> MoveList {
        Board::start().legal_moves()
    }

    #[test]
    fn a_move_is_taken_from_its_beginning_to_its_end() {
        let abdada = Abdada::new(2);
        let list = moves();
        let [first, second] = [list[0], list[1]];
        abdada.start(7, first);
        assert!(abdada.defers(7, first) && !abdada.defers(7, second) && !abdada.defers(8, first));
        abdada.finish(7, first);
        assert!(!abdada.defers(7, first));
    }

    #[test]
    fn a_single_thread_shares_nothing() {
        let abdada = Abdada::new(1);
        abdada.start(7, moves()[0]);
        assert!(!abdada.is_shared() && !abdada.defers(7, moves()[0]));
    }

    #[test]
    fn what_is_left_for_later_comes_back_in_order_and_once() {
        let mut deferred = Deferred::new();
        let list = moves();
        let taken: Vec<bool> =
            list.iter().enumerate().map(|(i, mv)| deferred.push((*mv, i + 1, Stage::Quiet, 9))).collect();
        assert_eq!(taken.iter().filter(|taken| **taken).count(), 16, "and the rest is searched at once");
        let back: Vec<_> = std::iter::from_fn(|| deferred.pop()).collect();
        let expected: Vec<_> = list.iter().take(16).enumerate().map(|(i, mv)| (*mv, i + 1, Stage::Quiet, 9)).collect();
        assert_eq!(back, expected);
        assert!(deferred.pop().is_none());
    }
}
