//! The squares between two squares, and the whole line through them.

use super::sliders;
use crate::types::{Bitboard, Square};

// [from][to]
static BETWEEN: [[Bitboard; 64]; 64] = build(false);
static LINE: [[Bitboard; 64]; 64] = build(true);

const fn build(whole_line: bool) -> [[Bitboard; 64]; 64] {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut pair = 0;
    while pair < 64 * 64 * 2 {
        let (from, to, diagonal) = (pair / 128, pair / 2 % 64, pair % 2 == 1);
        let (from_bit, to_bit) = (1 << from, 1 << to);
        if sliders::attacks(diagonal, from, 0) & to_bit != 0 {
            // The other lines of two squares on one line are parallel, so only the shared line is in both ray sets.
            table[from][to] = Bitboard(if whole_line {
                sliders::attacks(diagonal, from, 0) & sliders::attacks(diagonal, to, 0) | from_bit | to_bit
            } else {
                sliders::attacks(diagonal, from, to_bit) & sliders::attacks(diagonal, to, from_bit)
            });
        }
        pair += 1;
    }
    table
}

/// The squares strictly between two squares of one rank, file or diagonal; none if they share no such line.
#[inline]
#[must_use]
pub fn between(from: Square, to: Square) -> Bitboard {
    BETWEEN[from.index()][to.index()]
}

/// The whole rank, file or diagonal through two squares, edge to edge; none if they share no such line.
#[inline]
#[must_use]
pub fn line(from: Square, to: Square) -> Bitboard {
    LINE[from.index()][to.index()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{File, Rank};

    #[test]
    fn known_lines() {
        let between_e1_e4 = Square::E2.bitboard() | Square::E3.bitboard();
        assert_eq!(between(Square::E1, Square::E4), between_e1_e4);
        assert_eq!(line(Square::E1, Square::E4), File::E.bitboard());
        assert_eq!(line(Square::B7, Square::C7), Rank::Seventh.bitboard());
        assert_eq!(line(Square::C1, Square::E3).len(), 6);
        assert!(between(Square::A1, Square::B3).is_empty() && line(Square::A1, Square::B3).is_empty());
        assert!(between(Square::A1, Square::B2).is_empty() && line(Square::A1, Square::A1).is_empty());
    }

    #[test]
    fn lines_are_symmetric_and_hold_what_is_between() {
        for from in Square::all() {
            for to in Square::all() {
                assert_eq!(between(from, to), between(to, from));
                assert_eq!(line(from, to), line(to, from));
                assert!((between(from, to) - line(from, to)).is_empty());
                if line(from, to).any() {
                    assert!(line(from, to).has(from) && line(from, to).has(to));
                }
            }
        }
    }
}
