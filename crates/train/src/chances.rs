//! Fits the model that turns scores into chances of win, draw and loss. It maximises the likelihood of the given games
//! by Fisher scoring, which is Newton's method with the expected curvature.

use std::collections::BTreeMap;

use engine::SearchScore;
use engine::chances::{Model, argument};

/// Four coefficients each for the cubics of half and width.
const NUMBERS: usize = 8;
const STEPS: usize = 60;
/// The width of a score class.
const CLASS: i32 = 5;

/// How games ended, by material and score of the side to move.
#[derive(Clone, Default, Debug)]
pub struct Outcomes {
    /// [win, draw, loss] by (material, class of the score)
    counts: BTreeMap<(i32, i32), [u64; 3]>,
}

impl Outcomes {
    /// Counts a position: its score, and whether the side whose score it is won (0), drew (1) or lost (2).
    pub fn add(&mut self, material: i32, score: i32, outcome: usize) {
        let class = score.div_euclid(CLASS);
        if let Some(count) = self.counts.entry((material, class)).or_default().get_mut(outcome) {
            *count += 1;
        }
    }

    /// How many positions were counted.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.counts.values().flatten().sum()
    }

    fn each(&self) -> impl Iterator<Item = (i32, f64, [f64; 3])> {
        let middle = f64::from(CLASS) / 2.0;
        self.counts.iter().map(move |(&(material, class), counts)| {
            (material, f64::from(class * CLASS) + middle, counts.map(|count| count as f64))
        })
    }

    /// The mean negative log-likelihood of the outcomes under the model.
    #[must_use]
    pub fn loss(&self, model: &Model) -> f64 {
        let sum: f64 = self
            .each()
            .map(|(material, score, counts)| {
                let chances = model.chances(SearchScore::new(score.round() as i32), material);
                counts.iter().zip(chances).map(|(count, chance)| -count * chance.max(1e-9).ln()).sum::<f64>()
            })
            .sum();
        sum / self.total().max(1) as f64
    }

    /// The maximum-likelihood model; none if there are too few games.
    #[must_use]
    pub fn fit(&self) -> Option<Model> {
        if self.counts.is_empty() {
            return None;
        }
        let mut model = Model { half: [150.0, 0.0, 0.0, 0.0], width: [75.0, 0.0, 0.0, 0.0] };
        let mut loss = self.loss(&model);
        for _ in 0..STEPS {
            let step = self.step(&model)?;
            // A step that overshoots is halved until it improves.
            let (mut size, mut best) = (1.0, None);
            while size > 1e-4 && best.is_none() {
                let tried = moved(&model, &step, size);
                let tried_loss = self.loss(&tried);
                best = (tried_loss < loss).then_some((tried, tried_loss));
                size /= 2.0;
            }
            let Some((better, better_loss)) = best else { break };
            let gain = loss - better_loss;
            (model, loss) = (better, better_loss);
            if gain < 1e-9 {
                break;
            }
        }
        Some(model)
    }

    /// One step of Fisher scoring.
    fn step(&self, model: &Model) -> Option<[f64; NUMBERS]> {
        let mut curvature = [[0.0; NUMBERS]; NUMBERS];
        let mut slope = [0.0; NUMBERS];
        for (material, score, counts) in self.each() {
            let (half, width) = model.curve(material);
            let [win, draw, loss] =
                model.chances(SearchScore::new(score.round() as i32), material).map(|chance| chance.max(1e-9));
            // How the chances change with half and width.
            let (win_rate, loss_rate) = (win * (1.0 - win) / width, loss * (1.0 - loss) / width);
            let (win_lag, loss_lag) = ((score - half) / width, (-score - half) / width);
            let by_half = [-win_rate, win_rate + loss_rate, -loss_rate];
            let by_width = [-win_rate * win_lag, win_rate * win_lag + loss_rate * loss_lag, -loss_rate * loss_lag];
            let chances = [win, draw, loss];
            let x = argument(material);
            let powers = [1.0, x, x * x, x * x * x];
            let direction = |i: usize, outcome: usize| {
                let rates = if i < 4 { &by_half } else { &by_width };
                rates[outcome] * powers[i % 4]
            };
            let total: f64 = counts.iter().sum();
            for i in 0..NUMBERS {
                for outcome in 0..3 {
                    slope[i] += counts[outcome] / chances[outcome] * direction(i, outcome);
                    for (j, cell) in curvature[i].iter_mut().enumerate() {
                        *cell += total / chances[outcome] * direction(i, outcome) * direction(j, outcome);
                    }
                }
            }
        }
        // A little regularisation: games with only one amount of material could not tell the powers apart.
        for (i, row) in curvature.iter_mut().enumerate() {
            row[i] += 1e-6 * (1.0 + row[i]);
        }
        solve(curvature, slope)
    }
}

fn moved(model: &Model, step: &[f64; NUMBERS], size: f64) -> Model {
    let mut model = *model;
    for (number, change) in model.half.iter_mut().chain(&mut model.width).zip(step) {
        *number += change * size;
    }
    model
}

/// Gaussian elimination with pivoting; none if there is no unique solution.
fn solve(mut matrix: [[f64; NUMBERS]; NUMBERS], mut right: [f64; NUMBERS]) -> Option<[f64; NUMBERS]> {
    for column in 0..NUMBERS {
        let pivot = (column..NUMBERS).max_by(|&a, &b| matrix[a][column].abs().total_cmp(&matrix[b][column].abs()))?;
        if !matrix[pivot][column].is_normal() {
            return None;
        }
        matrix.swap(column, pivot);
        right.swap(column, pivot);
        let top = matrix[column];
        for row in column + 1..NUMBERS {
            let factor = matrix[row][column] / top[column];
            matrix[row].iter_mut().zip(top).for_each(|(cell, above)| *cell -= factor * above);
            right[row] -= factor * right[column];
        }
    }
    let mut solution = [0.0; NUMBERS];
    for row in (0..NUMBERS).rev() {
        let known: f64 = (row + 1..NUMBERS).map(|place| matrix[row][place] * solution[place]).sum();
        solution[row] = (right[row] - known) / matrix[row][row];
    }
    solution.iter().all(|number| number.is_finite()).then_some(solution)
}

#[cfg(test)]
mod tests {
    use super::*;
    use toolkit::Rng;

    #[test]
    fn the_fit_finds_the_model_the_games_were_drawn_from() {
        let truth = Model { half: [80.0, 120.0, -30.0, 10.0], width: [60.0, 30.0, -10.0, 5.0] };
        let mut random = Rng::new(5);
        let mut outcomes = Outcomes::default();
        for _ in 0..400_000 {
            let material = 12 + (random.unit() * 66.0) as i32;
            let score = ((random.unit() - 0.5) * 800.0).round() as i32;
            let [win, draw, _] = truth.chances(SearchScore::new(score), material);
            let luck = random.unit();
            outcomes.add(material, score, if luck < win { 0 } else { 1 + usize::from(luck >= win + draw) });
        }
        let found = outcomes.fit().expect("plenty of games");
        for material in [15, 30, 58, 76] {
            let ((half, width), (true_half, true_width)) = (found.curve(material), truth.curve(material));
            assert!((half - true_half).abs() < 4.0, "half at {material}: {half} for {true_half}");
            assert!((width - true_width).abs() < 4.0, "width at {material}: {width} for {true_width}");
        }
        assert!(outcomes.loss(&found) <= outcomes.loss(&truth), "nothing is likelier than the likeliest");
    }

    #[test]
    fn nothing_is_fitted_to_nothing() {
        assert_eq!(Outcomes::default().fit(), None);
    }
}
