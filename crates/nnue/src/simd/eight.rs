//! x86-64 with AVX2: eight sums are one register. Machines with AVX-512 use it too, since a row has no more numbers.

use std::arch::x86_64::{
    __m256i, _mm256_add_epi32, _mm256_load_si256, _mm256_madd_epi16, _mm256_set1_epi32, _mm256_setzero_si256,
    _mm256_storeu_si256,
};

use super::Sums;
use crate::arch::HEAD_1;
use crate::block::Row;

#[derive(Clone, Copy)]
pub(super) struct Eight(__m256i);

impl Sums for Eight {
    #[inline(always)]
    fn zeros() -> Eight {
        // SAFETY: the machine has AVX2.
        Eight(unsafe { _mm256_setzero_si256() })
    }

    #[inline(always)]
    fn add_products(self, row: &Row, [low, high]: [i16; 2]) -> Eight {
        let pair = i32::from(low.cast_unsigned()) | i32::from(high) << 16;
        // SAFETY: a row is 32 bytes long and aligned to 32; the machine has AVX2.
        unsafe {
            let weights = _mm256_load_si256((&raw const *row).cast());
            Eight(_mm256_add_epi32(self.0, _mm256_madd_epi16(weights, _mm256_set1_epi32(pair))))
        }
    }

    #[inline(always)]
    fn numbers(self) -> [i32; HEAD_1] {
        let mut numbers = [0; HEAD_1];
        // SAFETY: the list is 32 bytes long and the store needs no alignment; the machine has AVX2.
        unsafe { _mm256_storeu_si256(numbers.as_mut_ptr().cast(), self.0) }
        numbers
    }
}

const _: () = assert!(HEAD_1 * size_of::<i32>() == size_of::<__m256i>());
