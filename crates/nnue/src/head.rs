//! The dense head: three small layers beside the linear output; [`arch`](crate::arch) defines what they compute.
//!
//! Most squared activations are zero. So the first layer's weights are stored by pairs of inputs, each pair with its
//! weights for all neurons in one block, and pairs that are zero are skipped. The second layer is stored alike.

use crate::arch::{self, HEAD_1, HEAD_2, OUTPUT_BUCKETS};
use crate::block::{Block, LANES};
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
    first_weights: Vec<Block>, // [bucket][pair of inputs][neuron][input of the pair]
    first_biases: [[i32; HEAD_1]; OUTPUT_BUCKETS], // [bucket][neuron]
    second_weights: Vec<Block>, // [bucket][pair of inputs][neuron][input of the pair]
    second_biases: [[i32; HEAD_2]; OUTPUT_BUCKETS], // [bucket][neuron]
    last_weights: [[i16; HEAD_2]; OUTPUT_BUCKETS], // [bucket][neuron]
}

/// The blocks of a pair of inputs in the second layer.
const SECOND_BLOCKS: usize = 2 * HEAD_2 / LANES;

const _: () = assert!(2 * HEAD_1 == LANES && HEAD_2.is_multiple_of(HEAD_1));

impl Head {
    /// A head of these numbers, whose counts and limits have been checked.
    pub(crate) fn new(parts: &HeadParts) -> Head {
        let inputs = parts.first_weights.len() / (OUTPUT_BUCKETS * HEAD_1);
        Head {
            first_weights: by_pairs(&parts.first_weights, HEAD_1, inputs),
            first_biases: rows(&parts.first_biases),
            second_weights: by_pairs(&parts.second_weights, HEAD_2, 2 * HEAD_1),
            second_biases: rows(&parts.second_biases),
            last_weights: rows(&parts.last_weights),
        }
    }

    /// Its numbers as plain lists.
    pub(crate) fn parts(&self) -> HeadParts {
        let inputs = 2 * self.first_weights.len() / OUTPUT_BUCKETS;
        HeadParts {
            first_weights: by_neurons(&self.first_weights, HEAD_1, inputs),
            first_biases: self.first_biases.concat(),
            second_weights: by_neurons(&self.second_weights, HEAD_2, 2 * HEAD_1),
            second_biases: self.second_biases.concat(),
            last_weights: self.last_weights.concat(),
        }
    }

    /// The output for the accumulators of the side to move and the other.
    #[inline]
    pub(crate) fn output(&self, own: &[Block], other: &[Block], bucket: usize) -> i32 {
        let pairs = self.first_weights.len() / OUTPUT_BUCKETS;
        let first = simd::squared_product(own, other, &self.first_weights[bucket * pairs..][..pairs]);
        let mut inputs = Block::ZERO;
        for (neuron, (sum, bias)) in first.into_iter().zip(self.first_biases[bucket]).enumerate() {
            [inputs.0[neuron], inputs.0[HEAD_1 + neuron]] = arch::first_activations(sum + bias);
        }
        let blocks = HEAD_1 * SECOND_BLOCKS;
        let second = simd::product(&inputs, &self.second_weights[bucket * blocks..][..blocks]);
        let sums = second.as_flattened().iter().zip(&self.second_biases[bucket]).zip(&self.last_weights[bucket]);
        let terms = sums.map(|((sum, bias), &weight)| arch::second_activation(sum + bias) * i32::from(weight));
        arch::head_output(terms.sum())
    }

    /// The same, number by number, for the squared activations of the side to move and then the other.
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

/// Weights in the order of a file, by bucket, neuron and input, in the order of the kernels.
fn by_pairs(weights: &[i16], neurons: usize, inputs: usize) -> Vec<Block> {
    let mut list = Vec::with_capacity(weights.len());
    for bucket in weights.chunks_exact(neurons * inputs) {
        for input in (0..inputs).step_by(2) {
            list.extend((0..neurons).flat_map(|neuron| [0, 1].map(|place| bucket[neuron * inputs + input + place])));
        }
    }
    crate::block::pack(&list)
}

/// The inverse.
fn by_neurons(blocks: &[Block], neurons: usize, inputs: usize) -> Vec<i16> {
    let mut list = Vec::with_capacity(blocks.len() * LANES);
    for bucket in crate::block::unpack(blocks).chunks_exact(neurons * inputs) {
        for neuron in 0..neurons {
            list.extend((0..inputs).map(|input| bucket[(input / 2 * neurons + neuron) * 2 + input % 2]));
        }
    }
    list
}
