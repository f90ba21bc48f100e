//! x86-64 with AVX-512BW: a block is one register.

use std::arch::x86_64::{
    __m256i, __m512i, _mm_add_ps, _mm_cvtss_f32, _mm_movehdup_ps, _mm_movehl_ps, _mm256_add_ps, _mm256_castpd_ps,
    _mm256_castps256_ps128, _mm256_extractf128_ps, _mm256_storeu_si256, _mm512_add_epi16, _mm512_add_epi32,
    _mm512_add_epi64, _mm512_add_ps, _mm512_adds_epi16, _mm512_castps_pd, _mm512_castps512_ps256,
    _mm512_castsi512_si256, _mm512_cvtepi16_epi8, _mm512_cvtepi32_epi64, _mm512_cvtepi32_ps, _mm512_extractf64x4_pd,
    _mm512_extracti64x4_epi64, _mm512_load_si512, _mm512_loadu_ps, _mm512_loadu_si512, _mm512_madd_epi16,
    _mm512_max_epi16, _mm512_max_ps, _mm512_min_epi16, _mm512_min_ps, _mm512_mul_ps, _mm512_mullo_epi16,
    _mm512_reduce_add_epi64, _mm512_set1_epi16, _mm512_set1_epi32, _mm512_set1_ps, _mm512_setzero_ps,
    _mm512_setzero_si512, _mm512_srli_epi16, _mm512_store_si512, _mm512_storeu_ps, _mm512_storeu_si512,
    _mm512_sub_epi16,
};
#[cfg(all(target_feature = "avx512vbmi2", target_feature = "bmi2"))]
use std::arch::x86_64::{
    _mm512_cvtepu8_epi16, _mm512_mask_add_epi8, _mm512_mask_add_epi16, _mm512_maskz_compress_epi8, _mm512_set1_epi8,
    _pext_u64,
};

#[cfg(target_feature = "avx512vnni")]
use std::arch::x86_64::_mm512_dpbusd_epi32;
#[cfg(not(target_feature = "avx512vnni"))]
use std::arch::x86_64::_mm512_maddubs_epi16;

#[cfg(all(target_feature = "avx512vbmi2", target_feature = "bmi2"))]
use chess::Bitboard;

use super::Vector;
#[cfg(all(target_feature = "avx512vbmi2", target_feature = "bmi2"))]
use super::{Asked, kernels};
use crate::arch::{DENSE_1, DENSE_1_OUT, DENSE_2, QA, QD, QX};
use crate::block::{Block, LANES};
use crate::dense::{Quad, Upper};

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

    #[inline(always)]
    fn plus_within(self, other: Wide) -> Wide {
        // SAFETY: the machine has AVX-512.
        Wide(unsafe { _mm512_adds_epi16(self.0, other.0) })
    }

    #[inline(always)]
    fn products(self, other: Wide) -> [u8; LANES] {
        let mut products = [0; LANES];
        // SAFETY: the machine has AVX-512, and the store writes as many bytes as the array has.
        unsafe {
            let active = |numbers| {
                _mm512_min_epi16(_mm512_max_epi16(numbers, _mm512_setzero_si512()), _mm512_set1_epi16(QA as i16))
            };
            // A product fits 16 bits without a sign.
            let product = _mm512_mullo_epi16(active(self.0), active(other.0));
            let scaled = _mm512_srli_epi16::<9>(_mm512_add_epi16(product, _mm512_set1_epi16(256)));
            _mm256_storeu_si256(products.as_mut_ptr().cast::<__m256i>(), _mm512_cvtepi16_epi8(scaled));
        }
        products
    }

    #[cfg(all(target_feature = "avx512vbmi2", target_feature = "bmi2"))]
    #[inline(always)]
    fn list_facts<const COUNT: usize>(facts: &[(Bitboard, u8); COUNT], asked: &Asked, list: &mut [u16]) -> usize {
        let squares = asked.squares;
        let Some(list) = list.first_chunk_mut::<32>().filter(|_| squares.len() <= 32) else {
            return kernels::list_facts(facts, asked, list);
        };
        // SAFETY: the machine has AVX-512 with VBMI2 and BMI2, and the store writes as many numbers as the list has.
        unsafe {
            let mut sums = _mm512_setzero_si512();
            for &(set, number) in facts {
                sums = _mm512_mask_add_epi8(sums, set.0, sums, _mm512_set1_epi8(number.cast_signed()));
            }
            let listed = _mm512_castsi512_si256(_mm512_maskz_compress_epi8(squares.0, sums));
            let relations =
                _mm512_add_epi16(_mm512_cvtepu8_epi16(listed), _mm512_set1_epi16(asked.first.cast_signed()));
            let doubled = _mm512_add_epi16(relations, relations);
            let black = _pext_u64(asked.black.0, squares.0) as u32;
            let packed = _mm512_mask_add_epi16(doubled, black, doubled, _mm512_set1_epi16(1));
            _mm512_storeu_si512(list.as_mut_ptr().cast(), packed);
        }
        squares.len()
    }

    #[inline(always)]
    fn propagate(inputs: &[[u8; 4]], weights: &[Quad], sums: &[i32; DENSE_1]) -> [i32; DENSE_1] {
        // SAFETY: sixteen numbers, a quad and the result are 64 bytes long each; the machine has AVX-512.
        unsafe {
            let load = |quad: &Quad| _mm512_load_si512((&raw const *quad).cast());
            let spread = |inputs: [u8; 4]| _mm512_set1_epi32(i32::from_le_bytes(inputs));
            // Eight sums, so that none waits for another.
            let mut parts = [Wide::nothing(); 8];
            parts[0] = _mm512_loadu_si512(sums.as_ptr().cast());
            let (inputs, rest) = inputs.as_chunks::<8>();
            let (weights, _) = weights.as_chunks::<8>();
            debug_assert!(rest.is_empty());
            for (inputs, weights) in inputs.iter().zip(weights) {
                for index in 0..8 {
                    parts[index] = add_products(parts[index], spread(inputs[index]), load(&weights[index]));
                }
            }
            let plus = |a, b| _mm512_add_epi32(a, b);
            let [a, b, c, d, e, f, g, h] = parts;
            let sum = plus(plus(plus(a, b), plus(c, d)), plus(plus(e, f), plus(g, h)));
            let mut sums = [0; DENSE_1];
            _mm512_storeu_si512(sums.as_mut_ptr().cast(), sum);
            sums
        }
    }

    #[inline(always)]
    fn conclude(upper: &Upper, first: &[i32; DENSE_1]) -> f32 {
        // SAFETY: each load reads sixteen numbers of an array that has as many from there on; the machine has AVX-512.
        unsafe {
            let (zero, one) = (_mm512_setzero_ps(), _mm512_set1_ps(1.0));
            let clip = |numbers| _mm512_min_ps(_mm512_max_ps(numbers, zero), one);
            let load = |numbers: &[f32], at: usize| _mm512_loadu_ps(numbers[at..][..16].as_ptr());
            let integers = _mm512_cvtepi32_ps(_mm512_loadu_si512(first.as_ptr().cast()));
            let numbers = _mm512_mul_ps(integers, _mm512_set1_ps(1.0 / (QX * QD) as f32));
            let mut inputs = [0.0; DENSE_1_OUT];
            let (squared, clipped) = inputs.split_at_mut(DENSE_1);
            _mm512_storeu_ps(squared.as_mut_ptr(), _mm512_min_ps(_mm512_mul_ps(numbers, numbers), one));
            _mm512_storeu_ps(clipped.as_mut_ptr(), clip(numbers));
            // Not optimised away: reading one number of memory into all lanes is faster than shuffling registers.
            let inputs = std::hint::black_box(&inputs);
            // In the order of `kernels::conclude`: four sums, each of two registers.
            let (low, high) = (load(&upper.biases_2, 0), load(&upper.biases_2, 16));
            let mut sums = [[low, high], [zero; 2], [zero; 2], [zero; 2]];
            for index in (0..DENSE_1).step_by(2) {
                let from = [index, DENSE_1 + index, index + 1, DENSE_1 + index + 1];
                for (sums, from) in sums.iter_mut().zip(from) {
                    let input = _mm512_set1_ps(inputs[from]);
                    for (part, sum) in sums.iter_mut().enumerate() {
                        *sum = _mm512_add_ps(*sum, _mm512_mul_ps(input, load(&upper.weights_2[from], 16 * part)));
                    }
                }
            }
            let [a, b, c, d] = sums;
            let second =
                |part: usize| clip(_mm512_add_ps(_mm512_add_ps(a[part], b[part]), _mm512_add_ps(c[part], d[part])));
            let mut sum = _mm512_mul_ps(numbers, load(&upper.weights_3, DENSE_2));
            for part in 0..2 {
                sum = _mm512_add_ps(sum, _mm512_mul_ps(second(part), load(&upper.weights_3, 16 * part)));
            }
            let high = _mm256_castpd_ps(_mm512_extractf64x4_pd::<1>(_mm512_castps_pd(sum)));
            let eight = _mm256_add_ps(_mm512_castps512_ps256(sum), high);
            let four = _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps::<1>(eight));
            let two = _mm_add_ps(four, _mm_movehl_ps(four, four));
            upper.bias_3 + (_mm_cvtss_f32(two) + _mm_cvtss_f32(_mm_movehdup_ps(two)))
        }
    }
}

/// Adds the products of groups of four bytes, inputs without a sign and weights with one.
#[inline(always)]
fn add_products(sum: __m512i, inputs: __m512i, weights: __m512i) -> __m512i {
    // SAFETY: the machine has AVX-512, and with that feature VNNI.
    #[cfg(target_feature = "avx512vnni")]
    unsafe {
        _mm512_dpbusd_epi32(sum, inputs, weights)
    }
    // SAFETY: the machine has AVX-512. Two products fit 16 bits, so nothing saturates.
    #[cfg(not(target_feature = "avx512vnni"))]
    unsafe {
        let pairs = _mm512_madd_epi16(_mm512_maddubs_epi16(inputs, weights), _mm512_set1_epi16(1));
        _mm512_add_epi32(sum, pairs)
    }
}
