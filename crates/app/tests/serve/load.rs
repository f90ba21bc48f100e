//! Many tabs, and tabs that go away.

use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::harness::{Server, mv};

#[test]
fn fifty_tabs_analyse_and_play_at_once() {
    let server = Server::start(&["--engines", "2", "--hash", "16", "--threads", "1"]);
    let mut clients: Vec<_> = (0..50).map(|_| server.client()).collect();
    for (index, client) in clients.iter_mut().enumerate() {
        // Different games, so that nobody lives on what another found.
        client.say(json!({"type": "new", "chess960": index * 19}));
        client.say(
            json!({"type": "settings", "threads": 1, "hash": 16, "lines": 1, "move_time": 0.05, "analysis_time": 600}),
        );
        if index % 2 == 0 {
            client.say(json!({"type": "analyse", "on": true}));
        } else {
            client.say(json!({"type": "play", "side": "black", "level": null}));
        }
    }
    for (index, client) in clients.iter_mut().enumerate() {
        if index % 2 == 0 {
            client.wait("analysis", |message| message["type"] == "analysis" && !message["lines"][0]["san"].is_null());
        } else {
            client.wait("reply", |message| {
                message["type"] == "game" && message["moves"].as_array().is_some_and(|moves| moves.len() == 1)
            });
        }
    }
    if let Some(used) = server.megabytes() {
        assert!(used < 400, "{used} MB for two engines of 16 MB");
    }
}

#[test]
fn a_closed_tab_stops_its_search() {
    let server = Server::start(&["--engines", "1"]);
    let mut client = server.client();
    client.say(json!({"type": "analyse", "on": true}));
    client.until("analysis");
    drop(client);
    // The only engine is free again, although nobody said that the search is over.
    let mut client = server.client();
    client.say(json!({"type": "play", "side": "white", "level": 1}));
    let begun = Instant::now();
    client.say(mv("d4"));
    client.wait("reply", |message| {
        message["type"] == "game" && message["moves"].as_array().is_some_and(|moves| moves.len() == 2)
    });
    assert!(begun.elapsed() < Duration::from_secs(20));
    drop(client);
    let Some(before) = server.ticks() else { return };
    sleep(Duration::from_millis(1500));
    let used = server.ticks().expect("as before") - before;
    assert!(used < 50, "nobody is there, yet {used} ticks were used");
}
