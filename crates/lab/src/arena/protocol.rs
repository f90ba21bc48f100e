//! The few lines of UCI that a runner must understand. Everything else an engine says is passed over: an engine that is
//! wordy, or new, or wrong in things that do not matter, can still play.

use std::time::Instant;

/// How an engine judges its position, from its own side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Moves to mate; zero or less if the engine is the one mated.
    Mate(i32),
}

impl Score {
    /// One number to compare with the bounds of adjudication: a mate counts as more than any evaluation.
    #[must_use]
    pub fn centipawns(self) -> i32 {
        match self {
            Score::Centipawns(value) => value.clamp(-90_000, 90_000),
            Score::Mate(moves) if moves > 0 => 100_000 - moves.min(5_000),
            Score::Mate(moves) => -100_000 - moves.max(-5_000),
        }
    }
}

/// What the engine last said of its search.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct Info {
    /// The score of the first line; from a completed search if there was any, else from a bound.
    pub score: Option<Score>,
    /// The depth that score belongs to.
    pub depth: u32,
    /// Nodes searched for this move.
    pub nodes: u64,
    is_bound: bool,
}

/// What the runner waits for.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// The engine's own name.
    Name(String),
    /// An option it has.
    Option(String),
    /// `uciok`.
    UciOk,
    /// `readyok`.
    ReadyOk,
    /// Its move.
    BestMove {
        /// When the line arrived.
        at: Instant,
        /// The move as it was written.
        text: String,
        /// The last that was said of the search.
        info: Info,
    },
    /// It closed its output: it ended or crashed.
    Closed,
}

/// Reads lines and keeps what the `info` lines said until the move comes. It runs on the reader's thread, so that a chatty
/// engine never wakes the thread that plays the game.
#[derive(Default)]
pub struct Listener {
    info: Info,
}

impl Listener {
    /// Understands one line that arrived at the given time.
    pub fn hear(&mut self, line: &str, at: Instant) -> Option<Event> {
        let mut words = line.split_ascii_whitespace();
        match words.next()? {
            "info" => {
                self.info.hear(words);
                None
            }
            "bestmove" => {
                let text = words.next().unwrap_or("(none)").to_owned();
                Some(Event::BestMove { at, text, info: std::mem::take(&mut self.info) })
            }
            "uciok" => Some(Event::UciOk),
            "readyok" => Some(Event::ReadyOk),
            "id" if words.next() == Some("name") => Some(Event::Name(words.collect::<Vec<_>>().join(" "))),
            "option" => {
                let name: Vec<_> =
                    words.skip_while(|&word| word != "name").skip(1).take_while(|&w| w != "type").collect();
                (!name.is_empty()).then(|| Event::Option(name.join(" ")))
            }
            _ => None,
        }
    }
}

impl Info {
    fn hear<'a>(&mut self, mut words: impl Iterator<Item = &'a str>) {
        let (mut depth, mut score, mut bound, mut first_line) = (None, None, false, true);
        while let Some(word) = words.next() {
            let mut number = || words.next().and_then(|word| word.parse::<i64>().ok());
            match word {
                "depth" => depth = number().and_then(|depth| u32::try_from(depth).ok()),
                "nodes" => self.nodes = number().and_then(|nodes| u64::try_from(nodes).ok()).unwrap_or(self.nodes),
                "multipv" => first_line = number() == Some(1),
                "score" => {
                    let kind = words.next();
                    let value = words.next().and_then(|word| word.parse::<i32>().ok());
                    score = match (kind, value) {
                        (Some("cp"), Some(value)) => Some(Score::Centipawns(value)),
                        (Some("mate"), Some(moves)) => Some(Score::Mate(moves)),
                        _ => None,
                    };
                }
                "lowerbound" | "upperbound" => bound = true,
                // What follows is free text or moves, which may look like anything.
                "pv" | "string" | "refutation" | "currline" => break,
                _ => {}
            }
        }
        // A bound is worth noting only as long as nothing better is known.
        if let Some(score) = score.filter(|_| first_line && (!bound || self.score.is_none() || self.is_bound)) {
            self.score = Some(score);
            self.is_bound = bound;
            self.depth = depth.unwrap_or(self.depth);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(lines: &[&str]) -> Info {
        let mut listener = Listener::default();
        for line in lines {
            assert_eq!(listener.hear(line, Instant::now()), None, "{line}");
        }
        listener.info
    }

    #[test]
    fn info_lines() {
        let info = after(&[
            "info depth 12 seldepth 20 multipv 1 score cp -31 nodes 1000 nps 5 time 10 pv e2e4 e7e5",
            "info depth 13 score cp 99 lowerbound nodes 1500",
            "info depth 12 multipv 2 score cp 500 nodes 1600 pv d2d4",
            "info depth 13 currmove e2e4 currmovenumber 1",
            "info string score cp 12345 depth 99 nodes 1",
        ]);
        assert_eq!((info.score, info.depth, info.nodes), (Some(Score::Centipawns(-31)), 12, 1600));
        let info = after(&["info depth 3 score mate -2 upperbound", "info depth 4 score mate -3 lowerbound"]);
        assert_eq!((info.score, info.depth), (Some(Score::Mate(-3)), 4));
        let info = after(&["info depth x score cp", "info score mate", "info nodes -5", "", "garbage \u{fffd}"]);
        assert_eq!(info, Info::default());
    }

    #[test]
    fn events() {
        let now = Instant::now();
        let mut listener = Listener::default();
        assert_eq!(listener.hear("id name Some  Engine 1", now), Some(Event::Name("Some Engine 1".into())));
        assert_eq!(listener.hear("option name Clear Hash type button", now), Some(Event::Option("Clear Hash".into())));
        listener.hear("info depth 5 score cp 7", now);
        let Some(Event::BestMove { text, info, .. }) = listener.hear("bestmove e2e4 ponder e7e5", now) else {
            panic!("a move was sent")
        };
        assert_eq!((text.as_str(), info.depth), ("e2e4", 5));
        assert_eq!(listener.info, Info::default(), "the next move starts afresh");
    }

    #[test]
    fn mates_are_beyond_all_evaluations() {
        assert!(Score::Mate(1).centipawns() > Score::Mate(9).centipawns());
        assert!(Score::Mate(9).centipawns() > Score::Centipawns(i32::MAX).centipawns());
        assert!(Score::Mate(0).centipawns() < Score::Mate(-9).centipawns());
        assert!(Score::Mate(-9).centipawns() < Score::Centipawns(i32::MIN).centipawns());
    }
}
