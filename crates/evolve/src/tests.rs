//! Tests the loop with a fake laboratory that can be killed at every command. The `lab` crate tests the real one.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::lineage::{self, Generation, Score};
use crate::recipe::Recipe;
use crate::run::{Laboratory, Loop, Outcome, Tally};
use crate::state::{Stage, State};
use crate::{page, stage};

/// Writes the files that the commands would write. The first candidate wins, the second loses at fixed nodes.
#[derive(Default)]
struct Pretender {
    /// Commands run so far.
    count: usize,
    /// The kill comes before or after this command.
    dies_before: Option<usize>,
    dies_after: Option<usize>,
    interrupted_at: Option<usize>,
    seen: Vec<String>,
}

fn value_of<'a>(command: &'a [String], option: &str) -> &'a str {
    let place = command.iter().position(|word| word == option).unwrap_or_else(|| panic!("no {option} in {command:?}"));
    &command[place + 1]
}

impl Laboratory for Pretender {
    fn run(&mut self, command: &[String]) -> Result<()> {
        let number = self.count;
        self.count += 1;
        if self.dies_before == Some(number) {
            bail!("killed before {}", command[0]);
        }
        self.seen.push(stage::as_line(command));
        match command[0].as_str() {
            "datagen" => fs::write(&command[1], value_of(command, "--positions"))?,
            "train" => {
                let out = PathBuf::from(value_of(command, "--out"));
                fs::create_dir_all(&out)?;
                fs::write(out.join("loss.csv"), "epoch,validation_loss\n1,0.5\n2,0.25\n")?;
                fs::write(out.join("checkpoint.bin"), "half")?;
                fs::write(out.join("net.nnue"), "a network")?;
            }
            "sprt" => {
                let path = value_of(command, "--json");
                let (llr, verdict) = if path.contains("gen-001") { (2.95, "accepted") } else { (-2.95, "rejected") };
                fs::write(path, match_json(llr, verdict))?;
            }
            other => bail!("what is {other}?"),
        }
        if self.dies_after == Some(number) {
            bail!("killed after {}", command[0]);
        }
        Ok(())
    }

    fn count(&mut self, games: &Path) -> Result<Tally> {
        let positions = fs::read_to_string(games)?.parse()?;
        Ok(Tally { games: 10, positions, draws: 3 })
    }

    fn is_interrupted(&self) -> bool {
        self.interrupted_at.is_some_and(|number| self.count > number)
    }
}

fn match_json(llr: f64, verdict: &str) -> String {
    serde_json::json!({
        "duels": [{ "games": 100, "elo": { "value": 12.0, "low": 2.0, "high": 22.0 } }],
        "sprt": { "llr": llr, "verdict": verdict },
    })
    .to_string()
}

struct Room(PathBuf);

impl Room {
    fn new(name: &str) -> Room {
        let path = std::env::temp_dir().join(format!("stillwater-evolve-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a directory");
        Room(path)
    }

    fn wheel(&self) -> Loop {
        Loop {
            directory: self.0.clone(),
            recipe: None,
            engine: PathBuf::from("some engine"),
            network: None,
            generations: Some(2),
            threads: 2,
            seed: 7,
        }
    }

    /// The lineage without what depends on time and place.
    fn lineage(&self) -> Vec<Generation> {
        let strip = |text: &str| text.replace(&self.0.display().to_string(), "DIR").replace(" --resume", "");
        let list = lineage::read(&self.0).expect("a lineage").into_iter();
        list.map(|generation| Generation {
            seconds: [0.0; 4],
            commands: generation.commands.iter().map(|command| strip(command)).collect(),
            ..generation
        })
        .collect()
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn two_generations_from_nothing() {
    let room = Room::new("plain");
    let mut laboratory = Pretender::default();
    assert_eq!(room.wheel().run(&mut laboratory).expect("a run"), Outcome::Done);
    let [first, second] = &room.lineage()[..] else { panic!("two generations") };
    assert!(first.promoted && !second.promoted);
    assert_eq!((first.champion.as_str(), second.champion.as_str()), ("", "gen-001/train/net.nnue"));
    assert_eq!((first.positions, first.draws, &first.loss[..]), (10_000_000, Some(0.3), &[0.5, 0.25][..]));
    assert!(first.clock.is_some() && second.clock.is_none(), "who loses at fixed nodes does not meet the clock");
    // The new champion plays the second generation, which is trained on the games of both.
    let names: Vec<&str> = laboratory.seen.iter().map(|line| line.split(' ').next().unwrap_or("")).collect();
    assert_eq!(names, ["datagen", "train", "sprt", "sprt", "datagen", "train", "sprt"]);
    assert!(laboratory.seen[4].contains("--network") && !laboratory.seen[0].contains("--network"));
    assert!(laboratory.seen[5].contains("gen-001/random.vf") && laboratory.seen[5].contains("gen-002/random.vf"));
    let page = fs::read_to_string(room.0.join("index.html")).expect("a page");
    assert!(page.contains("+12 ± 10 (accepted, 100 games)") && page.matches("<svg").count() == 4, "{page}");
    // A finished loop does nothing more.
    let mut idle = Pretender::default();
    room.wheel().run(&mut idle).expect("a run");
    assert_eq!(idle.count, 0);
}

#[test]
fn a_kill_at_any_command_changes_nothing() {
    let reference = Room::new("reference");
    let mut laboratory = Pretender::default();
    reference.wheel().run(&mut laboratory).expect("a run");
    let expected = reference.lineage();
    for number in 0..laboratory.count {
        for after in [false, true] {
            let room = Room::new(&format!("kill-{number}-{after}"));
            let mut killed = Pretender {
                dies_before: (!after).then_some(number),
                dies_after: after.then_some(number),
                ..Pretender::default()
            };
            room.wheel().run(&mut killed).expect_err("a kill");
            room.wheel().run(&mut Pretender::default()).expect("the rest");
            assert_eq!(room.lineage(), expected, "killed at command {number}, after: {after}");
        }
    }
}

#[test]
fn an_interruption_is_no_error_and_goes_on() {
    let room = Room::new("interrupt");
    let mut laboratory = Pretender { interrupted_at: Some(1), ..Pretender::default() };
    assert_eq!(room.wheel().run(&mut laboratory).expect("a stop"), Outcome::Interrupted);
    assert_eq!(State::read(&room.0).expect("a state").expect("one").stage, Stage::Train);
    room.wheel().run(&mut Pretender::default()).expect("the rest");
    assert_eq!(room.lineage().len(), 2);
}

#[test]
fn half_a_line_of_the_lineage_is_forgotten_and_written_again() {
    let room = Room::new("torn");
    room.wheel().run(&mut Pretender::default()).expect("a run");
    let path = room.0.join("lineage.jsonl");
    let text = fs::read_to_string(&path).expect("a lineage");
    let first_end = text.find('\n').expect("a line") + 1;
    fs::write(&path, &text[..first_end + 20]).expect("torn");
    State { generation: 2, stage: Stage::Judge, champion: "gen-001/train/net.nnue".into(), seconds: [0.0; 4] }
        .write(&room.0)
        .expect("the state before");
    room.wheel().run(&mut Pretender::default()).expect("the rest");
    assert_eq!(room.lineage().len(), 2);
    assert!(fs::read_to_string(&path).expect("a lineage").lines().all(|line| line.ends_with('}')));
}

#[test]
fn one_loop_at_a_time() {
    let room = Room::new("lock");
    let lock = fs::File::create(room.0.join("lock")).expect("a lock");
    lock.lock().expect("ours");
    let error = room.wheel().run(&mut Pretender::default()).expect_err("two loops");
    assert!(error.to_string().contains("another loop"), "{error}");
}

#[test]
fn recipes_say_what_is_wrong_with_them() {
    assert_eq!(Recipe::parse("").expect("the defaults"), Recipe::default());
    let text = Recipe::default().to_text().expect("a text");
    assert_eq!(Recipe::parse(&text).expect("itself"), Recipe::default());
    for (text, word) in [
        ("[play]\nnods = 5", "nods"),
        ("[play]\nnodes = 5000", "hard-nodes"),
        ("[match]\nelo = [5.0, 5.0]", "elo"),
        ("[match]\nelo = [nan, 5.0]", "elo"),
        ("[train]\nepochs = 0", "epoch"),
        ("play = 3", "play"),
    ] {
        let error = format!("{:#}", Recipe::parse(text).expect_err(text));
        assert!(error.contains(word), "{error}");
    }
}

#[test]
fn undecided_matches_go_by_the_odds() {
    let score = |llr, verdict: &str| Score { games: 9, elo: None, error: None, llr, verdict: verdict.into() };
    assert!(score(3.0, "accepted").is_won() && score(0.4, "undecided").is_won());
    assert!(!score(-0.4, "undecided").is_won() && !score(-3.0, "rejected").is_won());
}

#[test]
fn lines_can_be_pasted_into_a_shell() {
    let words = ["sprt", "--draw", "movenumber=40 score=10", "it's"].map(str::to_owned);
    assert_eq!(stage::as_line(&words), r"sprt --draw 'movenumber=40 score=10' 'it'\''s'");
}

#[test]
fn an_empty_page_is_a_page() {
    let text = page::render(&[], &State::new(String::new()));
    assert!(text.contains("No generation is complete yet") && text.ends_with("</html>\n"));
}
