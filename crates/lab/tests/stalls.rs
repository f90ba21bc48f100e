//! Games lost on time while the machine stood still, with stalls that are only told.

mod common;

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use arena::report::Standings;
use arena::runner::{self, Plan};
use arena::stalls::{Stall, StallSource};
use arena::{Book, Format, Openings, Order, Rules, Schedule, Summary, games_file, parse_engines};
use common::Room;
use record::pgn::{Game as PgnGame, whole_games};

const LAB: &str = env!("CARGO_BIN_EXE_stillwater-lab");
const DUMMY: &str = env!("CARGO_BIN_EXE_lab-dummy");
const MS: Duration = Duration::from_millis(1);

/// The cores of a machine that is only told of.
const CORES: [usize; 2] = [0, 1];

/// Tells stalls of a late move, from the moments at which it was asked for and came.
type Tale = fn(Instant, Instant) -> Vec<(usize, Instant, Instant)>;

/// A machine that stands still as it is told, for the first so many late moves.
struct Told {
    tale: Tale,
    times: usize,
    asked: AtomicUsize,
}

impl StallSource for Told {
    fn cores(&self) -> Vec<usize> {
        CORES.to_vec()
    }

    fn stalls(&self, since: Instant, until: Instant) -> Vec<Stall> {
        let told = self.asked.fetch_add(1, Ordering::Relaxed) < self.times;
        let stalls = if told { (self.tale)(since, until) } else { Vec::new() };
        stalls.into_iter().map(|(core, from, to)| Stall { core, from, to }).collect()
    }
}

/// All cores stood still.
fn all(from: Instant, to: Instant) -> Vec<(usize, Instant, Instant)> {
    CORES.map(|core| (core, from, to)).to_vec()
}

/// The dummy's late move takes 700 ms with half a second on the clock, so it is some 200 ms late. This stall explains it.
fn covering(asked: Instant, came: Instant) -> Vec<(usize, Instant, Instant)> {
    all(asked + 300 * MS, came)
}

/// Two games between two dummies, the second of which misbehaves in some way.
fn plan(mode: &str, watch: Option<(Tale, usize)>) -> Plan {
    let engines = [format!("cmd={DUMMY} name=good"), format!("cmd={DUMMY} name=bad arg={mode}")];
    let watch =
        watch.map(|(tale, times)| Arc::new(Told { tale, times, asked: AtomicUsize::new(0) }) as Arc<dyn StallSource>);
    Plan {
        engines: parse_engines(&engines, "tc=0.5").expect("two engines"),
        schedule: Schedule::new(2, Format::RoundRobin, 1).expect("a schedule"),
        openings: Openings::new(Book::own(), Order::Random, 1, 1),
        rules: Rules { draw: None, resign: None, max_moves: Some(10) },
        tables: None,
        chess960: false,
        patience: Duration::from_secs(60),
        ponder: false,
        concurrency: 1,
        cores: None,
        recover: true,
        watch,
    }
}

/// Plays the games that are not in the file yet.
fn play(plan: &Plan, path: &Path, resume: bool) -> Standings {
    let names = plan.engines.iter().map(|engine| engine.name.clone()).collect();
    let mut standings = Standings::new(names, plan.schedule.meetings());
    let (mut file, done) = games_file::open(path, resume, "a test", plan, &mut standings).expect("a file of games");
    runner::run(plan, &done, &Arc::new(AtomicBool::new(false)), |pairing, game| {
        file.write(plan, &pairing, &game)?;
        standings.add(&Summary::of_game(pairing, &game));
        Ok(true)
    })
    .expect("a match");
    standings
}

fn games(path: &Path) -> Vec<PgnGame> {
    whole_games(&fs::read_to_string(path).expect("games"))
}

fn terminations(games: &[PgnGame]) -> Vec<&str> {
    games.iter().filter_map(|game| game.tag("Termination")).collect()
}

/// What stands behind the last move.
fn last_words(game: &PgnGame) -> String {
    game.moves().last().map(|mv| mv.comment()).unwrap_or_default()
}

#[test]
fn without_a_stall_a_late_engine_loses() {
    for (name, watch) in [("unwatched", None), ("still", Some((covering as Tale, 0)))] {
        let room = Room::empty(&format!("stalls-{name}"));
        let path = room.0.join("games.pgn");
        let standings = play(&plan("late", watch), &path, false);
        assert_eq!((standings.played, standings.void, standings.total(1).time_losses), (2, 0, 2), "{name}");
        assert_eq!(terminations(&games(&path)), ["time forfeit"; 2]);
        assert!(!last_words(&games(&path)[0]).contains("stood still"));
    }
}

#[test]
fn a_game_lost_by_a_stall_is_void_and_played_again() {
    let room = Room::empty("stalls-void");
    let path = room.0.join("games.pgn");
    // Late once in its life.
    let standings = play(&plan("late-always", Some((covering, 1))), &path, false);
    assert_eq!((standings.played, standings.void, standings.faults()), (2, 1, 0));
    let games = games(&path);
    assert_eq!(terminations(&games), ["void", "adjudication", "adjudication"], "the void game stays on record");
    assert_eq!((games[0].result, games[0].tag("Result")), (None, Some("*")));
    let words = last_words(&games[0]);
    assert!(words.contains("void: Black is") && words.contains("the machine stood still for "), "{words}");
    for tag in ["Round", "White", "Black", "FEN"] {
        assert_eq!(games[0].tag(tag), games[1].tag(tag), "the same game again");
    }
    let [void, again] = [&games[0], &games[1]].map(|game| game.replay(usize::MAX).expect("legal moves").1);
    assert_eq!(void, again[..void.len()]);
}

#[test]
fn a_stall_that_does_not_explain_it_is_no_excuse() {
    let tales: [(&str, Tale, &str); 4] = [
        ("too short", |_, came| all(came - 100 * MS, came), "; the machine stood still for 100.0 ms"),
        ("at another moment", |asked, _| all(asked - 900 * MS, asked - 300 * MS), ""),
        // Long enough, but the engine had 400 ms to see the clock.
        ("too early", |asked, _| all(asked, asked + 300 * MS), "; the machine stood still for 300.0 ms"),
        ("one core", |asked, came| vec![(1, asked + 300 * MS, came)], "; a core stood still for "),
    ];
    for (name, tale, remark) in tales {
        let room = Room::empty(&format!("stalls-{}", name.replace(' ', "-")));
        let path = room.0.join("games.pgn");
        let standings = play(&plan("late-always", Some((tale, 9))), &path, false);
        assert_eq!((standings.played, standings.void, standings.total(1).time_losses), (2, 0, 1), "{name}");
        let words = last_words(&games(&path)[0]);
        assert!(words.contains("Black loses on time") && words.contains(remark), "{name}: {words}");
        assert!(!remark.is_empty() || !words.contains("stood still"), "{name}: {words}");
    }
}

#[test]
fn a_game_is_not_void_for_ever() {
    let room = Room::empty("stalls-for-ever");
    let path = room.0.join("games.pgn");
    let standings = play(&plan("late", Some((covering, 99))), &path, false);
    assert_eq!((standings.played, standings.void, standings.total(1).time_losses), (2, 6, 2));
    let games = games(&path);
    assert_eq!(terminations(&games), ["void", "void", "void", "time forfeit"].repeat(2));
    assert!(last_words(&games[3]).contains("the machine stood still"), "what was seen is told all the same");
}

#[test]
fn a_match_that_ended_with_a_void_game_is_resumed() {
    let room = Room::empty("stalls-resumed");
    let path = room.0.join("games.pgn");
    let whole = play(&plan("late-always", Some((covering, 1))), &path, false);
    assert_eq!((whole.played, whole.void), (2, 1));
    // As if it had been killed after the void game was written and before it was played again.
    let text = fs::read_to_string(&path).expect("games");
    let (second, _) = text.match_indices("[Event ").nth(1).expect("a second game");
    fs::write(&path, &text[..second]).expect("a shorter file");
    assert_eq!(terminations(&games(&path)), ["void"]);
    let after = play(&plan("", None), &path, true);
    assert_eq!((after.played, after.void, after.faults()), (2, 1, 0), "the void game is remembered and does not count");
    let rounds: Vec<_> = games(&path).iter().map(|game| game.tag("Round").map(str::to_owned)).collect();
    assert_eq!(rounds, ["1", "1", "2"].map(|round| Some(round.to_owned())));
    let done = play(&plan("", None), &path, true);
    assert_eq!((done.played, done.void, games(&path).len()), (2, 1, 3), "nothing is left to play");
}

#[test]
#[cfg(target_os = "linux")]
fn the_option_watches_the_machine_it_runs_on() {
    let room = Room::empty("stalls-option");
    let [path, result] = ["games.pgn", "result.json"].map(|name| room.0.join(name));
    let mut command = Command::new(LAB);
    command.args(["match", "--games", "2", "--each", "tc=0.5", "--watch-stalls"]);
    command.args([
        "--engine",
        &format!("cmd={DUMMY} name=good"),
        "--engine",
        &format!("cmd={DUMMY} name=bad arg=late"),
    ]);
    let output = command.arg("--pgn").arg(&path).arg("--json").arg(&result).output().expect("the laboratory runs");
    let table = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success() && table.contains("\nvoid games: ") && table.contains("\nstalls of 5 ms"),
        "{output:?}"
    );
    // The dummy sleeps of its own will, whatever the machine does.
    let losses: HashSet<_> =
        games(&path).iter().filter_map(|game| game.tag("Termination").map(str::to_owned)).collect();
    assert!(losses.contains("time forfeit"), "{losses:?}");
    let result: serde_json::Value = serde_json::from_str(&fs::read_to_string(result).expect("a result")).expect("JSON");
    assert!(result["void"].is_u64() && result["machine_stalls"]["cores"].is_u64(), "{result}");
}
