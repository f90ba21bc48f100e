//! A position to train on, in 32 bytes: about ten million fit into memory with room to spare.
//!
//! Positions are stored from the point of view of the side to move, which is always White here. So the network's two
//! views need no case for colour, and score and result are always those of the side to move.

use chess::{Bitboard, Board, Color, IllegalBoard, Piece, Setup, Square};
use nnue::arch::output_bucket;
use nnue::features::Perspective;

/// The most pieces a board can have.
pub(crate) const MAX_PIECES: usize = 32;

/// A position with its score and result.
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

    /// The result for the side to move: 0, a half or 1.
    #[inline]
    #[must_use]
    pub fn result(&self) -> f32 {
        f32::from(self.result) * 0.5
    }

    /// The output bucket of the position.
    #[inline]
    #[must_use]
    pub(crate) fn bucket(&self) -> usize {
        output_bucket(self.occupied.len())
    }

    /// Appends the features of both views; both have equally many.
    #[inline]
    pub fn features(&self, own: &mut Vec<u16>, other: &mut Vec<u16>) {
        let [us, them] = self.kings.map(|king| Square::from_index(usize::from(king)));
        let (us, them) = (Perspective::new(Color::White, us), Perspective::new(Color::Black, them));
        for (piece, square) in self.pieces() {
            own.push(us.index(piece, square) as u16);
            other.push(them.index(piece, square) as u16);
        }
    }

    /// The pieces, from the point of view of the side to move.
    pub fn pieces(&self) -> impl Iterator<Item = (Piece, Square)> {
        self.occupied.into_iter().enumerate().map(|(place, square)| (self.piece_at(place), square))
    }

    /// The board with White to move, without castling rights, en passant and counters, which the network does not use.
    pub fn board(&self) -> Result<Board, IllegalBoard> {
        let mut setup = Setup::empty();
        for (piece, square) in self.pieces() {
            setup.pieces[square.index()] = Some(piece);
        }
        Board::try_from(setup)
    }

    /// The piece on the occupied square with this number.
    #[inline]
    fn piece_at(&self, place: usize) -> Piece {
        Piece::ALL[usize::from(self.pieces[place / 2] >> (place % 2 * 4) & 15)]
    }

    /// Mixes this sample into a running hash.
    #[must_use]
    pub(crate) fn mix_into(&self, mut sum: u64) -> u64 {
        let (words, _) = self.pieces.as_chunks::<8>();
        let rest = u64::from(self.score.cast_unsigned()) << 8 | u64::from(self.result);
        for word in [self.occupied.0, u64::from_le_bytes(words[0]), u64::from_le_bytes(words[1]), rest] {
            sum = (sum ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            sum ^= sum >> 29;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use nnue::features::active;

    use super::*;

    #[test]
    fn a_sample_is_small() {
        assert_eq!(size_of::<Sample>(), 32);
    }

    #[test]
    fn both_views_are_those_of_the_engine() {
        let mut rng = toolkit::Rng::new(3);
        for _ in 0..50 {
            let mut board = Board::start();
            for _ in 0..120 {
                let moves = board.legal_moves();
                if moves.is_empty() {
                    break;
                }
                board.play(moves[rng.below(moves.len())]);
                let sample = Sample::new(&board, -123, 2);
                let us = board.side_to_move();
                let (mut own, mut other) = (Vec::new(), Vec::new());
                sample.features(&mut own, &mut other);
                for (found, color) in [(own, us), (other, us.other())] {
                    let mut found: Vec<usize> = found.into_iter().map(usize::from).collect();
                    let mut expected: Vec<usize> = active(&board, color).collect();
                    found.sort_unstable();
                    expected.sort_unstable();
                    assert_eq!(found, expected, "{board}");
                }
                assert_eq!(sample.bucket(), output_bucket(board.occupied().len()));
                assert_eq!((sample.score(), sample.result()), (-123, 1.0));
                let again = sample.board().expect("a legal board");
                assert_eq!(Sample::new(&again, -123, 2), sample);
            }
        }
    }
}
