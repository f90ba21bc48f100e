//! Writing a game: tags, an empty line, and the moves in lines of less than 80 characters, as the standard asks.

use std::fmt;

use chess::Color;

use super::{Game, Line};
use crate::GameResult;

/// A line of the form `[Name "value"]` with its end. Letters that no reader would take for those of a name become `_`.
fn tag_line(name: &str, value: &str) -> String {
    let name = name.replace(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_', "_");
    let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], " ");
    format!("[{name} \"{value}\"]\n")
}

/// Words set in lines of less than 80 characters.
#[derive(Clone, Default, Debug)]
struct Wrapped {
    text: String,
    width: usize,
    is_glued: bool,
}

impl Wrapped {
    /// Adds a word, with a space or a new line before it.
    fn word(&mut self, word: &str) {
        let length = word.chars().count();
        if self.width > 0 && !std::mem::take(&mut self.is_glued) {
            // A line that begins like a tag or an escape would be taken for one, even within a comment.
            let must_fit = word.starts_with('%') || (word.starts_with('[') && !word.starts_with("[%"));
            let fits = must_fit || self.width + 1 + length < 80;
            self.text.push(if fits { ' ' } else { '\n' });
            self.width = if fits { self.width + 1 } else { 0 };
        }
        self.text.push_str(word);
        self.width += length;
    }

    /// Lets the next word stand directly behind the last one.
    fn glue(&mut self) {
        self.is_glued = true;
    }

    /// A comment in braces. It may be broken where it has spaces, but not within a command such as `[%clk 0:01:00]`, which
    /// not every program would then find.
    fn comment(&mut self, comment: &str) {
        // A comment cannot have its own closing brace inside; one that began with a semicolon might.
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

/// The game with all it has, without an empty line behind it.
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
