//! An engine as a process. A reader thread blocks on its output, stamps each line with its arrival time and forwards
//! what matters to the thread that plays the game, which blocks on the channel. Nothing spins.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use uci::Command;

use super::listener::{Event, Listener};

/// Longer lines are truncated: no engine needs them, and a broken one must not fill the memory.
const LONGEST_LINE: u64 = 1 << 16;

/// How many of the engine's last lines of error output are kept for a crash report.
const LAST_WORDS: usize = 8;

/// A running engine. It is killed on drop unless it has already exited.
pub(crate) struct Process {
    child: Child,
    stdin: Option<ChildStdin>,
    events: Receiver<Event>,
    last_words: Arc<Mutex<VecDeque<String>>>,
    /// The thread that reads the error output until it ends.
    witness: thread::JoinHandle<()>,
}

impl Process {
    /// Starts the program.
    pub(crate) fn start(mut command: std::process::Command) -> Result<Process> {
        // In a process group of its own: Ctrl-C at the terminal then reaches only the runner, which ends the games in
        // order.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {}", command.get_program().to_string_lossy()))?;
        let missing = || anyhow!("the engine's streams are missing");
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (stdout, stderr) = (stdout.ok_or_else(missing)?, stderr.ok_or_else(missing)?);
        let (sender, events) = mpsc::channel();
        let last_words = Arc::new(Mutex::new(VecDeque::new()));
        let complaints = Arc::clone(&last_words);
        thread::Builder::new().name("engine output".into()).spawn(move || listen(stdout, &sender))?;
        let witness = thread::Builder::new().name("engine errors".into()).spawn(move || {
            each_line(stderr, |line, _| {
                let mut words = complaints.lock().unwrap_or_else(PoisonError::into_inner);
                if words.len() == LAST_WORDS {
                    words.pop_front();
                }
                words.push_back(line.to_owned());
                true
            });
        })?;
        Ok(Process { child, stdin, events, last_words, witness })
    }

    /// Sends a command.
    pub(crate) fn send(&mut self, command: &Command) -> std::io::Result<()> {
        match &mut self.stdin {
            // In a single write, for engines that take whatever is available for a whole line.
            Some(stdin) => stdin.write_all(format!("{command}\n").as_bytes()),
            None => Err(std::io::ErrorKind::BrokenPipe.into()),
        }
    }

    /// The next event, if it arrives within this time.
    pub(crate) fn next_event(&self, patience: Duration) -> Option<Event> {
        match self.events.recv_timeout(patience) {
            Ok(event) => Some(event),
            Err(mpsc::RecvTimeoutError::Timeout) => None,
            Err(mpsc::RecvTimeoutError::Disconnected) => Some(Event::Closed),
        }
    }

    /// The engine's last error output, and its exit status if it is gone.
    pub(crate) fn obituary(&mut self) -> String {
        let status = match self.wait(Duration::from_millis(200)) {
            Some(status) => {
                // Its last output may still be in the pipe.
                let deadline = Instant::now() + Duration::from_millis(500);
                while !self.witness.is_finished() && Instant::now() < deadline {
                    thread::sleep(Duration::from_millis(1));
                }
                status.to_string()
            }
            None => "its output is closed, the process still runs".into(),
        };
        let words = self.last_words.lock().unwrap_or_else(PoisonError::into_inner);
        words.iter().fold(status, |text, line| text + "; " + line)
    }

    /// Asks the engine to quit; if it does not in time, it is killed on drop.
    pub(crate) fn quit(&mut self, patience: Duration) {
        let _ = self.send(&Command::Stop).and_then(|()| self.send(&Command::Quit));
        self.stdin = None;
        let _ = self.wait(patience);
    }

    fn wait(&mut self, patience: Duration) -> Option<std::process::ExitStatus> {
        let deadline = Instant::now() + patience;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(5)),
                _ => return None,
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn listen(stdout: impl Read, sender: &Sender<Event>) {
    let mut listener = Listener::default();
    each_line(stdout, |line, at| listener.hear(line, at).is_none_or(|event| sender.send(event).is_ok()));
    let _ = sender.send(Event::Closed);
}

/// Calls `take` with every line and its arrival time until the stream ends or `take` returns false. Invalid UTF-8 is
/// replaced, not rejected.
fn each_line(stream: impl Read, mut take: impl FnMut(&str, Instant) -> bool) {
    let mut reader = BufReader::new(stream);
    let mut line = Vec::new();
    loop {
        line.clear();
        match reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {
                let at = Instant::now();
                if !take(String::from_utf8_lossy(&line).trim_end(), at) {
                    return;
                }
            }
        }
    }
}
