//! Parse errors, with messages for people.

use std::fmt;

/// What is wrong with a line, or with a part of it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ParseError {
    /// The line has no words.
    Empty,
    /// No word of the line is a command or reply.
    Unknown(String),
    /// Something is missing.
    Missing {
        /// The word that needs it.
        after: &'static str,
        /// What it needs.
        what: &'static str,
    },
    /// A number was expected.
    Number {
        /// The word before the number.
        after: &'static str,
        /// What was found instead.
        found: String,
    },
    /// A move was expected.
    Move(String),
    /// A word that means nothing here.
    Word {
        /// The command it occurs in.
        within: &'static str,
        /// The word.
        found: String,
    },
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("the line is empty"),
            Self::Unknown(text) => write!(f, "unknown command \"{}\"", excerpt(text)),
            Self::Missing { after, what } => write!(f, "{after} needs {what}"),
            Self::Number { after, found } => write!(f, "{after} needs a number, not \"{}\"", excerpt(found)),
            Self::Move(text) => write!(f, "\"{}\" does not look like a move", excerpt(text)),
            Self::Word { within, found } => write!(f, "{within} does not know the word \"{}\"", excerpt(found)),
        }
    }
}

impl std::error::Error for ParseError {}

/// The beginning of an untrusted text, safe to quote on one line.
#[must_use]
pub fn excerpt(text: &str) -> String {
    const LONGEST: usize = 80;
    let mut letters = text.chars();
    let mut short: String =
        letters.by_ref().take(LONGEST).map(|letter| if letter.is_control() { '\u{fffd}' } else { letter }).collect();
    if letters.next().is_some() {
        short.push('…');
    }
    short
}
