//! Any machine: plain arithmetic, which the compiler vectorises where it can.

use super::Vector;
use crate::arch::{self, HEAD_1, QA};
use crate::block::{Block, LANES};

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

    type Wide = [i32; HEAD_1];

    #[inline(always)]
    fn zeros() -> [i32; HEAD_1] {
        [0; HEAD_1]
    }

    #[inline(always)]
    fn squared(self) -> Plain {
        Plain(self.0.map(arch::squared))
    }

    #[inline(always)]
    fn nonzero_pairs(self) -> u16 {
        let pairs = self.0.as_chunks::<2>().0.iter().enumerate();
        pairs.fold(0, |mask, (place, pair)| mask | u16::from(*pair != [0, 0]) << place)
    }

    #[inline(always)]
    fn add_products(self, pair: [i16; 2], mut sums: [i32; HEAD_1]) -> [i32; HEAD_1] {
        let pair = pair.map(i32::from);
        for (sum, lanes) in sums.iter_mut().zip(self.0.as_chunks::<2>().0) {
            *sum += i32::from(lanes[0]) * pair[0] + i32::from(lanes[1]) * pair[1];
        }
        sums
    }

    #[inline(always)]
    fn numbers(sums: [i32; HEAD_1]) -> [i32; HEAD_1] {
        sums
    }
}
