//! Squares, files and ranks. Squares are numbered a1 = 0, b1 = 1, … h8 = 63.

use std::fmt;
use std::str::FromStr;

use super::{Bitboard, Color};

macro_rules! line {
    ($(#[$doc:meta])* $name:ident, $($variant:ident),*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[repr(u8)]
        #[expect(missing_docs, reason = "the names say it all")]
        pub enum $name { $($variant),* }

        impl $name {
            /// All eight, in order.
            pub const ALL: [$name; 8] = [$($name::$variant),*];

            index!("0 to 7.");

            /// The line with this index; only the low three bits count.
            #[inline]
            #[must_use]
            pub const fn from_index(index: usize) -> Self {
                Self::ALL[index & 7]
            }
        }
    };
}

line!(/// A column of the board.
    File, A, B, C, D, E, F, G, H);
line!(/// A row of the board.
    Rank, First, Second, Third, Fourth, Fifth, Sixth, Seventh, Eighth);

impl File {
    /// All squares of the file.
    #[inline]
    #[must_use]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(0x0101_0101_0101_0101 << self as u8)
    }

    /// The file's letter, in lower case.
    #[must_use]
    pub const fn letter(self) -> char {
        (b'a' + self as u8) as char
    }

    /// The file of a letter of either case.
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<File> {
        match letter.to_ascii_lowercase() {
            lower @ 'a'..='h' => Some(File::ALL[(lower as u8 - b'a') as usize]),
            _ => None,
        }
    }
}

impl Rank {
    /// All squares of the rank.
    #[inline]
    #[must_use]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(0xff << (self as u8 * 8))
    }

    /// The rank as `color` counts: its own back rank is the first.
    #[inline]
    #[must_use]
    pub const fn relative_to(self, color: Color) -> Rank {
        match color {
            Color::White => self,
            Color::Black => Rank::ALL[7 - self as usize],
        }
    }

    /// The rank's digit.
    #[must_use]
    pub const fn digit(self) -> char {
        (b'1' + self as u8) as char
    }

    /// The rank of a digit.
    #[must_use]
    pub const fn from_digit(digit: char) -> Option<Rank> {
        match digit {
            '1'..='8' => Some(Rank::ALL[(digit as u8 - b'1') as usize]),
            _ => None,
        }
    }
}

/// One of the 64 squares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// The square on a file and a rank.
    #[inline]
    #[must_use]
    pub const fn new(file: File, rank: Rank) -> Square {
        Square(rank as u8 * 8 + file as u8)
    }

    /// The square with this number; only the low six bits count.
    #[inline]
    #[must_use]
    pub const fn from_index(index: usize) -> Square {
        Square((index & 63) as u8)
    }

    /// All squares, a1 first.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator {
        (0..64).map(Square)
    }

    /// The square's number. The mask costs an instruction and saves a bounds check at every table lookup.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// The square's file.
    #[inline]
    #[must_use]
    pub const fn file(self) -> File {
        File::from_index(self.0 as usize)
    }

    /// The square's rank.
    #[inline]
    #[must_use]
    pub const fn rank(self) -> Rank {
        Rank::from_index(self.0 as usize >> 3)
    }

    /// The set that holds only this square.
    #[inline]
    #[must_use]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(1 << (self.0 & 63))
    }

    /// The square `delta` numbers further, wrapping around the board; for steps that stay on it.
    #[inline]
    #[must_use]
    pub const fn offset(self, delta: i8) -> Square {
        Square(self.0.wrapping_add_signed(delta) & 63)
    }

    /// The square as seen from `color`'s side of the board: the ranks flip for Black.
    #[inline]
    #[must_use]
    pub const fn relative_to(self, color: Color) -> Square {
        match color {
            Color::White => self,
            Color::Black => Square(self.0 ^ 56),
        }
    }

    /// The square mirrored between king's wing and queen's wing.
    #[inline]
    #[must_use]
    pub const fn mirrored(self) -> Square {
        Square(self.0 ^ 7)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file().letter(), self.rank().digit())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text was not a square from `a1` to `h8`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseSquareError;

impl fmt::Display for ParseSquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a square from a1 to h8")
    }
}

impl std::error::Error for ParseSquareError {}

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Square, ParseSquareError> {
        let mut letters = text.chars();
        match (letters.next(), letters.next(), letters.next()) {
            (Some(file @ 'a'..='h'), Some(rank), None) => {
                let (file, rank) = File::from_letter(file).zip(Rank::from_digit(rank)).ok_or(ParseSquareError)?;
                Ok(Square::new(file, rank))
            }
            _ => Err(ParseSquareError),
        }
    }
}

macro_rules! named_squares {
    ($($name:ident)*) => {
        /// Every square by name.
        #[expect(missing_docs, reason = "the names say it all")]
        impl Square {
            named_squares!(@ 0; $($name)*);
        }
    };
    (@ $index:expr; $name:ident $($rest:ident)*) => {
        pub const $name: Square = Square($index);
        named_squares!(@ $index + 1; $($rest)*);
    };
    (@ $index:expr;) => {};
}

named_squares! {
    A1 B1 C1 D1 E1 F1 G1 H1
    A2 B2 C2 D2 E2 F2 G2 H2
    A3 B3 C3 D3 E3 F3 G3 H3
    A4 B4 C4 D4 E4 F4 G4 H4
    A5 B5 C5 D5 E5 F5 G5 H5
    A6 B6 C6 D6 E6 F6 G6 H6
    A7 B7 C7 D7 E7 F7 G7 H7
    A8 B8 C8 D8 E8 F8 G8 H8
}
