//! The dense head: three small layers beside the linear output; [`arch`](crate::arch) defines what they compute.
//!
//! The first layer's weights are stored in bytes, two blocks of inputs at a time with the weights of all neurons; the
//! second layer's by pairs of inputs, because a row of them is one register. A bucket whose last weights are all zero
//! has no head, and costs nothing.

use crate::arch::{self, HEAD_1, HEAD_2, OUTPUT_BUCKETS};
use crate::block::{Block, Bytes, INPUTS, ROW, Row};
use crate::simd;

/// The numbers of a head, quantised, as plain lists; see [`arch`] for shapes and scales.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HeadParts {
    /// By bucket, then neuron, then side to move or other, then neuron of the accumulator.
    pub first_weights: Vec<i16>,
    /// By bucket, then neuron.
    pub first_biases: Vec<i32>,
    /// By bucket, then neuron, then neuron of the first layer, clipped or squared.
    pub second_weights: Vec<i16>,
    /// By bucket, then neuron.
    pub second_biases: Vec<i32>,
    /// By bucket, then neuron of the second layer.
    pub last_weights: Vec<i16>,
}

/// A head that can evaluate.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Head {
    first_weights: Vec<Bytes>,                      // [bucket][two blocks of inputs][neuron]
    first_biases: [[i32; HEAD_1]; OUTPUT_BUCKETS],  // [bucket][neuron]
    second_weights: Vec<Row>,                       // [bucket][pair of inputs][eight neurons]
    second_biases: [[i32; HEAD_2]; OUTPUT_BUCKETS], // [bucket][neuron]
    last_weights: [[i16; HEAD_2]; OUTPUT_BUCKETS],  // [bucket][neuron]
    speaks: [bool; OUTPUT_BUCKETS],                 // whether any of the bucket's last weights counts
}

/// Rows of the second layer in a bucket: as many pairs of inputs as the first layer has neurons.
const SECOND_ROWS: usize = HEAD_1 * (2 * HEAD_2 / ROW);

const _: () = assert!(2 * HEAD_1 == ROW && HEAD_2.is_multiple_of(HEAD_1));

impl Head {
    /// A head of these numbers, whose counts and limits have been checked.
    pub(crate) fn new(parts: &HeadParts) -> Head {
        let inputs = parts.first_weights.len() / (OUTPUT_BUCKETS * HEAD_1);
        Head {
            first_weights: as_bytes(&parts.first_weights, inputs),
            first_biases: rows(&parts.first_biases),
            second_weights: by_pairs(&parts.second_weights, HEAD_2, 2 * HEAD_1),
            second_biases: rows(&parts.second_biases),
            last_weights: rows(&parts.last_weights),
            speaks: rows::<_, HEAD_2, OUTPUT_BUCKETS>(&parts.last_weights).map(|weights| weights != [0; HEAD_2]),
        }
    }

    /// Its numbers as plain lists.
    pub(crate) fn parts(&self) -> HeadParts {
        HeadParts {
            first_weights: self.first_by_neurons(),
            first_biases: self.first_biases.concat(),
            second_weights: by_neurons(&self.second_weights, HEAD_2, 2 * HEAD_1),
            second_biases: self.second_biases.concat(),
            last_weights: self.last_weights.concat(),
        }
    }

    /// The output for the accumulators of the side to move and the other.
    #[inline]
    pub(crate) fn output(&self, own: &[Block], other: &[Block], bucket: usize) -> i32 {
        if !self.speaks[bucket] {
            return 0;
        }
        let count = self.first_weights.len() / OUTPUT_BUCKETS;
        let first = simd::first_layer(own, other, &self.first_weights[bucket * count..][..count]);
        let mut inputs = [0; 2 * HEAD_1];
        for (neuron, (sum, bias)) in first.into_iter().zip(self.first_biases[bucket]).enumerate() {
            [inputs[neuron], inputs[HEAD_1 + neuron]] = arch::first_activations(sum + bias);
        }
        let second = simd::second_layer(&inputs, &self.second_weights[bucket * SECOND_ROWS..][..SECOND_ROWS]);
        let sums = second.iter().zip(&self.second_biases[bucket]).zip(&self.last_weights[bucket]);
        let terms = sums.map(|((sum, bias), &weight)| arch::second_activation(sum + bias) * i32::from(weight));
        arch::head_output(terms.sum())
    }

    /// The weights of the first layer in the order of a file.
    fn first_by_neurons(&self) -> Vec<i16> {
        let mut list = Vec::with_capacity(self.first_weights.len() * INPUTS);
        for bucket in self.first_weights.chunks_exact(self.first_weights.len() / OUTPUT_BUCKETS) {
            for neuron in 0..HEAD_1 {
                let bytes = bucket.iter().skip(neuron).step_by(HEAD_1);
                list.extend(bytes.flat_map(|bytes| simd::in_order(&bytes.0).map(i16::from)));
            }
        }
        list
    }

    /// The output computed number by number, for the squared activations of the side to move and then the other.
    pub(crate) fn output_slowly(&self, squared: &[i16], bucket: usize) -> i32 {
        let parts = self.parts();
        let product = |weights: &[i16], biases: &[i32], inputs: &[i16]| -> Vec<i32> {
            let neurons = biases.len() / OUTPUT_BUCKETS;
            let rows = weights.chunks(inputs.len()).zip(biases).skip(bucket * neurons).take(neurons);
            let term = |(weight, input): (&i16, &i16)| i32::from(*weight) * i32::from(*input);
            rows.map(|(row, bias)| bias + row.iter().zip(inputs).map(term).sum::<i32>()).collect()
        };
        let first = product(&parts.first_weights, &parts.first_biases, squared);
        let first: Vec<[i16; 2]> = first.into_iter().map(arch::first_activations).collect();
        let inputs: Vec<i16> = [0, 1].iter().flat_map(|&way| first.iter().map(move |both| both[way])).collect();
        let second = product(&parts.second_weights, &parts.second_biases, &inputs);
        let last = &parts.last_weights[bucket * HEAD_2..];
        let terms = second.into_iter().zip(last).map(|(sum, &weight)| arch::second_activation(sum) * i32::from(weight));
        arch::head_output(terms.sum())
    }
}

/// A list as rows of fixed length.
fn rows<T: Copy + Default, const LENGTH: usize, const ROWS: usize>(list: &[T]) -> [[T; LENGTH]; ROWS] {
    let mut rows = [[T::default(); LENGTH]; ROWS];
    rows.as_flattened_mut().copy_from_slice(list);
    rows
}

/// The weights of the first layer in the order of the kernel.
fn as_bytes(weights: &[i16], inputs: usize) -> Vec<Bytes> {
    let mut list = Vec::with_capacity(weights.len() / INPUTS);
    for bucket in weights.chunks_exact(HEAD_1 * inputs) {
        for start in (0..inputs).step_by(INPUTS) {
            let rows = bucket.chunks_exact(inputs).filter_map(|row| row[start..].first_chunk::<INPUTS>());
            // The weights have been checked to fit.
            list.extend(rows.map(|row| Bytes(simd::in_order(&row.map(|weight| weight as i8)))));
        }
    }
    list
}

/// The weights of the second layer, by bucket, neuron and input in a file, in the order of the kernel.
fn by_pairs(weights: &[i16], neurons: usize, inputs: usize) -> Vec<Row> {
    let mut list = Vec::with_capacity(weights.len());
    for bucket in weights.chunks_exact(neurons * inputs) {
        for input in (0..inputs).step_by(2) {
            list.extend((0..neurons).flat_map(|neuron| [0, 1].map(|place| bucket[neuron * inputs + input + place])));
        }
    }
    list.as_chunks().0.iter().map(|&row| Row(row)).collect()
}

/// The inverse.
fn by_neurons(rows: &[Row], neurons: usize, inputs: usize) -> Vec<i16> {
    let weights: Vec<i16> = rows.iter().flat_map(|row| row.0).collect();
    let mut list = Vec::with_capacity(weights.len());
    for bucket in weights.chunks_exact(neurons * inputs) {
        for neuron in 0..neurons {
            list.extend((0..inputs).map(|input| bucket[(input / 2 * neurons + neuron) * 2 + input % 2]));
        }
    }
    list
}
