//! `stillwater book` as a user runs it.

use crate::harness::{endures_a_closed_pipe, file, folder, stillwater, text};

const GAMES: &str = "1. e4 e5 2. Nf3 1-0\n\n1. e4 c5 1-0\n\n1. e4 e5 2. Nf3 1/2-1/2\n\n1. d4 d5 1/2-1/2\n\n1. a4 e5 0-1\n\n1. c4 *\n\n1. e4 Ke7 1-0\n";

#[test]
fn a_book_is_built_and_shown() {
    let folder = folder("book-build");
    let games = file(&folder, "games.pgn", GAMES);
    let book = folder.join("book.bin").to_string_lossy().into_owned();
    let output = stillwater(&["book", "build", &games, "--output", &book, "--plies", "3"]);
    assert!(output.status.success(), "{output:?}");
    assert!(text(&output.stderr).contains("game 7, line 13: \"Ke7\" is not a legal move"), "{output:?}");
    assert!(text(&output.stdout).contains("from 5 games (1 without a result, 1 broken)"), "{output:?}");
    let shown = text(&stillwater(&["book", "show", &book]).stdout);
    let rows: Vec<Vec<&str>> = shown.lines().skip(3).map(|line| line.split_whitespace().collect()).collect();
    // Two wins and a draw are five half points; what only lost is not played.
    assert_eq!(rows, [["e4", "e2e4", "5", "83.3", "%"], ["d4", "d2d4", "1", "16.7", "%"]], "{shown}");
    assert!(shown.contains("(key 463b96181691fc9c)"), "{shown}");
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    for position in [vec!["e4", "e5"], vec!["1.", "e4", "e5"], vec!["e2e4 e7e5"], vec![fen]] {
        let shown = text(&stillwater(&[&["book", "show", &book], position.as_slice()].concat()).stdout);
        assert!(shown.contains("Nf3") && shown.contains("100.0 %"), "{position:?}: {shown}");
    }
    assert!(text(&stillwater(&["book", "show", &book, "h4"]).stdout).contains("no moves here"));
    // Moves of a single game are left out.
    let output = stillwater(&["book", "build", &games, &games, "--output", &book, "--min-games", "5"]);
    assert!(text(&output.stdout).contains(": 1 positions, 1 moves from 10 games"), "{output:?}");
}

#[test]
fn bad_input_gets_a_reason() {
    let folder = folder("book-bad");
    let games = file(&folder, "games.pgn", GAMES);
    let out = folder.join("out.bin").to_string_lossy().into_owned();
    let nowhere = folder.join("no/such/folder/out").to_string_lossy().into_owned();
    let missing = folder.join("missing").to_string_lossy().into_owned();
    let good = {
        assert!(stillwater(&["book", "build", &games, "--output", &out]).status.success());
        out.clone()
    };
    for (arguments, reason) in [
        (vec!["show", &missing], "cannot read"),
        (vec!["show", &file(&folder, "empty.bin", "")], "no Polyglot book: it is empty"),
        (vec!["show", &games], "no Polyglot book"),
        (vec!["show", &good, "e5"], "\"e5\" is not a legal move here (after 0 moves)"),
        (vec!["show", &good, "8/8/8/8/8/8/8/8 w - - 0 1"], "White has 0 kings"),
        (vec!["build", &missing, "--output", &nowhere], "cannot read"),
        (vec!["build", &games, "--output", &nowhere], "cannot write"),
        (vec!["build", &games, "--output", &good, "--min-games", "99"], "no move was played in 99 games"),
        (vec!["build", &file(&folder, "none.pgn", ""), "--output", &good], "there is no game with a result"),
        (vec!["build", &file(&folder, "elf", b"\x7fELF\0"), "--output", &good], "it is not a text file"),
        (vec!["build", &games], "--output <FILE>"),
        (vec!["build", &games, "--output", &good, "--plies", "0"], "0 is not in 1..=65535"),
        (vec!["burn", &good], "unrecognized subcommand 'burn'"),
    ] {
        let output = stillwater(&[&["book"], arguments.as_slice()].concat());
        assert!(!output.status.success(), "{arguments:?}");
        let message = text(&output.stderr);
        assert!(message.contains(reason), "{arguments:?}: {message}");
    }
    assert!(text(&stillwater(&["book", "show", &good]).stdout).contains("e2e4"), "what fails changes nothing");
}

#[test]
fn a_closed_pipe_is_no_error() {
    let folder = folder("book-pipe");
    let (games, book) = (file(&folder, "games.pgn", GAMES), folder.join("book.bin").to_string_lossy().into_owned());
    assert!(stillwater(&["book", "build", &games, "--output", &book]).status.success());
    endures_a_closed_pipe(&["book", "show", &book]);
}

#[test]
fn a_book_on_file() {
    let book = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/book.bin");
    let shown = text(&stillwater(&["book", "show", book]).stdout);
    assert!(
        shown.contains("179 positions, 200 moves") && shown.contains("d4       d2d4         13  28.3 %"),
        "{shown}"
    );
}

#[test]
#[ignore = "needs ../shared/data; run `cargo test --workspace -- --ignored shared`"]
fn shared_book_made_by_others() {
    let book = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/books/gnuchess-book.bin");
    let shown = text(&stillwater(&["book", "show", book, "e4", "c5"]).stdout);
    assert!(shown.contains("Nf3      g1f3") && shown.lines().count() > 4, "{shown}");
}
