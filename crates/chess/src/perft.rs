//! Perft: counts the leaves of the tree of legal moves, the classic test and benchmark of move generation.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::thread;

use crate::board::Board;
use crate::types::Move;
use crate::zobrist::splitmix;

/// The number of move sequences of this length. The last ply is counted, not played. It never overflows in practice.
#[must_use]
pub fn perft(board: &Board, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => board.count_legal_moves() as u64,
        _ => board.legal_moves().iter().map(|&mv| perft(&board.after(mv), depth - 1)).sum(),
    }
}

/// The same with every move played: the slow twin, which also exercises the last ply's `make`.
#[must_use]
pub fn perft_unbulked(board: &Board, depth: u32) -> u64 {
    match depth {
        0 => 1,
        _ => board.legal_moves().iter().map(|&mv| perft_unbulked(&board.after(mv), depth - 1)).sum(),
    }
}

/// The count below each legal move.
#[must_use]
pub fn divide(board: &Board, depth: u32) -> Vec<(Move, u64)> {
    let below = |&mv: &Move| (mv, if depth == 0 { 0 } else { perft(&board.after(mv), depth - 1) });
    board.legal_moves().iter().map(below).collect()
}

/// Why a count with a hash table failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PerftError {
    /// There is no memory for a table of this many megabytes.
    Memory(usize),
    /// With a table, depths can be reached whose counts overflow.
    Overflow,
}

impl fmt::Display for PerftError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory(megabytes) => write!(f, "there is no memory for a hash table of {megabytes} megabytes"),
            Self::Overflow => f.write_str("the count below a move does not fit into 64 bits; take a smaller depth"),
        }
    }
}

impl std::error::Error for PerftError {}

/// The count below each legal move, by several threads that share a hash table of this many megabytes. The calling
/// thread is one of them; if the system refuses others, fewer do the work.
pub fn divide_hashed(
    board: &Board,
    depth: u32,
    threads: usize,
    megabytes: usize,
) -> Result<Vec<(Move, u64)>, PerftError> {
    if depth < 3 {
        return Ok(divide(board, depth));
    }
    let table = Table::new(megabytes).ok_or(PerftError::Memory(megabytes))?;
    let counts: Vec<_> = board.legal_moves().iter().map(|&mv| (mv, AtomicU64::new(0))).collect();
    // A task is a pair of moves: small enough that no thread waits long for another.
    let tasks: Vec<_> = counts
        .iter()
        .flat_map(|(mv, count)| {
            let next = board.after(*mv);
            next.legal_moves().iter().map(|&reply| (next.after(reply), count)).collect::<Vec<_>>()
        })
        .collect();
    let next_task = AtomicUsize::new(0);
    let overflowed = AtomicBool::new(false);
    let work = || {
        while let Some((board, count)) = tasks.get(next_task.fetch_add(1, Relaxed)) {
            let below = table.perft(board, depth - 2);
            let add = |sum: u64| sum.checked_add(below?);
            if count.fetch_update(Relaxed, Relaxed, add).is_err() {
                overflowed.store(true, Relaxed);
                next_task.store(tasks.len(), Relaxed);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
    if overflowed.into_inner() {
        return Err(PerftError::Overflow);
    }
    Ok(counts.into_iter().map(|(mv, count)| (mv, count.into_inner())).collect())
}

/// Counts by position and depth, shared without locks: the stored key is XORed with the count, so an entry torn by two
/// writers matches no position.
struct Table {
    entries: Vec<[AtomicU64; 2]>, // key ^ count, count
}

impl Table {
    fn new(megabytes: usize) -> Option<Table> {
        let count = megabytes.max(1).checked_mul((1 << 20) / size_of::<[AtomicU64; 2]>())?;
        let mut entries = Vec::new();
        entries.try_reserve_exact(count).ok()?;
        entries.resize_with(count, Default::default);
        Some(Table { entries })
    }

    /// The count; none if it overflows.
    fn perft(&self, board: &Board, depth: u32) -> Option<u64> {
        if depth <= 1 {
            return Some(perft(board, depth));
        }
        // The same position at two depths needs two entries.
        let key = board.key() ^ splitmix(depth.into());
        let index = (u128::from(key) * self.entries.len() as u128) >> 64;
        let [mixed, stored] = &self.entries[index as usize];
        let known = stored.load(Relaxed);
        if mixed.load(Relaxed) ^ known == key {
            return Some(known);
        }
        let moves = board.legal_moves();
        let below = |sum: u64, &mv: &Move| sum.checked_add(self.perft(&board.after(mv), depth - 1)?);
        let count = moves.iter().try_fold(0, below)?;
        mixed.store(key ^ count, Relaxed);
        stored.store(count, Relaxed);
        Some(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    #[test]
    fn all_ways_of_counting_agree() {
        let board: Board = KIWIPETE.parse().expect("a valid FEN");
        for (depth, count) in [(0, 1), (1, 48), (2, 2039), (3, 97_862), (4, 4_085_603)] {
            assert_eq!(perft(&board, depth), count);
            assert_eq!(perft_unbulked(&board, depth), count);
            if depth > 0 {
                assert_eq!(divide(&board, depth).iter().map(|&(_, below)| below).sum::<u64>(), count);
                assert_eq!(divide_hashed(&board, depth, 2, 1), Ok(divide(&board, depth)));
            }
        }
    }

    #[test]
    fn what_cannot_be_counted_is_an_error() {
        let kings: Board = "4k3/8/8/8/8/8/8/4K3 w - - 0 1".parse().expect("a valid FEN");
        assert!(divide_hashed(&kings, 20, 2, 8).is_ok());
        assert_eq!(divide_hashed(&kings, 60, 2, 8), Err(PerftError::Overflow));
        for megabytes in [usize::MAX >> 21, usize::MAX] {
            assert_eq!(divide_hashed(&kings, 3, 1, megabytes), Err(PerftError::Memory(megabytes)));
        }
    }
}
