//! Reads games with scores, from viriformat or PGN files.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use chess::{Board, Color, Move};

use data::Reader;
use record::GameResult;
use record::pgn::{Game as PgnGame, whole_games};
use toolkit::Rng;

/// A game with scores.
#[derive(Clone, Debug)]
pub struct ScoredGame {
    /// Where it began.
    pub start: Board,
    /// How it ended.
    pub result: GameResult,
    /// The moves, each with the score for White of the position before it, if there is one.
    pub moves: Vec<(Move, Option<i16>)>,
}

impl ScoredGame {
    /// Whether the game is one of those, one in `share`, that are held out. It depends only on the game and the seed:
    /// a game that was held out once stays held out when files grow, are merged or are used again. Weights fitted to
    /// the games they are validated on would look better than they are, and no step away from them would ever be
    /// accepted.
    #[must_use]
    pub fn is_kept_apart(&self, share: usize, seed: u64) -> bool {
        let start = Rng::new(self.start.key() ^ seed).bits();
        let mixed = self.moves.iter().fold(start, |mixed, &(mv, _)| Rng::new(mixed ^ u64::from(mv.bits())).bits());
        Rng::new(mixed).below(share) == 0
    }
}

/// Reads the games of a file: PGN if its name says so, else viriformat. A file whose end is missing, such as one still
/// being written, gives all its whole games and a call of `warn`.
pub fn load(path: &Path, mut warn: impl FnMut(String)) -> Result<Vec<ScoredGame>> {
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pgn")) {
        let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let games: Vec<_> = whole_games(&String::from_utf8_lossy(&bytes)).iter().filter_map(from_pgn).collect();
        if games.is_empty() {
            bail!("{} has no games with a result and legal moves", path.display());
        }
        return Ok(games);
    }
    let mut games = Vec::new();
    for game in Reader::open(path)? {
        match game {
            Ok(game) => games.push(ScoredGame {
                start: game.start,
                result: game.result,
                moves: game.moves.into_iter().map(|(mv, score)| (mv, Some(score))).collect(),
            }),
            Err(error) if games.is_empty() => return Err(error),
            Err(error) => warn(format!("{error:#}; the {} games before it are used", games.len())),
        }
    }
    Ok(games)
}

/// A finished game with legal moves.
fn from_pgn(game: &PgnGame) -> Option<ScoredGame> {
    let result = game.result?;
    // A time forfeit or a crash proves nothing about the position.
    if !matches!(game.tag("Termination"), None | Some("normal" | "adjudication")) {
        return None;
    }
    let (start, moves) = game.replay(usize::MAX).ok()?;
    let mut side = start.side_to_move();
    let scored = moves.into_iter().zip(game.moves()).map(|(mv, text)| {
        let score = score(&text.comment()).map(|score| if side == Color::White { score } else { -score });
        side = !side;
        (mv, score)
    });
    Some(ScoredGame { start, result, moves: scored.collect() })
}

/// The mover's score in centipawns from a comment such as `+0.31/12 0.101s`; none for a mate.
fn score(comment: &str) -> Option<i16> {
    let pawns: f64 = comment.split('/').next()?.trim().parse().ok()?;
    (pawns.abs() < 300.0).then(|| (pawns * 100.0).round() as i16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_of_comments() {
        assert_eq!(score("+0.31/12 0.101s, n=5"), Some(31));
        assert_eq!(score("-12.00/3"), Some(-1200));
        for none in ["", "+M5/12 0.1s", "book", "nan/1", "inf/1", "1e9/2"] {
            assert_eq!(score(none), None, "{none}");
        }
    }

    #[test]
    fn games_of_a_match_are_scored_from_the_side_of_white() {
        let text = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 1\"]\n1... Kd7 {-1.50/9 0.1s} 2. e4 {+1.60/9 0.1s} Kd6 1-0\n\n\
                    [Termination \"time forfeit\"]\n1. e4 {+0.3/1 1s} 1-0\n\n1. e4 {+0.3/1 1s} *\n\n1. e5 {+0.3/1 1s} 1-0\n";
        let games: Vec<_> = whole_games(text).iter().filter_map(from_pgn).collect();
        assert_eq!(games.len(), 1);
        let scores: Vec<_> = games[0].moves.iter().map(|&(_, score)| score).collect();
        assert_eq!((scores, games[0].result), (vec![Some(150), Some(160), None], GameResult::WhiteWins));
    }

    #[test]
    fn games_stay_on_their_side() {
        let text = |moves: &str| format!("{moves} 1-0\n\n");
        let lines = ["1. e4 e5", "1. d4 d5", "1. c4 c5", "1. Nf3 Nf6", "1. g3 g6", "1. b3 b6", "1. a3 a6", "1. f4 f5"];
        let few: String = lines[..4].iter().map(|line| text(line)).collect();
        let many: String = lines.iter().rev().map(|line| text(line)).collect();
        let sides = |text: &str| -> Vec<(u64, bool)> {
            let games: Vec<_> = whole_games(text).iter().filter_map(from_pgn).collect();
            games.iter().map(|game| (u64::from(game.moves[0].0.bits()), game.is_kept_apart(2, 1))).collect()
        };
        let (few, many) = (sides(&few), sides(&many));
        assert!(few.iter().all(|game| many.contains(game)), "whatever other games there are, and in whatever order");
        assert!(many.iter().any(|game| game.1) && many.iter().any(|game| !game.1), "{many:?}");
    }

    #[test]
    fn bad_files_are_named() {
        for name in ["/no/such/file.vf", "/no/such/file.pgn"] {
            let error = load(Path::new(name), |_| {}).expect_err("no file");
            assert!(format!("{error:#}").contains(name));
        }
    }
}
