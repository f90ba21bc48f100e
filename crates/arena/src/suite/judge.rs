//! Decides whether a problem was solved, and when: the moment from which the solution stayed the best move to the end.

use std::time::Duration;

use chess::Move;
use uci::{Score, UciMove};

use super::epd::Problem;
use crate::player::Thought;

/// How it ended.
#[derive(Clone, PartialEq, Debug)]
pub enum Verdict {
    /// The solution was found.
    Solved {
        /// The time after which it was never abandoned.
        time: Duration,
        /// The nodes searched by then.
        nodes: u64,
    },
    /// It was not.
    Unsolved,
    /// There was no answer to judge: a crash, a stall or an illegal move, described.
    Fault(String),
}

/// An engine's answer to a problem.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// Whether it was solved.
    pub verdict: Verdict,
    /// The move it gave.
    pub mv: Option<Move>,
    /// Points for that move.
    pub points: u32,
    /// The last mate it announced, in moves.
    pub mate: Option<u32>,
    /// The total time.
    pub time: Duration,
    /// The total nodes.
    pub nodes: u64,
}

impl Answer {
    /// The answer of an engine that failed.
    pub fn fault(words: String) -> Answer {
        Answer { verdict: Verdict::Fault(words), mv: None, points: 0, mate: None, time: Duration::ZERO, nodes: 0 }
    }

    /// Whether the problem was solved.
    pub fn is_solved(&self) -> bool {
        matches!(self.verdict, Verdict::Solved { .. })
    }

    /// Judges an engine's search.
    pub fn new(problem: &Problem, thought: &Thought) -> Answer {
        let mv = match thought.legal_move(&problem.board) {
            Ok(mv) => mv,
            Err(text) => {
                let words = format!("the move {text} is not legal");
                return Answer { time: thought.time, nodes: thought.said.nodes, ..Answer::fault(words) };
            }
        };
        let mate = match thought.said.score {
            Some(Score::Mate(moves)) if moves > 0 => Some(moves.unsigned_abs()),
            _ => None,
        };
        let verdict = if is_solution(problem, mv, mate) {
            let (time, nodes) = found(problem, thought);
            Verdict::Solved { time, nodes }
        } else {
            Verdict::Unsolved
        };
        let points = problem.points.iter().find(|&&(scored, _)| scored == mv).map_or(0, |&(_, points)| points);
        Answer { verdict, mv: Some(mv), points, mate, time: thought.time, nodes: thought.said.nodes }
    }
}

/// Whether a move, with the mate announced for it, solves the problem. A mate counts whichever move leads to it: the
/// suite's move may not be the only one.
fn is_solution(problem: &Problem, mv: Move, mate: Option<u32>) -> bool {
    if let Some(longest) = problem.mate {
        return mate.is_some_and(|moves| moves <= longest);
    }
    let is_best = if problem.best.is_empty() && problem.avoid.is_empty() {
        problem.points.iter().any(|&(scored, points)| scored == mv && points == problem.most_points())
    } else {
        problem.best.is_empty() || problem.best.contains(&mv)
    };
    is_best && !problem.avoid.contains(&mv)
}

/// Time and nodes of the first step from which all steps were solutions. If there is none, the solution came only with
/// the final move.
fn found(problem: &Problem, thought: &Thought) -> (Duration, u64) {
    let is_solved_by = |best: UciMove, mate: Option<i32>| {
        let mate = mate.and_then(|moves| u32::try_from(moves).ok()).filter(|&moves| moves > 0);
        best.on(&problem.board).is_some_and(|mv| is_solution(problem, mv, mate))
    };
    let steps = thought.trail.iter().rev();
    match steps.take_while(|step| is_solved_by(step.best, step.mate)).last() {
        Some(step) => (step.at.saturating_duration_since(thought.start), step.nodes),
        None => (thought.time, thought.said.nodes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::listener::{Event, Listener};
    use std::time::Instant;

    /// A search whose lines arrive a second apart.
    fn thought(lines: &[&str]) -> Thought {
        let (start, mut listener) = (Instant::now(), Listener::default());
        for (second, line) in lines.iter().enumerate() {
            let at = start + Duration::from_secs(second as u64 + 1);
            if let Some(Event::Answer(answer)) = listener.hear(line, at) {
                return Thought::new(answer, start, false);
            }
        }
        panic!("no move was sent")
    }

    fn judge(operations: &str, lines: &[&str]) -> Answer {
        let line = format!("4k3/8/8/8/8/8/4P3/4K2R w - - {operations}");
        Answer::new(&Problem::parse(&line, 1).expect("a problem"), &thought(lines))
    }

    fn solved(time: u64, nodes: u64) -> Verdict {
        Verdict::Solved { time: Duration::from_secs(time), nodes }
    }

    #[test]
    fn the_last_change_of_mind_counts() {
        let lines = [
            "info depth 1 nodes 10 score cp 1 pv e2e4",
            "info depth 2 nodes 20 score cp 1 pv h1h8",
            "info depth 3 nodes 30 score cp 1 pv e2e4",
            "info depth 4 nodes 40 score cp 1 pv e2e4",
            "bestmove e2e4",
        ];
        assert_eq!(judge("bm e4;", &lines).verdict, solved(3, 30));
        assert_eq!(judge("bm e4 Rh8+;", &lines).verdict, solved(1, 10), "one solution is as good as another");
        assert_eq!(judge("bm Rh8+;", &lines).verdict, Verdict::Unsolved);
        assert_eq!(judge("am Rh8+;", &lines).verdict, solved(3, 30));
        assert_eq!(judge("am e4;", &lines).verdict, Verdict::Unsolved);
        assert_eq!(judge("bm e4; am e4;", &lines).verdict, Verdict::Unsolved);
        let silent = ["info nodes 77", "bestmove e2e4"];
        assert_eq!(judge("bm e4;", &silent).verdict, solved(2, 77), "without lines the move itself is the news");
        let surprise = ["info nodes 10 pv h1h8", "bestmove e2e4"];
        assert_eq!(judge("bm e4;", &surprise).verdict, solved(2, 10));
    }

    #[test]
    fn mates_are_judged_by_their_length() {
        let lines = [
            "info depth 9 score mate 5 nodes 10 pv h1h8",
            "info depth 10 score mate 3 nodes 20 pv h1h8",
            "info depth 11 score mate 2 nodes 30 pv h1h8",
            "bestmove h1h8",
        ];
        assert_eq!(judge("bm e4; dm 3;", &lines).verdict, solved(2, 20), "the mate counts, not the move");
        assert_eq!(judge("dm 3;", &lines).mate, Some(2));
        assert_eq!(judge("dm 1;", &lines).verdict, Verdict::Unsolved);
        assert_eq!(judge("dm 3;", &["info score mate -2 nodes 5 pv e2e4", "bestmove e2e4"]).verdict, Verdict::Unsolved);
    }

    #[test]
    fn points_and_faults() {
        let scored = "c0 \"e4=10, e3=4\";";
        let second = judge(scored, &["bestmove e2e3"]);
        assert_eq!((second.points, second.verdict), (4, Verdict::Unsolved));
        let first = judge(scored, &["bestmove e2e4"]);
        assert_eq!((first.points, first.is_solved()), (10, true));
        assert_eq!(judge(scored, &["bestmove h1h8"]).points, 0);
        assert!(matches!(judge(scored, &["bestmove e2e5"]).verdict, Verdict::Fault(words) if words.contains("e2e5")));
    }
}
