//! Any machine: plain arithmetic, which the compiler vectorises where it can.

use super::{Dense, Vector, in_order};
use crate::arch::{self, HEAD_1, HEAD_2, QA};
use crate::block::{Block, Bytes, INPUTS, LANES, Row};

#[derive(Clone, Copy)]
pub(super) struct Plain([i16; LANES]);

impl Vector for Plain {
    type Sum = [i32; LANES];

    #[inline(always)]
    fn load(block: &Block) -> Plain {
        Plain(block.0)
    }

    #[inline(always)]
    fn store(self, block: &mut Block) {
        block.0 = self.0;
    }

    #[inline(always)]
    fn plus(mut self, other: Plain) -> Plain {
        self.0.iter_mut().zip(other.0).for_each(|(lane, other)| *lane = lane.wrapping_add(other));
        self
    }

    #[inline(always)]
    fn minus(mut self, other: Plain) -> Plain {
        self.0.iter_mut().zip(other.0).for_each(|(lane, other)| *lane = lane.wrapping_sub(other));
        self
    }

    #[inline(always)]
    fn nothing() -> [i32; LANES] {
        [0; LANES]
    }

    #[inline(always)]
    fn weigh(self, weights: Plain, mut sum: [i32; LANES]) -> [i32; LANES] {
        for ((lane, weight), sum) in self.0.into_iter().zip(weights.0).zip(&mut sum) {
            let active = i32::from(lane.clamp(0, QA as i16));
            *sum += active * active * i32::from(weight);
        }
        sum
    }

    #[inline(always)]
    fn total(sum: [i32; LANES]) -> i64 {
        sum.into_iter().map(i64::from).sum()
    }
}

pub(super) struct PlainDense;

impl Dense for PlainDense {
    fn first(own: &[Block], other: &[Block], weights: &[Bytes]) -> [i32; HEAD_1] {
        let mut sums = [0; HEAD_1];
        let (twos, _) = own.as_chunks::<2>();
        let (more, _) = other.as_chunks::<2>();
        for (two, weights) in twos.iter().chain(more).zip(weights.as_chunks::<HEAD_1>().0) {
            let mut inputs = [0; INPUTS];
            inputs.iter_mut().zip(two.iter().flat_map(|block| block.0)).for_each(|(to, sum)| *to = arch::squared(sum));
            let inputs = in_order(&inputs);
            for (sum, weights) in sums.iter_mut().zip(weights) {
                let terms = inputs.iter().zip(&weights.0).map(|(&input, &weight)| i32::from(input) * i32::from(weight));
                *sum += terms.sum::<i32>();
            }
        }
        sums
    }

    fn second(inputs: &[i16; 2 * HEAD_1], weights: &[Row]) -> [i32; HEAD_2] {
        let mut sums = [0; HEAD_2];
        for (pair, rows) in inputs.as_chunks::<2>().0.iter().zip(weights.as_chunks::<{ HEAD_2 / HEAD_1 }>().0) {
            let weights = rows.iter().flat_map(|row| row.0.as_chunks::<2>().0);
            for (sum, weights) in sums.iter_mut().zip(weights) {
                *sum += i32::from(weights[0]) * i32::from(pair[0]) + i32::from(weights[1]) * i32::from(pair[1]);
            }
        }
        sums
    }
}
