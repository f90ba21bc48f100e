//! The result of a game.

use std::fmt;

use chess::Color;

/// The result of a finished game. Each number is White's score in half points.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
#[expect(missing_docs, reason = "the names say it all")]
pub enum GameResult {
    BlackWins = 0,
    Draw = 1,
    WhiteWins = 2,
}

impl GameResult {
    /// All results, by White's half points.
    pub const ALL: [GameResult; 3] = [GameResult::BlackWins, GameResult::Draw, GameResult::WhiteWins];

    /// The result of a game with this winner; a draw if there is none.
    #[must_use]
    pub fn of_winner(winner: Option<Color>) -> GameResult {
        match winner {
            Some(Color::White) => GameResult::WhiteWins,
            Some(Color::Black) => GameResult::BlackWins,
            None => GameResult::Draw,
        }
    }

    /// The result in which White scored this many half points.
    #[must_use]
    pub fn of_white_half_points(points: u8) -> Option<GameResult> {
        GameResult::ALL.get(usize::from(points)).copied()
    }

    /// White's score in half points.
    #[must_use]
    pub fn white_half_points(self) -> u8 {
        self as u8
    }

    /// White's score: 0, ½ or 1.
    #[must_use]
    pub fn white_points(self) -> f32 {
        f32::from(self.white_half_points()) / 2.0
    }

    /// The result as PGN writes it; `*` for an undecided game.
    #[must_use]
    pub fn text(result: Option<GameResult>) -> &'static str {
        match result {
            Some(GameResult::WhiteWins) => "1-0",
            Some(GameResult::BlackWins) => "0-1",
            Some(GameResult::Draw) => "1/2-1/2",
            None => "*",
        }
    }

    /// Parses a PGN result. The outer option tells whether the text is a result at all, the inner one whether the game
    /// is decided.
    pub(crate) fn read(text: &str) -> Option<Option<GameResult>> {
        match text {
            "1-0" => Some(Some(GameResult::WhiteWins)),
            "0-1" => Some(Some(GameResult::BlackWins)),
            "1/2-1/2" | "1/2" | "½-½" => Some(Some(GameResult::Draw)),
            "*" => Some(None),
            _ => None,
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(GameResult::text(Some(*self)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_result_in_every_form() {
        for (points, result) in (0_u8..).zip(GameResult::ALL) {
            assert_eq!(GameResult::of_white_half_points(points), Some(result));
            assert_eq!(result.white_half_points(), points);
            assert_eq!(GameResult::read(&result.to_string()), Some(Some(result)));
        }
        assert_eq!(GameResult::of_white_half_points(3), None);
        assert_eq!(GameResult::of_winner(Some(Color::Black)).to_string(), "0-1");
        assert_eq!(GameResult::read(GameResult::text(None)), Some(None));
        assert_eq!(GameResult::read("2-0"), None);
    }
}
