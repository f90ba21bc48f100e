//! A teacher that does not search: it gives positions static values for a network to learn.
//!
//! The network, the hand-crafted evaluation and single terms of it each know something; a sum of them may be closer to
//! the truth than any one, but costs time at every node. A network trained on such sums learns for nothing what its
//! inputs can express of them. Static values have no noise, so one pass over old games is enough, and the score of a
//! search may be mixed in to teach what none of them knows.

use std::sync::Arc;

use chess::{Board, Color};
use engine::eval::weights::Group;
use engine::eval::{Evaluator, Psq, explain, unadjusted};
use engine::{Network, SearchScore};
use nnue::Accumulators;
use nnue::arch::SCALE;

use super::game::Game;

/// What a teacher's values are made of.
#[derive(Clone, Debug)]
pub struct Lesson {
    /// The network whose value is the greater part.
    pub network: Arc<Network>,
    /// The share of the hand-crafted evaluation; the rest is the network's.
    pub hand: f64,
    /// Terms of the hand-crafted evaluation that are added, and how much of each.
    pub terms: Vec<(Group, f64)>,
    /// The share of the old score, by expected result.
    pub keep: f64,
    /// Whether the old scores are a teacher's values already, and not those of a search.
    pub was_taught: bool,
    /// What each score of the game counts, of the one before it, in the mean that takes an old score's place; 0 leaves
    /// the old scores as they are.
    pub ahead: f64,
}

/// Gives positions the values of a lesson.
pub struct Teacher {
    lesson: Lesson,
    accumulators: Accumulators,
    evaluator: Evaluator,
}

/// The largest value; `train` leaves larger ones out.
const LIMIT: f64 = 4000.0;

/// How many centipawns of a search's score make one unit of the logistic scale of results.
const OF_RESULTS: f64 = 120.0;

/// Replaces each score by the mean of it and those of the rest of the game, each counting a share of the one before. The
/// mean is one of expected results. A game's later scores know what a short search did not see; proven ones stay as they
/// are.
fn look_ahead(game: &mut Game, share: f64) {
    let (mut sum, mut weight) = (0.0, 0.0);
    for (_, score) in game.moves.iter_mut().rev() {
        let value = f64::from(*score).clamp(-LIMIT, LIMIT);
        sum = 1.0 / (1.0 + (-value / OF_RESULTS).exp()) + share * sum;
        weight = 1.0 + share * weight;
        if !SearchScore::from(*score).is_decisive() {
            let mean: f64 = sum / weight;
            *score = (OF_RESULTS * (mean / (1.0 - mean)).ln()).clamp(-LIMIT, LIMIT).round() as i16;
        }
    }
}

impl Teacher {
    /// A teacher of this lesson.
    #[must_use]
    pub fn new(lesson: Lesson) -> Teacher {
        let accumulators = Accumulators::new(Arc::clone(&lesson.network), 1);
        Teacher { lesson, accumulators, evaluator: Evaluator::new() }
    }

    /// Replaces the scores of a game. Positions in check and proven scores get no value: no network learns from them.
    pub fn relabel(&mut self, game: &mut Game) {
        if self.lesson.ahead > 0.0 {
            look_ahead(game, self.lesson.ahead);
        }
        let mut board = game.start;
        for (mv, score) in &mut game.moves {
            if !board.in_check() && !SearchScore::from(*score).is_decisive() {
                let white = |value: i16| if board.side_to_move() == Color::White { value } else { -value };
                *score = white(self.score(&board, white(*score)));
            }
            board.play(*mv);
        }
    }

    /// The new score of a position for the side to move, given the old one.
    fn score(&mut self, board: &Board, old: i16) -> i16 {
        let (value, keep) = (self.value(board), self.lesson.keep);
        let scale = f64::from(SCALE);
        let expected = |score: f64| 1.0 / (1.0 + (-score / scale).exp());
        // A search's score has been adjusted by material, a network's value has not.
        let old = if self.lesson.was_taught { old.into() } else { unadjusted(old.into(), board) };
        let mixed = (1.0 - keep) * expected(value) + keep * expected(f64::from(old));
        (scale * (mixed / (1.0 - mixed)).ln()).clamp(-LIMIT, LIMIT).round() as i16
    }

    /// The static value of a position for the side to move.
    fn value(&mut self, board: &Board) -> f64 {
        let lesson = &self.lesson;
        self.accumulators.reset(board);
        let network = f64::from(self.accumulators.evaluate(board, 0));
        let by_hand = f64::from(self.evaluator.evaluate(board, Psq::new(board)));
        let mut value = (1.0 - lesson.hand) * network + lesson.hand * by_hand;
        if !lesson.terms.is_empty() {
            let explanation = explain(board);
            let white = if board.side_to_move() == Color::White { 1.0 } else { -1.0 };
            for row in &explanation.rows {
                let shares = lesson.terms.iter().filter(|(group, _)| *group == row.group).map(|(_, share)| share);
                value += white * shares.sum::<f64>() * f64::from(explanation.blended(row));
            }
        }
        value.clamp(-LIMIT, LIMIT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::GameResult;

    const FEN: &str = "r1bqkb1r/pp3ppp/2n1pn2/2pp4/3P1B2/2P1PN2/PP3PPP/RN1QKB1R b KQkq - 0 1";

    fn lesson() -> Lesson {
        let network = Arc::new(Network::random(128, 3).expect("a network"));
        Lesson { network, hand: 0.0, terms: Vec::new(), keep: 0.0, was_taught: false, ahead: 0.0 }
    }

    fn taught(lesson: Lesson, old: i16) -> i32 {
        let board: Board = FEN.parse().expect("a board");
        let mv = board.legal_moves()[0];
        let mut game = Game { start: board, moves: vec![(mv, old)], result: GameResult::Draw, number: 0 };
        Teacher::new(lesson).relabel(&mut game);
        // Black is to move, and files have White's scores.
        -i32::from(game.moves[0].1)
    }

    #[test]
    fn shares_of_one_give_each_value_alone() {
        let board: Board = FEN.parse().expect("a board");
        let lesson = lesson();
        assert_eq!(taught(lesson.clone(), 500), lesson.network.evaluate(&board));
        let by_hand = Evaluator::new().evaluate(&board, Psq::new(&board));
        assert_eq!(taught(Lesson { hand: 1.0, ..lesson.clone() }, 500), by_hand);
        assert_eq!(taught(Lesson { keep: 1.0, ..lesson.clone() }, -200), unadjusted(200, &board));
        assert_eq!(taught(Lesson { keep: 1.0, was_taught: true, ..lesson }, -200), 200);
        assert_ne!(unadjusted(200, &board), 200);
    }

    #[test]
    fn terms_are_added_for_the_side_to_move() {
        let board: Board = FEN.parse().expect("a board");
        let explanation = explain(&board);
        let mobility = explanation.rows.iter().find(|row| row.group == Group::Mobility).expect("a row");
        let white = explanation.blended(mobility);
        assert_ne!(white, 0);
        let with = Lesson { hand: 1.0, terms: vec![(Group::Mobility, 2.0)], ..lesson() };
        let without = Lesson { hand: 1.0, ..lesson() };
        assert_eq!(taught(with, 0) - taught(without, 0), -2 * white);
    }

    #[test]
    fn mixed_values_lie_between() {
        let (low, high) = (taught(lesson(), 0), taught(Lesson { keep: 1.0, ..lesson() }, -900));
        let mixed = taught(Lesson { keep: 0.5, ..lesson() }, -900);
        assert!(low.min(high) < mixed && mixed < low.max(high), "{low} {mixed} {high}");
    }

    #[test]
    fn later_scores_count_less_and_less() {
        let expected = |score: f64| 1.0 / (1.0 + (-score / OF_RESULTS).exp());
        let scores = [0, 60, -30, 32_000, 240];
        let mut game = Game { start: Board::start(), moves: Vec::new(), result: GameResult::Draw, number: 0 };
        let mut board = game.start;
        for score in scores {
            let mv = board.legal_moves()[0];
            game.moves.push((mv, score));
            board.play(mv);
        }
        let before = game.clone();
        look_ahead(&mut game, 0.5);
        for first in 0..scores.len() {
            let part = |place: usize| {
                let weight = 0.5_f64.powi((place - first) as i32);
                (weight, weight * expected(f64::from(scores[place]).min(LIMIT)))
            };
            let (weights, sums): (Vec<f64>, Vec<f64>) = (first..scores.len()).map(part).unzip();
            let mean = sums.iter().sum::<f64>() / weights.iter().sum::<f64>();
            let found = game.moves[first].1;
            if first == 3 {
                assert_eq!(found, 32_000, "proven");
            } else {
                assert!((expected(found.into()) - mean).abs() < 0.002, "{first}: {found}");
            }
        }
        // Alone with its own score, the last position keeps it; with no share all do.
        assert_eq!(game.moves[4], before.moves[4]);
        let mut same = before.clone();
        look_ahead(&mut same, 0.0);
        assert_eq!(same.moves, before.moves);
        // The teacher keeps what it has looked ahead to.
        let lesson = Lesson { keep: 1.0, was_taught: true, ahead: 0.5, ..lesson() };
        let mut taught = before;
        Teacher::new(lesson).relabel(&mut taught);
        assert_eq!(taught.moves, game.moves);
    }

    #[test]
    fn proven_scores_and_checks_stay() {
        assert_eq!(taught(lesson(), 32_000), -32_000);
        let board: Board = "4k3/8/8/8/8/8/8/r3K3 w - - 0 1".parse().expect("a board");
        let mv = board.legal_moves()[0];
        let mut game = Game { start: board, moves: vec![(mv, 77)], result: GameResult::Draw, number: 0 };
        Teacher::new(lesson()).relabel(&mut game);
        assert_eq!(game.moves[0].1, 77);
    }
}
