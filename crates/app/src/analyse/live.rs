//! The live view: board, chances, lines and speed, redrawn in place while the search runs.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use chess::Position;
use console::Term;
use engine::{Bound, Reporter, SearchResult};

use super::format;
use crate::people::draw::{self, Charset};

/// At most ten drawings a second: more would only flicker.
const INTERVAL: Duration = Duration::from_millis(100);

pub(super) struct View {
    position: Position,
    term: Term,
    charset: Charset,
    /// The result of the last iteration, with the current nodes and time.
    latest: Option<SearchResult>,
    /// The number of lines in the last drawing.
    drawn: usize,
    last: Option<Instant>,
}

impl View {
    pub(super) fn new(position: Position) -> View {
        View { position, term: Term::stdout(), charset: Charset::of_locale(), latest: None, drawn: 0, last: None }
    }

    /// The final drawing, with the lines in full.
    pub(super) fn finish(mut self, found: &SearchResult) -> io::Result<()> {
        let (_, width) = self.size();
        let mut lines = self.board();
        lines.extend(format::summary(&self.position, found, width));
        self.draw(&lines)
    }

    fn board(&self) -> Vec<String> {
        let mut lines = draw::board(self.position.board(), self.position.side_to_move(), self.charset);
        lines.push(String::new());
        lines
    }

    /// The rows and columns that can be used without scrolling or wrapping.
    fn size(&self) -> (usize, usize) {
        let (height, width) = self.term.size();
        (usize::from(height).saturating_sub(1).max(1), usize::from(width).saturating_sub(1).max(20))
    }

    /// A drawing that fits the screen: lines in full if there is room, otherwise one row each. A drawing that wraps or
    /// scrolls could not be overwritten.
    fn fitting(&self, found: &SearchResult) -> Vec<String> {
        let (height, width) = self.size();
        let all = |limit: usize| {
            let mut lines = self.board();
            lines.extend(format::summary(&self.position, found, limit));
            lines.push("Ctrl-C ends the search.".into());
            lines
        };
        let full = all(width);
        let mut lines = if full.len() <= height { full } else { all(usize::MAX) };
        // On a short screen the lines matter more than the board.
        if lines.len() > height {
            let text = format::summary(&self.position, found, usize::MAX);
            lines.drain(..lines.len().saturating_sub(text.len() + 1));
            lines.truncate(height);
        }
        lines.into_iter().map(|line| cut(line, width)).collect()
    }

    /// Draws the current state, unless that happened a moment ago.
    fn refresh(&mut self) {
        if self.last.is_some_and(|last| last.elapsed() < INTERVAL) {
            return;
        }
        let Some(found) = &self.latest else { return };
        let lines = self.fitting(found);
        self.last = Some(Instant::now());
        if self.draw(&lines).is_err() {
            // The output is closed, so no reader is left to stop the search.
            std::process::exit(0);
        }
    }

    /// Overwrites the last drawing, in a single write to avoid flicker.
    fn draw(&mut self, lines: &[String]) -> io::Result<()> {
        let mut text = String::new();
        if self.drawn > 0 {
            text.push_str(&format!("\x1b[{}A\r", self.drawn));
        }
        for line in lines {
            text.push_str(line);
            text.push_str("\x1b[K\n");
        }
        text.push_str("\x1b[J");
        self.drawn = lines.len();
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())?;
        out.flush()
    }
}

/// A line cut between words to at most this width.
fn cut(line: String, width: usize) -> String {
    if line.chars().count() <= width {
        return line;
    }
    let head: String = line.chars().take(width).collect();
    match head.rfind(' ') {
        Some(end) if !head.trim().is_empty() && end > width / 2 => head.get(..end).unwrap_or(&head).to_owned(),
        _ => head,
    }
}

impl Reporter for View {
    fn progress(&mut self, found: &SearchResult) {
        if found.best.bound == Bound::Exact {
            self.latest = Some(found.clone());
            self.refresh();
        }
    }

    /// Between iterations, time and nodes are still updated.
    fn tick(&mut self, nodes: u64, time: Duration) {
        if let Some(latest) = &mut self.latest {
            (latest.nodes, latest.time) = (nodes, time);
            self.refresh();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn lines_are_cut_between_words() {
        assert_eq!(cut("1. e4 e5 2. Nf3 Nc6".into(), 13), "1. e4 e5 2.");
        assert_eq!(cut("short".into(), 13), "short");
        assert_eq!(cut("aaaaaaaaaaaaaaaaaaaa".into(), 5), "aaaaa");
    }
}
