//! Any machine: plain arithmetic, which the compiler vectorises where it can.

use super::{Sums, Vector};
use crate::arch::{self, HEAD_1, QA};
use crate::block::{Block, LANES, Row};

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

    type Part = [i32; LANES];

    #[inline(always)]
    fn no_part() -> [i32; LANES] {
        [0; LANES]
    }

    #[inline(always)]
    fn squared(self) -> Plain {
        Plain(self.0.map(arch::squared))
    }

    #[inline(always)]
    fn add_products(self, weights: Plain, mut part: [i32; LANES]) -> [i32; LANES] {
        for ((lane, weight), sum) in self.0.into_iter().zip(weights.0).zip(&mut part) {
            *sum += i32::from(lane) * i32::from(weight);
        }
        part
    }

    #[inline(always)]
    fn whole(part: [i32; LANES]) -> i32 {
        part.into_iter().sum()
    }
}

#[derive(Clone, Copy)]
pub(super) struct PlainSums([i32; HEAD_1]);

impl Sums for PlainSums {
    #[inline(always)]
    fn zeros() -> PlainSums {
        PlainSums([0; HEAD_1])
    }

    #[inline(always)]
    fn add_products(mut self, row: &Row, pair: [i16; 2]) -> PlainSums {
        let pair = pair.map(i32::from);
        for (sum, weights) in self.0.iter_mut().zip(row.0.as_chunks::<2>().0) {
            *sum += i32::from(weights[0]) * pair[0] + i32::from(weights[1]) * pair[1];
        }
        self
    }

    #[inline(always)]
    fn numbers(self) -> [i32; HEAD_1] {
        self.0
    }
}
