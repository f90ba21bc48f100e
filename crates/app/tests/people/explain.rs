//! `stillwater explain`.

use engine::Network;

use crate::common::{Folder, forecasting_network, run, run_unheard};

const NODES: &str = "30000";

fn explain(fen: &str) -> String {
    let text = run(&["explain", fen, "--nodes", NODES]).good().out;
    // Sentences are broken into lines; tests look for whole ones.
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn says(fen: &str, sentences: &[&str]) {
    let text = explain(fen);
    for sentence in sentences {
        assert!(text.contains(sentence), "\"{sentence}\" is missing from:\n{text}");
    }
}

#[test]
fn a_threat_of_mate_is_named_and_answered() {
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 4 4";
    says(
        fen,
        &[
            "Black to move.",
            "White threatens Qxf7#. 5. Qxf7#",
            "Qxf7# is not possible any more.",
            "Other moves",
            " worse (",
        ],
    );
    let first = run(&["explain", fen, "--nodes", NODES]).good().out;
    assert_eq!(first, run(&["explain", fen, "--nodes", NODES]).good().out, "the same nodes, the same words");
}

#[test]
fn mates_and_games_that_are_over() {
    says("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", &["1. Ra8#: White mates in 1.", "It is checkmate."]);
    says("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", &["Black is checkmated: White has won."]);
    says("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", &["stalemate, a draw"]);
    says("8/8/4k3/8/8/3BK3/8/8 w - - 0 1", &["Neither side has the pieces to mate"]);
    let over = explain("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1");
    assert!(!over.contains("The best move"), "{over}");
}

#[test]
fn positions_in_check_have_no_threat_but_ways_out() {
    let text = explain("4k3/8/8/8/8/8/3PqP2/3QKR2 w - - 0 1");
    assert!(text.contains("White's king is in check by Black's queen on e2."), "{text}");
    assert!(text.contains("There is only one legal move.") || text.contains("ways out"), "{text}");
    assert!(!text.contains("If White passed"), "{text}");
    let single = explain("k7/8/8/8/8/8/5PPq/6KR w - - 0 1");
    assert!(
        single.contains("in check by Black's queen on h2") && single.contains("It takes the queen on h2"),
        "{single}"
    );
}

#[test]
fn loose_and_pinned_pieces_are_found() {
    // A rook takes a knight that nobody defends; another knight is pinned to its king.
    says(
        "4k3/4n1p1/6p1/8/n7/8/5PP1/R3R1K1 w - - 0 1",
        &[
            "It takes the knight on a4",
            "Black's knight on a4 can be taken with profit by Rxa4, counting captures on a4 alone.",
            "Black's knight on e7 is pinned to its king by the rook on e1.",
        ],
    );
}

#[test]
fn zugzwang_is_named() {
    // Whoever moves loses the pawn: with Black to move White wins, so White would rather pass.
    let text = explain("8/8/8/4pK2/3kP3/8/8/8 w - - 0 1");
    assert!(text.contains("Zugzwang: White would rather pass than move"), "{text}");
}

#[test]
fn the_network_has_its_say() {
    let folder = Folder::new("network");
    let path = folder.path("net.nnue");
    std::fs::write(&path, Network::random(128, 5).expect("a network").to_bytes()).expect("written");
    let fen = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";
    let brief = run(&["explain", fen, "--nodes", "5000", "--eval-file", &path]).good().out;
    assert!(!brief.contains("would miss") && !brief.contains("without any search"), "{brief}");
    let text = run(&["explain", fen, "--nodes", "5000", "--eval-file", &path, "--details"]).good().out;
    assert!(text.contains("By the network, the pieces White would miss most are the "), "{text}");
    assert!(text.contains("the evaluation written by hand"), "{text}");
}

#[test]
fn what_the_network_expects_is_told() {
    let folder = Folder::new("forecast");
    let plain = folder.file("plain.nnue", Network::random(128, 5).expect("a network").to_bytes());
    let path = folder.file("forecasting.nnue", forecasting_network(5).to_bytes());
    let explain = |path: &str, options: &[&str]| {
        let arguments = [&["explain", chess::fen::START, "--nodes", "3000", "--eval-file", path], options].concat();
        run(&arguments).good().out.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let text = explain(&path, &[]);
    assert!(
        text.contains("What the network expects The network is ") && text.contains("three times out of five"),
        "{text}"
    );
    assert!(text.contains("The moves the network expects most are e4 (48 %), Nf3 (16 %), "), "{text}");
    assert!(explain(&path, &["--move", "e4"]).contains("The network expected e4 (48 %)."));
    let text = explain(&path, &["--move", "a3"]);
    assert!(text.contains("The network did not expect a3: it gave the move 2 % and e4 48 %."), "{text}");
    let value: serde_json::Value = serde_json::from_str(&explain(&path, &["--move", "a3", "--json"])).expect("JSON");
    let forecast = &value["forecast"];
    assert_eq!((&forecast["moves"][0]["san"], &forecast["moves"][1]["uci"]), (&"e4".into(), &"g1f3".into()), "{value}");
    let [low, high] = ["low", "high"].map(|end| forecast["band"][end]["cp"].as_i64().expect("a number"));
    assert!(low < high && forecast["band"]["value"]["expected"].is_f64(), "{value}");
    // Without policy and confidence everything is as it was.
    let text = explain(&plain, &["--json"]) + &explain(&plain, &["--move", "a3"]);
    assert!(!text.contains("expect") && !text.contains("forecast"), "{text}");
    // A game that is over, a single move, and a check with two ways out.
    let of = |fen: &str| run(&["explain", fen, "--nodes", "3000", "--eval-file", &path]).good().out;
    for fen in ["R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "k7/8/8/8/8/8/1q6/K7 w - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"]
    {
        let text = of(fen);
        assert!(!text.contains("the network") && !text.contains("expect"), "{text}");
    }
    let text = of("4k3/8/8/8/8/8/3PqP2/3QKR2 w - - 0 1");
    assert!(text.contains("The moves the network expects most are ") && !text.contains("three cases"), "{text}");
}

const MATED: &str = "[White \"A\"]\n\n1. e4 c5 2. c4 Nc6 3. Ne2 Nf6 4. Nbc3 Nb4 5. g3 Nd3# 0-1\n";

#[test]
fn a_bad_move_is_refuted_and_compared_with_the_better_one() {
    let folder = Folder::new("why");
    let game = folder.file("game.pgn", MATED);
    let text = run(&["explain", &game, "--ply", "9", "--nodes", NODES]).good().out;
    assert!(text.contains("Why g3?") && text.contains("g3 is a blunder. After "), "{text}");
    assert!(text.contains("; after g3, Black mates in 1.") && text.contains("It allows Nd3#."), "{text}");
    assert!(text.contains("Better is "), "{text}");
    let blunder = "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/3P1N2/PPP2PPP/RNBQKB1R b KQkq - 0 3";
    let text = run(&["explain", blunder, "--move", "Ng4", "--nodes", NODES]).good().out;
    assert!(text.contains("Why Ng4?"), "{text}");
    // A queen that goes where a pawn takes it.
    let text = run(&["explain", chess::fen::START, "--move", "e2e4", "--nodes", NODES]).good().out;
    assert!(text.contains("e4 is ") && !text.contains("blunder"), "{text}");
    let hanging = "rnbqkbnr/ppp2ppp/3p4/4p3/4P1Q1/8/PPPP1PPP/RNB1KBNR w KQkq - 0 3";
    let text = run(&["explain", hanging, "--move", "Qe6+", "--nodes", NODES]).good().out;
    assert!(text.contains("Qe6+ is a blunder") && text.contains("and wins a queen."), "{text}");
    assert!(text.contains("On e6 the queen can be taken."), "{text}");
}

#[test]
fn why_as_json() {
    let fen = "r1bqkb1r/pp1ppppp/5n2/2p5/1nP1P3/2N5/PP1PNPPP/R1BQKB1R w KQkq - 5 5";
    let text = run(&["explain", fen, "--move", "g3", "--nodes", NODES, "--json"]).good().out;
    let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(value["judgement"], "blunder", "{text}");
    assert_eq!((&value["chosen"]["uci"], &value["chosen"]["mate"]), (&"g2g3".into(), &(-1).into()), "{text}");
    let kinds: Vec<&str> = value["sentences"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|sentence| sentence["kind"].as_str())
        .collect();
    assert!(kinds.starts_with(&["verdict", "refutation"]) && kinds.contains(&"best"), "{kinds:?}");
    let text = run(&["explain", fen, "--nodes", NODES, "--json"]).good().out;
    let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert!(value["sections"].as_array().is_some_and(|sections| sections.len() >= 3), "{text}");
}

#[test]
fn bad_input_gets_a_reason() {
    let folder = Folder::new("explain-bad-game");
    let game = folder.file("game.pgn", MATED);
    run(&["explain", &game]).bad("say which move with --ply, from 1 to 10");
    run(&["explain", &game, "--ply", "11"]).bad("game 1 has 10 plies, so there is no ply 11");
    run(&["explain", &game, "--ply", "1", "--game", "2"]).bad("there is no game 2 in it");
    run(&["explain", chess::fen::START, "--move", "Ke2"]).bad("is not a legal move here");
    run(&["explain", chess::fen::START, "--move", "horse"]).bad("does not look like a move");

    run(&["explain"]).bad("FEN");
    run(&["explain", "8/8/8/8/8/8/8/8 w - - 0 1"]).bad("White has 0 kings");
    run(&["explain", "\u{2603}"]).bad("cannot use the position");
    run(&["explain", chess::fen::START, "--nodes", "none"]).bad("invalid value 'none'");
    let folder = Folder::new("explain-bad");
    run(&["explain", chess::fen::START, "--eval-file", &folder.path("missing")]).bad("cannot use the network");
    run(&["explain", chess::fen::START, "--eval-file", &folder.file("empty", "")]).bad("cannot use the network");
    run_unheard(&["explain", chess::fen::START, "--nodes", "1000"], "");
}
