//! Torture: seeded random conversations with the real program, and what must hold whatever is said.
//!
//! Every `go` gets exactly one legal move, none while pondering or in an infinite search; `readyok` comes promptly; lines are legal, sorted,
//! in order of depth and without scores that stand for nothing; memory stays bounded; the end of input ends the program. A run of the
//! suite takes some seconds; `TORTURE_SECONDS=3600 TORTURE_SEED=7 cargo test -p stillwater --test uci torture -- --nocapture` takes an hour.

use std::time::{Duration, Instant};

use chess::{Board, Position};
use toolkit::Rng;
use uci::{Bound, Score};

use crate::check::check_all_but_depths;
use crate::common::megabytes;
use crate::harness::{Answer, Engine, position, worth};

/// How long `readyok` may take on a machine with much else to do.
const PROMPT: Duration = Duration::from_secs(5);
/// Hash, threads and a network at the sizes used here, in megabytes.
const MEMORY: u64 = 260;
const GARBAGE: [&str; 13] = [
    "",
    " ",
    "hello",
    "go-go",
    "setoption",
    "setoption name",
    "setoption name Hash value -5",
    "setoption name Hash value 99999999999999999999",
    "setoption name Threads value 0",
    "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
    "position startpos moves e2e5",
    "position",
    "\u{0}\u{1}\u{fffd}",
];

struct Torture {
    engine: Engine,
    random: Rng,
    /// What the program was told last, without the first word.
    position: String,
    searches: u64,
    /// Whether it plays weaker: then the line that it plays comes first, whatever it is worth.
    limited: bool,
}

impl Torture {
    fn new(seed: u64) -> Torture {
        let (engine, random) = (Engine::start(), Rng::new(seed));
        Torture { engine, random, position: "startpos".into(), searches: 0, limited: false }
    }

    fn below(&mut self, count: usize) -> usize {
        self.random.below(count)
    }

    fn choose<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }

    /// A position with a legal move, some moves after a start of any kind.
    fn new_position(&mut self) {
        let start = match self.below(6) {
            0 => {
                let number = self.below(960) as u16;
                format!("fen {}", Board::chess960(number, number).expect("below 960").shredder_fen())
            }
            1 => "fen 8/8/8/3k4/8/8/8/KBN5 w - - 0 1".into(),
            2 => "fen 8/P6k/8/8/8/8/p6K/8 w - - 98 80".into(),
            3 => "fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1".into(),
            _ => "startpos".to_owned(),
        };
        let mut game = position(&start);
        let mut moves = Vec::new();
        for _ in 0..self.below(60) {
            let legal = game.legal_moves();
            let mv = legal[self.below(legal.len())];
            game.play(mv);
            if game.outcome().is_some() {
                game.unmake();
                break;
            }
            moves.push(mv.uci(true));
        }
        self.position = if moves.is_empty() { start } else { format!("{start} moves {}", moves.join(" ")) };
        self.engine.send(&format!("position {}", self.position));
    }

    fn set_option(&mut self) {
        let line = match self.below(12) {
            0 => format!("Threads value {}", 1 + self.below(3)),
            1 => format!("Hash value {}", 1 + self.below(16)),
            2 => format!("MultiPV value {}", 1 + self.below(5)),
            3 => format!("UCI_ShowWDL value {}", self.choose(&["true", "false"])),
            4 => format!("UCI_Chess960 value {}", self.choose(&["true", "false"])),
            5 => {
                self.limited = self.below(3) == 0;
                format!("UCI_LimitStrength value {}", self.limited)
            }
            6 => format!("UCI_Elo value {}", 800 + self.below(2000)),
            7 => "Clear Hash".into(),
            8 => format!("EvalFile value {}", self.choose(&["<none>", "<embedded>", "/nowhere/at/all"])),
            9 => format!("SyzygyPath value {}/../../tests/data/syzygy", env!("CARGO_MANIFEST_DIR")),
            10 => format!("Ponder value {}", self.choose(&["true", "false"])),
            _ => format!("Move Overhead value {}", self.below(30)),
        };
        self.engine.send(&format!("setoption name {line}"));
    }

    /// Sends a line in pieces, with a pause between them.
    fn send_in_pieces(&mut self, line: &str) {
        let bytes = format!("{line}{}", self.choose(&["\n", "\r\n", "\r"])).into_bytes();
        let cut = self.below(bytes.len());
        self.engine.send_bytes(&bytes[..cut]);
        std::thread::sleep(Duration::from_millis(self.below(3) as u64));
        self.engine.send_bytes(&bytes[cut..]);
    }

    fn small_talk(&mut self) {
        match self.below(9) {
            0 => self.engine.send("d"),
            1 => self.engine.send("eval"),
            2 => self.engine.send("uci"),
            3 => self.engine.send("ucinewgame"),
            4 => self.engine.send("stop"),
            5 => self.engine.send("ponderhit"),
            6 => self.engine.send("debug off"),
            _ => {
                let line = self.choose(&GARBAGE);
                self.send_in_pieces(line);
                // After a position that was refused, no move is given until there is another.
                if line.starts_with("position") {
                    self.engine.send(&format!("position {}", self.position));
                }
            }
        }
    }

    fn is_ready(&mut self) {
        let begun = Instant::now();
        self.engine.settle();
        let time = begun.elapsed();
        self.engine.check(time < PROMPT, &format!("readyok took {time:?}"));
        if let Some(used) = megabytes(self.engine.id()) {
            self.engine.check(used < MEMORY, &format!("{used} MB in use"));
        }
    }

    /// A search that ends by itself, or one that is ended, with talk in between.
    fn search(&mut self) {
        // What was queued may stop a search that it follows, not one that comes after it.
        self.is_ready();
        self.searches += 1;
        let (go, unbounded) = match self.below(9) {
            0 => ("go infinite".to_owned(), true),
            1 => (format!("go ponder wtime {} btime 500 winc 5", 50 + self.below(500)), true),
            2 => (format!("go depth {}", 1 + self.below(7)), false),
            3 => (format!("go movetime {}", self.below(40)), false),
            4 => (format!("go wtime {} btime {} movestogo {}", self.below(300), self.below(300), self.below(5)), false),
            5 => (format!("go mate {} nodes 5000", 1 + self.below(3)), false),
            6 => ("go wtime 0 btime -5".to_owned(), false),
            _ => (format!("go nodes {}", self.below(8000)), false),
        };
        self.engine.send(&go);
        let mut lines = Vec::new();
        if unbounded {
            let time = Duration::from_millis(self.below(60) as u64);
            lines = self.keeps_searching(time);
            for _ in 0..self.below(3) {
                let line = self.choose(&["isready", "hello", "", "setoption", "debug off"]);
                self.send_in_pieces(line);
            }
            let end = if go.contains("ponder") && self.below(2) == 0 { "ponderhit" } else { "stop" };
            self.engine.send(end);
        } else if self.below(4) == 0 {
            self.engine.send("stop");
        }
        let answer = self.answer(lines);
        self.judge(&answer);
    }

    /// What is said for so long: anything but a move.
    fn keeps_searching(&mut self, time: Duration) -> Vec<String> {
        let deadline = Instant::now() + time;
        let mut lines = Vec::new();
        while let Some(line) = self.engine.next_within(deadline.saturating_duration_since(Instant::now())) {
            self.engine.check(line.starts_with("info "), "the search should still go on");
            lines.push(line);
        }
        lines
    }

    /// The answer, with what else was asked for in between left out.
    fn answer(&mut self, mut lines: Vec<String>) -> Answer {
        lines.extend(self.engine.until("bestmove", |line| line.starts_with("bestmove")));
        lines.retain(|line| line != "readyok");
        self.engine.read_answer(lines)
    }

    fn judge(&self, answer: &Answer) {
        self.engine.check(!answer.infos.is_empty() && answer.best.is_some(), "a move without a line");
        check_all_but_depths(&self.position, answer);
        let mut depth = 0;
        for info in answer.exact(1).take(answer.exact(1).count().saturating_sub(1)) {
            let next = info.depth.unwrap_or(0);
            self.engine.check(next >= depth, &format!("depth {next} after {depth}"));
            depth = next;
        }
        for pair in answer.infos.windows(2) {
            let [one, other] = pair else { continue };
            let together =
                !self.limited && other.multipv > one.multipv && one.multipv.is_some() && other.depth == one.depth;
            if let (true, Some((first, Bound::Exact)), Some((second, Bound::Exact))) =
                (together, one.score, other.score)
            {
                self.engine.check(worth(first) >= worth(second), &format!("not sorted: {one} / {other}"));
            }
        }
        for (score, _) in answer.infos.iter().filter_map(|info| info.score) {
            let sane = match score {
                Score::Centipawns(value) => value.abs() <= 20_000,
                Score::Mate(moves) => moves.abs() <= 128,
            };
            self.engine.check(sane, &format!("a score that stands for nothing: {score:?}"));
        }
    }
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// One program from its start to its end. Returns the number of searches.
fn conversation(seed: u64) -> u64 {
    let mut torture = Torture::new(seed);
    if torture.below(4) > 0 {
        torture.engine.send("uci");
        torture.engine.until("uciok", |line| line == "uciok");
    }
    for _ in 0..40 + torture.below(160) {
        match torture.below(8) {
            0 => torture.set_option(),
            1 => torture.small_talk(),
            2 => torture.is_ready(),
            3 | 4 => torture.new_position(),
            _ => torture.search(),
        }
    }
    torture.is_ready();
    // The end may come at any moment.
    match torture.below(4) {
        0 => torture.engine.send("go infinite\nquit"),
        1 => torture.engine.send("go nodes 100000\nquit"),
        2 => torture.engine.send("go infinite"),
        _ => torture.engine.send_bytes(b"go ponder movet"),
    }
    torture.engine.close_input();
    let status = torture.engine.end();
    torture.engine.check(status.success(), "it ends well");
    torture.searches
}

#[test]
fn torture() {
    let seconds = number("TORTURE_SECONDS").unwrap_or(5);
    let first = number("TORTURE_SEED").unwrap_or(1);
    let end = Instant::now() + Duration::from_secs(seconds);
    let (mut seed, mut searches) = (first, 0);
    while Instant::now() < end {
        searches += conversation(seed);
        seed += 1;
    }
    println!("torture: {} conversations from seed {first}, {searches} searches, {seconds} s", seed - first);
    assert!(searches > 0);
}

/// The positions above are what they are meant to be.
#[test]
fn torture_positions_have_moves() {
    let mut torture = Torture::new(3);
    for _ in 0..200 {
        torture.new_position();
        let game: Position = position(&torture.position);
        assert!(game.outcome().is_none(), "{}", torture.position);
    }
}
