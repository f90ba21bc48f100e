//! Turns search results into `info` lines.

use std::time::Duration;

use chess::{Board, Move};
use engine::{PvLine, Reporter, SearchResult};
use uci::{Bound, Info, Reply, Score, UciMove};

use super::options::Settings;
use super::output::Output;

/// The shortest time between reports of failed windows.
const BETWEEN_BOUNDS: Duration = Duration::from_millis(200);

/// Prints the progress of a search, and its answer.
pub(super) struct Lines {
    output: Output,
    chess960: bool,
    show_wdl: bool,
    last_bound: Option<Duration>,
    /// The last result printed.
    printed: Option<SearchResult>,
}

impl Lines {
    pub(super) fn new(output: Output, settings: &Settings, board: &Board) -> Lines {
        let (chess960, show_wdl) = (settings.writes_chess960(board), settings.show_wdl);
        Lines { output, chess960, show_wdl, last_bound: None, printed: None }
    }

    /// Prints the answer, preceded by its lines unless they were just printed.
    pub(super) fn answer(mut self, found: &SearchResult) {
        if !self.printed.as_ref().is_some_and(|printed| printed.has_lines_of(found)) {
            self.print(found);
        }
        self.best_move(found.best_move(), found.ponder_move());
    }

    pub(super) fn best_move(&self, best: Option<Move>, ponder: Option<Move>) {
        let written = |mv: Option<Move>| mv.map(|mv| UciMove::new(mv, self.chess960));
        self.output.line(Reply::BestMove { best: written(best), ponder: written(ponder) });
    }

    fn print(&mut self, found: &SearchResult) {
        // Clients group lines of the same depth. Those of an interrupted search may come from two iterations.
        let depth = found.lines().map(|line| line.depth).min().unwrap_or(0);
        for (line, number) in found.lines().zip(1..) {
            self.output.line(Reply::Info(self.info(found, line, (depth, number))));
        }
        self.printed = Some(found.clone());
    }

    /// An engine line as an `info` line. If the game is over, only the score matters.
    fn info(&self, found: &SearchResult, line: &PvLine, (depth, number): (i32, u32)) -> Info {
        let score = match line.score {
            engine::Score::Centipawns(centipawns) => Score::Centipawns(centipawns),
            engine::Score::Mate(moves) => Score::Mate(moves),
        };
        let bound = match line.bound {
            engine::Bound::Exact => Bound::Exact,
            engine::Bound::Lower => Bound::Lower,
            engine::Bound::Upper => Bound::Upper,
        };
        let short = Info {
            depth: u32::try_from(depth).ok(),
            score: Some((score, bound)),
            wdl: self.show_wdl.then_some(line.wdl),
            ..Info::default()
        };
        if line.moves.is_empty() {
            return short;
        }
        Info {
            seldepth: u32::try_from(line.seldepth).ok(),
            multipv: Some(number),
            nodes: Some(found.nodes),
            nps: Some(found.nps()),
            hashfull: u32::try_from(found.hashfull).ok(),
            tbhits: Some(found.tb_hits),
            time: u64::try_from(found.time.as_millis()).ok(),
            pv: line.moves.iter().map(|&mv| UciMove::new(mv, self.chess960)).collect(),
            ..short
        }
    }
}

impl Reporter for Lines {
    fn progress(&mut self, found: &SearchResult) {
        if found.best.bound != engine::Bound::Exact {
            if self.last_bound.is_some_and(|last| found.time < last + BETWEEN_BOUNDS) {
                return;
            }
            self.last_bound = Some(found.time);
        }
        self.print(found);
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

    fn found(depth: i32, milliseconds: u64, bound: engine::Bound, moves: &[&str]) -> SearchResult {
        let mut board = chess::Board::start();
        let moves = moves.iter().map(|text| {
            let mv = board.parse_uci(text).expect(text);
            board = board.after(mv);
            mv
        });
        let best = PvLine {
            score: engine::Score::Centipawns(25),
            search_score: engine::SearchScore::default(),
            bound,
            wdl: [0, 1000, 0],
            depth,
            seldepth: 9,
            moves: moves.collect(),
        };
        let time = Duration::from_millis(milliseconds);
        SearchResult { best, others: Vec::new(), nodes: 5000, hashfull: 3, tb_hits: 0, time }
    }

    /// The output for these reports and the final answer.
    fn written(reports: &[SearchResult], answer: &SearchResult) -> Vec<String> {
        let paper = Paper::default();
        let mut lines = Lines::new(Output::new(Box::new(paper.clone())), &Settings::default(), &Board::start());
        reports.iter().for_each(|report| lines.progress(report));
        lines.answer(answer);
        let text = String::from_utf8(paper.0.lock().expect("not poisoned").clone()).expect("text");
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn a_line_has_everything_in_the_usual_order() {
        let found = found(7, 50, engine::Bound::Exact, &["e2e4", "c7c5"]);
        assert_eq!(
            written(std::slice::from_ref(&found), &found),
            [
                "info depth 7 seldepth 9 multipv 1 score cp 25 nodes 5000 nps 100000 hashfull 3 tbhits 0 time 50 pv e2e4 c7c5",
                "bestmove e2e4 ponder c7c5",
            ]
        );
    }

    #[test]
    fn failed_windows_are_rare() {
        use engine::Bound::{Exact, Lower};
        let late: Vec<_> = (0..100).map(|step| found(9, 4000 + 10 * step, Lower, &["e2e4"])).collect();
        assert_eq!(written(&late, &found(9, 5000, Exact, &["e2e4"])).len(), 5 + 2, "five a second, and the answer");
    }

    #[test]
    fn the_answer_comes_from_the_lines_printed_last() {
        use engine::Bound::{Exact, Lower};
        let told = found(5, 10, Exact, &["e2e4", "e7e5"]);
        let better = found(6, 20, Lower, &["d2d4", "d7d5"]);
        let lines = written(std::slice::from_ref(&told), &better);
        assert!(lines[1].contains("depth 6 seldepth 9 multipv 1 score cp 25 lowerbound"), "{lines:?}");
        assert_eq!(lines[2], "bestmove d2d4 ponder d7d5");
        // A change in nodes alone is not worth a line.
        let dearer = SearchResult { nodes: 9000, ..told.clone() };
        assert_eq!(written(std::slice::from_ref(&told), &dearer).len(), 2);
    }

    #[test]
    fn lines_printed_together_have_one_depth() {
        use engine::Bound::Exact;
        let mut several = found(7, 10, Exact, &["e2e4", "e7e5"]);
        several.others.push(found(6, 10, Exact, &["d2d4"]).best);
        let lines = written(&[], &several);
        assert!(lines[0].starts_with("info depth 6 seldepth 9 multipv 1 "), "{lines:?}");
        assert!(lines[1].starts_with("info depth 6 seldepth 9 multipv 2 "), "{lines:?}");
    }
}
