//! What the tables need to know about a game. It can be computed from the game just played or from its PGN, so a
//! resumed match counts exactly what an uninterrupted one would.

use std::time::Duration;

use anyhow::{Result, anyhow, bail};

use super::game::{Cause, Game, VOID};
use super::schedule::Pairing;
use super::scrutiny::MARK;
use record::GameResult;
use record::pgn::Game as PgnGame;

/// A loss for reasons other than chess.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The flag fell.
    TimeLoss,
    /// An illegal move.
    IllegalMove,
    /// The process ended.
    Crash,
    /// The engine did not answer.
    Stall,
}

/// What one side spent on its moves.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Effort {
    /// Own moves, not counting the opening.
    pub moves: u64,
    /// Time used.
    pub time: Duration,
    /// Sum of the depths reached.
    pub depth: u64,
    /// Sum of the nodes searched.
    pub nodes: u64,
    /// Reports that turned out to be wrong.
    pub warnings: u64,
}

impl Effort {
    fn add(&mut self, time: Duration, depth: u32, nodes: u64, warnings: usize) {
        self.absorb(&Effort { moves: 1, time, depth: depth.into(), nodes, warnings: warnings as u64 });
    }

    /// Adds another sum.
    pub fn absorb(&mut self, other: &Effort) {
        self.moves += other.moves;
        self.time += other.time;
        self.depth += other.depth;
        self.nodes += other.nodes;
        self.warnings += other.warnings;
    }
}

/// A game in numbers.
#[derive(Clone, PartialEq, Debug)]
pub struct Summary {
    /// Which game it was.
    pub pairing: Pairing,
    /// White's score in half points.
    pub white_half_points: u8,
    /// The loser's fault, if there was one.
    pub fault: Option<Fault>,
    /// Whether it is void because the machine stood still.
    pub is_void: bool,
    /// The effort of White and Black.
    pub effort: [Effort; 2],
}

impl Summary {
    /// Summarises a game just played.
    pub fn of_game(pairing: Pairing, game: &Game) -> Summary {
        let mut effort = [Effort::default(); 2];
        let mut side = game.start.side_to_move();
        for ply in &game.plies {
            if let Some(said) = &ply.said {
                effort[side.index()].add(ply.time, said.depth, said.nodes, ply.warnings.len());
            }
            side = side.other();
        }
        let fault = match game.cause {
            Cause::Rules(_) | Cause::Adjudication(_) | Cause::Void(..) => None,
            Cause::TimeLoss(_) => Some(Fault::TimeLoss),
            Cause::IllegalMove(_) => Some(Fault::IllegalMove),
            Cause::Crash(_) => Some(Fault::Crash),
            Cause::Stall => Some(Fault::Stall),
        };
        let white_half_points = GameResult::of_winner(game.winner).white_half_points();
        Summary { pairing, white_half_points, fault, is_void: game.cause.is_void(), effort }
    }

    /// Summarises a game from its PGN, after checking that it is the scheduled game of that number.
    pub(crate) fn of_pgn(pairing: Pairing, names: [&str; 2], start: &chess::Board, game: &PgnGame) -> Result<Summary> {
        let found = [game.tag("White"), game.tag("Black")];
        if found != names.map(Some) {
            let [white, black] = found.map(|name| name.unwrap_or("?"));
            bail!("it is {white} against {black}, not {} against {}", names[0], names[1]);
        }
        let found = game.start().map_err(|error| anyhow!("{error}"))?;
        if found != *start {
            bail!("it begins with {found}, not with {start}: is the book or its order another?");
        }
        let is_void = game.result.is_none() && game.tag("Termination") == Some(VOID);
        let result = if is_void { Some(GameResult::of_winner(None)) } else { game.result };
        let white_half_points = result.ok_or_else(|| anyhow!("it has no result"))?.white_half_points();
        let fault = match game.tag("Termination") {
            Some("time forfeit") => Some(Fault::TimeLoss),
            Some("illegal move") => Some(Fault::IllegalMove),
            Some("abandoned") => Some(Fault::Crash),
            Some("stall") => Some(Fault::Stall),
            _ => None,
        };
        let mut effort = [Effort::default(); 2];
        let mut side = found.side_to_move();
        for mv in game.moves() {
            let comment = mv.comment();
            if let Some((time, depth, nodes)) = parse_comment(&comment) {
                effort[side.index()].add(time, depth, nodes, comment.matches(MARK).count());
            }
            side = side.other();
        }
        Ok(Summary { pairing, white_half_points, fault, is_void, effort })
    }
}

/// Time, depth and nodes from `+0.31/12 0.101s, n=12345`.
fn parse_comment(comment: &str) -> Option<(Duration, u32, u64)> {
    let mut words = comment.split_ascii_whitespace();
    let depth = words.next()?.split_once('/')?.1.parse().ok()?;
    let seconds: f64 = words.next()?.trim_end_matches(',').strip_suffix('s')?.parse().ok()?;
    let nodes = words.next().and_then(|word| word.trim_end_matches(',').strip_prefix("n="));
    let nodes = nodes.and_then(|nodes| nodes.parse().ok());
    Some((Duration::try_from_secs_f64(seconds).ok()?, depth, nodes.unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::pgn::whole_games;

    const PAIRING: Pairing = Pairing { number: 0, players: [0, 1], round: 0 };

    #[test]
    fn a_game_from_a_file() {
        let game = &whole_games(
            "[White \"A\"]\n[Black \"B\"]\n[Termination \"time forfeit\"]\n\n1. e4 {book} e5 {+0.10/9 0.250s, n=77} 2. Nf3 \
             {-M4/20 1.000s, n=5} Nc6 {?/0 0.500s, n=1, warning: a, warning: b} {White loses on time} 0-1",
        )[0];
        let start = chess::Board::start();
        let summary = Summary::of_pgn(PAIRING, ["A", "B"], &start, game).expect("the right game");
        assert_eq!((summary.white_half_points, summary.fault), (0, Some(Fault::TimeLoss)));
        let [white, black] = summary.effort;
        assert_eq!((white.moves, white.depth, white.nodes), (1, 20, 5));
        assert_eq!((black.moves, black.depth, black.nodes, black.time), (2, 9, 78, Duration::from_millis(750)));
        assert_eq!((white.warnings, black.warnings), (0, 2));
        assert!(!summary.is_void);
        assert!(Summary::of_pgn(PAIRING, ["B", "A"], &start, game).is_err());
        let other = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse().expect("a FEN");
        assert!(Summary::of_pgn(PAIRING, ["A", "B"], &other, game).is_err());
    }

    #[test]
    fn a_void_game_has_no_result() {
        let text = |termination: &str, result: &str| {
            format!(
                "[White \"A\"]\n[Black \"B\"]\n[Termination \"{termination}\"]\n\n1. e4 {{+0.10/9 0.250s, n=77}} {result}\n"
            )
        };
        let summary =
            |text: String| Summary::of_pgn(PAIRING, ["A", "B"], &chess::Board::start(), &whole_games(&text)[0]);
        let void = summary(text("void", "*")).expect("a void game");
        assert!(void.is_void && void.fault.is_none());
        assert!(!summary(text("void", "1-0")).expect("a game with a result").is_void);
        assert!(summary(text("normal", "*")).is_err());
    }
}
