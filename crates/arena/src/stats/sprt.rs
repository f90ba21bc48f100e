//! The sequential probability ratio test (SPRT): play until the results clearly favour one of two hypotheses about
//! strength.
//!
//! Each hypothesis gets the likelihood of the best-fitting distribution of pair results under it (Van den Bergh's
//! generalised test, as in fishtest and fastchess), so nothing is assumed about draws or openings.

use super::results::{NORMALIZED_UNIT, Results, expected_score};

/// The scale of the hypotheses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Model {
    /// Elo in units of the spread of a game: the same bounds need as many games, whatever the openings and the clock.
    Normalized,
    /// Plain Elo.
    Logistic,
}

/// The result of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// The first engine is better by about `elo1`.
    Accepted,
    /// It is better by at most about `elo0`.
    Rejected,
}

/// A test between two hypotheses.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    /// The difference of the null hypothesis: too small to be worth having.
    pub elo0: f64,
    /// The difference of the alternative: worth having.
    pub elo1: f64,
    /// The probability of accepting when the truth is `elo0`.
    pub alpha: f64,
    /// The probability of rejecting when the truth is `elo1`.
    pub beta: f64,
    /// The scale of both.
    pub model: Model,
}

impl Sprt {
    /// Wald's bounds: below the first the test rejects, above the second it accepts.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio; none without results.
    pub fn llr<const N: usize>(&self, results: &Results<N>) -> Option<f64> {
        if results.count() == 0 {
            return None;
        }
        let observed = Distribution::of(results);
        let (null, alternative) = match self.model {
            Model::Logistic => {
                let fit = |elo| observed.fit_mean(expected_score(elo));
                (fit(self.elo0)?, fit(self.elo1)?)
            }
            Model::Normalized => {
                // The bounds are for single games; a result made of several games has less spread.
                let games = (N - 1) as f64 / 2.0;
                let fit = |elo: f64| observed.fit_t_value(elo / NORMALIZED_UNIT * games.sqrt());
                (fit(self.elo0)?, fit(self.elo1)?)
            }
        };
        let ratios = alternative.shares.iter().zip(null.shares).map(|(alternative, null)| (alternative / null).ln());
        let llr = observed.total * ratios.zip(observed.shares).map(|(ratio, share)| share * ratio).sum::<f64>();
        llr.is_finite().then_some(llr)
    }

    /// The decision on these results, if there is one yet.
    pub fn verdict<const N: usize>(&self, results: &Results<N>) -> Option<Decision> {
        let (lower, upper) = self.bounds();
        match self.llr(results)? {
            llr if llr >= upper => Some(Decision::Accepted),
            llr if llr <= lower => Some(Decision::Rejected),
            _ => None,
        }
    }
}

/// Shares of the scores 0, 1 / (N - 1), …, 1.
#[derive(Clone, Copy)]
struct Distribution<const N: usize> {
    shares: [f64; N],
    total: f64,
}

impl<const N: usize> Distribution<N> {
    /// The results as shares. What never happened counts a thousandth, so that it stays possible.
    fn of(results: &Results<N>) -> Self {
        let counts = results.0.map(|count| if count == 0 { 1e-3 } else { count as f64 });
        let total: f64 = counts.iter().sum();
        Distribution { shares: counts.map(|count| count / total), total }
    }

    fn score(index: usize) -> f64 {
        index as f64 / (N - 1) as f64
    }

    fn mean_and_variance(&self) -> (f64, f64) {
        let sum = |of: &dyn Fn(f64) -> f64| -> f64 {
            self.shares.iter().enumerate().map(|(index, share)| share * of(Self::score(index))).sum()
        };
        let mean = sum(&|score| score);
        (mean, sum(&|score| (score - mean).powi(2)))
    }

    /// The most likely distribution with this mean, given the observations.
    fn fit_mean(&self, mean: f64) -> Option<Self> {
        self.fit_zero_mean(std::array::from_fn(|index| Self::score(index) - mean))
    }

    /// The most likely distribution, given the observations, whose mean lies `t` standard deviations above one half.
    /// That condition is not linear, so a linear one along its tangent is solved a few times.
    fn fit_t_value(&self, t: f64) -> Option<Self> {
        let mut fitted = Distribution { shares: [1.0 / N as f64; N], total: self.total };
        for _ in 0..25 {
            let (mean, variance) = fitted.mean_and_variance();
            let deviation = variance.sqrt();
            let tangent = std::array::from_fn(|index| {
                let score = Self::score(index);
                score - 0.5 - t * deviation * (1.0 + ((mean - score) / deviation).powi(2)) / 2.0
            });
            let next = self.fit_zero_mean(tangent)?;
            let change = next.shares.iter().zip(fitted.shares).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            fitted = next;
            if change < 1e-9 {
                break;
            }
        }
        Some(fitted)
    }

    /// The most likely distribution under which `values` has mean zero: shares `p / (1 + x v)`, where `x` solves
    /// `sum p v / (1 + x v) = 0`. None if all values have the same sign.
    fn fit_zero_mean(&self, values: [f64; N]) -> Option<Self> {
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if least >= 0.0 || most <= 0.0 {
            return None;
        }
        // The sum falls monotonically between its two poles. Newton's steps converge fast, and bisection keeps them
        // inside.
        let (mut low, mut high) = (-1.0 / most, -1.0 / least);
        let mut x = 0.0;
        for _ in 0..100 {
            let (mut sum, mut slope) = (0.0, 0.0);
            for (share, value) in self.shares.iter().zip(values) {
                let term = value / (1.0 + x * value);
                sum += share * term;
                slope -= share * term * term;
            }
            if sum > 0.0 {
                low = x;
            } else {
                high = x;
            }
            // A small step does not prove convergence: near a pole steps are small too.
            if sum.abs() <= 1e-13 * most.max(-least) {
                break;
            }
            let newton = x - sum / slope;
            x = if newton > low && newton < high { newton } else { f64::midpoint(low, high) };
        }
        let shares = std::array::from_fn(|index| self.shares[index] / (1.0 + x * values[index]));
        Some(Distribution { shares, total: self.total })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::results::Pairs;
    use toolkit::Rng;

    fn sprt(model: Model, elo0: f64, elo1: f64) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model }
    }

    fn check<const N: usize>(model: Model, bounds: (f64, f64), counts: [u64; N], published: f64) {
        let llr = sprt(model, bounds.0, bounds.1).llr(&Results(counts)).expect("there are results");
        assert!((llr - published).abs() < 0.0101, "{counts:?}: {llr} is not {published}");
    }

    /// The examples from fastchess's own tests, except those whose value changed between its versions.
    #[test]
    fn published_pairs() {
        check(Model::Normalized, (0.0, 2.0), [365, 16618, 36029 + 200, 16974, 390], 2.25);
        check(Model::Normalized, (-1.75, 0.25), [127, 4883, 10311 + 401, 5150, 104], 3.01);
        check(Model::Logistic, (0.5, 2.5), [223, 9863, 20279 + 1000, 10037, 246], -3.07);
        check(Model::Logistic, (0.0, 2.0), [871, 26175, 55003 + 980, 26678, 821], -4.98);
    }

    #[test]
    fn published_single_games() {
        check(Model::Normalized, (0.0, 2.0), [36027, 68692, 36433], 0.92);
        check(Model::Normalized, (-1.75, 0.25), [10650, 20431, 10871], 2.30);
        check(Model::Logistic, (0.5, 2.5), [21184, 40708, 21404], -1.57);
        check(Model::Logistic, (0.0, 2.0), [57030, 106_593, 57433], -2.59);
    }

    /// Where a score never occurred, the outcome depends on the thousandth that stands in for it. These values come
    /// from fishtest's formulas, recomputed by bisection in another language.
    #[test]
    fn results_of_one_kind() {
        check(Model::Normalized, (0.0, 5.0), [0, 0, 0, 0, 104], 2.095);
        check(Model::Normalized, (0.0, 5.0), [0, 16700, 0], -3.451);
    }

    /// A lopsided match: the solver must not stop at a pole. The expected value was computed by bisection in another
    /// language.
    #[test]
    fn lopsided_results() {
        check(Model::Normalized, (0.0, 20.0), [13, 14, 27, 2, 1], -2.641);
        check(Model::Normalized, (0.0, 20.0), [1, 2, 27, 14, 13], 2.304);
    }

    #[test]
    fn bounds_and_verdicts() {
        let test = sprt(Model::Normalized, 0.0, 50.0);
        assert!((test.bounds().0 + 2.944).abs() < 0.001 && (test.bounds().1 - 2.944).abs() < 0.001);
        assert_eq!(test.verdict(&Pairs::default()), None);
        assert_eq!(test.verdict(&Results([10, 40, 100, 80, 30])), Some(Decision::Accepted));
        assert_eq!(test.verdict(&Results([30, 80, 100, 40, 10])), Some(Decision::Rejected));
        assert_eq!(test.verdict(&Results([20, 60, 100, 70, 26])), None);
        assert_eq!(test.verdict(&Results([1, 1, 1])), None);
    }

    #[test]
    fn swapping_sides_and_hypotheses_changes_the_sign() {
        for model in [Model::Normalized, Model::Logistic] {
            let results = Results([3, 20, 50, 30, 8]);
            let one = sprt(model, -3.0, 5.0).llr(&results).expect("results");
            let other = sprt(model, -5.0, 3.0).llr(&results.reversed()).expect("results");
            assert!((one + other).abs() < 1e-6, "{one} {other}");
        }
    }

    /// The share of simulated matches that the test accepts when the truth is `shares`.
    fn acceptance(test: &Sprt, shares: [f64; 5], seed: u64) -> f64 {
        let mut rng = Rng::new(seed);
        let matches = 600;
        let accepted = (0..matches).filter(|_| {
            let mut pairs = Pairs::default();
            loop {
                (0..4).for_each(|_| pairs.0[rng.choose(&shares)] += 1);
                if let Some(verdict) = test.verdict(&pairs) {
                    return verdict == Decision::Accepted;
                }
            }
        });
        accepted.count() as f64 / f64::from(matches)
    }

    /// Tests the test: with no gain it must accept about one time in twenty; with a gain of `elo1` it must reject as
    /// rarely.
    #[test]
    fn the_error_rates_are_kept() {
        let level = [0.05, 0.22, 0.46, 0.22, 0.05];
        for model in [Model::Normalized, Model::Logistic] {
            let test = sprt(model, 0.0, 30.0);
            // The most likely distribution with exactly the better strength.
            let distribution = Distribution { shares: level, total: 1.0 };
            let better = match model {
                Model::Logistic => distribution.fit_mean(expected_score(30.0)),
                Model::Normalized => distribution.fit_t_value(30.0 / NORMALIZED_UNIT * 2_f64.sqrt()),
            };
            let false_positives = acceptance(&test, level, 11);
            let true_positives = acceptance(&test, better.expect("it exists").shares, 12);
            // Three standard deviations over 600 tries are 0.027; overshoot makes the true rates a little smaller than
            // the nominal ones.
            assert!((0.01..0.077).contains(&false_positives), "{model:?}: {false_positives}");
            assert!((0.923..0.99).contains(&true_positives), "{model:?}: {true_positives}");
        }
    }
}
