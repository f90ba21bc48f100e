//! A narrower network from a wider one: it keeps the neurons that matter most.
//!
//! What a neuron adds to the value matters only as far as it varies from position to position. So a neuron's worth is
//! the variance of its activation times the mean square of its output weights. What the others added on average goes
//! into the output biases; training makes up for the rest.

use nnue::arch::OUTPUT_BUCKETS;

use super::net::{Net, Shape};
use super::sample::Sample;

/// How many positions decide.
const SHOWN: usize = 4096;

/// The network with only as many neurons as the shape has. Its head starts anew.
pub(crate) fn pruned(wide: &Net, shape: Shape, samples: &[Sample], seed: u64) -> Net {
    let (old, new) = (wide.shape().hidden(), shape.hidden());
    let activations = Activations::of(wide, &samples[..samples.len().min(SHOWN)]);
    let outputs = &wide.values[wide.shape().output_weights()];
    let worth = |neuron: usize| {
        let weights = outputs.iter().skip(neuron).step_by(old);
        activations.variance(neuron) * weights.map(|&weight| f64::from(weight).powi(2)).sum::<f64>()
    };
    let mut order: Vec<usize> = (0..old).collect();
    order.sort_by(|&one, &other| worth(other).total_cmp(&worth(one)));
    let (kept, dropped) = order.split_at(new);
    let mut kept = kept.to_vec();
    kept.sort_unstable();

    let mut net = Net::random(shape, seed);
    let ranges = [
        (shape.feature_weights(), wide.shape().feature_weights()),
        (shape.feature_biases(), wide.shape().feature_biases()),
        (shape.output_weights(), wide.shape().output_weights()),
    ];
    for (to, from) in ranges {
        for (row, wide) in net.values[to].chunks_exact_mut(new).zip(wide.values[from].chunks_exact(old)) {
            row.iter_mut().zip(&kept).for_each(|(number, &neuron)| *number = wide[neuron]);
        }
    }
    for bucket in 0..OUTPUT_BUCKETS {
        let sides = outputs[bucket * 2 * old..][..2 * old].chunks_exact(old);
        let lost =
            sides.flat_map(|side| dropped.iter().map(|&neuron| f64::from(side[neuron]) * activations.mean(neuron)));
        let bias = wide.values[wide.shape().output_biases()][bucket] + lost.sum::<f64>() as f32;
        net.values[shape.output_biases()][bucket] = bias;
    }
    net
}

/// Sums over the views of some positions. `[neuron]`
struct Activations {
    count: f64,
    sums: Vec<f64>,
    squares: Vec<f64>,
}

impl Activations {
    fn of(net: &Net, samples: &[Sample]) -> Activations {
        let (shape, hidden) = (net.shape(), net.shape().hidden());
        let mut found = Activations { count: 0.0, sums: vec![0.0; hidden], squares: vec![0.0; hidden] };
        for sample in samples {
            let (mut own, mut other) = (Vec::new(), Vec::new());
            sample.features(&mut own, &mut other);
            for features in [own, other] {
                let mut neurons = net.values[shape.feature_biases()].to_vec();
                for feature in features {
                    let row = &net.values[shape.feature_weights()][usize::from(feature) * hidden..];
                    neurons.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
                }
                found.count += 1.0;
                for (neuron, sum) in neurons.into_iter().enumerate() {
                    let active = f64::from(sum.clamp(0.0, 1.0)).powi(2);
                    found.sums[neuron] += active;
                    found.squares[neuron] += active * active;
                }
            }
        }
        found
    }

    fn mean(&self, neuron: usize) -> f64 {
        self.sums[neuron] / self.count.max(1.0)
    }

    fn variance(&self, neuron: usize) -> f64 {
        self.squares[neuron] / self.count.max(1.0) - self.mean(neuron).powi(2)
    }
}

#[cfg(test)]
mod tests {
    use nnue::Network;

    use super::*;
    use crate::export::quantise;

    #[test]
    fn neurons_that_say_nothing_are_left_out_and_no_value_changes() {
        let [narrow, wide] = [128, 256].map(|hidden| Shape::new(hidden).expect("a size"));
        let old = Network::random(128, 7).expect("a network");
        let old = Network::new("", nnue::Parts { head: None, ..old.parts() }).expect("without a head");
        // The neurons added say nothing, and one of them is always active: a constant.
        let mut grown = Net::grown(wide, &old, 8).expect("no smaller");
        grown.values[wide.feature_weights()].iter_mut().skip(200).step_by(256).for_each(|weight| *weight = 0.0);
        grown.values[wide.feature_biases()][200] = 1.5;
        grown.values[wide.output_weights()].iter_mut().skip(200).step_by(256).for_each(|weight| *weight = 0.25);
        let mut board = chess::Board::start();
        let mut rng = toolkit::Rng::new(5);
        let mut boards = Vec::new();
        for _ in 0..60 {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            board.play(moves[rng.below(moves.len())]);
            boards.push(board);
        }
        let samples: Vec<Sample> = boards.iter().map(|board| Sample::new(board, 0, 1)).collect();
        let pruned = quantise(&pruned(&grown, narrow, &samples, 9), "").expect("in range");
        for board in &boards {
            // Twice a quarter, once for each side.
            assert!((pruned.evaluate(board) - old.evaluate(board) - 200).abs() <= 1, "{board}");
        }
    }
}
