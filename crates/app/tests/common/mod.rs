//! What the tests of the program share: running it to its end, folders of their own, and what it takes of the machine.
#![allow(dead_code, reason = "each test file uses its own part")]

use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

use chess::Board;
use nnue::arch::{CONFIDENCE_INPUTS, FEATURES, MOVES, OUTPUT_BUCKETS, QA, QB, QP, QUANTILES};
use nnue::{Confidence, Network, Policy, move_index};

/// A folder of its own for each test, gone when the test is over.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("stillwater-test-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.0.join(name).to_string_lossy().into_owned()
    }

    /// Writes a file and returns its path.
    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        std::fs::write(&path, content).expect("written");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A network of random numbers that also forecasts. A pawn to e4 is 24 times as probable as other moves, a knight to f3
/// eight times; three times out of five a short search finds between 0.05 less and 0.1 more of a point.
pub(crate) fn forecasting_network(seed: u64) -> Network {
    let start = Board::start();
    let mut biases = vec![0; MOVES];
    for (mv, odds) in [("e2e4", 24.0_f64), ("g1f3", 8.0)] {
        let mv = start.parse_uci(mv).expect(mv);
        biases[move_index(&start, mv)] = (odds.ln() * f64::from(QP)).round() as i16;
    }
    let policy = Policy::new(vec![0; FEATURES * MOVES], biases).expect("a policy");
    let outputs = OUTPUT_BUCKETS * QUANTILES.len();
    let quantiles = [-QA * QB / 20, QA * QB / 10].repeat(OUTPUT_BUCKETS);
    let confidence =
        Confidence::new(vec![0; outputs * 2 * CONFIDENCE_INPUTS], quantiles, [-50, 50]).expect("a confidence");
    let network = Network::random(128, seed).expect("a network");
    network.with_forecast(Some(policy)).with_confidence(Some(confidence))
}

pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stillwater"));
    command.args(arguments).env("LC_ALL", "C.UTF-8").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// What a run said, and whether it succeeded.
pub(crate) struct Said {
    pub(crate) ok: bool,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl From<Output> for Said {
    fn from(output: Output) -> Said {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Said { ok: output.status.success(), out: text(&output.stdout), err: text(&output.stderr) }
    }
}

impl Said {
    /// It must have succeeded.
    #[track_caller]
    pub(crate) fn good(self) -> Said {
        assert!(self.ok, "failed: {}\n{}", self.err, self.out);
        self
    }

    /// It must have failed, saying this, and have said nothing else.
    #[track_caller]
    pub(crate) fn bad(self, reason: &str) {
        assert!(!self.ok && self.err.contains(reason) && self.out.is_empty(), "{}\n{}", self.err, self.out);
        assert!(!self.err.contains("panicked"), "{}", self.err);
    }
}

pub(crate) fn run(arguments: &[&str]) -> Said {
    command(arguments).output().expect("the program runs").into()
}

/// Runs with something typed.
pub(crate) fn run_with(arguments: &[&str], input: impl AsRef<[u8]>) -> Said {
    let mut child = command(arguments).stdin(Stdio::piped()).spawn().expect("the program runs");
    // The program may be gone before it has read everything.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_ref());
    child.wait_with_output().expect("the program ends").into()
}

/// Runs with nobody reading what it says: that is no error.
#[track_caller]
pub(crate) fn run_unheard(arguments: &[&str], input: &str) {
    let mut child: Child = command(arguments).stdin(Stdio::piped()).spawn().expect("the program runs");
    drop(child.stdout.take());
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("the program ends");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}

/// Processor time that a process used so far, in ticks, where the system tells.
pub(crate) fn ticks(id: u32) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
    Some(fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?)
}

/// Memory that a process has in use, in megabytes, where the system tells.
pub(crate) fn megabytes(id: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? / 1024)
}
