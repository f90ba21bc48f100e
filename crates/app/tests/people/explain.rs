//! `stillwater explain`.

use engine::Network;

use crate::harness::{Folder, run, run_unheard};

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
            "White threatens Qxf7#. If Black passed: White mates in 1.",
            "Other moves",
            "The best reply is",
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
        single.contains("in check by Black's queen on h2") && single.contains("It takes the queen on h2."),
        "{single}"
    );
}

#[test]
fn loose_and_pinned_pieces_are_found() {
    // A rook takes a knight that nobody defends; another knight is pinned to its king.
    says(
        "4k3/4n3/8/8/n7/8/8/R3R1K1 w - - 0 1",
        &[
            "It takes the knight on a4.",
            "Black's knight on a4 can be taken with profit by Rxa4, counting captures on a4 alone.",
            "Black's knight on e7 is pinned to its king by the rook on e1.",
        ],
    );
}

#[test]
fn zugzwang_is_named() {
    // Whoever moves loses the pawn: with Black to move White wins, so White would rather pass.
    let text = explain("8/8/8/4pK2/3kP3/8/8/8 w - - 0 1");
    assert!(text.contains("Zugzwang: if White could pass it would be better off"), "{text}");
}

#[test]
fn the_network_has_its_say() {
    let folder = Folder::new("network");
    let path = folder.path("net.nnue");
    Network::random(128, 5).expect("a network").write(path.as_ref()).expect("written");
    let fen = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";
    let text = run(&["explain", fen, "--nodes", "5000", "--eval-file", &path]).good().out;
    assert!(text.contains("By the network, the pieces White would miss most are the "), "{text}");
    assert!(text.contains("the evaluation written by hand"), "{text}");
}

#[test]
fn bad_input_gets_a_reason() {
    run(&["explain"]).bad("FEN");
    run(&["explain", "8/8/8/8/8/8/8/8 w - - 0 1"]).bad("White has 0 kings");
    run(&["explain", "\u{2603}"]).bad("cannot use the position");
    run(&["explain", chess::fen::START, "--nodes", "none"]).bad("invalid value 'none'");
    let folder = Folder::new("explain-bad");
    run(&["explain", chess::fen::START, "--eval-file", &folder.path("missing")]).bad("cannot use the network");
    run(&["explain", chess::fen::START, "--eval-file", &folder.file("empty", "")]).bad("cannot use the network");
    run_unheard(&["explain", chess::fen::START, "--nodes", "1000"], "");
}
