//! A game as it is in a file, and how its text is played out on a board.

use chess::{Board, Move, Position};

use super::Problem;
use crate::GameResult;

/// A tag pair: `[Name "value"]`.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Tag {
    /// The name as written.
    pub name: String,
    /// The value, without quotes and escapes.
    pub value: String,
    /// Its line in the file, from 1; 0 if it was not read from one.
    pub line: usize,
}

/// A move as text, with its annotations.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct TextMove {
    /// The move in standard algebraic notation, not yet checked, without marks such as `!?`.
    pub san: String,
    /// Numeric annotation glyphs, including marks such as `!?`.
    pub nags: Vec<u8>,
    /// The comments after it, with white space collapsed.
    pub comments: Vec<String>,
    /// Alternatives to this move.
    pub variations: Vec<Line>,
    /// Its line in the file, from 1; 0 if it was not read from one.
    pub line: usize,
}

impl TextMove {
    /// All comments after the move, joined.
    #[must_use]
    pub fn comment(&self) -> String {
        self.comments.join(" ")
    }
}

/// A sequence of moves: the game itself or a variation.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Line {
    /// The comments before the first move.
    pub comments: Vec<String>,
    /// The moves.
    pub moves: Vec<TextMove>,
}

impl Line {
    /// A line of these moves, all of which must be legal.
    #[must_use]
    pub fn new(start: Board, moves: &[Move]) -> Line {
        let mut board = start;
        let moves = moves.iter().map(|&mv| {
            let san = board.san(mv);
            board = board.after(mv);
            TextMove { san, ..TextMove::default() }
        });
        Line { comments: Vec::new(), moves: moves.collect() }
    }
}

/// A game as it is in a file.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Game {
    /// Its number in the file, from 1.
    pub number: usize,
    /// The line it begins on, from 1.
    pub line: usize,
    /// The tags, in order.
    pub tags: Vec<Tag>,
    /// The moves that were played.
    pub main: Line,
    /// The result after the moves or, without one, that of the tag; none if the game is undecided.
    pub result: Option<GameResult>,
    /// Whether there is a result after the moves, as there must be. If not, the game may be cut off.
    pub is_whole: bool,
    /// The offset of the first byte after the game.
    pub end: usize,
}

impl Game {
    /// Sets the tags for the start position, unless it is the standard one.
    pub fn set_start(&mut self, start: &Board) {
        if !start.is_classical_castling() {
            self.set_tag("Variant", "Chess960");
        }
        if *start != Board::start() {
            self.set_tag("SetUp", "1");
            self.set_tag("FEN", &start.to_string());
        }
    }

    /// Sets the result, both after the moves and in the tag.
    pub fn set_result(&mut self, result: Option<GameResult>) {
        self.result = result;
        self.set_tag("Result", GameResult::text(result));
    }

    /// The value of a tag; the case of its name does not matter.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.find_tag(name).map(|tag| tag.value.as_str())
    }

    fn find_tag(&self, name: &str) -> Option<&Tag> {
        self.tags.iter().find(|tag| tag.name.eq_ignore_ascii_case(name))
    }

    /// Sets a tag, in place or after all others.
    pub fn set_tag(&mut self, name: &str, value: &str) {
        match self.tags.iter_mut().find(|tag| tag.name.eq_ignore_ascii_case(name)) {
            Some(tag) => value.clone_into(&mut tag.value),
            None => self.tags.push(Tag { name: name.to_owned(), value: value.to_owned(), line: 0 }),
        }
    }

    /// The moves that were played.
    #[must_use]
    pub fn moves(&self) -> &[TextMove] {
        &self.main.moves
    }

    /// The start position. Variants with rules other than those of chess and Chess960 are rejected.
    pub fn start(&self) -> Result<Board, Problem> {
        if let Some(tag) = self.find_tag("Variant").filter(|tag| !is_chess(&tag.value)) {
            return Err(self.problem(tag.line, format!("the variant \"{}\" has rules of its own", tag.value)));
        }
        match self.find_tag("FEN") {
            // Databases are full of move number 0 and impossible castling rights.
            Some(tag) => match chess::fen::repair(&tag.value) {
                Ok((board, _)) => Ok(board),
                Err(error) => Err(self.problem(tag.line, format!("FEN \"{}\": {error}", tag.value))),
            },
            None => Ok(Board::start()),
        }
    }

    /// Plays the first moves, at most `most`, on the board.
    pub fn replay(&self, most: usize) -> Result<(Board, Vec<Move>), Problem> {
        let start = self.start()?;
        let mut position = Position::new(start);
        let mut moves = Vec::new();
        for text in self.main.moves.iter().take(most) {
            let mv = position.parse_san(&text.san).map_err(|error| self.problem(text.line, error.to_string()))?;
            position.play(mv);
            moves.push(mv);
        }
        Ok((start, moves))
    }

    /// A problem in this game.
    #[must_use]
    pub fn problem(&self, line: usize, reason: String) -> Problem {
        Problem { game: self.number, line: if line == 0 { self.line } else { line }, reason }
    }
}

/// Whether this variant is chess, from any start position. Every program spells the names its own way.
fn is_chess(variant: &str) -> bool {
    let letters = variant.chars().filter(char::is_ascii_alphanumeric);
    let name = letters.collect::<String>().to_ascii_lowercase();
    matches!(name.as_str(), "" | "standard" | "chess" | "classical" | "normal" | "fromposition")
        || matches!(name.as_str(), "chess960" | "960" | "frc" | "dfrc" | "freestyle" | "chess9lx")
        || matches!(name.as_str(), "fischerandom" | "fischerrandom" | "fischerrandomchess")
}
