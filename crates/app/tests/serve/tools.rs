//! Reviews, explanations, explorers, clocks and notes.

use serde_json::{Value, json};

use crate::common::{Folder, run};
use crate::harness::{Server, mv};

const BLUNDER: &str = "[White \"Anna\"]\n[Black \"Bea\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n";

#[test]
fn a_game_is_reviewed_and_written_as_annotate_would() {
    let server = Server::start(&[]);
    let mut client = server.client();
    client.say(json!({"type": "pgn", "text": BLUNDER}));
    client.until("game");
    assert!(client.refusal(json!({"type": "report", "format": "pgn"})).contains("review the game first"));
    assert!(client.refusal(json!({"type": "try", "node": 0, "text": "e4"})).contains("review the game first"));
    client.say(json!({"type": "evaluate", "on": true}));
    let review = client.until("review");
    let moves = review["moves"].as_array().expect("moves");
    assert_eq!(moves.len(), 7);
    let blunder = &moves[5];
    assert_eq!((&blunder["glyph"], &blunder["name"], &blunder["nag"]), (&json!("??"), &json!("Blunder"), &json!(4)));
    assert!(blunder["best"]["san"][0].is_string() && blunder["text"].is_string(), "{blunder}");
    assert!(blunder["loss"].as_i64() > Some(300), "{blunder}");
    assert!(moves[6]["best"].is_null() && moves[6]["glyph"].is_null(), "mate was best, and plain: {review}");
    let [white, black] = ["white", "black"].map(|side| review[side]["accuracy"].as_f64().expect("accuracy"));
    assert!(white > black, "{review}");
    assert_eq!((&review["black"]["moves"], &review["black"]["marks"][4]["count"]), (&json!(3), &json!(1)));
    assert_eq!(review["white"]["phases"][0]["name"], "opening");
    // The same judgement in a text to keep.
    client.say(json!({"type": "report", "format": "pgn"}));
    let text = client.until("report")["text"].as_str().expect("a text").to_owned();
    assert!(text.contains("Nf6 $4") && text.contains("[BlackAccuracy \"") && text.contains("[%eval"), "{text}");
    client.say(json!({"type": "report", "format": "html"}));
    let page = client.until("report")["text"].as_str().expect("a text").to_owned();
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("Anna"), "{page}");
    // Somebody looks for the better move.
    let before = moves[4]["node"].clone();
    let best = blunder["best"]["san"][0].clone();
    client.say(json!({"type": "try", "node": before, "text": best}));
    assert_eq!(client.until("tried")["verdict"], "best");
    client.say(json!({"type": "try", "node": before, "text": "a6"}));
    let tried = client.until("tried");
    assert_eq!((&tried["verdict"], &tried["evaluation"]["mate"]), (&json!("worse"), &json!(1)), "{tried}");
    // Another game has no review.
    client.say(json!({"type": "new"}));
    client.until("game");
    assert!(client.refusal(json!({"type": "report", "format": "pgn"})).contains("review"));
}

#[test]
fn hints_threats_and_reasons() {
    let server = Server::start(&[]);
    let mut client = server.client();
    client.say(json!({"type": "fen", "fen": "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 3 3"}));
    client.until("game");
    client.say(json!({"type": "threat", "node": 0}));
    let threat = client.until("threat");
    assert_eq!((&threat["san"], &threat["uci"]), (&json!("Qxf7#"), &json!("f3f7")));
    client.say(json!({"type": "hint", "node": 0}));
    assert!(client.until("hint")["san"].is_string());
    client.say(json!({"type": "why", "node": 0, "text": "h6"}));
    let why = client.until("why");
    assert_eq!(
        (&why["chosen"]["san"], &why["is_best"], &why["judgement"]),
        (&json!("h6"), &json!(false), &json!("blunder"))
    );
    let sentences = why["sentences"].as_array().expect("sentences");
    assert!(sentences.iter().any(|said| said["text"].as_str().is_some_and(|text| text.contains("Qxf7"))), "{why}");
    let embedded = engine::eval::embedded();
    let is_told = |part: &str| !why["forecast"][part].is_null();
    assert_eq!(is_told("moves"), embedded.as_ref().is_some_and(|network| network.forecast().is_some()), "{why}");
    assert_eq!(is_told("band"), embedded.as_ref().is_some_and(|network| network.confidence().is_some()), "{why}");
    assert!(client.refusal(json!({"type": "why", "node": 0, "text": "Ke3"})).contains("Ke3"));
    assert!(client.refusal(json!({"type": "why", "node": 7, "text": "h6"})).contains("gone"));
    // Nobody can pass in check.
    client.say(json!({"type": "fen", "fen": "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"}));
    client.until("game");
    client.say(json!({"type": "threat", "node": 0}));
    assert!(client.until("threat")["uci"].is_null());
}

#[test]
fn positions_are_repaired_with_a_note() {
    let server = Server::start(&[]);
    let mut client = server.client();
    client.say(json!({"type": "fen", "fen": "4k3/8/8/8/8/8/4P3/4K3 w KQ - 0 0"}));
    assert!(client.until("note")["text"].as_str().is_some_and(|text| text.len() > 10));
    assert_eq!(client.until("game")["start"], "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    assert!(client.refusal(json!({"type": "fen", "fen": "8/8/8/8/8/8/4P3/4K3 w - - 0 1"})).contains("no position"));
}

#[test]
fn questions_do_not_end_an_analysis() {
    let server = Server::start(&[]);
    let mut client = server.client();
    client.say(json!({"type": "analyse", "on": true}));
    client.until("analysis");
    client.say(json!({"type": "hint", "node": 0}));
    client.until("hint");
    client.until("analysis");
}

fn explored(client: &mut crate::harness::Client, node: u64) -> Value {
    client.say(json!({"type": "explore", "node": node}));
    client.until("explored")
}

#[test]
fn games_are_explored() {
    let folder = Folder::new("explored");
    let games = folder.file("games.pgn", "1. e4 e5 1-0\n\n1. e4 c5 1/2-1/2\n\n1. d4 d5 0-1\n");
    let server = Server::start(&["--games", &games]);
    let mut client = server.client();
    let facts = explored(&mut client, 0);
    assert_eq!(facts["games"]["count"], 3);
    let first = &facts["games"]["moves"][0];
    assert_eq!(
        (&first["san"], &first["white"], &first["draws"], &first["black"]),
        (&json!("e4"), &json!(1), &json!(1), &json!(0))
    );
    assert!(facts["book"].is_null() && facts["tables"].is_null());
    // One's own games take their place.
    client.say(json!({"type": "collect", "text": "1. c4 1-0\n\n1. c4 *\n", "first": true}));
    let told = client.until("collected");
    assert_eq!((&told["games"], &told["left_out"]), (&json!(1), &json!(1)));
    client.say(json!({"type": "collect", "text": "1. c4 0-1\n"}));
    assert_eq!(client.until("collected")["games"], 2);
    let facts = explored(&mut client, 0);
    assert_eq!((&facts["games"]["moves"][0]["san"], &facts["games"]["moves"][0]["black"]), (&json!("c4"), &json!(1)));
    assert_eq!(explored(&mut server.client(), 0)["games"]["count"], 3, "nobody else's");
    assert!(client.refusal(json!({"type": "explore", "node": 5})).contains("gone"));
    client.say(mv("c4"));
    let position = client.wait("c4", |message| message["type"] == "position" && message["node"] == 1);
    assert_eq!(position["opening"], "A10 English Opening");
}

#[test]
fn a_book_is_shown_and_a_bad_one_refused() {
    let mut builder = record::polyglot::Builder::default();
    let start = chess::Position::start();
    builder.add(&start, start.parse_san("d4").expect("legal"), 2);
    let folder = Folder::new("shown");
    let server = Server::start(&["--book", &folder.file("book.bin", builder.finish(1).bytes())]);
    let facts = explored(&mut server.client(), 0);
    assert_eq!((&facts["book"][0]["san"], facts["book"][0]["percent"].as_f64()), (&json!("d4"), Some(100.0)));
    // A user's own book takes its place.
    let mut builder = record::polyglot::Builder::default();
    builder.add(&start, start.parse_san("c4").expect("legal"), 2);
    let hex: String = builder.finish(1).bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    let mut client = server.client();
    client.say(json!({"type": "book", "hex": hex, "first": true, "last": true}));
    let told = client.until("book");
    assert_eq!((&told["moves"], &told["positions"]), (&json!(1), &json!(1)));
    assert_eq!(explored(&mut client, 0)["book"][0]["san"], "c4");
    assert!(client.refusal(json!({"type": "book", "hex": "00", "first": true, "last": true})).contains("no Polyglot"));
    assert_eq!(explored(&mut client, 0)["book"][0]["san"], "d4", "what was refused is gone");
    let bad = folder.file("bad.bin", "no book at all");
    run(&["serve", "--port", "0", "--book", &bad]).bad("no Polyglot book");
}

#[test]
fn clocks_run_and_run_out() {
    let server = Server::start(&[]);
    let mut client = server.client();
    client.say(
        json!({"type": "play", "side": "white", "level": 1, "clock": {"white": 0.3, "black": 60, "increment": 0}}),
    );
    let status =
        client.wait("clocks", |message| message["type"] == "status" && message["play"]["clock"]["black"] == 60.0);
    assert!(status["play"]["clock"]["running"].is_null(), "nobody has moved: {status}");
    client.say(mv("e4"));
    let status = client.wait("the end", |message| message["type"] == "status" && message["finished"].is_object());
    assert_eq!((&status["finished"]["winner"], &status["play"]), (&json!("black"), &Value::Null));
    assert_eq!(status["finished"]["text"], "White has no time left");
    client.say(json!({"type": "export"}));
    let game = client.wait("the game", |message| message["type"] == "game" && message["result"] == "0-1");
    assert!(game["moves"][0]["clock"].is_number(), "{game}");
    assert!(client.refusal(json!({"type": "draw"})).contains("no game"));
}

#[test]
fn notes_are_kept_in_the_game() {
    let server = Server::start(&[]);
    let mut client = server.client();
    client.say(mv("e4"));
    client.wait("e4", |message| message["type"] == "position" && message["node"] == 1);
    let note =
        json!({"type": "annotate", "node": 1, "comment": "fine } {", "nags": [1, 14], "shapes": ["Ge2e4", "Rd5"]});
    client.say(note);
    let game = client.until("game");
    let noted = &game["moves"][0];
    assert_eq!((&noted["nags"], &noted["shapes"]), (&json!([1, 14]), &json!(["Rd5", "Ge2e4"])), "{game}");
    let text = game["pgn"].as_str().expect("a text").replace('\n', " ");
    assert!(text.contains("e4 $1 $14 {[%csl Rd5] [%cal Ge2e4] fine ) (}"), "{text}");
    client.say(json!({"type": "pgn", "text": text}));
    assert_eq!(client.until("game")["moves"][0]["shapes"], json!(["Rd5", "Ge2e4"]));
    for (shape, reason) in [("Xe2e4", "written as"), ("Ge2e9", "written as")] {
        let note = json!({"type": "annotate", "node": 0, "shapes": [shape]});
        assert!(client.refusal(note).contains(reason), "{shape}");
    }
    assert!(client.refusal(json!({"type": "annotate", "node": 99, "comment": ""})).contains("gone"));
}
