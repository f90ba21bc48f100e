//! One player at both sides of the board.

use chess::{Board, Color, Move, Position};
use engine::{Control, Engine, EngineError, Info, Limits, Reporter};

use super::game::{Game, GameResult};
use super::judge::{Judge, Rules};
use super::opening::Starts;
use crate::arena::tablebase::Tables;
use crate::rng::Rng;

/// How games are played.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Where they begin.
    pub starts: Starts,
    /// No iteration begins after so many nodes.
    pub soft_nodes: u64,
    /// No search visits more nodes.
    pub hard_nodes: u64,
    /// The search that judges an opening has so many.
    pub opening_nodes: u64,
    /// Openings with a larger score are not played.
    pub opening_limit: i32,
    /// When games are called decided.
    pub rules: Rules,
    /// Games of so many plies are draws.
    pub longest: usize,
    /// The size of the hash table in megabytes.
    pub hash: usize,
    /// What the game numbers are mixed with.
    pub seed: u64,
}

/// An engine that plays itself. Every game depends on the plan and its number alone, never on the games before it.
pub struct Player<'a> {
    plan: &'a Plan,
    tables: Option<&'a Tables>,
    engine: Engine,
    control: Control,
}

impl<'a> Player<'a> {
    /// A player with an engine of its own.
    pub fn new(plan: &'a Plan, tables: Option<&'a Tables>) -> Result<Player<'a>, EngineError> {
        let mut engine = Engine::new();
        engine.set_hash(plan.hash)?;
        Ok(Player { plan, tables, engine, control: Control::new(false) })
    }

    /// Plays the game with this number.
    pub fn play(&mut self, number: u32) -> Game {
        let mut rng = Rng::new(Rng::new(self.plan.seed).bits() ^ Rng::new(u64::from(number)).bits());
        let start = loop {
            let board = self.plan.starts.pick(&mut rng);
            self.engine.new_game();
            if self.is_balanced(&board) {
                break board;
            }
        };
        let mut game = Game { start, result: GameResult::Draw, number, moves: Vec::with_capacity(256) };
        game.result = GameResult::of_winner(self.play_out(&mut game));
        game
    }

    fn is_balanced(&mut self, board: &Board) -> bool {
        let nodes = self.plan.opening_nodes;
        let (_, score) = self.search(&Position::new(*board), nodes, nodes.saturating_mul(2));
        score.abs() <= self.plan.opening_limit
    }

    /// Plays to the end and returns the winner.
    fn play_out(&mut self, game: &mut Game) -> Option<Color> {
        let mut position = Position::new(game.start);
        let mut judge = Judge::new(self.plan.rules);
        let opening_plies = u32::from(game.start.fullmove_number().saturating_sub(1)) * 2;
        loop {
            if let Some(outcome) = position.outcome() {
                return outcome.winner();
            }
            if let Some(verdict) = self.tables.and_then(|tables| tables.probe(position.board())) {
                return verdict.winner;
            }
            if game.moves.len() >= self.plan.longest {
                return None;
            }
            let (best, score) = self.search(&position, self.plan.soft_nodes, self.plan.hard_nodes);
            let mv = best?;
            let white = if position.side_to_move() == Color::White { score } else { -score };
            game.moves.push((mv, white.clamp(-i32::from(i16::MAX), i32::from(i16::MAX)) as i16));
            if let Some(winner) = judge.watch(white, opening_plies + game.moves.len() as u32) {
                return winner;
            }
            position.make(mv, &mut ());
        }
    }

    /// The best move and its score for the side to move.
    fn search(&mut self, position: &Position, soft_nodes: u64, hard_nodes: u64) -> (Option<Move>, i32) {
        let limits = Limits { soft_nodes: Some(soft_nodes), nodes: Some(hard_nodes), ..Limits::default() };
        let mut last = LastScore(0);
        let best = self.engine.search(position, &limits, &self.control, &mut last).best;
        (best, last.0)
    }
}

/// Keeps the last score told.
struct LastScore(i32);

impl Reporter for LastScore {
    fn info(&mut self, info: &Info) {
        self.0 = info.score;
    }
}
