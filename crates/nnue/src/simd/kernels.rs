//! The kernels, for any machine.

use chess::Color;

use super::Vector;
use crate::block::{Block, LANES};

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
pub(super) fn relate<V: Vector>(
    sums: [&Block; 2],
    start: [&Block; 2],
    rows: &[Block],
    list: &[u16],
    us: Color,
) -> [Block; 2] {
    let mut added = start.map(V::load);
    let (pairs, _) = rows.as_chunks::<2>();
    // One pair of rows for each relation: the view that owns it reads the first.
    let own = us.index();
    for &relation in list {
        let pair = &pairs[usize::from(relation >> 1)];
        let owner = usize::from(relation & 1) ^ own;
        added[0] = added[0].plus(V::load(&pair[owner]));
        added[1] = added[1].plus(V::load(&pair[owner ^ 1]));
    }
    let mut related = [Block::ZERO; 2];
    for side in 0..2 {
        V::load(sums[side]).plus_within(added[side]).store(&mut related[side]);
    }
    related
}

#[inline(always)]
pub(super) fn multiply<V: Vector>(related: &Block, sums: &[Block], products: &mut [u8]) {
    let (first, second) = sums.split_at(sums.len() / 2);
    let second = &second[..first.len()];
    let products = &mut products.as_chunks_mut::<LANES>().0[..first.len()];
    for index in 0..first.len() {
        let left = if index == 0 { related } else { &first[index] };
        products[index] = V::load(left).products(V::load(&second[index]));
    }
}
