//! `genfens`: openings for self-play, in the form OpenBench requests. Each is a start position with some random moves;
//! a short search rejects those that are already decided.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use chess::{Board, Position};
use engine::{Control, Engine, Limits, Silent};
use record::epd::{self, Epd};
use toolkit::{Rng, Variety, files, random_walk};

/// The soft node limit of the search that judges an opening.
const NODES: u64 = 5000;

/// The request: `genfens N seed S book None|PATH [plies N] [limit CP] [chess960|double960]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Options {
    count: u64,
    seed: u64,
    book: Option<PathBuf>,
    /// The number of random moves; at random, one more is played.
    plies: usize,
    /// The largest score an opening may have.
    limit: i32,
    start: Variety,
}

impl Options {
    pub(crate) fn from_words(words: &[String]) -> anyhow::Result<Options> {
        let mut words = words.iter().map(String::as_str).peekable();
        let count = number(words.next(), "genfens")?;
        let mut options = Options { count, seed: 0, book: None, plies: 8, limit: 400, start: Variety::Standard };
        while let Some(word) = words.next() {
            match word {
                "seed" => options.seed = number(words.next(), word)?,
                "plies" => options.plies = number(words.next(), word)?,
                "limit" => options.limit = number(words.next(), word)?,
                "chess960" => options.start = Variety::Chess960,
                "double960" => options.start = Variety::Double960,
                "book" => {
                    let first = words.next().context("book needs None or the path of a file")?;
                    let mut path = first.to_owned();
                    // A path may contain blanks.
                    while first != "None" && words.peek().is_some_and(|word| !is_key(word)) {
                        path.push(' ');
                        path.push_str(words.next().unwrap_or_default());
                    }
                    options.book = (path != "None").then(|| path.into());
                }
                _ => bail!("\"{}\" is not known", uci::excerpt(word)),
            }
        }
        ensure!(options.limit >= 0, "limit must not be negative");
        ensure!(options.plies <= 200, "plies must be at most 200");
        Ok(options)
    }
}

fn is_key(word: &str) -> bool {
    matches!(word, "seed" | "plies" | "limit" | "chess960" | "double960" | "book")
}

fn number<T: std::str::FromStr>(word: Option<&str>, after: &str) -> anyhow::Result<T> {
    let word = word.with_context(|| format!("{after} needs a number"))?;
    word.parse().ok().with_context(|| format!("{after} needs a number, not \"{}\"", uci::excerpt(word)))
}

/// Finds the openings and prints each one at once; ends early if `control` is stopped. The same seed gives the same
/// openings.
pub(crate) fn generate(options: &Options, control: &Control, say: &mut dyn FnMut(&str)) -> anyhow::Result<()> {
    let book = options.book.as_deref().map(read_book).transpose()?;
    let mut engine = Engine::new();
    let mut rng = Rng::new(options.seed);
    let limits = Limits { soft_nodes: Some(NODES), nodes: Some(4 * NODES), ..Limits::default() };
    let mut found = 0;
    let mut tries = 0_u64;
    while found < options.count && !control.is_stopped() {
        tries += 1;
        ensure!(tries <= 10_000 * (found + 1), "hardly any opening is within the limit");
        let root = match &book {
            Some(lines) => read_line(lines.get(rng.below(lines.len())).map_or("", String::as_str))?,
            None => options.start.pick(&mut rng).unwrap_or_else(Board::start),
        };
        let plies = if options.plies > 0 { options.plies + rng.below(2) } else { 0 };
        // A new position, without the moves that led to it.
        let Some(position) = random_walk(root, plies, &mut rng).map(Position::new) else { continue };
        engine.new_game();
        let score = engine.search(&position, &limits, control, &mut Silent).best.score;
        if score.centipawns().abs() <= options.limit && !control.is_stopped() {
            found += 1;
            let board = position.board();
            let fen = if board.is_classical_castling() { board.to_string() } else { board.shredder_fen() };
            say(&format!("info string genfens {fen}"));
        }
    }
    Ok(())
}

/// The lines of an EPD or FEN book.
fn read_book(path: &Path) -> anyhow::Result<Vec<String>> {
    let text = files::read_text(path)?;
    let lines: Vec<String> = epd::lines(&text).map(|(_, line)| line.to_owned()).collect();
    ensure!(!lines.is_empty(), "{} has no openings", path.display());
    Ok(lines)
}

fn read_line(line: &str) -> anyhow::Result<Board> {
    let epd = Epd::parse(line);
    Ok(epd.with_context(|| format!("the book has a line that is no position: {}", uci::excerpt(line)))?.board)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    fn openings(text: &str) -> Vec<String> {
        let mut lines = Vec::new();
        let options = Options::from_words(&words(text)).expect(text);
        generate(&options, &Control::new(), &mut |line| lines.push(line.to_owned())).expect(text);
        lines
    }

    #[test]
    fn openings_are_legal_different_and_repeatable() {
        for text in ["12 seed 5 book None", "12 seed 5 book None double960 plies 4"] {
            let lines = openings(text);
            assert_eq!(lines.len(), 12);
            for line in &lines {
                let fen = line.strip_prefix("info string genfens ").expect(line);
                let board: Board = fen.parse().expect(fen);
                assert!(Position::new(board).outcome().is_none());
            }
            let different: std::collections::HashSet<_> = lines.iter().collect();
            assert_eq!(different.len(), 12);
            assert_eq!(openings(text), lines);
        }
        assert_ne!(openings("3 seed 1"), openings("3 seed 2"));
    }

    #[test]
    fn what_cannot_be_understood_is_refused() {
        for text in ["", "x", "5 seed", "5 seed x", "5 book", "5 colour 3", "5 limit -1", "-5"] {
            assert!(Options::from_words(&words(text)).is_err(), "{text}");
        }
        let options = Options::from_words(&words("3 book a b.epd seed 9 plies 0")).expect("options");
        assert_eq!((options.book, options.seed, options.plies), (Some("a b.epd".into()), 9, 0));
        let missing = Options::from_words(&words("3 book /no/such/book.epd")).expect("options");
        assert!(generate(&missing, &Control::new(), &mut |_| ()).is_err());
    }
}
