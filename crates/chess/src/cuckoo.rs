//! Every reversible move by the change it makes to the key, in a cuckoo hash table built at compile time.
//!
//! Two positions of the game one move apart differ by exactly the words of that move, so whether the side to move can
//! step back into an earlier position is one table lookup per position, with no move generated. The idea is Marcel van
//! Kervinck's.

use crate::types::Square;
use crate::zobrist;

const SIZE: usize = 8192;

struct Table {
    keys: [u64; SIZE],
    moves: [(u8, u8); SIZE],
}

static TABLE: Table = build();

const fn first_slot(key: u64) -> usize {
    (key & (SIZE as u64 - 1)) as usize
}

const fn second_slot(key: u64) -> usize {
    (key >> 16 & (SIZE as u64 - 1)) as usize
}

/// The squares a piece of this kind (1 knight … 5 king) reaches on an empty board.
const fn reach(kind: usize, square: usize) -> u64 {
    use crate::attacks::constant::{BISHOP, KING, KNIGHT, ROOK};
    match kind {
        1 => KNIGHT[square].0,
        2 => BISHOP[square].0,
        3 => ROOK[square].0,
        4 => BISHOP[square].0 | ROOK[square].0,
        _ => KING[square].0,
    }
}

const fn build() -> Table {
    let mut table = Table { keys: [0; SIZE], moves: [(0, 0); SIZE] };
    let mut piece = 2; // pawns never step back
    while piece < 12 {
        let mut from = 0;
        while from < 64 {
            let targets = reach(piece / 2, from);
            let mut to = from + 1;
            while to < 64 {
                if targets >> to & 1 != 0 {
                    let key = zobrist::piece_const(piece, from) ^ zobrist::piece_const(piece, to) ^ zobrist::SIDE_CONST;
                    insert(&mut table, key, (from as u8, to as u8));
                }
                to += 1;
            }
            from += 1;
        }
        piece += 1;
    }
    table
}

/// Puts the move into its first slot; whoever was there moves to its own other slot, and so on until one is free.
const fn insert(table: &mut Table, mut key: u64, mut mv: (u8, u8)) {
    let mut slot = first_slot(key);
    loop {
        (table.keys[slot], key) = (key, table.keys[slot]);
        (table.moves[slot], mv) = (mv, table.moves[slot]);
        if key == 0 {
            break;
        }
        slot = first_slot(key) + second_slot(key) - slot;
    }
}

/// The two squares of the reversible move that changes a key by `difference`, if there is one.
#[inline]
pub(crate) fn find(difference: u64) -> Option<(Square, Square)> {
    let slot = [first_slot(difference), second_slot(difference)]
        .into_iter()
        .find(|&slot| TABLE.keys[slot] == difference && difference != 0)?;
    let (from, to) = TABLE.moves[slot];
    Some((Square::from_index(usize::from(from)), Square::from_index(usize::from(to))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attacks;
    use crate::types::{Bitboard, Color, Piece, PieceKind};

    #[test]
    fn holds_every_reversible_move_and_no_other() {
        assert_eq!(TABLE.keys.iter().filter(|&&key| key != 0).count(), 3668);
        for piece in Piece::ALL.into_iter().filter(|piece| piece.kind() != PieceKind::Pawn) {
            for from in Square::all() {
                for to in attacks::of(piece.kind(), Color::White, from, Bitboard::EMPTY) {
                    let key = zobrist::piece(piece, from) ^ zobrist::piece(piece, to) ^ zobrist::side();
                    let ends = find(key).map(|(a, b)| a.bitboard() | b.bitboard());
                    assert_eq!(ends, Some(from.bitboard() | to.bitboard()));
                }
            }
        }
        assert_eq!(find(0), None);
        assert_eq!(find(zobrist::side()), None);
    }
}
