//! Perft: counts the leaves of the tree of legal moves, the classical proof and benchmark of move generation.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::thread;

use crate::board::Board;
use crate::types::Move;

/// The number of move sequences of this length. The last ply is counted, not played.
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

/// The count below each legal move, by several threads that share a hash table of this many megabytes.
#[must_use]
pub fn divide_hashed(board: &Board, depth: u32, threads: usize, megabytes: usize) -> Vec<(Move, u64)> {
    if depth < 3 {
        return divide(board, depth);
    }
    let table = Table::new(megabytes);
    let counts: Vec<_> = board.legal_moves().iter().map(|&mv| (mv, AtomicU64::new(0))).collect();
    // A task is a pair of moves: fine enough that no thread waits long for another.
    let tasks: Vec<_> = counts
        .iter()
        .flat_map(|(mv, count)| {
            let next = board.after(*mv);
            next.legal_moves().iter().map(|&reply| (next.after(reply), count)).collect::<Vec<_>>()
        })
        .collect();
    let next_task = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                while let Some((board, count)) = tasks.get(next_task.fetch_add(1, Relaxed)) {
                    count.fetch_add(table.perft(board, depth - 2), Relaxed);
                }
            });
        }
    });
    counts.into_iter().map(|(mv, count)| (mv, count.into_inner())).collect()
}

/// Counts by position and depth, shared without locks: the stored key is mixed with the data, so an entry torn by two
/// writers fits no position.
struct Table {
    entries: Vec<[AtomicU64; 2]>, // key ^ data, data
}

impl Table {
    fn new(megabytes: usize) -> Table {
        let count = (megabytes.max(1) << 20) / size_of::<[AtomicU64; 2]>();
        Table { entries: (0..count).map(|_| Default::default()).collect() }
    }

    fn perft(&self, board: &Board, depth: u32) -> u64 {
        const DEPTH_BITS: u32 = 8;
        if depth <= 1 {
            return perft(board, depth);
        }
        let key = board.key();
        let index = (u128::from(key) * self.entries.len() as u128) >> 64;
        let entry = &self.entries[index as usize];
        let data = entry[1].load(Relaxed);
        if entry[0].load(Relaxed) ^ data == key && data & 0xff == u64::from(depth) {
            return data >> DEPTH_BITS;
        }
        let count: u64 = board.legal_moves().iter().map(|&mv| self.perft(&board.after(mv), depth - 1)).sum();
        if count < 1 << (64 - DEPTH_BITS) {
            let data = count << DEPTH_BITS | u64::from(depth & 0xff);
            entry[0].store(key ^ data, Relaxed);
            entry[1].store(data, Relaxed);
        }
        count
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
                let hashed = divide_hashed(&board, depth, 2, 1);
                assert_eq!(hashed, divide(&board, depth));
            }
        }
    }
}
