//! The live view: board, chances, lines and speed, drawn over itself as the search goes on.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use chess::Position;
use console::Term;
use engine::{Bound, Reporter, SearchResult};

use super::format;
use crate::people::draw::{self, Charset};

/// No more than ten drawings a second: more would only flicker.
const INTERVAL: Duration = Duration::from_millis(100);

pub(super) struct View {
    position: Position,
    term: Term,
    charset: Charset,
    /// Lines of the last drawing.
    drawn: usize,
    last: Option<Instant>,
}

impl View {
    pub(super) fn new(position: Position) -> View {
        View { position, term: Term::stdout(), charset: Charset::of_locale(), drawn: 0, last: None }
    }

    /// The last drawing, with the lines in full.
    pub(super) fn finish(mut self, found: &SearchResult) -> io::Result<()> {
        let lines = self.lines(found, None);
        self.draw(&lines)
    }

    /// The drawing, cut to this width if there is one.
    fn lines(&self, found: &SearchResult, width: Option<usize>) -> Vec<String> {
        let mut lines = draw::board(self.position.board(), self.position.side_to_move(), self.charset);
        lines.push(String::new());
        lines.extend(format::summary(&self.position, found));
        if width.is_some() {
            lines.push("Ctrl-C ends the search.".into());
        }
        let width = width.unwrap_or(usize::MAX);
        lines.iter().map(|line| line.chars().take(width).collect()).collect()
    }

    /// Draws over the last drawing, in one piece so that nothing flickers.
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

impl Reporter for View {
    fn progress(&mut self, found: &SearchResult) {
        if found.best.bound != Bound::Exact || self.last.is_some_and(|last| last.elapsed() < INTERVAL) {
            return;
        }
        self.last = Some(Instant::now());
        // A line that wraps, or scrolls out of sight, could not be drawn over.
        let (height, width) = self.term.size();
        let mut lines = self.lines(found, Some(usize::from(width).saturating_sub(1).max(20)));
        lines.truncate(usize::from(height).saturating_sub(1).max(1));
        if self.draw(&lines).is_err() {
            // Whoever watched has gone, and nobody will stop the search.
            std::process::exit(0);
        }
    }
}
