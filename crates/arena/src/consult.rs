//! An engine that is asked about positions instead of playing a game.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::{Result, anyhow, bail};
use chess::{Board, Move, Position};
use uci::{Go, Score, SetPosition, UciMove};

use crate::game::start_position;
use crate::player::{Failure, Player};
use crate::spec::EngineSpec;

/// How long a search may take before the engine gets a `stop`, and how long it may take to answer that.
const PATIENCE: Duration = Duration::from_secs(120);
const GRACE: Duration = Duration::from_secs(2);

/// A running engine. It keeps what it learned from question to question, as in a game, until told otherwise.
pub struct Consultant {
    player: Player,
    name: String,
}

/// What an engine thinks of a position.
#[derive(Clone, PartialEq, Debug)]
pub struct Opinion {
    /// The move it chose.
    pub best: Move,
    /// The best move so far, and the nodes after which it became that.
    pub trail: Vec<(u64, Move)>,
    /// Its score for the side to move, if it gave one.
    pub score: Option<Score>,
}

impl Opinion {
    /// The move it would have chosen after so many nodes.
    #[must_use]
    pub fn after(&self, nodes: u64) -> Move {
        let known = self.trail.iter().take_while(|(then, _)| *then <= nodes).last();
        known.or(self.trail.first()).map_or(self.best, |(_, mv)| *mv)
    }
}

impl Consultant {
    /// Starts an engine.
    ///
    /// # Errors
    /// If it cannot be started, or lacks one of the options asked for.
    pub fn start(spec: &EngineSpec, called_off: &Arc<AtomicBool>) -> Result<Consultant> {
        let player = Player::start(spec, false, Arc::clone(called_off))?;
        if let Some(option) = player.unknown_options.first() {
            bail!("{} has no option {option}", spec.name);
        }
        Ok(Consultant { player, name: spec.name.clone() })
    }

    /// Makes the engine forget what it learned.
    ///
    /// # Errors
    /// If it does not answer.
    pub fn forget(&mut self) -> Result<()> {
        self.player.forget().map_err(|failure| self.complaint(&failure))
    }

    /// Asks about the position after some moves.
    ///
    /// # Errors
    /// If the engine does not answer, or with an illegal move.
    pub fn ask(&mut self, start: &Board, moves: &[Move], nodes: u64) -> Result<Opinion> {
        let command = SetPosition {
            start: start_position(start, false),
            moves: moves.iter().map(|&mv| UciMove::new(mv, false)).collect(),
        };
        let go = Go { nodes: i64::try_from(nodes).ok(), ..Go::default() };
        let thought = self.player.think(&command, go, PATIENCE, GRACE).map_err(|failure| self.complaint(&failure))?;
        let position = Position::new(*start).along(moves);
        let best = thought.legal_move(position.board());
        let best = best.map_err(|text| anyhow!("{} played {text} in {}", self.name, position.board()))?;
        let step = |step: &crate::listener::Step| Some((step.nodes, step.best.on(position.board())?));
        Ok(Opinion { best, trail: thought.trail.iter().filter_map(step).collect(), score: thought.said.score })
    }

    /// Ends the engine.
    pub fn quit(self) {
        self.player.quit();
    }

    fn complaint(&self, failure: &Failure) -> anyhow::Error {
        anyhow!("{}: {failure}", self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_move_after_some_nodes_is_the_last_one_known_by_then() {
        let board = Board::start();
        let [first, second, last] = ["e2e4", "d2d4", "g1f3"].map(|mv| board.parse_uci(mv).expect(mv));
        let opinion = Opinion { best: last, trail: vec![(100, first), (500, second), (900, last)], score: None };
        assert_eq!([50, 100, 499, 500, 5000].map(|nodes| opinion.after(nodes)), [first, first, first, second, last]);
        assert_eq!(Opinion { trail: Vec::new(), ..opinion }.after(100), last);
    }
}
