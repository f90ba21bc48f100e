//! Random words for position keys, the same in every build.

use crate::types::{Bitboard, File, Piece, Square};

/// One step of SplitMix64: a good word for each counter value. Public so that tests and tools share one generator.
#[must_use]
pub const fn splitmix(state: u64) -> u64 {
    let mut word = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

struct Words {
    pieces: [[u64; 64]; 12], // [piece][square]
    castling: [u64; 64],     // [rook square]
    en_passant: [u64; 8],    // [file]
    side: u64,
}

static WORDS: Words = WORDS_CONST;

const WORDS_CONST: Words = {
    let mut state = 0x0057_1117_a7e2;
    let mut words = Words { pieces: [[0; 64]; 12], castling: [0; 64], en_passant: [0; 8], side: 0 };
    let mut index = 0;
    while index < 12 * 64 {
        state = splitmix(state);
        words.pieces[index / 64][index % 64] = state;
        index += 1;
    }
    index = 0;
    while index < 64 {
        state = splitmix(state);
        words.castling[index] = state;
        index += 1;
    }
    index = 0;
    while index < 8 {
        state = splitmix(state);
        words.en_passant[index] = state;
        index += 1;
    }
    words.side = splitmix(state);
    words
};

#[inline]
pub(crate) fn piece(piece: Piece, square: Square) -> u64 {
    WORDS.pieces[piece.index()][square.index()]
}

/// The same for tables built at compile time.
pub(crate) const fn piece_const(piece: usize, square: usize) -> u64 {
    WORDS_CONST.pieces[piece][square]
}

#[inline]
pub(crate) fn castling(rooks: Bitboard) -> u64 {
    rooks.into_iter().fold(0, |key, rook| key ^ WORDS.castling[rook.index()])
}

#[inline]
pub(crate) fn en_passant(file: File) -> u64 {
    WORDS.en_passant[file.index()]
}

#[inline]
pub(crate) fn side() -> u64 {
    WORDS.side
}

/// The word for the side to move, for tables built at compile time.
pub(crate) const SIDE_CONST: u64 = WORDS_CONST.side;
