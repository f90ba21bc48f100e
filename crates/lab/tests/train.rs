//! The `train` command from files of games to a network: what it writes, what it refuses, and that a kill loses nothing.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use chess::{Board, Color, PieceKind};
use common::Room;
use data::{Game, GameResult};
use toolkit::Rng;

impl Room {
    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// A file of random games whose scores are the material.
    fn games(&self, count: u32) -> PathBuf {
        let mut rng = Rng::new(1);
        let mut bytes = Vec::new();
        for number in 0..count {
            let (start, mut board) = (Board::start(), Board::start());
            let mut moves = Vec::new();
            for _ in 0..80 {
                let legal = board.legal_moves();
                if legal.is_empty() {
                    break;
                }
                let mv = legal[rng.below(legal.len())];
                moves.push((mv, material(&board)));
                board.play(mv);
            }
            let winner = match material(&board) {
                200.. => Some(Color::White),
                ..=-200 => Some(Color::Black),
                _ => None,
            };
            Game { start, result: GameResult::of_winner(winner), number, moves }.write_into(&mut bytes);
        }
        let path = self.path("games.vf");
        fs::write(&path, bytes).expect("a file");
        path
    }
}

fn material(board: &Board) -> i16 {
    let values = PieceKind::ALL.iter().zip([100, 300, 300, 500, 900, 0]);
    let count = |color, kind| board.pieces(color, kind).len() as i16;
    values.map(|(&kind, value)| value * (count(Color::White, kind) - count(Color::Black, kind))).sum()
}

fn command(games: &Path, out: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stillwater-lab"));
    command.arg("train").arg(games).arg("--out").arg(out).args(["--batch", "512"]).args(more);
    if !more.contains(&"--hidden") {
        command.args(["--hidden", "128"]);
    }
    command
}

fn run(games: &Path, out: &Path, more: &[&str]) -> (bool, String) {
    let Output { status, stdout, stderr } = command(games, out, more).output().expect("the laboratory starts");
    (status.success(), String::from_utf8_lossy(&stdout).into_owned() + &String::from_utf8_lossy(&stderr))
}

#[test]
fn a_network_comes_out() {
    let room = Room::empty("train-whole");
    let (games, out) = (room.games(300), room.path("out"));
    let (success, text) = run(&games, &out, &["--epochs", "6", "--lr", "0.004", "--keep-every", "3"]);
    assert!(success, "{text}");
    assert!(text.contains("300 games with") && text.contains("early in the game: 4800"), "{text}");
    let network = nnue::Network::read(&out.join("net.nnue")).expect("a network");
    assert_eq!(network.hidden(), 128);
    assert!(network.description().contains("hidden=128 head=linear epochs=6 batch=512"), "{}", network.description());
    let start = network.evaluate(&Board::start());
    let queen_up = network.evaluate(&"rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1".parse().expect("a FEN"));
    assert!(start.abs() < 150 && queen_up > start + 200, "{start} {queen_up}");
    assert!(out.join("net-003.nnue").exists() && out.join("net-006.nnue").exists());
    let curve = fs::read_to_string(out.join("loss.csv")).expect("a curve");
    let losses: Vec<f64> = curve.lines().skip(1).filter_map(|line| line.split(',').nth(5)?.parse().ok()).collect();
    assert!(losses.len() == 6 && losses[5] < 0.7 * losses[0], "{curve}");
    assert!(fs::read_to_string(out.join("loss.svg")).expect("a drawing").contains("validation"));
}

#[test]
fn a_network_with_dense_layers_comes_out_and_goes_on() {
    let room = Room::empty("train-dense");
    let (games, out, further) = (room.games(300), room.path("out"), room.path("further"));
    let (success, text) = run(&games, &out, &["--dense", "--epochs", "8", "--lr", "0.004"]);
    assert!(success, "{text}");
    let network = nnue::Network::read(&out.join("net.nnue")).expect("a network");
    assert!(network.dense().is_some() && network.description().contains("head=dense"), "{}", network.description());
    let start = network.evaluate(&Board::start());
    let queen_up = network.evaluate(&"rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1".parse().expect("a FEN"));
    assert!(start.abs() < 200 && queen_up > start + 150, "{start} {queen_up}");
    let trained = out.join("net.nnue");
    let from = trained.to_str().expect("a path");
    let (success, text) = run(&games, &further, &["--dense", "--epochs", "1", "--start-from", from]);
    assert!(success, "{text}");
    let (success, text) = run(&games, &room.path("other"), &["--start-from", from]);
    assert!(!success && text.contains("nor of another kind"), "{text}");
}

#[test]
fn a_forecast_and_a_confidence_are_added_to_a_network() {
    let room = Room::empty("train-guide");
    let games = room.games(200);
    let plain = nnue::Network::random(128, 4).expect("a network");
    let start = room.path("plain.nnue");
    fs::write(&start, plain.to_bytes()).expect("a file");
    let start = start.to_str().expect("a name").to_owned();
    let train = |name: &str, more: &[&str]| {
        let out = room.path(name);
        let (success, text) = run(&games, &out, &[&["--epochs", "1", "--start-from", &start], more].concat());
        (success.then(|| nnue::Network::read(&out.join("net.nnue")).expect("a network")), text)
    };
    let (network, text) = train("forecast", &["--forecast"]);
    let network = network.unwrap_or_else(|| panic!("{text}"));
    assert!(text.contains("first three") && network.forecast().is_some(), "{text}");
    assert!(network.description().ends_with(" positions, epochs=1"), "{}", network.description());
    let same = |network: nnue::Network| network.with_description(plain.description()) == plain;
    assert!(same(network.with_forecast(None)), "the value is as it was");
    let (network, text) = train("confidence", &["--confidence"]);
    let network = network.unwrap_or_else(|| panic!("{text}"));
    assert!(text.contains("below the quantile of 20 %") && network.confidence().is_some(), "{text}");
    assert!(network.description().contains("; confidence on "), "{}", network.description());
    assert!(same(network.with_confidence(None)), "the value is as it was");

    let (network, text) = train("histories", &["--policy"]);
    assert!(network.is_none() && text.contains("games.vf is no file of logged nodes"), "{text}");
    let (network, text) = train("forecast", &["--forecast"]);
    assert!(network.is_none() && text.contains("exists: choose another place"), "{text}");
    let (network, text) = train("both", &["--policy", "--confidence"]);
    assert!(network.is_none() && text.contains("cannot be used with"), "{text}");
}

#[test]
fn a_training_that_gets_no_better_stops() {
    let room = Room::empty("train-patience");
    let (games, out) = (room.games(300), room.path("out"));
    // At such a rate nothing is learned after the first epochs.
    let options = ["--epochs", "60", "--lr", "0.2", "--schedule", "constant", "--patience", "2", "--like", "<none>"];
    let (success, text) = run(&games, &out, &options);
    assert!(success && text.contains("it got no better") && text.contains("min left"), "{text}");
    assert!(out.join("best.nnue").exists());
    let curve = fs::read_to_string(out.join("loss.csv")).expect("a curve");
    assert!(curve.lines().count() < 60, "{curve}");
}

#[test]
fn values_are_scaled_to_those_of_another_network() {
    let room = Room::empty("train-scaled");
    let (games, plain, scaled) = (room.games(200), room.path("plain"), room.path("scaled"));
    let (success, text) = run(&games, &plain, &["--epochs", "2", "--like", "<none>"]);
    assert!(success && text.contains("multiplied by 1.000"), "{text}");
    let model = room.path("model.nnue");
    let network = nnue::Network::read(&plain.join("net.nnue")).expect("a network");
    fs::write(&model, network.scaled(0.5).to_bytes()).expect("written");
    let (success, text) = run(&games, &scaled, &["--epochs", "2", "--like", &model.display().to_string()]);
    let factor = text.split("multiplied by ").nth(1).and_then(|rest| rest.lines().next()?.parse::<f64>().ok());
    assert!(success && factor.is_some_and(|factor| (0.48..=0.52).contains(&factor)), "{text}");
}

#[test]
fn a_killed_training_ends_like_an_undisturbed_one() {
    let room = Room::empty("train-killed");
    let games = room.games(200);
    let (whole, killed) = (room.path("whole"), room.path("killed"));
    let options = ["--epochs", "8", "--checkpoint-every", "0"];
    let (success, text) = run(&games, &whole, &options);
    assert!(success, "{text}");
    let mut child = command(&games, &killed, &options).spawn().expect("the laboratory starts");
    let deadline = Instant::now() + Duration::from_secs(60);
    while !killed.join("checkpoint.bin").exists() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().expect("a process to kill");
    child.wait().expect("its end");
    let (success, text) = run(&games, &killed, &["--epochs", "8", "--checkpoint-every", "0", "--resume"]);
    assert!(success && text.contains("resumed after"), "{text}");
    let read = |directory: &Path, name: &str| fs::read(directory.join(name)).expect("a file");
    for name in ["net.nnue", "checkpoint.bin"] {
        assert!(read(&whole, name) == read(&killed, name), "{name} differs");
    }
    // All but the speed.
    let curve = |directory| {
        let text = String::from_utf8(read(directory, "loss.csv")).expect("text");
        text.lines().map(|line| line.rsplit_once(',').map(|(numbers, _)| numbers.to_owned())).collect::<Vec<_>>()
    };
    assert_eq!(curve(&whole), curve(&killed));
}

#[test]
fn wrong_wishes_are_refused_in_words() {
    let room = Room::empty("train-wrong");
    let (games, out) = (room.games(100), room.path("out"));
    let refused = |more: &[&str], words: &str| {
        let (success, text) = run(&games, &out, more);
        assert!(!success && text.contains(words), "{more:?}: {text}");
    };
    refused(&["--hidden", "100"], "only [128, 256, 384, 512]");
    refused(&["--wdl", "1.5"], "between 0 and 1");
    refused(&["--lr", "-1"], "error");
    refused(&["--threads", "0"], "at least 1");
    refused(&["--validation", "1"], "between 0 and 0.9");
    refused(&["--resume"], "no training to resume");
    refused(&["--min-ply", "1000"], "no position to learn from");
    refused(&["--start-from", "nowhere.nnue"], "nowhere.nnue");
    let (success, text) = run(&room.path("none.vf"), &out, &[]);
    assert!(!success && text.contains("cannot open"), "{text}");
    let (success, text) = run(&games, &out, &["--epochs", "1"]);
    assert!(success, "{text}");
    refused(&["--epochs", "1"], "has a training already");
    refused(&["--epochs", "2", "--resume"], "epochs=1 became epochs=2");
    let mut bytes = fs::read(out.join("checkpoint.bin")).expect("a checkpoint");
    bytes.truncate(1000);
    fs::write(out.join("checkpoint.bin"), bytes).expect("a file");
    refused(&["--epochs", "1", "--resume"], "damaged or cut short");
}
