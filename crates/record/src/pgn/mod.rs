//! PGN. A text is read in two steps: [`games`] finds tags, moves, comments and variations and is as lenient as
//! possible; [`Game::replay`] then checks that the moves are legal. So a game with illegal moves can still be shown or
//! counted, and the error names the line. Printing a [`Game`] writes it back with everything it had; this is the only
//! writer, and what it writes reads back equal. [`Comment`] splits the commands from a comment.

mod comment;
mod game;
mod read;
mod scan;
mod text;
mod token;
mod write;

use std::fmt;

pub use comment::{Command, Comment, Eval, Paint};
pub use game::{Game, Line, Tag, TextMove};
pub use read::{Games, games, whole_games};
pub use text::{NotText, decode};

/// What is wrong with a game, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The number of the game in its file, from 1.
    pub game: usize,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub reason: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {}, line {}: {}", self.game, self.line, self.reason)
    }
}

impl std::error::Error for Problem {}
