//! Correction history: how far the static evaluation was wrong in similar positions, learned from search scores.
//!
//! Four kinds of similarity: the same pawns, the same minor pieces, the same pieces of one side, the same two moves.

use chess::{Board, Color};

use super::history::{HistoryEntry, PieceTo};
use super::params;
use crate::memory;

const SIZE: usize = 16_384;
const MAX: i32 = 1024;

/// [key][side]: the sides take turns, so consecutive plies often find their entries side by side.
type Table = Box<[[HistoryEntry<MAX>; 2]; SIZE]>;

pub(crate) struct Corrections {
    pawns: Table,
    minors: Table,
    non_pawns: [Table; 2],                                    // [color of the pieces]
    continuation: Box<[[HistoryEntry<MAX>; PieceTo::COUNT]]>, // [earlier move][last move]
}

/// The last two moves, the index of the continuation table.
pub(crate) type LastMoves = [Option<PieceTo>; 2];

impl Corrections {
    pub(crate) fn new() -> Corrections {
        let table = || Box::new([[HistoryEntry::default(); 2]; SIZE]);
        Corrections {
            pawns: table(),
            minors: table(),
            non_pawns: [table(), table()],
            continuation: vec![[HistoryEntry::default(); PieceTo::COUNT]; PieceTo::COUNT].into_boxed_slice(),
        }
    }

    /// Prefetches what [`correction`](Self::correction) will read: the tables are too large for the nearest cache.
    #[inline]
    pub(crate) fn prefetch(&self, board: &Board, last: LastMoves) {
        let near = |table: &Table, key: u64| memory::prefetch(&table[key as usize % SIZE]);
        near(&self.pawns, board.pawn_key());
        near(&self.minors, board.minor_key());
        for color in Color::ALL {
            near(&self.non_pawns[color.index()], board.non_pawn_key(color));
        }
        if let [Some(last), Some(earlier)] = last {
            memory::prefetch(&self.continuation[earlier.index()][last.index()]);
        }
    }

    /// What to add to the static evaluation of the side to move.
    #[inline]
    pub(crate) fn correction(&self, board: &Board, last: LastMoves) -> i32 {
        if !params::correction_history() {
            return 0;
        }
        let side = board.side_to_move().index();
        let at = |table: &Table, key: u64| table[key as usize % SIZE][side].get();
        let mut sum = params::correction_pawn() * at(&self.pawns, board.pawn_key())
            + params::correction_minor() * at(&self.minors, board.minor_key());
        for color in Color::ALL {
            sum += params::correction_non_pawn() * at(&self.non_pawns[color.index()], board.non_pawn_key(color));
        }
        if let [Some(last), Some(earlier)] = last {
            sum += params::correction_continuation() * self.continuation[earlier.index()][last.index()].get();
        }
        sum / 1024
    }

    /// Learns from a search of `depth` plies that found the evaluation wrong by `error`.
    #[inline]
    pub(crate) fn update(&mut self, board: &Board, last: LastMoves, depth: i32, error: i32) {
        let bonus = (error * depth / 8).clamp(-MAX / 4, MAX / 4);
        let side = board.side_to_move().index();
        let at = |table: &mut Table, key: u64| table[key as usize % SIZE][side].update(bonus);
        at(&mut self.pawns, board.pawn_key());
        at(&mut self.minors, board.minor_key());
        for color in Color::ALL {
            at(&mut self.non_pawns[color.index()], board.non_pawn_key(color));
        }
        if let [Some(last), Some(earlier)] = last {
            self.continuation[earlier.index()][last.index()].update(bonus);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::{Piece, Square};

    fn board(fen: &str) -> Board {
        fen.parse().expect(fen)
    }

    #[test]
    fn errors_are_made_good_where_they_were_made() {
        let mut corrections = Corrections::new();
        let here = board("r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 0 5");
        assert_eq!(corrections.correction(&here, [None; 2]), 0);
        let mut last = 0;
        for _ in 0..4 {
            corrections.update(&here, [None; 2], 8, 100);
            let now = corrections.correction(&here, [None; 2]);
            assert!(now > last, "{now} {last}");
            last = now;
        }
        // Other pawns and other pieces, but White's pieces are the same: part of the correction applies.
        let similar = board("r2qk2r/pppp1pp1/2n5/2b1p2p/2B1P3/2N2N2/PPPP1PP1/R1BQK2R w KQkq - 0 5");
        assert!((1..last).contains(&corrections.correction(&similar, [None; 2])));
        let other = board("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
        assert_eq!(corrections.correction(&other, [None; 2]), 0);
        let theirs = board("r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R b KQkq - 0 5");
        assert_eq!(corrections.correction(&theirs, [None; 2]), 0, "each side has its own");
        for _ in 0..30 {
            corrections.update(&here, [None; 2], 8, -100);
        }
        assert!(corrections.correction(&here, [None; 2]) < 0);
    }

    #[test]
    fn the_last_two_moves_have_a_say_of_their_own() {
        let mut corrections = Corrections::new();
        let here = board("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
        let moves = [(Piece::BlackKing, Square::E8), (Piece::WhiteKing, Square::E1)];
        let moves = moves.map(|(piece, to)| Some(PieceTo::new(piece, to)));
        corrections.update(&here, moves, 8, 100);
        let (with, without) = (corrections.correction(&here, moves), corrections.correction(&here, [None; 2]));
        assert!(with > without && without > 0, "{with} {without}");
        let elsewhere = board("2k5/4p3/8/8/8/4N3/8/3RK3 w - - 0 1");
        let alone = corrections.correction(&elsewhere, moves);
        assert!(alone > 0 && (alone - (with - without)).abs() <= 1, "{alone} {with} {without}");
    }

    #[test]
    fn deep_searches_teach_more_and_no_search_teaches_too_much() {
        let here = board("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
        let after = |depth, error, times| {
            let mut corrections = Corrections::new();
            (0..times).for_each(|_| corrections.update(&here, [None; 2], depth, error));
            corrections.correction(&here, [None; 2])
        };
        assert!(after(12, 50, 1) > after(4, 50, 1));
        assert_eq!(after(12, 5000, 1), after(30, 5000, 1), "one search counts only so much");
        let weights = params::correction_pawn() + params::correction_minor() + 2 * params::correction_non_pawn();
        assert!(after(30, 5000, 1000) <= weights * MAX / 1024);
    }
}
