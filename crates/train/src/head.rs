//! The small layers of the dense head, forward and backward, for one position at a time.

use nnue::arch::{HEAD_1, HEAD_2};

use super::net::Net;

/// The head's neurons of one position, and on the way back their gradients.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Inner {
    /// The sums of the first layer.
    pub first: [f32; HEAD_1],
    /// The sums of the second layer.
    second: [f32; HEAD_2],
}

/// What the second layer sees of the first: every neuron clipped, then every neuron squared.
fn seen(first: &[f32; HEAD_1]) -> [f32; 2 * HEAD_1] {
    let mut both = [0.0; 2 * HEAD_1];
    for (neuron, &sum) in first.iter().enumerate() {
        both[neuron] = sum.clamp(0.0, 1.0);
        both[HEAD_1 + neuron] = sum.clamp(-1.0, 1.0).powi(2);
    }
    both
}

/// The head's part of the output; the sums of the first layer are known.
pub(crate) fn forward(inner: &mut Inner, net: &Net, bucket: usize) -> f32 {
    let shape = net.shape();
    let inputs = seen(&inner.first);
    let (rows, _) = net.values[shape.second_weights()].as_chunks::<{ 2 * HEAD_1 }>();
    let biases = &net.values[shape.second_biases()][bucket * HEAD_2..][..HEAD_2];
    let last = &net.values[shape.last_weights()][bucket * HEAD_2..][..HEAD_2];
    let mut output = 0.0;
    for (neuron, row) in rows[bucket * HEAD_2..][..HEAD_2].iter().enumerate() {
        let sum = biases[neuron] + row.iter().zip(&inputs).map(|(weight, input)| weight * input).sum::<f32>();
        inner.second[neuron] = sum;
        output += last[neuron] * sum.clamp(0.0, 1.0);
    }
    output
}

/// Adds the gradients of the small layers and replaces the sums of the first by their gradients.
pub(crate) fn backward(inner: &mut Inner, net: &Net, bucket: usize, slope: f32, gradient: &mut [f32]) {
    let shape = net.shape();
    let inputs = seen(&inner.first);
    let (rows, _) = net.values[shape.second_weights()].as_chunks::<{ 2 * HEAD_1 }>();
    let mut slopes = [0.0; 2 * HEAD_1];
    for neuron in 0..HEAD_2 {
        let (at, sum) = (bucket * HEAD_2 + neuron, inner.second[neuron]);
        gradient[shape.last_weights()][at] += slope * sum.clamp(0.0, 1.0);
        if sum <= 0.0 || sum >= 1.0 {
            continue;
        }
        let slope = slope * net.values[shape.last_weights()][at];
        gradient[shape.second_biases()][at] += slope;
        let changes = &mut gradient[shape.second_weights()].as_chunks_mut::<{ 2 * HEAD_1 }>().0[at];
        for place in 0..2 * HEAD_1 {
            changes[place] += slope * inputs[place];
            slopes[place] += slope * rows[at][place];
        }
    }
    for (neuron, sum) in inner.first.iter_mut().enumerate() {
        let clipped = if *sum > 0.0 && *sum < 1.0 { slopes[neuron] } else { 0.0 };
        let squared = if *sum > -1.0 && *sum < 1.0 { 2.0 * *sum * slopes[HEAD_1 + neuron] } else { 0.0 };
        *sum = clipped + squared;
        gradient[shape.first_biases()][bucket * HEAD_1 + neuron] += *sum;
    }
}
