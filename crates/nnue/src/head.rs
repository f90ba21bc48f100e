//! The dense head: three small layers beside the linear output; [`arch`](crate::arch) defines what they compute.
//!
//! The first layer's weights are stored block by block, those of all neurons together, because the kernel goes once over
//! the accumulators; the second layer's by pairs of inputs, because a row of them is one register.

use crate::arch::{self, HEAD_1, HEAD_2, OUTPUT_BUCKETS};
use crate::block::{Block, LANES, ROW, Row};
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
    first_weights: Vec<Block>,                      // [bucket][block of inputs][neuron]
    first_biases: [[i32; HEAD_1]; OUTPUT_BUCKETS],  // [bucket][neuron]
    second_weights: Vec<Row>,                       // [bucket][pair of inputs][eight neurons]
    second_biases: [[i32; HEAD_2]; OUTPUT_BUCKETS], // [bucket][neuron]
    last_weights: [[i16; HEAD_2]; OUTPUT_BUCKETS],  // [bucket][neuron]
}

/// Rows of the second layer in a bucket: as many pairs of inputs as the first layer has neurons.
const SECOND_ROWS: usize = HEAD_1 * (2 * HEAD_2 / ROW);

const _: () = assert!(2 * HEAD_1 == ROW && HEAD_2.is_multiple_of(HEAD_1));

impl Head {
    /// A head of these numbers, whose counts and limits have been checked.
    pub(crate) fn new(parts: &HeadParts) -> Head {
        let inputs = parts.first_weights.len() / (OUTPUT_BUCKETS * HEAD_1);
        Head {
            first_weights: by_blocks(&parts.first_weights, inputs),
            first_biases: rows(&parts.first_biases),
            second_weights: by_pairs(&parts.second_weights, HEAD_2, 2 * HEAD_1),
            second_biases: rows(&parts.second_biases),
            last_weights: rows(&parts.last_weights),
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

    /// The weights of the first layer in a bucket, as the kernel takes them.
    #[inline]
    pub(crate) fn first(&self, bucket: usize) -> &[Block] {
        let blocks = self.first_weights.len() / OUTPUT_BUCKETS;
        &self.first_weights[bucket * blocks..][..blocks]
    }

    /// The output for the sums of the first layer without their biases.
    #[inline]
    pub(crate) fn output(&self, first: [i32; HEAD_1], bucket: usize) -> i32 {
        let mut inputs = [0; 2 * HEAD_1];
        for (neuron, (sum, bias)) in first.into_iter().zip(self.first_biases[bucket]).enumerate() {
            [inputs[neuron], inputs[HEAD_1 + neuron]] = arch::first_activations(sum + bias);
        }
        let second = simd::product(&inputs, &self.second_weights[bucket * SECOND_ROWS..][..SECOND_ROWS]);
        let sums = second.as_flattened().iter().zip(&self.second_biases[bucket]).zip(&self.last_weights[bucket]);
        let terms = sums.map(|((sum, bias), &weight)| arch::second_activation(sum + bias) * i32::from(weight));
        arch::head_output(terms.sum())
    }

    /// The weights of the first layer in the order of a file.
    fn first_by_neurons(&self) -> Vec<i16> {
        let mut list = Vec::with_capacity(self.first_weights.len() * LANES);
        for bucket in self.first_weights.chunks_exact(self.first_weights.len() / OUTPUT_BUCKETS) {
            for neuron in 0..HEAD_1 {
                list.extend(bucket.iter().skip(neuron).step_by(HEAD_1).flat_map(|block| block.0));
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
fn by_blocks(weights: &[i16], inputs: usize) -> Vec<Block> {
    let mut blocks = Vec::with_capacity(weights.len() / LANES);
    for bucket in weights.chunks_exact(HEAD_1 * inputs) {
        for start in (0..inputs).step_by(LANES) {
            let rows = bucket.chunks_exact(inputs).filter_map(|row| row[start..].first_chunk());
            blocks.extend(rows.map(|&block| Block(block)));
        }
    }
    blocks
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
