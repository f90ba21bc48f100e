//! Slider attacks by arithmetic, to fill the tables at compile time.
//!
//! The trick is o^(o−2r): subtracting a slider from the blockers of its line borrows up to the first blocker. Applied
//! to the line and to its mirror image, it gives both directions.

const NOT_EDGE_FILES: u64 = 0x7e7e_7e7e_7e7e_7e7e;
const NOT_EDGE_RANKS: u64 = 0x00ff_ffff_ffff_ff00;

/// The two lines a slider moves on, its own square excluded: diagonals, or file and rank.
const fn lines(diagonal: bool, square: usize) -> [u64; 2] {
    let (file, rank) = ((square % 8) as i32, (square / 8) as i32);
    let mut lines = [0; 2];
    let mut other = 0;
    while other < 64 {
        let (files, ranks) = (other % 8 - file, other / 8 - rank);
        let on = if diagonal { [files == ranks, files == -ranks] } else { [files == 0, ranks == 0] };
        if other as usize != square {
            lines[0] |= (on[0] as u64) << other;
            lines[1] |= (on[1] as u64) << other;
        }
        other += 1;
    }
    lines
}

const fn along(line: u64, slider: u64, occupied: u64) -> u64 {
    let blockers = occupied & line;
    let up = blockers.wrapping_sub(slider);
    let down = blockers.reverse_bits().wrapping_sub(slider.reverse_bits()).reverse_bits();
    (up ^ down) & line
}

/// The squares a bishop (or rook) on `square` attacks.
pub(super) const fn attacks(diagonal: bool, square: usize, occupied: u64) -> u64 {
    attacks_on(lines(diagonal, square), square, occupied)
}

const fn attacks_on(lines: [u64; 2], square: usize, occupied: u64) -> u64 {
    along(lines[0], 1 << square, occupied) | along(lines[1], 1 << square, occupied)
}

/// The squares whose occupancy matters to a bishop (or rook) on `square`: its lines without their last squares.
pub(super) const fn mask(diagonal: bool, square: usize) -> u64 {
    let lines = lines(diagonal, square);
    if diagonal {
        (lines[0] | lines[1]) & NOT_EDGE_FILES & NOT_EDGE_RANKS
    } else {
        (lines[0] & NOT_EDGE_RANKS) | (lines[1] & NOT_EDGE_FILES)
    }
}

/// One square's part of the table of all slider attacks.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub(super) mask: u64,
    pub(super) offset: usize,
}

/// How many attack sets all squares need: 5,248 for bishops and 102,400 for rooks.
pub(super) const TABLE_SIZE: usize = 5_248 + 102_400;

/// The entries of the bishops or of the rooks; the bishops come first in the table.
pub(super) const fn entries(diagonal: bool) -> [Entry; 64] {
    let mut entries = [Entry { mask: 0, offset: 0 }; 64];
    let mut offset = if diagonal { 0 } else { 5_248 };
    let mut square = 0;
    while square < 64 {
        entries[square] = Entry { mask: mask(diagonal, square), offset };
        offset += 1 << entries[square].mask.count_ones();
        square += 1;
    }
    entries
}

/// How an occupancy becomes an index: in ascending order, which is what PEXT computes, or by a magic factor.
#[derive(Clone, Copy)]
pub(super) enum Order<'a> {
    #[cfg_attr(not(fast_pext), expect(dead_code, reason = "only the PEXT lookup is ordered so"))]
    Ascending,
    #[cfg_attr(all(fast_pext, not(test)), expect(dead_code, reason = "only the magic lookup is ordered so"))]
    Magic(&'a [u64; 64]),
}

/// Fills the bishops' or the rooks' part of the table.
pub(super) const fn fill(table: &mut [u64; TABLE_SIZE], diagonal: bool, order: Order) {
    let entries = entries(diagonal);
    let mut square = 0;
    while square < 64 {
        let Entry { mask, offset } = entries[square];
        let lines = lines(diagonal, square);
        let mut occupied = 0_u64;
        let mut count = 0;
        loop {
            let index = match order {
                Order::Ascending => count,
                Order::Magic(magics) => magic_index(occupied, magics[square], mask),
            };
            table[offset + index] = attacks_on(lines, square, occupied);
            count += 1;
            // The next subset of the mask in ascending order (the carry-rippler).
            occupied = occupied.wrapping_sub(mask) & mask;
            if occupied == 0 {
                break;
            }
        }
        square += 1;
    }
}

#[inline]
pub(super) const fn magic_index(occupied: u64, magic: u64, mask: u64) -> usize {
    ((occupied & mask).wrapping_mul(magic) >> (64 - mask.count_ones())) as usize
}
