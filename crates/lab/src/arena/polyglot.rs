//! Openings from a Polyglot book: a walk through the book, each move as likely as its weight says.

use anyhow::{Result, bail};
use chess::{Board, File, Move, Rank, Square};
use shakmaty::fen::Fen;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _};

use super::opening::Opening;
use crate::rng::Rng;

/// A book in memory, in the order of the file, which is that of the keys.
#[derive(Clone, Debug)]
pub struct PolyglotBook {
    entries: Vec<Entry>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    key: u64,
    mv: u16,
    weight: u16,
}

impl PolyglotBook {
    /// Reads a book: entries of 16 bytes, numbers with the high byte first.
    pub fn parse(bytes: &[u8]) -> Result<PolyglotBook> {
        if bytes.is_empty() || !bytes.len().is_multiple_of(16) {
            bail!("a Polyglot book is made of entries of 16 bytes");
        }
        let number = |bytes: &[u8]| bytes.iter().fold(0_u64, |number, &byte| number << 8 | u64::from(byte));
        let entry = |bytes: &[u8]| {
            let field = |range| bytes.get(range).map_or(0, number);
            Entry { key: field(0..8), mv: field(8..10) as u16, weight: field(10..12) as u16 }
        };
        let mut entries: Vec<Entry> = bytes.chunks_exact(16).map(entry).collect();
        entries.sort_by_key(|entry| entry.key);
        Ok(PolyglotBook { entries })
    }

    /// An opening of at most so many plies; shorter if the book ends before.
    pub fn walk(&self, plies: usize, rng: &mut Rng) -> Opening {
        let mut opening = Opening::classical();
        let mut board = opening.start;
        for _ in 0..plies {
            let Some(mv) = self.choose(&board, rng) else { break };
            board = board.after(mv);
            if !board.has_legal_moves() {
                break;
            }
            opening.moves.push(mv);
        }
        opening
    }

    fn choose(&self, board: &Board, rng: &mut Rng) -> Option<Move> {
        let key = key(board)?;
        let first = self.entries.partition_point(|entry| entry.key < key);
        let found = self.entries.iter().skip(first).take_while(|entry| entry.key == key);
        let moves: Vec<(Move, u16)> =
            found.filter_map(|entry| Some((board.parse_uci(&move_text(entry.mv)).ok()?, entry.weight))).collect();
        let total: usize = moves.iter().map(|(_, weight)| usize::from(*weight)).sum();
        let mut left = rng.below(total);
        moves.into_iter().find_map(|(mv, weight)| {
            let chosen = left < usize::from(weight);
            left = left.saturating_sub(usize::from(weight));
            chosen.then_some(mv)
        })
    }
}

/// The key of a position in Polyglot's own numbers, which `shakmaty` knows.
fn key(board: &Board) -> Option<u64> {
    let fen: Fen = board.to_string().parse().ok()?;
    let position: Chess = fen.into_position(CastlingMode::Standard).ok()?;
    Some(position.zobrist_hash::<Zobrist64>(EnPassantMode::PseudoLegal).0)
}

/// A move of the book in UCI notation. Castling is king-takes-rook there, which [`Board::parse_uci`] understands.
fn move_text(code: u16) -> String {
    let square = |shift: u16| {
        let index = |shift: u16| usize::from(code >> shift & 7);
        Square::new(File::from_index(index(shift)), Rank::from_index(index(shift + 3)))
    };
    let promotion = ["", "n", "b", "r", "q"].get(usize::from(code >> 12 & 7)).unwrap_or(&"");
    format!("{}{}{promotion}", square(6), square(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(board: &Board, uci: &str, weight: u16) -> Vec<u8> {
        let mv = board.parse_uci(uci).expect(uci);
        let place = |square: Square| (square.file().index() | square.rank().index() << 3) as u16;
        let code = place(mv.from()) << 6 | place(mv.to());
        let key = key(board).expect("a key").to_be_bytes();
        [&key[..], &code.to_be_bytes(), &weight.to_be_bytes(), &[0; 4]].concat()
    }

    #[test]
    fn keys_are_those_of_the_standard() {
        for (fen, expected) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0x463b_9618_1691_fc9c),
            ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", 0x22a4_8b5a_8e47_ff78),
            ("rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 0 4", 0x5c3f_9b82_9b27_9560),
        ] {
            assert_eq!(key(&fen.parse().expect(fen)), Some(expected), "{fen}");
        }
    }

    #[test]
    fn moves_come_as_often_as_their_weights_say() {
        let start = Board::start();
        let after = start.after(start.parse_uci("e2e4").expect("legal"));
        let bytes = [entry(&start, "e2e4", 3), entry(&start, "d2d4", 1), entry(&after, "e7e5", 9)].concat();
        let book = PolyglotBook::parse(&bytes).expect("a book");
        let mut rng = Rng::new(1);
        let walks: Vec<Opening> = (0..400).map(|_| book.walk(4, &mut rng)).collect();
        let kings_pawn = walks.iter().filter(|opening| opening.moves.len() == 2).count();
        assert!((260..340).contains(&kings_pawn), "{kings_pawn}");
        assert!(walks.iter().all(|opening| matches!(opening.moves.len(), 1 | 2)));
        assert!(PolyglotBook::parse(&bytes[1..]).is_err());
    }

    #[test]
    fn castling_is_king_takes_rook() {
        let board: Board = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse().expect("a FEN");
        let bytes = entry(&board, "e1g1", 1);
        assert_eq!(move_text(u16::from_be_bytes([bytes[8], bytes[9]])), "e1h1");
        let book = PolyglotBook::parse(&bytes).expect("a book");
        assert!(book.choose(&board, &mut Rng::new(1)).expect("a move").is_castle());
    }
}
