//! All kernels give the same numbers, also at the extremes.

use chess::zobrist::splitmix;

use super::portable::{Plain, PlainDense};
use super::{Dense, Vector, in_order, kernels};
use crate::arch::{
    HEAD_1, HEAD_2, HIDDEN_SIZES, MAX_FIRST_WEIGHT, MAX_OUTPUT_WEIGHT, MAX_SECOND_WEIGHT, QA, QY, squared,
};
use crate::block::{Block, Bytes, INPUTS, LANES, Row, unpack};

struct Numbers(u64);

impl Numbers {
    /// Blocks of random numbers; a third of them are extremes.
    fn blocks(&mut self, count: usize, limit: i16) -> Vec<Block> {
        let mut block = || Block(std::array::from_fn(|_| self.number(limit)));
        (0..count).map(|_| block()).collect()
    }

    fn number(&mut self, limit: i16) -> i16 {
        self.0 = splitmix(self.0);
        match self.0 >> 60 {
            0 | 1 => limit,
            2 | 3 => -limit,
            4 => [0, 1, QA as i16, QA as i16 + 1, -1][self.0 as usize % 5].clamp(-limit, limit),
            _ => ((self.0 % (2 * limit as u64 + 1)) as i64 - i64::from(limit)) as i16,
        }
    }
}

fn agree<V: Vector>() {
    let mut numbers = Numbers(1);
    // Miri is slow: every size once.
    for round in 0..if cfg!(miri) { HIDDEN_SIZES.len() } else { 200 } {
        let count = HIDDEN_SIZES[round % HIDDEN_SIZES.len()] / LANES;
        let from = numbers.blocks(count, 20_000);
        let rows: Vec<_> = (0..4).map(|_| numbers.blocks(count, 3000)).collect();
        let (mut here, mut there) = (from.clone(), from.clone());
        kernels::update::<V, 2, 2>(&from, &mut here, [&rows[0], &rows[1]], [&rows[2], &rows[3]]);
        kernels::update::<Plain, 2, 2>(&from, &mut there, [&rows[0], &rows[1]], [&rows[2], &rows[3]]);
        assert_eq!(here, there);
        kernels::update::<V, 1, 2>(&from, &mut here, [&rows[0]], [&rows[2], &rows[3]]);
        kernels::update::<Plain, 1, 2>(&from, &mut there, [&rows[0]], [&rows[2], &rows[3]]);
        assert_eq!(here, there);

        let weights = rows.concat();
        let (mut kept, mut others) = (from.clone(), from.clone());
        kernels::update_many::<V>(&mut kept, &mut here, &weights, &[0, 3], &[1]);
        kernels::update_many::<Plain>(&mut others, &mut there, &weights, &[0, 3], &[1]);
        assert_eq!((&here, &kept), (&there, &others));
        assert_eq!(here, kept);

        let (own, other) = (numbers.blocks(count, i16::MAX), numbers.blocks(count, 400));
        let weights = [(); 2].map(|()| numbers.blocks(count, MAX_OUTPUT_WEIGHT));
        let sum = kernels::weigh::<V>(&own, &other, &weights[0], &weights[1]);
        assert_eq!(sum, kernels::weigh::<Plain>(&own, &other, &weights[0], &weights[1]));
        assert_eq!(sum, slowly(&own, &weights[0]) + slowly(&other, &weights[1]));
    }
    // The largest sums there can be: every neuron fully active, every weight at its limit.
    let count = HIDDEN_SIZES[HIDDEN_SIZES.len() - 1] / LANES;
    let active = vec![Block([i16::MAX; LANES]); count];
    for weight in [MAX_OUTPUT_WEIGHT, -MAX_OUTPUT_WEIGHT] {
        let weights = vec![Block([weight; LANES]); count];
        let expected = 2 * (count * LANES) as i64 * i64::from(QA * QA) * i64::from(weight);
        assert_eq!(kernels::weigh::<V>(&active, &active, &weights, &weights), expected);
    }
}

fn dense_agrees<D: Dense>() {
    let mut numbers = Numbers(3);
    for round in 0..if cfg!(miri) { HIDDEN_SIZES.len() } else { 200 } {
        let count = HIDDEN_SIZES[round % HIDDEN_SIZES.len()] / LANES;
        let [own, other] = [i16::MAX, 400].map(|limit| numbers.blocks(count, limit));
        let weights: Vec<Bytes> = (0..count * HEAD_1)
            .map(|_| Bytes(std::array::from_fn(|_| numbers.number(MAX_FIRST_WEIGHT) as i8)))
            .collect();
        let sums = D::first(&own, &other, &weights);
        assert_eq!(sums, PlainDense::first(&own, &other, &weights));
        let inputs: Vec<i16> = unpack(&own).into_iter().chain(unpack(&other)).map(squared).collect();
        for (neuron, sum) in sums.into_iter().enumerate() {
            let weights = weights.iter().skip(neuron).step_by(HEAD_1).flat_map(|bytes| in_order(&bytes.0));
            let terms = inputs.iter().zip(weights).map(|(&input, weight)| i32::from(input) * i32::from(weight));
            assert_eq!(sum, terms.sum::<i32>());
        }

        let inputs = std::array::from_fn(|_| numbers.number(QY as i16));
        let rows = (0..HEAD_2).map(|_| Row(std::array::from_fn(|_| numbers.number(MAX_SECOND_WEIGHT))));
        let rows: Vec<Row> = rows.collect();
        let sums = D::second(&inputs, &rows);
        assert_eq!(sums, PlainDense::second(&inputs, &rows));
        for (neuron, sum) in sums.into_iter().enumerate() {
            let weight = |input: usize| {
                let row = &rows[input / 2 * (HEAD_2 / HEAD_1) + neuron / HEAD_1];
                i32::from(row.0[neuron % HEAD_1 * 2 + input % 2])
            };
            assert_eq!(sum, (0..inputs.len()).map(|input| weight(input) * i32::from(inputs[input])).sum::<i32>());
        }
    }
    // The largest sums there can be.
    let count = HIDDEN_SIZES[HIDDEN_SIZES.len() - 1] / LANES;
    let active = vec![Block([i16::MAX; LANES]); count];
    for weight in [MAX_FIRST_WEIGHT, -MAX_FIRST_WEIGHT] {
        let weights = vec![Bytes([weight as i8; INPUTS]); count * HEAD_1];
        let expected = 2 * (count * LANES) as i32 * QY * i32::from(weight);
        assert_eq!(D::first(&active, &active, &weights), [expected; HEAD_1]);
    }
}

#[test]
fn the_order_of_inputs_is_its_own_inverse() {
    let numbers: [usize; INPUTS] = std::array::from_fn(|place| place);
    let other = in_order(&numbers);
    assert_eq!(in_order(&other), numbers);
    assert_eq!((other[7], other[8], other[16], other[24], other[40]), (7, 16, 8, 24, 48));
}

#[test]
fn the_plain_head_agrees_with_the_definition() {
    dense_agrees::<PlainDense>();
}

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
#[test]
fn the_head_of_avx2_agrees_with_plain_arithmetic() {
    dense_agrees::<super::dense::Avx2>();
}

/// The sum as the architecture defines it.
fn slowly(blocks: &[Block], weights: &[Block]) -> i64 {
    let pairs = unpack(blocks).into_iter().zip(unpack(weights));
    pairs.map(|(lane, weight)| i64::from(i32::from(lane).clamp(0, QA)).pow(2) * i64::from(weight)).sum()
}

#[test]
fn plain_arithmetic_agrees_with_the_definition() {
    agree::<Plain>();
}

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
#[test]
fn avx2_agrees_with_plain_arithmetic() {
    agree::<super::avx2::Pair>();
}

#[cfg(all(target_arch = "x86_64", target_feature = "avx512bw"))]
#[test]
fn avx512_agrees_with_plain_arithmetic() {
    agree::<super::avx512::Wide>();
}

#[test]
fn a_row_added_and_taken_away_leaves_nothing_behind() {
    let mut numbers = Numbers(2);
    let from = numbers.blocks(8, 5000);
    let row = numbers.blocks(8, 960);
    let (mut more, mut again) = (from.clone(), from.clone());
    super::update::<1, 0>(&from, &mut more, [&row], []);
    assert_ne!(more, from);
    let expected: Vec<i16> = unpack(&from).into_iter().zip(unpack(&row)).map(|(a, b)| a + b).collect();
    assert_eq!(unpack(&more), expected);
    super::update::<0, 1>(&more, &mut again, [], [&row]);
    assert_eq!(again, from);
}
