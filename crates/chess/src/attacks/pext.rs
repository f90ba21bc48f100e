//! Slider attacks by PEXT: the bits of the relevant occupancy, packed together, are the index. What a slider attacks is
//! packed, too: one bit for each square of its lines, so that the table is a quarter as large and stays in nearer caches.

#![allow(long_running_const_eval, reason = "a hundred thousand entries take the compiler a few seconds")]

use super::sliders::{Entry, Order, TABLE_SIZE, attacks, entries, fill};
use crate::types::{Bitboard, Square};

static BISHOP: [Slider; 64] = sliders(true);
static ROOK: [Slider; 64] = sliders(false);

/// One square's part of the table, and the squares of its lines.
#[derive(Clone, Copy)]
struct Slider {
    entry: Entry,
    lines: u64,
}

const fn sliders(diagonal: bool) -> [Slider; 64] {
    let entries = entries(diagonal);
    let mut sliders = [Slider { entry: entries[0], lines: 0 }; 64];
    let mut square = 0;
    while square < 64 {
        sliders[square] = Slider { entry: entries[square], lines: attacks(diagonal, square, 0) };
        square += 1;
    }
    sliders
}

static TABLE: [u16; TABLE_SIZE] = {
    let mut wide = [0; TABLE_SIZE];
    fill(&mut wide, true, Order::Ascending);
    fill(&mut wide, false, Order::Ascending);
    let mut table = [0; TABLE_SIZE];
    pack(&wide, &mut table, &sliders(true));
    pack(&wide, &mut table, &sliders(false));
    table
};

const fn pack(wide: &[u64; TABLE_SIZE], table: &mut [u16; TABLE_SIZE], sliders: &[Slider; 64]) {
    let mut square = 0;
    while square < 64 {
        let Slider { entry, lines } = sliders[square];
        let [a, b, c, d, e, f] = steps(lines);
        let (mut index, end) = (entry.offset, entry.offset + (1 << entry.mask.count_ones()));
        while index < end {
            // Written out, because the compiler counts the turns of loops and complains.
            let mut word = wide[index];
            word = (word & !a) | (word & a) >> 1;
            word = (word & !b) | (word & b) >> 2;
            word = (word & !c) | (word & c) >> 4;
            word = (word & !d) | (word & d) >> 8;
            word = (word & !e) | (word & e) >> 16;
            word = (word & !f) | (word & f) >> 32;
            table[index] = word as u16;
            index += 1;
        }
        square += 1;
    }
}

/// PEXT step by step: which bits move down by 1, 2, 4 ... 32 places until those of the mask are together (Hacker's Delight,
/// section 7-4). The compiler has no faster one.
const fn steps(mut mask: u64) -> [u64; 6] {
    let mut steps = [0; 6];
    // The bits with an odd number of gaps below them move first, then those with an odd number of pairs of gaps.
    let mut gaps = !mask << 1;
    let mut step = 0;
    while step < 6 {
        let mut odd = gaps;
        let mut shift = 1;
        while shift < 64 {
            odd ^= odd << shift;
            shift *= 2;
        }
        steps[step] = odd & mask;
        mask = (mask ^ steps[step]) | (steps[step] >> (1 << step));
        gaps &= !odd;
        step += 1;
    }
    steps
}

#[inline]
#[allow(unsafe_code, reason = "std offers no safe form of the intrinsic")]
fn pext(word: u64, mask: u64) -> usize {
    // SAFETY: this file is compiled only if the target has BMI2 (see build.rs), which is all that the intrinsic needs.
    unsafe { std::arch::x86_64::_pext_u64(word, mask) as usize }
}

#[inline]
#[allow(unsafe_code, reason = "std offers no safe form of the intrinsic")]
fn pdep(word: u64, mask: u64) -> u64 {
    // SAFETY: as for `pext`.
    unsafe { std::arch::x86_64::_pdep_u64(word, mask) }
}

#[inline]
fn lookup(slider: &Slider, occupied: Bitboard) -> Bitboard {
    let packed = TABLE[slider.entry.offset + pext(occupied.0, slider.entry.mask)];
    Bitboard(pdep(u64::from(packed), slider.lines))
}

#[inline]
pub(super) fn bishop(from: Square, occupied: Bitboard) -> Bitboard {
    lookup(&BISHOP[from.index()], occupied)
}

#[inline]
pub(super) fn rook(from: Square, occupied: Bitboard) -> Bitboard {
    lookup(&ROOK[from.index()], occupied)
}
