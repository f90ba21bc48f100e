//! Extended position description: a position in four fields and operations such as `bm Qg6; id "WAC.001";`.
//!
//! Supported are `bm` and `am` (moves to find and to avoid), `dm` (mate in n moves), `id`, and the two ways in which
//! the Strategic Test Suite awards points to moves: `c0 "f5=10, Be5+=2"`, and `c8 "10 2"` with `c9 "f4f5 d4e5"`.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use chess::{Board, Move};
use record::epd::{self, Epd};

/// A position and the task it sets.
#[derive(Clone, PartialEq, Debug)]
pub struct Problem {
    /// Its name, or its line number.
    pub id: String,
    /// The position.
    pub board: Board,
    /// Best moves, one of which must be found.
    pub best: Vec<Move>,
    /// Moves to avoid.
    pub avoid: Vec<Move>,
    /// A mate in at most this many moves must be found.
    pub mate: Option<u32>,
    /// Points for moves; other moves get none.
    pub points: Vec<(Move, u32)>,
}

impl Problem {
    /// Parses one line; `number` names a problem without an id.
    pub fn parse(line: &str, number: usize) -> Result<Problem> {
        let epd = Epd::parse(line)?;
        let board = epd.board;
        if !board.has_legal_moves() {
            bail!("there is no legal move");
        }
        let moves = |code| epd.moves(code).with_context(|| code.to_owned());
        let problem = Problem {
            id: epd.operand("id").map_or_else(|| format!("line {number}"), str::to_owned),
            best: moves("bm")?,
            avoid: moves("am")?,
            mate: epd.operand("dm").map(read_mate).transpose()?,
            points: match (epd.operand("c0").and_then(named_points), epd.operand("c8"), epd.operand("c9")) {
                (Some(points), ..) => read_points(&epd, points).context("c0")?,
                (None, Some(points), Some(moves)) => read_points(&epd, paired(points, moves)?).context("c8, c9")?,
                _ => Vec::new(),
            },
            board,
        };
        if problem.best.is_empty() && problem.avoid.is_empty() && problem.mate.is_none() && problem.points.is_empty() {
            bail!("nothing is asked: there is no bm, am or dm and there are no points");
        }
        Ok(problem)
    }

    /// The highest score the problem offers.
    pub fn most_points(&self) -> u32 {
        self.points.iter().map(|&(_, points)| points).max().unwrap_or(0)
    }
}

/// A file of problems.
#[derive(Clone, Debug, Default)]
pub struct Suite {
    /// The name of the file.
    pub name: String,
    /// The problems that could be read.
    pub problems: Vec<Problem>,
    /// Lines that could not be read, by number, and why.
    pub broken: Vec<(usize, String)>,
}

impl Suite {
    /// Reads a file. Broken lines are kept for the report; only a file without any problem is an error.
    pub fn load(path: &Path) -> Result<Suite> {
        let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let suite = Suite::parse(name, &String::from_utf8_lossy(&bytes));
        match (suite.problems.is_empty(), suite.broken.first()) {
            (false, _) => Ok(suite),
            (true, Some((line, why))) => Err(anyhow!("{}: no line can be read; line {line}: {why}", path.display())),
            (true, None) => Err(anyhow!("{} has no positions", path.display())),
        }
    }

    fn parse(name: String, text: &str) -> Suite {
        let mut suite = Suite { name, ..Suite::default() };
        for (number, line) in epd::lines(text) {
            match Problem::parse(line, number) {
                Ok(problem) => suite.problems.push(problem),
                Err(why) => suite.broken.push((number, format!("{why:#}"))),
            }
        }
        suite
    }
}

fn read_mate(word: &str) -> Result<u32> {
    match word.parse() {
        Ok(moves) if moves > 0 => Ok(moves),
        _ => bail!("dm \"{word}\" is not a number of moves"),
    }
}

/// Points in the form of `f5=10, Be5+=2`. Any other text is just a comment.
fn named_points(text: &str) -> Option<Vec<(&str, u32)>> {
    text.split(',')
        .map(|item| {
            let (name, points) = item.trim().rsplit_once('=')?;
            Some((name.trim(), points.trim().parse().ok()?))
        })
        .collect()
}

/// Points and the moves that earn them, each as a list.
fn paired<'a>(points: &str, moves: &'a str) -> Result<Vec<(&'a str, u32)>> {
    let numbers: Vec<u32> = match points.split_whitespace().map(str::parse).collect() {
        Ok(numbers) => numbers,
        // This is an ordinary comment that happens to use this opcode.
        Err(_) => return Ok(Vec::new()),
    };
    let names: Vec<&str> = moves.split_whitespace().collect();
    if names.len() != numbers.len() {
        bail!("c8 has {} numbers, c9 has {} moves", numbers.len(), names.len());
    }
    Ok(names.into_iter().zip(numbers).collect())
}

fn read_points(epd: &Epd, points: Vec<(&str, u32)>) -> Result<Vec<(Move, u32)>> {
    points.into_iter().map(|(name, points)| Ok((epd.read_move(name)?, points))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(problem: &Problem, moves: &[Move]) -> Vec<String> {
        moves.iter().map(|&mv| problem.board.san(mv)).collect()
    }

    #[test]
    fn all_kinds_of_problems() {
        let line = "8/1p6/p5R1/k7/Prpp4/K7/1NP5/8 w - - bm Rb6 Rg5+; am Rd6; id \"WAC; 274\";";
        let problem = Problem::parse(line, 1).expect("a problem");
        assert_eq!(names(&problem, &problem.best), ["Rb6", "Rg5+"]);
        assert_eq!(names(&problem, &problem.avoid), ["Rd6"]);
        assert_eq!(problem.id, "WAC; 274");

        let line = "1B6/2R2PN1/8/7P/2p1pk2/2Q1pN1P/8/1B5K w - - hmvc 7; fmvn 31; dm 2; c0 \"pv g7f5 e3e2 c7c5\"";
        let problem = Problem::parse(line, 9).expect("a problem");
        assert_eq!((problem.mate, problem.id.as_str(), problem.most_points()), (Some(2), "line 9", 0));
        assert_eq!((problem.board.halfmove_clock(), problem.board.fullmove_number()), (7, 31));

        let position = "1kr5/3n4/q3p2p/p2n2p1/PppB1P2/5BP1/1P2Q2P/3R2K1 w - -";
        for points in
            ["c0 \"f5=10, Be5+=2, Bf2=3, Bg4=2\";", "0 1 c8 \"10 2 3 2\"; c9 \"f4f5 d4e5 d4f2 f3g4\"; c0 \"odd\""]
        {
            let problem = Problem::parse(&format!("{position} {points}"), 1).expect("a problem");
            let found: Vec<_> = problem.points.iter().map(|&(mv, points)| (mv.uci(false), points)).collect();
            let expected = [("f4f5", 10), ("d4e5", 2), ("d4f2", 3), ("f3g4", 2)];
            assert_eq!(found, expected.map(|(name, points)| (name.to_owned(), points)));
            assert_eq!(problem.most_points(), 10);
        }
    }

    #[test]
    fn broken_lines_are_kept_with_their_numbers() {
        let good = "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;";
        let text = format!(
            "# a comment\n{good}\n\n4k3/8/8/8/8/8/4P3/4K3 w - - bm e5;\n4k3/8/8/8 w - - bm e4;\n4k3 w\n\
             4k3/8/8/8/8/8/4P3/4K3 w - - id \"nothing\";\n4k3/8/8/8/8/8/4P3/4K3 w - - dm 0;\n\
             4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"open;\n4k3/8/8/8/8/8/4P3/4K3 w - - c0 \"e4=10, e6=1\";\n\
             4k3/8/8/8/8/8/4P3/4K3 w - - c8 \"10 1\"; c9 \"e2e4\";\n7k/5K2/6Q1/8/8/8/8/8 b - - bm Kh7;\n{good}\n"
        );
        let suite = Suite::parse("test".into(), &text);
        assert_eq!(suite.problems.len(), 2);
        let hints = [
            (4, "e5"),
            (5, "ranks"),
            (6, "not complete"),
            (7, "nothing is asked"),
            (8, "dm"),
            (9, "quote"),
            (10, "e6"),
            (11, "c8 has 2"),
            (12, "no legal move"),
        ];
        assert_eq!(suite.broken.len(), hints.len(), "{:?}", suite.broken);
        for ((line, why), (expected, hint)) in suite.broken.iter().zip(hints) {
            assert!(*line == expected && why.contains(hint), "{line}: {why}");
        }
        assert_eq!(suite.problems[1].id, "line 13");
    }
}
