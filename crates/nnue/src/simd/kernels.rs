//! The kernels, for any machine.

use super::{Sums, Vector};
use crate::arch::{HEAD_1, HEAD_2};
use crate::block::{Block, Row};

#[inline(always)]
pub(super) fn update<V: Vector, const ADDED: usize, const REMOVED: usize>(
    from: &[Block],
    to: &mut [Block],
    added: [&[Block]; ADDED],
    removed: [&[Block]; REMOVED],
) {
    // Equal lengths let the compiler drop the bounds checks in the loop.
    let count = to.len();
    let from = &from[..count];
    let added = added.map(|row| &row[..count]);
    let removed = removed.map(|row| &row[..count]);
    for index in 0..count {
        let mut sum = V::load(&from[index]);
        for row in added {
            sum = sum.plus(V::load(&row[index]));
        }
        for row in removed {
            sum = sum.minus(V::load(&row[index]));
        }
        sum.store(&mut to[index]);
    }
}

/// Blocks that stay in registers while all rows are added; every accumulator size is a multiple.
const TILE: usize = 4;

pub(super) fn update_many<V: Vector>(
    kept: &mut [Block],
    to: &mut [Block],
    weights: &[Block],
    added: &[usize],
    removed: &[usize],
) {
    let length = kept.len();
    let (tiles, rest) = kept.as_chunks_mut::<TILE>();
    debug_assert!(rest.is_empty());
    for (number, (tile, to)) in tiles.iter_mut().zip(to.as_chunks_mut::<TILE>().0).enumerate() {
        let mut sums = tile.each_ref().map(V::load);
        let row = |row: usize| weights[row * length + number * TILE..].first_chunk::<TILE>().into_iter().flatten();
        for &feature in added {
            sums.iter_mut().zip(row(feature)).for_each(|(sum, block)| *sum = sum.plus(V::load(block)));
        }
        for &feature in removed {
            sums.iter_mut().zip(row(feature)).for_each(|(sum, block)| *sum = sum.minus(V::load(block)));
        }
        for (sum, (kept, to)) in sums.into_iter().zip(tile.iter_mut().zip(to)) {
            sum.store(kept);
            sum.store(to);
        }
    }
}

#[inline(always)]
pub(super) fn weigh<V: Vector>(own: &[Block], other: &[Block], own_weights: &[Block], other_weights: &[Block]) -> i64 {
    let count = own.len();
    let (other, own_weights, other_weights) = (&other[..count], &own_weights[..count], &other_weights[..count]);
    // Two sums, so that neither waits for the other.
    let mut sums = [V::nothing(); 2];
    for index in 0..count {
        sums[0] = V::load(&own[index]).weigh(V::load(&own_weights[index]), sums[0]);
        sums[1] = V::load(&other[index]).weigh(V::load(&other_weights[index]), sums[1]);
    }
    V::total(sums[0]) + V::total(sums[1])
}

#[inline(always)]
pub(super) fn weigh_with_head<V: Vector>(
    own: &[Block],
    other: &[Block],
    own_weights: &[Block],
    other_weights: &[Block],
    head: &[Block],
) -> (i64, [i32; HEAD_1]) {
    let mut sum = V::nothing();
    let mut parts = [V::no_part(); HEAD_1];
    let (own_head, other_head) = head.as_chunks::<HEAD_1>().0.split_at(own.len());
    for (sums, weights, head) in [(own, own_weights, own_head), (other, other_weights, other_head)] {
        for ((block, weights), head) in sums.iter().zip(weights).zip(head) {
            let lanes = V::load(block);
            sum = lanes.weigh(V::load(weights), sum);
            let squared = lanes.squared();
            for (part, weights) in parts.iter_mut().zip(head) {
                *part = squared.add_products(V::load(weights), *part);
            }
        }
    }
    (V::total(sum), parts.map(V::whole))
}

#[inline(always)]
pub(super) fn product<S: Sums>(inputs: &[i16; 2 * HEAD_1], weights: &[Row]) -> [[i32; HEAD_1]; HEAD_2 / HEAD_1] {
    let mut sums = [S::zeros(); HEAD_2 / HEAD_1];
    for (pair, rows) in inputs.as_chunks::<2>().0.iter().zip(weights.as_chunks::<{ HEAD_2 / HEAD_1 }>().0) {
        for (row, sum) in rows.iter().zip(&mut sums) {
            *sum = sum.add_products(row, *pair);
        }
    }
    sums.map(S::numbers)
}
