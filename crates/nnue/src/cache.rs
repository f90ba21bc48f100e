//! For each perspective, one side's accumulator of the last board seen in it ("Finny tables"). When a king move changes
//! the perspective, the accumulator is refreshed from that board's: two boards of one search differ by few pieces,
//! fewer than there are on either. The policy, which few nodes ask for, has no other accumulator.

use chess::{Bitboard, Board, Color, Piece};

use crate::arch::KING_BUCKETS;
use crate::block::Block;
use crate::features::Perspective;
use crate::simd;

pub(crate) struct Cache {
    pieces: Vec<[Bitboard; 12]>, // [way][piece]
    sums: Vec<Block>,            // [way][neuron]
}

/// The perspectives: two sides, mirrored or not, each king bucket.
const WAYS: usize = 2 * 2 * KING_BUCKETS;

/// No board has more pieces, so no more can be added or removed.
const MAX_CHANGES: usize = 32;

impl Cache {
    /// Starts every perspective with the empty board, whose accumulator is the biases.
    pub(crate) fn new(biases: &[Block]) -> Cache {
        Cache { pieces: vec![[Bitboard::EMPTY; 12]; WAYS], sums: biases.repeat(WAYS) }
    }

    /// Writes the accumulator of a side to `to`, and keeps it. The rows are those of the layer of the biases.
    pub(crate) fn refresh(&mut self, rows: &[Block], board: &Board, color: Color, to: &mut [Block]) {
        let perspective = Perspective::of(board, color);
        let way = (perspective.bucket() * 2 + usize::from(perspective.is_mirrored())) * 2 + color.index();
        let mut added = Changes::new();
        let mut removed = Changes::new();
        for (piece, before) in Piece::ALL.into_iter().zip(&mut self.pieces[way]) {
            let now = board.pieces(piece.color(), piece.kind());
            (now - *before).into_iter().for_each(|square| added.push(perspective.index(piece, square)));
            (*before - now).into_iter().for_each(|square| removed.push(perspective.index(piece, square)));
            *before = now;
        }
        let blocks = to.len();
        let kept = &mut self.sums[way * blocks..][..blocks];
        simd::update_many(kept, to, rows, added.list(), removed.list());
    }
}

/// A short list of features.
struct Changes {
    features: [usize; MAX_CHANGES],
    count: usize,
}

impl Changes {
    fn new() -> Changes {
        Changes { features: [0; MAX_CHANGES], count: 0 }
    }

    fn push(&mut self, feature: usize) {
        self.features[self.count] = feature;
        self.count += 1;
    }

    fn list(&self) -> &[usize] {
        &self.features[..self.count]
    }
}
