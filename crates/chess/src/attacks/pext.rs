//! Slider attacks by PEXT: the bits of the relevant occupancy, packed together, are the index.

use super::sliders::{Entry, Order, TABLE_SIZE, entries, fill};
use crate::types::{Bitboard, Square};

static BISHOP: [Entry; 64] = entries(true);
static ROOK: [Entry; 64] = entries(false);

#[allow(long_running_const_eval, reason = "a hundred thousand entries take the compiler a second")]
static TABLE: [u64; TABLE_SIZE] = {
    let mut table = [0; TABLE_SIZE];
    fill(&mut table, true, Order::Ascending);
    fill(&mut table, false, Order::Ascending);
    table
};

#[inline]
#[allow(unsafe_code, reason = "the one intrinsic of the crate; std offers no safe form of it")]
fn pext(word: u64, mask: u64) -> usize {
    // SAFETY: this file is compiled only if the target has BMI2 (see build.rs), which is all that the intrinsic needs.
    unsafe { std::arch::x86_64::_pext_u64(word, mask) as usize }
}

#[inline]
fn lookup(entry: Entry, occupied: Bitboard) -> Bitboard {
    Bitboard(TABLE[entry.offset + pext(occupied.0, entry.mask)])
}

#[inline]
pub(super) fn bishop(from: Square, occupied: Bitboard) -> Bitboard {
    lookup(BISHOP[from.index()], occupied)
}

#[inline]
pub(super) fn rook(from: Square, occupied: Bitboard) -> Bitboard {
    lookup(ROOK[from.index()], occupied)
}
