//! Adjudication: ends a game early once the scores make its result clear, or when it has become too long.

use std::str::FromStr;

use anyhow::{Context, Error, Result, bail};
use chess::Color;
use uci::Score;

use super::spec::settings;

/// A draw when both sides have called the game level for long enough: `movenumber=40 movecount=8 score=10`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DrawRule {
    /// The earliest move number.
    pub move_number: u32,
    /// How many consecutive moves of each side must be level.
    pub move_count: u32,
    /// Scores up to this many centipawns count as level.
    pub score: i32,
}

/// A loss when one side has seen itself lost for long enough: `movecount=3 score=500 twosided=true`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ResignRule {
    /// How many consecutive moves the score must be lost.
    pub move_count: u32,
    /// Scores this far below zero count as lost, in centipawns.
    pub score: i32,
    /// Whether the other side must agree.
    pub two_sided: bool,
}

impl FromStr for DrawRule {
    type Err = Error;

    fn from_str(text: &str) -> Result<DrawRule> {
        let mut rule = DrawRule { move_number: 40, move_count: 8, score: 10 };
        for (key, value) in settings(text, &["movenumber", "movecount", "score"])? {
            let number: u16 = value.parse().with_context(|| format!("in {key}={value}"))?;
            match key {
                "movenumber" => rule.move_number = number.into(),
                "movecount" => rule.move_count = number.into(),
                _ => rule.score = number.into(),
            }
        }
        if rule.move_count == 0 { bail!("movecount must be at least 1") } else { Ok(rule) }
    }
}

impl FromStr for ResignRule {
    type Err = Error;

    fn from_str(text: &str) -> Result<ResignRule> {
        let mut rule = ResignRule { move_count: 3, score: 500, two_sided: false };
        for (key, value) in settings(text, &["movecount", "score", "twosided"])? {
            let wrong = || format!("in {key}={value}");
            match key {
                "movecount" => rule.move_count = value.parse::<u16>().with_context(wrong)?.into(),
                "score" => rule.score = value.parse::<u16>().with_context(wrong)?.into(),
                _ => rule.two_sided = value.parse().with_context(wrong)?,
            }
        }
        if rule.move_count == 0 { bail!("movecount must be at least 1") } else { Ok(rule) }
    }
}

/// One number to compare with the adjudication bounds; a mate counts as more than any evaluation.
fn centipawns(score: Score) -> i32 {
    match score {
        Score::Centipawns(value) => value.clamp(-90_000, 90_000),
        Score::Mate(moves) if moves > 0 => 100_000 - moves.min(5_000),
        Score::Mate(moves) => -100_000 - moves.max(-5_000),
    }
}

/// All rules of a match.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Rules {
    /// When a game is adjudicated a draw.
    pub draw: Option<DrawRule>,
    /// When a game is adjudicated a loss.
    pub resign: Option<ResignRule>,
    /// The number of full moves after which every game is drawn.
    pub max_moves: Option<u32>,
}

/// What a rule decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Ruling {
    /// The winner; none for a draw.
    pub winner: Option<Color>,
    /// The reason in words.
    pub reason: &'static str,
}

/// Applies the adjudication rules to the scores of one game.
#[derive(Clone, Debug)]
pub(crate) struct Judge {
    rules: Rules,
    plies: u32,
    level: u32,        // plies in a row that were called level
    lost: [u32; 2],    // [side]: own moves in a row on which it saw itself lost
    winning: [u32; 2], // [side]: own moves in a row on which it saw itself winning
}

impl Judge {
    /// A judge for a new game.
    pub(crate) fn new(rules: Rules) -> Judge {
        Judge { rules, plies: 0, level: 0, lost: [0; 2], winning: [0; 2] }
    }

    /// Takes the move that `side` just made: its score for that side, whether it was irreversible, and the number of
    /// the full move. An engine that gives no score is never adjudicated against.
    pub(crate) fn watch(
        &mut self,
        side: Color,
        score: Option<Score>,
        irreversible: bool,
        move_number: u32,
    ) -> Option<Ruling> {
        self.plies += 1;
        let score = score.map(centipawns);
        self.watch_resignation(side, score)
            .or_else(|| self.watch_draw(score, irreversible, move_number))
            .or_else(|| self.watch_length())
    }

    fn watch_resignation(&mut self, side: Color, score: Option<i32>) -> Option<Ruling> {
        let rule = self.rules.resign?;
        let count = |counter: &mut u32, holds: bool| *counter = if holds { *counter + 1 } else { 0 };
        count(&mut self.lost[side.index()], score.is_some_and(|score| score <= -rule.score));
        count(&mut self.winning[side.index()], score.is_some_and(|score| score >= rule.score));
        Color::ALL.into_iter().find_map(|loser| {
            let winner = loser.other();
            let agreed = !rule.two_sided || self.winning[winner.index()] >= rule.move_count;
            (agreed && self.lost[loser.index()] >= rule.move_count)
                .then_some(Ruling { winner: Some(winner), reason: "adjudication: a decisive score" })
        })
    }

    fn watch_draw(&mut self, score: Option<i32>, irreversible: bool, move_number: u32) -> Option<Ruling> {
        let rule = self.rules.draw?;
        // A capture or pawn move shows that a side is still trying.
        let level = score.is_some_and(|score| score.abs() <= rule.score);
        self.level = if irreversible || !level { 0 } else { self.level + 1 };
        (move_number >= rule.move_number && self.level >= 2 * rule.move_count)
            .then_some(Ruling { winner: None, reason: "adjudication: a level score" })
    }

    fn watch_length(&self) -> Option<Ruling> {
        let limit = self.rules.max_moves?;
        (self.plies >= 2 * limit).then_some(Ruling { winner: None, reason: "adjudication: the longest game allowed" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Feeds scores from White's point of view, White first, and returns the ply of the verdict, from 1.
    fn judge(rules: Rules, scores: impl IntoIterator<Item = i32>) -> Option<(usize, Option<Color>)> {
        let mut judge = Judge::new(rules);
        scores.into_iter().enumerate().find_map(|(ply, score)| {
            let (side, own) = if ply % 2 == 0 { (Color::White, score) } else { (Color::Black, -score) };
            let verdict = judge.watch(side, Some(Score::Centipawns(own)), false, (ply / 2 + 1) as u32)?;
            Some((ply + 1, verdict.winner))
        })
    }

    #[test]
    fn rules_are_read() {
        let draw: DrawRule = "movenumber=30 score=5".parse().expect("a good rule");
        assert_eq!(draw, DrawRule { move_number: 30, move_count: 8, score: 5 });
        let resign: ResignRule = "twosided=true movecount=4".parse().expect("a good rule");
        assert_eq!(resign, ResignRule { move_count: 4, score: 500, two_sided: true });
        for text in ["movecount=0", "score=x", "colour=1", "score"] {
            assert!(text.parse::<DrawRule>().is_err() && text.parse::<ResignRule>().is_err(), "{text}");
        }
    }

    #[test]
    fn draws() {
        let rules = Rules { draw: Some(DrawRule { move_number: 5, move_count: 2, score: 10 }), ..Rules::default() };
        assert_eq!(judge(rules, [0; 20]), Some((9, None)), "not before move 5");
        let restless = [0, 0, 0, 0, 0, 0, 0, 0, 11, 10, -10, 0, 0, 0];
        assert_eq!(judge(rules, restless), Some((13, None)), "two moves of each side after the last swing");
        let mut judge = Judge::new(rules);
        let pawn_moves =
            (0..40).find_map(|ply| judge.watch(Color::White, Some(Score::Centipawns(0)), ply % 3 == 0, 50));
        assert_eq!(pawn_moves, None, "somebody still tries");
    }

    #[test]
    fn resignations() {
        let one_sided = ResignRule { move_count: 2, score: 500, two_sided: false };
        let rules = Rules { resign: Some(one_sided), ..Rules::default() };
        assert_eq!(judge(rules, [-500; 20]), Some((3, Some(Color::Black))));
        assert_eq!(judge(rules, [600, 600, 600, 600]), Some((4, Some(Color::White))));
        assert_eq!(judge(rules, [-500, 0, -499, 0, -500, 0, -499]), None, "not in a row");
        let rules = Rules { resign: Some(ResignRule { two_sided: true, ..one_sided }), ..Rules::default() };
        assert_eq!(judge(rules, [-500, -100, -500, -100, -500, -600, -700, -700]), Some((8, Some(Color::Black))));
        let mut judge = Judge::new(rules);
        assert_eq!((0..40).find_map(|_| judge.watch(Color::White, None, false, 9)), None, "no score, no verdict");
    }

    #[test]
    fn a_mate_is_decisive_and_length_is_limited() {
        let resign = Some(ResignRule { move_count: 1, score: 500, two_sided: false });
        let mut judge = Judge::new(Rules { resign, ..Rules::default() });
        let verdict = judge.watch(Color::Black, Some(Score::Mate(-3)), false, 1).expect("Black is lost");
        assert_eq!(verdict.winner, Some(Color::White));
        let mut judge = Judge::new(Rules { max_moves: Some(2), ..Rules::default() });
        let length = (1..9).find(|_| judge.watch(Color::White, None, true, 1).is_some());
        assert_eq!(length, Some(4));
    }
    #[test]
    fn mates_are_beyond_all_evaluations() {
        assert!(centipawns(Score::Mate(1)) > centipawns(Score::Mate(9)));
        assert!(centipawns(Score::Mate(9)) > centipawns(Score::Centipawns(i32::MAX)));
        assert!(centipawns(Score::Mate(0)) < centipawns(Score::Mate(-9)));
        assert!(centipawns(Score::Mate(-9)) < centipawns(Score::Centipawns(i32::MIN)));
    }
}
