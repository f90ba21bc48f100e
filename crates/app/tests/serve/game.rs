//! Playing and analysing.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::harness::{Server, mv};

fn sans(game: &Value) -> Vec<&str> {
    game["moves"].as_array().expect("moves").iter().map(|mv| mv["san"].as_str().expect("a move")).collect()
}

#[test]
fn the_page_loads() {
    let server = Server::start(&[]);
    let (status, head, body) = server.get("/", &[]);
    assert_eq!(status, 200);
    assert!(
        head.contains("content-type: text/html") && head.contains("content-security-policy: default-src 'none'"),
        "{head}"
    );
    // Every file that the page and its scripts name is there, and is what it says.
    let mut files = vec!["/".to_owned()];
    let mut next = 0;
    while let Some(file) = files.get(next).cloned() {
        next += 1;
        let (status, head, text) = if file == "/" { (200, head.clone(), body.clone()) } else { server.get(&file, &[]) };
        assert!(status == 200 && !text.is_empty(), "{file}: {status}");
        let kind = match file.rsplit('.').next() {
            Some("js") => "text/javascript",
            Some("css") => "text/css",
            Some("svg") => "image/svg+xml",
            _ => "text/html",
        };
        assert!(head.contains(&format!("content-type: {kind}")), "{file}: {head}");
        assert!(
            !text.contains("http://") || file.ends_with("svg") || text.contains("www.w3.org"),
            "{file} loads from elsewhere"
        );
        let quoted = text
            .split('"')
            .filter(|part| [".js", ".css", ".svg"].iter().any(|end| part.ends_with(end)) && !part.contains(' '));
        for name in quoted.map(|part| format!("/{}", part.trim_start_matches("./"))) {
            if !files.contains(&name) {
                files.push(name);
            }
        }
    }
    assert!(files.len() >= 12, "{files:?}");
    assert_eq!(server.get("/nothing", &[]).0, 404);
    assert_eq!(server.get("/../Cargo.toml", &[]).0, 404);
}

#[test]
fn a_game_against_a_level() {
    let server = Server::start(&[]);
    let mut client = server.client();
    client.say(json!({"type": "play", "side": "white", "level": 2}));
    client.wait("play", |message| message["type"] == "status" && message["play"]["side"] == "white");
    client.say(mv("e4"));
    let game = client.wait("reply", |message| message["type"] == "game" && sans(message).len() == 2);
    assert_eq!(
        (sans(&game)[0], game["white"].as_str(), game["black"].as_str()),
        ("e4", Some("You"), Some("Stillwater level 2"))
    );
    let position = client.until("position");
    assert_eq!(
        (position["turn"].as_str(), position["legal"].as_array().map(Vec::is_empty)),
        (Some("white"), Some(false))
    );
    client.say(json!({"type": "take_back"}));
    assert!(sans(&client.until("game")).is_empty());
    assert!(client.refusal(mv("e5")).contains("not a legal move"));
    client.say(json!({"type": "resign"}));
    let game = client.until("game");
    assert_eq!(game["result"], "0-1");
    assert!(game["pgn"].as_str().expect("a text").contains("[Result \"0-1\"]"), "{game}");
    assert!(client.refusal(json!({"type": "play", "side": "white", "level": 21})).contains("level 21"));
}

#[test]
fn the_engine_mates_and_the_game_is_over() {
    let server = Server::start(&[]);
    let mut client = server.client();
    client.say(json!({"type": "fen", "fen": "6k1/5ppp/8/8/8/8/8/KR6 b - - 0 1"}));
    client.say(json!({"type": "play", "side": "black", "level": null}));
    client.say(mv("h8"));
    let _ = client.until("refused");
    client.say(mv("Kh8"));
    let position = client.wait("mate", |message| message["type"] == "position" && message["outcome"] == "White mates");
    assert_eq!(position["check"], "h8");
    assert!(client.refusal(mv("Kg8")).contains("over"));
}

#[test]
fn analysis_finds_the_mate_in_several_lines() {
    let server = Server::start(&[]);
    let mut client = server.client();
    client.say(json!({"type": "fen", "fen": "6k1/5ppp/8/8/8/8/8/KR6 w - - 0 1"}));
    client.say(json!({"type": "settings", "threads": 99, "hash": 1, "lines": 2, "move_time": 1, "analysis_time": 1e9}));
    let status = client.wait("settings", |message| message["settings"]["lines"] == 2);
    assert!(
        status["settings"]["analysis_time"] == 600.0 && status["settings"]["threads"].as_u64() < Some(99),
        "{status}"
    );
    client.say(json!({"type": "analyse", "on": true}));
    let found = client.wait("two lines with the mate", |message| {
        message["type"] == "analysis"
            && message["lines"].as_array().is_some_and(|lines| lines.len() == 2)
            && message["lines"][0]["evaluation"]["mate"] == 1
    });
    let best = &found["lines"][0];
    assert_eq!((best["san"][0].as_str(), best["uci"][0].as_str()), (Some("Rb8#"), Some("b1b8")));
    assert_eq!(best["evaluation"]["wdl"], json!([1000, 0, 0]));
    // The line on the board.
    let node = &found["node"];
    client.say(json!({"type": "preview", "node": node, "moves": ["b1b8"]}));
    let preview = client.until("preview");
    assert!(preview["boards"][0]["fen"].as_str().expect("a FEN").starts_with("1R4k1/"), "{preview}");
    assert!(client.refusal(json!({"type": "preview", "node": node, "moves": ["b1b9"]})).contains("b1b9"));
    // From Black's side the score is still White's.
    client.say(json!({"type": "fen", "fen": "kr6/8/8/8/8/8/5PPP/6K1 b - - 0 1"}));
    let found = client.wait("Black's mate", |message| {
        message["type"] == "analysis" && message["lines"][0]["evaluation"]["mate"] == -1
    });
    assert_eq!(found["lines"][0]["evaluation"]["wdl"], json!([0, 0, 1000]));
    client.say(json!({"type": "analyse", "on": false}));
    client.wait("rest", |message| message["type"] == "status" && message["activity"] == "idle");
}

const GAMES: &str = "[White \"Anna\"]\n[Black \"Bea\"]\n\n1. e4 {[%eval 0.3]} e5 (1... c5 2. Nf3) 2. Nf3 {good} 1-0\n\n[White \"Carl\"]\n\n1. d4 d5 0-1\n";

#[test]
fn a_pgn_is_imported_walked_through_and_judged() {
    let server = Server::start(&[]);
    let mut client = server.client();
    client.say(json!({"type": "pgn", "text": GAMES}));
    let names = client.until("games");
    assert_eq!(names["names"].as_array().map(Vec::len), Some(2), "{names}");
    let game = client.until("game");
    assert_eq!((sans(&game), game["white"].as_str()), (vec!["e4", "e5", "Nf3", "c5", "Nf3"], Some("Anna")));
    assert_eq!((&game["moves"][0]["evaluation"]["cp"], &game["moves"][2]["comment"]), (&json!(30), &json!("good")));
    let node = game["moves"][3]["node"].clone();
    let position = client.position_after(json!({"type": "goto", "node": node}));
    assert!(position["fen"].as_str().expect("a FEN").starts_with("rnbqkbnr/pp1ppppp/8/2p5/4P3/"), "{position}");
    client.say(json!({"type": "promote", "node": node}));
    assert_eq!(sans(&client.until("game")), ["e4", "c5", "Nf3", "e5", "Nf3"]);
    client.say(json!({"type": "evaluate", "on": true}));
    let last = client.wait("the last judgement", |message| message["type"] == "evaluated" && message["done"] == 4);
    assert_eq!(last["all"], 4);
    let game = client.until("game");
    assert_eq!(game["pgn"].as_str().expect("a text").matches("[%eval").count(), 4, "{game}");
    client.say(json!({"type": "pgn", "text": GAMES, "index": 1}));
    assert_eq!(sans(&client.until("game")), ["d4", "d5"]);
    // The last made the reader go through the whole text for each of its brackets, and everybody wait.
    let endless = "[a \"".repeat(200_000);
    for text in ["", "no game", "1. e5", "[FEN \"x\"]\n\n*", &endless] {
        client.refusal(json!({"type": "pgn", "text": text}));
    }
    assert!(client.refusal(json!({"type": "pgn", "text": GAMES, "index": 7})).contains("only 2"));
}

#[test]
fn chess960_castles_in_every_way() {
    let server = Server::start(&[]);
    let mut client = server.client();
    let position = client.position_after(json!({"type": "new", "chess960": 959}));
    assert!(position["fen"].as_str().expect("a FEN").starts_with("rkrnnqbb/"), "{position}");
    assert!(client.refusal(json!({"type": "new", "chess960": 960})).contains("0 to 959"));
    let position = client.position_after(json!({"type": "fen", "fen": "4k3/8/8/8/8/8/8/RK5R w HA - 0 1"}));
    let legal = position["legal"].as_array().expect("moves");
    let castles: Vec<_> =
        legal.iter().filter(|mv| mv["san"].as_str().is_some_and(|san| san.starts_with('O'))).collect();
    assert_eq!(castles.len(), 2, "{position}");
    let uci = castles.iter().find(|mv| mv["san"] == "O-O").expect("short castling")["uci"].as_str().expect("a text");
    let position = client.position_after(mv(uci));
    assert!(position["fen"].as_str().expect("a FEN").contains("R4RK1"), "{position}");
    client.say(json!({"type": "export"}));
    assert!(client.until("game")["pgn"].as_str().expect("a text").contains("[Variant \"Chess960\"]"));
}

/// Sends every file of a folder to one session, which must survive them all; the names of those that are refused.
fn import_all(folder: &Path) -> Vec<String> {
    let server = Server::start(&[]);
    let mut client = server.client();
    let mut refused = Vec::new();
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path());
    for path in entries.filter(|path| path.is_file()) {
        let bytes = fs::read(&path).expect("readable");
        let text = record::pgn::decode(&bytes).expect("a text");
        client.say(json!({"type": "pgn", "text": text}));
        let answer = client.wait("answer", |message| message["type"] == "game" || message["type"] == "refused");
        if answer["type"] == "refused" {
            refused.push(path.file_name().unwrap_or_default().to_string_lossy().into_owned());
        }
        client.settle();
    }
    refused
}

#[test]
fn files_are_imported_or_refused() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/pgn");
    // Of a game with an illegal move the moves before it are shown, but without a start there is nothing to show.
    assert_eq!(import_all(&folder), ["broken-start.pgn"]);
}

#[test]
#[ignore = "needs ../shared/data; run `cargo test --workspace -- --ignored shared`"]
fn shared_files_are_imported_or_refused() {
    let refused = import_all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/pgn"));
    assert_eq!(refused, Vec::<String>::new());
}
