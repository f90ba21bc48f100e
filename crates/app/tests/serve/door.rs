//! Who is let in, and what is done about those who should not be.

use std::net::TcpListener;

use serde_json::json;
use tungstenite::Message;

use crate::common::run;
use crate::harness::{Server, mv};

#[test]
fn pages_from_elsewhere_are_refused() {
    let server = Server::start(&["--name", "my.box"]);
    let own = format!("http://{}", server.address);
    let port = server.address.rsplit(':').next().expect("a port");
    assert!(server.knock(Some(&own), None).is_ok());
    assert!(server.knock(None, None).is_ok(), "programs have no origin");
    let local = format!("localhost:{port}");
    assert!(server.knock(Some(&format!("http://{local}")), Some(&local)).is_ok());
    assert!(server.knock(Some("http://my.box"), Some("my.box")).is_ok());
    for origin in
        ["http://evil.example", "null", "http://127.0.0.1", "https://evil.example:8064", &format!("http://{local}")]
    {
        assert_eq!(server.knock(Some(origin), None).err(), Some(403), "{origin}");
    }
    // A name that points here is not ours for that.
    let rebound = format!("evil.example:{port}");
    assert_eq!(server.knock(Some(&format!("http://{rebound}")), Some(&rebound)).err(), Some(403));
    assert_eq!(server.get("/", &[("Host", &rebound)]).0, 403);
    assert_eq!(server.get("/", &[("Host", &local)]).0, 200);
}

#[test]
fn garbage_on_the_socket_changes_nothing() {
    let server = Server::start(&[]);
    let mut client = server.client();
    client.say(mv("e4"));
    client.until("status");
    let deep = "[".repeat(100_000);
    let garbage = [
        "",
        "hello",
        "{",
        "null",
        "[]",
        "{\"type\":7}",
        "{\"type\":\"move\"}",
        "{\"type\":\"goto\",\"node\":1e99}",
        "\u{0}\u{ffff}",
        &deep,
    ];
    for text in garbage {
        client.send(Message::text(text));
        client.until("refused");
    }
    client.send(Message::binary(vec![0, 255, 7]));
    client.until("refused");
    for message in [
        json!({"type": "goto", "node": 999}),
        json!({"type": "promote", "node": 999}),
        json!({"type": "preview", "node": 999, "moves": ["e2e4"]}),
        json!({"type": "fen", "fen": "8/8/8/8/8/8/8/8 w - - 0 1"}),
        json!({"type": "fen", "fen": "x".repeat(10_000)}),
        json!({"type": "move", "text": "é".repeat(10_000)}),
        json!({"type": "new", "chess960": 65535}),
    ] {
        let reason = client.refusal(message);
        assert!(!reason.is_empty() && reason.len() < 2000, "{reason}");
    }
    let position = client.position_after(mv("e5"));
    assert!(position["fen"].as_str().expect("a FEN").contains("4p3/4P3"), "the game is as it was: {position}");
}

#[test]
fn those_who_only_talk_nonsense_are_let_go() {
    let server = Server::start(&[]);
    let mut client = server.client();
    for _ in 0..60 {
        // The session may have ended already.
        let _ = client.socket.send(Message::text("nonsense"));
    }
    assert!(client.end().is_none_or(|code| u16::from(code) == 1008));
    let mut client = server.client();
    let _ = client.socket.send(Message::text("x".repeat(2 << 20)));
    assert!(client.end().is_none_or(|code| u16::from(code) == 1009));
    // Neither HTTP nor WebSocket.
    server.raw(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 hello\r\n\r\n");
    server.raw(format!("GET /ws HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", server.address).as_bytes());
    assert_eq!(server.get("/", &[]).0, 200);
}

#[test]
fn idle_sessions_are_let_go() {
    let server = Server::start(&["--idle", "1", "--sessions", "1"]);
    let mut client = server.client();
    assert_eq!(server.knock(None, None).err(), Some(503), "there is one place");
    assert_eq!(client.end().map(u16::from), Some(4000));
    drop(client);
    for _ in 0..100 {
        if server.knock(None, None).is_ok() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("the place is not given back");
}

fn complaint(arguments: &[&str]) -> String {
    let said = run(&[&["serve"], arguments].concat());
    assert!(!said.ok && said.out.is_empty(), "{arguments:?}");
    said.err
}

#[test]
fn a_port_that_cannot_be_used_is_told() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let text = complaint(&["--port", &port]);
    assert!(
        text.contains(&format!("127.0.0.1:{port}"))
            && text.contains("another program uses this port")
            && text.contains("--port"),
        "{text}"
    );
    assert_eq!(text.lines().count(), 1, "{text}");
    for port in ["99999", "-1", "x", ""] {
        assert!(complaint(&["--port", port]).contains("--port"), "{port}");
    }
    assert!(complaint(&["--host", "nowhere"]).contains("--host"));
    assert!(complaint(&["--port", "0", "--host", "192.0.2.1"]).contains("no such address"));
    assert!(complaint(&["--engines", "0"]).contains("--engines"));
}

/// A program that stands in for the browser writes down what it was asked to show.
#[cfg(target_os = "linux")]
#[test]
fn the_browser_is_opened_if_asked() {
    use std::os::unix::fs::PermissionsExt as _;
    use std::time::{Duration, Instant};

    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("opener");
    std::fs::create_dir_all(&folder).expect("a folder");
    let (program, told) = (folder.join("xdg-open"), folder.join("told"));
    let _ = std::fs::remove_file(&told);
    std::fs::write(&program, "#!/bin/sh\necho \"$1\" > \"$(dirname \"$0\")/told\"\n").expect("writable");
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("allowed");
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default());
    let server = Server::start_with(&["--open"], &[("PATH", &path)]);
    let deadline = Instant::now() + Duration::from_secs(20);
    let asked = loop {
        match std::fs::read_to_string(&told) {
            Ok(text) if text.ends_with('\n') => break text,
            _ => assert!(Instant::now() < deadline, "nobody was asked"),
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    assert_eq!(asked.trim(), format!("http://{}/", server.address));
}
