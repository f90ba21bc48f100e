//! The kernels, for any machine.

use chess::{Bitboard, Color, Square};

use super::{Asked, Vector};
use crate::arch::{DENSE_1, DENSE_2, QD, QX};
use crate::block::{Block, LANES};
use crate::dense::Upper;

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
    // Two rows for each relation: the view that owns it reads the first.
    let rows = rows.as_chunks::<2>().0;
    for &relation in list {
        let rows = &rows[usize::from(relation >> 1)];
        let own = (usize::from(relation) ^ us.index()) & 1;
        added[0] = added[0].plus(V::load(&rows[own]));
        added[1] = added[1].plus(V::load(&rows[own ^ 1]));
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

#[inline(always)]
pub(super) fn list_facts<const COUNT: usize>(
    facts: &[(Bitboard, u8); COUNT],
    asked: &Asked,
    list: &mut [u16],
) -> usize {
    let number = |square: Square, &(set, number): &(Bitboard, u8)| u16::from(number) * u16::from(set.has(square));
    let count = asked.squares.len().min(list.len());
    for (slot, square) in list.iter_mut().zip(asked.squares) {
        let sum: u16 = facts.iter().map(|fact| number(square, fact)).sum();
        *slot = (asked.first + sum) * 2 + u16::from(asked.black.has(square));
    }
    count
}

/// The second and third dense layer.
#[inline(always)]
pub(super) fn conclude(upper: &Upper, first: &[i32; DENSE_1]) -> f32 {
    // Loops over whole arrays, one fact at a time, become vector instructions.
    let mut numbers = [0.0; DENSE_1];
    for lane in 0..DENSE_1 {
        numbers[lane] = first[lane] as f32 * (1.0 / (QX * QD) as f32);
    }
    let (mut squared, mut clipped) = ([0.0; DENSE_1], [0.0; DENSE_1]);
    for lane in 0..DENSE_1 {
        squared[lane] = at_most_one(numbers[lane] * numbers[lane]);
    }
    for lane in 0..DENSE_1 {
        clipped[lane] = clip(numbers[lane]);
    }
    // Four sums, so that none waits for another.
    let mut sums = [upper.biases_2, [0.0; DENSE_2], [0.0; DENSE_2], [0.0; DENSE_2]];
    let (for_squared, for_clipped) = upper.weights_2.split_at(DENSE_1);
    for index in (0..DENSE_1).step_by(2) {
        for lane in 0..DENSE_2 {
            sums[0][lane] += squared[index] * for_squared[index][lane];
            sums[1][lane] += clipped[index] * for_clipped[index][lane];
            sums[2][lane] += squared[index + 1] * for_squared[index + 1][lane];
            sums[3][lane] += clipped[index + 1] * for_clipped[index + 1][lane];
        }
    }
    let [a, b, c, d] = sums;
    let mut second = [0.0; DENSE_2];
    for lane in 0..DENSE_2 {
        second[lane] = clip((a[lane] + b[lane]) + (c[lane] + d[lane]));
    }
    // Sixteen sums, then their sum, pair by pair.
    let mut sums = [0.0; DENSE_1];
    for lane in 0..DENSE_1 {
        sums[lane] = numbers[lane] * upper.weights_3[DENSE_2 + lane];
    }
    for (part, weights) in second.as_chunks::<DENSE_1>().0.iter().zip(upper.weights_3.as_chunks::<DENSE_1>().0) {
        for lane in 0..DENSE_1 {
            sums[lane] += part[lane] * weights[lane];
        }
    }
    let sums: [f32; 8] = halved(&sums);
    let sums: [f32; 4] = halved(&sums);
    let sums: [f32; 2] = halved(&sums);
    upper.bias_3 + (sums[0] + sums[1])
}

// Comparisons, which unlike `min` and `clamp` need not care for numbers that are none.
#[inline(always)]
fn at_most_one(number: f32) -> f32 {
    if number < 1.0 { number } else { 1.0 }
}

#[inline(always)]
fn clip(number: f32) -> f32 {
    at_most_one(if number > 0.0 { number } else { 0.0 })
}

/// The sums of the numbers of the first half and those of the second.
#[inline(always)]
fn halved<const HALF: usize, const WHOLE: usize>(numbers: &[f32; WHOLE]) -> [f32; HALF] {
    const { assert!(2 * HALF == WHOLE) };
    let mut sums = [0.0; HALF];
    for lane in 0..HALF {
        sums[lane] = numbers[lane] + numbers[lane + HALF];
    }
    sums
}
