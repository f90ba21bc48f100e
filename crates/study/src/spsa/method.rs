//! Tuning by simultaneous perturbation (Spall's SPSA, in the form fishtest uses): all numbers are moved at once, each up or down
//! by the toss of a coin, the two engines that result play each other, and every number follows its own coin a little towards the
//! winner. However many numbers there are, an iteration costs one pair of games.
//!
//! Nothing here knows of chess: whoever plays tells the result.

use toolkit::Rng;

/// How far and how boldly the numbers move. With `k` iterations done, the perturbation of a number is
/// `step · (N / k)^gamma` and the learning rate `r_end · ((A + N) / (A + k))^alpha` relative to the square of it: both shrink to
/// what is wanted at the end.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Schedule {
    /// How many iterations there are in all.
    pub iterations: u64,
    /// How fast the learning rate falls.
    pub alpha: f64,
    /// How fast the perturbation shrinks.
    pub gamma: f64,
    /// What is added to the number of iterations, as a share of them all, so that the first steps are not too wild.
    pub stability: f64,
    /// The learning rate at the end, in squares of the step per point won.
    pub r_end: f64,
}

impl Schedule {
    /// Spall's exponents and fishtest's rate.
    #[cfg(test)]
    pub(super) fn new(iterations: u64) -> Schedule {
        Schedule { iterations, alpha: 0.602, gamma: 0.101, stability: 0.1, r_end: 0.002 }
    }

    /// By how many steps numbers are perturbed in an iteration, from 1.
    fn width(&self, iteration: u64) -> f64 {
        (self.iterations as f64 / iteration.max(1) as f64).powf(self.gamma)
    }

    /// How many steps a number moves for each point won, and for each step it was perturbed by.
    fn rate(&self, iteration: u64) -> f64 {
        let (offset, all) = (self.stability * self.iterations as f64, self.iterations as f64);
        let a = self.r_end * ((offset + all) / (offset + iteration.max(1) as f64)).powf(self.alpha);
        a / self.width(iteration).powi(2)
    }
}

/// A number that is tuned.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Parameter {
    /// Its name.
    pub name: String,
    /// What it was before tuning.
    pub start: f64,
    /// What it is now.
    pub value: f64,
    /// The least value allowed.
    pub min: f64,
    /// The greatest value allowed.
    pub max: f64,
    /// How far it is perturbed at the end.
    pub step: f64,
}

/// The two sides of an iteration.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Trial {
    /// The values of the first engine, whole numbers within their ranges.
    pub plus: Vec<i32>,
    /// The values of the second.
    pub minus: Vec<i32>,
    /// By how much each number was meant to be moved.
    shifts: Vec<f64>,
    iteration: u64,
}

/// A tuning run: what is learned so far.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Spsa {
    /// The plan.
    pub schedule: Schedule,
    /// The numbers.
    pub parameters: Vec<Parameter>,
    /// Iterations that are done.
    pub done: u64,
    /// What the coins depend on.
    pub seed: u64,
}

impl Spsa {
    /// The next two sides. The coins depend on the seed and the iteration alone, so a resumed run tosses the same ones.
    pub(super) fn trial(&self) -> Trial {
        let iteration = self.done + 1;
        let mut rng = Rng::new(self.seed ^ Rng::new(iteration).bits());
        let width = self.schedule.width(iteration);
        let mut trial = Trial { plus: Vec::new(), minus: Vec::new(), shifts: Vec::new(), iteration };
        for parameter in &self.parameters {
            let side = if rng.bits() >> 63 == 0 { 1.0 } else { -1.0 };
            let shift = side * width * parameter.step;
            // Engines take whole numbers. Rounding by chance lets a number between two of them be both, as often as it should.
            let chance = rng.unit();
            let whole = |value: f64| (value.clamp(parameter.min, parameter.max) + chance).floor() as i32;
            let whole = |value: f64| whole(value).min(parameter.max.floor() as i32);
            trial.plus.push(whole(parameter.value + shift));
            trial.minus.push(whole(parameter.value - shift));
            trial.shifts.push(shift);
        }
        trial
    }

    /// Learns from a trial: `points` is what the first engine won more than the second, in points.
    pub(super) fn learn(&mut self, trial: &Trial, points: f64) {
        let rate = self.schedule.rate(trial.iteration);
        for (parameter, shift) in self.parameters.iter_mut().zip(&trial.shifts) {
            parameter.value = (parameter.value + rate * points * shift).clamp(parameter.min, parameter.max);
        }
        self.done = trial.iteration;
    }

    /// What all numbers are now.
    pub(super) fn values(&self) -> Vec<f64> {
        self.parameters.iter().map(|parameter| parameter.value).collect()
    }

    /// Whether all iterations are done.
    pub(super) fn is_finished(&self) -> bool {
        self.done >= self.schedule.iterations
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena::stats::expected_score;

    fn parameter(name: &str, start: f64, range: (f64, f64), step: f64) -> Parameter {
        Parameter { name: name.into(), start, value: start, min: range.0, max: range.1, step }
    }

    /// A game that knows nothing of chess: strength falls with the square of the distance from a best point, and who wins is
    /// left to chance as between engines of that strength.
    fn tune(mut spsa: Spsa, best: &[f64], loss: f64) -> Spsa {
        let mut rng = Rng::new(77);
        while !spsa.is_finished() {
            let trial = spsa.trial();
            let strength = |values: &[i32]| -> f64 {
                let distances = values.iter().zip(best).zip(&spsa.parameters);
                -distances.map(|((value, best), p)| loss * ((f64::from(*value) - best) / p.step).powi(2)).sum::<f64>()
            };
            let score = expected_score(strength(&trial.plus) - strength(&trial.minus));
            // Two games, each drawn half of the time.
            let points: f64 = (0..2)
                .map(|_| match rng.unit() {
                    chance if chance < score - 0.25 => 1.0,
                    chance if chance < score + 0.25 => 0.0,
                    _ => -1.0,
                })
                .sum();
            spsa.learn(&trial, points);
        }
        spsa
    }

    #[test]
    fn it_finds_the_best_point() {
        let parameters = vec![
            parameter("a", 850.0, (200.0, 1800.0), 80.0),
            parameter("b", 4.0, (1.0, 8.0), 1.0),
            parameter("c", -30.0, (-150.0, 50.0), 15.0),
        ];
        let best = [1090.0, 6.0, -60.0];
        let spsa = Spsa {
            schedule: Schedule { r_end: 0.01, ..Schedule::new(20_000) },
            parameters: parameters.clone(),
            done: 0,
            seed: 3,
        };
        // A step off the best costs four Elo, which no single match could see.
        let tuned = tune(spsa, &best, 4.0);
        for ((parameter, best), start) in tuned.parameters.iter().zip(best).zip(&parameters) {
            let (then, now) = ((start.value - best).abs() / start.step, (parameter.value - best).abs() / start.step);
            assert!(now < 0.35 * then + 0.25, "{}: {} steps off, from {}", parameter.name, now, then);
        }
    }

    #[test]
    fn without_an_effect_it_hardly_wanders() {
        let parameters = (0..20).map(|n| parameter(&n.to_string(), 0.0, (-1000.0, 1000.0), 10.0)).collect();
        let spsa = Spsa { schedule: Schedule::new(5000), parameters, done: 0, seed: 1 };
        let tuned = tune(spsa, &[0.0; 20], 0.0);
        let spread = tuned.parameters.iter().map(|p| (p.value / p.step).powi(2)).sum::<f64>() / 20.0;
        assert!(spread.sqrt() < 0.5, "{}", spread.sqrt());
        assert!(spread > 0.0);
    }

    #[test]
    fn trials_are_the_same_again_and_within_range() {
        let parameters = vec![parameter("a", 7.0, (0.0, 8.0), 3.0), parameter("b", 2.5, (0.0, 5.0), 0.5)];
        let mut spsa = Spsa { schedule: Schedule::new(100), parameters, done: 0, seed: 9 };
        let mut ups = 0;
        while !spsa.is_finished() {
            let trial = spsa.trial();
            assert_eq!(trial, spsa.trial());
            assert!(
                [&trial.plus, &trial.minus].iter().all(|side| (0..=8).contains(&side[0]) && (0..=5).contains(&side[1]))
            );
            ups += u32::from(trial.shifts[0] > 0.0);
            spsa.learn(&trial, 0.0);
        }
        assert!((30..=70).contains(&ups), "{ups}");
        assert_eq!(spsa.parameters[0].value, 7.0, "a drawn trial teaches nothing");
        let (first, last) = (spsa.schedule.width(1), spsa.schedule.width(100));
        assert!(first > 1.5 && (last - 1.0).abs() < 1e-12);
        assert!((spsa.schedule.rate(100) - spsa.schedule.r_end).abs() < 1e-12);
    }
}
