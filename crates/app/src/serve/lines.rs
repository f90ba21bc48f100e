//! What a search found, as people read it: scores from White's side, lines in standard algebraic notation.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use chess::{Board, Color};
use engine::{Bound, Info, Reporter, chances, score};
use record::pgn::Eval;
use serde::Serialize;

/// A judgement of a position, from White's side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub(super) struct Verdict {
    /// Centipawns, unless it is mate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cp: Option<i32>,
    /// Mate in so many moves; negative if Black mates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) mate: Option<i32>,
    /// Chances of White's win, a draw and Black's win, per mille.
    pub(super) wdl: [u16; 3],
    /// How deep the search was; 0 if it is not ours.
    pub(super) depth: i32,
}

impl Verdict {
    /// A score of the engine, which is for the side to move.
    pub(super) fn new(score: i32, wdl: [u16; 3], depth: i32, side: Color) -> Verdict {
        let sign = if side == Color::White { 1 } else { -1 };
        let [win, draw, loss] = wdl;
        let wdl = if side == Color::White { wdl } else { [loss, draw, win] };
        match score::display(score) {
            // Mate on the board is no number that can have a sign: one move is the nearest that says who won.
            score::Display::Mate(0) => Verdict { cp: None, mate: Some(-sign), wdl, depth },
            score::Display::Mate(moves) => Verdict { cp: None, mate: Some(sign * moves), wdl, depth },
            score::Display::Centipawns(value) => Verdict { cp: Some(sign * value), mate: None, wdl, depth },
        }
    }

    /// The judgement that another program wrote behind a move; none if it says no more than who has mated.
    pub(super) fn of_eval(eval: Eval) -> Option<Verdict> {
        let (cp, mate, wdl) = match eval {
            Eval::Centipawns(cp) => (Some(cp), None, chances::of_told(cp)),
            Eval::Mate(_, 0) => return None,
            Eval::Mate(Color::White, moves) => (None, Some(i32::try_from(moves).ok()?), [1000, 0, 0]),
            Eval::Mate(Color::Black, moves) => (None, Some(-i32::try_from(moves).ok()?), [0, 0, 1000]),
        };
        Some(Verdict { cp, mate, wdl, depth: 0 })
    }

    /// The same, to be written.
    pub(super) fn eval(&self) -> Eval {
        match self.mate {
            Some(moves) => Eval::Mate(if moves > 0 { Color::White } else { Color::Black }, moves.unsigned_abs()),
            None => Eval::Centipawns(self.cp.unwrap_or(0)),
        }
    }
}

/// A line to show.
#[derive(Debug, Serialize)]
pub(super) struct Line {
    pub(super) verdict: Verdict,
    pub(super) san: Vec<String>,
    pub(super) uci: Vec<String>,
}

/// What there is to show of a search.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    pub(super) depth: i32,
    pub(super) seldepth: usize,
    pub(super) nodes: u64,
    pub(super) nps: u64,
    pub(super) hashfull: usize,
    pub(super) seconds: f64,
    pub(super) lines: Vec<Line>,
}

/// The latest findings of a search, kept for whoever comes to look. A slow reader misses some and holds up nothing.
#[derive(Clone, Default)]
pub(super) struct Findings(Arc<Mutex<Latest>>);

#[derive(Default)]
struct Latest {
    infos: Vec<Info>, // the best line first
    /// Time and nodes of earlier turns of the same search.
    before: (Duration, u64),
    fresh: bool,
}

impl Findings {
    /// The report, if there is anything new since it was last asked for.
    pub(super) fn take(&self, board: &Board) -> Option<Report> {
        let mut latest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !std::mem::take(&mut latest.fresh) {
            return None;
        }
        let first = latest.infos.first()?;
        let (nodes, time) = (first.nodes + latest.before.1, first.time + latest.before.0);
        Some(Report {
            depth: first.depth,
            seldepth: first.seldepth,
            nodes,
            nps: (nodes as f64 / time.as_secs_f64().max(1e-3)) as u64,
            hashfull: first.hashfull,
            seconds: time.as_secs_f64(),
            lines: latest.infos.iter().map(|info| line(info, board)).collect(),
        })
    }

    /// The judgement of the best line so far.
    pub(super) fn verdict(&self, side: Color) -> Option<Verdict> {
        let latest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        latest.infos.first().map(|info| Verdict::new(info.score, info.wdl, info.depth, side))
    }

    /// The search goes on after a pause: what it took so far is added to what comes.
    pub(super) fn pause(&self, time: Duration, nodes: u64) {
        let mut latest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        latest.before.0 += time;
        latest.before.1 += nodes;
    }
}

impl Reporter for Findings {
    fn info(&mut self, info: &Info) {
        if info.bound != Bound::Exact {
            return;
        }
        let mut latest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (place, count) = (info.multipv.saturating_sub(1), latest.infos.len());
        match latest.infos.get_mut(place) {
            // A search that was interrupted begins anew; until it is as deep as it was, the old lines are better.
            Some(old) if old.depth > info.depth => return,
            Some(old) => old.clone_from(info),
            None if place == count => latest.infos.push(info.clone()),
            None => return,
        }
        latest.fresh = true;
    }
}

fn line(info: &Info, board: &Board) -> Line {
    let mut line = Line {
        verdict: Verdict::new(info.score, info.wdl, info.depth, board.side_to_move()),
        san: Vec::with_capacity(info.pv.len()),
        uci: Vec::with_capacity(info.pv.len()),
    };
    let mut board = *board;
    for &mv in info.pv.iter().take(LONGEST_LINE) {
        line.san.push(board.san(mv));
        line.uci.push(mv.uci(true));
        board = board.after(mv);
    }
    line
}

/// Nobody reads further than this.
const LONGEST_LINE: usize = 30;

#[cfg(test)]
mod tests {
    use super::*;

    fn info(depth: i32, multipv: usize, score: i32) -> Info {
        let pv = vec![Board::start().parse_uci("e2e4").expect("legal")];
        let (bound, wdl, time) = (Bound::Exact, chances::of_told(score), Duration::from_millis(500));
        Info { depth, seldepth: 9, multipv, score, bound, wdl, nodes: 1000, hashfull: 0, tb_hits: 0, time, pv }
    }

    #[test]
    fn scores_are_seen_from_white() {
        let verdict = Verdict::new(35, [400, 350, 250], 5, Color::Black);
        assert_eq!((verdict.cp, verdict.mate, verdict.wdl), (Some(-35), None, [250, 350, 400]));
        assert_eq!(Verdict::new(score::mate_in(3), [1000, 0, 0], 5, Color::Black).mate, Some(-2));
        assert_eq!(Verdict::new(score::mated_in(0), [0, 0, 1000], 0, Color::Black).mate, Some(1), "Black is mated");
        assert_eq!(Verdict::new(score::mated_in(0), [0, 0, 1000], 0, Color::White).mate, Some(-1));
    }

    #[test]
    fn judgements_of_other_programs() {
        for eval in
            [Eval::Centipawns(35), Eval::Centipawns(-1200), Eval::Mate(Color::Black, 3), Eval::Mate(Color::White, 1)]
        {
            assert_eq!(Verdict::of_eval(eval).expect("a judgement").eval(), eval);
        }
        assert_eq!(Verdict::of_eval(Eval::Mate(Color::White, 0)), None);
        assert_eq!(Verdict::of_eval(Eval::Mate(Color::White, u32::MAX)), None);
    }

    #[test]
    fn an_interrupted_search_does_not_lose_depth() {
        let mut findings = Findings::default();
        assert!(findings.take(&Board::start()).is_none());
        findings.info(&info(8, 1, 30));
        findings.info(&info(8, 2, 20));
        let report = findings.take(&Board::start()).expect("news");
        assert_eq!((report.depth, report.lines.len(), report.lines[0].san[0].as_str()), (8, 2, "e4"));
        assert!(findings.take(&Board::start()).is_none(), "told already");
        findings.pause(Duration::from_secs(1), 5000);
        findings.info(&info(2, 1, -70));
        assert!(findings.take(&Board::start()).is_none(), "shallower than what is known");
        findings.info(&info(9, 1, 31));
        let report = findings.take(&Board::start()).expect("news");
        assert_eq!((report.depth, report.nodes, report.seconds), (9, 6000, 1.5));
        assert_eq!(findings.verdict(Color::Black).and_then(|verdict| verdict.cp), Some(-31));
    }
}
