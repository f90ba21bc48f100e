//! Writes a game: tags, an empty line, and the moves in lines of fewer than 80 characters, as the standard asks.

use std::fmt;

use chess::Color;

use super::{Game, Line};
use crate::GameResult;

/// A line of the form `[Name "value"]`, with its line end. Characters not allowed in a name become `_`.
fn tag_line(name: &str, value: &str) -> String {
    let name = name.replace(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_', "_");
    let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], " ");
    format!("[{name} \"{value}\"]\n")
}

/// Words wrapped to fewer than 80 characters.
#[derive(Clone, Default, Debug)]
struct Wrapped {
    text: String,
    width: usize,
    is_glued: bool,
}

impl Wrapped {
    /// Adds a word after a space or a line break.
    fn word(&mut self, word: &str) {
        let length = word.chars().count();
        if self.width > 0 && !std::mem::take(&mut self.is_glued) {
            // A line that begins like a tag or an escape would be read as one, even inside a comment.
            let must_fit = word.starts_with('%') || (word.starts_with('[') && !word.starts_with("[%"));
            let fits = must_fit || self.width + 1 + length < 80;
            self.text.push(if fits { ' ' } else { '\n' });
            self.width = if fits { self.width + 1 } else { 0 };
        }
        self.text.push_str(word);
        self.width += length;
    }

    /// Joins the next word to the last one.
    fn glue(&mut self) {
        self.is_glued = true;
    }

    /// A comment in braces. It may break at spaces, but not inside a command such as `[%clk 0:01:00]`, which some
    /// programs would then miss.
    fn comment(&mut self, comment: &str) {
        // A comment in braces cannot contain a closing brace; one read after a semicolon might.
        let text = comment.replace('}', ")").replace('{', "(");
        let mut pieces: Vec<String> = Vec::new();
        let mut is_inside = false;
        for word in text.split_whitespace() {
            match pieces.last_mut().filter(|_| is_inside) {
                Some(piece) => {
                    piece.push(' ');
                    piece.push_str(word);
                }
                None => pieces.push(word.to_owned()),
            }
            is_inside = (is_inside || word.starts_with("[%")) && !word.contains(']');
        }
        match pieces.as_mut_slice() {
            [] => return self.word("{}"),
            [only] => *only = format!("{{{only}}}"),
            [first, .., last] => {
                first.insert(0, '{');
                last.push('}');
            }
        }
        pieces.iter().for_each(|piece| self.word(piece));
    }

    /// A line of moves; `ply` counts from White's first move.
    fn line(&mut self, line: &Line, mut ply: usize) {
        line.comments.iter().for_each(|comment| self.comment(comment));
        let mut needs_number = true;
        for mv in &line.moves {
            let number = ply / 2 + 1;
            if ply.is_multiple_of(2) {
                self.word(&format!("{number}. {}", mv.san));
            } else if needs_number {
                self.word(&format!("{number}... {}", mv.san));
            } else {
                self.word(&mv.san);
            }
            mv.nags.iter().for_each(|nag| self.word(&format!("${nag}")));
            mv.comments.iter().for_each(|comment| self.comment(comment));
            for variation in &mv.variations {
                self.word("(");
                self.glue();
                self.line(variation, ply);
                self.glue();
                self.word(")");
            }
            needs_number = !mv.comments.is_empty() || !mv.variations.is_empty();
            ply += 1;
        }
    }
}

/// The game with everything it has, without a trailing empty line.
impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for tag in &self.tags {
            f.write_str(&tag_line(&tag.name, &tag.value))?;
        }
        if !self.tags.is_empty() {
            f.write_str("\n")?;
        }
        let first = self.start().map_or(0, |start| {
            let is_black = start.side_to_move() == Color::Black;
            2 * usize::from(start.fullmove_number().saturating_sub(1)) + usize::from(is_black)
        });
        let mut words = Wrapped::default();
        words.line(&self.main, first);
        words.word(GameResult::text(self.result));
        writeln!(f, "{}", words.text)
    }
}
