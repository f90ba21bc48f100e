//! The training target and the loss.
//!
//! The network's output is the expected score on a logistic scale. The target blends the result of the game, which is
//! true but noisy, with the score of a search, which is smooth but only as good as the search.

use super::sample::Sample;

/// The loss function.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Loss {
    /// The exponent of the error. Above 2 it forgives small errors and punishes large ones.
    pub power: f32,
    /// How many centipawns of a search score make one unit of the logistic scale.
    pub scale: f32,
}

/// The expected score, from 0 to 1, of a value on the logistic scale.
#[inline]
#[must_use]
pub fn sigmoid(value: f32) -> f32 {
    1.0 / (1.0 + (-value).exp())
}

impl Loss {
    /// The target for a given weight of the game's result.
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

    /// The loss of an output and its derivative.
    #[inline]
    #[must_use]
    pub(crate) fn value_and_slope(&self, output: f32, target: f32) -> (f32, f32) {
        let expected = sigmoid(output);
        let error = expected - target;
        let size = error.abs();
        // The usual exponents need no power function.
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
