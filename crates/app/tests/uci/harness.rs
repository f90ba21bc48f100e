//! Starts the program, talks to it, and complains with the whole conversation if it does not answer.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use chess::Position;
use uci::{Bound, Info, Reply, Score, UciMove};

/// How long an answer may take on a machine with much else to do. Only failing tests wait so long.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
    /// Everything said so far, for complaints.
    transcript: String,
}

/// An answer to `go`.
#[derive(Debug)]
pub(crate) struct Answer {
    /// All info lines, in order, without texts for people.
    pub(crate) infos: Vec<Info>,
    /// The texts for people.
    pub(crate) notes: Vec<String>,
    pub(crate) best: Option<UciMove>,
    pub(crate) ponder: Option<UciMove>,
}

impl Engine {
    pub(crate) fn start() -> Engine {
        let mut command = Command::new(env!("CARGO_BIN_EXE_stillwater"));
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program runs");
        let stdout = child.stdout.take().expect("a pipe");
        let (sender, output) = mpsc::channel();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines() {
                let Ok(line) = line else { return };
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        let input = child.stdin.take();
        Engine { child, input, output, transcript: String::new() }
    }

    /// Sends lines in one piece.
    pub(crate) fn send(&mut self, lines: &str) {
        self.send_bytes(format!("{lines}\n").as_bytes());
    }

    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        let text = String::from_utf8_lossy(bytes);
        for line in text.lines() {
            let _ = writeln!(self.transcript, "> {line:.200}");
        }
        let input = self.input.as_mut().expect("still open");
        input.write_all(bytes).and_then(|()| input.flush()).expect("the program reads");
    }

    /// The next line within this time, if there is one.
    pub(crate) fn next_within(&mut self, time: Duration) -> Option<String> {
        match self.output.recv_timeout(time) {
            Ok(line) => {
                let _ = writeln!(self.transcript, "< {line}");
                Some(line)
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => None,
        }
    }

    /// All lines up to the first that `ends`, which is the last of them.
    pub(crate) fn until(&mut self, what: &str, ends: impl Fn(&str) -> bool) -> Vec<String> {
        let deadline = Instant::now() + PATIENCE;
        let mut lines = Vec::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let Some(line) = self.next_within(left) else { self.fail(&format!("no {what} came")) };
            let is_last = ends(&line);
            lines.push(line);
            if is_last {
                return lines;
            }
        }
    }

    pub(crate) fn fail(&self, reason: &str) -> ! {
        panic!("{reason}\n{}", self.transcript)
    }

    #[track_caller]
    pub(crate) fn check(&self, condition: bool, reason: &str) {
        assert!(condition, "{reason}\n{}", self.transcript);
    }

    /// Everything said until everything sent is done, `readyok` itself left out.
    pub(crate) fn settle(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.until("readyok", |line| line == "readyok");
        lines.pop();
        lines
    }

    /// The texts for people that come of sending this.
    pub(crate) fn notes(&mut self, lines: &str) -> Vec<String> {
        self.send(lines);
        let said = self.settle();
        said.iter().filter_map(|line| line.strip_prefix("info string ").map(str::to_owned)).collect()
    }

    /// Waits for `bestmove` and reads everything before it.
    pub(crate) fn answer(&mut self) -> Answer {
        let lines = self.until("bestmove", |line| line.starts_with("bestmove"));
        self.read_answer(lines)
    }

    pub(crate) fn read_answer(&self, lines: Vec<String>) -> Answer {
        let mut answer = Answer { infos: Vec::new(), notes: Vec::new(), best: None, ponder: None };
        for line in lines {
            match line.parse() {
                Ok(Reply::Info(Info { string: Some(text), .. })) => answer.notes.push(text),
                Ok(Reply::Info(info)) => answer.infos.push(info),
                Ok(Reply::BestMove { best, ponder }) => (answer.best, answer.ponder) = (best, ponder),
                other => self.fail(&format!("not a line for a search: {line:?}, read as {other:?}")),
            }
        }
        answer
    }

    /// Sends `position` and `go` and waits for the answer.
    pub(crate) fn search(&mut self, position: &str, go: &str) -> Answer {
        self.send(&format!("position {position}\n{go}"));
        self.answer()
    }

    /// Nothing is said for this long, except info lines.
    pub(crate) fn keeps_searching(&mut self, time: Duration) {
        let deadline = Instant::now() + time;
        while let Some(line) = self.next_within(deadline.saturating_duration_since(Instant::now())) {
            if !line.starts_with("info ") {
                self.fail("the search should still go on");
            }
        }
    }

    /// What `d` shows after this word.
    pub(crate) fn shown(&mut self, word: &str) -> String {
        self.send("d");
        let lines = self.settle();
        let found = lines.iter().find_map(|line| line.strip_prefix(word));
        found.unwrap_or_else(|| self.fail(&format!("d shows no {word}"))).trim().to_owned()
    }

    pub(crate) fn fen(&mut self) -> String {
        self.shown("Fen:")
    }

    /// Closes what the program reads from.
    pub(crate) fn close_input(&mut self) {
        self.input = None;
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits for the end of the program.
    pub(crate) fn end(&mut self) -> ExitStatus {
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            if let Some(status) = self.child.try_wait().expect("can be waited for") {
                // Its end closes the pipe, so this waits for nothing but what it said last.
                while self.next_within(PATIENCE).is_some() {}
                return status;
            }
            thread::sleep(Duration::from_millis(5));
        }
        self.fail("the program does not end")
    }

    pub(crate) fn transcript(&self) -> &str {
        &self.transcript
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Answer {
    /// Exact lines with the given number among several.
    pub(crate) fn exact(&self, multipv: u32) -> impl Iterator<Item = &Info> {
        let wanted = move |info: &&Info| {
            info.multipv == Some(multipv) && matches!(info.score, Some((_, Bound::Exact))) && !info.pv.is_empty()
        };
        self.infos.iter().filter(wanted)
    }

    /// The last exact line.
    #[track_caller]
    pub(crate) fn last(&self) -> &Info {
        self.exact(1).last().unwrap_or_else(|| panic!("no exact line: {self:?}"))
    }

    pub(crate) fn score(&self) -> Option<Score> {
        self.last().score.map(|(score, _)| score)
    }

    pub(crate) fn best(&self) -> String {
        self.best.map_or_else(|| "(none)".into(), |mv| mv.to_string())
    }
}

/// Scores in order.
pub(crate) fn worth(score: Score) -> i32 {
    match score {
        Score::Centipawns(value) => value,
        Score::Mate(moves) if moves > 0 => 1_000_000 - moves,
        Score::Mate(moves) => -1_000_000 - moves,
    }
}

/// The position that a `position` command without its first word means.
pub(crate) fn position(text: &str) -> Position {
    let (start, moves) = text.split_once(" moves").unwrap_or((text, ""));
    let board = start.strip_prefix("fen ").unwrap_or(chess::fen::START).parse().expect(text);
    let mut position = Position::new(board);
    for word in moves.split_whitespace() {
        let mv = position.parse_uci(word).expect(word);
        position.play(mv);
    }
    position
}
