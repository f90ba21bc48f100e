//! Texts of every kind, valid and broken.

use std::fs;
use std::path::{Path, PathBuf};

use chess::Board;

use super::*;
use crate::pgn::decode;
use crate::pgn::scan::meter;
use crate::pgn::token::LONGEST_VALUE;

const GAMES: &str = "\u{feff}[Event \"a \\\"b\\\" ]c\"]\n[White \"A\"]\n[Black \"B\"]\n\n{before} 1. e4 {[%clk 0:05:00]} e5 $1 (1... c5 2. Nf3 \
    (2. c3 {a ) b})) 2.Nf3 ; rest of line 3. Nc3\r\nNc6 3. Bb5 a6 {x} {y} 4.O-O! *\n\n[White \"C\"]\n1-0\n\n[White \"D\"]\n\n1. d4 1/2-1/2\n% escape e4\n[White \"E\"]\n\n1. e4 e";

fn read(text: &str) -> Vec<Game> {
    games(text).map(|game| game.expect("a game")).collect()
}

#[test]
fn games_are_read_with_all_they_have() {
    let found = read(GAMES);
    assert_eq!(found.len(), 4);
    assert_eq!(found.iter().map(|game| game.is_whole).collect::<Vec<_>>(), [true, true, true, false]);
    assert_eq!((found[0].tag("white"), found[0].tag("Event")), (Some("A"), Some("a \"b\" ]c")));
    assert_eq!(found[0].main.comments, ["before"]);
    let sans: Vec<_> = found[0].moves().iter().map(|mv| mv.san.as_str()).collect();
    assert_eq!(sans, ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "O-O"]);
    assert_eq!((found[0].moves()[6].nags.as_slice(), found[0].moves()[5].comment().as_str()), (&[1][..], "x y"));
    assert_eq!(found[0].moves()[2].comments, ["rest of line 3. Nc3"]);
    let variation = &found[0].moves()[1].variations[0];
    assert_eq!(variation.moves[1].variations[0].moves[0].comments, ["a ) b"]);
    let results: Vec<_> = found.iter().map(|game| game.result).collect();
    assert_eq!(results, [None, Some(GameResult::WhiteWins), Some(GameResult::Draw), None]);
    assert!(GAMES[..found[2].end].ends_with("1. d4 1/2-1/2"));
    let places: Vec<_> = found.iter().map(|game| (game.number, game.line)).collect();
    assert_eq!(places, [(1, 1), (2, 8), (3, 11), (4, 15)]);
}

#[test]
fn what_is_written_is_read_back() {
    for game in read(GAMES) {
        let text = game.to_string();
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        let again = read(&text);
        assert_eq!(again.len(), 1, "{text}");
        assert_eq!(again[0].to_string(), text);
        let plain =
            |game: &Game| game.moves().iter().map(|mv| (mv.san.clone(), mv.comments.clone())).collect::<Vec<_>>();
        assert_eq!(plain(&again[0]), plain(&game));
        assert_eq!(again[0].tag("Event"), game.tag("Event"));
    }
    let text = "1. e4 {[%clk 0:05:00]} 1... e5 $1 (1... c5 2. Nf3 (2. c3 {a ) b}))\n2. Nf3";
    assert!(read(GAMES)[0].to_string().contains(text), "{}", read(GAMES)[0]);
}

#[test]
fn black_begins_with_dots() {
    let text = "[FEN \"4k3/8/8/8/8/8/8/4K2R b K - 0 7\"]\n\n7... Ke7 8. O-O *\n";
    let game = &read(text)[0];
    assert_eq!(game.to_string(), text);
    let (start, moves) = game.replay(9).expect("legal");
    assert_eq!((start.king(chess::Color::White), moves.len()), (chess::Square::E1, 2));
}

#[test]
fn a_game_is_made_of_moves() {
    let start: Board = "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN b GEge - 0 3".parse().expect("a FEN");
    let moves = [start.parse_san("g6").expect("legal")];
    let mut game = Game { main: Line::new(start, &moves), ..Game::default() };
    game.set_start(&start);
    game.set_result(Some(GameResult::BlackWins));
    let text = game.to_string();
    assert!(text.ends_with("[Result \"0-1\"]\n\n3... g6 0-1\n"), "{text}");
    assert_eq!(read(&text)[0].replay(9), Ok((start, moves.to_vec())));
    assert_eq!(Game::default().to_string(), "*\n");
}

#[test]
fn tags_have_bounds() {
    let tags = |count: usize| (0..count).map(|n| format!("[A{n} \"x\"]\n")).collect::<String>() + "\n*\n";
    assert_eq!(read(&tags(MOST_TAGS))[0].tags.len(), MOST_TAGS);
    let problem = games(&tags(MOST_TAGS + 1)).next().expect("something").expect_err("too many");
    assert_eq!(problem.to_string(), format!("game 1, line {}: a game has too many tags", MOST_TAGS + 1));
    let tag = |length: usize| format!("[A \"{}\"]\n\n1. e4 *\n", "x".repeat(length));
    assert_eq!(read(&tag(LONGEST_VALUE)).len(), 1);
    assert!(games(&tag(LONGEST_VALUE + 1)).next().expect("something").is_err());
}

/// Twice the text may cost at most 2.5 times the work. These texts made readers scan the same bytes again and again.
#[test]
fn the_work_grows_with_the_text() {
    let work = |text: &str| {
        meter::take();
        games(text).for_each(drop);
        meter::take()
    };
    for piece in [
        "[a \"",
        "[a \"x\"] y ",
        "[a \"\\\"] y ",
        "[a \"\\\\\"] y ",
        "[a \" ]  \" ] ",
        "\"]",
        "[a \"x\"]",
        "[a \"x\"]\n",
        "\n\n[a \"x\"]",
        "[[ [",
        "[a",
        "{",
        "{x\n",
        "{}",
        "[a \"b\"]\n{\n",
        "[Event \"b\"]\n{\n",
        "[a \"b\"]\n(\n",
        "(",
        "()",
        "1. e4 (e5) ",
        "1.",
        "; x\n",
        "% x\n",
        "$1 ",
        "* ",
        "e4",
        "\n",
        " \u{feff}",
        "\\",
    ] {
        for end in ["", "}", "\"]", "\"]\n}", "\n[Event \"x\"]"] {
            let [once, twice] = [5_000, 10_000].map(|count| work(&(piece.repeat(count) + end)));
            assert!(twice * 2 <= once * 5, "{piece:?}, {end:?}: {once}, then {twice}");
            assert!(twice <= 20 * (piece.len() * 10_000 + end.len()), "{piece:?}, {end:?}: {twice}");
        }
    }
}

#[test]
fn illegal_games_are_told_with_their_place() {
    let reason = |text: &str| read(text)[0].replay(99).expect_err(text).to_string();
    assert_eq!(reason("\n\n1. e4\n2. Ke3 *"), "game 1, line 4: \"Ke3\" is not a legal move here");
    assert!(reason("[White \"a\"]\n[FEN \"x\"]\n\n1. e4 *").starts_with("game 1, line 2: FEN \"x\": "));
    assert!(reason("[Variant \"Atomic\"]\n\n1. e4 *").contains("\"Atomic\" has rules of its own"));
    assert!(reason("1. -- *").contains("does not look like a move"));
}

#[test]
fn chess960_in_both_dialects() {
    for fen in [
        "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1",
        "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq - 0 1",
    ] {
        let text = format!("[Variant \"Fischerandom\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n1. g3 g6 2. Nf3 *");
        assert!(read(&text)[0].replay(2).is_ok(), "{text}");
    }
}

#[test]
fn broken_games_are_passed_over() {
    let good = "[Event \"good\"]\n\n1. e4 *\n\n";
    for (bad, reason) in [
        (
            "[Event \"bad\"]\n\n1. e4 {never closed 1. d4 *\n\n",
            "game 2, line 7: a comment begins with { and never ends",
        ),
        ("[Event \"bad\"]\n\n1. e4 (1. d4 *\n\n", "game 2, line 9: a variation begins with ( and never ends"),
    ] {
        let found: Vec<_> = games(&format!("{good}{bad}{good}")).collect();
        assert_eq!(found.len(), 3, "{found:?}");
        assert_eq!(found[1].as_ref().expect_err("broken").to_string(), reason);
        assert_eq!(found[2].as_ref().expect("good").number, 3);
        assert_eq!(games(&format!("{good}{bad}")).filter(Result::is_err).count(), 1);
    }
    let deep = format!("1. e4 e5 {} *", "(1... c5 ".repeat(100_000));
    assert!(games(&deep).next().expect("a game").is_err());
}

#[test]
fn nothing_makes_the_reader_fall() {
    let after_nothing = "[White \"A\"]\n\n1. e4 *\n() *\n\n[White \"B\"]\n\n1. d4 *\n";
    assert_eq!(read(after_nothing).iter().map(|game| game.number).collect::<Vec<_>>(), [1, 2]);
    for end in (0..GAMES.len()).filter(|&end| GAMES.is_char_boundary(end)) {
        games(&GAMES[..end]).chain(games(&GAMES[end..])).flatten().for_each(|game| drop(game.to_string()));
    }
    for text in [
        "[",
        "[x \"",
        "{",
        "(",
        "(((",
        "[a \"b\\",
        "é{é}é(é)é[é \"é\"]é*",
        ")]}",
        "1.",
        "...",
        "$",
        "{}",
        ";",
        "%",
        "* * *",
    ] {
        games(text).flatten().for_each(|game| drop(game.to_string()));
    }
    assert_eq!(games("").count() + games(" \n\n").count() + games("* 1-0").count() + games("; a note").count(), 0);
}

/// Replays every game of every file, writes it and reads it again; returns the number of games and the broken ones.
fn read_all(folders: &[PathBuf]) -> (usize, Vec<String>) {
    let (mut count, mut broken) = (0, Vec::new());
    for folder in folders {
        let files = fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file").path());
        for path in files.filter(|path| path.is_file()) {
            let text = decode(&fs::read(&path).expect("a readable file")).expect("a text").into_owned();
            for game in read(&text) {
                count += 1;
                match game.replay(usize::MAX) {
                    Ok(moves) => assert_eq!(read(&game.to_string())[0].replay(usize::MAX), Ok(moves)),
                    Err(problem) => {
                        broken.push(format!("{}: {problem}", path.file_name().unwrap_or_default().display()))
                    }
                }
            }
        }
    }
    broken.sort();
    (count, broken)
}

#[test]
fn files_of_every_kind() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/pgn");
    let (count, broken) = read_all(&[folder]);
    assert_eq!((count, broken.len()), (26, 2), "{broken:#?}");
    assert!(broken[0].starts_with("broken-move.pgn: game 1, line 8: \"Ke3\" is not"), "{broken:?}");
    assert!(broken[1].starts_with("broken-start.pgn: game 1, line 3: FEN"), "{broken:?}");
}

#[test]
#[ignore = "needs ../shared/data; run `cargo test --workspace -- --ignored shared`"]
fn shared_files_of_every_kind() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/pgn");
    let (count, broken) = read_all(&[folder.clone(), folder.join("odd")]);
    assert_eq!((count, broken.len()), (98, 2), "{broken:#?}");
    assert!(broken[0].starts_with("black2move.pgn: game 1, line 4: \"0-0-0\" is not"), "{broken:?}");
    assert!(broken[1].starts_with("corrupted.pgn: game 1, line 57: \"Kx\" "), "{broken:?}");
}

#[test]
fn half_a_game_is_none() {
    let text = "[White \"A\"]\n\n1. e4 {+0.30/12 0.1s} e5 *\n\n[White \"B\"]\n\n1. d4 {+0.1";
    let games = whole_games(text);
    assert_eq!(games.len(), 1);
    assert!(text[..games[0].end].ends_with("e5 *"));
    assert_eq!(whole_games(&text[..text.len() - 7]).len(), 1, "half a game without half a comment");
}
