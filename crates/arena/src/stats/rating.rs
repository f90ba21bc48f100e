//! Ratings from many games: the Bradley-Terry model with draws (Davidson's form) and White's advantage.
//!
//! With strengths `s` in natural units and `d = s[white] + a - s[black]`, White wins, draws and loses with chances in
//! the ratio `exp(d / 2) : v : exp(-d / 2)`. One draw parameter `v` and one advantage `a` are fitted together with the
//! ratings. The log-likelihood has a single maximum, which Newton's method finds in a few steps; its curvature there
//! gives the errors.

use super::normal::DEVIATIONS_95;
use super::results::Estimate;

/// Elo in one natural unit of strength.
const UNIT: f64 = 400.0 / std::f64::consts::LN_10;

/// The standard deviation of a rating around the mean, in Elo, before any game. It is so wide that it matters only
/// where the games alone would give infinity: for an engine that won or lost everything, or never met the others.
const PRIOR: f64 = 1000.0;

/// All games of one engine with White against another with Black.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Score {
    /// The engine with White.
    pub white: usize,
    /// The engine with Black.
    pub black: usize,
    /// Wins of Black, draws, wins of White.
    pub counts: [u64; 3],
}

/// The fitted ratings.
#[derive(Clone, PartialEq, Debug)]
pub struct Ratings {
    /// By engine, with the error of the difference from the anchor, or from the mean if there is no anchor.
    pub ratings: Vec<Estimate>,
    /// White's advantage.
    pub white_advantage: Estimate,
    /// The chance of a draw between equals.
    pub draw_chance: f64,
    /// `[engine][engine]`: the likelihood that the first is the stronger.
    pub superiority: Vec<Vec<f64>>,
}

/// Fits ratings to games. `anchor` fixes one engine's rating; without it the mean is 0.
pub fn fit(engines: usize, scores: &[Score], anchor: Option<(usize, f64)>) -> Option<Ratings> {
    fit_within(PRIOR, engines, scores, anchor)
}

/// The same with another prior. On a long ladder the ratings lie far from their mean, and the default prior would pull
/// its ends together.
pub fn fit_within(prior: f64, engines: usize, scores: &[Score], anchor: Option<(usize, f64)>) -> Option<Ratings> {
    // [strengths.., advantage, logarithm of the draw parameter]
    let mut parameters = vec![0.0; engines + 2];
    for _ in 0..200 {
        let (gradient, information) = derivatives(prior, engines, scores, &parameters);
        let step = solve(information, vec![gradient])?.pop()?;
        // Long steps are shortened: far from the maximum the quadratic approximation is poor.
        let length = step.iter().fold(0.0_f64, |most, change| most.max(change.abs()));
        let scale = if length > 1.0 { 1.0 / length } else { 1.0 };
        parameters.iter_mut().zip(&step).for_each(|(parameter, change)| *parameter += scale * change);
        if length < 1e-10 {
            break;
        }
    }
    let (_, information) = derivatives(prior, engines, scores, &parameters);
    let covariance = invert(information)?;
    Some(describe(engines, &parameters, &covariance, anchor))
}

/// The gradient of the log-likelihood and its negative second derivatives.
fn derivatives(prior: f64, engines: usize, scores: &[Score], parameters: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let size = engines + 2;
    let (advantage, draw) = (engines, engines + 1);
    let mut gradient = vec![0.0; size];
    let mut information = vec![vec![0.0; size]; size];
    for score in scores {
        let lead = parameters[score.white] + parameters[advantage] - parameters[score.black];
        let weights = [(-lead / 2.0).exp(), parameters[draw].exp(), (lead / 2.0).exp()];
        let total: f64 = weights.iter().sum();
        let [loss_chance, draw_chance, win_chance] = weights.map(|weight| weight / total);
        let [losses, draws, wins] = score.counts.map(|count| count as f64);
        let games = losses + draws + wins;
        // Half the score difference is the statistic of the lead, the number of draws that of the draw parameter.
        let margin = win_chance - loss_chance;
        let lead_gradient = ((wins - losses) - games * margin) / 2.0;
        let draw_gradient = draws - games * draw_chance;
        let lead_lead = games * (win_chance + loss_chance - margin * margin) / 4.0;
        let lead_draw = -games * margin * draw_chance / 2.0;
        let draw_draw = games * draw_chance * (1.0 - draw_chance);
        let signs = [(score.white, 1.0), (score.black, -1.0), (advantage, 1.0)];
        for (row, sign) in signs {
            gradient[row] += sign * lead_gradient;
            information[row][draw] += sign * lead_draw;
            information[draw][row] += sign * lead_draw;
            for (column, other) in signs {
                information[row][column] += sign * other * lead_lead;
            }
        }
        gradient[draw] += draw_gradient;
        information[draw][draw] += draw_draw;
    }
    let stiffness = (UNIT / prior).powi(2);
    for (index, parameter) in parameters.iter().enumerate() {
        gradient[index] -= stiffness * parameter;
        information[index][index] += stiffness;
    }
    (gradient, information)
}

fn describe(engines: usize, parameters: &[f64], covariance: &[Vec<f64>], anchor: Option<(usize, f64)>) -> Ratings {
    let mean = parameters.iter().take(engines).sum::<f64>() / engines.max(1) as f64;
    let (zero, offset) = match anchor {
        Some((engine, rating)) if engine < engines => (parameters[engine], rating),
        _ => (mean, 0.0),
    };
    // Every rating shown is a linear combination of strengths, so its variance is one of covariances.
    let reference: Vec<f64> = (0..engines)
        .map(|engine| match anchor {
            Some((fixed, _)) if fixed < engines => f64::from(u8::from(fixed == engine)),
            _ => 1.0 / engines as f64,
        })
        .collect();
    let variance = |weights: &[f64]| -> f64 {
        let row = |(index, weight): (usize, &f64)| -> f64 {
            weight * weights.iter().enumerate().map(|(other, factor)| factor * covariance[index][other]).sum::<f64>()
        };
        weights.iter().enumerate().map(row).sum::<f64>().max(0.0)
    };
    let estimate = |value: f64, variance: f64| {
        let reach = DEVIATIONS_95 * variance.sqrt() * UNIT;
        Estimate { value, low: value - reach, high: value + reach }
    };
    let ratings = (0..engines).map(|engine| {
        let weights: Vec<f64> =
            reference.iter().enumerate().map(|(index, weight)| f64::from(u8::from(index == engine)) - weight).collect();
        estimate((parameters[engine] - zero) * UNIT + offset, variance(&weights))
    });
    let superiority = (0..engines).map(|one| {
        let better = |other: usize| {
            let spread = covariance[one][one] + covariance[other][other] - 2.0 * covariance[one][other];
            let lead = parameters[one] - parameters[other];
            if one == other { 0.5 } else { super::normal::cumulative(lead / spread.max(1e-30).sqrt()) }
        };
        (0..engines).map(better).collect()
    });
    let draw_weight = parameters[engines + 1].exp();
    Ratings {
        ratings: ratings.collect(),
        white_advantage: estimate(parameters[engines] * UNIT, covariance[engines][engines]),
        draw_chance: draw_weight / (draw_weight + 2.0),
        superiority: superiority.collect(),
    }
}

/// The inverse of a symmetric positive definite matrix.
fn invert(matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let size = matrix.len();
    let unit = |index: usize| (0..size).map(|other| f64::from(u8::from(other == index))).collect();
    solve(matrix, (0..size).map(unit).collect())
}

/// Solves a linear system for several right-hand sides by elimination with pivoting.
fn solve(mut matrix: Vec<Vec<f64>>, mut sides: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let size = matrix.len();
    for column in 0..size {
        let pivot = (column..size).max_by(|&a, &b| matrix[a][column].abs().total_cmp(&matrix[b][column].abs()))?;
        matrix.swap(column, pivot);
        sides.iter_mut().for_each(|side| side.swap(column, pivot));
        let divisor = matrix[column][column];
        if divisor.abs() < 1e-300 || !divisor.is_finite() {
            return None;
        }
        let pivot_row = matrix[column].clone();
        for row in (0..size).filter(|&row| row != column) {
            let factor = matrix[row][column] / divisor;
            if factor != 0.0 {
                matrix[row].iter_mut().zip(&pivot_row).for_each(|(cell, above)| *cell -= factor * above);
                sides.iter_mut().for_each(|side| side[row] -= factor * side[column]);
            }
        }
    }
    for side in &mut sides {
        side.iter_mut().enumerate().for_each(|(row, value)| *value /= matrix[row][row]);
    }
    Some(sides)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::results::{Results, elo};
    use toolkit::Rng;

    #[test]
    fn two_engines_agree_with_the_plain_formula() {
        // The same score with both colours, so that there is no advantage. The fit must then give the logistic
        // difference of the score, with draws as half: that is the Davidson model's own likelihood equation.
        let scores = [
            Score { white: 0, black: 1, counts: [200, 300, 500] },
            Score { white: 1, black: 0, counts: [500, 300, 200] },
        ];
        let fitted = fit(2, &scores, Some((1, 2700.0))).expect("a fit");
        let [losses, draws, wins] = [200.0, 300.0, 500.0];
        // In this model the win : loss ratio is exp(lead).
        let lead = fitted.ratings[0].value - 2700.0;
        let expected = {
            let lead = lead / UNIT;
            let weights =
                [(-lead / 2.0).exp(), 2.0 * fitted.draw_chance / (1.0 - fitted.draw_chance), (lead / 2.0).exp()];
            (weights[2] + weights[1] / 2.0) / weights.iter().sum::<f64>()
        };
        let score = (wins + draws / 2.0) / (wins + draws + losses);
        assert!((expected - score).abs() < 1e-4, "{expected} {score}");
        assert!((lead - UNIT * (wins / losses).ln()).abs() < 0.2, "{lead}");
        assert!(fitted.white_advantage.value.abs() < 0.1);
        assert_eq!(fitted.ratings[1].error(), 0.0, "the anchor does not move");
        // The error is about as large as the spread of the games alone gives.
        let games = Results([400, 600, 1000]);
        let slope = lead / elo(games.mean());
        assert!((fitted.ratings[0].error() / (games.elo().error() * slope) - 1.0).abs() < 0.1);
    }

    /// Simulated tournaments: the intervals must contain the truth about 95 times in 100.
    #[test]
    fn the_errors_keep_their_promise() {
        let truth = [0.0, 120.0, 260.0, -90.0];
        let (advantage, draw) = (35.0 / UNIT, 0.9_f64);
        let mut rng = Rng::new(5);
        let (mut held, mut all, mut sum) = (0, 0, 0.0);
        for _ in 0..150 {
            let mut scores = Vec::new();
            for white in 0..4 {
                for black in (0..4).filter(|&black| black != white) {
                    let lead = (truth[white] - truth[black]) / UNIT + advantage;
                    let weights = [(-lead / 2.0).exp(), draw, (lead / 2.0).exp()];
                    let total: f64 = weights.iter().sum();
                    let mut counts = [0; 3];
                    (0..60).for_each(|_| counts[rng.choose(&weights.map(|weight| weight / total))] += 1);
                    scores.push(Score { white, black, counts });
                }
            }
            let fitted = fit(4, &scores, Some((0, 0.0))).expect("a fit");
            for (estimate, truth) in fitted.ratings.iter().zip(truth).skip(1) {
                all += 1;
                held += i32::from(estimate.low <= truth && truth <= estimate.high);
                sum += estimate.value - truth;
            }
            assert!((fitted.white_advantage.value - 35.0).abs() < 60.0);
            assert!(fitted.superiority[2][3] > 0.99 && fitted.superiority[3][2] < 0.01);
        }
        let share = f64::from(held) / f64::from(all);
        assert!((0.92..0.98).contains(&share), "{share}");
        assert!((sum / f64::from(all)).abs() < 5.0, "no bias: {}", sum / f64::from(all));
    }

    /// Twenty rungs, each a hundred Elo above the last: the ends must not be pulled together.
    #[test]
    fn a_long_ladder_keeps_its_length() {
        let score = |white, black, wins, losses| Score { white, black, counts: [losses, 20, wins] };
        let scores: Vec<Score> =
            (0..20).flat_map(|low| [score(low + 1, low, 45, 25), score(low, low + 1, 25, 45)]).collect();
        let length = |prior| {
            let fitted = fit_within(prior, 21, &scores, Some((0, 0.0))).expect("a fit");
            fitted.ratings[20].value / 20.0
        };
        let one = fit_within(3000.0, 2, &scores[..2], Some((0, 0.0))).expect("a fit").ratings[1].value;
        assert!((length(3000.0) / one - 1.0).abs() < 0.01, "{} {one}", length(3000.0));
        assert!(length(1000.0) < length(3000.0));
    }

    #[test]
    fn perfect_scores_and_strangers_stay_finite() {
        let scores = [Score { white: 0, black: 1, counts: [0, 0, 20] }];
        let fitted = fit(4, &scores, None).expect("a fit");
        assert!(fitted.ratings.iter().all(|rating| rating.value.is_finite() && rating.error().is_finite()));
        assert!(fitted.ratings[0].value > fitted.ratings[1].value + 200.0);
        assert!(fitted.ratings[2].error() > 500.0, "nothing is known of a stranger");
        let sum: f64 = fitted.ratings.iter().map(|rating| rating.value).sum();
        assert!(sum.abs() < 1e-6, "without an anchor the mean is 0");
        assert_eq!(fit(0, &[], None).map(|ratings| ratings.ratings.len()), Some(0));
    }
}
