//! What hostile or careless tabs can take: memory, places and time.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::harness::Server;

/// The limit of `docs/SERVE.md` for a tab, in megabytes.
const TAB: u64 = 8;
/// The limit for reading PGN, in megabytes, however many tabs do it.
const READERS: u64 = 128;

#[test]
fn evaluating_a_long_game_takes_little_memory() {
    let server = Server::start(&["--engines", "1", "--hash", "1", "--threads", "1"]);
    let pgn = format!("1. {}", "Nf3 Nf6 Ng1 Ng8 ".repeat(990));
    let mut clients: Vec<_> = (0..10).map(|_| server.client()).collect();
    // The engine is in use before it is measured.
    clients[0]
        .say(json!({"type": "settings", "threads": 1, "hash": 1, "lines": 1, "move_time": 1, "analysis_time": 60}));
    clients[0].say(json!({"type": "evaluate", "on": true}));
    clients[0].until("evaluated");
    let Some(before) = server.megabytes() else { return };
    for client in &mut clients {
        client
            .say(json!({"type": "settings", "threads": 1, "hash": 1, "lines": 1, "move_time": 1, "analysis_time": 60}));
        client.say(json!({"type": "pgn", "text": pgn}));
        for _ in 0..8 {
            client.say(json!({"type": "evaluate", "on": true}));
            client.say(json!({"type": "evaluate", "on": false}));
        }
        client.say(json!({"type": "evaluate", "on": true}));
        client.settle();
    }
    clients[0].wait("judgement of a long game", |message| message["type"] == "evaluated" && message["all"] == 3961);
    let used = server.megabytes().expect("as before") - before;
    let most = TAB * u64::try_from(clients.len()).expect("few");
    assert!(used < most, "{used} MB for {} tabs", clients.len());
}

#[test]
fn large_texts_take_little_memory() {
    let server = Server::start(&["--engines", "1", "--hash", "1", "--threads", "1"]);
    let mut clients: Vec<_> = (0..10).map(|_| server.client()).collect();
    let Some(before) = server.megabytes() else { return };
    let texts = [
        format!("1. e4 {{{}}} *", "comment ".repeat(120_000)),
        "1. e4 e5 (1... c5) ".repeat(50_000),
        "Nf3 Nf6 Ng1 Ng8 ".repeat(60_000),
        format!("[Event \"{}\"]\n\n1. e4 *", "x".repeat(900_000)),
        "[White \"a\"]\n\n1. e4 *\n\n".repeat(25_000),
    ];
    for client in &mut clients {
        for text in &texts {
            client.say(json!({"type": "pgn", "text": text}));
            client.settle();
        }
    }
    let used = server.megabytes().expect("as before") - before;
    assert!(used < TAB * 10 + READERS, "{used} MB for ten tabs");
}

#[test]
fn a_game_is_read_while_all_engines_are_busy_and_keeps_nobody_waiting() {
    let server = Server::start(&["--engines", "1", "--hash", "1", "--threads", "1"]);
    let mut busy = server.client();
    busy.say(json!({"type": "settings", "threads": 1, "hash": 1, "lines": 1, "move_time": 1, "analysis_time": 600}));
    busy.say(json!({"type": "analyse", "on": true}));
    busy.until("analysis");
    let mut hostile = server.client();
    hostile.say(json!({"type": "pgn", "text": "[a \"".repeat(50_000)}));
    let begun = Instant::now();
    assert_eq!(server.get("/", &[]).0, 200);
    hostile.until("refused");
    hostile.say(json!({"type": "pgn", "text": "1. e4 e5 *"}));
    hostile.wait("game", |message| message["type"] == "game" && message["moves"][1]["san"] == "e5");
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
}

#[test]
fn half_requests_are_let_go() {
    let server = Server::start(&["--sessions", "1"]);
    // More than there are places, so that the next one has to wait for one of these to be let go.
    let mut half: Vec<_> = (0..300)
        .map(|_| {
            let mut stream = TcpStream::connect(&server.address).expect("connects");
            stream.write_all(b"GET / HTTP/1.1\r\nHost: 127").expect("sends");
            stream
        })
        .collect();
    let silent = TcpStream::connect(&server.address).expect("connects");
    let begun = Instant::now();
    assert_eq!(server.get("/", &[]).0, 200);
    assert!(begun.elapsed() < Duration::from_secs(25), "{:?}", begun.elapsed());
    half.push(silent);
    for stream in &mut half {
        stream.set_read_timeout(Some(Duration::from_secs(25))).expect("a timeout");
        let mut answer = Vec::new();
        match stream.read_to_end(&mut answer) {
            Ok(_) => assert!(!answer.starts_with(b"HTTP/1.1 200"), "half a request was answered"),
            Err(error) => assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset, "{error}"),
        }
    }
}

#[test]
fn every_answer_is_protected() {
    let server = Server::start(&[]);
    for (path, headers, status) in [
        ("/", vec![], 200),
        ("/nothing", vec![], 404),
        ("/", vec![("Host", "evil.example")], 403),
        ("/ws", vec![], 400),
    ] {
        let (code, head, _) = server.get(path, &headers);
        assert_eq!(code, status, "{path}");
        for header in [
            "content-security-policy: default-src 'none'",
            "x-content-type-options: nosniff",
            "no-store",
            "no-referrer",
        ] {
            assert!(head.contains(header), "{path}: {head}");
        }
    }
}
