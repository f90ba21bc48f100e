//! Formats explanations for a terminal.

use chess::Position;

use super::report::Explanation;
use super::said::Sentence;
use super::why::Why;
use crate::people::draw::{self, Charset};
use crate::people::wrap;

/// The line width.
const WIDTH: usize = 96;

/// An explanation of a position, under its board.
pub(super) fn explanation(position: &Position, explanation: &Explanation) -> String {
    let mut page = Page::with_board(position);
    for section in &explanation.sections {
        if let Some(title) = section.title {
            page.title(title);
        }
        for sentence in &section.sentences {
            page.say(sentence, if section.is_list { ["  - ", "    "] } else { ["  "; 2] });
        }
    }
    page.0
}

/// The explanation of a move, under the board before it.
pub(super) fn why(position: &Position, why: &Why) -> String {
    let mut page = Page::with_board(position);
    page.0.push_str(&format!("  {} to move.\n", position.side_to_move()));
    page.title(&format!("Why {}?", why.chosen.san));
    for sentence in &why.sentences {
        page.say(sentence, ["  "; 2]);
    }
    page.0
}

struct Page(String);

impl Page {
    fn with_board(position: &Position) -> Page {
        let board = draw::board(position.board(), position.side_to_move(), Charset::of_locale());
        Page(board.join("\n") + "\n\n")
    }

    fn title(&mut self, title: &str) {
        self.0.push_str(&format!("\n{title}\n"));
    }

    /// Adds a sentence whose lines begin with these margins.
    fn say(&mut self, sentence: &Sentence, margins: [&str; 2]) {
        self.lines(&sentence.text, margins);
        if let Some(line) = &sentence.line {
            self.lines(&line.text, ["      "; 2]);
        }
    }

    fn lines(&mut self, text: &str, [first, rest]: [&str; 2]) {
        for line in wrap::words(text, first, rest, WIDTH) {
            self.0.push_str(&line);
            self.0.push('\n');
        }
    }
}
