//! Positions beside the games, valued by the evaluation written by hand.
//!
//! Searched positions are dear and few, the hand-written evaluation of a position costs a microsecond. A network that has first learned
//! to value as the hand does, over many times more positions, has less left to learn from the games. The positions should look like
//! those a search meets, and a search tries every move: so short walks of mostly random moves lead away from the games.

use chess::{Board, Color, Move};
use engine::eval::{Evaluator, Psq};
use engine::score;

use super::game::{Game, GameResult};
use super::selfplay::in_file;
use crate::rng::Rng;

/// How far and how often to stray.
#[derive(Clone, Copy, Debug)]
pub struct Walks {
    /// Walks from every position of a game, on average.
    pub each: f64,
    /// Moves of a walk, each giving a position.
    pub plies: usize,
}

/// The share of moves that are captures which lose nothing, if there are any: a search plays many of them.
const GOOD_CAPTURES: f64 = 0.35;

/// Strays from games.
pub struct Scatter {
    walks: Walks,
    evaluator: Evaluator,
    random: Rng,
}

impl Scatter {
    /// The same seed and games give the same walks.
    #[must_use]
    pub fn new(walks: Walks, seed: u64) -> Scatter {
        Scatter { walks, evaluator: Evaluator::new(), random: Rng::new(seed) }
    }

    /// All walks from a position of a game with this result.
    pub fn walk_from(&mut self, board: &Board, result: GameResult, mut use_walk: impl FnMut(&Game)) {
        let sure = self.walks.each.floor();
        let walks = sure as usize + usize::from(self.random.unit() < self.walks.each - sure);
        for _ in 0..walks {
            let walk = self.walk(board, result);
            if !walk.moves.is_empty() {
                use_walk(&walk);
            }
        }
    }

    fn walk(&mut self, start: &Board, result: GameResult) -> Game {
        let mut board = *start;
        let mut moves = Vec::with_capacity(self.walks.plies);
        for _ in 0..self.walks.plies {
            let Some(mv) = self.choose(&board) else { break };
            moves.push((mv, self.value(&board)));
            board.make(mv, &mut ());
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

    /// White's value; in check there is none, and the score says so.
    fn value(&mut self, board: &Board) -> i16 {
        if board.in_check() {
            return in_file(score::MATE);
        }
        let value = self.evaluator.evaluate(board, Psq::new(board));
        in_file(if board.side_to_move() == Color::White { value } else { -value })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walks(seed: u64) -> Vec<Game> {
        let mut scatter = Scatter::new(Walks { each: 20.5, plies: 6 }, seed);
        let mut found = Vec::new();
        let board: Board =
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1".parse().expect("legal");
        scatter.walk_from(&board, GameResult::Draw, |walk| found.push(walk.clone()));
        found
    }

    #[test]
    fn walks_are_legal_and_valued_by_hand() {
        let found = walks(1);
        assert!((20..=21).contains(&found.len()));
        let mut evaluator = Evaluator::new();
        let (mut valued, mut captures) = (0, 0);
        for sample in found.iter().flat_map(Game::positions) {
            assert!(sample.board.legal_moves().contains(&sample.mv));
            captures += usize::from(sample.mv.is_capture());
            if sample.board.in_check() {
                assert!(score::is_mate(sample.score.into()), "a position in check has no value");
                continue;
            }
            valued += 1;
            let value = evaluator.evaluate(&sample.board, Psq::new(&sample.board));
            let white = if sample.board.side_to_move() == Color::White { value } else { -value };
            assert_eq!(i32::from(sample.score), white);
        }
        assert!(valued > 80 && captures > 20, "{valued} values, {captures} captures");
    }

    #[test]
    fn the_seed_decides() {
        assert_eq!(walks(3), walks(3));
        assert_ne!(walks(3), walks(4));
    }
}
