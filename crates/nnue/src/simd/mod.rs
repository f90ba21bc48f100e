//! The arithmetic of the network, for each kind of machine.
//!
//! The kernels are written once, over a [`Vector`]: a block of numbers in registers. Each kind of machine has a file
//! that defines how a block is loaded, added and weighed; the build chooses one. The portable one works everywhere, and
//! the others are tested against it. All give the same numbers, bit for bit.

// Only vector instructions need unsafe code in this crate.
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

use chess::{Bitboard, Color};

use crate::arch::DENSE_1;
use crate::block::{Block, LANES};
use crate::dense::{Quad, Upper};

#[cfg(all(target_arch = "x86_64", target_feature = "avx2", not(target_feature = "avx512bw")))]
use avx2::Pair as Native;
#[cfg(all(target_arch = "x86_64", target_feature = "avx512bw"))]
use avx512::Wide as Native;
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
use portable::Plain as Native;

/// A block of numbers in registers. Sums and products of weights in range stay within 16 bits, so wrapping and
/// saturating arithmetic agree.
trait Vector: Copy {
    /// A sum of many products, still in several parts.
    type Sum: Copy;

    fn load(block: &Block) -> Self;
    fn store(self, block: &mut Block);
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;

    /// The empty sum.
    fn nothing() -> Self::Sum;
    /// Clamps every number to `0..=QA`, squares it, multiplies it by its weight and adds the product to the sum. Every
    /// part of the sum must fit 32 bits after one call for each block of two accumulators of the largest size.
    fn weigh(self, weights: Self, sum: Self::Sum) -> Self::Sum;
    /// The whole sum.
    fn total(sum: Self::Sum) -> i64;

    /// Adds, and stays within 16 bits.
    fn plus_within(self, other: Self) -> Self;
    /// Clamps the numbers of both to `0..=QA` and multiplies them, at scale `QX`.
    fn products(self, other: Self) -> [u8; LANES];
    /// See [`list_facts`].
    #[inline(always)]
    fn list_facts<const COUNT: usize>(facts: &[(Bitboard, u8); COUNT], asked: &Asked, list: &mut [u16]) -> usize {
        kernels::list_facts(facts, asked, list)
    }

    /// Adds the products of the inputs, four for each of the quads, with their weights to the sums.
    fn propagate(inputs: &[[u8; 4]], weights: &[Quad], sums: &[i32; DENSE_1]) -> [i32; DENSE_1];
    /// The output of the upper dense layers. Single precision, and always in the same order: every kind of machine gets the
    /// same.
    #[inline(always)]
    fn conclude(upper: &Upper, first: &[i32; DENSE_1]) -> f32 {
        kernels::conclude(upper, first)
    }
}

/// Prefetches all cache lines of something that will be read soon.
#[inline]
pub(crate) fn prefetch<T>(soon: &T) {
    #[cfg(target_arch = "x86_64")]
    for at in (0..size_of::<T>()).step_by(64) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch of any address is harmless, and this one lies within a live reference.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(soon).cast::<i8>().wrapping_add(at)) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = soon;
}

/// Which squares to list, and how.
#[derive(Clone, Copy)]
pub(crate) struct Asked {
    pub(crate) squares: Bitboard,
    pub(crate) black: Bitboard,
    /// The number of the first relation.
    pub(crate) first: u16,
}

/// Writes `from` plus some rows minus others to `to`. All have the same length.
#[inline]
pub(crate) fn update<const ADDED: usize, const REMOVED: usize>(
    from: &[Block],
    to: &mut [Block],
    added: [&[Block]; ADDED],
    removed: [&[Block]; REMOVED],
) {
    kernels::update::<Native, ADDED, REMOVED>(from, to, added, removed);
}

/// Adds any number of rows to `kept` and subtracts any number, and writes the result to `to` as well. Rows are given by
/// their index in `weights`, whose rows are as long as `kept`.
pub(crate) fn update_many(kept: &mut [Block], to: &mut [Block], weights: &[Block], added: &[usize], removed: &[usize]) {
    kernels::update_many::<Native>(kept, to, weights, added, removed);
}

/// The sum of squared activations of both sides times their weights.
#[inline]
pub(crate) fn weigh(own: &[Block], other: &[Block], own_weights: &[Block], other_weights: &[Block]) -> i64 {
    kernels::weigh::<Native>(own, other, own_weights, other_weights)
}

/// Adds `start` and the rows of the relations to the first block of both accumulators, that of the side to move and that
/// of the other.
/// `rows` has the row of an own relation, then that of the other side's; `list` has twice the relation's number, plus one
/// if it is Black's.
#[inline]
pub(crate) fn relate(sums: [&Block; 2], start: [&Block; 2], rows: &[Block], list: &[u16], us: Color) -> [Block; 2] {
    kernels::relate::<Native>(sums, start, rows, list, us)
}

/// Multiplies the neurons of the first half with those of the second. The first block is `related` instead.
#[inline]
pub(crate) fn multiply(related: &Block, sums: &[Block], products: &mut [u8]) {
    kernels::multiply::<Native>(related, sums, products);
}

/// The first dense layer.
#[inline]
pub(crate) fn propagate(inputs: &[u8], weights: &[Quad], biases: &[i32; DENSE_1]) -> [i32; DENSE_1] {
    Native::propagate(inputs.as_chunks().0, weights, biases)
}

/// Lists a relation for each of the squares that are asked for: its number is that of the first one plus those of the sets
/// that have the square, below 256 together. As in [`Relations::packed`](crate::relations::Relations::packed), twice the
/// number, plus one for Black's. Returns how many there are.
#[inline]
pub(crate) fn list_facts<const COUNT: usize>(
    facts: &[(Bitboard, u8); COUNT],
    asked: &Asked,
    list: &mut [u16],
) -> usize {
    Native::list_facts(facts, asked, list)
}

/// The output of the upper dense layers, of the first one's integers.
#[inline]
pub(crate) fn conclude(upper: &Upper, first: &[i32; DENSE_1]) -> f32 {
    Native::conclude(upper, first)
}
