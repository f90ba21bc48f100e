//! Tuning by simultaneous perturbation (Spall's SPSA, in the form fishtest uses). All parameters are perturbed at once,
//! each up or down by a coin toss; the two resulting engines play each other; and every parameter moves a little in the
//! winner's direction. An iteration costs the same games however many parameters there are.
//!
//! This file is independent of chess: the caller plays the games and reports the result.

use toolkit::Rng;

/// The schedule. With `k` iterations done, the perturbation of a parameter is `step · (N / k)^gamma`, and the learning
/// rate, in squares of `step`, is `r_end · ((A + N) / (A + k))^alpha`; both reach their final values at the last
/// iteration.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Schedule {
    /// The total number of iterations.
    pub iterations: u64,
    /// How fast the learning rate falls.
    pub alpha: f64,
    /// How fast the perturbation shrinks.
    pub gamma: f64,
    /// The stability constant `A`, as a share of all iterations, which keeps the first steps small.
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

    /// The perturbation in an iteration, counted from 1, in steps.
    fn width(&self, iteration: u64) -> f64 {
        (self.iterations as f64 / iteration.max(1) as f64).powf(self.gamma)
    }

    /// How many steps a parameter moves for each point won and each step of perturbation.
    fn rate(&self, iteration: u64) -> f64 {
        let (offset, all) = (self.stability * self.iterations as f64, self.iterations as f64);
        let a = self.r_end * ((offset + all) / (offset + iteration.max(1) as f64)).powf(self.alpha);
        a / self.width(iteration).powi(2)
    }
}

/// A parameter being tuned.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Parameter {
    /// Its name.
    pub name: String,
    /// Its value before tuning.
    pub start: f64,
    /// Its current value.
    pub value: f64,
    /// The smallest value allowed.
    pub min: f64,
    /// The largest value allowed.
    pub max: f64,
    /// The size of its final perturbation.
    pub step: f64,
}

/// The two sides of an iteration.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Trial {
    /// The values of the first engine, integers within their ranges.
    pub plus: Vec<i32>,
    /// The values of the second.
    pub minus: Vec<i32>,
    /// The intended shift of each parameter.
    shifts: Vec<f64>,
    iteration: u64,
}

/// The state of a tuning run.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Spsa {
    /// The schedule.
    pub schedule: Schedule,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// Iterations done.
    pub done: u64,
    /// The seed of the coin tosses.
    pub seed: u64,
}

impl Spsa {
    /// The next trial. The coin tosses depend only on the seed and the iteration, so a resumed run repeats them.
    pub(super) fn trial(&self) -> Trial {
        let iteration = self.done + 1;
        let mut rng = Rng::new(self.seed ^ Rng::new(iteration).bits());
        let width = self.schedule.width(iteration);
        let mut trial = Trial { plus: Vec::new(), minus: Vec::new(), shifts: Vec::new(), iteration };
        for parameter in &self.parameters {
            let side = if rng.bits() >> 63 == 0 { 1.0 } else { -1.0 };
            let shift = side * width * parameter.step;
            // Engines take integers. Stochastic rounding makes a value between two of them act as both, in the right
            // proportion.
            let chance = rng.unit();
            let whole = |value: f64| (value.clamp(parameter.min, parameter.max) + chance).floor() as i32;
            let whole = |value: f64| whole(value).min(parameter.max.floor() as i32);
            trial.plus.push(whole(parameter.value + shift));
            trial.minus.push(whole(parameter.value - shift));
            trial.shifts.push(shift);
        }
        trial
    }

    /// Learns from a trial: `points` is the first engine's margin over the second.
    pub(super) fn learn(&mut self, trial: &Trial, points: f64) {
        let rate = self.schedule.rate(trial.iteration);
        for (parameter, shift) in self.parameters.iter_mut().zip(&trial.shifts) {
            parameter.value = (parameter.value + rate * points * shift).clamp(parameter.min, parameter.max);
        }
        self.done = trial.iteration;
    }

    /// The current values.
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

    /// A model in place of chess: strength falls with the square of the distance from an optimum, and results are
    /// random, as between engines of those strengths.
    fn tune(mut spsa: Spsa, best: &[f64], loss: f64) -> Spsa {
        let mut rng = Rng::new(77);
        while !spsa.is_finished() {
            let trial = spsa.trial();
            let strength = |values: &[i32]| -> f64 {
                let distances = values.iter().zip(best).zip(&spsa.parameters);
                -distances.map(|((value, best), p)| loss * ((f64::from(*value) - best) / p.step).powi(2)).sum::<f64>()
            };
            let score = expected_score(strength(&trial.plus) - strength(&trial.minus));
            // Two games, each drawn half the time.
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
        // One step away from the optimum costs four Elo, too little for a single match to detect.
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
