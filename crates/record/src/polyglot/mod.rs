//! Polyglot opening books: 16-byte entries, sorted by the key of their position. It follows the format's public
//! description; the random numbers of the keys come from `shakmaty`.

mod build;
mod key;

use std::fmt;

use chess::{Board, File, Move, PieceKind, Position, Rank, Square};

pub use build::Builder;
pub use key::{key, key_in_game};

/// The length of an entry.
const ENTRY: usize = 16;

/// A move of the book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove {
    /// The move, legal in the position that was looked up.
    pub mv: Move,
    /// Its weight; a move is chosen in proportion to its weight.
    pub weight: u16,
    /// Learning data of other programs; mostly zero.
    pub learn: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Entry {
    key: u64,
    code: u16,
    weight: u16,
    learn: u32,
}

/// A book in memory, sorted by key.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Book {
    entries: Vec<Entry>,
}

/// Why bytes are not a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BookError {
    /// There are no bytes.
    Empty,
    /// The length, which is not a multiple of 16.
    Length(usize),
    /// The entry, from 1, whose key is smaller than that of the one before it.
    Order(usize),
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("no Polyglot book: it is empty"),
            Self::Length(length) => write!(f, "no Polyglot book: its {length} bytes are not whole entries of 16 bytes"),
            Self::Order(entry) => write!(f, "no Polyglot book: entry {entry} is out of order"),
        }
    }
}

impl std::error::Error for BookError {}

impl Book {
    /// Parses a book. Any bytes could be entries, so their order is what tells a book from another file.
    pub fn parse(bytes: &[u8]) -> Result<Book, BookError> {
        if bytes.is_empty() {
            return Err(BookError::Empty);
        }
        if !bytes.len().is_multiple_of(ENTRY) {
            return Err(BookError::Length(bytes.len()));
        }
        let entries: Vec<Entry> = bytes.chunks_exact(ENTRY).map(Entry::parse).collect();
        let order = |(first, second): (&Entry, &Entry)| first.key > second.key;
        match entries.iter().zip(entries.iter().skip(1)).position(order) {
            Some(index) => Err(BookError::Order(index + 2)),
            None => Ok(Book { entries }),
        }
    }

    /// The bytes of the file.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        self.entries.iter().flat_map(Entry::bytes).collect()
    }

    /// How many moves the book has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether the book has no moves.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// How many positions the book has.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.entries.chunk_by(|first, second| first.key == second.key).count()
    }

    /// The book's moves in this position, in the order of the file. Illegal moves, which come from another position
    /// with the same key, are left out.
    #[must_use]
    pub fn moves(&self, board: &Board) -> Vec<BookMove> {
        self.moves_of_key(key(board), board)
    }

    /// As [`moves`](Self::moves), for a position with its history: the key is right even if an en passant capture would
    /// leave the king in check.
    #[must_use]
    pub fn moves_in_game(&self, position: &Position) -> Vec<BookMove> {
        self.moves_of_key(key_in_game(position), position)
    }

    fn moves_of_key(&self, key: u64, board: &Board) -> Vec<BookMove> {
        let first = self.entries.partition_point(|entry| entry.key < key);
        let found = self.entries.iter().skip(first).take_while(|entry| entry.key == key);
        let legal = |entry: &Entry| {
            let mv = decode(entry.code, board)?;
            Some(BookMove { mv, weight: entry.weight, learn: entry.learn })
        };
        found.filter_map(legal).collect()
    }
}

/// The sum of the weights.
#[must_use]
pub fn total_weight(moves: &[BookMove]) -> u64 {
    moves.iter().map(|found| u64::from(found.weight)).sum()
}

/// The move that a number below [`total_weight`] selects; none if all weights are zero, since a weight of zero means
/// "never play".
#[must_use]
pub fn pick(moves: &[BookMove], number: u64) -> Option<Move> {
    let mut left = number;
    moves.iter().find_map(|found| {
        let chosen = left < u64::from(found.weight);
        left = left.saturating_sub(u64::from(found.weight));
        chosen.then_some(found.mv)
    })
}

impl Entry {
    fn parse(bytes: &[u8]) -> Entry {
        let number = |bytes: &[u8]| bytes.iter().fold(0_u64, |number, &byte| number << 8 | u64::from(byte));
        let field = |range| bytes.get(range).map_or(0, number);
        Entry { key: field(0..8), code: field(8..10) as u16, weight: field(10..12) as u16, learn: field(12..16) as u32 }
    }

    fn bytes(&self) -> Vec<u8> {
        let [key, code] = [&self.key.to_be_bytes()[..], &self.code.to_be_bytes()];
        [key, code, &self.weight.to_be_bytes(), &self.learn.to_be_bytes()].concat()
    }
}

/// The legal move that a code stands for. Castling is king-takes-rook.
fn decode(code: u16, board: &Board) -> Option<Move> {
    let square = |shift: u16| {
        let index = |shift: u16| usize::from(code >> shift & 7);
        Square::new(File::from_index(index(shift)), Rank::from_index(index(shift + 3)))
    };
    let promotion = match code >> 12 & 7 {
        0 => None,
        1 => Some(PieceKind::Knight),
        2 => Some(PieceKind::Bishop),
        3 => Some(PieceKind::Rook),
        4 => Some(PieceKind::Queen),
        _ => return None,
    };
    board.find_move(square(6), square(0), promotion)
}

/// The code of a move.
fn encode(mv: Move) -> u16 {
    let place = |square: Square| (square.file().index() | square.rank().index() << 3) as u16;
    let promotion = match mv.promotion() {
        Some(PieceKind::Knight) => 1,
        Some(PieceKind::Bishop) => 2,
        Some(PieceKind::Rook) => 3,
        Some(PieceKind::Queen) => 4,
        _ => 0,
    };
    promotion << 12 | place(mv.from()) << 6 | place(mv.to())
}

#[cfg(test)]
mod tests;
