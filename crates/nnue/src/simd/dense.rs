//! The dense head on x86-64 with AVX2. Machines with AVX-512 use it too.

use std::arch::x86_64::{
    __m256i, _mm_add_epi32, _mm_cvtsi128_si32, _mm_shuffle_epi32, _mm_unpackhi_epi64, _mm256_add_epi16,
    _mm256_add_epi32, _mm256_castsi256_si128, _mm256_extracti128_si256, _mm256_load_si256, _mm256_madd_epi16,
    _mm256_maddubs_epi16, _mm256_max_epi16, _mm256_min_epi16, _mm256_mullo_epi16, _mm256_packus_epi16,
    _mm256_set1_epi16, _mm256_set1_epi32, _mm256_setzero_si256, _mm256_srli_epi16, _mm256_storeu_si256,
};

use super::Dense;
use crate::arch::{HEAD_1, HEAD_2, QA};
use crate::block::{Block, Bytes, Row};

pub(super) struct Avx2;

impl Dense for Avx2 {
    #[inline(always)]
    fn first(own: &[Block], other: &[Block], weights: &[Bytes]) -> [i32; HEAD_1] {
        // SAFETY: the machine has AVX2.
        let mut sums = [unsafe { _mm256_setzero_si256() }; HEAD_1];
        let (own, _) = own.as_chunks::<2>();
        let (other, _) = other.as_chunks::<2>();
        let (own_weights, other_weights) = weights.as_chunks::<HEAD_1>().0.split_at(own.len());
        for (twos, weights) in [(own, own_weights), (other, other_weights)] {
            for (two, weights) in twos.iter().zip(weights) {
                let inputs = two.each_ref().map(squared);
                for (sum, weights) in sums.iter_mut().zip(weights) {
                    *sum = add_products(*sum, inputs, weights);
                }
            }
        }
        sums.map(total)
    }

    #[inline(always)]
    fn second(inputs: &[i16; 2 * HEAD_1], weights: &[Row]) -> [i32; HEAD_2] {
        // SAFETY: the machine has AVX2.
        let mut sums = [unsafe { _mm256_setzero_si256() }; HEAD_2 / HEAD_1];
        for (pair, rows) in inputs.as_chunks::<2>().0.iter().zip(weights.as_chunks::<{ HEAD_2 / HEAD_1 }>().0) {
            let pair = i32::from(pair[0].cast_unsigned()) | i32::from(pair[1]) << 16;
            for (row, sum) in rows.iter().zip(&mut sums) {
                // SAFETY: a row is 32 bytes long and aligned to 32; the machine has AVX2.
                unsafe {
                    let weights = _mm256_load_si256((&raw const *row).cast());
                    *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(weights, _mm256_set1_epi32(pair)));
                }
            }
        }
        let mut numbers = [0; HEAD_2];
        for (numbers, sum) in numbers.as_chunks_mut::<HEAD_1>().0.iter_mut().zip(sums) {
            // SAFETY: eight numbers are 32 bytes and the store needs no alignment; the machine has AVX2.
            unsafe { _mm256_storeu_si256(numbers.as_mut_ptr().cast(), sum) }
        }
        numbers
    }
}

/// The squared activations of a block, in bytes and in the head's order.
#[inline(always)]
fn squared(block: &Block) -> __m256i {
    let start: *const __m256i = (&raw const *block).cast();
    // SAFETY: a block is 64 bytes long and aligned to 64, so both halves are aligned to 32; the machine has AVX2.
    unsafe {
        let [low, high] = [start, start.add(1)].map(|half| {
            let active = _mm256_max_epi16(_mm256_load_si256(half), _mm256_setzero_si256());
            let active = _mm256_min_epi16(active, _mm256_set1_epi16(QA as i16));
            // Squares fit 16 bits without a sign.
            let rounded = _mm256_add_epi16(_mm256_mullo_epi16(active, active), _mm256_set1_epi16(256));
            _mm256_srli_epi16::<9>(rounded)
        });
        _mm256_packus_epi16(low, high)
    }
}

/// Adds the products of inputs and weights to a sum in eight parts.
#[inline(always)]
fn add_products(sum: __m256i, inputs: [__m256i; 2], weights: &Bytes) -> __m256i {
    let start: *const __m256i = (&raw const *weights).cast();
    // Four products fit 16 bits, so those of both inputs are added before they are widened.
    // SAFETY: the bytes are 64 and aligned to 64, so both halves are aligned to 32; the machine has AVX2.
    unsafe {
        let one = _mm256_maddubs_epi16(inputs[0], _mm256_load_si256(start));
        let other = _mm256_maddubs_epi16(inputs[1], _mm256_load_si256(start.add(1)));
        _mm256_add_epi32(sum, _mm256_madd_epi16(_mm256_add_epi16(one, other), _mm256_set1_epi16(1)))
    }
}

/// The sum of all eight parts.
#[inline(always)]
fn total(sum: __m256i) -> i32 {
    // SAFETY: the machine has AVX2.
    unsafe {
        let four = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256::<1>(sum));
        let two = _mm_add_epi32(four, _mm_unpackhi_epi64(four, four));
        _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<1>(two)))
    }
}

const _: () = assert!(HEAD_1 * size_of::<i32>() == size_of::<__m256i>());
