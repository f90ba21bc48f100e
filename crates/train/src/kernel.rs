//! The innermost loops. They are plain Rust over arrays of fixed size, which the compiler turns into vector instructions.
//!
//! Sums over neurons run in sixteen lanes: floating-point addition is not associative, so the compiler may not split a single
//! sum by itself.

use super::net::TILE;

/// Sums that run side by side.
const LANES: usize = 16;

/// As many neurons as are computed together.
pub(crate) type Tile = [f32; TILE];

/// Views numbers as tiles; their count is a multiple of a tile's.
#[inline]
#[must_use]
pub(crate) fn tiles(numbers: &[f32]) -> &[Tile] {
    numbers.as_chunks().0
}

/// Views numbers as tiles that can be changed.
#[inline]
#[must_use]
pub(crate) fn tiles_mut(numbers: &mut [f32]) -> &mut [Tile] {
    numbers.as_chunks_mut().0
}

/// A tile plus the tiles of a list that the indices name, each index multiplied by the stride and offset.
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

/// Sixteen part sums of squared, clipped neurons times their weights.
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

/// Sends the slope of the output back through a tile: the slopes of the weights are added up, the neurons are replaced by
/// their own slopes.
#[inline]
pub(crate) fn send_back(slope: f32, neurons: &mut Tile, weights: &Tile, weight_slopes: &mut Tile) {
    for index in 0..TILE {
        let neuron = neurons[index];
        let clipped = neuron.clamp(0.0, 1.0);
        weight_slopes[index] += slope * clipped * clipped;
        // Below zero the clipped neuron is zero and so is its slope; only the upper end must be asked for.
        let inner = slope * 2.0 * clipped * weights[index];
        neurons[index] = if neuron < 1.0 { inner } else { 0.0 };
    }
}
