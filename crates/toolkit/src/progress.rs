//! Progress: a bar with the score at a terminal, a plain line now and then elsewhere.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// More games than are ever played.
pub const NEVER: usize = usize::MAX / 2;

/// A bar on standard error, if somebody is there to see it; otherwise a hidden one.
pub fn bar(total: u64, done: u64, template: &str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(total).with_position(done);
    // A template that cannot be understood is no reason to do no work.
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.reset_eta();
    bar
}

/// Where the score is shown while the match goes on.
pub struct Progress {
    bar: Option<ProgressBar>,
    every: usize,
    last: usize,
    /// When a line was last shown because of the time.
    shown: Instant,
}

impl Progress {
    /// Progress over so many games, of which `done` are over; without a terminal a line every so many games.
    pub fn new(games: usize, done: usize, every: usize) -> Progress {
        let bar = || bar(games as u64, done as u64, "{bar:24} {eta_precise} {msg}");
        let bar = std::io::stderr().is_terminal().then(bar);
        Progress { bar, every: every.max(1), last: done, shown: Instant::now() }
    }

    /// Progress of something that has no end; without a terminal there are no lines of its own.
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

    /// The same for what is counted fast: without a terminal a line every so many seconds.
    pub fn show_timed(&mut self, done: usize, seconds: u64, line: impl Fn() -> String) {
        self.show(done, &line);
        if self.shown.elapsed() >= Duration::from_secs(seconds.max(1)) {
            self.shown = Instant::now();
            self.say_plainly(&line());
        }
    }

    /// Says something that is not the score.
    pub fn say(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| eprintln!("{text}")),
            None => eprintln!("{text}"),
        }
    }

    /// Says something only where there is no bar that shows it anyway.
    pub fn say_plainly(&self, text: &str) {
        if self.bar.is_none() {
            eprintln!("{text}");
        }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
