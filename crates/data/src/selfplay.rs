//! Self-play: one engine plays both sides.

use anyhow::{Result, anyhow, bail};
use chess::{Board, Color, Move, Position};
use engine::{Control, Engine, Limits, SearchScore, Silent};

use super::game::{Game, GameResult};
use super::judge::{Judge, Rules};
use super::judge_by::JudgeBy;
use super::nodes::NodeBytes;
use super::opening::Starts;
use toolkit::Rng;
use toolkit::Tables;

/// How games are played.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Where they begin.
    pub starts: Starts,
    /// Begin no iteration after this many nodes.
    pub soft_nodes: u64,
    /// The same in check, and while the best move is a capture or a promotion: such positions are played, not taught.
    pub noisy_nodes: u64,
    /// Positions with fewer pieces are played with `noisy_nodes`, too, for the result of the game, and not recorded.
    pub min_pieces: usize,
    /// The most nodes a search visits.
    pub hard_nodes: u64,
    /// The soft node limit of the search that judges an opening.
    pub opening_nodes: u64,
    /// Openings with a larger score are rejected.
    pub opening_limit: i32,
    /// When games are adjudicated.
    pub rules: Rules,
    /// Games of this many plies are drawn.
    pub longest: usize,
    /// The size of the hash table in megabytes.
    pub hash: usize,
    /// The evaluation.
    pub judge_by: JudgeBy,
    /// The seed, mixed with the game number.
    pub seed: u64,
}

/// A score as stored in files; all of the engine's scores fit.
pub(super) fn in_file(score: SearchScore) -> i16 {
    score.units().clamp(-i32::from(i16::MAX), i32::from(i16::MAX)) as i16
}

/// A game and what it cost.
#[derive(Clone, PartialEq, Debug)]
pub struct Played {
    /// The game.
    pub game: Game,
    /// The nodes of all its searches, including those that chose its opening.
    pub nodes: u64,
    /// The nodes that its searches logged; none in builds without the feature `log`.
    pub log: NodeBytes,
}

/// How many openings are tried for one game.
const MOST_TRIES: u32 = 1000;

/// An engine that plays itself. A game depends only on the plan and its number, never on earlier games.
pub(crate) struct Player<'a> {
    plan: &'a Plan,
    tables: Option<&'a Tables>,
    engine: Engine,
    control: Control,
    nodes: u64,
    log: NodeBytes,
}

impl<'a> Player<'a> {
    /// A player with an engine of its own.
    pub(crate) fn new(plan: &'a Plan, tables: Option<&'a Tables>) -> Result<Player<'a>> {
        let mut engine = plan.judge_by.engine();
        engine.set_hash(plan.hash).map_err(|error| anyhow!("{error}"))?;
        Ok(Player { plan, tables, engine, control: Control::new(), nodes: 0, log: NodeBytes::default() })
    }

    /// Plays the game with this number. An error if no acceptable opening is found.
    pub(crate) fn play(&mut self, number: u32) -> Result<Played> {
        self.nodes = 0;
        self.log = NodeBytes::default();
        let mut rng = Rng::new(Rng::new(self.plan.seed).bits() ^ Rng::new(u64::from(number)).bits());
        let start = self.find_start(&mut rng)?;
        let mut game = Game { start, result: GameResult::Draw, number, moves: Vec::with_capacity(256) };
        game.result = GameResult::of_winner(self.play_out(&mut game));
        Ok(Played { game, nodes: self.nodes, log: std::mem::take(&mut self.log) })
    }

    fn find_start(&mut self, rng: &mut Rng) -> Result<Board> {
        for _ in 0..MOST_TRIES {
            let Some(board) = self.plan.starts.pick(rng) else { continue };
            if board.occupied().len() < self.plan.min_pieces {
                continue;
            }
            self.engine.new_game();
            if self.is_balanced(&board) {
                return Ok(board);
            }
        }
        let Plan { opening_limit, min_pieces, .. } = self.plan;
        bail!("of {MOST_TRIES} openings none had a score of at most {opening_limit} and at least {min_pieces} pieces");
    }

    fn is_balanced(&mut self, board: &Board) -> bool {
        let nodes = self.plan.opening_nodes;
        let limits = Limits { soft_nodes: Some(nodes), nodes: Some(nodes.saturating_mul(2)), ..Limits::default() };
        let (_, score) = self.search(&Position::new(*board), &limits);
        score.units().abs() <= self.plan.opening_limit
    }

    /// Plays to the end and returns the winner.
    fn play_out(&mut self, game: &mut Game) -> Option<Color> {
        let mut position = Position::new(game.start);
        let mut judge = Judge::new(self.plan.rules);
        let opening_plies = u32::from(game.start.fullmove_number().saturating_sub(1)) * 2;
        let limits = Limits {
            soft_nodes: Some(self.plan.soft_nodes),
            noisy_nodes: Some(self.plan.noisy_nodes),
            nodes: Some(self.plan.hard_nodes),
            ..Limits::default()
        };
        let unrecorded = Limits {
            soft_nodes: Some(self.plan.noisy_nodes),
            nodes: Some(self.plan.hard_nodes.min(self.plan.noisy_nodes.saturating_mul(2))),
            ..Limits::default()
        };
        for plies in 1.. {
            if let Some(outcome) = position.outcome() {
                return outcome.winner();
            }
            if let Some(winner) = self.tables.and_then(|tables| tables.winner(position.board())) {
                return winner;
            }
            if plies > self.plan.longest {
                return None;
            }
            let is_recorded = position.board().occupied().len() >= self.plan.min_pieces;
            let (best, score) = self.search(&position, if is_recorded { &limits } else { &unrecorded });
            let mv = best?;
            let white = score.for_white(position.side_to_move());
            if is_recorded {
                game.moves.push((mv, in_file(white)));
            }
            if let Some(winner) = judge.watch(white.units(), opening_plies + plies as u32) {
                return winner;
            }
            position.play(mv);
        }
        None
    }

    /// The best move and its score for the side to move.
    fn search(&mut self, position: &Position, limits: &Limits) -> (Option<Move>, SearchScore) {
        let found = self.engine.search(position, limits, &self.control, &mut Silent);
        self.nodes += found.nodes;
        #[cfg(feature = "log")]
        self.engine.take_log().iter().for_each(|node| self.log.add(node));
        (found.best_move(), found.best.search_score)
    }
}
