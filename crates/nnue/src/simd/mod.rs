//! The arithmetic of the network, for each kind of machine.
//!
//! The kernels are written once, over a [`Vector`]: a block of numbers in registers. Each machine has its file that says how a
//! block is loaded, added and weighed; which one is used is decided when the program is built. The portable one works
//! everywhere and is what the others are tested against. All give the same numbers, bit for bit.

// The vector instructions are the one thing in this crate that cannot be had without.
#![allow(unsafe_code, reason = "vector instructions")]

#[cfg(all(target_arch = "x86_64", target_feature = "avx2", any(test, not(target_feature = "avx512bw"))))]
mod avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "avx512bw"))]
mod avx512;
mod kernels;
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
mod portable;
#[cfg(test)]
mod tests;

use crate::block::Block;

#[cfg(all(target_arch = "x86_64", target_feature = "avx2", not(target_feature = "avx512bw")))]
use avx2::Pair as Native;
#[cfg(all(target_arch = "x86_64", target_feature = "avx512bw"))]
use avx512::Wide as Native;
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
use portable::Plain as Native;

/// A block of numbers, ready to be computed with. Sums and products of weights in range stay within 16 bits, so machines that
/// wrap and machines that saturate would agree.
trait Vector: Copy {
    /// A sum of many products, still in several parts.
    type Sum: Copy;

    fn load(block: &Block) -> Self;
    fn store(self, block: &mut Block);
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;

    /// A sum of nothing.
    fn nothing() -> Self::Sum;
    /// Cuts every number to `0..=QA`, squares it, multiplies it by its weight and adds the product to the sum. No part of
    /// the sum may exceed 32 bits if this is done once for each block of two accumulators of the largest size.
    fn weigh(self, weights: Self, sum: Self::Sum) -> Self::Sum;
    /// The whole sum.
    fn total(sum: Self::Sum) -> i64;
}

/// Writes `from` with some rows added and some taken away to `to`. All have the same length.
#[inline]
pub(crate) fn update<const ADDED: usize, const REMOVED: usize>(
    from: &[Block],
    to: &mut [Block],
    added: [&[Block]; ADDED],
    removed: [&[Block]; REMOVED],
) {
    kernels::update::<Native, ADDED, REMOVED>(from, to, added, removed);
}

/// Adds any number of rows to `kept` and takes any number away, and writes the result to `to` as well. Rows are found by their
/// numbers in `weights`, rows as long as `kept`.
pub(crate) fn update_many(kept: &mut [Block], to: &mut [Block], weights: &[Block], added: &[usize], removed: &[usize]) {
    kernels::update_many::<Native>(kept, to, weights, added, removed);
}

/// The sum of squared activations of both sides times their weights.
#[inline]
pub(crate) fn weigh(own: &[Block], other: &[Block], own_weights: &[Block], other_weights: &[Block]) -> i64 {
    kernels::weigh::<Native>(own, other, own_weights, other_weights)
}
