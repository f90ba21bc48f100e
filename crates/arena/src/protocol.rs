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

/// A point of a search at which the best move, or the mate announced with it, became another.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// When the line arrived.
    pub at: Instant,
    /// Nodes searched by then.
    pub nodes: u64,
    /// The first move of the line, as it was written.
    pub text: String,
    /// Moves to mate, if a mate was announced.
    pub mate: Option<i32>,
}

/// More changes of mind than any honest search has; beyond them the last step is overwritten.
const LONGEST_TRAIL: usize = 4096;

/// What the runner waits for.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Event {
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
        /// The best moves on the way there, each where it first was the best.
        trail: Vec<Step>,
    },
    /// It closed its output: it ended or crashed.
    Closed,
}

/// Reads lines and keeps what the `info` lines said until the move comes. It runs on the reader's thread, so that a chatty
/// engine never wakes the thread that plays the game.
#[derive(Default)]
pub(crate) struct Listener {
    info: Info,
    trail: Vec<Step>,
}

impl Listener {
    /// Understands one line that arrived at the given time.
    pub(crate) fn hear(&mut self, line: &str, at: Instant) -> Option<Event> {
        let mut words = line.split_ascii_whitespace();
        match words.next()? {
            "info" => {
                if let Some((text, mate)) = self.info.hear(words) {
                    self.leave_step(at, text, mate);
                }
                None
            }
            "bestmove" => {
                let text = words.next().unwrap_or("(none)").to_owned();
                let (info, trail) = (std::mem::take(&mut self.info), std::mem::take(&mut self.trail));
                Some(Event::BestMove { at, text, info, trail })
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

    fn leave_step(&mut self, at: Instant, text: &str, mate: Option<i32>) {
        let last = self.trail.last();
        if last.is_some_and(|last| last.text == text && last.mate == mate) {
            return;
        }
        if self.trail.len() == LONGEST_TRAIL {
            self.trail.pop();
        }
        self.trail.push(Step { at, nodes: self.info.nodes, text: text.to_owned(), mate });
    }
}

impl Info {
    /// Understands the words after `info`. Returns the best move and the mate it leads to, if the line tells of any.
    fn hear<'a>(&mut self, mut words: impl Iterator<Item = &'a str>) -> Option<(&'a str, Option<i32>)> {
        let (mut depth, mut score, mut bound, mut first_line) = (None, None, false, true);
        let (mut best, mut failed_low) = (None, false);
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
                "lowerbound" | "upperbound" => (bound, failed_low) = (true, word == "upperbound"),
                "pv" => {
                    best = words.next();
                    break;
                }
                // What follows is free text or moves, which may look like anything.
                "string" | "refutation" | "currline" => break,
                _ => {}
            }
        }
        // A bound is worth noting only as long as nothing better is known.
        if let Some(score) = score.filter(|_| first_line && (!bound || self.score.is_none() || self.is_bound)) {
            self.score = Some(score);
            self.is_bound = bound;
            self.depth = depth.unwrap_or(self.depth);
        }
        // A move that failed low is in doubt, and its score with it; one that failed high is at least as good as said.
        let mate = match score {
            Some(Score::Mate(moves)) => Some(moves),
            _ => None,
        };
        best.filter(|_| first_line && !failed_low).map(|text| (text, mate))
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
    fn changes_of_mind_are_remembered() {
        let now = Instant::now();
        let mut listener = Listener::default();
        for line in [
            "info depth 1 score cp 3 nodes 20 pv e2e4 e7e5",
            "info depth 2 score cp 4 nodes 50 pv e2e4",
            "info depth 3 score cp 9 nodes 70 lowerbound pv d2d4",
            "info depth 3 multipv 2 score cp 3 nodes 80 pv a2a3",
            "info depth 3 score cp -30 upperbound nodes 85 pv h2h3",
            "info depth 3 score mate 4 nodes 90 pv d2d4 d7d5",
            "info depth 3 score mate 4 nodes 95",
        ] {
            assert_eq!(listener.hear(line, now), None);
        }
        let Some(Event::BestMove { trail, .. }) = listener.hear("bestmove d2d4", now) else {
            panic!("a move was sent")
        };
        let found: Vec<_> = trail.iter().map(|step| (step.text.as_str(), step.nodes, step.mate)).collect();
        assert_eq!(found, [("e2e4", 20, None), ("d2d4", 70, None), ("d2d4", 90, Some(4))]);
        assert!(listener.trail.is_empty(), "the next move starts afresh");
    }

    #[test]
    fn a_flood_of_changes_is_bounded() {
        let mut listener = Listener::default();
        for number in 0..3 * LONGEST_TRAIL {
            listener.hear(&format!("info depth 1 nodes {number} pv move{number}"), Instant::now());
        }
        assert_eq!(listener.trail.len(), LONGEST_TRAIL);
        assert_eq!(listener.trail.last().map(|step| step.nodes), Some(3 * LONGEST_TRAIL as u64 - 1));
    }

    #[test]
    fn mates_are_beyond_all_evaluations() {
        assert!(Score::Mate(1).centipawns() > Score::Mate(9).centipawns());
        assert!(Score::Mate(9).centipawns() > Score::Centipawns(i32::MAX).centipawns());
        assert!(Score::Mate(0).centipawns() < Score::Mate(-9).centipawns());
        assert!(Score::Mate(-9).centipawns() < Score::Centipawns(i32::MIN).centipawns());
    }
}
