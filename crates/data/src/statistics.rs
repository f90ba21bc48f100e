//! Statistics of a file of games: counts of everything that matters for training.

use std::collections::HashMap;

use chess::{Board, Move};

use super::format::{FormatError, Record};
use super::game::GameResult;

/// The lower bounds of the score classes, for White; scores below the first bound form a class of their own.
pub const SCORE_BOUNDS: [i16; 18] =
    [-29_999, -2000, -1000, -700, -400, -200, -100, -50, -20, 21, 51, 101, 201, 401, 701, 1001, 2001, 30_000];
/// Plies of a game in one class of lengths.
pub const LENGTH_CLASS: usize = 20;
const LENGTHS: usize = 26;

/// Up to this many position keys are counted exactly; beyond that, a sample.
const MOST_KEYS: usize = 1 << 23;

/// A class of positions: their number and White's average result.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct Class {
    /// How many positions.
    pub count: u64,
    /// Half points of White, summed.
    pub half_points: u64,
}

impl Class {
    fn add(&mut self, result: GameResult) {
        self.count += 1;
        self.half_points += result as u64;
    }

    /// White's mean result.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.half_points as f64 / (2 * self.count.max(1)) as f64
    }
}

/// The counts.
#[derive(Clone, Default, Debug)]
pub struct Statistics {
    /// How many games.
    pub games: u64,
    /// How many positions.
    pub positions: u64,
    /// Games by result. [code of the result]
    pub results: [u64; 3],
    /// Positions by White's score. [number of bounds that are not above it]
    pub scores: [Class; SCORE_BOUNDS.len() + 1],
    /// Positions by pieces on the board. [pieces - 2]
    pub pieces: [Class; 31],
    /// Games by length. [plies / `LENGTH_CLASS`], the last class without end
    pub lengths: [u64; LENGTHS],
    /// The longest game.
    pub longest: usize,
    /// Positions in check.
    pub in_check: u64,
    /// Positions in which a capture or promotion was played.
    pub noisy: u64,
    /// Positions that are neither and have no mate or tablebase score: the ones training uses most.
    pub quiet: u64,
    /// The sum of the scores' absolute values without mates, and how many there are.
    absolute: (u64, u64),
    seen: Seen,
}

impl Statistics {
    /// Counts a game.
    pub fn add(&mut self, record: &Record) -> Result<(), FormatError> {
        let result = record.result()?;
        record.walk(|board, mv, score| self.add_position(board, mv, score, result))?;
        let length = record.moves.len();
        self.games += 1;
        self.results[result as usize] += 1;
        self.lengths[(length / LENGTH_CLASS).min(LENGTHS - 1)] += 1;
        self.longest = self.longest.max(length);
        Ok(())
    }

    fn add_position(&mut self, board: &Board, mv: Move, score: i16, result: GameResult) {
        self.positions += 1;
        self.scores[SCORE_BOUNDS.partition_point(|&bound| bound <= score)].add(result);
        self.pieces[board.occupied().len().clamp(2, 32) - 2].add(result);
        self.seen.add(board.key());
        let is_decided = engine::SearchScore::from(score).is_decisive();
        if !is_decided {
            self.absolute.0 += u64::from(score.unsigned_abs());
            self.absolute.1 += 1;
        }
        self.in_check += u64::from(board.in_check());
        self.noisy += u64::from(mv.is_noisy());
        self.quiet += u64::from(!board.in_check() && !mv.is_noisy() && !is_decided);
    }

    /// The mean length of a game.
    #[must_use]
    pub fn mean_length(&self) -> f64 {
        self.positions as f64 / self.games.max(1) as f64
    }

    /// The mean of the scores' absolute values, without mates.
    #[must_use]
    pub fn mean_absolute_score(&self) -> f64 {
        self.absolute.0 as f64 / self.absolute.1.max(1) as f64
    }

    /// The share of duplicate positions, and the share of positions that were sampled for it.
    #[must_use]
    pub fn duplicates(&self) -> (f64, f64) {
        let total: u64 = self.seen.counts.values().map(|&count| u64::from(count)).sum();
        let share = 1.0 - self.seen.counts.len() as f64 / total.max(1) as f64;
        (if total == 0 { 0.0 } else { share }, 1.0 / (1_u64 << self.seen.shift) as f64)
    }
}

/// How often each position occurred. When there are too many, only keys whose lowest bits are zero are still counted.
/// Such a sample contains all or none of a position's occurrences, so its share of duplicates is that of the whole.
#[derive(Clone, Default, Debug)]
struct Seen {
    counts: HashMap<u64, u32>,
    shift: u32,
}

impl Seen {
    fn add(&mut self, key: u64) {
        if key.trailing_zeros() < self.shift {
            return;
        }
        *self.counts.entry(key).or_default() += 1;
        if self.counts.len() > MOST_KEYS {
            self.shift += 1;
            let shift = self.shift;
            self.counts.retain(|key, _| key.trailing_zeros() >= shift);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_tells_the_share_of_duplicates() {
        let mut seen = Seen { shift: 3, ..Seen::default() };
        let mut rng = toolkit::Rng::new(9);
        let keys: Vec<u64> = (0..40_000).map(|_| rng.bits()).collect();
        keys.iter().chain(&keys[..10_000]).for_each(|&key| seen.add(key));
        let statistics = Statistics { seen, ..Statistics::default() };
        let (share, sample) = statistics.duplicates();
        assert!((share - 0.2).abs() < 0.02, "{share}");
        assert!((sample - 0.125).abs() < 1e-9);
    }

    #[test]
    fn scores_have_symmetric_classes() {
        for score in [0, 20, 21, 50, 51, 400, 1000, 1001, 2000, 29_999, 30_000, 32_000_i16] {
            let class = |score: i16| SCORE_BOUNDS.partition_point(|&bound| bound <= score);
            assert_eq!(class(score) + class(-score), SCORE_BOUNDS.len(), "{score}");
        }
    }
}
