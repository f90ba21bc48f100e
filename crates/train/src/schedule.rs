//! Schedules: how the learning rate and the weight of game results change during training.

/// The shape of the learning-rate decay.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Fall {
    /// Slow, fast, slow.
    Cosine,
    /// Steadily.
    Linear,
    /// By a factor every few epochs.
    Step,
    /// Not at all.
    Constant,
}

/// The learning rate over a training.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rate {
    /// Its shape.
    pub fall: Fall,
    /// The rate after the warm-up.
    pub start: f64,
    /// The rate at the last step (cosine, linear), or the lowest rate (step).
    pub end: f64,
    /// Steps of warm-up, in which the rate rises from zero.
    pub warmup: u64,
    /// Steps between decays, for the step schedule.
    pub step_every: u64,
    /// The factor of each decay.
    pub step_factor: f64,
}

impl Rate {
    /// The rate at one of `steps` steps.
    #[must_use]
    pub fn at(&self, step: u64, steps: u64) -> f32 {
        if step < self.warmup {
            return (self.start * (step + 1) as f64 / self.warmup as f64) as f32;
        }
        let left = steps.saturating_sub(self.warmup + 1).max(1);
        let done = ((step - self.warmup) as f64 / left as f64).min(1.0);
        let rate = match self.fall {
            Fall::Cosine => self.end + (self.start - self.end) * 0.5 * (1.0 + (std::f64::consts::PI * done).cos()),
            Fall::Linear => self.start + (self.end - self.start) * done,
            Fall::Step => {
                let falls = (step / self.step_every.max(1)).min(1000);
                (self.start * self.step_factor.powi(falls as i32)).max(self.end)
            }
            Fall::Constant => self.start,
        };
        rate as f32
    }
}

/// The weight of the game's result in the target: linear from the first step to the last.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Blend {
    /// At the first step.
    pub start: f64,
    /// At the last.
    pub end: f64,
}

impl Blend {
    /// The weight at one of `steps` steps.
    #[must_use]
    pub fn at(&self, step: u64, steps: u64) -> f32 {
        let done = step as f64 / steps.saturating_sub(1).max(1) as f64;
        (self.start + (self.end - self.start) * done.min(1.0)) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: Rate = Rate { fall: Fall::Cosine, start: 1e-3, end: 1e-5, warmup: 0, step_every: 30, step_factor: 0.1 };

    fn assert_near(found: f32, expected: f64) {
        assert!((f64::from(found) / expected - 1.0).abs() < 1e-4, "{found} instead of {expected}");
    }

    #[test]
    fn cosine_and_line_go_from_start_to_end() {
        for fall in [Fall::Cosine, Fall::Linear] {
            let rate = Rate { fall, ..RATE };
            assert_near(rate.at(0, 101), 1e-3);
            assert_near(rate.at(50, 101), 5.05e-4);
            assert_near(rate.at(100, 101), 1e-5);
            assert_near(rate.at(500, 101), 1e-5);
        }
        // A quarter of the way the cosine is still near the top.
        assert_near(RATE.at(25, 101), 1e-5 + 9.9e-4 * 0.853_553);
    }

    #[test]
    fn steps_fall_and_constants_do_not() {
        let steps = Rate { fall: Fall::Step, ..RATE };
        assert_near(steps.at(29, 1000), 1e-3);
        assert_near(steps.at(30, 1000), 1e-4);
        assert_near(steps.at(999, 1000), 1e-5);
        assert_near(Rate { fall: Fall::Constant, ..RATE }.at(999, 1000), 1e-3);
    }

    #[test]
    fn a_warm_up_climbs_to_the_start() {
        let rate = Rate { warmup: 10, ..RATE };
        assert_near(rate.at(0, 111), 1e-4);
        assert_near(rate.at(9, 111), 1e-3);
        assert_near(rate.at(10, 111), 1e-3);
        assert_near(rate.at(110, 111), 1e-5);
    }

    #[test]
    fn the_blend_is_a_line() {
        let blend = Blend { start: 0.2, end: 0.6 };
        assert_near(blend.at(0, 5), 0.2);
        assert_near(blend.at(2, 5), 0.4);
        assert_near(blend.at(4, 5), 0.6);
        assert_near(blend.at(0, 1), 0.2);
    }
}
