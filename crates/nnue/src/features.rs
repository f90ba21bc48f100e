//! What the network sees of a board: every piece, from each side's perspective.
//!
//! Each side sees the board from its own end, so the ranks flip for Black, and from its king's wing: if its own king
//! stands on files e to h, the files are mirrored. A feature is then an owner (own or other), a kind and a square.

use chess::{Board, Color, Piece, PieceKind, Square};

use crate::arch::{INPUTS, KING_BUCKET};

/// How one side sees the board; it depends on the square of its king.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Perspective {
    color: Color,
    flip: u8,
    bucket: u8,
}

impl Perspective {
    /// The perspective of a side with its king on that square.
    #[inline]
    #[must_use]
    pub const fn new(color: Color, king: Square) -> Perspective {
        let wing = if king.index() & 4 != 0 { 7 } else { 0 };
        let end = match color {
            Color::White => 0,
            Color::Black => 56,
        };
        let flip = wing | end;
        Perspective { color, flip, bucket: KING_BUCKET[(king.index() ^ flip as usize) & 63] }
    }

    /// The perspective of a side on this board.
    #[inline]
    #[must_use]
    pub fn of(board: &Board, color: Color) -> Perspective {
        Perspective::new(color, board.king(color))
    }

    /// The row of the first layer for a piece on a square, below [`FEATURES`](crate::arch::FEATURES).
    #[inline]
    #[must_use]
    pub const fn index(self, piece: Piece, square: Square) -> usize {
        let owner = piece.color() as usize ^ self.color as usize;
        let kind = piece.index() / 2;
        self.bucket as usize * INPUTS + owner * (INPUTS / 2) + kind * 64 + (square.index() ^ self.flip as usize)
    }

    /// The index of a move of this kind of piece to this square, below [`MOVES`](crate::arch::MOVES).
    #[inline]
    #[must_use]
    pub const fn target(self, kind: PieceKind, to: Square) -> usize {
        kind as usize * 64 + (to.index() ^ self.flip as usize)
    }

    /// Whether the files are mirrored.
    #[inline]
    #[must_use]
    pub const fn is_mirrored(self) -> bool {
        self.flip & 7 != 0
    }

    /// Which set of inputs is used.
    #[inline]
    #[must_use]
    pub const fn bucket(self) -> usize {
        self.bucket as usize
    }
}

/// The features one side sees on a board, in the order of the squares.
pub fn active(board: &Board, color: Color) -> impl Iterator<Item = usize> {
    let perspective = Perspective::of(board, color);
    let pieces = board.occupied().into_iter().filter_map(|square| Some((board.piece_on(square)?, square)));
    pieces.map(move |(piece, square)| perspective.index(piece, square))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::FEATURES;

    fn features(fen: &str, color: Color) -> Vec<usize> {
        let mut list: Vec<usize> = active(&fen.parse().expect(fen), color).collect();
        list.sort_unstable();
        list
    }

    #[test]
    fn indices_are_the_agreed_ones() {
        let white = Perspective::new(Color::White, Square::A1);
        assert_eq!(white.index(Piece::WhitePawn, Square::B2), 9);
        assert_eq!(white.index(Piece::WhiteKing, Square::A1), 5 * 64);
        assert_eq!(white.index(Piece::BlackKnight, Square::H8), 384 + 64 + 63);
        let mirrored = Perspective::new(Color::White, Square::E1);
        assert_eq!(mirrored.index(Piece::WhiteKing, Square::E1), 5 * 64 + 3);
        let black = Perspective::new(Color::Black, Square::H8);
        assert_eq!(black.index(Piece::BlackKing, Square::H8), 5 * 64);
        assert_eq!(black.index(Piece::WhiteQueen, Square::A1), 384 + 4 * 64 + 63);
        assert!(black.is_mirrored() && !white.is_mirrored());
    }

    #[test]
    fn each_view_gives_every_piece_and_square_its_own_feature() {
        for color in Color::ALL {
            for king in Square::all() {
                let perspective = Perspective::new(color, king);
                let mut seen = vec![false; FEATURES];
                for piece in Piece::ALL {
                    for square in Square::all() {
                        let index = perspective.index(piece, square);
                        assert!(!std::mem::replace(&mut seen[index], true));
                    }
                }
            }
        }
    }

    #[test]
    fn flipped_and_mirrored_boards_look_alike() {
        let original = "r3k3/1p3pp1/2n5/4P3/3Q4/5N2/PP3P2/2K4R w - - 0 1";
        let mirrored = "3k3r/1pp3p1/5n2/3P4/4Q3/2N5/2P3PP/R4K2 w - - 0 1";
        let flipped = "2k4r/pp3p2/5n2/3q4/4p3/2N5/1P3PP1/R3K3 b - - 0 1";
        for color in Color::ALL {
            assert_eq!(features(original, color), features(mirrored, color));
            assert_eq!(features(original, color), features(flipped, color.other()));
            assert_ne!(features(original, color), features(original, color.other()));
        }
    }
}
