//! The kernels, for any machine.

use super::Vector;
use crate::arch::{HEAD_1, HEAD_2, MAX_HIDDEN};
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

/// Pairs of numbers in a block.
const PAIRS: usize = LANES / 2;
/// Pairs of numbers in both accumulators.
const MAX_PAIRS: usize = MAX_HIDDEN;

/// For every byte, the places of its bits that are set, in order.
static PLACES: [[u16; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < table.len() {
        let (mut bit, mut count) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 != 0 {
                table[byte][count] = bit;
                count += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

#[inline(always)]
pub(super) fn squared_product<V: Vector>(own: &[Block], other: &[Block], weights: &[Block]) -> [i32; HEAD_1] {
    let mut squared = [Block::ZERO; 2 * MAX_HIDDEN / LANES];
    // The pairs that are not zero. Eight places are written at a time, whether or not all are needed.
    let mut list = [0_u16; MAX_PAIRS + 8];
    let mut count = 0;
    for (index, (block, to)) in own.iter().chain(other).zip(&mut squared).enumerate() {
        let lanes = V::load(block).squared();
        lanes.store(to);
        let mask = lanes.nonzero_pairs();
        for (half, byte) in mask.to_le_bytes().into_iter().enumerate() {
            let first = (index * PAIRS + half * 8) as u16;
            if let Some(to) = list[count..].first_chunk_mut::<8>() {
                *to = PLACES[usize::from(byte)].map(|place| first + place);
            }
            count += byte.count_ones() as usize;
        }
    }
    // Two sums, so that neither waits for the other.
    let mut sums = [V::zeros(); 2];
    let pairs = squared.as_slice();
    let term = |&place: &u16, sum: V::Wide| {
        let place = usize::from(place);
        let numbers = &pairs[place / PAIRS].0;
        let at = place % PAIRS * 2;
        V::load(&weights[place]).add_products([numbers[at], numbers[at + 1]], sum)
    };
    let (couples, rest) = list[..count].as_chunks::<2>();
    for [one, other] in couples {
        sums = [term(one, sums[0]), term(other, sums[1])];
    }
    for one in rest {
        sums[0] = term(one, sums[0]);
    }
    let [one, other] = sums.map(V::numbers);
    std::array::from_fn(|place| one[place] + other[place])
}

#[inline(always)]
pub(super) fn product<V: Vector>(inputs: &Block, weights: &[Block]) -> [[i32; HEAD_1]; HEAD_2 / HEAD_1] {
    let mut sums = [V::zeros(); HEAD_2 / HEAD_1];
    for (pair, rows) in inputs.0.as_chunks::<2>().0.iter().zip(weights.as_chunks::<{ HEAD_2 / HEAD_1 }>().0) {
        for (row, sum) in rows.iter().zip(&mut sums) {
            *sum = V::load(row).add_products(*pair, *sum);
        }
    }
    sums.map(V::numbers)
}
