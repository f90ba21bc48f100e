//! PGN. A text is read in two steps: [`games`] finds tags, moves, comments and variations, forgiving whatever can be forgiven;
//! [`Game::replay`] then judges whether the moves are legal. So a game can be shown or counted whose moves are wrong, and the
//! one place that says what is wrong knows the line. Printing a [`Game`] writes it back with all it had; this is the only
//! writer there is, and what it writes is read back equal. [`Comment`] takes the commands out of a comment.

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
