//! Quantises the network to the integers the engine computes with, and measures what that costs.

use std::sync::Arc;

use anyhow::{Context, Result};
use nnue::arch::{QA, QB, SCALE};
use nnue::{Accumulators, Network, Parts};

use super::dense;
use super::net::{Head, Net, to_grid};
use super::pass::Pass;
use super::sample::Sample;

/// How far the quantised network is from the floats, in centipawns.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct Rounding {
    /// On average.
    pub mean: f64,
    /// At most.
    pub max: f64,
    /// The number of positions compared.
    pub positions: usize,
}

/// The quantised network.
pub(crate) fn quantise(net: &Net, description: &str) -> Result<Network> {
    let shape = net.shape();
    let round = |range: std::ops::Range<usize>, one: i32| {
        net.values[range].iter().map(move |&number| to_grid(number, one as f32))
    };
    let short = |range, one| round(range, one).map(|number| number as i16).collect();
    let network = match shape.head() {
        Head::Linear => Network::new(
            description,
            Parts {
                hidden: shape.hidden(),
                feature_weights: short(shape.feature_weights(), QA),
                feature_biases: short(shape.feature_biases(), QA),
                output_weights: short(shape.output_weights(), QB),
                output_biases: round(shape.output_biases(), QA * QB).map(|number| number as i32).collect(),
            },
        ),
        Head::Dense => {
            let (weights, biases) = (short(shape.feature_weights(), QA), short(shape.feature_biases(), QA));
            Network::with_dense(description, weights, biases, dense::quantised(net))
        }
    };
    network.context("the trained network does not fit the engine's integers")
}

/// The mean absolute value of a network's evaluations.
#[must_use]
pub(crate) fn mean_size(network: &Arc<Network>, samples: &[Sample]) -> f64 {
    let mut accumulators = Accumulators::new(Arc::clone(network), 1);
    let boards = samples.iter().filter_map(|sample| sample.board().ok());
    let sizes = boards.map(|board| {
        accumulators.reset(&board);
        f64::from(accumulators.evaluate(&board, 0).abs())
    });
    sizes.sum::<f64>() / samples.len() as f64
}

/// Compares the engine's evaluation, by its own kernels, with that of the trained floats.
#[must_use]
pub(crate) fn rounding(net: &Net, network: &Arc<Network>, samples: &[Sample]) -> Rounding {
    let mut accumulators = Accumulators::new(Arc::clone(network), 1);
    let mut rounding = Rounding::default();
    let mut sum = 0.0;
    Pass::new(net.shape()).evaluate(net, samples.iter().copied(), |sample, output| {
        // A sample comes from a legal board, so this does not fail; an illegal board could not be compared anyway.
        let Ok(board) = sample.board() else { return };
        accumulators.reset(&board);
        let error = (f64::from(output) * f64::from(SCALE) - f64::from(accumulators.evaluate(&board, 0))).abs();
        sum += error;
        rounding.max = rounding.max.max(error);
        rounding.positions += 1;
    });
    rounding.mean = sum / rounding.positions.max(1) as f64;
    rounding
}
