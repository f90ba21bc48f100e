//! All kernels give the same numbers, also at the extremes.

use chess::Bitboard;
use chess::zobrist::splitmix;

use super::portable::Plain;
use super::{Asked, Vector, kernels};
use crate::arch::{DENSE_1, HIDDEN_SIZES, MAX_DENSE_WEIGHT, MAX_OUTPUT_WEIGHT, MAX_RELATION_WEIGHT, QA, QX};
use crate::block::{Block, LANES, unpack};
use crate::dense::{Quad, Upper};
use crate::relations::MOST;

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
        agree_on_dense_layers::<V>(&mut numbers, &own, &other);
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

/// Relations, products and the first dense layer, with numbers at their limits.
fn agree_on_dense_layers<V: Vector>(numbers: &mut Numbers, own: &[Block], other: &[Block]) {
    let rows = numbers.blocks(40, MAX_RELATION_WEIGHT);
    let list: Vec<u16> = (1..MOST).map(|_| (numbers.number(i16::MAX) as u16) % 40).collect();
    let sets: [(Bitboard, u8); 9] = std::array::from_fn(|index| {
        numbers.0 = splitmix(numbers.0);
        (Bitboard(numbers.0), index as u8 * 6 + 1)
    });
    for (squares, room) in [(0, 40), (numbers.0 & numbers.0 >> 20, 40), (u64::MAX, 70), (numbers.0 & 0xffff, 9)] {
        let asked = Asked { squares: Bitboard(squares), black: sets[3].0, first: 770 };
        let [here, there] = [V::list_facts::<9>, Plain::list_facts::<9>].map(|list_facts| {
            let mut list = [0; 72];
            let count = list_facts(&sets, &asked, &mut list[..room]);
            list[..count].to_vec()
        });
        assert_eq!(here, there);
        assert_eq!(here.len(), asked.squares.len().min(room));
    }
    for us in chess::Color::ALL {
        let related = kernels::relate::<V>([&own[0], &other[0]], [&rows[0], &rows[1]], &rows, &list, us);
        assert_eq!(related, kernels::relate::<Plain>([&own[0], &other[0]], [&rows[0], &rows[1]], &rows, &list, us));
        for (related, sums) in related.iter().zip([own, other]) {
            let [mut here, mut there] = [(); 2].map(|()| vec![0; sums.len() * LANES / 2]);
            kernels::multiply::<V>(related, sums, &mut here);
            kernels::multiply::<Plain>(related, sums, &mut there);
            assert_eq!(here, there);
            let weights: Vec<Quad> = (0..here.len() / 4)
                .map(|_| Quad(std::array::from_fn(|_| numbers.number(MAX_DENSE_WEIGHT) as i8)))
                .collect();
            let biases: [i32; DENSE_1] = std::array::from_fn(|_| i32::from(numbers.number(i16::MAX)));
            for inputs in [here, vec![QX as u8; there.len()]] {
                let inputs = inputs.as_chunks().0;
                let first = V::propagate(inputs, &weights, &biases);
                assert_eq!(first, Plain::propagate(inputs, &weights, &biases));
                let mut float = || f32::from(numbers.number(1000)) / 700.0;
                let upper = Upper {
                    weights_2: std::array::from_fn(|_| std::array::from_fn(|_| float())),
                    biases_2: std::array::from_fn(|_| float()),
                    weights_3: std::array::from_fn(|_| float()),
                    bias_3: float(),
                };
                assert_eq!(V::conclude(&upper, &first).to_bits(), Plain::conclude(&upper, &first).to_bits());
            }
        }
    }
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
