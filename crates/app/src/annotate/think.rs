//! What the engine thinks of every position of a game.

use chess::{Board, Color, Move, Outcome, Position};
use engine::{Control, Engine, Limits, Silent};

use super::judge::{Eval, eval_of};

/// What is known of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Finding {
    pub(super) eval: Eval,
    /// The best line; empty if the game is over.
    pub(super) line: Vec<Move>,
}

/// Looks at every position of a game, the last first: so the hash table knows already what came of the moves that were played, and
/// their values agree with each other. `tick` is called after each position.
pub(super) fn think(
    engine: &mut Engine,
    limits: &Limits,
    start: Board,
    moves: &[Move],
    tick: &mut dyn FnMut(),
) -> Vec<Finding> {
    // Every game begins afresh: what is found does not depend on which games came before, so a resumed run equals a whole one.
    engine.new_game();
    let mut position = Position::new(start);
    moves.iter().for_each(|&mv| position.play(mv));
    let mut findings = Vec::with_capacity(moves.len() + 1);
    let mut is_last = true;
    loop {
        findings.push(look(engine, limits, &position, is_last));
        tick();
        is_last = false;
        if position.plies() == 0 {
            break;
        }
        position.unmake();
    }
    findings.reverse();
    findings
}

fn look(engine: &mut Engine, limits: &Limits, position: &Position, is_last: bool) -> Finding {
    let over = |eval| Finding { eval, line: Vec::new() };
    match position.outcome() {
        Some(Outcome::Checkmate { winner }) => return over(Eval::Mate(winner, 0)),
        Some(Outcome::Stalemate) => return over(Eval::Centipawns(0)),
        // Where a draw could have been claimed but the game went on, so does the engine.
        Some(_) if is_last => return over(Eval::Centipawns(0)),
        _ => {}
    }
    let best = engine.search(position, limits, &Control::new(), &mut Silent).best;
    Finding { eval: eval_of(best.score.for_white(position.side_to_move())), line: best.moves }
}

/// The side that moves at a ply of a game.
pub(super) fn mover(first: Color, ply: usize) -> Color {
    if ply.is_multiple_of(2) { first } else { first.other() }
}
