//! x86-64 with AVX-512BW: a block is one register.

use std::arch::x86_64::{
    __m512i, _mm512_add_epi16, _mm512_add_epi32, _mm512_add_epi64, _mm512_castsi512_si256, _mm512_cvtepi32_epi64,
    _mm512_extracti64x4_epi64, _mm512_load_si512, _mm512_madd_epi16, _mm512_max_epi16, _mm512_min_epi16,
    _mm512_mullo_epi16, _mm512_reduce_add_epi64, _mm512_set1_epi16, _mm512_setzero_si512, _mm512_store_si512,
    _mm512_sub_epi16,
};

use super::Vector;
use crate::arch::QA;
use crate::block::Block;

#[derive(Clone, Copy)]
pub(super) struct Wide(__m512i);

// This file is compiled only for machines with AVX-512F and AVX-512BW: calls without pointers need no more.
impl Vector for Wide {
    type Sum = __m512i;

    #[inline(always)]
    fn load(block: &Block) -> Wide {
        // SAFETY: a block is 64 bytes long and aligned to 64; the machine has AVX-512.
        Wide(unsafe { _mm512_load_si512((&raw const *block).cast()) })
    }

    #[inline(always)]
    fn store(self, block: &mut Block) {
        // SAFETY: a block is 64 bytes long and aligned to 64, and we own it; the machine has AVX-512.
        unsafe { _mm512_store_si512((&raw mut *block).cast(), self.0) }
    }

    #[inline(always)]
    fn plus(self, other: Wide) -> Wide {
        // SAFETY: the machine has AVX-512.
        Wide(unsafe { _mm512_add_epi16(self.0, other.0) })
    }

    #[inline(always)]
    fn minus(self, other: Wide) -> Wide {
        // SAFETY: the machine has AVX-512.
        Wide(unsafe { _mm512_sub_epi16(self.0, other.0) })
    }

    #[inline(always)]
    fn nothing() -> __m512i {
        // SAFETY: the machine has AVX-512.
        unsafe { _mm512_setzero_si512() }
    }

    #[inline(always)]
    fn weigh(self, weights: Wide, sum: __m512i) -> __m512i {
        // An activation times a weight fits 16 bits; times the activation again it needs 32, and pairs are added.
        // SAFETY: the machine has AVX-512.
        unsafe {
            let active =
                _mm512_min_epi16(_mm512_max_epi16(self.0, _mm512_setzero_si512()), _mm512_set1_epi16(QA as i16));
            let product = _mm512_mullo_epi16(active, weights.0);
            _mm512_add_epi32(sum, _mm512_madd_epi16(product, active))
        }
    }

    #[inline(always)]
    fn total(sum: __m512i) -> i64 {
        // SAFETY: the machine has AVX-512.
        unsafe {
            let low = _mm512_cvtepi32_epi64(_mm512_castsi512_si256(sum));
            let high = _mm512_cvtepi32_epi64(_mm512_extracti64x4_epi64::<1>(sum));
            _mm512_reduce_add_epi64(_mm512_add_epi64(low, high))
        }
    }
}
