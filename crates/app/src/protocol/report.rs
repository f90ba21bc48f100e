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

#[cfg(test)]
mod tests {
    use std::io::{self, Write};
    use std::sync::{Arc, Mutex};

    use super::*;

    /// Keeps what is written.
    #[derive(Clone, Default)]
    struct Paper(Arc<Mutex<Vec<u8>>>);

    impl Write for Paper {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("not poisoned").extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn info(depth: i32, milliseconds: u64, bound: engine::Bound, moves: &[&str]) -> engine::Info {
        let mut board = chess::Board::start();
        let pv = moves.iter().map(|text| {
            let mv = board.parse_uci(text).expect(text);
            board = board.after(mv);
            mv
        });
        let pv = pv.collect();
        let time = Duration::from_millis(milliseconds);
        let wdl = [0, 1000, 0];
        engine::Info {
            depth,
            seldepth: 9,
            multipv: 1,
            score: 25,
            bound,
            wdl,
            nodes: 5000,
            hashfull: 3,
            tb_hits: 0,
            time,
            pv,
        }
    }

    /// What is written of these reports and the answer that follows them.
    fn written(several: bool, infos: &[engine::Info], best: &str, ponder: Option<&str>) -> Vec<String> {
        let paper = Paper::default();
        let mut lines = Lines::new(Output::new(Box::new(paper.clone())), &Settings::default(), several);
        infos.iter().for_each(|info| lines.info(info));
        let board = chess::Board::start();
        let best = board.parse_uci(best).expect(best);
        let ponder = ponder.map(|text| board.after(best).parse_uci(text).expect(text));
        lines.answer(engine::BestMove { best: Some(best), ponder, score: 0, nodes: 1 });
        let text = String::from_utf8(paper.0.lock().expect("not poisoned").clone()).expect("text");
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn a_line_has_everything_in_the_usual_order() {
        let lines = written(false, &[info(7, 50, engine::Bound::Exact, &["e2e4", "c7c5"])], "e2e4", None);
        assert_eq!(
            lines,
            [
                "info depth 7 seldepth 9 multipv 1 score cp 25 nodes 5000 nps 100000 hashfull 3 tbhits 0 time 50 pv e2e4 c7c5",
                "bestmove e2e4 ponder c7c5",
            ]
        );
    }

    #[test]
    fn failed_windows_are_rare() {
        use engine::Bound::{Exact, Lower, Upper};
        let early = [info(5, 900, Upper, &["e2e4"]), info(5, 950, Exact, &["e2e4"])];
        assert_eq!(written(false, &early, "e2e4", None).len(), 2);
        let late: Vec<_> = (0..100).map(|step| info(9, 1000 + 10 * step, Lower, &["e2e4"])).collect();
        assert_eq!(written(false, &late, "e2e4", None).len(), 5 + 1, "five a second");
        assert_eq!(written(true, &late, "d2d4", None).len(), 1, "none among several lines");
    }

    #[test]
    fn the_answer_begins_a_line_that_was_printed() {
        use engine::Bound::{Exact, Lower};
        let told = info(5, 10, Exact, &["e2e4", "e7e5"]);
        // The answer comes from a line that was held back.
        let lines = written(false, &[told.clone(), info(6, 20, Lower, &["d2d4", "d7d5"])], "d2d4", Some("g8f6"));
        assert!(lines[1].contains("score cp 25 lowerbound") && lines[1].ends_with("pv d2d4 d7d5"), "{lines:?}");
        assert_eq!(lines[2], "bestmove d2d4 ponder d7d5");
        // The reply has changed since the line was printed.
        assert_eq!(written(false, &[told], "e2e4", Some("c7c5"))[1], "bestmove e2e4 ponder e7e5");
        // The line has no reply.
        let short = info(5, 10, Exact, &["e2e4"]);
        assert_eq!(written(false, &[short], "e2e4", Some("c7c5"))[1], "bestmove e2e4 ponder c7c5");
    }
}
