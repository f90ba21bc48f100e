//! Collects what an engine reports while it thinks, until its move arrives. The `uci` crate parses the lines; this file
//! adds arrival times and keeps what the runner needs of a search. Lines that cannot be parsed are ignored, so an
//! engine with extra or malformed output can still play.

use std::collections::VecDeque;
use std::time::Instant;

use uci::{Bound, Info, ParseError, Reply, Score, UciMove};

/// The engine's last report on its search.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub(crate) struct Said {
    /// The score of the first line; exact if the engine gave an exact score, else a bound.
    pub(crate) score: Option<Score>,
    /// The depth that score belongs to.
    pub(crate) depth: u32,
    /// Nodes searched for this move.
    pub(crate) nodes: u64,
    is_bound: bool,
}

impl Said {
    /// Whether the score is exact and not a bound.
    pub(crate) fn is_exact(&self) -> bool {
        !self.is_bound
    }
}

/// A line of play with its score.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct PvInfo {
    /// Its MultiPV number, from 1.
    pub(crate) number: u32,
    pub(crate) score: Score,
    pub(crate) bound: Bound,
    pub(crate) moves: Vec<UciMove>,
}

/// More lines than any normal search prints; beyond that the oldest are dropped.
const MOST_LINES: usize = 1024;

/// Longer lines of play are truncated.
const LONGEST_PLAY: usize = 256;

/// A point in a search at which the best move, or the mate announced with it, changed.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Step {
    /// When the line arrived.
    pub(crate) at: Instant,
    /// Nodes searched by then.
    pub(crate) nodes: u64,
    /// The first move of the line.
    pub(crate) best: UciMove,
    /// Moves to mate, if a mate was announced.
    pub(crate) mate: Option<i32>,
}

/// More changes of mind than any normal search has; beyond that the last step is overwritten.
const LONGEST_TRAIL: usize = 4096;

/// How a search ended.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Answer {
    /// When the line arrived.
    pub(crate) at: Instant,
    /// The move, not yet verified; if it does not look like a move, the text the engine sent.
    pub(crate) best: Result<UciMove, String>,
    /// The reply it expects, if it named one.
    pub(crate) ponder: Option<UciMove>,
    /// The last report on the search.
    pub(crate) said: Said,
    /// The best moves along the way, each from when it first became best.
    pub(crate) trail: Vec<Step>,
    /// The lines of play reported, in order.
    pub(crate) lines: VecDeque<PvInfo>,
}

/// What the runner waits for.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Event {
    /// A line that belongs to no search.
    Reply(Reply),
    /// A move.
    Answer(Answer),
    /// The engine closed its output: it ended or crashed.
    Closed,
}

/// Reads lines and keeps the contents of the `info` lines until the move arrives. It runs on the reader's thread, so
/// that a chatty engine never wakes the thread that plays the game.
#[derive(Default)]
pub(crate) struct Listener {
    said: Said,
    trail: Vec<Step>,
    lines: VecDeque<PvInfo>,
}

impl Listener {
    /// Handles one line that arrived at the given time.
    pub(crate) fn hear(&mut self, line: &str, at: Instant) -> Option<Event> {
        match line.parse() {
            Ok(Reply::Info(info)) => {
                self.note(&info, at);
                self.keep_line(info);
                None
            }
            Ok(Reply::BestMove { best, ponder }) => Some(self.answer(at, best.ok_or_else(|| "(none)".into()), ponder)),
            // Only `bestmove` can fail on a move, and a move that cannot be parsed is still an answer.
            Err(ParseError::Move(text)) => Some(self.answer(at, Err(text), None)),
            Ok(reply) => Some(Event::Reply(reply)),
            Err(_) => None,
        }
    }

    fn answer(&mut self, at: Instant, best: Result<UciMove, String>, ponder: Option<UciMove>) -> Event {
        let Listener { said, trail, lines } = std::mem::take(self);
        Event::Answer(Answer { at, best, ponder, said, trail, lines })
    }

    fn note(&mut self, info: &Info, at: Instant) {
        self.said.nodes = info.nodes.unwrap_or(self.said.nodes);
        if info.multipv.is_some_and(|line| line != 1) {
            return;
        }
        let (score, bound) = info.score.map_or((None, Bound::Exact), |(score, bound)| (Some(score), bound));
        let is_bound = bound != Bound::Exact;
        // Keep a bound only until an exact score is known.
        if score.is_some() && (!is_bound || self.said.score.is_none() || self.said.is_bound) {
            let depth = info.depth.unwrap_or(self.said.depth);
            self.said = Said { score, depth, is_bound, ..self.said };
        }
        let mate = match score {
            Some(Score::Mate(moves)) => Some(moves),
            _ => None,
        };
        // A move that failed low is in doubt, and so is its score; one that failed high is at least as good as
        // reported.
        if let Some(&best) = info.pv.first().filter(|_| bound != Bound::Upper) {
            self.leave_step(Step { at, nodes: self.said.nodes, best, mate });
        }
    }

    fn keep_line(&mut self, info: Info) {
        let Some((score, bound)) = info.score.filter(|_| !info.pv.is_empty()) else { return };
        let mut moves = info.pv;
        moves.truncate(LONGEST_PLAY);
        if self.lines.len() == MOST_LINES {
            self.lines.pop_front();
        }
        self.lines.push_back(PvInfo { number: info.multipv.unwrap_or(1), score, bound, moves });
    }

    fn leave_step(&mut self, step: Step) {
        if self.trail.last().is_some_and(|last| last.best == step.best && last.mate == step.mate) {
            return;
        }
        if self.trail.len() == LONGEST_TRAIL {
            self.trail.pop();
        }
        self.trail.push(step);
    }
}

/// The answer of an engine that prints these lines, for tests.
#[cfg(test)]
pub(crate) fn answer_of(lines: &[&str]) -> Answer {
    let mut listener = Listener::default();
    let mut events = lines.iter().map(|line| listener.hear(line, Instant::now()));
    match events.find(Option::is_some) {
        Some(Some(Event::Answer(answer))) => answer,
        other => panic!("{other:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(lines: &[&str]) -> Said {
        let mut listener = Listener::default();
        for line in lines {
            assert_eq!(listener.hear(line, Instant::now()), None, "{line}");
        }
        listener.said
    }

    fn answer(listener: &mut Listener, line: &str) -> Answer {
        match listener.hear(line, Instant::now()) {
            Some(Event::Answer(answer)) => answer,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn info_lines() {
        let said = after(&[
            "info depth 12 seldepth 20 multipv 1 score cp -31 nodes 1000 nps 5 time 10 pv e2e4 e7e5",
            "info depth 13 score cp 99 lowerbound nodes 1500",
            "info depth 12 multipv 2 score cp 500 nodes 1600 pv d2d4",
            "info depth 13 currmove e2e4 currmovenumber 1",
            "info string score cp 12345 depth 99 nodes 1",
        ]);
        assert_eq!((said.score, said.depth, said.nodes), (Some(Score::Centipawns(-31)), 12, 1600));
        let said = after(&["info depth 3 score mate -2 upperbound", "info depth 4 score mate -3 lowerbound"]);
        assert_eq!((said.score, said.depth), (Some(Score::Mate(-3)), 4));
        let said = after(&["info depth x score cp", "info score mate", "info nodes -5", "", "garbage \u{fffd}"]);
        assert_eq!(said, Said::default());
    }

    #[test]
    fn answers_of_every_kind() {
        let mut listener = Listener::default();
        let name = Event::Reply(Reply::IdName("Engine 1".into()));
        assert_eq!(listener.hear("id name Engine 1", Instant::now()), Some(name));
        listener.hear("info depth 5 score cp 7", Instant::now());
        let found = answer(&mut listener, "bestmove e2e4 ponder e7e5");
        assert_eq!(found.best.map(|best| best.to_string()), Ok("e2e4".into()));
        assert_eq!(found.said.depth, 5);
        assert_eq!(listener.said, Said::default(), "the next move starts afresh");
        for (line, text) in [("bestmove", "(none)"), ("bestmove 0000", "(none)"), ("bestmove O-O ponder x", "O-O")] {
            assert_eq!(
                answer(&mut listener, line).best,
                Err(text.to_owned()),
                "an answer must not be waited for twice"
            );
        }
    }

    #[test]
    fn changes_of_mind_are_remembered() {
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
            assert_eq!(listener.hear(line, Instant::now()), None);
        }
        let trail = answer(&mut listener, "bestmove d2d4").trail;
        let found: Vec<_> = trail.iter().map(|step| (step.best.to_string(), step.nodes, step.mate)).collect();
        let step = |best: &str, nodes, mate| (best.to_owned(), nodes, mate);
        assert_eq!(found, [step("e2e4", 20, None), step("d2d4", 70, None), step("d2d4", 90, Some(4))]);
        assert!(listener.trail.is_empty(), "the next move starts afresh");
    }

    #[test]
    fn a_flood_of_changes_is_bounded() {
        let mut listener = Listener::default();
        for number in 0..3 * LONGEST_TRAIL {
            let best = if number % 2 == 0 { "e2e4" } else { "d2d4" };
            let long = " e7e5".repeat(LONGEST_PLAY);
            listener.hear(&format!("info depth 1 nodes {number} score cp 1 pv {best}{long}"), Instant::now());
        }
        assert_eq!(listener.trail.len(), LONGEST_TRAIL);
        assert_eq!(listener.lines.len(), MOST_LINES);
        assert!(listener.lines.iter().all(|line| line.moves.len() == LONGEST_PLAY));
        assert_eq!(listener.trail.last().map(|step| step.nodes), Some(3 * LONGEST_TRAIL as u64 - 1));
    }
}
