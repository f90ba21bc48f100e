//! A position to learn from, in 32 bytes: some ten million of them fit into memory with room to spare.
//!
//! Positions are kept as the side to move sees them: it is White here, whatever it was in the game. So the network's two
//! views need no question about colors, and score and result are always those of the side to move.

use chess::{Bitboard, Board, Color, Piece, Square};
use nnue::arch::output_bucket;
use nnue::features::Perspective;

/// The most pieces there can be on a board.
pub const MAX_PIECES: usize = 32;

/// A position with what is known of its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    occupied: Bitboard,
    /// Four bits for each occupied square, the lowest square first.
    pieces: [u8; MAX_PIECES / 2],
    kings: [u8; 2],
    score: i16,
    result: u8,
}

impl Sample {
    /// A position, its score in centipawns and the half points of the game's result, both for the side to move.
    #[must_use]
    pub fn new(board: &Board, score: i16, half_points: u8) -> Sample {
        let us = board.side_to_move();
        let mut sample = Sample {
            occupied: match us {
                Color::White => board.occupied(),
                Color::Black => board.occupied().flipped(),
            },
            pieces: [0; MAX_PIECES / 2],
            kings: [us, us.other()].map(|color| board.king(color).relative_to(us).index() as u8),
            score,
            result: half_points,
        };
        for (place, square) in sample.occupied.into_iter().enumerate().take(MAX_PIECES) {
            if let Some(piece) = board.piece_on(square.relative_to(us)) {
                let owner = if piece.color() == us { Color::White } else { Color::Black };
                sample.pieces[place / 2] |= (Piece::new(owner, piece.kind()).index() as u8) << (place % 2 * 4);
            }
        }
        sample
    }

    /// The score in centipawns for the side to move.
    #[inline]
    #[must_use]
    pub fn score(&self) -> i16 {
        self.score
    }

    /// What the side to move got in the end: 0, a half or 1.
    #[inline]
    #[must_use]
    pub fn result(&self) -> f32 {
        f32::from(self.result) * 0.5
    }

    /// Which set of output weights judges the position.
    #[inline]
    #[must_use]
    pub fn bucket(&self) -> usize {
        output_bucket(self.occupied.len())
    }

    /// Appends what the side to move and what the other side sees, as many features each.
    #[inline]
    pub fn features(&self, own: &mut Vec<u16>, other: &mut Vec<u16>) {
        let [us, them] = self.kings.map(|king| Square::from_index(usize::from(king)));
        let (us, them) = (Perspective::new(Color::White, us), Perspective::new(Color::Black, them));
        for (place, square) in self.occupied.into_iter().enumerate() {
            let code = self.pieces[place / 2] >> (place % 2 * 4) & 15;
            let piece = Piece::ALL[usize::from(code)];
            own.push(us.index(piece, square) as u16);
            other.push(them.index(piece, square) as u16);
        }
    }

    /// The board, without castling rights, en passant and counters, White to move. For tools and tests: the network asks for
    /// no more.
    #[must_use]
    pub fn pieces(&self) -> impl Iterator<Item = (Piece, Square)> {
        let codes = *self;
        self.occupied.into_iter().enumerate().map(move |(place, square)| {
            (Piece::ALL[usize::from(codes.pieces[place / 2] >> (place % 2 * 4) & 15)], square)
        })
    }

    /// A number that tells lists of samples apart.
    #[must_use]
    pub fn mix_into(&self, mut sum: u64) -> u64 {
        let (words, _) = self.pieces.as_chunks::<8>();
        let rest = u64::from(self.score.cast_unsigned()) << 8 | u64::from(self.result);
        for word in [self.occupied.0, u64::from_le_bytes(words[0]), u64::from_le_bytes(words[1]), rest] {
            sum = (sum ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            sum ^= sum >> 29;
        }
        sum
    }
}
