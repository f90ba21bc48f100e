//! Networks from files: loaded, refused, used, written.

use engine::Network;

use crate::check::check;
use crate::common::{Folder, forecasting_network};
use crate::harness::Engine;

/// Writes a network of random numbers.
fn network(folder: &Folder, name: &str, seed: u64) -> String {
    folder.file(name, Network::random(128, seed).expect("a network").to_bytes())
}

fn eval_file(engine: &mut Engine, value: &str) -> Vec<String> {
    engine.notes(&format!("setoption name EvalFile value {value}"))
}

/// What `eval` says, as one text.
fn eval(engine: &mut Engine) -> String {
    engine.send("eval");
    engine.settle().join("\n")
}

/// An engine that evaluates by hand, whatever it was built with.
fn by_hand() -> Engine {
    let mut engine = Engine::start();
    assert!(eval_file(&mut engine, "<none>").is_empty());
    engine
}

#[test]
fn a_network_is_loaded_explained_and_left_again() {
    let folder = Folder::new("load");
    let path = network(&folder, "my net.nnue", 5);
    let mut engine = by_hand();
    let hand = eval(&mut engine);
    engine.check(!hand.contains("Network:"), "by hand");
    let notes = eval_file(&mut engine, &path);
    engine.check(notes.len() == 1 && notes[0].ends_with("my net.nnue: random numbers, seed 5"), "says what it is");
    let text = eval(&mut engine);
    let value = Network::random(128, 5).expect("a network").evaluate(&chess::Board::start());
    engine.check(text.contains(&format!("Bucket 7 for 32 pieces: {value:+} for White")), "the network's value");
    engine.check(text.contains("128 neurons") && text.ends_with(&hand), "and the terms by hand");
    check("startpos", &engine.search("startpos", "go depth 6"));
    engine.send("setoption name Threads value 2");
    check("startpos", &engine.search("startpos", "go depth 6"));
    assert!(eval_file(&mut engine, "<none>").is_empty());
    assert_eq!(eval(&mut engine), hand);
}

#[test]
fn eval_shows_what_the_network_expects() {
    let folder = Folder::new("forecast");
    let (plain, network) = (network(&folder, "plain.nnue", 5), forecasting_network(5));
    let path = folder.file("forecasting.nnue", network.to_bytes());
    let mut engine = by_hand();
    eval_file(&mut engine, &plain);
    let before = eval(&mut engine);
    eval_file(&mut engine, &path);
    let text = eval(&mut engine);
    let band = engine::eval::forecast(&chess::Board::start(), &network).band.expect("a confidence");
    let (low, high) = (band.low.units(), band.high.units());
    let lines: Vec<&str> = text.lines().filter(|line| !before.lines().any(|old| old == *line)).collect();
    assert_eq!(lines.len(), 2, "and nothing else: {text}");
    assert_eq!(lines[0], format!("Confidence: between {low:+} and {high:+} for White three times out of five"));
    assert!(lines[1].starts_with("Expected moves: e2e4 48 %, g1f3 16 %, ") && lines[1].ends_with(" 2 %"), "{text}");
    for fen in ["R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"] {
        engine.send(&format!("position fen {fen}"));
        let text = eval(&mut engine);
        engine.check(!text.is_empty() && !text.contains("Expected moves"), "nothing is expected after the game");
    }
}

#[test]
fn a_bad_network_is_declined_and_the_old_one_stays() {
    let folder = Folder::new("decline");
    let good = network(&folder, "good.nnue", 6);
    let mut engine = by_hand();
    eval_file(&mut engine, &good);
    let before = eval(&mut engine);
    engine.check(before.contains("seed 6"), "loaded");
    let bytes = std::fs::read(&good).expect("the file");
    let mut damaged = bytes.clone();
    damaged[1000] ^= 1;
    let mut newer = bytes.clone();
    newer[4] = 200;
    let cases: [(&str, &[u8], &str); 6] = [
        ("empty.nnue", b"", "cut short"),
        ("text.nnue", b"this is not a network", "not a network of Stillwater"),
        ("short.nnue", &bytes[..bytes.len() - 100], "cut short"),
        ("long.nnue", &[&bytes[..], b"more"].concat(), "4 bytes follow"),
        ("damaged.nnue", &damaged, "damaged"),
        ("newer.nnue", &newer, "version 200"),
    ];
    for (name, bytes, reason) in cases {
        let notes = eval_file(&mut engine, &folder.file(name, bytes));
        let is_told = notes.len() == 1 && notes[0].contains(name) && notes[0].contains(reason);
        engine.check(is_told && notes[0].ends_with("it stays as it was"), reason);
    }
    for nothing in [folder.path("missing.nnue"), folder.path("")] {
        let notes = eval_file(&mut engine, &nothing);
        engine.check(notes.len() == 1 && notes[0].ends_with("it stays as it was"), "no file");
    }
    assert_eq!(eval(&mut engine), before);
    check("startpos", &engine.search("startpos", "go depth 5"));
}

#[test]
fn a_network_that_was_exported_is_the_same() {
    let folder = Folder::new("export");
    let path = network(&folder, "net.nnue", 7);
    let copy = folder.path("a copy.nnue");
    let mut engine = by_hand();
    let notes = engine.notes(&format!("export_net {copy}"));
    engine.check(notes.len() == 1 && notes[0].contains("there is no network"), "nothing to write");
    engine.check(!std::path::Path::new(&copy).exists(), "nothing was written");
    eval_file(&mut engine, &path);
    let notes = engine.notes(&format!("export_net {copy}"));
    engine.check(notes.len() == 1 && notes[0].ends_with("done"), "written");
    assert_eq!(std::fs::read(&copy).expect("the copy"), std::fs::read(&path).expect("the file"));
    let notes = engine.notes("export_net /nowhere/at/all.nnue");
    engine.check(notes.len() == 1 && !notes[0].ends_with("done"), "says that it cannot");
}

#[test]
fn a_network_thinks_for_itself_and_always_the_same() {
    let folder = Folder::new("same");
    let path = network(&folder, "net.nnue", 8);
    let nodes = |engine: &mut Engine| {
        engine.send("bench 5");
        let lines = engine.until("the sum", |line| line.ends_with(" nps"));
        lines.last().and_then(|line| line.split(' ').next()).unwrap_or("").to_owned()
    };
    let mut engine = by_hand();
    let hand = nodes(&mut engine);
    eval_file(&mut engine, &path);
    let first = nodes(&mut engine);
    engine.search("startpos", "go depth 6");
    assert_eq!(nodes(&mut engine), first);
    assert_ne!(first, hand);
    eval_file(&mut engine, "<none>");
    assert_eq!(nodes(&mut engine), hand);
}

#[test]
fn looking_at_a_network_does_not_disturb_a_search() {
    let folder = Folder::new("look");
    let path = network(&folder, "net.nnue", 9);
    let mut engine = by_hand();
    engine.send(&format!("setoption name EvalFile value {path}"));
    engine.settle();
    engine.send("position startpos\ngo infinite\neval");
    engine.until("the network", |line| line.starts_with("Network: random numbers, seed 9"));
    engine.until("the value", |line| line.starts_with("Value "));
    engine.send("stop");
    engine.until("bestmove", |line| line.starts_with("bestmove"));
}
