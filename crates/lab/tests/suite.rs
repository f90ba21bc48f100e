//! Suites put to the real engine, and to engines that do not behave, as real processes.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use std::time::{Duration, Instant, SystemTime};

use common::Room;
use serde_json::Value;

const LAB: &str = env!("CARGO_BIN_EXE_stillwater-lab");
const DUMMY: &str = env!("CARGO_BIN_EXE_lab-dummy");

/// Positions that any engine worth the name solves at once, one of each kind, and one that has no answer.
const EASY: &str = "# a suite for tests
7k/5ppp/8/8/8/8/8/3R2K1 w - - bm Rd8#; dm 1; id \"back rank\";
4k3/8/8/3q4/8/8/8/3RK3 w - - bm Rxd5; id \"queen\";
4k3/8/8/3q4/8/8/8/3RK3 w - - am Rd4 Rd2; id \"not these\";
4k3/8/8/3q4/8/8/8/3RK3 w - - c0 \"Rxd5=10, Rd4=3\"; id \"points\";
4k3/8/8/3q4/8/8/8/3RK3 w - - bm Rh8; id \"broken\";
4k3/8/8/3q4/8/8/8/3RK3 w - - bm Rd2; id \"wrong\";
k7/8/2K5/8/8/8/8/1Q6 w - - dm 2; id \"longer than needed\";
";

/// The real engine. It belongs to another package, so the test cannot ask Cargo for its place: it is built here, unless a build of the
/// whole workspace has just done so.
fn engine() -> &'static Path {
    static ENGINE: OnceLock<PathBuf> = OnceLock::new();
    ENGINE.get_or_init(|| {
        let folder = Path::new(LAB).parent().expect("a folder");
        let (engine, crates) = (folder.join("stillwater"), Path::new(env!("CARGO_MANIFEST_DIR")).join(".."));
        let built = fs::metadata(&engine).and_then(|data| data.modified());
        if !built.is_ok_and(|built| newest(&crates) < built) {
            let release = folder.file_name().is_some_and(|name| name == "release");
            let profile = if release { "release" } else { "dev" };
            let status = Command::new(env!("CARGO"))
                .args(["build", "--quiet", "-p", "stillwater", "--profile", profile, "--manifest-path"])
                .arg(crates.join("../Cargo.toml"))
                .arg("--target-dir")
                .arg(folder.parent().expect("the target directory"))
                .status();
            assert!(status.expect("Cargo runs").success());
        }
        engine
    })
}

/// When the newest file in a folder was written.
fn newest(folder: &Path) -> SystemTime {
    let entries = fs::read_dir(folder).expect("a folder").flatten();
    let times = entries.map(|entry| match entry.file_type().is_ok_and(|kind| kind.is_dir()) {
        true => newest(&entry.path()),
        false => entry.metadata().and_then(|data| data.modified()).expect("a time"),
    });
    times.max().unwrap_or(SystemTime::UNIX_EPOCH)
}

impl Room {
    fn new(name: &str) -> Room {
        let room = Room::empty(&format!("suite-{name}"));
        fs::write(room.0.join("easy.epd"), EASY).expect("a suite");
        room
    }

    fn run(&self, engine: &str, more: &[&str]) -> Output {
        let mut command = Command::new(LAB);
        command.arg("suite").arg(self.0.join("easy.epd")).args(["--engine", engine]).args(more);
        command.arg("--json").arg(self.0.join("result.json")).output().expect("the laboratory runs")
    }

    fn result(&self) -> Value {
        serde_json::from_str(&fs::read_to_string(self.0.join("result.json")).expect("a result")).expect("JSON")
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn the_real_engine_solves_what_can_be_solved() {
    let limits = ["nodes=5000", "depth=8", "time=0.1"];
    let results = limits.map(|limit| {
        let room = Room::new(&limit.replace('=', "-"));
        let engine = format!("cmd={} name=real option.Threads=1 option.Hash=1", engine().display());
        let output = room.run(&engine, &["--each", limit, "--concurrency", "2"]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert!(text(&output.stderr).contains("line 6 is left out"), "{}", text(&output.stderr));
        let table = text(&output.stdout);
        assert!(table.contains("not solved (1):\n  wrong\n"), "{table}");
        let result = room.result()["results"][0].clone();
        assert_eq!((&result["positions"], &result["solved"]), (&6.into(), &5.into()), "{limit}: {result:#}");
        assert_eq!(result["unsolved"], serde_json::json!(["wrong"]));
        assert_eq!((&result["points"], &result["most_points"]), (&10.into(), &10.into()));
        // The mate in two is a mate in one.
        let mates = ["mates", "shorter_mates", "longer_mates"].map(|key| result[key].as_u64());
        assert_eq!(mates, [Some(1), Some(1), Some(0)]);
        assert_eq!(result["broken_lines"][0]["line"], 6);
        for problem in result["problems"].as_array().expect("problems") {
            let [nodes, all] = ["nodes_to_solution", "nodes"].map(|key| problem[key].as_u64());
            assert_eq!(problem["id"] == "wrong", nodes.is_none(), "{problem}");
            assert!(nodes.is_none_or(|nodes| Some(nodes) <= all), "{problem}");
            assert!(problem["seconds_to_solution"].as_f64() <= problem["seconds"].as_f64(), "{problem}");
        }
        result
    });
    let nodes = |result: &Value| -> Vec<Option<u64>> {
        let problems = result["problems"].as_array().expect("problems");
        problems.iter().map(|problem| problem["nodes"].as_u64()).collect()
    };
    assert_ne!(nodes(&results[0]), nodes(&results[1]), "limits are obeyed");
}

#[test]
fn each_position_is_met_fresh() {
    let room = Room::new("fresh");
    // The same position four times: an engine that remembered would need fewer nodes from the second time on.
    let line = "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - bm Bg5;\n";
    fs::write(room.0.join("easy.epd"), line.repeat(4)).expect("a suite");
    let output = room.run(&format!("cmd={} option.Threads=1 depth=8", engine().display()), &[]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let result = room.result();
    let problems = result["results"][0]["problems"].as_array().expect("problems");
    let nodes: Vec<u64> = problems.iter().map(|problem| problem["nodes"].as_u64().expect("nodes")).collect();
    assert!(nodes.len() == 4 && nodes[0] > 100 && nodes.iter().all(|&count| count == nodes[0]), "{nodes:?}");
}

#[test]
fn failing_engines_are_survived() {
    let begin = Instant::now();
    // The dummy misbehaves at its fifth search. It counts them anew after each `ucinewgame`, so it is told not to.
    for (mode, words) in
        [("crash", "the dummy falls over"), ("stall", "does not answer"), ("illegal", "the move a1a1 is not legal")]
    {
        let room = Room::new(mode);
        let line = "4k3/8/8/3q4/8/8/8/3RK3 w - - am Rd4;\n";
        fs::write(room.0.join("easy.epd"), line.repeat(12)).expect("a suite");
        let output = room.run(&format!("cmd={DUMMY} arg={mode}-always depth=1"), &["--patience", "1"]);
        assert!(output.status.success(), "{mode}: {}", text(&output.stderr));
        let result = room.result()["results"][0].clone();
        assert_eq!((&result["answered"], &result["faults"]), (&12.into(), &2.into()), "{mode}: {result:#}");
        assert_eq!(result["problems"][4]["solved"], false, "{mode}");
        assert!(
            result["problems"][4]["fault"].as_str().is_some_and(|fault| fault.contains(words)),
            "{mode}: {result:#}"
        );
        assert!(text(&output.stdout).contains(words), "{mode}: {}", text(&output.stdout));
    }
    assert!(begin.elapsed() < Duration::from_secs(60));
}

#[test]
fn mistakes_are_told_at_once() {
    let room = Room::new("mistakes");
    for (engine, hint) in [
        ("cmd=/no/such/engine depth=1".to_owned(), "/no/such/engine"),
        (format!("cmd={DUMMY} tc=1+1"), "has a clock"),
        (format!("cmd={DUMMY}"), "for ever"),
    ] {
        let output = room.run(&engine, &[]);
        assert!(!output.status.success() && text(&output.stderr).contains(hint), "{}", text(&output.stderr));
    }
    for (content, hint) in [("", "no positions"), ("nonsense\n", "no line can be read; line 1")] {
        fs::write(room.0.join("easy.epd"), content).expect("a suite");
        let output = room.run(&format!("cmd={DUMMY} depth=1"), &[]);
        assert!(!output.status.success() && text(&output.stderr).contains(hint), "{}", text(&output.stderr));
    }
}
