//! Adjudicates self-play games: ends them once the scores show that they are won or drawn.

use chess::Color;

/// The adjudication rules. Scores are in centipawns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// A game is won with this score …
    pub win_score: i32,
    /// … for this many consecutive plies.
    pub win_plies: u32,
    /// A game is drawn with at most this score …
    pub draw_score: i32,
    /// … for this many consecutive plies …
    pub draw_plies: u32,
    /// … from this ply of the game on.
    pub draw_from: u32,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules { win_score: 2000, win_plies: 5, draw_score: 8, draw_plies: 10, draw_from: 80 }
    }
}

/// Applies the rules to the scores of a game. Both sides are the same engine, so it counts plies, not the moves of one
/// side.
#[derive(Clone, Debug)]
pub(crate) struct Judge {
    rules: Rules,
    ahead: Option<Color>,
    decisive: u32,
    level: u32,
}

impl Judge {
    /// A judge for a new game.
    #[must_use]
    pub(crate) fn new(rules: Rules) -> Judge {
        Judge { rules, ahead: None, decisive: 0, level: 0 }
    }

    /// Takes White's score of a position; `ply` counts from the first move of the game. `Some(None)` is a draw.
    pub(crate) fn watch(&mut self, white_score: i32, ply: u32) -> Option<Option<Color>> {
        let ahead = match white_score {
            _ if white_score >= self.rules.win_score => Some(Color::White),
            _ if white_score <= -self.rules.win_score => Some(Color::Black),
            _ => None,
        };
        self.decisive = if ahead.is_some() && ahead == self.ahead { self.decisive + 1 } else { ahead.is_some().into() };
        self.ahead = ahead;
        self.level = if white_score.abs() <= self.rules.draw_score { self.level + 1 } else { 0 };
        if ahead.is_some() && self.decisive >= self.rules.win_plies {
            return Some(ahead);
        }
        (ply >= self.rules.draw_from && self.level >= self.rules.draw_plies).then_some(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(scores: impl IntoIterator<Item = i32>) -> Option<(u32, Option<Color>)> {
        let mut judge = Judge::new(Rules { win_plies: 3, draw_plies: 4, draw_from: 10, ..Rules::default() });
        (1..).zip(scores).find_map(|(ply, score)| Some((ply, judge.watch(score, ply)?)))
    }

    #[test]
    fn wins_need_agreement() {
        assert_eq!(verdict([2000, 2500, 31_990]), Some((3, Some(Color::White))));
        assert_eq!(verdict([-2000, -2000, -1999, -2000, -2000, -2000]), Some((6, Some(Color::Black))));
        assert_eq!(verdict([2000, -2000, 2000, -2000, 2000, -2000]), None);
    }

    #[test]
    fn draws_need_time() {
        assert_eq!(verdict([0; 30]), Some((10, None)));
        assert_eq!(verdict([8, -8, 9, 8, 8, 8, 0, 0, 0, 9, -8, 8, 8, 8]), Some((14, None)));
    }
}
