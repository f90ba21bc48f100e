//! Receives a Polyglot book from the user in parts, since messages are short and books are long.

use std::sync::Arc;

use record::polyglot::Book;

use super::explorer::Room;

/// The largest book accepted; few are larger.
const LARGEST: usize = 32 << 20;
/// An entry takes 16 bytes in transit and 16 when parsed: as much as one move of a collection.
const ENTRY: usize = 16;

pub(super) struct Shelf {
    bytes: Vec<u8>,
    book: Option<Arc<Book>>,
    room: Arc<Room>,
    taken: usize,
}

impl Drop for Shelf {
    fn drop(&mut self) {
        self.room.give_back(self.taken);
    }
}

impl Shelf {
    pub(super) fn new(room: Arc<Room>) -> Shelf {
        Shelf { bytes: Vec::new(), book: None, room, taken: 0 }
    }

    /// Adds a part.
    pub(super) fn add(&mut self, hex: &str) -> Result<(), String> {
        let part = bytes(hex).ok_or("a book is sent as hexadecimal digits")?;
        if self.bytes.len() + part.len() > LARGEST {
            return Err(format!(
                "a book can have no more than {} MB here; give it to the server with --book",
                LARGEST >> 20
            ));
        }
        let entries = part.len().div_ceil(ENTRY);
        if !self.room.take(entries) {
            return Err("the server has no room for this book".into());
        }
        self.taken += entries;
        self.bytes.extend(part);
        Ok(())
    }

    /// Parses the book once all parts are there.
    pub(super) fn finish(&mut self) -> Result<Arc<Book>, String> {
        let book = Arc::new(Book::parse(&std::mem::take(&mut self.bytes)).map_err(|error| error.to_string())?);
        self.book = Some(Arc::clone(&book));
        Ok(book)
    }

    /// The book; none before it is finished.
    pub(super) fn book(&self) -> Option<Arc<Book>> {
        self.book.clone()
    }
}

fn bytes(hex: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> = hex.chars().map(|digit| Some(digit.to_digit(16)? as u8)).collect();
    let digits = digits.filter(|digits| digits.len().is_multiple_of(2))?;
    Some(digits.chunks_exact(2).filter_map(|pair| Some(pair.first()? << 4 | pair.get(1)?)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_book_comes_in_parts() {
        let mut builder = record::polyglot::Builder::default();
        let start = chess::Position::start();
        builder.add(&start, start.parse_san("d4").expect("legal"), 2);
        let hex: String = builder.finish(1).bytes().iter().map(|byte| format!("{byte:02x}")).collect();
        let mut shelf = Shelf::new(Room::new());
        let (first, second) = hex.split_at(10);
        shelf.add(first).expect("a part");
        shelf.add(second).expect("the rest");
        assert!(shelf.book().is_none());
        assert_eq!(shelf.finish().expect("a book").len(), 1);
        assert!(shelf.book().is_some());
    }

    #[test]
    fn what_is_no_book_is_refused() {
        let mut shelf = Shelf::new(Room::new());
        for hex in ["0", "zz", "é"] {
            assert!(shelf.add(hex).is_err(), "{hex}");
        }
        assert!(shelf.finish().expect_err("empty").contains("empty"));
        shelf.add("00").expect("a byte");
        assert!(shelf.finish().expect_err("too short").contains("no Polyglot book"));
    }
}
