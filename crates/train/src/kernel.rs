//! The innermost loops, in plain Rust over arrays of fixed size, which the compiler turns into vector instructions.
//!
//! Sums over neurons run in sixteen lanes: floating-point addition is not associative, so the compiler may not split a
//! single sum.

use super::net::TILE;

/// How many partial sums run in parallel.
pub(crate) const LANES: usize = 16;

/// The neurons that are computed together.
pub(crate) type Tile = [f32; TILE];

/// Views a slice as tiles; its length is a multiple of the tile's.
#[inline]
#[must_use]
pub(crate) fn tiles(numbers: &[f32]) -> &[Tile] {
    numbers.as_chunks().0
}

/// Views a slice as mutable tiles.
#[inline]
#[must_use]
pub(crate) fn tiles_mut(numbers: &mut [f32]) -> &mut [Tile] {
    numbers.as_chunks_mut().0
}

/// A tile plus the tiles of `list` at `index * stride + offset` for each index.
#[inline]
pub(crate) fn add_rows(start: &Tile, list: &[Tile], indices: &[u16], stride: usize, offset: usize) -> Tile {
    let mut sum = *start;
    for &index in indices {
        let row = &list[usize::from(index) * stride + offset];
        for (sum, number) in sum.iter_mut().zip(row) {
            *sum += number;
        }
    }
    sum
}

/// Adds squared, clipped neurons times their weights to sixteen partial sums.
#[inline]
pub(crate) fn add_activated(sums: &mut [f32; LANES], neurons: &Tile, weights: &Tile) {
    let (neurons, weights) = (neurons.as_chunks::<LANES>().0, weights.as_chunks::<LANES>().0);
    for (neurons, weights) in neurons.iter().zip(weights) {
        for lane in 0..LANES {
            let clipped = neurons[lane].clamp(0.0, 1.0);
            sums[lane] += clipped * clipped * weights[lane];
        }
    }
}

/// Backpropagates the output's gradient through a tile: adds up the gradients of the weights and replaces the neurons
/// by their own gradients.
#[inline]
pub(crate) fn send_back(slope: f32, neurons: &mut Tile, weights: &Tile, weight_slopes: &mut Tile) {
    for index in 0..TILE {
        let neuron = neurons[index];
        let clipped = neuron.clamp(0.0, 1.0);
        weight_slopes[index] += slope * clipped * clipped;
        // Below zero the clipped neuron is zero and so is its gradient; only the upper end needs a check.
        let inner = slope * 2.0 * clipped * weights[index];
        neurons[index] = if neuron < 1.0 { inner } else { 0.0 };
    }
}
