//! How far the static evaluation has been wrong in positions like this one, learned from what search found.
//!
//! Four views of "like this one": the same pawns, the same minor pieces, the same pieces of either side, and the same two
//! last moves.

use chess::{Board, Color};

use super::history::{Entry, PieceTo};
use super::params;

const SIZE: usize = 16_384;
const MAX: i32 = 1024;

type Table = Box<[[Entry<MAX>; SIZE]]>; // [side][key]

pub(crate) struct Corrections {
    pawns: Table,
    minors: Table,
    non_pawns: [Table; 2],                             // [color of the pieces]
    continuation: Box<[[Entry<MAX>; PieceTo::COUNT]]>, // [earlier move][last move]
}

/// The last two moves: what the continuation view goes by.
pub(crate) type LastMoves = [Option<PieceTo>; 2];

impl Corrections {
    pub(crate) fn new() -> Corrections {
        let table = || vec![[Entry::default(); SIZE]; 2].into_boxed_slice();
        Corrections {
            pawns: table(),
            minors: table(),
            non_pawns: [table(), table()],
            continuation: vec![[Entry::default(); PieceTo::COUNT]; PieceTo::COUNT].into_boxed_slice(),
        }
    }

    /// What to add to the static evaluation of the side to move.
    #[inline]
    pub(crate) fn correction(&self, board: &Board, last: LastMoves) -> i32 {
        if !params::correction_history() {
            return 0;
        }
        let side = board.side_to_move().index();
        let at = |table: &Table, key: u64| table[side][key as usize % SIZE].get();
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
        let at = |table: &mut Table, key: u64| table[side][key as usize % SIZE].update(bonus);
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
