//! The 960 start positions, by Scharnagl number.

use super::{Board, Setup};
use crate::types::{Bitboard, Color, File, Piece, PieceKind, Square};

impl Board {
    /// The start position with these Scharnagl numbers (below 960) for White's and Black's back ranks. Equal numbers
    /// are Chess960, different ones double Chess960; 518 is the classical array.
    #[must_use]
    pub fn chess960(white: u16, black: u16) -> Option<Board> {
        let mut setup = Setup::empty();
        for (color, number) in [(Color::White, white), (Color::Black, black)] {
            let row = back_rank(number)?;
            for (file, kind) in File::ALL.into_iter().zip(row) {
                let square = Square::new(file, color.back_rank());
                setup.pieces[square.index()] = Some(Piece::new(color, kind));
                let pawn_square = square.offset(color.forward());
                setup.pieces[pawn_square.index()] = Some(Piece::new(color, PieceKind::Pawn));
                if kind == PieceKind::Rook {
                    setup.castling_rooks |= square.bitboard();
                }
            }
        }
        Board::try_from(setup).ok()
    }
}

fn back_rank(number: u16) -> Option<[PieceKind; 8]> {
    // The squares of two knights among five free squares, in Scharnagl's order.
    const KNIGHTS: [(usize, usize); 10] =
        [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];
    if number >= 960 {
        return None;
    }
    let number = usize::from(number);
    let mut row = [None; 8];
    row[number % 4 * 2 + 1] = Some(PieceKind::Bishop);
    row[number / 4 % 4 * 2] = Some(PieceKind::Bishop);
    let mut free: Vec<usize> = (0..8).filter(|&file| row[file].is_none()).collect();
    row[free.remove(number / 16 % 6)] = Some(PieceKind::Queen);
    let (first, second) = KNIGHTS[number / 96];
    row[free.remove(second)] = Some(PieceKind::Knight);
    row[free.remove(first)] = Some(PieceKind::Knight);
    row[free[1]] = Some(PieceKind::King);
    Some(row.map(|kind| kind.unwrap_or(PieceKind::Rook)))
}

impl Setup {
    /// A board without pieces, White to move.
    #[must_use]
    pub fn empty() -> Setup {
        Setup {
            pieces: [None; 64],
            side: Color::White,
            castling_rooks: Bitboard::EMPTY,
            en_passant: None,
            halfmove_clock: 0,
            fullmove_number: 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letters(number: u16) -> String {
        back_rank(number).expect("below 960").map(PieceKind::letter).iter().collect()
    }

    #[test]
    fn known_numbers() {
        assert_eq!(letters(518), "rnbqkbnr");
        assert_eq!(letters(0), "bbqnnrkr");
        assert_eq!(letters(959), "rkrnnqbb");
        assert_eq!(back_rank(960), None);
    }

    /// It is copied at every move, and `docs/ARCHITECTURE.md` states its size.
    #[test]
    fn a_board_is_small() {
        assert_eq!(size_of::<Board>(), 200);
    }

    #[test]
    fn all_are_different_and_valid() {
        let rows: std::collections::HashSet<_> = (0..960).map(letters).collect();
        assert_eq!(rows.len(), 960);
        for number in 0..960 {
            let board = Board::chess960(number, 959 - number).expect("a valid board");
            assert_eq!(board.castling().rooks().len(), 4);
        }
    }
}
