//! Every reversible move by the change it makes to the key, in a cuckoo hash table built at compile time.
//!
//! Two positions of the game that are one move apart differ by exactly the keys of that move. So one table lookup per
//! earlier position tells whether the side to move can return to it, with no move generated. The idea is Marcel van
//! Kervinck's.

use crate::attacks;
use crate::types::{Bitboard, Piece, PieceKind, Square};
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

/// The squares a piece reaches on an empty board; none for pawns, which never move back.
const fn reach(kind: PieceKind, from: Square) -> Bitboard {
    match kind {
        PieceKind::Pawn => Bitboard::EMPTY,
        PieceKind::Knight => attacks::knight(from),
        PieceKind::Bishop => attacks::bishop_rays(from),
        PieceKind::Rook => attacks::rook_rays(from),
        PieceKind::Queen => Bitboard(attacks::bishop_rays(from).0 | attacks::rook_rays(from).0),
        PieceKind::King => attacks::king(from),
    }
}

const fn build() -> Table {
    let mut table = Table { keys: [0; SIZE], moves: [(0, 0); SIZE] };
    let mut index = 0;
    while index < Piece::ALL.len() * 64 {
        let (piece, from) = (Piece::ALL[index / 64], Square::from_index(index));
        let targets = reach(piece.kind(), from);
        let mut higher = from.index() + 1;
        while higher < 64 {
            let to = Square::from_index(higher);
            if targets.has(to) {
                let key = zobrist::piece(piece, from) ^ zobrist::piece(piece, to) ^ zobrist::side();
                insert(&mut table, key, (from.index() as u8, higher as u8));
            }
            higher += 1;
        }
        index += 1;
    }
    table
}

/// Puts the move into its first slot; a move already there goes to its other slot, and so on until a slot is free.
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
    use crate::types::Color;

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
