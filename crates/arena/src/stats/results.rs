//! Results as counts, and the rating differences they imply.
//!
//! Two games from the same opening with colours reversed are not independent: an unbalanced opening gives each side one
//! win. So the unit is the pair, with five possible scores, and the error comes from the spread of pairs, not of single
//! games.

use super::normal::{DEVIATIONS_95, cumulative};

/// A value with its 95 % confidence interval, either end of which may be infinite.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The most likely value.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Estimate {
    /// Half the width of the interval.
    pub fn error(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

/// How often each score occurred, from nothing to everything in equal steps: `[losses, draws, wins]` for single games,
/// `[0, ½, 1, 1½, 2 points]` for pairs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Results<const N: usize>(pub [u64; N]);

/// Single games: losses, draws, wins.
pub type Games = Results<3>;

/// Pairs of games, by points: 0, ½, 1, 1½, 2.
pub type Pairs = Results<5>;

impl<const N: usize> Default for Results<N> {
    fn default() -> Self {
        Results([0; N])
    }
}

impl<const N: usize> Results<N> {
    /// How many games one count stands for.
    const GAMES: f64 = (N - 1) as f64 / 2.0;

    /// How many results there are.
    pub fn count(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The same results from the opponent's point of view.
    #[must_use]
    pub fn reversed(mut self) -> Self {
        self.0.reverse();
        self
    }

    /// Adds results.
    pub fn absorb(&mut self, other: &Self) {
        self.0.iter_mut().zip(other.0).for_each(|(sum, count)| *sum += count);
    }

    /// Scores from 0 to 1 with their shares.
    fn shares(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        let total = self.count().max(1) as f64;
        self.0.iter().enumerate().map(move |(index, &count)| (index as f64 / (N - 1) as f64, count as f64 / total))
    }

    /// The mean score, from 0 to 1.
    pub fn mean(&self) -> f64 {
        self.shares().map(|(score, share)| score * share).sum()
    }

    /// The variance of one result's score.
    pub(crate) fn variance(&self) -> f64 {
        let mean = self.mean();
        self.shares().map(|(score, share)| share * (score - mean).powi(2)).sum()
    }

    /// The standard error of the mean.
    pub(crate) fn deviation_of_mean(&self) -> f64 {
        (self.variance() / self.count().max(1) as f64).sqrt()
    }

    /// The rating difference on the logistic scale.
    pub fn elo(&self) -> Estimate {
        let (low, high) = self.interval();
        Estimate { value: elo(self.mean()), low: elo(low), high: elo(high) }
    }

    /// The 95 % confidence interval of the mean.
    fn interval(&self) -> (f64, f64) {
        let (mean, reach) = (self.mean(), DEVIATIONS_95 * self.deviation_of_mean());
        // Identical results have no spread to judge by. Then the rule of three applies: with 95 % confidence, what did
        // not happen in n tries has a chance below 3 / n.
        let reach = if self.variance() > 0.0 { reach } else { (3.0 / self.count().max(1) as f64).min(1.0) };
        ((mean - reach).max(0.0), (mean + reach).min(1.0))
    }

    /// The difference in units of the spread of a single game, which decides how many games a test needs.
    pub(crate) fn normalized_elo(&self) -> Estimate {
        let deviation = (self.variance() * Self::GAMES).sqrt();
        let reach = DEVIATIONS_95 / (self.count() as f64 * Self::GAMES).sqrt() * NORMALIZED_UNIT;
        let lead = self.mean() - 0.5;
        let value = if lead == 0.0 { 0.0 } else { lead / deviation * NORMALIZED_UNIT };
        Estimate { value, low: value - reach, high: value + reach }
    }

    /// The likelihood of superiority: the probability that the first is the stronger.
    pub fn superiority(&self) -> f64 {
        let (lead, deviation) = (self.mean() - 0.5, self.deviation_of_mean());
        if self.count() == 0 || lead == 0.0 { 0.5 } else { cumulative(lead / deviation) }
    }
}

/// One unit of normalized strength in normalized Elo, chosen so that both scales agree where all games are decisive.
pub(super) const NORMALIZED_UNIT: f64 = 800.0 / std::f64::consts::LN_10;

/// The logistic rating difference for an expected score; infinite at the ends.
pub(super) fn elo(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    -400.0 * (1.0 / score - 1.0).log10()
}

/// The expected score for a logistic rating difference.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use toolkit::Rng;

    /// Equal to within half a unit of the last published digit.
    fn close(found: f64, published: f64) {
        assert!((found - published).abs() < 0.0051, "{found} is not {published}");
    }

    #[test]
    fn single_games_as_fastchess_has_them() {
        let games = Results([96, 111, 136]);
        close(games.elo().value, 40.70);
        close(games.elo().error(), 30.43);
        close(games.normalized_elo().value, 49.77);
        close(games.normalized_elo().error(), 36.77);
        close(100.0 * games.superiority(), 99.60);
        let games = Results([89, 123, 76]);
        close(games.normalized_elo().value, -20.76);
        close(100.0 * games.superiority(), 15.53);
    }

    #[test]
    fn pairs_as_fastchess_has_them() {
        let pairs = Results([34, 54, 31 + 32, 64, 75]);
        close(pairs.elo().value, 55.58);
        close(pairs.elo().error(), 27.65);
        close(pairs.normalized_elo().value, 57.94);
        close(pairs.normalized_elo().error(), 28.28);
        let pairs = Results([332, 433, 457 + 41, 333, 334]);
        close(pairs.elo().value, -8.64);
        close(pairs.elo().error(), 10.33);
        close(100.0 * pairs.superiority(), 5.05);
    }

    #[test]
    fn the_ends_are_honest() {
        let nothing = Pairs::default();
        assert_eq!((nothing.elo().low, nothing.elo().high), (f64::NEG_INFINITY, f64::INFINITY));
        assert_eq!(nothing.superiority(), 0.5);
        let perfect = Results([0, 0, 0, 0, 30]);
        assert_eq!((perfect.elo().value, perfect.elo().high), (f64::INFINITY, f64::INFINITY));
        assert!((perfect.elo().low - elo(0.9)).abs() < 1e-9, "{:?}", perfect.elo());
        assert_eq!(perfect.superiority(), 1.0);
        let level = Results([0, 0, 50, 0, 0]);
        assert_eq!((level.elo().value, level.normalized_elo().value, level.superiority()), (0.0, 0.0, 0.5));
        assert_eq!(Results([1, 2, 3]).reversed().0, [3, 2, 1]);
    }

    #[test]
    fn scores_and_ratings_are_inverse() {
        for rating in [-400.0, -12.5, 0.0, 3.0, 191.0] {
            assert!((elo(expected_score(rating)) - rating).abs() < 1e-9);
        }
        close(expected_score(400.0), 10.0 / 11.0);
    }

    /// Simulated matches: the interval must contain the truth about 95 times in 100, with pairs as correlated as
    /// unbalanced openings make them.
    #[test]
    fn the_interval_keeps_its_promise() {
        let mut rng = Rng::new(3);
        let shares = [0.04, 0.20, 0.40, 0.28, 0.08];
        let truth = elo(shares.iter().enumerate().map(|(index, share)| index as f64 / 4.0 * share).sum());
        let matches = 2000;
        let held = (0..matches)
            .filter(|_| {
                let mut pairs = Pairs::default();
                (0..300).for_each(|_| pairs.0[rng.choose(&shares)] += 1);
                let estimate = pairs.elo();
                estimate.low <= truth && truth <= estimate.high
            })
            .count();
        let share = held as f64 / f64::from(matches);
        assert!((0.935..0.965).contains(&share), "{share}");
    }
}
