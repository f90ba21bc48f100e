//! Search results in readable form: scores from White's point of view, lines in standard algebraic notation.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use chess::{Board, Color, Move};
use engine::{Bound, PvLine, Reporter, SearchResult, WhiteScore, chances};
use record::pgn::Eval;
use serde::Serialize;

use crate::people::words;

/// The evaluation of a position from White's point of view, as sent to the page.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub(super) struct Evaluation {
    /// Centipawns, unless it is mate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cp: Option<i32>,
    /// Mate in this many moves; negative if Black mates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) mate: Option<i32>,
    /// Chances of White's win, a draw and Black's win, per mille.
    pub(super) wdl: [u16; 3],
    /// The depth of the search; 0 if it is not ours.
    pub(super) depth: i32,
}

impl Evaluation {
    /// The evaluation of an engine line searched by this side.
    pub(super) fn of(line: &PvLine, side: Color) -> Evaluation {
        let wdl = if side == Color::White { line.wdl } else { chances::reversed(line.wdl) };
        Evaluation::new(line.score.for_white(side), wdl, line.depth)
    }

    fn new(score: WhiteScore, wdl: [u16; 3], depth: i32) -> Evaluation {
        let (cp, mate) = match score {
            WhiteScore::Centipawns(centipawns) => (Some(centipawns), None),
            WhiteScore::Mate { winner, moves } => {
                // Mate on the board would be mate in 0, which has no sign; mate in 1 is the nearest that shows who won.
                let moves = i32::try_from(moves.max(1)).unwrap_or(i32::MAX);
                (None, Some(if winner == Color::White { moves } else { -moves }))
            }
        };
        Evaluation { cp, mate, wdl, depth }
    }

    /// An evaluation that another program wrote after a move; none if it only says who has mated.
    pub(super) fn of_eval(eval: Eval) -> Option<Evaluation> {
        (!matches!(eval, Eval::Mate(_, 0))).then(|| Evaluation { depth: 0, ..Evaluation::of_end(eval) })
    }

    /// The evaluation of a position in which the game is over, as if it had been searched.
    pub(super) fn of_end(eval: Eval) -> Evaluation {
        let score = match eval {
            Eval::Centipawns(centipawns) => WhiteScore::Centipawns(centipawns),
            Eval::Mate(winner, moves) => WhiteScore::Mate { winner, moves },
        };
        Evaluation::new(score, chances::usual_wdl(score), 1)
    }

    /// The same in the form for PGN.
    pub(super) fn eval(&self) -> Eval {
        match self.mate {
            Some(moves) => Eval::Mate(if moves > 0 { Color::White } else { Color::Black }, moves.unsigned_abs()),
            None => Eval::Centipawns(self.cp.unwrap_or(0)),
        }
    }
}

/// A line to show.
#[derive(Debug, Serialize)]
pub(super) struct LineView {
    evaluation: Option<Evaluation>,
    san: Vec<String>,
    uci: Vec<String>,
}

impl LineView {
    /// The moves from this board on, at most `most`.
    pub(super) fn new(evaluation: Option<Evaluation>, board: &Board, moves: &[Move], most: usize) -> LineView {
        let (san, uci) = words::both(board, moves.get(..most).unwrap_or(moves), true);
        LineView { evaluation, san, uci }
    }
}

/// A search report for the page.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    pub(super) depth: i32,
    pub(super) seldepth: usize,
    pub(super) nodes: u64,
    pub(super) nps: u64,
    pub(super) hashfull: usize,
    pub(super) seconds: f64,
    pub(super) lines: Vec<LineView>,
}

/// The latest findings of a search, to be polled. A slow reader misses some but holds up nothing.
#[derive(Clone, Default)]
pub(super) struct Findings(Arc<Mutex<Latest>>);

#[derive(Default)]
struct Latest {
    found: Option<SearchResult>,
    /// Time and nodes of earlier turns of the same search.
    before: (Duration, u64),
    fresh: bool,
}

impl Findings {
    /// The report, if there is anything new since the last call.
    pub(super) fn take(&self, board: &Board) -> Option<Report> {
        let mut latest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !std::mem::take(&mut latest.fresh) {
            return None;
        }
        let found = latest.found.as_ref()?;
        let (nodes, time) = (found.nodes + latest.before.1, found.time + latest.before.0);
        Some(Report {
            depth: found.best.depth,
            seldepth: found.best.seldepth,
            nodes,
            nps: (nodes as f64 / time.as_secs_f64().max(1e-3)) as u64,
            hashfull: found.hashfull,
            seconds: time.as_secs_f64(),
            lines: found.lines().map(|line| shown(line, board)).collect(),
        })
    }

    /// The evaluation of the best line so far.
    pub(super) fn evaluation(&self, side: Color) -> Option<Evaluation> {
        let latest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        latest.found.as_ref().map(|found| Evaluation::of(&found.best, side))
    }

    /// Pauses the search: the time and nodes of this turn are added to later reports, and counted once.
    pub(super) fn pause(&self, turn: &SearchResult) {
        let mut latest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        latest.before.0 += turn.time;
        latest.before.1 += turn.nodes;
        if let Some(found) = &mut latest.found {
            (found.time, found.nodes) = (Duration::ZERO, 0);
        }
    }
}

impl Reporter for Findings {
    fn progress(&mut self, found: &SearchResult) {
        let mut latest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // A resumed search starts from depth 1; until it is as deep as before, the old lines are better.
        let is_shallow = latest.found.as_ref().is_some_and(|old| old.best.depth > found.best.depth);
        if found.best.bound == Bound::Exact && !is_shallow {
            latest.found = Some(found.clone());
            latest.fresh = true;
        }
    }
}

fn shown(line: &PvLine, board: &Board) -> LineView {
    LineView::new(Some(Evaluation::of(line, board.side_to_move())), board, &line.moves, LONGEST_LINE)
}

/// The longest line worth showing.
const LONGEST_LINE: usize = 30;

#[cfg(test)]
mod tests {
    use super::*;
    use engine::{Score, SearchScore};

    fn line(depth: i32, score: Score) -> PvLine {
        PvLine {
            score,
            search_score: SearchScore::default(),
            bound: Bound::Exact,
            wdl: [400, 350, 250],
            depth,
            seldepth: 9,
            moves: vec![Board::start().parse_uci("e2e4").expect("legal")],
        }
    }

    fn found(depth: i32, scores: &[i32]) -> SearchResult {
        let mut lines: Vec<PvLine> = scores.iter().map(|&score| line(depth, Score::Centipawns(score))).collect();
        let time = Duration::from_millis(500);
        SearchResult { best: lines.remove(0), others: lines, nodes: 1000, hashfull: 0, tb_hits: 0, time }
    }

    #[test]
    fn scores_are_seen_from_white() {
        let of = |score, side| Evaluation::of(&line(5, score), side);
        let black = of(Score::Centipawns(35), Color::Black);
        assert_eq!((black.cp, black.mate, black.wdl), (Some(-35), None, [250, 350, 400]));
        assert_eq!(of(Score::Mate(2), Color::Black).mate, Some(-2));
        assert_eq!(of(Score::Mate(0), Color::Black).mate, Some(1), "Black is mated");
        assert_eq!(of(Score::Mate(0), Color::White).mate, Some(-1));
    }

    #[test]
    fn evaluations_of_other_programs() {
        for eval in
            [Eval::Centipawns(35), Eval::Centipawns(-1200), Eval::Mate(Color::Black, 3), Eval::Mate(Color::White, 1)]
        {
            assert_eq!(Evaluation::of_eval(eval).expect("an evaluation").eval(), eval);
        }
        assert_eq!(Evaluation::of_eval(Eval::Mate(Color::White, 0)), None);
    }

    #[test]
    fn an_interrupted_search_does_not_lose_depth() {
        let mut findings = Findings::default();
        assert!(findings.take(&Board::start()).is_none());
        findings.progress(&found(8, &[30, 20]));
        let report = findings.take(&Board::start()).expect("news");
        assert_eq!((report.depth, report.lines.len(), report.lines[0].san[0].as_str()), (8, 2, "e4"));
        assert!(findings.take(&Board::start()).is_none(), "told already");
        findings.progress(&found(9, &[32]));
        findings.pause(&found(9, &[32]));
        let report = findings.take(&Board::start()).expect("news");
        assert_eq!((report.nodes, report.seconds), (1000, 0.5), "the turn counts once");
        findings.progress(&found(2, &[-70]));
        assert!(findings.take(&Board::start()).is_none(), "shallower than what is known");
        findings.progress(&found(9, &[31]));
        let report = findings.take(&Board::start()).expect("news");
        assert_eq!((report.depth, report.nodes, report.seconds), (9, 2000, 1.0));
        assert_eq!(findings.evaluation(Color::Black).and_then(|evaluation| evaluation.cp), Some(-31));
    }
}
