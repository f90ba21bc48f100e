//! Any machine: plain arithmetic, which the compiler vectorises where it can.

use super::Vector;
use crate::arch::{DENSE_1, QA};
use crate::block::{Block, LANES};
use crate::dense::Quad;

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

    #[inline(always)]
    fn plus_within(mut self, other: Plain) -> Plain {
        self.0.iter_mut().zip(other.0).for_each(|(lane, other)| *lane = lane.saturating_add(other));
        self
    }

    #[inline(always)]
    fn products(self, other: Plain) -> [u8; LANES] {
        let active = |number: i16| i32::from(number.clamp(0, QA as i16));
        std::array::from_fn(|lane| ((active(self.0[lane]) * active(other.0[lane]) + 256) >> 9) as u8)
    }

    #[inline(always)]
    fn propagate(inputs: &[[u8; 4]], weights: &[Quad], sums: &[i32; DENSE_1]) -> [i32; DENSE_1] {
        let mut sums = *sums;
        for (inputs, quad) in inputs.iter().zip(weights) {
            for (sum, weights) in sums.iter_mut().zip(quad.0.as_chunks::<4>().0) {
                *sum += inputs
                    .iter()
                    .zip(weights)
                    .map(|(&input, &weight)| i32::from(input) * i32::from(weight))
                    .sum::<i32>();
            }
        }
        sums
    }
}
