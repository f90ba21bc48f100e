//! The fit: first the scale of the sigmoid, then the weights, step by step, until the validation loss stops improving.

use std::thread;

use engine::eval::weights::{DANGER_DIVISOR, Group, TABLES};

use super::model::{PAIRS, Slopes, Weights, differentiate, own_weights, value};
use super::normal::Normal;
use super::positions::Positions;

/// The fit stops after a step that improves the validation loss by less than this share.
const GAIN: f64 = 1e-5;

/// The settings of a fit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Wishes {
    /// The share of the game's result in the target; the rest is the search score.
    pub result_share: f64,
    /// The weight of the prior that holds the present weights, in positions.
    pub prior: f64,
    /// The maximum number of steps.
    pub steps: usize,
    /// The number of threads.
    pub threads: usize,
}

/// The target of the fit and its scale.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Target {
    /// The share of the game's result.
    pub result_share: f64,
    /// How many centipawns of search score multiply the odds of White's points by e.
    pub score_scale: f64,
}

impl Target {
    /// Finds the scale on which search scores predict the results best.
    #[must_use]
    pub fn new(positions: &Positions, result_share: f64) -> Target {
        let samples: Vec<_> =
            positions.heads.iter().map(|head| (f64::from(head.score), f64::from(head.result))).collect();
        Target { result_share, score_scale: best_scale(&samples) }
    }

    fn of(&self, head: &super::positions::Head) -> f64 {
        let by_search = sigmoid(f64::from(head.score) / self.score_scale);
        self.result_share * f64::from(head.result) + (1.0 - self.result_share) * by_search
    }
}

/// The expected points of White when the log-odds are `logit`.
fn sigmoid(logit: f64) -> f64 {
    1.0 / (1.0 + (-logit).exp())
}

/// The scale that predicts points from centipawns with the least squared error.
fn best_scale(samples: &[(f64, f64)]) -> f64 {
    let loss = |log_scale: f64| {
        let scale = log_scale.exp();
        samples.iter().map(|&(value, points)| (sigmoid(value / scale) - points).powi(2)).sum::<f64>()
    };
    // Golden-section search; the loss has a single minimum.
    let shrink = (5.0_f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (20.0_f64.ln(), 3000.0_f64.ln());
    for _ in 0..40 {
        let (left, right) = (high - shrink * (high - low), low + shrink * (high - low));
        if loss(left) < loss(right) { high = right } else { low = left }
    }
    ((low + high) / 2.0).exp()
}

/// A fit in progress.
pub struct Fit<'a> {
    training: &'a Positions,
    validation: &'a Positions,
    target: Target,
    wishes: Wishes,
    /// How many centipawns of evaluation multiply the odds by e.
    pub scale: f64,
    /// The weights so far.
    pub weights: Weights,
    own: Weights,
}

/// Mean squared errors after a step.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Losses {
    /// On the training positions.
    pub training: f64,
    /// On the held-out positions.
    pub validation: f64,
}

impl<'a> Fit<'a> {
    /// A fit that starts from the engine's own weights, on the scale that suits them best.
    #[must_use]
    pub fn new(training: &'a Positions, validation: &'a Positions, target: Target, wishes: Wishes) -> Fit<'a> {
        let own = own_weights();
        let samples: Vec<_> =
            training.heads.iter().map(|head| (value(training, head, &own), target.of(head))).collect();
        let scale = best_scale(&samples);
        Fit { training, validation, target, wishes, scale, weights: own.clone(), own }
    }

    /// The mean squared errors of a set of weights.
    #[must_use]
    pub fn losses(&self, weights: &Weights) -> Losses {
        let mean = |positions: &Positions| self.squares(positions, weights) / positions.len().max(1) as f64;
        Losses { training: mean(self.training), validation: mean(self.validation) }
    }

    /// The mean squared error with which a set of weights predicts the results of held-out games, on the scale that
    /// suits it best. It does not depend on the target, so fits to different targets can be compared.
    #[must_use]
    pub fn error_of_results(&self, weights: &Weights) -> f64 {
        let heads = self.validation.heads.iter();
        let samples: Vec<_> =
            heads.map(|head| (value(self.validation, head, weights), f64::from(head.result))).collect();
        let scale = best_scale(&samples);
        let squares = samples.iter().map(|&(value, points)| (sigmoid(value / scale) - points).powi(2));
        squares.sum::<f64>() / samples.len().max(1) as f64
    }

    /// Improves the weights until the validation loss stops improving or the steps are used up. The mean size of the
    /// evaluation is held constant, since the margins of the search depend on it: a better evaluation is more confident
    /// and would otherwise grow. The scale shrinks instead. Calls `tell` after each step.
    pub fn run(&mut self, mut tell: impl FnMut(usize, Losses)) {
        let own_size = self.mean_size(&self.own);
        let mut best = (self.losses(&self.weights).validation, self.scale, self.weights.clone());
        for step in 1..=self.wishes.steps {
            let moved = self.advance();
            self.scale *= own_size / self.mean_size(&self.weights);
            let losses = self.losses(&self.weights);
            tell(step, losses);
            let is_better = losses.validation < best.0 * (1.0 - GAIN);
            if losses.validation < best.0 {
                best = (losses.validation, self.scale, self.weights.clone());
            }
            // A change of scale may undo a little of what the first steps gain.
            if !moved || (!is_better && step > 3) {
                break;
            }
        }
        (_, self.scale, self.weights) = best;
    }

    /// Takes one step; false if none helps. Where the errors are too far from linear, the step is shortened.
    fn advance(&mut self) -> bool {
        let (normal, stiffness) = (self.normal(), self.stiffness());
        let pull: Vec<[f64; 2]> = (0..PAIRS)
            .map(|index| {
                [0, 1].map(|half| {
                    let distance = self.weights[index][half] - self.own[index][half];
                    normal.gradient[index][half] + stiffness[index][half] * distance
                })
            })
            .collect();
        let Some(step) = normal.solve(&stiffness, &pull) else { return false };
        let before = self.objective(&self.weights, &stiffness);
        for length in [1.0, 0.5, 0.25, 0.1, 0.03] {
            let moved = self.weights.iter().zip(&step);
            let moved: Weights =
                moved.map(|(old, step)| [old[0] + length * step[0], old[1] + length * step[1]]).collect();
            if self.objective(&moved, &stiffness) < before {
                self.weights = moved;
                return true;
            }
        }
        false
    }

    /// How stiffly each weight is held at its present value. A weight that occurs in one of n positions gets as much
    /// evidence from them as from the prior.
    fn stiffness(&self) -> Vec<[f64; 2]> {
        // The steepest slope of the sigmoid: how much one centipawn can change the prediction.
        let rate = 0.25 / self.scale;
        let force = self.wishes.prior * rate * rate;
        let mut stiffness = vec![[force; 2]; PAIRS];
        for table in TABLES.iter().filter(|table| table.group == Group::Danger) {
            // A unit of danger is worth less than a centipawn; this is its worth in an attack of medium size.
            let worth = [0.5, 1.0 / f64::from(DANGER_DIVISOR.1)];
            stiffness[table.start..table.start + table.len].fill(worth.map(|worth| force * worth * worth));
        }
        stiffness
    }

    /// The objective to minimise: squared errors plus squared distances from the present weights.
    fn objective(&self, weights: &Weights, stiffness: &[[f64; 2]]) -> f64 {
        let held: f64 = (0..PAIRS)
            .map(|index| {
                let half =
                    |half: usize| stiffness[index][half] * (weights[index][half] - self.own[index][half]).powi(2);
                half(0) + half(1)
            })
            .sum();
        self.squares(self.training, weights) + held
    }

    fn squares(&self, positions: &Positions, weights: &Weights) -> f64 {
        self.in_parts(positions, |range| {
            let heads = positions.heads.get(range).unwrap_or_default();
            let square = |head| (sigmoid(value(positions, head, weights) / self.scale) - self.target.of(head)).powi(2);
            heads.iter().map(square).sum::<f64>()
        })
        .into_iter()
        .sum()
    }

    fn mean_size(&self, weights: &Weights) -> f64 {
        let sizes = self.in_parts(self.training, |range| {
            let heads = self.training.heads.get(range).unwrap_or_default();
            heads.iter().map(|head| value(self.training, head, weights).abs()).sum::<f64>()
        });
        sizes.into_iter().sum::<f64>() / self.training.len().max(1) as f64
    }

    fn normal(&self) -> Normal {
        let parts = self.in_parts(self.training, |range| {
            let (mut normal, mut slopes) = (Normal::new(), Slopes::new());
            for head in self.training.heads.get(range).unwrap_or_default() {
                let found = differentiate(self.training, head, &self.weights, &mut slopes);
                let predicted = sigmoid(found / self.scale);
                let rate = predicted * (1.0 - predicted) / self.scale;
                normal.add(&slopes, rate, predicted - self.target.of(head));
            }
            normal
        });
        let mut sum = Normal::new();
        parts.iter().for_each(|part| sum.absorb(part));
        sum
    }

    /// Runs `work` on all positions, a part on each thread; returns the results in order.
    fn in_parts<T: Send>(&self, positions: &Positions, work: impl Fn(std::ops::Range<usize>) -> T + Sync) -> Vec<T> {
        let threads = self.wishes.threads.max(1);
        let share = positions.len().div_ceil(threads).max(1);
        thread::scope(|scope| {
            let work = &work;
            let running: Vec<_> = (0..threads)
                .map(|part| {
                    let range = (part * share).min(positions.len())..((part + 1) * share).min(positions.len());
                    scope.spawn(move || work(range))
                })
                .collect();
            running
                .into_iter()
                .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect()
        })
    }
}

/// Weights rounded to whole numbers, as the engine stores them.
#[must_use]
pub fn rounded(weights: &Weights) -> Vec<[i32; 2]> {
    weights.iter().map(|pair| pair.map(|value| value.round() as i32)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::model::tests::boards;
    use super::*;
    use engine::eval::coefficients;
    use engine::eval::weights::{DANGER_RING, HANGING, KNIGHT_MOBILITY, MATERIAL};
    use toolkit::Rng;

    /// Positions whose results are drawn at random from the predictions of other weights than the engine's own.
    fn positions(count: usize, truth: &Weights, scale: f64) -> Positions {
        let (mut positions, mut rng) = (Positions::default(), Rng::new(11));
        for board in boards(count) {
            positions.add(&coefficients(&board), board.side_to_move(), 0.0, 0);
        }
        for place in 0..positions.len() {
            let found = value(&positions, &positions.heads[place], truth);
            let head = &mut positions.heads[place];
            head.result = f32::from(u8::from(rng.unit() < sigmoid(found / scale)));
            head.score = found as f32;
        }
        positions
    }

    fn wishes(result_share: f64) -> Wishes {
        Wishes { result_share, prior: 20.0, steps: 12, threads: 2 }
    }

    /// The engine's weights with some of them changed, but the same overall scale.
    fn other_weights() -> Weights {
        let mut other = own_weights();
        other[MATERIAL.start + 1] = [300.0, 290.0];
        other[KNIGHT_MOBILITY.start + 4] = [44.0, 33.0];
        other[HANGING.start] = [70.0, 50.0];
        other[DANGER_RING.start] = [55.0, 40.0];
        other
    }

    #[test]
    fn weights_that_made_the_data_are_found_again() {
        let truth = other_weights();
        let [training, validation] = [positions(5_000, &truth, 250.0), positions(1_000, &truth, 250.0)];
        let target = Target::new(&training, 0.0);
        assert!((target.score_scale / 250.0 - 1.0).abs() < 0.1, "{}", target.score_scale);
        let mut fit = Fit::new(&training, &validation, target, wishes(0.0));
        let before = fit.losses(&own_weights());
        let mut steps = 0;
        fit.run(|_, _| steps += 1);
        let after = fit.losses(&fit.weights);
        assert!(after.validation < before.validation / 20.0, "{before:?} {after:?}");
        assert!(steps < 12, "Newton needs few steps");
        // The overall scale may change a little, so the test compares ratios to the rook. A knight's worth is spread
        // over its material, squares and mobility; the other weights must be recovered where they are.
        let rook = |weights: &Weights| weights[MATERIAL.start + 3][1];
        for (index, half, rest) in [(MATERIAL.start + 1, 1, 0.6), (HANGING.start, 0, 0.3), (DANGER_RING.start, 0, 0.3)]
        {
            let ratio = |weights: &Weights| weights[index][half] / rook(weights);
            let (own, found, wanted) = (ratio(&own_weights()), ratio(&fit.weights), ratio(&truth));
            assert!((found - wanted).abs() < rest * (own - wanted).abs(), "{index}: {own} {found} {wanted}");
        }
    }

    #[test]
    fn noise_teaches_nothing_and_the_prior_holds() {
        // The results come from the engine's own weights: anything learnt is noise.
        let own = own_weights();
        let [training, validation] = [positions(3_000, &own, 250.0), positions(1_000, &own, 250.0)];
        let target = Target::new(&training, 1.0);
        let mut fit = Fit::new(&training, &validation, target, Wishes { prior: 1e7, ..wishes(1.0) });
        fit.run(|_, _| {});
        let most = fit.weights.iter().zip(&own).map(|(a, b)| (a[0] - b[0]).abs().max((a[1] - b[1]).abs()));
        assert!(most.fold(0.0, f64::max) < 1.0);
    }

    #[test]
    fn scales_are_found() {
        let samples: Vec<_> = (-400..400).map(|value| (f64::from(value), sigmoid(f64::from(value) / 180.0))).collect();
        assert!((best_scale(&samples) - 180.0).abs() < 0.5);
    }
}
