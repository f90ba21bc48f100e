//! The single output. Any thread may write; lines are written whole and flushed at once.

use std::fmt::Display;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use uci::{Info, Reply};

/// The destination of lines: the user interface, and a log if there is one.
#[derive(Clone)]
pub(super) struct Output(Arc<Mutex<Lines>>);

struct Lines {
    out: Box<dyn Write + Send>,
    log: Option<File>,
    /// Whether a command could not be executed as given.
    complained: bool,
}

impl Output {
    pub(super) fn stdout() -> Output {
        Output::new(Box::new(io::stdout()))
    }

    pub(super) fn new(out: Box<dyn Write + Send>) -> Output {
        Output(Arc::new(Mutex::new(Lines { out, log: None, complained: false })))
    }

    pub(super) fn line(&self, line: impl Display) {
        self.lines([line]);
    }

    /// Writes lines without output of other threads between them.
    pub(super) fn lines(&self, lines: impl IntoIterator<Item = impl Display>) {
        let mut text = String::new();
        for line in lines {
            text.push_str(&line.to_string());
            text.push('\n');
        }
        let mut channel = self.lock();
        channel.log("<<", &text);
        if channel.out.write_all(text.as_bytes()).and_then(|()| channel.out.flush()).is_err() {
            // The interface is gone, and a search may be running that would never be stopped.
            std::process::exit(0);
        }
    }

    /// A text for people.
    pub(super) fn note(&self, text: impl Into<String>) {
        self.line(Reply::Info(Info::text(text)));
    }

    /// Reports why something was not done.
    pub(super) fn complain(&self, text: impl Into<String>) {
        self.lock().complained = true;
        self.note(text);
    }

    /// Records that something was not done, when that is reported elsewhere.
    pub(super) fn mark(&self) {
        self.lock().complained = true;
    }

    /// Whether anything could not be done as requested.
    pub(super) fn has_complained(&self) -> bool {
        self.lock().complained
    }

    /// Logs a line that was received.
    pub(super) fn received(&self, line: &str) {
        self.lock().log(">>", line);
    }

    /// Appends all further traffic to a file; an empty path ends the log.
    pub(super) fn log_to(&self, path: &str) -> io::Result<()> {
        let log = match path {
            "" => None,
            path => Some(OpenOptions::new().create(true).append(true).open(path)?),
        };
        self.lock().log = log;
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Lines> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Lines {
    /// A log that cannot be written is dropped: the game goes on.
    fn log(&mut self, mark: &str, text: &str) {
        let Some(log) = &mut self.log else { return };
        let marked: String = text.lines().map(|line| format!("{mark} {line}\n")).collect();
        if log.write_all(marked.as_bytes()).is_err() {
            self.log = None;
        }
    }
}
