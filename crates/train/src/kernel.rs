//! The innermost loops, in plain Rust over arrays of fixed size, which the compiler turns into vector instructions.
//!
//! Sums over neurons run in sixteen lanes: floating-point addition is not associative, so the compiler may not split a
//! single sum.

use super::net::TILE;

/// How many partial sums run in parallel.
const LANES: usize = 16;

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

/// The squared, clipped neurons.
#[inline]
#[must_use]
pub(crate) fn activated(neurons: &Tile) -> Tile {
    neurons.map(|neuron| {
        let clipped = neuron.clamp(0.0, 1.0);
        clipped * clipped
    })
}

/// The sum of the products of two tiles.
#[inline]
#[must_use]
pub(crate) fn dot(one: &Tile, other: &Tile) -> f32 {
    let mut sums = [0.0; LANES];
    for (one, other) in one.as_chunks::<LANES>().0.iter().zip(other.as_chunks::<LANES>().0) {
        for lane in 0..LANES {
            sums[lane] += one[lane] * other[lane];
        }
    }
    sums.iter().sum()
}

/// Adds a multiple of a tile to another.
#[inline]
pub(crate) fn add_multiple(to: &mut Tile, factor: f32, tile: &Tile) {
    for (to, number) in to.iter_mut().zip(tile) {
        *to += factor * number;
    }
}

/// Replaces neurons by their gradients, given the gradients of their activations.
#[inline]
pub(crate) fn send_back(neurons: &mut Tile, slopes: &Tile) {
    for (neuron, slope) in neurons.iter_mut().zip(slopes) {
        // Below zero the clipped neuron is zero and so is its gradient; only the upper end needs a check.
        let inner = slope * 2.0 * neuron.clamp(0.0, 1.0);
        *neuron = if *neuron < 1.0 { inner } else { 0.0 };
    }
}
