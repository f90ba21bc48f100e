//! `evolve` as a process that is killed in every stage: the same command goes on, and the lineage is complete in the end. The
//! engine of the matches is the dummy; games and networks are real.

mod common;

use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::Room;
use serde_json::Value;

const RECIPE: &str = r#"
[play]
positions = 1500
nodes = 30
hard-nodes = 60
extra = ["--opening-limit", "1000"]
[train]
hidden = 128
epochs = 3
extra = ["--batch", "128", "--validation", "0.2", "--min-ply", "0", "--checkpoint-every", "1"]
[match]
nodes = 100
clock = "1+0.1"
rounds = 3
"#;

/// A busy machine may take its time.
const PATIENCE: Duration = Duration::from_secs(600);

impl Room {
    fn new(name: &str) -> Room {
        let room = Room::empty(&format!("evolve-{name}"));
        fs::write(room.0.join("recipe.toml"), RECIPE).expect("a recipe");
        room
    }

    fn command(&self, generations: u32) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_stillwater-lab"));
        command.arg("evolve").arg(&self.0).args(["--engine", env!("CARGO_BIN_EXE_lab-dummy"), "--threads", "2"]);
        command.args(["--generations", &generations.to_string()]).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    fn stage(&self) -> (u64, String) {
        let text = fs::read_to_string(self.0.join("state.json")).unwrap_or_default();
        let state: Value = serde_json::from_str(&text).unwrap_or_default();
        (state["generation"].as_u64().unwrap_or(0), state["stage"].as_str().unwrap_or_default().to_owned())
    }

    fn lineage(&self) -> Vec<Value> {
        let text = fs::read_to_string(self.0.join("lineage.jsonl")).expect("a lineage");
        text.lines().map(|line| serde_json::from_str(line).expect("a generation")).collect()
    }
}

#[test]
fn killed_in_every_stage_it_goes_on() {
    let room = Room::new("kill");
    for stage in ["play", "train", "nodes"] {
        let mut run = room.command(1).spawn().expect("the laboratory runs");
        let begin = Instant::now();
        // The stage may be over before it is seen; then it was not killed in it, but nothing may be lost either way.
        while room.stage() < (1, String::new())
            || (room.stage().1 != stage && run.try_wait().expect("a child").is_none())
        {
            assert!(begin.elapsed() < PATIENCE, "{stage} never comes");
            std::thread::sleep(Duration::from_millis(2));
        }
        std::thread::sleep(Duration::from_millis(40));
        let _ = run.kill();
        let _ = run.wait();
    }
    assert!(room.command(2).status().expect("the laboratory runs").success());
    let lineage = room.lineage();
    let numbers: Vec<u64> = lineage.iter().filter_map(|line| line["generation"].as_u64()).collect();
    assert_eq!(numbers, [1, 2]);
    for line in &lineage {
        assert!(line["positions"].as_u64().is_some_and(|count| count >= 1500), "{line}");
        assert_eq!(line["loss"].as_array().map(Vec::len), Some(3), "{line}");
        assert_eq!(line["nodes"]["games"], 6, "{line}");
        assert!(line["commands"][0].as_str().is_some_and(|command| command.starts_with("datagen ")), "{line}");
    }
    let page = fs::read_to_string(room.0.join("index.html")).expect("a page");
    assert!(page.contains("<svg") && page.contains("Lineage"));
    // Every generation's games say what they are.
    let about = fs::read_to_string(room.0.join("gen-002/random.vf.json")).expect("a description");
    assert!(about.contains("30 to 60"), "{about}");
}

#[test]
fn mistakes_are_named_before_anything_is_played() {
    let room = Room::new("mistakes");
    let run = |room: &Room| {
        let output = room.command(1).stderr(Stdio::piped()).output().expect("the laboratory runs");
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    fs::write(room.0.join("recipe.toml"), "[play]\nnodez = 3").expect("a recipe");
    assert!(run(&room).contains("nodez"));
    fs::write(room.0.join("recipe.toml"), RECIPE.replace("--opening-limit", "--opening-limits")).expect("a recipe");
    assert!(run(&room).contains("--opening-limits"));
    assert!(!room.0.join("gen-001/random.vf").exists());
}
