//! `stillwater play`.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use record::GameResult;

use crate::common::{Folder, command, run, run_unheard, run_with};

const QUICK: [&str; 5] = ["play", "--level", "1", "--seed", "7"];

fn quick<'a>(more: &[&'a str]) -> Vec<&'a str> {
    QUICK.iter().chain(more).copied().collect()
}

/// The games of a file: tags looked for, moves and result.
fn games(path: &str) -> Vec<record::pgn::Game> {
    let text = std::fs::read_to_string(path).expect("a file");
    record::pgn::games(&text).map(|game| game.expect("a whole game")).collect()
}

#[test]
fn a_mate_ends_the_game_and_is_kept() {
    let folder = Folder::new("mate");
    let pgn = folder.file("games.pgn", "[White \"Earlier\"]\n\n1. e4 *");
    let fen = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
    let said = run_with(&quick(&["--fen", fen, "--pgn", &pgn, "--name", "An \"A\""]), "ra8\n").good();
    assert!(said.out.contains("The game is over: White mates. 1-0"), "{}", said.out);
    let games = games(&pgn);
    assert_eq!(games.len(), 2);
    assert_eq!((games[0].tag("White"), games[1].tag("White")), (Some("Earlier"), Some("An \"A\"")));
    assert_eq!((games[1].tag("FEN"), games[1].result), (Some(fen), Some(GameResult::WhiteWins)));
    assert_eq!(games[1].moves().iter().map(|mv| mv.san.as_str()).collect::<Vec<_>>(), ["Ra8#"]);
    assert_eq!(games[1].tag("Black"), Some("Stillwater level 1 (800)"));
}

#[test]
fn draws_by_rule_are_announced() {
    let said = run_with(&quick(&["--fen", "7k/8/5KQ1/8/8/8/8/8 w - - 0 1"]), "Qf7\n").good();
    assert!(said.out.contains("The game is over: draw by stalemate. 1/2-1/2"), "{}", said.out);
    let said = run_with(&quick(&["--fen", "8/8/4k3/8/8/3BK3/8/8 w - - 0 1"]), "").good();
    assert!(said.out.contains("draw by insufficient material"), "{}", said.out);
    let said = run_with(&quick(&["--fen", "4k3/8/8/8/8/8/3R4/R3K3 w - - 99 80"]), "Kd1\n").good();
    assert!(said.out.contains("draw by the fifty-move rule"), "{}", said.out);
}

#[test]
fn clocks_and_chess960() {
    let folder = Folder::new("clock");
    let pgn = folder.path("game.pgn");
    let said = run_with(&quick(&["--clock", "5+3", "--pgn", &pgn]), "e4\nquit\n").good();
    assert!(said.out.contains("White 5:00   Black 5:00") && said.out.contains("White 5:0"), "{}", said.out);
    assert_eq!(games(&pgn)[0].tag("TimeControl"), Some("300+3"));
    let said = run_with(&quick(&["--clock", "1ms"]), "e4\n").good();
    assert!(said.out.contains(" wins on time. "), "{}", said.out);
    let said = run_with(&quick(&["--chess960", "0"]), "fen\nquit\n").good();
    assert!(said.out.contains("bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1"), "{}", said.out);
    run(&["play", "--chess960", "960"]).bad("960");
    run(&["play", "--clock", "soon"]).bad("not a time");
    let said = run_with(&quick(&["--chess960"]), "quit\n").good();
    assert!(said.out.contains("Chess960, start position "), "{}", said.out);
}

#[test]
fn everything_that_can_be_typed() {
    let folder = Folder::new("typed");
    let pgn = folder.path("game.pgn");
    let typed = "help\nback\nmoves\nfen\nflip\nboard\n\nhint\ne2e4\nback\nd4\nresign\n";
    let said = run_with(&quick(&["--pgn", &pgn]), typed).good();
    for text in [
        "You play White.",
        "take back your last move",
        "There is no move of yours to take back.",
        "Na3 Nc3 Nf3 Nh3 a3",
        chess::fen::START,
        "     h g f e d c b a",
        "\n1. ", // the hint: the engine's own moves begin with 1...
        "Taken back.",
        "The game is over: Black wins, White resigns. 0-1",
    ] {
        assert!(said.out.contains(text), "{text} is missing from:\n{}", said.out);
    }
    let games = games(&pgn);
    assert_eq!(games[0].moves().len(), 2, "what was taken back is gone");
    assert_eq!((games[0].moves()[0].san.as_str(), games[0].result), ("d4", Some(GameResult::BlackWins)));
}

#[test]
fn nonsense_is_answered_and_the_end_of_input_leaves_the_game() {
    let folder = Folder::new("nonsense");
    let pgn = folder.path("game.pgn");
    let mut typed = b"castle\nKe2\ne9\n\xff\xfe\x00\n e4 \n".to_vec();
    typed.extend(vec![b'x'; 10_000]);
    let said = run_with(&quick(&["--pgn", &pgn]), &typed).good();
    assert!(said.out.contains("\"Ke2\" is not a legal move here; moves lists the legal ones"), "{}", said.out);
    assert!(said.out.contains("\"castle\" does not look like a move"), "{}", said.out);
    assert!(said.out.ends_with(&format!("You have left the game. It is kept in {pgn}.\n")), "{}", said.out);
    let games = games(&pgn);
    assert_eq!((games[0].moves().len(), games[0].result), (2, None));
}

#[test]
fn the_engine_begins_if_it_is_white_and_the_same_seed_plays_the_same() {
    let play = || run_with(&quick(&["--color", "black"]), "e5\nNf6\n").out;
    let first = play();
    assert!(first.contains("You play Black.") && first.contains("\n1. "), "{first}");
    assert_eq!(first, play());
    let colors: Vec<bool> = (0..12)
        .map(|seed| {
            run_with(&["play", "--color", "random", "--seed", &seed.to_string()], "").out.contains("You play White")
        })
        .collect();
    assert!(colors.contains(&true) && colors.contains(&false), "{colors:?}");
}

#[test]
fn boards_are_drawn_as_the_locale_allows() {
    for (locale, king) in [("C", "K"), ("de_DE.UTF-8", "♔")] {
        let output = command(&QUICK).env("LC_ALL", locale).output().expect("the program runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(text.contains(king), "{locale}: {text}");
        assert_eq!(text.is_ascii(), locale == "C");
    }
}

#[test]
fn a_kill_loses_no_move() {
    let folder = Folder::new("play-kill");
    let pgn = folder.path("game.pgn");
    let mut child = command(&quick(&["--pgn", &pgn])).stdin(Stdio::piped()).spawn().expect("the program runs");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(b"e4\n").and_then(|()| input.flush()).expect("it reads");
    let output = BufReader::new(child.stdout.take().expect("a pipe"));
    let answer = output.lines().map_while(Result::ok).find(|line| line.starts_with("1... "));
    child.kill().expect("killed");
    let _ = child.wait();
    let san = answer.expect("an answer").replace("1... ", "");
    let games = games(&pgn);
    assert_eq!(games[0].moves().iter().map(|mv| mv.san.clone()).collect::<Vec<_>>(), ["e4".to_owned(), san]);
    assert_eq!(games[0].result, None);
}

#[test]
fn bad_input_gets_a_reason() {
    run(&["play", "--level", "0"]).bad("0 is not in 1..=20");
    run(&["play", "--level", "21"]).bad("21 is not in 1..=20");
    run(&["play", "--elo", "500"]).bad("500 is not in 800..=2850");
    run(&["play", "--elo", "1500", "--level", "3"]).bad("cannot be used with");
    run(&["play", "--color", "green"]).bad("invalid value 'green'");
    run(&["play", "--fen", "nonsense"]).bad("cannot use the position \"nonsense\"");
    run(&["play", "--pgn", "/nowhere/at/all.pgn"]).bad("cannot write /nowhere/at/all.pgn");
    run_unheard(&QUICK, "e4\nd4\n");
}
