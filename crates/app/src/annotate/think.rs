//! Searches every position of a game.

use chess::{Board, Color, Move, Outcome, Position};
use engine::{Control, Engine, Limits, PvLine, Silent};

use super::judge::{Eval, eval_of};
use super::praise::needs_second;

/// The result for a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Finding {
    pub(crate) eval: Eval,
    /// The best line; empty if the game is over.
    pub(crate) line: Vec<Move>,
    /// The value of the best alternative, where it was needed.
    pub(crate) second: Option<Eval>,
}

impl Finding {
    /// From a search result.
    pub(crate) fn of(best: &PvLine, side: Color) -> Finding {
        Finding { eval: eval_of(best.score.for_white(side)), line: best.moves.clone(), second: None }
    }

    /// The result without a search, if the game is over. If a draw could have been claimed but the game went on, the
    /// engine searches on too.
    pub(crate) fn of_outcome(position: &Position, is_last: bool) -> Option<Finding> {
        let eval = match position.outcome()? {
            Outcome::Checkmate { winner } => Eval::Mate(winner, 0),
            Outcome::Stalemate => Eval::Centipawns(0),
            _ if is_last => Eval::Centipawns(0),
            _ => return None,
        };
        Some(Finding { eval, line: Vec::new(), second: None })
    }
}

/// Limits that exclude this move, with at most half the effort of the position itself: enough to tell whether it was
/// the only one.
pub(crate) fn limits_without(position: &Position, mv: Move, limits: &Limits) -> Limits {
    let search_moves = position.legal_moves().iter().copied().filter(|&other| other != mv).collect();
    let half = |nodes: u64| (nodes / 2).max(1);
    Limits {
        search_moves,
        nodes: limits.nodes.map(half),
        move_time: limits.move_time.map(|time| time / 2),
        ..limits.clone()
    }
}

/// Searches every position of a game, the last first. That way the hash table already holds what the moves played led
/// to, and their values are consistent. `tick` is called after each position.
pub(super) fn think(
    engine: &mut Engine,
    limits: &Limits,
    start: Board,
    moves: &[Move],
    tick: &mut dyn FnMut(),
) -> Vec<Finding> {
    // Every game starts with empty tables, so that results do not depend on earlier games and a resumed run equals an
    // uninterrupted one.
    engine.new_game();
    let mut position = Position::new(start).along(moves);
    let mut findings = Vec::with_capacity(moves.len() + 1);
    for ply in (0..=moves.len()).rev() {
        let mut found = look(engine, limits, &position, ply == moves.len());
        let previous = ply.checked_sub(1).and_then(|before| moves.get(before)).copied();
        if let Some(&mv) = moves.get(ply)
            && needs_second(&position, mv, previous, &found)
        {
            let others = engine.search(&position, &limits_without(&position, mv, limits), &Control::new(), &mut Silent);
            found.second = Some(Finding::of(&others.best, position.side_to_move()).eval);
        }
        findings.push(found);
        tick();
        if ply > 0 {
            position.unmake();
        }
    }
    findings.reverse();
    findings
}

fn look(engine: &mut Engine, limits: &Limits, position: &Position, is_last: bool) -> Finding {
    Finding::of_outcome(position, is_last).unwrap_or_else(|| {
        let best = engine.search(position, limits, &Control::new(), &mut Silent).best;
        Finding::of(&best, position.side_to_move())
    })
}

/// The side to move at a ply of a game.
pub(crate) fn mover(first: Color, ply: usize) -> Color {
    if ply.is_multiple_of(2) { first } else { first.other() }
}

/// A game with a blunder, White's second move, and plausible search results for it, for tests.
#[cfg(test)]
pub(super) fn fools_mate(game: &record::pgn::Game) -> (Board, Vec<Move>, Vec<Finding>) {
    let (start, moves) = game.replay(99).expect("legal");
    let evals = [20, -50, -50].map(Eval::Centipawns).into_iter();
    let evals = evals.chain([Eval::Mate(Color::Black, 1), Eval::Mate(Color::Black, 0)]);
    let (mut board, mut findings) = (start, Vec::new());
    for (index, eval) in evals.enumerate() {
        let best = if index == 2 { board.parse_uci("e2e4").ok() } else { moves.get(index).copied() };
        findings.push(Finding { eval, line: best.into_iter().collect(), second: None });
        board = moves.get(index).map_or(board, |&mv| board.after(mv));
    }
    (start, moves, findings)
}
