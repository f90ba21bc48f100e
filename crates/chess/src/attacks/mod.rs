//! Which squares a piece attacks. Every table is built at compile time; there is nothing to initialise.

mod rays;
mod sliders;

#[cfg(any(test, not(fast_pext)))]
mod magic;
#[cfg(fast_pext)]
mod pext;

#[cfg(not(fast_pext))]
use magic as lookup;
#[cfg(fast_pext)]
use pext as lookup;

use crate::types::{Bitboard, Color, PieceKind, Square};

pub use rays::{between, line};

type Table = [Bitboard; 64];

static KNIGHT: Table = leaper(&[(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]);
static KING: Table = leaper(&[(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]);
// [color][square]
static PAWN: [Table; 2] = [leaper(&[(1, 1), (-1, 1)]), leaper(&[(1, -1), (-1, -1)])];
static BISHOP_RAYS: Table = slider_rays(true);
static ROOK_RAYS: Table = slider_rays(false);

const fn leaper(steps: &[(i32, i32)]) -> Table {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        let mut step = 0;
        while step < steps.len() {
            let (file, rank) = (square % 8 + steps[step].0, square / 8 + steps[step].1);
            if file >= 0 && file < 8 && rank >= 0 && rank < 8 {
                table[square as usize].0 |= 1 << (rank * 8 + file);
            }
            step += 1;
        }
        square += 1;
    }
    table
}

const fn slider_rays(diagonal: bool) -> Table {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = Bitboard(sliders::attacks(diagonal, square, 0));
        square += 1;
    }
    table
}

/// The squares a knight on `from` attacks.
#[inline]
#[must_use]
pub const fn knight(from: Square) -> Bitboard {
    KNIGHT[from.index()]
}

/// The squares a king on `from` attacks.
#[inline]
#[must_use]
pub const fn king(from: Square) -> Bitboard {
    KING[from.index()]
}

/// The squares a pawn of `color` on `from` attacks.
#[inline]
#[must_use]
pub const fn pawn(color: Color, from: Square) -> Bitboard {
    PAWN[color.index()][from.index()]
}

/// The squares the pawns of `color` on `pawns` attack, all together.
#[inline]
#[must_use]
pub fn pawns(color: Color, pawns: Bitboard) -> Bitboard {
    let ahead = pawns.forward(color);
    ahead.west() | ahead.east()
}

/// The squares a bishop on `from` attacks, given the occupied squares.
#[inline]
#[must_use]
pub fn bishop(from: Square, occupied: Bitboard) -> Bitboard {
    lookup::bishop(from, occupied)
}

/// The squares a rook on `from` attacks, given the occupied squares.
#[inline]
#[must_use]
pub fn rook(from: Square, occupied: Bitboard) -> Bitboard {
    lookup::rook(from, occupied)
}

/// The squares a queen on `from` attacks, given the occupied squares.
#[inline]
#[must_use]
pub fn queen(from: Square, occupied: Bitboard) -> Bitboard {
    bishop(from, occupied) | rook(from, occupied)
}

/// The squares a bishop on `from` attacks on an empty board.
#[inline]
#[must_use]
pub const fn bishop_rays(from: Square) -> Bitboard {
    BISHOP_RAYS[from.index()]
}

/// The squares a rook on `from` attacks on an empty board.
#[inline]
#[must_use]
pub const fn rook_rays(from: Square) -> Bitboard {
    ROOK_RAYS[from.index()]
}

/// The squares a piece on `from` attacks, given the occupied squares.
#[inline]
#[must_use]
pub fn of(kind: PieceKind, color: Color, from: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        PieceKind::Pawn => pawn(color, from),
        PieceKind::Knight => knight(from),
        PieceKind::Bishop => bishop(from, occupied),
        PieceKind::Rook => rook(from, occupied),
        PieceKind::Queen => queen(from, occupied),
        PieceKind::King => king(from),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The slow twin: walk each direction square by square.
    fn walk(from: Square, occupied: Bitboard, directions: [(i8, i8); 4]) -> Bitboard {
        let mut reached = Bitboard::EMPTY;
        for (file_step, rank_step) in directions {
            let (mut file, mut rank) = (from.file() as i8, from.rank() as i8);
            loop {
                (file, rank) = (file + file_step, rank + rank_step);
                if !(0..8).contains(&file) || !(0..8).contains(&rank) {
                    break;
                }
                let square = Square::from_index(rank as usize * 8 + file as usize);
                reached |= square.bitboard();
                if occupied.has(square) {
                    break;
                }
            }
        }
        reached
    }

    #[test]
    fn every_lookup_of_every_occupancy_equals_walking() {
        let diagonals = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
        let straights = [(1, 0), (-1, 0), (0, 1), (0, -1)];
        for from in Square::all() {
            for occupied in Bitboard(sliders::mask(true, from.index())).subsets() {
                let slow = walk(from, occupied, diagonals);
                assert_eq!(bishop(from, occupied), slow);
                assert_eq!(magic::bishop(from, occupied), slow);
            }
            for occupied in Bitboard(sliders::mask(false, from.index())).subsets() {
                let slow = walk(from, occupied, straights);
                assert_eq!(rook(from, occupied), slow);
                assert_eq!(magic::rook(from, occupied), slow);
            }
        }
    }

    #[test]
    fn irrelevant_occupancy_changes_nothing() {
        let mut seed = 1_u64;
        for from in Square::all() {
            for _ in 0..100 {
                seed = crate::zobrist::splitmix(seed);
                let occupied = Bitboard(seed & seed.rotate_left(23));
                for (fast, diagonal) in [(bishop as fn(_, _) -> _, true), (rook, false)] {
                    let relevant = occupied & Bitboard(sliders::mask(diagonal, from.index()));
                    assert_eq!(fast(from, occupied), fast(from, relevant));
                }
            }
        }
    }

    #[test]
    fn leapers_are_symmetric_and_pawns_attack_as_a_set() {
        for from in Square::all() {
            assert!(knight(from).into_iter().all(|to| knight(to).has(from)));
            assert!(king(from).into_iter().all(|to| king(to).has(from)));
            assert!(pawn(Color::White, from).into_iter().all(|to| pawn(Color::Black, to).has(from)));
            for color in Color::ALL {
                assert_eq!(pawns(color, from.bitboard()), pawn(color, from));
            }
        }
        assert_eq!(knight(Square::B1), Square::A3.bitboard() | Square::C3.bitboard() | Square::D2.bitboard());
        assert_eq!(king(Square::A1).len() + king(Square::E4).len(), 3 + 8);
    }
}
