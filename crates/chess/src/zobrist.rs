//! Zobrist keys, the same in every build.

use crate::types::{Bitboard, File, Piece, Square};

/// One step of SplitMix64: a good random number for each counter value. Tests and tools share it.
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

static WORDS: Words = {
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
pub(crate) const fn piece(piece: Piece, square: Square) -> u64 {
    WORDS.pieces[piece.index()][square.index()]
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
pub(crate) const fn side() -> u64 {
    WORDS.side
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::board::Board;
    use crate::types::{Color, PieceKind};

    #[test]
    fn no_word_is_zero_or_there_twice() {
        let all: Vec<_> = WORDS.pieces.iter().flatten().chain(&WORDS.castling).chain(&WORDS.en_passant).collect();
        let different: HashSet<_> = all.iter().copied().chain([&WORDS.side]).collect();
        assert_eq!(different.len(), 12 * 64 + 64 + 8 + 1);
        assert!(!different.contains(&0));
    }

    /// The XOR of the keys of all pieces that `counts` selects.
    fn sum(board: &Board, counts: impl Fn(Piece) -> bool) -> u64 {
        let piece_word = |square| board.piece_on(square).filter(|&p| counts(p)).map_or(0, |p| piece(p, square));
        Square::all().fold(0, |key, square| key ^ piece_word(square))
    }

    #[test]
    fn every_key_is_the_sum_of_its_words() {
        let mut seed = 960;
        for game in 0..30 {
            let mut board = Board::chess960(game * 31, game * 17).expect("a start position");
            for _ in 0..200 {
                assert_eq!(board.pawn_key(), sum(&board, |piece| piece.kind() == PieceKind::Pawn));
                let is_minor = |piece: Piece| matches!(piece.kind(), PieceKind::Knight | PieceKind::Bishop);
                assert_eq!(board.minor_key(), sum(&board, is_minor));
                for color in Color::ALL {
                    let counts = |piece: Piece| piece.color() == color && piece.kind() != PieceKind::Pawn;
                    assert_eq!(board.non_pawn_key(color), sum(&board, counts));
                }
                let turn = if board.side_to_move() == Color::Black { side() } else { 0 };
                let passed = board.en_passant().map_or(0, |square| en_passant(square.file()));
                assert_eq!(board.key(), sum(&board, |_| true) ^ turn ^ passed ^ castling(board.castling().rooks()));
                let moves = board.legal_moves();
                seed = splitmix(seed);
                let Some(&mv) = moves.get(seed as usize % moves.len().max(1)) else { break };
                board = board.after(mv);
            }
        }
    }
}
