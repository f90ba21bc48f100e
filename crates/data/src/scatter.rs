//! Positions beside the games, valued by the evaluation written by hand or by a short search.
//!
//! The positions of games are dear, few and alike, and a search meets many others: it tries every move. So short walks of mostly random
//! moves lead away from the games. The hand-written evaluation of a position costs a microsecond, and a network that has first learned to
//! value as the hand does has less left to learn; what a search of some hundred nodes says is worth more, and costs a hundred times as much.
//!
//! What random moves leave behind looks like no game. So a search may play a few moves from the end of a walk, and its positions are kept instead.

use chess::{Board, Move, Position};
use engine::eval::{Evaluator, Psq};
use engine::{Engine, SearchScore};

use super::game::{Game, GameResult};
use super::rescore::Effort;
use super::selfplay::in_file;
use toolkit::Rng;

/// How far and how often to stray.
#[derive(Clone, Copy, Debug)]
pub struct Walks {
    /// Walks from every position of a game, on average.
    pub each: f64,
    /// Moves of a walk, each giving a position.
    pub plies: usize,
    /// Moves that a search then plays on from the end of a walk. If there are any, they alone give positions.
    pub play: usize,
}

/// What values positions.
pub enum Valuer {
    /// The evaluation written by hand.
    Hand(Box<Evaluator>),
    /// A search.
    Search(Box<Engine>, Effort),
}

impl Valuer {
    /// By hand, or by this much searching.
    pub fn new(effort: Option<&Effort>) -> anyhow::Result<Valuer> {
        Ok(match effort {
            None => Valuer::Hand(Box::new(Evaluator::new())),
            Some(effort) => Valuer::Search(Box::new(effort.engine()?), effort.clone()),
        })
    }

    /// The value for the side to move. None in check, and for a search none where it is a capture or a promotion that decides: a network
    /// judges quiet positions.
    fn value(&mut self, board: &Board) -> Option<SearchScore> {
        if board.in_check() {
            return None;
        }
        match self {
            Valuer::Hand(evaluator) => Some(SearchScore::new(evaluator.evaluate(board, Psq::new(board)))),
            Valuer::Search(engine, effort) => {
                // Most of these can be seen without a search.
                let gains = |mv: &Move| mv.is_noisy() && board.see_ge(*mv, GAIN);
                if board.legal_moves().iter().any(gains) {
                    return None;
                }
                let found = effort.search(engine, &Position::new(*board));
                found.best_move().filter(|mv| mv.is_quiet()).map(|_| found.best.search_score)
            }
        }
    }
}

/// The share of moves that are captures which lose nothing, if there are any: a search plays many of them.
const GOOD_CAPTURES: f64 = 0.35;
/// An exchange that wins so much decides.
const GAIN: i32 = 80;

/// A game with a larger score is not played on.
const CLEAR: i32 = 2000;

/// Strays from games.
pub struct Scatter {
    walks: Walks,
    valuer: Valuer,
    seed: u64,
    random: Rng,
}

impl Scatter {
    /// The same seed and games give the same walks.
    #[must_use]
    pub fn new(walks: Walks, valuer: Valuer, seed: u64) -> Scatter {
        Scatter { walks, valuer, seed, random: Rng::new(seed) }
    }

    /// All walks from a game with this number; they depend on nothing that went before.
    pub fn walk_beside(&mut self, number: u64, game: &Game) -> Vec<Game> {
        self.random = Rng::new(Rng::new(self.seed ^ number.rotate_left(32)).bits());
        if let Valuer::Search(engine, _) = &mut self.valuer {
            engine.new_game();
        }
        let mut found = Vec::new();
        for sample in game.positions() {
            let sure = self.walks.each.floor();
            let walks = sure as usize + usize::from(self.random.unit() < self.walks.each - sure);
            found.extend((0..walks).map(|_| self.beside(&sample.board, game.result)));
        }
        found.retain(|walk| !walk.moves.is_empty());
        found
    }

    fn beside(&mut self, start: &Board, result: GameResult) -> Game {
        let walk = self.walk(start, result);
        match &mut self.valuer {
            Valuer::Search(engine, effort) if self.walks.play > 0 => {
                let start = walk.moves.iter().fold(*start, |mut board, &(mv, _)| {
                    board.play(mv);
                    board
                });
                Game { start, result, number: 0, moves: play_on(engine, effort, &start, self.walks.play) }
            }
            _ => walk,
        }
    }

    fn walk(&mut self, start: &Board, result: GameResult) -> Game {
        let mut board = *start;
        let mut moves = Vec::with_capacity(self.walks.plies);
        for _ in 0..self.walks.plies {
            let Some(mv) = self.choose(&board) else { break };
            // White's; where there is none, the score says so. If a search plays on, this part of the way is not kept.
            let value = if self.walks.play > 0 { None } else { self.valuer.value(&board) }.unwrap_or(SearchScore::MATE);
            moves.push((mv, in_file(value.for_white(board.side_to_move()))));
            board.play(mv);
        }
        Game { start: *start, result, number: 0, moves }
    }

    fn choose(&mut self, board: &Board) -> Option<Move> {
        let legal = board.legal_moves();
        if self.random.unit() < GOOD_CAPTURES {
            let good: Vec<Move> = legal.iter().copied().filter(|mv| mv.is_capture() && board.see_ge(*mv, 0)).collect();
            if let Some(mv) = good.get(self.random.below(good.len().max(1))) {
                return Some(*mv);
            }
        }
        legal.get(self.random.below(legal.len().max(1))).copied()
    }
}

/// Plays a few moves at both sides, until it is clear who wins. The scores are White's.
fn play_on(engine: &mut Engine, effort: &Effort, start: &Board, plies: usize) -> Vec<(Move, i16)> {
    let mut position = Position::new(*start);
    let mut moves = Vec::with_capacity(plies);
    while moves.len() < plies && position.outcome().is_none() {
        let found = effort.search(engine, &position);
        let score = found.best.search_score;
        let Some(mv) = found.best_move().filter(|_| score.units().abs() <= CLEAR) else { break };
        moves.push((mv, in_file(score.for_white(position.side_to_move()))));
        position.play(mv);
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::*;

    const BUSY: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    const CALM: &str = "rnbqkb1r/pp2pppp/3p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R b KQkq - 2 5";

    fn walks(start: &str, number: u64, effort: Option<&Effort>, play: usize) -> Vec<Game> {
        let valuer = Valuer::new(effort).expect("room for a table");
        let mut scatter = Scatter::new(Walks { each: 20.5, plies: 6, play }, valuer, 1);
        let start: Board = start.parse().expect("legal");
        let moves = vec![(start.legal_moves()[0], 0)];
        scatter.walk_beside(number, &Game { start, result: GameResult::Draw, number: 0, moves })
    }

    #[test]
    fn walks_are_legal_and_valued_by_hand() {
        let found = walks(BUSY, 1, None, 0);
        assert!((20..=21).contains(&found.len()));
        let mut evaluator = Evaluator::new();
        let (mut valued, mut captures) = (0, 0);
        for sample in found.iter().flat_map(Game::positions) {
            assert!(sample.board.legal_moves().contains(&sample.mv));
            captures += usize::from(sample.mv.is_capture());
            if sample.board.in_check() {
                assert!(SearchScore::from(sample.score).is_mate(), "a position in check has no value");
                continue;
            }
            valued += 1;
            let value = evaluator.evaluate(&sample.board, Psq::new(&sample.board));
            let white = SearchScore::new(value).for_white(sample.board.side_to_move());
            assert_eq!(SearchScore::from(sample.score), white);
        }
        assert!(valued > 80 && captures > 20, "{valued} values, {captures} captures");
    }

    #[test]
    fn the_seed_and_the_number_decide() {
        assert_eq!(walks(BUSY, 3, None, 0), walks(BUSY, 3, None, 0));
        assert_ne!(walks(BUSY, 3, None, 0), walks(BUSY, 4, None, 0));
    }

    #[test]
    fn a_search_values_quiet_positions_only() {
        let effort = Effort { soft_nodes: 60, hard_nodes: 500, hash: 1, judge_by: crate::JudgeBy::Hand };
        let (by_hand, searched) = (walks(CALM, 5, None, 0), walks(CALM, 5, Some(&effort), 0));
        let mut engine = effort.engine().expect("room for a table");
        engine.new_game();
        let (mut valued, mut without) = (0, 0);
        for (sample, by_hand) in searched.iter().flat_map(Game::positions).zip(by_hand.iter().flat_map(Game::positions))
        {
            assert_eq!((sample.board, sample.mv), (by_hand.board, by_hand.mv), "what values does not change the walk");
            let gains = |mv: &Move| mv.is_noisy() && sample.board.see_ge(*mv, GAIN);
            if sample.board.in_check() || sample.board.legal_moves().iter().any(gains) {
                assert!(SearchScore::from(sample.score).is_mate());
                without += 1;
                continue;
            }
            let found = effort.search(&mut engine, &Position::new(sample.board));
            let white = found.best.search_score.for_white(sample.board.side_to_move());
            let is_quiet = found.best_move().is_some_and(Move::is_quiet);
            assert_eq!(SearchScore::from(sample.score).is_mate(), !is_quiet || white.is_mate());
            if is_quiet {
                assert_eq!(SearchScore::from(sample.score), white);
                valued += 1;
            }
        }
        assert!(valued > 10 && without > 10, "{valued} values, {without} without");
    }

    #[test]
    fn a_search_plays_on_from_the_end_of_a_walk() {
        let effort = Effort { soft_nodes: 60, hard_nodes: 500, hash: 1, judge_by: crate::JudgeBy::Hand };
        let ends = walks(CALM, 5, None, 0).into_iter().map(|walk| {
            let mut board = walk.start;
            walk.moves.iter().for_each(|&(mv, _)| board.play(mv));
            board
        });
        let ends: Vec<Board> = ends.collect();
        let played = walks(CALM, 5, Some(&effort), 4);
        assert!(played.len() > 10 && played.iter().any(|game| game.moves.len() == 4));
        for game in &played {
            assert!(ends.contains(&game.start), "{}", game.start);
            assert!((1..=4).contains(&game.moves.len()));
        }
        let mut engine = effort.engine().expect("room for a table");
        engine.new_game();
        for sample in played.iter().flat_map(Game::positions) {
            let found = effort.search(&mut engine, &Position::new(sample.board));
            let white = found.best.search_score.for_white(sample.board.side_to_move());
            assert_eq!((found.best_move(), white), (Some(sample.mv), sample.score.into()), "{}", sample.board);
            assert!(white.units().abs() <= CLEAR);
        }
    }
}
