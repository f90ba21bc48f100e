//! x86-64 with AVX2: a block is two registers.

use std::arch::x86_64::{
    __m256i, _mm_add_epi64, _mm_cvtsi128_si64, _mm_unpackhi_epi64, _mm256_add_epi16, _mm256_add_epi32,
    _mm256_add_epi64, _mm256_adds_epi16, _mm256_castsi256_si128, _mm256_cvtepi32_epi64, _mm256_extracti128_si256,
    _mm256_load_si256, _mm256_loadu_si256, _mm256_madd_epi16, _mm256_maddubs_epi16, _mm256_max_epi16, _mm256_min_epi16,
    _mm256_mullo_epi16, _mm256_packus_epi16, _mm256_permute4x64_epi64, _mm256_set1_epi16, _mm256_set1_epi32,
    _mm256_setzero_si256, _mm256_srli_epi16, _mm256_store_si256, _mm256_storeu_si256, _mm256_sub_epi16,
};

use super::Vector;
use crate::arch::{DENSE_1, QA};
use crate::block::{Block, LANES};
use crate::dense::Quad;

#[derive(Clone, Copy)]
pub(super) struct Pair([__m256i; 2]);

impl Pair {
    #[inline(always)]
    fn zip(self, other: Pair, operation: impl Fn(__m256i, __m256i) -> __m256i) -> Pair {
        Pair([operation(self.0[0], other.0[0]), operation(self.0[1], other.0[1])])
    }
}

// This file is compiled only for machines with AVX2, which is all that the calls below without pointers need.
impl Vector for Pair {
    type Sum = Pair;

    #[inline(always)]
    fn load(block: &Block) -> Pair {
        let start: *const __m256i = (&raw const *block).cast();
        // SAFETY: a block is 64 bytes long and aligned to 64, so both halves are aligned to 32; the machine has AVX2.
        Pair(unsafe { [_mm256_load_si256(start), _mm256_load_si256(start.add(1))] })
    }

    #[inline(always)]
    fn store(self, block: &mut Block) {
        let start: *mut __m256i = (&raw mut *block).cast();
        // SAFETY: a block is 64 bytes long and aligned to 64, so both halves lie in it and are aligned to 32, and we
        // own it; the machine has AVX2.
        unsafe {
            _mm256_store_si256(start, self.0[0]);
            _mm256_store_si256(start.add(1), self.0[1]);
        }
    }

    #[inline(always)]
    fn plus(self, other: Pair) -> Pair {
        // SAFETY: the machine has AVX2.
        self.zip(other, |a, b| unsafe { _mm256_add_epi16(a, b) })
    }

    #[inline(always)]
    fn minus(self, other: Pair) -> Pair {
        // SAFETY: the machine has AVX2.
        self.zip(other, |a, b| unsafe { _mm256_sub_epi16(a, b) })
    }

    #[inline(always)]
    fn nothing() -> Pair {
        // SAFETY: the machine has AVX2.
        Pair([unsafe { _mm256_setzero_si256() }; 2])
    }

    #[inline(always)]
    fn weigh(self, weights: Pair, sum: Pair) -> Pair {
        // An activation times a weight fits 16 bits; times the activation again it needs 32, and pairs are added.
        let terms = self.zip(weights, |lanes, weights| {
            // SAFETY: the machine has AVX2.
            unsafe {
                let one = _mm256_set1_epi16(QA as i16);
                let active = _mm256_min_epi16(_mm256_max_epi16(lanes, _mm256_setzero_si256()), one);
                _mm256_madd_epi16(_mm256_mullo_epi16(active, weights), active)
            }
        });
        // SAFETY: the machine has AVX2.
        sum.zip(terms, |sum, term| unsafe { _mm256_add_epi32(sum, term) })
    }

    #[inline(always)]
    fn total(sum: Pair) -> i64 {
        let [low, high] = sum.0.map(|half| {
            // SAFETY: the machine has AVX2.
            unsafe {
                let low = _mm256_cvtepi32_epi64(_mm256_castsi256_si128(half));
                let high = _mm256_cvtepi32_epi64(_mm256_extracti128_si256::<1>(half));
                _mm256_add_epi64(low, high)
            }
        });
        // SAFETY: the machine has AVX2.
        unsafe {
            let four = _mm256_add_epi64(low, high);
            let two = _mm_add_epi64(_mm256_castsi256_si128(four), _mm256_extracti128_si256::<1>(four));
            _mm_cvtsi128_si64(_mm_add_epi64(two, _mm_unpackhi_epi64(two, two)))
        }
    }

    #[inline(always)]
    fn plus_within(self, other: Pair) -> Pair {
        // SAFETY: the machine has AVX2.
        self.zip(other, |a, b| unsafe { _mm256_adds_epi16(a, b) })
    }

    #[inline(always)]
    fn products(self, other: Pair) -> [u8; LANES] {
        let mut products = [0; LANES];
        // SAFETY: the machine has AVX2.
        let active = |numbers| unsafe {
            _mm256_min_epi16(_mm256_max_epi16(numbers, _mm256_setzero_si256()), _mm256_set1_epi16(QA as i16))
        };
        let Pair([low, high]) = self.zip(other, |a, b| {
            // SAFETY: the machine has AVX2. A product fits 16 bits without a sign.
            unsafe {
                let product = _mm256_mullo_epi16(active(a), active(b));
                _mm256_srli_epi16::<9>(_mm256_add_epi16(product, _mm256_set1_epi16(256)))
            }
        });
        // SAFETY: the machine has AVX2, and the store writes as many bytes as the array has.
        unsafe {
            // Packing works within each half of a register.
            let packed = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi16(low, high));
            _mm256_storeu_si256(products.as_mut_ptr().cast(), packed);
        }
        products
    }

    #[inline(always)]
    fn propagate(inputs: &[[u8; 4]], weights: &[Quad], sums: &[i32; DENSE_1]) -> [i32; DENSE_1] {
        // SAFETY: sixteen numbers, a quad and the result are two registers long each; the machine has AVX2. Two products
        // fit 16 bits, so nothing saturates.
        unsafe {
            let start: *const __m256i = sums.as_ptr().cast();
            let mut parts = [_mm256_loadu_si256(start), _mm256_loadu_si256(start.add(1))];
            for (&inputs, quad) in inputs.iter().zip(weights) {
                let inputs = _mm256_set1_epi32(i32::from_le_bytes(inputs));
                let quad: *const __m256i = (&raw const *quad).cast();
                for (half, sum) in parts.iter_mut().enumerate() {
                    let pairs = _mm256_maddubs_epi16(inputs, _mm256_load_si256(quad.add(half)));
                    *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
                }
            }
            let mut sums = [0; DENSE_1];
            let end: *mut __m256i = sums.as_mut_ptr().cast();
            _mm256_storeu_si256(end, parts[0]);
            _mm256_storeu_si256(end.add(1), parts[1]);
            sums
        }
    }
}
