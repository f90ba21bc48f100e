//! Sets of squares as 64-bit words: bit n is square n.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub};

use super::{Color, File, Square};

/// A set of squares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// No square.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// Every square.
    pub const FULL: Bitboard = Bitboard(!0);
    /// The light squares.
    pub const LIGHT: Bitboard = Bitboard(0x55aa_55aa_55aa_55aa);

    /// Whether the set holds no square.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set holds any square.
    #[inline]
    #[must_use]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// Whether the set holds two squares or more.
    #[inline]
    #[must_use]
    pub const fn is_several(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// How many squares the set holds.
    #[inline]
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether the set holds `square`.
    #[inline]
    #[must_use]
    pub const fn has(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// The lowest-numbered square of the set.
    #[inline]
    #[must_use]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(self.first_unchecked()) }
    }

    /// The lowest-numbered square of a set known not to be empty; a1 otherwise.
    #[inline]
    #[must_use]
    pub const fn first_unchecked(self) -> Square {
        Square::from_index(self.0.trailing_zeros() as usize)
    }

    /// The set with the ranks mirrored top to bottom.
    #[inline]
    #[must_use]
    pub const fn flipped(self) -> Bitboard {
        Bitboard(self.0.swap_bytes())
    }

    /// Every square moved one rank towards the far side of `color`.
    #[inline]
    #[must_use]
    pub const fn forward(self, color: Color) -> Bitboard {
        match color {
            Color::White => Bitboard(self.0 << 8),
            Color::Black => Bitboard(self.0 >> 8),
        }
    }

    /// The set and every square ahead of it on its files, towards the far side of `color`.
    #[inline]
    #[must_use]
    pub const fn filled_forward(self, color: Color) -> Bitboard {
        let mut bits = self.0;
        match color {
            Color::White => {
                bits |= bits << 8;
                bits |= bits << 16;
                bits |= bits << 32;
            }
            Color::Black => {
                bits |= bits >> 8;
                bits |= bits >> 16;
                bits |= bits >> 32;
            }
        }
        Bitboard(bits)
    }

    /// Every square moved one file towards the a-file; those already there leave the set.
    #[inline]
    #[must_use]
    pub const fn west(self) -> Bitboard {
        Bitboard((self.0 & !File::A.bitboard().0) >> 1)
    }

    /// Every square moved one file towards the h-file; those already there leave the set.
    #[inline]
    #[must_use]
    pub const fn east(self) -> Bitboard {
        Bitboard((self.0 & !File::H.bitboard().0) << 1)
    }

    /// Every subset of this set, the empty one first.
    pub fn subsets(self) -> impl Iterator<Item = Bitboard> {
        let mut next = Some(Bitboard::EMPTY);
        std::iter::from_fn(move || {
            let subset = next?;
            let following = subset.0.wrapping_sub(self.0) & self.0;
            next = (following != 0).then_some(Bitboard(following));
            Some(subset)
        })
    }
}

/// The operators that apply to sets as they do to words.
macro_rules! operators {
    ($($trait:ident $function:ident, $assign_trait:ident $assign_function:ident;)*) => {$(
        impl $trait for Bitboard {
            type Output = Bitboard;
            #[inline]
            fn $function(self, other: Bitboard) -> Bitboard {
                Bitboard(self.0.$function(other.0))
            }
        }

        impl $assign_trait for Bitboard {
            #[inline]
            fn $assign_function(&mut self, other: Bitboard) {
                self.0.$assign_function(other.0);
            }
        }
    )*};
}

operators! {
    BitAnd bitand, BitAndAssign bitand_assign;
    BitOr bitor, BitOrAssign bitor_assign;
    BitXor bitxor, BitXorAssign bitxor_assign;
}

/// The squares of the first set that are not in the second.
impl Sub for Bitboard {
    type Output = Bitboard;
    #[inline]
    fn sub(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & !other.0)
    }
}

impl Not for Bitboard {
    type Output = Bitboard;
    #[inline]
    fn not(self) -> Bitboard {
        Bitboard(!self.0)
    }
}

impl From<Square> for Bitboard {
    #[inline]
    fn from(square: Square) -> Bitboard {
        square.bitboard()
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, |set, square| set | square.bitboard())
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;
    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

/// The squares of a set, lowest first.
#[derive(Clone)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0.0 &= self.0.0 - 1;
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len(), Some(self.0.len()))
    }
}

impl ExactSizeIterator for Squares {}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..8).rev() {
            let row = (self.0 >> (8 * rank)) & 0xff;
            writeln!(f)?;
            for file in 0..8 {
                f.write_str(if row >> file & 1 != 0 { " X" } else { " ." })?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn set_vocabulary() {
        let set: Bitboard = [Square::A1, Square::E4, Square::H8].into_iter().collect();
        assert_eq!(set.len(), 3);
        assert!(set.has(Square::E4) && !set.has(Square::E5));
        assert_eq!(set.into_iter().collect::<Vec<_>>(), [Square::A1, Square::E4, Square::H8]);
        assert_eq!(set - Square::E4.bitboard(), Square::A1.bitboard() | Square::H8.bitboard());
        assert_eq!(set.west().into_iter().collect::<Vec<_>>(), [Square::D4, Square::G8]);
        assert_eq!(set.east().into_iter().collect::<Vec<_>>(), [Square::B1, Square::F4]);
        assert!(set.is_several() && !Square::A1.bitboard().is_several());
        let ahead = |color| Square::E4.bitboard().filled_forward(color).into_iter().collect::<Vec<_>>();
        assert_eq!(ahead(Color::White), [Square::E4, Square::E5, Square::E6, Square::E7, Square::E8]);
        assert_eq!(ahead(Color::Black), [Square::E1, Square::E2, Square::E3, Square::E4]);
        assert_eq!(Bitboard::LIGHT.len(), 32);
        assert!(Bitboard::LIGHT.has(Square::H1) && !Bitboard::LIGHT.has(Square::A1));
    }

    #[test]
    fn subsets_are_all_and_distinct() {
        let set: Bitboard = [Square::B2, Square::C3, Square::D4, Square::H7].into_iter().collect();
        let subsets: std::collections::HashSet<_> = set.subsets().collect();
        assert_eq!(subsets.len(), 16);
        assert!(subsets.iter().all(|&subset| (subset - set).is_empty()));
    }
}
