//! The measurements that study one engine, from the command line to the documents, with the dummy as the engine: it has the real
//! one's switches and plays the same whatever they are, so every pair of games is level.

mod common;

use std::collections::HashSet;
use std::fs;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use common::Room;
use serde_json::Value;

const LAB: &str = env!("CARGO_BIN_EXE_stillwater-lab");
const DUMMY: &str = env!("CARGO_BIN_EXE_lab-dummy");

impl Room {
    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap_or_default()
    }

    fn command(&self, engine: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(LAB);
        command.current_dir(&self.0).args(arguments).args(["--engine", engine, "--nodes", "100", "--svg", "chart.svg"]);
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let output = self.command(DUMMY, arguments).output().expect("the laboratory runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        output
    }

    /// The games in the journal, by row and number; none is there twice.
    fn games(&self) -> HashSet<(String, u64)> {
        let journal = self.read("state.jsonl");
        let records = journal.split_inclusive('\n').filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let games: Vec<_> =
            records.filter_map(|record| Some((record["row"].as_str()?.to_owned(), record["game"].as_u64()?))).collect();
        let distinct: HashSet<_> = games.iter().cloned().collect();
        assert_eq!(distinct.len(), games.len(), "{games:?}");
        distinct
    }
}

const ABLATE: [&str; 7] =
    ["ablate", "--only", "null_move,check_extension", "--state", "state.jsonl", "--markdown", "table.md"];

#[test]
fn ablation_measures_switches_of_both_defaults() {
    let room = Room::empty("study-ablate");
    room.run(&[&ABLATE[..], &["--games", "6"]].concat());
    assert_eq!(room.games().len(), 12);
    let table = room.read("table.md");
    // Off, null move doubles the dummy's nodes; the extension is off as it is.
    // Three pairs that are all level do not say how level the engines are.
    assert!(table.contains("| null move | on | ? | 6 | 0 6 0 | 2.00 | 1.00 | +0.00 |"), "{table}");
    assert!(table.contains("| check extension | off | ? | 6 | 0 6 0 | 1.00 | 1.00 | +0.00 |"), "{table}");
    assert!(room.read("chart.svg").contains("check extension (off)"));
    // More games can be added, and what is there is not played again.
    let before = room.read("state.jsonl");
    room.run(&[&ABLATE[..], &["--games", "8", "--resume"]].concat());
    assert!(room.read("state.jsonl").starts_with(&before));
    assert_eq!(room.games().len(), 16);
    let refused = room.command(DUMMY, &[&ABLATE[..], &["--games", "8"]].concat()).output().expect("it runs");
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--resume goes on"));
    let other = room.command(DUMMY, &[&ABLATE[..], &["--resume", "--seed", "2"]].concat()).output().expect("it runs");
    assert!(String::from_utf8_lossy(&other.stderr).contains("cannot resume"), "{other:?}");
}

#[test]
fn tables_are_printed_and_written_only_where_told() {
    let room = Room::empty("study-printed");
    let arguments = ["ablate", "--only", "null_move", "--games", "0", "--bench-runs", "1", "--state", "state.jsonl"];
    let engine = ["--engine", DUMMY];
    let mut command = Command::new(LAB);
    let output = command.current_dir(&room.0).args(arguments).args(engine).output().expect("it runs");
    assert!(String::from_utf8_lossy(&output.stdout).contains("| null move | on |"), "{output:?}");
    let files: Vec<_> = fs::read_dir(&room.0).expect("a room").filter_map(Result::ok).collect();
    assert_eq!(files.len(), 1, "nothing but the state: {files:?}");
    for option in ["--markdown", "--svg"] {
        let more = ["--resume", option, "no/such/place.md"];
        let output = Command::new(LAB).current_dir(&room.0).args(arguments).args(engine).args(more).output();
        let words = String::from_utf8_lossy(&output.expect("it runs").stderr).into_owned();
        assert!(words.contains("cannot write no/such/place.md"), "before the first bench: {words}");
    }
}

#[test]
fn a_killed_ablation_goes_on() {
    let room = Room::empty("study-kill");
    let slow = format!("cmd={DUMMY} arg=slow");
    let arguments = [&ABLATE[..], &["--games", "8"]].concat();
    let mut child =
        room.command(&slow, &arguments).stderr(Stdio::null()).stdout(Stdio::null()).spawn().expect("it starts");
    let deadline = Instant::now() + Duration::from_secs(60);
    while room.games().len() < 3 && Instant::now() < deadline {
        sleep(Duration::from_millis(20));
    }
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    let games = room.games();
    assert!((3..16).contains(&games.len()), "{games:?}");
    // A kill in the middle of a write.
    fs::write(room.0.join("state.jsonl"), room.read("state.jsonl") + "{\"row\":\"null_").expect("a file");
    room.run(&[&arguments[..], &["--resume"]].concat());
    assert!(games.is_subset(&room.games()));
    assert_eq!(room.games().len(), 16);
}

#[test]
fn the_ladder_rates_neighbours_and_says_what_is_missing() {
    let room = Room::empty("study-ladder");
    let rungs = ["ladder", "--only", "800,850,900,1150,2000,2300", "--anchor", "850=1000", "--games", "4"];
    let files = ["--state", "state.jsonl", "--markdown", "table.md", "--reach", "1"];
    room.run(&[&rungs[..], &files].concat());
    let rows: HashSet<String> = room.games().into_iter().map(|(row, _)| row).collect();
    assert_eq!(rows, HashSet::from(["850-800".to_owned(), "900-850".to_owned()]));
    let table = room.read("table.md");
    assert!(table.contains("| 850 | one ply, material | 850 | 1000 ± 0 |") && table.contains("| 8 |"), "{table}");
    assert!(table.contains("no tablebases were given") && table.contains("no network yet"), "{table}");
    assert!(room.read("chart.svg").contains("what the roadmap claims"));
    let output = room.command(DUMMY, &["ladder", "--only", "800,850"]).output().expect("it runs");
    assert!(String::from_utf8_lossy(&output.stderr).contains("anchor 1400 does not play"), "{output:?}");
}

#[test]
fn tuning_prints_lines_and_writes_them() {
    let room = Room::empty("study-spsa");
    // Whatever the engine's numbers are today.
    let line = |name: &str| {
        let p = engine::params::ALL.iter().find(|p| p.name == name).expect(name);
        format!("{} = {}, {}..={}, step {};\n", p.name, p.default, p.min, p.max, p.step)
    };
    let source = format!("        {}        {}", line("lmr_base"), line("rfp_margin"));
    fs::write(room.0.join("params.rs"), &source).expect("a file");
    let arguments = ["spsa", "--params", "lmr_base,rfp_margin", "--iterations", "3", "--pairs", "1"];
    let files = ["--state", "state.json", "--write", "params.rs"];
    let output = room.run(&[&arguments[..], &files].concat());
    // Level games teach nothing.
    let lines = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(lines, line("rfp_margin") + &line("lmr_base"));
    assert_eq!(room.read("params.rs"), source);
    let state: Value = serde_json::from_str(&room.read("state.json")).expect("a state");
    assert_eq!((&state["done"], &state["games"]), (&3.into(), &6.into()));
    assert!(room.read("chart.svg").contains("lmr_base"));
    let again = room.run(&[&arguments[..], &files, &["--resume"]].concat());
    assert!(String::from_utf8_lossy(&again.stderr).contains("resumed after 3 of 3"));
    assert_eq!(String::from_utf8_lossy(&again.stdout), lines);
    for (params, hint) in [("null_move", "is a switch"), ("no_such", "has no no_such")] {
        let wrong = room.command(DUMMY, &["spsa", "--params", params]).output().expect("it runs");
        assert!(!wrong.status.success() && String::from_utf8_lossy(&wrong.stderr).contains(hint), "{wrong:?}");
    }
}

#[test]
fn regret_finds_the_number_that_spoils_the_moves() {
    let room = Room::empty("study-regret");
    let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/pgn/selfplay.pgn");
    let regret = |more: &[&str]| {
        let mut command = Command::new(LAB);
        let usual = ["regret", "--engine", DUMMY, "--games", games, "--most-games", "4", "--nodes", "100"];
        command.current_dir(&room.0).args(usual).args(["--judge-nodes", "100"]).args(more);
        let output = command.output().expect("the laboratory runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.success(), text(&output.stdout) + &text(&output.stderr))
    };
    // The dummy with a low `lmp_base` plays its worst moves, and nothing else changes them.
    let screen = ["--screen", "lmp_base=1..4", "--screen", "nmp_margin=100..200", "--state", "screen.jsonl"];
    let (is_good, table) = regret(&screen);
    assert!(is_good, "{table}");
    let effects: Vec<&str> = table.lines().filter(|line| line.contains(" instead of ")).collect();
    assert!(effects[0].trim_start().starts_with('-') && effects[0].ends_with("lmp_base 4 instead of 1"), "{table}");
    assert!(effects[1].contains("+0.00000 ± 0.00000"), "{table}");
    // What is in the file is not searched again.
    let before = room.read("screen.jsonl");
    let (_, again) = regret(&[&screen[..], &["--resume"]].concat());
    assert_eq!((room.read("screen.jsonl"), again.contains(effects[0])), (before, true), "{again}");
    let (is_good, refused) = regret(&screen);
    assert!(!is_good && refused.contains("--resume"), "{refused}");
    let (_, tried) = regret(&["--try", "lmp_base=1", "--state", "try.jsonl"]);
    let line = tried.lines().find(|line| line.contains("the values tried")).unwrap_or_default();
    assert!(line.trim_start().starts_with('+') && !line.contains("+0.00000 "), "{tried}");
    for wrong in [&["--try", "no_such=1"][..], &["--try", "lmp_base=999"], &["--screen", "lmp_base=2..2"], &[]] {
        assert!(!regret(wrong).0, "{wrong:?}");
    }
}
