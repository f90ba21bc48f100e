//! What the engine finds, as lines of the protocol.

use std::time::Duration;

use chess::Move;
use engine::{Reporter, score};
use uci::{Bound, Info, Reply, Score, UciMove};

use super::options::Settings;
use super::output::Output;

/// Failed windows are of interest only to somebody who has waited for a while, and not many a second.
const FIRST_BOUND: Duration = Duration::from_millis(1000);
const BETWEEN_BOUNDS: Duration = Duration::from_millis(200);

/// Prints every completed line, and failed windows now and then.
pub(super) struct Lines {
    output: Output,
    chess960: bool,
    show_wdl: bool,
    /// Whether several lines are shown: failed windows would tear their blocks apart.
    several: bool,
    last_bound: Duration,
    /// The best line last printed.
    printed: Vec<Move>,
    /// The best line if it was not printed.
    unprinted: Option<engine::Info>,
}

impl Lines {
    pub(super) fn new(output: Output, settings: &Settings, several: bool) -> Lines {
        Lines {
            output,
            chess960: settings.chess960,
            show_wdl: settings.show_wdl,
            several,
            last_bound: Duration::ZERO,
            printed: Vec::new(),
            unprinted: None,
        }
    }

    /// Gives the answer. It begins a line that was printed: if it comes from one held back, that one is made up for.
    pub(super) fn answer(mut self, answer: engine::BestMove) {
        if answer.best != self.printed.first().copied()
            && let Some(info) = self.unprinted.take().filter(|info| info.pv.first().copied() == answer.best)
        {
            self.print(&info);
        }
        // The last iteration may have changed its mind about the reply when it was cut short, but what was told counts.
        let told = self.printed.get(1).copied().filter(|_| answer.best == self.printed.first().copied());
        let written = |mv: Option<Move>| mv.map(|mv| UciMove::new(mv, self.chess960));
        self.output.line(Reply::BestMove { best: written(answer.best), ponder: written(told.or(answer.ponder)) });
    }

    fn is_due(&self, info: &engine::Info) -> bool {
        info.bound == engine::Bound::Exact
            || !self.several && info.time >= FIRST_BOUND && info.time >= self.last_bound + BETWEEN_BOUNDS
    }

    fn print(&mut self, info: &engine::Info) {
        if info.bound != engine::Bound::Exact {
            self.last_bound = info.time;
        }
        if info.multipv <= 1 {
            self.printed.clone_from(&info.pv);
            self.unprinted = None;
        }
        self.output.line(Reply::Info(line(info, self.chess960, self.show_wdl)));
    }
}

impl Reporter for Lines {
    fn info(&mut self, info: &engine::Info) {
        if self.is_due(info) {
            self.print(info);
        } else if info.multipv <= 1 {
            self.unprinted = Some(info.clone());
        }
    }

    fn current_move(&mut self, depth: i32, mv: Move, number: usize) {
        self.output.line(Reply::Info(Info {
            depth: u32::try_from(depth).ok(),
            currmove: Some(UciMove::new(mv, self.chess960)),
            currmovenumber: u32::try_from(number).ok(),
            ..Info::default()
        }));
    }

    fn note(&mut self, text: &str) {
        self.output.note(text);
    }
}

/// A line of the engine as a line of the protocol. Of a game that is over only the score is worth telling.
fn line(info: &engine::Info, chess960: bool, show_wdl: bool) -> Info {
    let value = match score::display(info.score) {
        score::Display::Centipawns(value) => Score::Centipawns(value),
        score::Display::Mate(moves) => Score::Mate(moves),
    };
    let bound = match info.bound {
        engine::Bound::Exact => Bound::Exact,
        engine::Bound::Lower => Bound::Lower,
        engine::Bound::Upper => Bound::Upper,
    };
    let depth = u32::try_from(info.depth).unwrap_or(0);
    let short =
        Info { depth: Some(depth), score: Some((value, bound)), wdl: show_wdl.then_some(info.wdl), ..Info::default() };
    if depth == 0 {
        return short;
    }
    Info {
        seldepth: u32::try_from(info.seldepth).ok(),
        multipv: u32::try_from(info.multipv).ok(),
        nodes: Some(info.nodes),
        nps: Some(nodes_per_second(info.nodes, info.time)),
        hashfull: u32::try_from(info.hashfull).ok(),
        tbhits: Some(info.tb_hits),
        time: u64::try_from(info.time.as_millis()).ok(),
        pv: info.pv.iter().map(|&mv| UciMove::new(mv, chess960)).collect(),
        ..short
    }
}

pub(crate) fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    let microseconds = time.as_micros().max(1);
    u64::try_from(u128::from(nodes) * 1_000_000 / microseconds).unwrap_or(u64::MAX)
}
