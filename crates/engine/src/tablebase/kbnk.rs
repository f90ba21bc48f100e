//! King, bishop and knight against king, solved: the one basic mate that a small search does not always find. Nothing
//! is read from a file; the table is computed the first time such an ending is at the root, and kept for all searches.
//!
//! The solver works backwards from the mates, on all squares of the lone king at once: for each placement of the three
//! pieces, it keeps the set of squares on which the lone king, to move, is lost in a given number of moves. Colors do
//! not matter, and rotated and reflected boards are the same, so the bishop stands on one of ten dark squares. The
//! search and its evaluation do not use the table, so their results do not depend on earlier searches; ranking the root
//! moves is enough to play perfectly.

use std::sync::OnceLock;
use std::time::Duration;

use chess::{Bitboard, Board, Color, PieceKind, Square, attacks};

use crate::eval::steps;
use crate::limits::Limits;

/// The dark squares of the bishop, once the board is rotated and reflected: a triangle between two diagonals.
const BISHOPS: [Square; 10] = [
    Square::A1,
    Square::C1,
    Square::E1,
    Square::G1,
    Square::B2,
    Square::D2,
    Square::F2,
    Square::C3,
    Square::E3,
    Square::D4,
];

/// The lone king is not lost, or the position is illegal.
const NEVER: u8 = u8::MAX;

/// Where the lone king, to move, is lost. [dark square of the bishop][knight][king]
type Lost = [[[Bitboard; 64]; 64]];

/// With less time than this, on the clock or for the move, no table is computed.
const LEAST_TIME: Duration = Duration::from_secs(1);

static SOLVED: OnceLock<Kbnk> = OnceLock::new();

/// How many moves the lone king has left when it is to move. [place of the bishop][knight][king][lone king]
pub(crate) struct Kbnk(Box<[u8]>);

/// Whether it is this ending, whichever side is to move.
pub(super) fn is_kbnk(board: &Board) -> bool {
    Men::of(board).is_some()
}

impl Kbnk {
    /// The table, if the position needs it and it exists or there is time to compute it.
    pub(crate) fn at_root(board: &Board, limits: &Limits) -> Option<&'static Kbnk> {
        if !is_kbnk(board) {
            return None;
        }
        let time = limits.move_time.into_iter().chain(limits.clock.map(|clock| clock.remaining)).min();
        let has_time = time.is_none_or(|time| time >= LEAST_TIME);
        if has_time { Some(SOLVED.get_or_init(Kbnk::solve)) } else { SOLVED.get() }
    }

    /// Plies to mate with best play: even if the side to move is mated, odd if it mates. None if it is drawn, or
    /// another ending.
    pub(super) fn plies_to_mate(&self, board: &Board) -> Option<i32> {
        let men = Men::of(board)?;
        if board.side_to_move() != men.strong {
            return self.moves_left(&men).map(|moves| 2 * i32::from(moves));
        }
        let moves = board.legal_moves();
        let left = moves.iter().filter_map(|&mv| self.moves_left(&Men::of(&board.after(mv))?));
        left.min().map(|moves| 2 * i32::from(moves) + 1)
    }

    /// Moves until the lone king, to move, is mated.
    fn moves_left(&self, men: &Men) -> Option<u8> {
        let is_light = Bitboard::LIGHT.has(men.bishop);
        let mirror = |square: Square| if is_light { square.mirrored() } else { square };
        let (file, rank) = (mirror(men.bishop).file().index(), mirror(men.bishop).rank().index());
        let turn = file + rank > 7;
        let reflect = if turn { file > rank } else { rank > file };
        let seen = |square| image(mirror(square), turn, reflect);
        let place = BISHOPS.iter().position(|&place| place == seen(men.bishop))?;
        let moves = self.0[index(place, seen(men.knight), seen(men.king), seen(men.lone))];
        (moves != NEVER).then_some(moves)
    }

    /// Computes the table.
    fn solve() -> Kbnk {
        let mut table = vec![NEVER; BISHOPS.len() << 18].into_boxed_slice();
        let mut lost = vec![[[Bitboard::EMPTY; 64]; 64]; 32].into_boxed_slice();
        for moves in 0.. {
            let found = newly_lost(&lost);
            if found.is_empty() {
                break;
            }
            for Found { place, knight, king, lone } in found {
                for (turn, reflect) in [(false, false), (false, true), (true, false), (true, true)] {
                    let seen = |square| image(square, turn, reflect);
                    let lone: Bitboard = lone.into_iter().map(seen).collect();
                    lost[dark(seen(BISHOPS[place]))][seen(knight).index()][seen(king).index()] |= lone;
                }
                lone.into_iter().for_each(|lone| table[index(place, knight, king, lone)] = moves);
            }
        }
        Kbnk(table)
    }
}

/// Squares of the lone king that are lost in one move more than all those known so far.
struct Found {
    place: usize,
    knight: Square,
    king: Square,
    lone: Bitboard,
}

fn newly_lost(lost: &Lost) -> Vec<Found> {
    let mut found = Vec::new();
    for (place, bishop) in BISHOPS.into_iter().enumerate() {
        for knight in Square::all().filter(|&knight| knight != bishop) {
            let reached = reached(lost, bishop, knight);
            for king in Square::all().filter(|&king| king != bishop && king != knight) {
                let all = lone_moves(bishop, knight, king, reached[king.index()]);
                let lone = all - lost[dark(bishop)][knight.index()][king.index()];
                if lone.any() {
                    found.push(Found { place, knight, king, lone });
                }
            }
        }
    }
    found
}

/// Where the lone king is lost after some move of the strong side, even if it could not stand there before. [king]
fn reached(lost: &Lost, bishop: Square, knight: Square) -> [Bitboard; 64] {
    let at = |bishop: Square, knight: Square| &lost[dark(bishop)][knight.index()];
    let here = at(bishop, knight);
    // With two pieces on one square nothing counts as lost, so no piece captures one of its own.
    let mut reached = std::array::from_fn(|king| {
        let steps = attacks::king(Square::from_index(king)).into_iter();
        steps.fold(Bitboard::EMPTY, |all, to| all | here[to.index()])
    });
    for to in attacks::knight(knight) - bishop.bitboard() {
        reached.iter_mut().zip(at(bishop, to)).for_each(|(reached, &lost)| *reached |= lost);
    }
    for to in attacks::bishop(bishop, knight.bitboard()) - knight.bitboard() {
        // Either king may stand in the way.
        let way = attacks::between(bishop, to);
        let there = at(to, knight);
        (!way).into_iter().for_each(|king| reached[king.index()] |= there[king.index()] - way);
    }
    reached
}

/// Where the lone king is lost when it is to move, given the squares where it is lost when the strong side is.
fn lone_moves(bishop: Square, knight: Square, king: Square, reached: Bitboard) -> Bitboard {
    let minors = bishop.bitboard() | knight.bitboard();
    let attacked = attacks::knight(knight) | attacks::bishop(bishop, knight.bitboard() | king.bitboard());
    let near = attacks::king(king) | king.bitboard();
    // It may move to any square that is not attacked, and capture there.
    let free = !(attacked | near);
    let way_out = free - (reached - minors);
    let standing = !(near | minors);
    // Without a move it is mated if attacked, and stalemated if not.
    (standing & (steps(free) | attacked)) - steps(way_out)
}

fn index(place: usize, knight: Square, king: Square, lone: Square) -> usize {
    [knight, king, lone].into_iter().fold(place, |index, square| index * 64 + square.index())
}

/// The number of a dark square among the dark ones.
fn dark(square: Square) -> usize {
    square.index() / 2
}

/// The square after rotating the board by half a turn, reflecting it in the diagonal from a1, or both. For a bishop on
/// dark squares all four boards are equivalent.
fn image(square: Square, turn: bool, reflect: bool) -> Square {
    let index = if turn { 63 - square.index() } else { square.index() };
    Square::from_index(if reflect { index % 8 * 8 + index / 8 } else { index })
}

/// The squares of the pieces.
struct Men {
    strong: Color,
    king: Square,
    bishop: Square,
    knight: Square,
    lone: Square,
}

impl Men {
    /// None if it is another ending.
    fn of(board: &Board) -> Option<Men> {
        let strong = Color::ALL.into_iter().find(|&color| board.color(!color).len() == 1)?;
        let only = |kind| board.pieces(strong, kind).first();
        let (bishop, knight) = only(PieceKind::Bishop).zip(only(PieceKind::Knight))?;
        let men = Men { strong, king: board.king(strong), bishop, knight, lone: board.king(!strong) };
        (board.occupied().len() == 4).then_some(men)
    }
}

#[cfg(test)]
mod tests;
