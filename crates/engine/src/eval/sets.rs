//! Small geometry on sets of squares that the evaluation needs and the rules do not.

use chess::{Bitboard, Color, File, Square};

/// The squares ahead of the set on its files, without the set itself.
#[inline]
pub(super) fn ahead(us: Color, set: Bitboard) -> Bitboard {
    set.forward(us).filled_forward(us)
}

/// All squares of the files that the set touches.
#[inline]
pub(super) fn fill_files(set: Bitboard) -> Bitboard {
    set.filled_forward(Color::White) | set.filled_forward(Color::Black)
}

/// The set moved one file to either side.
#[inline]
pub(super) fn beside(set: Bitboard) -> Bitboard {
    set.west() | set.east()
}

/// The squares a king's step away from any of the set.
#[inline]
pub(crate) fn steps(set: Bitboard) -> Bitboard {
    let row = set | beside(set);
    beside(set) | row.forward(Color::White) | row.forward(Color::Black)
}

/// King moves between two squares of an empty board.
#[inline]
pub(super) fn distance(a: Square, b: Square) -> i32 {
    file_distance(a, b).max(rank_distance(a, b))
}

/// Files between two squares.
#[inline]
pub(super) fn file_distance(a: Square, b: Square) -> i32 {
    ((a.index() & 7) as i32 - (b.index() & 7) as i32).abs()
}

/// Ranks between two squares.
#[inline]
pub(super) fn rank_distance(a: Square, b: Square) -> i32 {
    ((a.index() >> 3) as i32 - (b.index() >> 3) as i32).abs()
}

/// 0 for the a- and h-file to 3 for the d- and e-file.
#[inline]
pub(super) fn edge_distance(file: usize) -> usize {
    file.min(7 - (file & 7))
}

/// 0 for the rank on which the pieces of `us` start to 7 for the far one.
#[inline]
pub(super) fn own_rank(us: Color, square: Square) -> usize {
    square.relative_to(us).index() >> 3
}

/// A set as `us` sees it: the ranks flip for Black.
#[inline]
pub(super) const fn seen_by(us: Color, set: Bitboard) -> Bitboard {
    match us {
        Color::White => set,
        Color::Black => set.flipped(),
    }
}

/// The queen's wing, files a to d.
pub(super) const QUEEN_WING: Bitboard =
    Bitboard(File::A.bitboard().0 | File::B.bitboard().0 | File::C.bitboard().0 | File::D.bitboard().0);
/// The files c to f.
pub(super) const CENTER_FILES: Bitboard =
    Bitboard(File::C.bitboard().0 | File::D.bitboard().0 | File::E.bitboard().0 | File::F.bitboard().0);
/// d4, e4, d5, e5.
pub(super) const CENTER: Bitboard = Bitboard(0x0000_0018_1800_0000);
