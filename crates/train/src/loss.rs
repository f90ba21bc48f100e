//! What the network is asked to say, and how wrong it is.
//!
//! The network's output is the expected score on a logistic scale. The target lies between the result of the game, which is
//! true but noisy, and the score that a search gave, which is smooth but only as good as the searcher.

use super::sample::Sample;

/// How wrong an output is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Loss {
    /// The exponent of the error. More than 2 forgives small errors and punishes large ones.
    pub power: f32,
    /// Centipawns of a search score that are one unit of the logistic scale.
    pub scale: f32,
}

/// The expected score, from 0 to 1, of a value on the logistic scale.
#[inline]
#[must_use]
pub fn sigmoid(value: f32) -> f32 {
    1.0 / (1.0 + (-value).exp())
}

impl Loss {
    /// What the network should say, if the result of the game has this much weight.
    #[inline]
    #[must_use]
    pub fn target(&self, sample: &Sample, wdl: f32) -> f32 {
        let score = sigmoid(f32::from(sample.score()) / self.scale);
        wdl * sample.result() + (1.0 - wdl) * score
    }

    /// The loss of an output.
    #[inline]
    #[must_use]
    pub fn value(&self, output: f32, target: f32) -> f32 {
        (sigmoid(output) - target).abs().powf(self.power)
    }

    /// The loss of an output, and how fast it grows with the output.
    #[inline]
    #[must_use]
    pub(crate) fn value_and_slope(&self, output: f32, target: f32) -> (f32, f32) {
        let expected = sigmoid(output);
        let error = expected - target;
        let size = error.abs();
        // The usual exponents need no logarithm.
        let lower = if self.power == 2.0 {
            size
        } else if self.power == 2.5 {
            size * size.sqrt()
        } else {
            size.powf(self.power - 1.0)
        };
        (lower * size, self.power * lower.copysign(error) * expected * (1.0 - expected))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slope_is_that_of_the_loss() {
        for power in [2.0, 2.2, 2.5, 3.0] {
            let loss = Loss { power, scale: 400.0 };
            for output in [-3.0_f32, -0.5, 0.0, 0.2, 2.0] {
                for target in [0.0, 0.3, 0.9, 1.0] {
                    let (value, slope) = loss.value_and_slope(output, target);
                    assert!((value - loss.value(output, target)).abs() < 1e-6);
                    let around = [1e-2, -1e-2].map(|step| f64::from(loss.value(output + step, target)));
                    let measured = (around[0] - around[1]) / 2e-2;
                    assert!(
                        (measured - f64::from(slope)).abs() < 2e-4,
                        "{power} {output} {target}: {measured} {slope}"
                    );
                }
            }
        }
    }

    #[test]
    fn targets_lie_between_result_and_score() {
        let loss = Loss { power: 2.5, scale: 400.0 };
        let sample = Sample::new(&chess::Board::start(), 400, 2);
        assert!((loss.target(&sample, 1.0) - 1.0).abs() < 1e-6);
        assert!((loss.target(&sample, 0.0) - 0.731_058_6).abs() < 1e-6);
        assert!((loss.target(&sample, 0.5) - 0.865_529_3).abs() < 1e-6);
    }
}
