//! The accumulators of every ply of a line, updated lazily: only when a value is needed.
//!
//! Making a move only records which pieces were removed and added. Evaluation walks back to the last ply whose
//! accumulator is known and applies what was recorded since. If a king move changed its side's perspective on the way,
//! that side's accumulator is refreshed, not from scratch but from the last board seen in that perspective; see
//! `cache.rs`.

use std::sync::Arc;

use chess::{Board, Color, Observer, Piece, PieceKind, Square};

use crate::arch::{self, QUANTILES};
use crate::block::{Block, LANES};
use crate::cache::Cache;
use crate::dense::Structures;
use crate::features::Perspective;
use crate::network::{Network, Output};
use crate::simd;

/// What a move changed, and which accumulators of the board after it are known.
#[derive(Clone, Copy)]
struct Ply {
    removed: [(Piece, Square); 2],
    added: [(Piece, Square); 2],
    removals: u8,
    additions: u8,
    /// Whether the move changed the side's perspective. [color]
    turned: [bool; 2],
    /// Whether the side's accumulator is that of this board. [color]
    known: [bool; 2],
}

const UNCHANGED: Ply = Ply {
    removed: [(Piece::WhitePawn, Square::A1); 2],
    added: [(Piece::WhitePawn, Square::A1); 2],
    removals: 0,
    additions: 0,
    turned: [false; 2],
    known: [false; 2],
};

/// Records the pieces that a move removes and adds.
pub struct Recorder<'a>(&'a mut Ply);

impl Observer for Recorder<'_> {
    #[inline]
    fn removed(&mut self, piece: Piece, square: Square) {
        let ply = &mut *self.0;
        ply.removed[usize::from(ply.removals & 1)] = (piece, square);
        ply.removals += 1;
    }

    #[inline]
    fn added(&mut self, piece: Piece, square: Square) {
        let ply = &mut *self.0;
        ply.added[usize::from(ply.additions & 1)] = (piece, square);
        ply.additions += 1;
        if piece.kind() == PieceKind::King {
            let color = piece.color();
            // All removals have been recorded by now.
            let from = ply.removed.iter().find(|(removed, _)| *removed == piece).map_or(square, |&(_, from)| from);
            ply.turned[color.index()] = Perspective::new(color, from) != Perspective::new(color, square);
        }
    }
}

/// The accumulators of both sides for every ply of a line.
pub struct Accumulators {
    network: Arc<Network>,
    blocks: usize, // of one side's sums
    plies: Vec<Ply>,
    sums: Vec<Block>, // [ply][color][neuron]
    cache: Cache,
    structures: Structures,
}

impl Accumulators {
    /// Room for lines of `plies` plies after the first board, which [`reset`](Self::reset) sets.
    #[must_use]
    pub fn new(network: Arc<Network>, plies: usize) -> Accumulators {
        let blocks = network.hidden() / LANES;
        let count = plies + 1;
        Accumulators {
            blocks,
            plies: vec![UNCHANGED; count],
            sums: vec![Block::ZERO; count * 2 * blocks],
            cache: Cache::new(network.biases()),
            structures: Structures::new(network.output()),
            network,
        }
    }

    /// The network to which they belong.
    #[must_use]
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Sets the board of ply 0, at which all lines begin.
    pub fn reset(&mut self, board: &Board) {
        self.plies[0] = UNCHANGED;
        for color in Color::ALL {
            self.refresh(board, color, 0);
        }
    }

    /// Records the move from `ply` to the next: pass the result to [`Board::play_with`]. Forgets what was known of that
    /// ply. Must be called for a null move too, though nothing is recorded then.
    #[inline]
    pub fn record(&mut self, ply: usize) -> Recorder<'_> {
        let next = &mut self.plies[ply + 1];
        *next = UNCHANGED;
        Recorder(next)
    }

    /// Prefetches what the value of a board will need.
    #[inline]
    pub fn prefetch(&self, board: &Board) {
        self.structures.prefetch(board);
    }

    /// The value of a board in centipawns for the side to move. The recorded moves must lead to this board.
    #[must_use]
    pub fn evaluate(&mut self, board: &Board, ply: usize) -> i32 {
        for color in Color::ALL {
            self.update(board, color, ply);
            debug_assert!(self.are_of(board, color, ply), "the moves recorded do not lead to {board}");
        }
        let bucket = arch::output_bucket(board.occupied().len());
        let us = board.side_to_move();
        let side = |color: Color| &self.sums[(ply * 2 + color.index()) * self.blocks..][..self.blocks];
        let (own, other) = (side(us), side(us.other()));
        match self.network.output() {
            Output::Linear(linear) => {
                let (own_weights, other_weights, bias) = linear.bucket(bucket);
                arch::value(simd::weigh(own, other, own_weights, other_weights), bias, self.network.scale())
            }
            Output::Dense(dense) => {
                dense.value(board, &mut self.structures, bucket, [own, other], self.network.scale())
            }
        }
    }

    /// The quantiles of the network's confidence, if it has one; see [`Network::quantiles`]. The board must just have been
    /// evaluated.
    #[inline]
    #[must_use]
    pub fn quantiles(&self, board: &Board, ply: usize) -> Option<[i32; QUANTILES.len()]> {
        let confidence = self.network.confidence()?;
        let us = board.side_to_move();
        let blocks = arch::CONFIDENCE_INPUTS / LANES;
        let (own, other) = (&self.sums(ply, us)[..blocks], &self.sums(ply, us.other())[..blocks]);
        let bucket = arch::output_bucket(board.occupied().len());
        Some(
            confidence
                .quantiles(bucket, |own_weights, other_weights| simd::weigh(own, other, own_weights, other_weights)),
        )
    }

    /// Whether one side's accumulator of a ply is that of a board computed from scratch. Checked in debug builds.
    fn are_of(&self, board: &Board, color: Color, ply: usize) -> bool {
        let mut sums = vec![Block::ZERO; self.blocks];
        Cache::new(self.network.biases()).refresh(self.network.rows(), board, color, &mut sums);
        self.sums(ply, color) == sums
    }

    #[inline]
    fn sums(&self, ply: usize, color: Color) -> &[Block] {
        &self.sums[(ply * 2 + color.index()) * self.blocks..][..self.blocks]
    }

    /// Brings one side's accumulator of a ply up to date.
    #[inline]
    fn update(&mut self, board: &Board, color: Color, ply: usize) {
        let mut known = ply;
        loop {
            let earlier = &self.plies[known];
            if earlier.known[color.index()] {
                break;
            }
            // Ply 0 is always known, so this ends.
            if earlier.turned[color.index()] || known == 0 {
                return self.refresh(board, color, ply);
            }
            known -= 1;
        }
        let perspective = Perspective::of(board, color);
        for next in known + 1..=ply {
            self.apply(perspective, color, next);
        }
    }

    /// Computes one side's accumulator of a ply from that of the ply before.
    #[inline]
    fn apply(&mut self, perspective: Perspective, color: Color, ply: usize) {
        let blocks = self.blocks;
        let (before, here) = self.sums.split_at_mut(ply * 2 * blocks);
        let from = &before[((ply - 1) * 2 + color.index()) * blocks..][..blocks];
        let to = &mut here[color.index() * blocks..][..blocks];
        let changes = &mut self.plies[ply];
        changes.known[color.index()] = true;
        let row = |(piece, square)| self.network.row(perspective.index(piece, square));
        let ([left, also_left], [came, also_came]) = (changes.removed, changes.added);
        match (changes.additions, changes.removals) {
            (0, 0) => to.copy_from_slice(from),
            (1, 1) => simd::update(from, to, [row(came)], [row(left)]),
            (1, 2) => simd::update(from, to, [row(came)], [row(left), row(also_left)]),
            (2, 2) => simd::update(from, to, [row(came), row(also_came)], [row(left), row(also_left)]),
            _ => unreachable!("no move changes pieces in this way"),
        }
    }

    #[cold]
    fn refresh(&mut self, board: &Board, color: Color, ply: usize) {
        let to = &mut self.sums[(ply * 2 + color.index()) * self.blocks..][..self.blocks];
        self.cache.refresh(self.network.rows(), board, color, to);
        self.plies[ply].known[color.index()] = true;
    }
}
