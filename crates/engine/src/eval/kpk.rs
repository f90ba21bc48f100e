//! King and pawn against king, solved. For each square of the pawn and its king, the table holds the set of squares on
//! which the lone king loses. It is computed when first needed, in about a millisecond, backwards from pawns that
//! promote safely, on all squares of the lone king at once.

use std::sync::LazyLock;

use chess::{Bitboard, Color, Rank, Square, attacks};

use super::sets::steps;

/// Where the lone king loses. [place of the pawn][its king]
type Lost = [[Bitboard; 64]; PAWNS];

/// The pawn is White's, on one of the files a to d and the ranks 2 to 7.
const PAWNS: usize = 24;

/// With the pawn's side to move, and with the lone king to move.
static LOST: LazyLock<Box<[Lost; 2]>> = LazyLock::new(solve);

/// Whether the side with the pawn wins. The position is legal.
pub(super) fn is_won(strong: Color, king: Square, pawn: Square, lone: Square, to_move: Color) -> bool {
    // Flipped and mirrored so that the pawn is White's and on the queen's wing.
    let seen = |square: Square| {
        let square = square.relative_to(strong);
        if pawn.file().index() > 3 { square.mirrored() } else { square }
    };
    LOST[usize::from(to_move != strong)][place_of(seen(pawn))][seen(king).index()].has(seen(lone))
}

fn place_of(pawn: Square) -> usize {
    pawn.index() / 8 * 4 + pawn.file().index() - 4
}

fn pawn_at(place: usize) -> Square {
    Square::from_index((place / 4 + 1) * 8 + place % 4)
}

fn solve() -> Box<[Lost; 2]> {
    let mut lost = Box::new([[[Bitboard::EMPTY; 64]; PAWNS]; 2]);
    loop {
        let mut is_settled = true;
        for place in 0..PAWNS {
            for king in Square::all().filter(|&king| king != pawn_at(place)) {
                let found = [strong_moves(&lost[1], place, king), lone_moves(&lost[0], place, king)];
                for (lost, found) in lost.iter_mut().zip(found) {
                    let known = &mut lost[place][king.index()];
                    is_settled &= *known == found;
                    *known = found;
                }
            }
        }
        // What is still undecided is a draw.
        if is_settled {
            return lost;
        }
    }
}

/// Where the lone king loses with the pawn's side to move, given where it loses when it is to move.
fn strong_moves(lost: &Lost, place: usize, king: Square) -> Bitboard {
    let pawn = pawn_at(place);
    let next = pawn.offset(8);
    let mut found = Bitboard::EMPTY;
    for to in attacks::king(king) - pawn.bitboard() {
        found |= lost[place][to.index()];
    }
    if next != king && pawn.rank() == Rank::Seventh {
        // It promotes, out of reach of the lone king or protected by its own.
        let held = attacks::king(king).has(next);
        found |= !next.bitboard() - if held { Bitboard::EMPTY } else { attacks::king(next) };
    } else if next != king {
        found |= lost[place_of(next)][king.index()] - next.bitboard();
        let second = next.offset(8);
        if pawn.rank() == Rank::Second && second != king {
            found |= lost[place_of(second)][king.index()] - next.bitboard() - second.bitboard();
        }
    }
    found & (free_of(king, pawn) - pawn.bitboard())
}

/// Where the lone king loses when it is to move, given where it loses with the pawn's side to move.
fn lone_moves(lost: &Lost, place: usize, king: Square) -> Bitboard {
    let pawn = pawn_at(place);
    // It may move to any square that is not attacked, and capture the pawn.
    let free = free_of(king, pawn);
    let way_out = free - lost[place][king.index()];
    let standing = !attacks::king(king) - king.bitboard() - pawn.bitboard();
    standing & (steps(free) - steps(way_out))
}

/// The squares that the king does not stand on and that neither it nor the pawn attacks.
fn free_of(king: Square, pawn: Square) -> Bitboard {
    !attacks::king(king) - king.bitboard() - attacks::pawn(Color::White, pawn)
}

#[cfg(test)]
mod tests {
    use chess::{Board, PieceKind};

    use super::*;
    use crate::tablebase::{Tablebases, Wdl};

    #[test]
    fn the_tablebases_say_the_same_of_every_position() {
        let (tables, _) = Tablebases::open(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/syzygy"));
        let mut count = 0;
        // Every seventh is enough here, for both sides and both wings.
        for index in (0..2 * PAWNS * 4096).step_by(7) {
            let [king, lone] = [index / 64 % 64, index % 64].map(Square::from_index);
            let (pawn, strong_moves) = (pawn_at(index / 4096 % PAWNS), index / 4096 >= PAWNS);
            assert_eq!(pawn_at(place_of(pawn)), pawn);
            if pawn == king || pawn == lone || king == lone {
                continue;
            }
            for (strong, mirrored) in [(Color::White, false), (Color::Black, false), (Color::White, true)] {
                let seen = |square: Square| (if mirrored { square.mirrored() } else { square }).relative_to(strong);
                let [king, pawn, lone] = [king, pawn, lone].map(seen);
                let to_move = if strong_moves { strong } else { !strong };
                let letters = if strong == Color::White { "KPk" } else { "kpK" };
                let letter = |square: Square| {
                    let found = [king, pawn, lone].into_iter().position(|occupied| occupied == square);
                    found.and_then(|place| letters.chars().nth(place))
                };
                let row = |rank: usize| {
                    let row: String =
                        (0..8).map(|file| letter(Square::from_index(rank * 8 + file)).unwrap_or('.')).collect();
                    (1..=8).rev().fold(row, |row, run| row.replace(&".".repeat(run), &run.to_string()))
                };
                let rows: Vec<String> = (0..8).rev().map(row).collect();
                let side = if to_move == Color::White { 'w' } else { 'b' };
                let Ok(board) = format!("{} {side} - - 0 1", rows.join("/")).parse::<Board>() else { continue };
                assert_eq!(board.kind(PieceKind::Pawn), pawn.bitboard());
                let wdl = tables.probe_wdl(&board).expect("three men");
                let wins = if to_move == strong { wdl == Wdl::Win } else { wdl == Wdl::Loss };
                assert_eq!(is_won(strong, king, pawn, lone, to_move), wins, "{board}");
                count += 1;
            }
        }
        assert!(count > 50_000, "{count}");
    }
}
