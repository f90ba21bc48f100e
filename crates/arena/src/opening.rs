//! Opening books, of positions (EPD, FEN), games (PGN) or moves (Polyglot), and the order in which a match uses them.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use chess::{Board, Move};
use record::epd::Epd;
use record::polyglot;

use super::polyglot::walk;
use toolkit::Rng;

/// An opening: a board and moves to play on it before the engines take over.
#[derive(Clone, PartialEq, Debug)]
pub struct Opening {
    /// Where the game begins.
    pub start: Board,
    /// The moves of the opening, all legal.
    pub moves: Vec<Move>,
}

impl Opening {
    /// The standard start position.
    pub fn classical() -> Opening {
        Opening { start: Board::start(), moves: Vec::new() }
    }

    /// Whether the game is not over already.
    fn is_playable(&self) -> bool {
        let position = chess::Position::new(self.start).along(&self.moves);
        position.outcome().is_none()
    }
}

/// The openings that a match can draw from.
#[derive(Clone, Debug)]
pub enum Book {
    /// The classical start alone.
    None,
    /// The 960 start positions of Chess960, the same for both sides.
    Fischer,
    /// Lines of EPD or FEN, kept as text: a book may be large and a match may use little of it.
    Lines(Vec<String>),
    /// Games.
    Games(Vec<Opening>),
    /// A walk of at most this many plies through a Polyglot book.
    Walks(polyglot::Book, usize),
}

/// The default length of a walk through a Polyglot book.
const WALK: usize = 8;

impl Book {
    /// Reads a book. The file's extension tells its kind; of games and walks, the first `plies` moves are used.
    pub fn load(path: &Path, plies: Option<usize>) -> Result<Book> {
        let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let is_kind = |kind: &str| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(kind));
        if is_kind("bin") {
            let book = polyglot::Book::parse(&bytes).with_context(|| format!("cannot read {}", path.display()))?;
            return Ok(Book::Walks(book, plies.unwrap_or(WALK)));
        }
        let text = String::from_utf8_lossy(&bytes);
        let book = if is_kind("pgn") {
            let opening = |game: &record::pgn::Game| {
                let (start, moves) = game.replay(plies.unwrap_or(usize::MAX)).ok()?;
                Some(Opening { start, moves }).filter(Opening::is_playable)
            };
            Book::Games(record::pgn::whole_games(&text).iter().filter_map(opening).collect())
        } else {
            Book::lines(&text)
        };
        if book.len() == 0 {
            bail!("{} has no openings", path.display());
        }
        Ok(book)
    }

    /// The built-in openings, used when no book is given.
    pub fn own() -> Book {
        Book::lines(include_str!("../data/openings.epd"))
    }

    fn lines(text: &str) -> Book {
        Book::Lines(record::epd::lines(text).map(|(_, line)| line.to_owned()).collect())
    }

    fn len(&self) -> usize {
        match self {
            Book::None => 1,
            Book::Fischer => 960,
            Book::Lines(lines) => lines.len(),
            Book::Games(games) => games.len(),
            // Walks are not numbered: each round generates its own.
            Book::Walks(..) => usize::MAX,
        }
    }

    fn get(&self, index: usize, seed: u64) -> Result<Opening> {
        match self {
            Book::None => Ok(Opening::classical()),
            Book::Fischer => {
                let number = u16::try_from(index).ok();
                let start = number.and_then(|number| Board::chess960(number, number));
                let start = start.ok_or_else(|| anyhow!("there is no start position {index}"))?;
                Ok(Opening { start, moves: Vec::new() })
            }
            Book::Lines(lines) => {
                let line = lines.get(index).ok_or_else(|| anyhow!("there is no opening {}", index + 1))?;
                epd(line).with_context(|| format!("opening {}: {line}", index + 1))
            }
            Book::Games(games) => games.get(index).cloned().ok_or_else(|| anyhow!("there is no opening {}", index + 1)),
            Book::Walks(book, plies) => Ok(walk(book, *plies, &mut Rng::new(seed ^ Rng::new(index as u64).bits()))),
        }
    }
}

/// Reads a line of EPD or FEN; EPD operations are ignored.
fn epd(line: &str) -> Result<Opening> {
    let opening = Opening { start: Epd::parse(line)?.board, moves: Vec::new() };
    if opening.is_playable() { Ok(opening) } else { bail!("the game is over before it begins") }
}

/// In which order openings are taken from the book.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Order {
    /// As they stand in the file.
    Sequential,
    /// Shuffled by the seed, each once before any comes again.
    Random,
}

/// A book with an order. A round's opening depends on nothing else, so a resumed match continues as if it had never
/// stopped.
#[derive(Clone, Debug)]
pub struct Openings {
    book: Book,
    /// A permutation of the book; empty for walks, which have no order.
    order: Vec<u32>,
    start: usize,
    seed: u64,
}

impl Openings {
    /// Orders the book; `start` is the number of the first opening, from 1.
    pub fn new(book: Book, order: Order, seed: u64, start: usize) -> Openings {
        let count = if matches!(book, Book::Walks(..)) { 0 } else { book.len() };
        let mut indices: Vec<u32> = (0..count).filter_map(|index| u32::try_from(index).ok()).collect();
        if order == Order::Random {
            Rng::new(seed).shuffle(&mut indices);
        }
        Openings { book, order: indices, start: start.saturating_sub(1), seed }
    }

    /// The same openings, starting at a later round.
    pub fn from(&self, round: usize) -> Openings {
        Openings { start: self.start.saturating_add(round), ..self.clone() }
    }

    /// How many different openings there are.
    pub fn count(&self) -> usize {
        self.book.len()
    }

    /// The opening of a round, counted from 0. After the last opening the book starts over.
    pub fn of_round(&self, round: usize) -> Result<Opening> {
        let place = self.start.saturating_add(round);
        let index = match self.order.len() {
            0 => place,
            length => self.order.get(place % length).map_or(place, |&index| index as usize),
        };
        self.book.get(index, self.seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_every_dialect() {
        for line in [
            "rnbqk2r/ppp1ppbp/3p1np1/8/2PPP3/2N5/PP3PPP/R1BQKBNR w KQkq -",
            "rnbqk2r/ppp1ppbp/3p1np1/8/2PPP3/2N5/PP3PPP/R1BQKBNR w KQkq - 0 5",
            "rnbqk2r/ppp1ppbp/3p1np1/8/2PPP3/2N5/PP3PPP/R1BQKBNR w KQkq - hmvc 0; id \"KID 3\"; ce 12;",
            "qnnrbbkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhd - 0 1",
        ] {
            assert!(epd(line).is_ok(), "{line}: {:?}", epd(line));
        }
        for line in ["", "x", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "k7/1Q6/1K6/8/8/8/8/8 b - - 0 1"] {
            assert!(epd(line).is_err(), "{line}");
        }
    }

    #[test]
    fn the_order_depends_on_the_seed_alone() {
        let first =
            |seed, round| Openings::new(Book::Fischer, Order::Random, seed, 1).of_round(round).expect("a start");
        assert_eq!(first(1, 5), first(1, 5));
        assert_ne!(first(1, 5), first(2, 5));
        assert_eq!(first(1, 5), first(1, 965), "after the last comes the first");
        let in_order = Openings::new(Book::Fischer, Order::Sequential, 1, 519);
        assert_eq!(
            in_order.of_round(0).expect("a start").start,
            Board::start(),
            "number 518 from 0 is the classical start"
        );
        let mut all: Vec<_> = (0..960).map(|round| first(9, round).start.to_string()).collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 960, "each once before any comes again");
    }
}
