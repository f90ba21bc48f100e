//! The result of a suite: a table for people and JSON for programs.

use std::cmp::Ordering;
use std::time::Duration;

use serde_json::{Value, json};

use super::epd::Suite;
use super::judge::{Answer, Verdict};
use crate::report::table::align;

/// One engine's answers to one suite, in the order of the problems; none for a problem not reached.
pub struct Paper<'a> {
    /// The engine's name.
    pub engine: &'a str,
    /// The problems.
    pub suite: &'a Suite,
    /// The answers.
    pub answers: Vec<Option<Answer>>,
}

/// Totals of one paper.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Marks {
    /// Problems answered, faults included.
    pub answered: usize,
    /// Problems solved.
    pub solved: usize,
    /// Crashes, stalls and illegal moves.
    pub faults: usize,
    /// Points earned, and points available in the problems answered.
    pub points: [u32; 2],
    /// Mates announced where one was asked for: exactly as long as the suite says, shorter, and longer (which do not
    /// count).
    pub mates: [usize; 3],
    /// Time to the solution, summed over solved problems.
    pub time: Duration,
    /// Nodes to the solution, summed over solved problems.
    pub nodes: u64,
    /// The longest time to a solution.
    pub longest: Duration,
}

impl Paper<'_> {
    /// Adds up all answers.
    pub fn marks(&self) -> Marks {
        let mut marks = Marks::default();
        for (problem, answer) in self.suite.problems.iter().zip(&self.answers) {
            let Some(answer) = answer else { continue };
            marks.answered += 1;
            marks.points[0] += answer.points;
            marks.points[1] += problem.most_points();
            if let (Some(wanted), Some(announced)) = (problem.mate, answer.mate) {
                marks.mates[match announced.cmp(&wanted) {
                    Ordering::Equal => 0,
                    Ordering::Less => 1,
                    Ordering::Greater => 2,
                }] += 1;
            }
            match answer.verdict {
                Verdict::Solved { time, nodes } => {
                    marks.solved += 1;
                    marks.time += time;
                    marks.nodes += nodes;
                    marks.longest = marks.longest.max(time);
                }
                Verdict::Unsolved => {}
                Verdict::Fault(_) => marks.faults += 1,
            }
        }
        marks
    }

    /// The ids of problems answered wrongly, or not at all because of a fault.
    pub fn unsolved(&self) -> Vec<&str> {
        let pairs = self.suite.problems.iter().zip(&self.answers);
        let missed = pairs.filter(|(_, answer)| answer.as_ref().is_some_and(|answer| !answer.is_solved()));
        missed.map(|(problem, _)| problem.id.as_str()).collect()
    }

    fn json(&self) -> Value {
        let marks = self.marks();
        let pairs = self.suite.problems.iter().zip(&self.answers);
        let problems: Vec<Value> = pairs
            .filter_map(|(problem, answer)| {
                let answer = answer.as_ref()?;
                let (to_solution, fault) = match &answer.verdict {
                    Verdict::Solved { time, nodes } => (Some((time.as_secs_f64(), *nodes)), None),
                    Verdict::Unsolved => (None, None),
                    Verdict::Fault(words) => (None, Some(words)),
                };
                Some(json!({
                    "id": problem.id, "fen": problem.board.to_string(), "solved": answer.is_solved(),
                    "move": answer.mv.map(|mv| problem.board.san(mv)),
                    "points": answer.points, "most_points": problem.most_points(),
                    "mate": answer.mate, "mate_wanted": problem.mate, "fault": fault,
                    "seconds_to_solution": to_solution.map(|found| found.0),
                    "nodes_to_solution": to_solution.map(|found| found.1),
                    "seconds": answer.time.as_secs_f64(), "nodes": answer.nodes,
                }))
            })
            .collect();
        let broken: Vec<Value> =
            self.suite.broken.iter().map(|(line, why)| json!({ "line": line, "reason": why })).collect();
        json!({
            "engine": self.engine, "suite": self.suite.name, "positions": self.suite.problems.len(),
            "answered": marks.answered, "solved": marks.solved, "faults": marks.faults,
            "points": marks.points[0], "most_points": marks.points[1],
            "mates": marks.mates[0], "shorter_mates": marks.mates[1], "longer_mates": marks.mates[2],
            "mean_seconds_to_solution": mean(marks.time.as_secs_f64(), marks.solved),
            "mean_nodes_to_solution": mean(marks.nodes as f64, marks.solved),
            "longest_seconds_to_solution": marks.longest.as_secs_f64(),
            "unsolved": self.unsolved(), "broken_lines": broken, "problems": problems,
        })
    }
}

/// The mean; none for a count of zero.
fn mean(sum: f64, count: usize) -> Option<f64> {
    (count > 0).then(|| sum / count as f64)
}

/// The table, followed by the unsolved problems.
pub fn render(papers: &[Paper<'_>]) -> String {
    let header = [
        "engine",
        "suite",
        "positions",
        "solved",
        "%",
        "points",
        "of",
        "mates =/</>",
        "ms to solution",
        "longest ms",
        "nodes to solution",
        "faults",
    ];
    let mut rows = vec![header.map(str::to_owned)];
    rows.extend(papers.iter().map(row));
    let mut text = align(&rows);
    for paper in papers {
        let unsolved = paper.unsolved();
        if !unsolved.is_empty() {
            text += &format!("\n{}, {}, not solved ({}):\n", paper.engine, paper.suite.name, unsolved.len());
            text += &wrap(&unsolved);
        }
        for (problem, answer) in paper.suite.problems.iter().zip(&paper.answers) {
            if let Some(Verdict::Fault(words)) = answer.as_ref().map(|answer| &answer.verdict) {
                text += &format!("{}, {}: fault: {words}\n", paper.engine, problem.id);
            }
        }
    }
    text
}

fn row(paper: &Paper<'_>) -> [String; 12] {
    let marks = paper.marks();
    let share = mean(100.0 * marks.solved as f64, marks.answered);
    let number = |value: Option<f64>, digits: usize| value.map_or("-".to_owned(), |value| format!("{value:.digits$}"));
    let has_points = marks.points[1] > 0;
    let has_mates = paper.suite.problems.iter().any(|problem| problem.mate.is_some());
    let milliseconds = |time: Duration| 1000.0 * time.as_secs_f64();
    [
        paper.engine.to_owned(),
        paper.suite.name.clone(),
        marks.answered.to_string(),
        marks.solved.to_string(),
        number(share, 1),
        if has_points { marks.points[0].to_string() } else { "-".into() },
        if has_points { marks.points[1].to_string() } else { "-".into() },
        if has_mates { marks.mates.map(|count| count.to_string()).join("/") } else { "-".into() },
        number(mean(milliseconds(marks.time), marks.solved), 1),
        number((marks.solved > 0).then(|| milliseconds(marks.longest)), 1),
        number(mean(marks.nodes as f64, marks.solved), 0),
        marks.faults.to_string(),
    ]
}

/// Names in lines of readable length.
fn wrap(names: &[&str]) -> String {
    const WIDTH: usize = 110;
    let (mut text, mut column) = (String::new(), 0);
    for (index, name) in names.iter().enumerate() {
        let item = if index + 1 < names.len() { format!("{name}, ") } else { (*name).to_owned() };
        let length = item.chars().count();
        if column > 0 && column + length > WIDTH {
            text = text.trim_end().to_owned() + "\n";
            column = 0;
        }
        if column == 0 {
            text += "  ";
        }
        text += &item;
        column += length;
    }
    text + "\n"
}

/// Everything the table shows, and each answer.
pub fn json(papers: &[Paper<'_>]) -> Value {
    json!({ "results": papers.iter().map(Paper::json).collect::<Vec<_>>() })
}
