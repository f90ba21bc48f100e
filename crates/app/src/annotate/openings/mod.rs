//! Names openings with the full table that Lichess uses, in `openings.tsv` (see `SOURCE.md` for its origin). It looks
//! up positions, not move sequences, so that transpositions are found; the latest named position of a game gives the
//! name.

use std::collections::HashMap;
use std::sync::LazyLock;

use chess::{Board, Move};

/// The last ply at which a named position can occur.
const DEEPEST: usize = 40;

/// An opening.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Opening {
    /// Its code in the Encyclopaedia of Chess Openings, from A00 to E99.
    pub(crate) eco: &'static str,
    pub(crate) name: &'static str,
}

/// The opening that these moves from the standard start position lead to.
pub(crate) fn find(moves: &[Move]) -> Option<Opening> {
    let mut board = Board::start();
    let mut found = None;
    for &mv in moves.iter().take(DEEPEST) {
        board = board.after(mv);
        found = at(&board).or(found);
    }
    found
}

/// The opening with this position. The table is parsed on first use.
fn at(board: &Board) -> Option<Opening> {
    static BY_KEY: LazyLock<HashMap<u64, Opening>> = LazyLock::new(|| rows().collect());
    BY_KEY.get(&board.key()).copied()
}

/// The position keys of the table with their openings.
fn rows() -> impl Iterator<Item = (u64, Opening)> {
    include_str!("openings.tsv").lines().filter_map(|line| {
        let mut fields = line.split('\t');
        let (eco, name) = (fields.next()?, fields.next()?);
        let board: Board = fields.next()?.parse().ok()?;
        Some((board.key(), Opening { eco, name }))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<Move> {
        let mut board = Board::start();
        let mut moves = Vec::new();
        for san in text.split_whitespace() {
            let mv = board.parse_san(san).expect(san);
            board = board.after(mv);
            moves.push(mv);
        }
        moves
    }

    fn named(text: &str) -> Option<(&'static str, &'static str)> {
        find(&read(text)).map(|opening| (opening.eco, opening.name))
    }

    #[test]
    fn every_line_is_a_position_of_its_own() {
        let lines = include_str!("openings.tsv").lines().count();
        let rows: HashMap<u64, Opening> = rows().collect();
        assert_eq!((lines, rows.len()), (3608, 3608));
        for opening in rows.values() {
            let bytes = opening.eco.as_bytes();
            let is_code =
                bytes.len() == 3 && (b'A'..=b'E').contains(&bytes[0]) && bytes[1..].iter().all(u8::is_ascii_digit);
            assert!(is_code && !opening.name.is_empty(), "{opening:?}");
        }
    }

    #[test]
    fn known_openings_have_their_names() {
        for (moves, eco, name) in [
            ("e4", "B00", "King's Pawn Game"),
            ("e4 c5", "B20", "Sicilian Defense"),
            ("e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6", "B90", "Sicilian Defense: Najdorf Variation"),
            ("e4 e5 Nf3 Nc6 Bb5 a6", "C70", "Ruy Lopez: Morphy Defense"),
            ("d4 d5 c4 c6", "D10", "Slav Defense"),
            ("c4", "A10", "English Opening"),
            ("d4 Nf6 c4 g6 Nc3 d5", "D80", "Grünfeld Defense"),
        ] {
            assert_eq!(named(moves), Some((eco, name)), "{moves}");
        }
    }

    #[test]
    fn transpositions_and_games_without_a_name() {
        assert_eq!(named("Nf3 Nf6 d4 e6 c4 b6"), named("d4 Nf6 c4 e6 Nf3 b6"));
        let odd = named("e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 Kd2 Kd7 Ke1").map(|(_, name)| name);
        assert_eq!(odd, Some("Sicilian Defense: Najdorf Variation"), "the last that has a name");
        assert_eq!(named(""), None);
    }
}
