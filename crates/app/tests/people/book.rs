//! `stillwater book` as a user runs it.

use crate::common::{Folder, run, run_unheard};

const GAMES: &str = "1. e4 e5 2. Nf3 1-0\n\n1. e4 c5 1-0\n\n1. e4 e5 2. Nf3 1/2-1/2\n\n1. d4 d5 1/2-1/2\n\n1. a4 e5 0-1\n\n1. c4 *\n\n1. e4 Ke7 1-0\n";

#[test]
fn a_book_is_built_and_shown() {
    let folder = Folder::new("book-build");
    let games = folder.file("games.pgn", GAMES);
    let book = folder.path("book.bin");
    let said = run(&["book", "build", &games, "--output", &book, "--plies", "3"]).good();
    assert!(said.err.contains("game 7, line 13: \"Ke7\" is not a legal move"), "{}", said.err);
    assert!(said.out.contains("from 5 games (1 without a result, 1 broken)"), "{}", said.out);
    let shown = run(&["book", "show", &book]).good().out;
    let rows: Vec<Vec<&str>> = shown.lines().skip(3).map(|line| line.split_whitespace().collect()).collect();
    // Two wins and a draw are five half points; what only lost is not played.
    assert_eq!(rows, [["e4", "e2e4", "5", "83.3", "%"], ["d4", "d2d4", "1", "16.7", "%"]], "{shown}");
    assert!(shown.contains("(key 463b96181691fc9c)"), "{shown}");
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    for position in [vec!["e4", "e5"], vec!["1.", "e4", "e5"], vec!["e2e4 e7e5"], vec![fen]] {
        let shown = run(&[&["book", "show", &book], position.as_slice()].concat()).good().out;
        assert!(shown.contains("Nf3") && shown.contains("100.0 %"), "{position:?}: {shown}");
    }
    assert!(run(&["book", "show", &book, "h4"]).good().out.contains("no moves here"));
    // Moves of a single game are left out.
    let said = run(&["book", "build", &games, &games, "--output", &book, "--min-games", "5"]).good();
    assert!(said.out.contains(": 1 positions, 1 moves from 10 games"), "{}", said.out);
}

#[test]
fn bad_input_gets_a_reason() {
    let folder = Folder::new("book-bad");
    let games = folder.file("games.pgn", GAMES);
    let good = folder.path("out.bin");
    let nowhere = folder.path("no/such/folder/out");
    let missing = folder.path("missing");
    run(&["book", "build", &games, "--output", &good]).good();
    for (arguments, reason) in [
        (vec!["show", &missing], "cannot read"),
        (vec!["show", &folder.file("empty.bin", "")], "no Polyglot book: it is empty"),
        (vec!["show", &games], "no Polyglot book"),
        (vec!["show", &good, "e5"], "\"e5\" is not a legal move here (after 0 moves)"),
        (vec!["show", &good, "8/8/8/8/8/8/8/8 w - - 0 1"], "White has 0 kings"),
        (vec!["build", &missing, "--output", &nowhere], "cannot read"),
        (vec!["build", &games, "--output", &nowhere], "cannot write"),
        (vec!["build", &games, "--output", &good, "--min-games", "99"], "no move was played in 99 games"),
        (vec!["build", &folder.file("none.pgn", ""), "--output", &good], "there is no game with a result"),
        (vec!["build", &folder.file("elf", b"\x7fELF\0"), "--output", &good], "it is not a text file"),
        (vec!["build", &games], "--output <FILE>"),
        (vec!["build", &games, "--output", &good, "--plies", "0"], "0 is not in 1..=65535"),
        (vec!["burn", &good], "unrecognized subcommand 'burn'"),
    ] {
        run(&[&["book"], arguments.as_slice()].concat()).bad(reason);
    }
    assert!(run(&["book", "show", &good]).good().out.contains("e2e4"), "what fails changes nothing");
}

#[test]
fn a_closed_pipe_is_no_error() {
    let folder = Folder::new("book-pipe");
    let (games, book) = (folder.file("games.pgn", GAMES), folder.path("book.bin"));
    run(&["book", "build", &games, "--output", &book]).good();
    run_unheard(&["book", "show", &book], "");
}

#[test]
fn a_book_on_file() {
    let book = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/book.bin");
    let shown = run(&["book", "show", book]).good().out;
    assert!(
        shown.contains("179 positions, 200 moves") && shown.contains("d4       d2d4         13  28.3 %"),
        "{shown}"
    );
}

#[test]
#[ignore = "needs ../shared/data; run `cargo test --workspace -- --ignored shared`"]
fn shared_book_made_by_others() {
    let book = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/books/gnuchess-book.bin");
    let shown = run(&["book", "show", book, "e4", "c5"]).good().out;
    assert!(shown.contains("Nf3      g1f3") && shown.lines().count() > 4, "{shown}");
}
