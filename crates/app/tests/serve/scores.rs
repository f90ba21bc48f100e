//! Every command shows the same score for the same position and the same nodes, in the same unit.

use serde_json::{Value, json};

use crate::common::{run, run_with};
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
    let said = run(&[&format!("position fen {fen}"), &format!("go nodes {NODES}")]).good().out;
    let last = said.lines().rfind(|line| line.contains(" score ")).expect(&said);
    let number = |name: &str| between(last, name, " ").parse::<i64>().expect(last);
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

        let record = run(&["analyse", fen, "--nodes", NODES, "--json"]).good().out;
        let record: Value = serde_json::from_str(&record).expect("JSON");
        assert_eq!(record["lines"][0]["score"]["cp"].as_i64(), Some(-expected), "analyse, {record}");

        // The last position of a game is looked at first, so that nothing is known of it.
        let number = before.rsplit(' ').next().unwrap_or_default();
        let game = format!("[FEN \"{before}\"]\n[SetUp \"1\"]\n\n{number}. {mv} *\n");
        let annotated = run_with(&["annotate", "-", "--nodes", NODES], &game).good().out;
        assert_eq!(in_centipawns(between(&annotated, "[%eval ", "]")), expected, "annotate: {annotated}");

        let explained = run(&["explain", fen, "--nodes", NODES, "--others", "0"]).good().out;
        let best = between(&explained, "The best move", ")");
        assert_eq!(in_centipawns(between(&format!("{best})"), "(", ")")), expected, "explain: {explained}");

        // The server has a limit of time, too, which a busy machine may reach first.
        let found = (0..5).map(|_| by_server(&server, fen)).find(|found| found.1 == depth);
        assert_eq!(found.map(|found| found.0), Some(expected), "serve, {fen}");
    }
}
