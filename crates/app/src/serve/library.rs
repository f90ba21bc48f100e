//! What is known about a position without a search: the name of its opening, a book's moves, the moves in a collection
//! of games, and the tablebase result.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Context;
use chess::{Board, Move, Position};
use engine::tablebase::{Tablebases, Wdl};
use record::polyglot::{self, Book};
use serde::Serialize;
use toolkit::files::read_text;

use super::explorer::{Collection, Room};

/// The largest book; larger than any made for playing.
const LARGEST_BOOK: u64 = 256 << 20;

/// The server's book, games and tables, shared by all sessions.
pub(super) struct Library {
    book: Option<Book>,
    games: Option<Collection>,
    pub(super) tables: Tablebases,
    pub(super) room: Arc<Room>,
}

/// A session's own games.
pub(super) type OwnGames = Arc<Mutex<Collection>>;

impl Library {
    /// Opens the files the user named, and returns messages about them.
    pub(super) fn open(
        book: Option<&PathBuf>,
        games: Option<&PathBuf>,
        syzygy: Option<&str>,
    ) -> anyhow::Result<(Library, Vec<String>)> {
        let mut notes = Vec::new();
        let room = Room::new();
        let book = book.map(read_book).transpose()?;
        if let Some(book) = &book {
            notes.push(format!("The book has {} moves in {} positions.", book.len(), book.positions()));
        }
        let games = games.map(|path| anyhow::Ok(collect(&read_text(path)?, &room))).transpose()?;
        if let Some(games) = &games {
            notes.push(format!("There are {} games to explore; {} were left out.", games.games, games.left_out));
        }
        let (tables, told) = Tablebases::open(syzygy.unwrap_or_default());
        notes.extend(told);
        Ok((Library { book, games, tables, room }, notes))
    }

    /// Everything known about a position. The user's own book and games replace the server's.
    pub(super) fn facts(&self, position: &Position, own: Option<&OwnGames>, own_book: Option<&Book>) -> Facts {
        let board = position.board();
        let games = match own {
            Some(own) => Some(played(&own.lock().unwrap_or_else(PoisonError::into_inner), board)),
            None => self.games.as_ref().map(|games| played(games, board)),
        };
        Facts {
            book: own_book.or(self.book.as_ref()).map(|book| recommended(book, position)),
            games,
            tables: self.verdicts(position),
        }
    }

    fn verdicts(&self, position: &Position) -> Option<Verdicts> {
        if self.tables.max_pieces() == 0 {
            return None;
        }
        let pieces = self.tables.max_pieces();
        let Some(ranks) = self.tables.rank_root(position, true) else {
            return Some(Verdicts { pieces, verdict: None, moves: Vec::new() });
        };
        let board = position.board();
        let row = |(mv, rank): &(Move, engine::tablebase::RootRank)| MoveFact {
            san: board.san(*mv),
            uci: mv.uci(true),
            outcome: outcome(rank.outcome),
            plies: rank.dtz.map(i32::abs),
        };
        let moves: Vec<MoveFact> = ranks.iter().map(row).collect();
        Some(Verdicts { pieces, verdict: moves.first().map(|best| best.outcome), moves })
    }
}

fn read_book(path: &PathBuf) -> anyhow::Result<Book> {
    let about = || format!("cannot use the book {}", path.display());
    let size = std::fs::metadata(path).with_context(about)?.len();
    anyhow::ensure!(size <= LARGEST_BOOK, "{}: it is larger than {} MB", about(), LARGEST_BOOK >> 20);
    let bytes = std::fs::read(path).with_context(about)?;
    Book::parse(&bytes).with_context(about)
}

fn collect(text: &str, room: &Arc<Room>) -> Collection {
    let mut games = Collection::new(Arc::clone(room));
    games.add(text);
    games
}

fn recommended(book: &Book, position: &Position) -> Vec<BookRow> {
    let mut moves = book.moves_in_game(position);
    moves.sort_by_key(|found| std::cmp::Reverse(found.weight));
    let total = polyglot::total_weight(&moves).max(1) as f64;
    let row = |found: &polyglot::BookMove| BookRow {
        san: position.san(found.mv),
        uci: found.mv.uci(true),
        weight: found.weight,
        percent: 100.0 * f64::from(found.weight) / total,
    };
    moves.iter().map(row).collect()
}

fn played(games: &Collection, board: &Board) -> GameRows {
    let row = |(mv, [white, draws, black]): (Move, [u32; 3])| GameRow {
        san: board.san(mv),
        uci: mv.uci(true),
        white,
        draws,
        black,
    };
    GameRows { count: games.games, moves: games.moves(board).into_iter().map(row).collect() }
}

/// The result for the side that moves.
fn outcome(wdl: Wdl) -> &'static str {
    match wdl {
        Wdl::Win => "win",
        Wdl::CursedWin => "cursed win",
        Wdl::Draw => "draw",
        Wdl::BlessedLoss => "blessed loss",
        Wdl::Loss => "loss",
    }
}

#[derive(Serialize, Debug)]
pub(super) struct Facts {
    /// None if there is no book.
    book: Option<Vec<BookRow>>,
    games: Option<GameRows>,
    tables: Option<Verdicts>,
}

#[derive(Serialize, Debug)]
struct BookRow {
    san: String,
    uci: String,
    weight: u16,
    percent: f64,
}

#[derive(Serialize, Debug)]
struct GameRows {
    /// How many games the collection has.
    count: u32,
    moves: Vec<GameRow>,
}

#[derive(Serialize, Debug)]
struct GameRow {
    san: String,
    uci: String,
    white: u32,
    draws: u32,
    black: u32,
}

#[derive(Serialize, Debug)]
struct Verdicts {
    /// The most pieces the tables cover.
    pieces: usize,
    /// The result with best play for the side to move; none if the tables do not cover it.
    verdict: Option<&'static str>,
    moves: Vec<MoveFact>,
}

#[derive(Serialize, Debug)]
struct MoveFact {
    san: String,
    uci: String,
    outcome: &'static str,
    /// Plies to the next capture, pawn move or mate, if known.
    plies: Option<i32>,
}
