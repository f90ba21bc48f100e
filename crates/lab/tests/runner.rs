//! The runner against engines that behave and engines that do not, as real processes.

mod common;

use std::fs;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use common::Room;
use record::GameResult;
use record::pgn::TextMove;
use record::pgn::{Game as PgnGame, whole_games};
use serde_json::Value;

const LAB: &str = env!("CARGO_BIN_EXE_stillwater-lab");
const DUMMY: &str = env!("CARGO_BIN_EXE_lab-dummy");

/// Positions to start from, so that games differ.
const BOOK: &str = "rnbqk2r/ppp1ppbp/3p1np1/8/2PPP3/2N5/PP3PPP/R1BQKBNR w KQkq - 0 5
r1bqkbnr/pppp1ppp/2n5/8/3NP3/8/PPP2PPP/RNBQKB1R b KQkq - 0 4
rnbqkb1r/pp2pppp/3p1n2/8/3NP3/8/PPP2PPP/RNBQKB1R w KQkq - 1 5
r3k2r/pppqbppp/2np1n2/4p1B1/2B1P1b1/2NP1N2/PPPQ1PPP/R3K2R w KQkq - 6 8
4k3/pppppppp/8/8/8/8/PPPPPPPP/RNBQK3 b Q - 0 1
";

impl Room {
    fn new(name: &str) -> Room {
        let room = Room::empty(&format!("runner-{name}"));
        fs::write(room.0.join("book.epd"), BOOK).expect("a book");
        room
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_string_lossy().into_owned()
    }

    fn games(&self) -> Vec<PgnGame> {
        whole_games(&fs::read_to_string(self.0.join("games.pgn")).unwrap_or_default())
    }

    fn result(&self) -> Value {
        serde_json::from_str(&fs::read_to_string(self.0.join("result.json")).expect("a result")).expect("JSON")
    }

    /// The command for a match between two dummies, the second of which misbehaves in some way.
    fn command(&self, subcommand: &str, mode: &str, more: &[&str]) -> Command {
        let mut command = Command::new(LAB);
        command.arg(subcommand);
        command.args(["--engine", &format!("cmd={DUMMY} name=good")]);
        command.args(["--engine", &format!("cmd={DUMMY} name=bad arg={mode}")]);
        command.args(["--openings", &self.path("book.epd"), "--pgn", &self.path("games.pgn")]);
        command.args(["--json", &self.path("result.json")]).args(more);
        command
    }

    fn run(&self, subcommand: &str, mode: &str, more: &[&str]) -> Output {
        let output = self.command(subcommand, mode, more).output().expect("the laboratory runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        output
    }
}

/// What one engine's row of the result says.
fn of_engine(result: &Value, name: &str, key: &str) -> u64 {
    let engines = result["engines"].as_array().expect("a list of engines");
    let engine = engines.iter().find(|engine| engine["name"] == name).expect("the engine");
    engine[key].as_u64().expect("a number")
}

#[test]
fn good_engines_play_whole_games_in_pairs() {
    let room = Room::new("good");
    let output = room.run("match", "", &["--each", "tc=5+0.1 option.Hash=2", "--games", "10", "--concurrency", "2"]);
    let games = room.games();
    assert_eq!(games.len(), 10);
    let mut starts: Vec<_> = games.iter().map(|game| game.tag("FEN").expect("a start").to_owned()).collect();
    starts.sort();
    assert!(starts.chunks(2).all(|pair| pair[0] == pair[1]), "each opening twice");
    assert_eq!(starts.iter().collect::<std::collections::HashSet<_>>().len(), 5);
    for game in &games {
        assert_eq!(game.tag("Termination"), Some("normal"));
        assert_eq!(game.tag("TimeControl"), Some("5+0.1"));
        let (start, moves) = game.replay(usize::MAX).expect("legal moves");
        let position = chess::Position::new(start).along(&moves);
        let outcome = position.outcome().expect("played to the end");
        let points = outcome.winner().map_or(1, |winner| if winner == chess::Color::White { 2 } else { 0 });
        assert_eq!(game.result.map(GameResult::white_half_points), Some(points));
        assert!(
            game.moves().iter().map(TextMove::comment).all(|text| text.starts_with('+') && text.contains("/3 0.0")),
            "{game:?}"
        );
    }
    let result = room.result();
    assert_eq!(result["games"], 10);
    // Both play the same moves in the same positions, so every pair is level.
    assert_eq!(result["duels"][0]["pentanomial"], serde_json::json!([0, 0, 5, 0, 0]));
    // The dummy answers at once: nearly all of its time is what the runner and the pipes cost.
    let overhead = result["engines"][0]["milliseconds_per_move"].as_f64().expect("a number");
    assert!(overhead > 0.0 && overhead < 2.0, "{overhead} ms a move");
    let table = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(table.contains("good against bad: 10 games") && table.contains("Ptnml(0-2) [0, 0, 5, 0, 0]"), "{table}");
}

#[test]
fn faults_lose_and_are_survived() {
    for (mode, termination, key, limit) in [
        ("crash", "abandoned", "crashes", "depth=1"),
        ("illegal", "illegal move", "illegal_moves", "depth=1"),
        ("late", "time forfeit", "time_losses", "tc=0.5"),
    ] {
        let room = Room::new(mode);
        let output = room.run("match", mode, &["--each", limit, "--games", "4", "--concurrency", "2"]);
        assert_eq!(room.games().len(), 4, "{mode}");
        assert!(room.games().iter().all(|game| game.tag("Termination") == Some(termination)), "{mode}");
        let result = room.result();
        assert_eq!(of_engine(&result, "bad", key), 4, "{mode}");
        assert_eq!(of_engine(&result, "good", "wins"), 4, "{mode}");
        let report = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(mode != "crash" || report.contains("the dummy falls over"), "its last words are told: {report}");
    }
}

#[test]
fn a_stalled_engine_is_replaced() {
    let room = Room::new("stall");
    let begin = Instant::now();
    room.run("match", "stall", &["--each", "tc=0.5", "--games", "2", "--concurrency", "2"]);
    assert!(begin.elapsed() < Duration::from_secs(30));
    assert_eq!(of_engine(&room.result(), "bad", "stalls"), 2);
}

#[test]
fn without_recovery_a_crash_ends_the_match() {
    let room = Room::new("no-recovery");
    let output = room
        .command("match", "crash", &["--each", "depth=1", "--games", "10", "--recover", "false"])
        .output()
        .expect("the laboratory runs");
    assert!(!output.status.success());
    assert_eq!(room.games().len(), 1, "the game itself is kept");
}

#[test]
fn a_flood_of_output_does_no_harm() {
    let room = Room::new("flood");
    room.run("match", "flood", &["--each", "tc=10+1", "--games", "2", "--max-moves", "30"]);
    assert_eq!((room.games().len(), of_engine(&room.result(), "bad", "time_losses")), (2, 0));
}

#[test]
fn engines_think_in_the_opponents_time() {
    let room = Room::new("ponder");
    let output = room.run("match", "good", &["--games", "2", "--each", "tc=2+0.05", "--ponder"]);
    assert!(output.status.success(), "{output:?}");
    let games = room.games();
    assert_eq!(games.len(), 2);
    let is_clean = |game: &PgnGame| {
        !matches!(game.tag("Termination"), Some("abandoned" | "stall" | "time forfeit" | "illegal move"))
    };
    assert!(games.iter().all(is_clean), "{}", fs::read_to_string(room.path("games.pgn")).unwrap_or_default());
}

#[test]
fn chess960_is_played() {
    let room = Room::new("960");
    let mut command = Command::new(LAB);
    command.arg("match").args(["--variant", "fischerandom", "--rounds", "6", "--each", "depth=1"]);
    command.args(["--engine", &format!("cmd={DUMMY} name=A"), "--engine", &format!("cmd={DUMMY} name=B")]);
    command.args(["--engine", &format!("cmd={DUMMY} name=C"), "--pgn", &room.path("games.pgn")]);
    assert!(command.status().expect("the laboratory runs").success());
    let games = room.games();
    assert_eq!(games.len(), 36, "six rounds of three pairs");
    assert!(games.iter().all(|game| game.tag("Variant") == Some("Chess960") && game.replay(999).is_ok()));
}

/// Tells a process to end, as `kill` does.
fn signal(name: &str, process: u32) {
    let status = Command::new("kill").args([format!("-{name}"), process.to_string()]).status();
    assert!(status.expect("kill runs").success());
}

/// Waits until so many games are written.
fn wait_for_games(room: &Room, count: usize) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while room.games().len() < count {
        assert!(Instant::now() < deadline, "the match does not get on");
        sleep(Duration::from_millis(20));
    }
}

/// Number, players and result of each game, in order.
fn essence(room: &Room) -> Vec<(usize, String)> {
    let mut all: Vec<_> = room
        .games()
        .iter()
        .map(|game| {
            let number = game.tag("Round").and_then(|round| round.parse().ok()).expect("a number");
            let moves = game.moves().iter().map(|mv| mv.san.as_str()).collect::<Vec<_>>().join(" ");
            (number, format!("{:?} {:?} {moves} {:?}", game.tag("White"), game.tag("FEN"), game.result))
        })
        .collect();
    all.sort();
    all
}

#[test]
fn a_killed_match_is_resumed_as_if_nothing_had_happened() {
    let arguments = ["--each", "depth=1", "--games", "10", "--concurrency", "2", "--seed", "5", "--max-moves", "60"];
    let undisturbed = Room::new("undisturbed");
    undisturbed.run("match", "", &arguments);
    let room = Room::new("killed");
    for kills in 1..=2 {
        let resume = if kills == 1 { &[][..] } else { &["--resume"][..] };
        let mut command = room.command("match", "slow", &arguments);
        let mut child = command.args(resume).stderr(Stdio::null()).spawn().expect("the laboratory runs");
        wait_for_games(&room, 3 * kills);
        signal("KILL", child.id());
        child.wait().expect("it is dead");
        let survivors = room.games().len();
        assert!((3 * kills..10).contains(&survivors), "{survivors}");
        // As if the kill had come in the middle of a write, even in the middle of a letter.
        let mut text = fs::read(room.path("games.pgn")).expect("games");
        text.extend_from_slice(b"[Event \"half a game\"]\n[White \"good\"]\n\n1. e4 {+0.3");
        text.push(0xc3);
        fs::write(room.path("games.pgn"), text).expect("write");
    }
    let output = room.run("match", "", &[&arguments[..], &["--resume"]].concat());
    assert!(String::from_utf8_lossy(&output.stderr).contains("resumed after"));
    assert_eq!(essence(&room), essence(&undisturbed));
    let [result, expected] = [room.result(), undisturbed.result()];
    assert_eq!(result["duels"], expected["duels"]);
    assert_eq!(result["games"], 10);
    // Every move is counted, those of the games before the kills from their comments.
    assert_eq!(of_engine(&result, "good", "moves"), of_engine(&expected, "good", "moves"));
}

#[test]
fn a_match_is_not_mixed_with_another() {
    let room = Room::new("mixed");
    room.run("match", "", &["--each", "depth=1", "--games", "2"]);
    let again = room.command("match", "", &["--each", "depth=1", "--games", "2"]).output().expect("it runs");
    assert!(!again.status.success() && String::from_utf8_lossy(&again.stderr).contains("--resume"));
    let other_seed = ["--each", "depth=1", "--games", "2", "--resume", "--seed", "8"];
    let other = room.command("match", "", &other_seed).output().expect("it runs");
    assert!(!other.status.success() && String::from_utf8_lossy(&other.stderr).contains("not of this match"));
    assert_eq!(room.games().len(), 2, "nothing is lost");
    let more = ["--each", "depth=1", "--games", "4", "--resume"];
    room.run("match", "", &more);
    assert_eq!(room.games().len(), 4, "but a match may grow");
}

#[test]
fn an_interrupted_match_still_shows_its_table() {
    let room = Room::new("interrupted");
    let mut command = room.command("match", "slow", &["--each", "depth=1", "--games", "1000", "--concurrency", "2"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the laboratory runs");
    wait_for_games(&room, 2);
    signal("INT", child.id());
    let begin = Instant::now();
    let output = child.wait_with_output().expect("it ends");
    assert!(begin.elapsed() < Duration::from_secs(5), "at once");
    assert!(String::from_utf8_lossy(&output.stdout).contains("good against bad"));
    assert!(String::from_utf8_lossy(&output.stderr).contains("interrupted after"));
    assert_eq!(room.result()["games"].as_u64(), Some(room.games().len() as u64));
}

#[test]
fn tests_accept_and_reject() {
    for (mode, verdict) in [("crash", "accepted"), ("", "rejected")] {
        let room = Room::new(&format!("sprt-{verdict}"));
        let bounds = ["--elo0", "0", "--elo1", "200", "--model", "normalized"];
        let more = [&["--each", "depth=1", "--max-moves", "40", "--games", "400"][..], &bounds].concat();
        let output = room.run("sprt", mode, &more);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(text.contains(verdict) && text.contains("LLR"), "{text}");
        assert_eq!(room.result()["sprt"]["verdict"], verdict);
        assert!(room.games().len() < 400, "it stops when it knows");
    }
}

#[test]
fn ratings_from_the_games_of_a_match() {
    let room = Room::new("rate");
    room.run("match", "crash", &["--each", "depth=1", "--games", "6"]);
    let output = Command::new(LAB)
        .args(["rate", "--anchor", "bad=1000", &room.path("games.pgn"), "--json", &room.path("ratings.json")])
        .output()
        .expect("the laboratory runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let first_row = text.lines().nth(1).unwrap_or_default();
    assert!(first_row.starts_with("good") && text.contains("1000"), "{text}");
}

#[test]
fn habits_of_other_runners_are_understood() {
    let room = Room::new("habits");
    fs::create_dir_all(room.0.join("b")).expect("a directory");
    let other = room.path("b/other");
    fs::copy(DUMMY, &other).expect("a copy");
    let arguments = format!(
        "# a path alone is an engine\n--engine {DUMMY}\n--engine {other} --repeat --preset nodes25k --max-moves 20 --concurrency 1 --affinity 1\n"
    );
    fs::write(room.0.join("arguments"), arguments).expect("a file");
    let mut command = Command::new(LAB);
    command.current_dir(&room.0).args(["match", "@arguments", "--games", "8", "--pgn", "games.pgn"]);
    let output = command.output().expect("the laboratory runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("lab-dummy against other: 8 games") && text.contains("LOS"), "{output:?}");
    let games = room.games();
    assert!(games.iter().all(|game| game.tag("TimeControl") == Some("nodes 25000")));
    let starts: std::collections::HashSet<_> = games.iter().map(|game| game.tag("FEN")).collect();
    assert_eq!(starts.len(), 4, "without a book, the laboratory's own openings");
}

#[test]
fn mistakes_are_told_before_the_match() {
    let room = Room::new("mistakes");
    for (arguments, hint) in [
        (
            vec!["match", "--engine", "cmd=/no/such/engine depth=1", "--engine", "cmd=/bin/cat depth=1"],
            "/no/such/engine",
        ),
        (vec!["match", "--engine", "cmd=/bin/true depth=1", "--engine", "cmd=x depth=1"], "the engine is gone"),
        (vec!["match", "--engine", "cmd=x depth=1"], "two engines"),
        (vec!["match", "--engine", "cmd=x", "--engine", "cmd=y depth=1"], "for ever"),
        (vec!["sprt", "--engine", "cmd=x", "--engine", "cmd=y", "--elo0", "5", "--elo1", "0"], "elo0"),
        (vec!["rate", "/no/such/file.pgn"], "/no/such/file.pgn"),
    ] {
        let output = Command::new(LAB).current_dir(&room.0).args(&arguments).output().expect("the laboratory runs");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && text.contains(hint), "{arguments:?}: {text}");
    }
}
