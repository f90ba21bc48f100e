//! Torture: seeded random messages, whole and damaged, from several tabs at once, and what must hold whatever is said: every answer
//! is a known kind of JSON object, every tab is answered in the end, memory stays bounded, and the page is still served. The suite takes
//! some seconds; `TORTURE_SECONDS=3600 TORTURE_SEED=7 cargo test -p stillwater --test serve torture -- --nocapture` takes an hour.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolkit::Rng;
use tungstenite::Message;

use crate::harness::{Client, Server};

/// What three tabs, an engine and its table may take, in megabytes.
const MEMORY: u64 = 300;
const KINDS: [&str; 19] = [
    "welcome",
    "game",
    "position",
    "status",
    "analysis",
    "evaluated",
    "review",
    "report",
    "hint",
    "threat",
    "tried",
    "why",
    "explored",
    "collected",
    "book",
    "preview",
    "games",
    "note",
    "refused",
];
const TEXTS: [&str; 12] = [
    "",
    "e2e4",
    "Nf3",
    "O-O-O",
    "e8=Q+",
    "Zz9\u{0}\u{202e}<script>",
    "1. e4 e5 2. Nf3 {a [%eval 0.3] comment} (2. f4 exf4) Nc6 $1 1-0",
    "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 Kd7 *",
    "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "8/8/8/8/8/8/8/8 w - - 0 1",
    "[Event \"x\"]\n[Event \"y\"]\n\n1. e4 Ke7 ( ( ) {",
];

struct Torturer(Rng);

impl Torturer {
    fn below(&mut self, count: usize) -> usize {
        self.0.below(count)
    }

    fn choose<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    fn flag(&mut self) -> bool {
        self.below(2) == 0
    }

    /// A node that there may be.
    fn node(&mut self) -> usize {
        let most = self.choose(&[2, 8, 40, usize::MAX >> 12]);
        self.below(most)
    }

    fn text(&mut self) -> &'static str {
        self.choose(&TEXTS)
    }

    /// A message as the page could send it, though perhaps at the wrong time.
    fn message(&mut self) -> Value {
        let node = self.node();
        match self.below(24) {
            0 => json!({"type": "new", "chess960": if self.flag() { Some(self.below(1000)) } else { None }}),
            1 => json!({"type": "fen", "fen": self.text()}),
            2 => json!({"type": "pgn", "text": self.text(), "index": self.below(3)}),
            3..=6 => {
                let squares = |square: usize| format!("{}{}", char::from(b'a' + (square % 8) as u8), 1 + square / 8);
                let text = squares(self.below(64)) + &squares(self.below(64));
                json!({"type": "move", "text": if self.flag() { &text } else { self.text() }})
            }
            7 => json!({"type": "goto", "node": node}),
            8 => json!({"type": "take_back"}),
            9 => json!({"type": "promote", "node": node}),
            10 => {
                let clock = json!({"white": self.choose(&[0.01, 1.0, 1e300, -5.0]), "black": 2.0, "increment": 0.01});
                let clock = if self.flag() { clock } else { Value::Null };
                let side = self.choose(&["white", "black"]);
                json!({"type": "play", "side": side, "level": self.choose(&[Some(1), Some(3), Some(99), None]), "clock": clock})
            }
            11 => json!({"type": self.choose(&["leave", "resign", "draw", "export"])}),
            12 => json!({"type": "analyse", "on": self.flag()}),
            13 => json!({"type": "evaluate", "on": self.flag()}),
            14 => json!({"type": "report", "format": self.choose(&["pgn", "html"])}),
            15 => json!({"type": self.choose(&["hint", "threat", "explore"]), "node": node}),
            16 => json!({"type": self.choose(&["try", "why"]), "node": node, "text": self.text()}),
            17 => json!({"type": "collect", "text": self.text(), "first": self.flag()}),
            18 => {
                let hex = self.choose(&["", "0", "zz", "463b96181691fc9c2b0000320000000000", "00"]);
                json!({"type": "book", "hex": hex, "first": self.flag(), "last": self.flag()})
            }
            19 => json!({"type": "annotate", "node": node, "comment": self.text(), "nags": [self.below(256)],
                "shapes": ["Ge2e4", self.text()]}),
            20 => json!({"type": "preview", "node": node, "moves": [self.text(), "e7e5"]}),
            21 => json!({"type": "settings", "threads": self.below(3), "hash": self.below(9), "lines": self.below(7),
                "move_time": self.choose(&[0.01, 0.05, -1.0]), "analysis_time": self.choose(&[0.05, 0.2, 1e18])}),
            22 => json!([node]),
            _ => json!({"type": self.text()}),
        }
    }

    /// The same with some bytes changed, left out or written twice, as text where it still is one.
    fn damaged(&mut self, message: &Value) -> Message {
        let mut bytes = message.to_string().into_bytes();
        for _ in 0..=self.below(4) {
            let place = self.below(bytes.len().max(1));
            match self.below(4) {
                0 if place < bytes.len() => bytes[place] = self.below(256) as u8,
                1 if place < bytes.len() => drop(bytes.drain(place..(place + 1 + self.below(9)).min(bytes.len()))),
                2 => bytes.extend_from_within(place.min(bytes.len())..),
                _ => bytes.insert(place.min(bytes.len()), self.choose(b"{}[]\"\\:,0e-.\n")),
            }
        }
        String::from_utf8(bytes).map_or_else(|error| Message::binary(error.into_bytes()), Message::text)
    }
}

/// Waits until everything asked is answered; all that is heard meanwhile must be of a known kind.
fn settle(client: &mut Client) {
    client.say(json!({"type": "preview", "node": 0, "moves": ["0000"]}));
    client.say(json!({"type": "preview", "node": 0, "moves": []}));
    client.wait("preview", |message| {
        let kind = message["type"].as_str().expect("a type");
        assert!(KINDS.contains(&kind), "{message}");
        kind == "preview" && message["boards"].as_array().is_some_and(Vec::is_empty)
    });
}

#[test]
fn torture() {
    let number = |name: &str, default| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default);
    let (seconds, seed) = (number("TORTURE_SECONDS", 8), number("TORTURE_SEED", 18));
    let end = Instant::now() + Duration::from_secs(seconds);
    let server = Server::start(&["--engines", "2", "--hash", "1", "--threads", "1"]);
    let mut torturer = Torturer(Rng::new(seed));
    let mut clients: Vec<Client> = (0..3).map(|_| server.client()).collect();
    let (mut messages, mut largest) = (0, 0);
    while Instant::now() < end {
        let tab = torturer.below(clients.len());
        let client = &mut clients[tab];
        for _ in 0..1 + torturer.below(12) {
            let message = torturer.message();
            messages += 1;
            match torturer.below(4) {
                0 => client.send(torturer.damaged(&message)),
                _ => client.say(message),
            }
        }
        settle(client);
        // A tab is closed now and then, politely or not.
        if torturer.below(60) == 0 {
            clients[tab] = server.client();
        }
        let used = server.megabytes().unwrap_or(0);
        largest = largest.max(used);
        assert!(used < MEMORY, "{used} MB after {messages} messages, seed {seed}");
    }
    assert_eq!(server.get("/", &[]).0, 200);
    println!("{messages} messages, at most {largest} MB, seed {seed}");
}
