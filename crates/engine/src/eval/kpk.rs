//! King and pawn against king, solved: a bit for each placement says whether the pawn's side wins. The table is worked out when it is
//! first asked for, in some milliseconds, backwards from what is plain: a pawn that promotes in safety wins, one that is taken does
//! not.

use std::sync::LazyLock;

use chess::{Bitboard, Color, Rank, Square, attacks};

use super::sets::distance;

/// The pawn is White's, on one of the files a to d and the ranks 2 to 7.
const PAWNS: usize = 24;
const PLACEMENTS: usize = 2 * PAWNS * 64 * 64;

/// One bit for each placement.
static WON: LazyLock<Box<[u64; PLACEMENTS / 64]>> = LazyLock::new(solve);

/// Whether the side with the pawn wins. The placement is legal.
pub(super) fn is_won(strong: Color, king: Square, pawn: Square, lone: Square, to_move: Color) -> bool {
    // Seen as if the pawn were White's and on the queen's wing.
    let seen = |square: Square| {
        let square = square.relative_to(strong);
        if pawn.file().index() > 3 { square.mirrored() } else { square }
    };
    let place = Placement { strong_moves: to_move == strong, king: seen(king), pawn: seen(pawn), lone: seen(lone) };
    let index = place.index();
    WON[index / 64] >> (index % 64) & 1 != 0
}

#[derive(Clone, Copy)]
struct Placement {
    strong_moves: bool,
    king: Square,
    pawn: Square,
    lone: Square,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    /// There is no such position.
    Impossible,
    NotYet,
    Drawn,
    Won,
}

impl Placement {
    fn index(self) -> usize {
        let pawn = self.pawn.index() / 8 * 4 + self.pawn.file().index() - 4;
        ((usize::from(self.strong_moves) * PAWNS + pawn) * 64 + self.king.index()) * 64 + self.lone.index()
    }

    fn of_index(index: usize) -> Placement {
        let pawn = index / 4096 % PAWNS;
        Placement {
            strong_moves: index / 4096 >= PAWNS,
            king: Square::from_index(index / 64 % 64),
            pawn: Square::from_index((pawn / 4 + 1) * 8 + pawn % 4),
            lone: Square::from_index(index % 64),
        }
    }

    fn is_possible(self) -> bool {
        distance(self.king, self.lone) > 1
            && self.pawn != self.king
            && self.pawn != self.lone
            && !(self.strong_moves && self.pawn_attacks().has(self.lone))
    }

    fn pawn_attacks(self) -> Bitboard {
        attacks::pawn(Color::White, self.pawn)
    }

    fn king_moves(self) -> Bitboard {
        attacks::king(self.king) - attacks::king(self.lone) - self.pawn.bitboard()
    }

    /// Where the lone king can go, the pawn included if nobody holds it.
    fn lone_moves(self) -> Bitboard {
        attacks::king(self.lone) - attacks::king(self.king) - self.pawn_attacks()
    }

    /// The placements after each move that keeps the pawn a pawn.
    fn after_strong(self) -> impl Iterator<Item = Placement> {
        let step = |from: Square| from.offset(8);
        let is_free = move |square: Square| square != self.king && square != self.lone;
        let one = (self.pawn.rank() != Rank::Seventh).then(|| step(self.pawn)).filter(|&to| is_free(to));
        let two = one.filter(|_| self.pawn.rank() == Rank::Second).map(step).filter(|&to| is_free(to));
        let kings = self.king_moves().into_iter().map(move |king| Placement { strong_moves: false, king, ..self });
        let pawns = one.into_iter().chain(two).map(move |pawn| Placement { strong_moves: false, pawn, ..self });
        kings.chain(pawns)
    }

    /// What can be seen without looking further.
    fn at_first_sight(self) -> Known {
        if !self.is_possible() {
            return Known::Impossible;
        }
        if self.strong_moves {
            let promotes = self.pawn.rank() == Rank::Seventh && {
                let to = self.pawn.offset(8);
                to != self.king && to != self.lone && (distance(self.lone, to) > 1 || distance(self.king, to) == 1)
            };
            return if promotes { Known::Won } else { Known::NotYet };
        }
        let moves = self.lone_moves();
        if moves.is_empty() || moves.has(self.pawn) { Known::Drawn } else { Known::NotYet }
    }

    /// What follows from what is known of the placements after it.
    fn from_next(self, known: &[Known]) -> Known {
        let (mut won, mut drawn, mut open) = (false, false, false);
        let mut note = |next: Placement| match known[next.index()] {
            Known::Won => won = true,
            Known::Drawn => drawn = true,
            Known::NotYet => open = true,
            Known::Impossible => {}
        };
        if self.strong_moves {
            self.after_strong().for_each(&mut note);
        } else {
            self.lone_moves().into_iter().for_each(|lone| note(Placement { strong_moves: true, lone, ..self }));
        }
        match self.strong_moves {
            true if won => Known::Won,
            false if drawn => Known::Drawn,
            _ if open => Known::NotYet,
            true => Known::Drawn,
            false => Known::Won,
        }
    }
}

fn solve() -> Box<[u64; PLACEMENTS / 64]> {
    let mut known: Vec<Known> = (0..PLACEMENTS).map(|index| Placement::of_index(index).at_first_sight()).collect();
    loop {
        let mut is_settled = true;
        for index in 0..PLACEMENTS {
            if known[index] == Known::NotYet {
                known[index] = Placement::of_index(index).from_next(&known);
                is_settled &= known[index] == Known::NotYet;
            }
        }
        if is_settled {
            break;
        }
    }
    // What is still open goes round in circles: a draw.
    let mut won = Box::new([0; PLACEMENTS / 64]);
    for (index, known) in known.into_iter().enumerate() {
        won[index / 64] |= u64::from(known == Known::Won) << (index % 64);
    }
    won
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
        for index in 0..PLACEMENTS {
            let place = Placement::of_index(index);
            assert_eq!(place.index(), index);
            // Every tenth is enough here, for both sides and both wings.
            if !place.is_possible() || index % 10 != 0 {
                continue;
            }
            for (strong, mirrored) in [(Color::White, false), (Color::Black, false), (Color::White, true)] {
                let seen = |square: Square| (if mirrored { square.mirrored() } else { square }).relative_to(strong);
                let [king, pawn, lone] = [place.king, place.pawn, place.lone].map(seen);
                let to_move = if place.strong_moves { strong } else { !strong };
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
        assert!(count > 40_000, "{count}");
    }
}
