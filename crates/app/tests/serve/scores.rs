//! Every command shows the same score for the same position and the same nodes, in the same unit.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::harness::Server;

/// What the server spends on a position when it judges a game.
const NODES: &str = "120000";

/// A position, a move that cannot be taken back in it, and the position that comes of it, with Black to move. One has much material
/// and one little, as the unit depends on it.
const POSITIONS: [(&str, &str, &str); 2] = [
    (
        "r1bqkbnr/pp1ppppp/2n5/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
        "d4",
        "r1bqkbnr/pp1ppppp/2n5/2p5/3PP3/5N2/PPP2PPP/RNBQKB1R b KQkq - 0 3",
    ),
    ("8/5pk1/4p1p1/7p/3R3P/5PP1/r7/6K1 w - - 0 40", "f4", "8/5pk1/4p1p1/7p/3R1P1P/6P1/r7/6K1 b - - 0 40"),
];

/// Runs the program to its end and returns what it says.
fn stillwater(arguments: &[&str], input: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_stillwater"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{arguments:?}");
    String::from_utf8(output.stdout).expect("text")
}

/// The text between two others.
#[track_caller]
fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    let rest = text.split_once(before).unwrap_or_else(|| panic!("no {before:?} in:\n{text}")).1;
    rest.split_once(after).unwrap_or_else(|| panic!("no {after:?} in:\n{rest}")).0
}

/// White's centipawns from a text in pawns.
fn in_centipawns(pawns: &str) -> i64 {
    (pawns.parse::<f64>().expect(pawns) * 100.0).round() as i64
}

/// The score and the depth that UCI tells last, for White.
fn by_uci(fen: &str) -> (i64, i64) {
    // The end of the input ends a search, so it has to wait for the answer.
    let mut child = Command::new(env!("CARGO_BIN_EXE_stillwater"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let mut input = child.stdin.take().expect("a pipe");
    writeln!(input, "position fen {fen}\ngo nodes {NODES}").expect("it reads");
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(child.stdout.take().expect("a pipe")));
    let mut last = String::new();
    for line in lines.by_ref() {
        let line = line.expect("text");
        if line.starts_with("bestmove") {
            break;
        }
        last = if line.contains(" score ") { line } else { last };
    }
    writeln!(input, "quit").expect("it reads");
    child.wait().expect("it ends");
    let number = |name: &str| between(&last, name, " ").parse::<i64>().expect(&last);
    (-number("score cp "), number("depth "))
}

/// The score and the depth that the server finds when it judges the position.
fn by_server(server: &Server, fen: &str) -> (i64, i64) {
    let mut client = server.client();
    client.say(json!({"type": "settings", "threads": 1, "hash": 16, "lines": 1, "move_time": 1, "analysis_time": 1}));
    client.say(json!({"type": "fen", "fen": fen}));
    client.say(json!({"type": "evaluate", "on": true}));
    let evaluation = &client.until("evaluated")["evaluation"];
    (evaluation["cp"].as_i64().expect("centipawns"), evaluation["depth"].as_i64().expect("a depth"))
}

#[test]
fn all_commands_show_the_same_score() {
    let server = Server::start(&[]);
    for (before, mv, fen) in POSITIONS {
        let (expected, depth) = by_uci(fen);
        assert_ne!(expected, 0, "{fen}");

        let record: Value =
            serde_json::from_str(&stillwater(&["analyse", fen, "--nodes", NODES, "--json"], "")).expect("JSON");
        assert_eq!(record["lines"][0]["score"]["cp"].as_i64(), Some(-expected), "analyse, {record}");

        // The last position of a game is looked at first, so that nothing is known of it.
        let number = before.rsplit(' ').next().unwrap_or_default();
        let game = format!("[FEN \"{before}\"]\n[SetUp \"1\"]\n\n{number}. {mv} *\n");
        let annotated = stillwater(&["annotate", "-", "--nodes", NODES], &game);
        assert_eq!(in_centipawns(between(&annotated, "[%eval ", "]")), expected, "annotate: {annotated}");

        let explained = stillwater(&["explain", fen, "--nodes", NODES, "--others", "0"], "");
        let best = between(&explained, "The best move", ")");
        assert_eq!(in_centipawns(between(&format!("{best})"), "(", ")")), expected, "explain: {explained}");

        // The server has a limit of time, too, which a busy machine may reach first.
        let found = (0..5).map(|_| by_server(&server, fen)).find(|found| found.1 == depth);
        assert_eq!(found.map(|found| found.0), Some(expected), "serve, {fen}");
    }
}
