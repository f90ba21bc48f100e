//! The requests of the page: JSON objects with a `type` field. `docs/SERVE.md` describes them.

use chess::Color;
use serde::{Deserialize, Serialize};

use super::tree::Id;

/// A request of the page.
#[derive(Deserialize, Debug)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Ask {
    /// A new game, from the standard start position or one of the 960.
    New {
        chess960: Option<u16>,
    },
    /// A new game from this position.
    Fen {
        fen: String,
    },
    /// A game from a PGN text, by its index.
    Pgn {
        text: String,
        #[serde(default)]
        index: usize,
    },
    /// Play a move, in any notation.
    Move {
        text: String,
    },
    /// Show another position of the game.
    Goto {
        node: Id,
    },
    TakeBack,
    /// Make the path to this node the main line.
    Promote {
        node: Id,
    },
    /// From here on the user plays this side and the engine the other; without a level, at full strength.
    Play {
        side: Side,
        level: Option<usize>,
        clock: Option<ClockTimes>,
    },
    /// Stop playing.
    Leave,
    Resign,
    /// Offer a draw.
    Draw,
    Analyse {
        on: bool,
    },
    /// Evaluate every position of the main line, then review the game.
    Evaluate {
        on: bool,
    },
    /// The reviewed game as a text to save.
    Report {
        format: Format,
    },
    /// A good move for the side to move.
    Hint {
        node: Id,
    },
    /// What the opponent would play if it were its turn.
    Threat {
        node: Id,
    },
    /// How good another move would have been in a reviewed game.
    Try {
        node: Id,
        text: String,
    },
    /// Why a move is good or bad.
    Why {
        node: Id,
        text: String,
    },
    /// What books, games and tables contain about a position.
    Explore {
        node: Id,
    },
    /// Games for the explorer. The first part starts a new collection.
    Collect {
        text: String,
        #[serde(default)]
        first: bool,
    },
    /// A Polyglot book to show, as hexadecimal digits, one part at a time.
    Book {
        hex: String,
        #[serde(default)]
        first: bool,
        #[serde(default)]
        last: bool,
    },
    /// Set a comment, marks, and arrows and squares such as `Ge2e4` and `Rd5`; fields that are missing stay unchanged.
    Annotate {
        node: Id,
        comment: Option<String>,
        nags: Option<Vec<u8>>,
        shapes: Option<Vec<String>>,
    },
    /// The positions along a line, for viewing.
    Preview {
        node: Id,
        moves: Vec<String>,
    },
    /// The game as it is now, with all evaluations.
    Export,
    Settings(Settings),
}

/// The times on the clocks, in seconds.
#[derive(Deserialize, Clone, Copy, PartialEq, Debug)]
pub(super) struct ClockTimes {
    pub(super) white: f64,
    pub(super) black: f64,
    #[serde(default)]
    pub(super) increment: f64,
}

/// The format of a reviewed game.
#[derive(Deserialize, Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub(super) enum Format {
    Pgn,
    Html,
}

/// A side, as spelled in messages.
#[derive(Deserialize, Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub(super) enum Side {
    White,
    Black,
}

impl From<Side> for Color {
    fn from(side: Side) -> Color {
        match side {
            Side::White => Color::White,
            Side::Black => Color::Black,
        }
    }
}

impl From<Color> for Side {
    fn from(color: Color) -> Side {
        match color {
            Color::White => Side::White,
            Color::Black => Side::Black,
        }
    }
}

/// The user's settings.
#[derive(Deserialize, Serialize, Clone, Copy, PartialEq, Debug)]
pub(super) struct Settings {
    pub(super) threads: u16,
    /// Megabytes.
    pub(super) hash: u32,
    /// How many lines an analysis shows.
    pub(super) lines: u8,
    /// Seconds for a move in a game.
    pub(super) move_time: f64,
    /// Seconds for the analysis of a position.
    pub(super) analysis_time: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read() {
        let read = |text: &str| serde_json::from_str::<Ask>(text);
        assert!(matches!(read(r#"{"type":"new","chess960":7}"#), Ok(Ask::New { chess960: Some(7) })));
        assert!(matches!(read(r#"{"type":"new"}"#), Ok(Ask::New { chess960: None })));
        assert!(matches!(read(r#"{"type":"take_back"}"#), Ok(Ask::TakeBack)));
        assert!(matches!(
            read(r#"{"type":"play","side":"black","level":3}"#),
            Ok(Ask::Play { side: Side::Black, level: Some(3), clock: None })
        ));
        let settings = r#"{"type":"settings","threads":1,"hash":16,"lines":3,"move_time":0.5,"analysis_time":60}"#;
        assert!(matches!(read(settings), Ok(Ask::Settings(Settings { hash: 16, .. }))));
        for text in [
            "",
            "7",
            "{}",
            r#"{"type":"x"}"#,
            r#"{"type":"goto"}"#,
            r#"{"type":"goto","node":-1}"#,
            r#"{"type":"move","text":7}"#,
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
