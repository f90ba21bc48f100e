//! Two scores in one word: what a feature is worth in the middle game and in the endgame. One addition adds both, which
//! halves the arithmetic of the evaluation.

use std::fmt;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A pair of scores: the low half of the word is the middle game, the high half the endgame, 16 bits each.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct S(i32);

impl S {
    /// Worth nothing.
    pub const ZERO: S = S(0);

    /// The pair of these two scores.
    #[inline]
    #[must_use]
    pub const fn new(middle: i32, end: i32) -> S {
        S((end << 16) + middle)
    }

    /// The score in the middle game.
    #[inline]
    #[must_use]
    pub const fn middle(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The score in the endgame. A negative low half has borrowed one from the high half; the rounding gives it back.
    #[inline]
    #[must_use]
    pub const fn end(self) -> i32 {
        (self.0 + 0x8000) >> 16
    }

    /// The sum, for tables built at compile time.
    #[must_use]
    pub(super) const fn plus(self, other: S) -> S {
        S(self.0 + other.0)
    }

    /// The opposite, for tables built at compile time.
    #[must_use]
    pub(super) const fn negated(self) -> S {
        S(-self.0)
    }
}

impl Add for S {
    type Output = S;
    #[inline]
    fn add(self, other: S) -> S {
        S(self.0 + other.0)
    }
}

impl Sub for S {
    type Output = S;
    #[inline]
    fn sub(self, other: S) -> S {
        S(self.0 - other.0)
    }
}

impl Neg for S {
    type Output = S;
    #[inline]
    fn neg(self) -> S {
        S(-self.0)
    }
}

impl Mul<i32> for S {
    type Output = S;
    #[inline]
    fn mul(self, count: i32) -> S {
        S(self.0 * count)
    }
}

impl AddAssign for S {
    #[inline]
    fn add_assign(&mut self, other: S) {
        self.0 += other.0;
    }
}

impl SubAssign for S {
    #[inline]
    fn sub_assign(&mut self, other: S) {
        self.0 -= other.0;
    }
}

impl fmt::Debug for S {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.middle(), self.end())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_do_not_disturb_each_other() {
        for middle in [-9000, -300, -1, 0, 1, 77, 9000] {
            for end in [-9000, -2, 0, 5, 9000] {
                let pair = S::new(middle, end);
                assert_eq!((pair.middle(), pair.end()), (middle, end));
                let three = pair * 3;
                assert_eq!((three.middle(), three.end()), (middle * 3, end * 3));
                let less = pair - S::new(10, -10);
                assert_eq!((less.middle(), less.end()), (middle - 10, end + 10));
                assert_eq!(-pair + pair, S::ZERO);
            }
        }
    }
}
