//! Progress display: a bar with the score on a terminal, an occasional plain line elsewhere.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// More games than are ever played: no progress lines.
pub const NEVER: usize = usize::MAX / 2;

/// A bar on standard error if that is a terminal; otherwise a hidden one.
pub fn bar(total: u64, done: u64, template: &str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(total).with_position(done);
    // An invalid template is no reason to stop.
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.reset_eta();
    bar
}

/// Shows the score while the match runs.
pub struct Progress {
    bar: Option<ProgressBar>,
    every: usize,
    last: usize,
    /// When a timed line was last shown.
    shown: Instant,
}

impl Progress {
    /// Progress over this many games, of which `done` are finished; without a terminal it prints a line every `every`
    /// games.
    pub fn new(games: usize, done: usize, every: usize) -> Progress {
        let bar = || bar(games as u64, done as u64, "{bar:24} {eta_precise} {msg}");
        let bar = std::io::stderr().is_terminal().then(bar);
        Progress { bar, every: every.max(1), last: done, shown: Instant::now() }
    }

    /// Progress of something without an end; without a terminal it prints no lines of its own.
    pub fn endless() -> Progress {
        let bar = std::io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{spinner} {elapsed_precise} {msg}");
            ProgressBar::new_spinner().with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
        });
        Progress { bar, every: NEVER, last: 0, shown: Instant::now() }
    }

    /// Shows the score after a game.
    pub fn show(&mut self, played: usize, line: impl FnOnce() -> String) {
        match &self.bar {
            Some(bar) => {
                bar.set_position(played as u64);
                bar.set_message(line());
            }
            None if played >= self.last + self.every => {
                self.last = played;
                eprintln!("{}", line());
            }
            None => {}
        }
    }

    /// The same for fast counts: without a terminal it prints a line every `seconds` seconds.
    pub fn show_timed(&mut self, done: usize, seconds: u64, line: impl Fn() -> String) {
        self.show(done, &line);
        if self.shown.elapsed() >= Duration::from_secs(seconds.max(1)) {
            self.shown = Instant::now();
            self.say_plainly(&line());
        }
    }

    /// Prints a message that is not the score.
    pub fn say(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| eprintln!("{text}")),
            None => eprintln!("{text}"),
        }
    }

    /// Prints a message only if there is no bar, which would show it anyway.
    pub fn say_plainly(&self, text: &str) {
        if self.bar.is_none() {
            eprintln!("{text}");
        }
    }

    /// Removes the bar.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
