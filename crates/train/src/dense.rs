//! The dense layers in training: forward, backward, and to and from the engine's network.

use nnue::arch::{DENSE_1, DENSE_1_OUT, DENSE_2, DENSE_2_OUT, OUTPUT_BUCKETS, QA, QD, QX, RELATED};
use nnue::relations::{Pieces, Relations};
use nnue::{Dense, Network};

use super::kernel::{self, Tile};
use super::net::{Net, Shape, TILE};
use super::sample::Sample;

/// The numbers of the dense layers for one position.
#[derive(Clone, Debug)]
pub(crate) struct Layers {
    /// The products of pairs of neurons, side to move first.
    products: Vec<f32>,
    /// Their gradients.
    slopes: Vec<f32>,
    /// The weights of the first layer, `[bucket][output][input]`, so that gradients run along the inputs.
    across: Vec<f32>,
    /// The gradient of these weights, in the same order.
    across_slopes: Vec<f32>,
    first: [f32; DENSE_1],
    first_out: [f32; DENSE_1_OUT],
    second: [f32; DENSE_2],
}

/// The parts of a network that one bucket uses.
struct Bucket<'a> {
    weights_1: &'a [[f32; DENSE_1]],
    biases_1: &'a [f32],
    weights_2: &'a [[f32; DENSE_2]],
    biases_2: &'a [f32],
    weights_3: &'a [f32],
    bias_3: f32,
}

impl<'a> Bucket<'a> {
    fn of(shape: Shape, values: &'a [f32], bucket: usize) -> Bucket<'a> {
        let part = |range: std::ops::Range<usize>| {
            let length = range.len() / OUTPUT_BUCKETS;
            &values[range.start + bucket * length..][..length]
        };
        Bucket {
            weights_1: part(shape.dense_weights(0)).as_chunks().0,
            biases_1: part(shape.dense_biases(0)),
            weights_2: part(shape.dense_weights(1)).as_chunks().0,
            biases_2: part(shape.dense_biases(1)),
            weights_3: part(shape.dense_weights(2)),
            bias_3: part(shape.dense_biases(2))[0],
        }
    }
}

impl Layers {
    pub(crate) fn new(hidden: usize) -> Layers {
        Layers {
            products: vec![0.0; hidden],
            slopes: vec![0.0; hidden],
            across: Vec::new(),
            across_slopes: Vec::new(),
            first: [0.0; DENSE_1],
            first_out: [0.0; DENSE_1_OUT],
            second: [0.0; DENSE_2],
        }
    }

    /// The output, on the logistic scale, of the neurons of a position: `neurons(tile, side)`.
    pub(crate) fn forward<'a>(&mut self, net: &Net, bucket: usize, neurons: impl Fn(usize, usize) -> &'a Tile) -> f32 {
        let shape = net.shape();
        let half = shape.tiles() / 2;
        for side in 0..2 {
            for tile in 0..half {
                let (a, b) = (neurons(tile, side), neurons(tile + half, side));
                let products = &mut self.products[(side * half + tile) * TILE..][..TILE];
                for ((product, a), b) in products.iter_mut().zip(a).zip(b) {
                    *product = a.clamp(0.0, 1.0) * b.clamp(0.0, 1.0);
                }
            }
        }
        let layers = Bucket::of(shape, &net.values, bucket);
        self.first.copy_from_slice(layers.biases_1);
        // Four sums, so that none waits for another.
        let mut parts = [[0.0; DENSE_1]; 4];
        let (products, rows) = (self.products.as_chunks::<4>().0, layers.weights_1.as_chunks::<4>().0);
        for (products, rows) in products.iter().zip(rows) {
            for ((part, product), row) in parts.iter_mut().zip(products).zip(rows) {
                part.iter_mut().zip(row).for_each(|(sum, weight)| *sum += product * weight);
            }
        }
        for part in parts {
            self.first.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
        }
        for (index, &number) in self.first.iter().enumerate() {
            self.first_out[index] = (number * number).min(1.0);
            self.first_out[DENSE_1 + index] = number.clamp(0.0, 1.0);
        }
        self.second.copy_from_slice(layers.biases_2);
        for (&number, weights) in self.first_out.iter().zip(layers.weights_2) {
            self.second.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += number * weight);
        }
        let (from_second, from_first) = layers.weights_3.split_at(DENSE_2);
        let second = self.second.iter().zip(from_second).map(|(number, weight)| number.clamp(0.0, 1.0) * weight);
        let first = self.first.iter().zip(from_first).map(|(number, weight)| number * weight);
        layers.bias_3 + second.sum::<f32>() + first.sum::<f32>()
    }

    /// Backpropagates the gradient of the output that [`forward`](Self::forward) has just computed: adds to the gradient
    /// of the layers, and replaces the neurons, `neurons(tile, side)`, by their own gradients.
    pub(crate) fn backward(
        &mut self,
        net: &Net,
        bucket: usize,
        slope: f32,
        gradient: &mut [f32],
        neurons: &mut [Tile],
        place: impl Fn(usize, usize) -> usize,
    ) {
        let shape = net.shape();
        let layers = Bucket::of(shape, &net.values, bucket);
        let start = |range: std::ops::Range<usize>| range.start + bucket * range.len() / OUTPUT_BUCKETS;
        let (from_second, from_first) = layers.weights_3.split_at(DENSE_2);
        // The last layer.
        gradient[start(shape.dense_biases(2))] += slope;
        let slopes_3 = &mut gradient[start(shape.dense_weights(2))..][..DENSE_2_OUT];
        for (sum, number) in slopes_3.iter_mut().zip(self.second.iter().map(|number| number.clamp(0.0, 1.0))) {
            *sum += slope * number;
        }
        slopes_3[DENSE_2..].iter_mut().zip(&self.first).for_each(|(sum, number)| *sum += slope * number);
        // The second layer.
        let mut second = [0.0; DENSE_2];
        for ((second, &number), &weight) in second.iter_mut().zip(&self.second).zip(from_second) {
            *second = if number > 0.0 && number < 1.0 { slope * weight } else { 0.0 };
        }
        let slopes = &mut gradient[start(shape.dense_biases(1))..][..DENSE_2];
        slopes.iter_mut().zip(&second).for_each(|(sum, slope)| *sum += slope);
        let rows = gradient[start(shape.dense_weights(1))..][..DENSE_1_OUT * DENSE_2].as_chunks_mut::<DENSE_2>().0;
        let mut first_out = [0.0; DENSE_1_OUT];
        for (index, (row, weights)) in rows.iter_mut().zip(layers.weights_2).enumerate() {
            let number = self.first_out[index];
            let (weights, slopes) = (weights.as_chunks::<DENSE_1>().0, second.as_chunks::<DENSE_1>().0);
            let mut sums = [0.0; DENSE_1];
            for ((row, weights), slopes) in row.as_chunks_mut::<DENSE_1>().0.iter_mut().zip(weights).zip(slopes) {
                for lane in 0..DENSE_1 {
                    row[lane] += slopes[lane] * number;
                    sums[lane] += slopes[lane] * weights[lane];
                }
            }
            first_out[index] = total(sums);
        }
        // The first layer.
        let mut first = [0.0; DENSE_1];
        for (index, slope_of) in first.iter_mut().enumerate() {
            let number = self.first[index];
            let squared = if number.abs() < 1.0 { 2.0 * number * first_out[index] } else { 0.0 };
            let clipped = if number > 0.0 && number < 1.0 { first_out[DENSE_1 + index] } else { 0.0 };
            *slope_of = squared + clipped + slope * from_first[index];
        }
        let slopes = &mut gradient[start(shape.dense_biases(0))..][..DENSE_1];
        slopes.iter_mut().zip(&first).for_each(|(sum, slope)| *sum += slope);
        let inputs = shape.hidden();
        let part = bucket * inputs * DENSE_1..(bucket + 1) * inputs * DENSE_1;
        let across = self.across[part.clone()].chunks_exact(inputs);
        let across_slopes = self.across_slopes[part].chunks_exact_mut(inputs);
        self.slopes.fill(0.0);
        for ((slope, weights), sums) in first.into_iter().zip(across).zip(across_slopes) {
            sums.iter_mut().zip(&self.products).for_each(|(sum, product)| *sum += slope * product);
            self.slopes.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += slope * weight);
        }
        // The neurons.
        let half = shape.tiles() / 2;
        for side in 0..2 {
            for tile in 0..half {
                let slopes: &Tile = &kernel::tiles(&self.slopes)[side * half + tile];
                let [a, b] = [place(tile, side), place(tile + half, side)];
                (neurons[a], neurons[b]) = factors(slopes, &neurons[a], &neurons[b]);
            }
        }
    }

    /// Prepares for [`backward`](Self::backward) with the weights of this network.
    pub(crate) fn prepare(&mut self, net: &Net) {
        let (weights, inputs) = (&net.values[net.shape().dense_weights(0)], net.shape().hidden());
        self.across.resize(weights.len(), 0.0);
        self.across_slopes.clear();
        self.across_slopes.resize(weights.len(), 0.0);
        for (place, &weight) in weights.iter().enumerate() {
            self.across[across(place, inputs)] = weight;
        }
    }

    /// Adds what [`backward`](Self::backward) has kept back since [`prepare`](Self::prepare) to the gradient.
    pub(crate) fn finish(&mut self, shape: Shape, gradient: &mut [f32]) {
        for (place, sum) in gradient[shape.dense_weights(0)].iter_mut().enumerate() {
            *sum += self.across_slopes[across(place, shape.hidden())];
        }
    }
}

/// Where a weight of the first layer stands if each bucket is ordered by output and then by input.
#[inline]
fn across(place: usize, inputs: usize) -> usize {
    let (bucket, inside) = (place / (inputs * DENSE_1), place % (inputs * DENSE_1));
    bucket * inputs * DENSE_1 + inside % DENSE_1 * inputs + inside / DENSE_1
}

/// The gradients of two tiles of neurons, of those of their products.
#[inline]
fn factors(slopes: &Tile, left: &Tile, right: &Tile) -> (Tile, Tile) {
    let (mut a, mut b) = ([0.0; TILE], [0.0; TILE]);
    for lane in 0..TILE {
        let (l, r) = (left[lane], right[lane]);
        // At zero and below, the other neuron's gradient vanishes with the product, and so does this one's.
        let slope = if l > 0.0 && r > 0.0 { slopes[lane] } else { 0.0 };
        a[lane] = if l < 1.0 { slope * r.min(1.0) } else { 0.0 };
        b[lane] = if r < 1.0 { slope * l.min(1.0) } else { 0.0 };
    }
    (a, b)
}

/// The sum of all lanes, in an order that vectors like.
#[inline]
fn total(lanes: [f32; DENSE_1]) -> f32 {
    let eight: [f32; 8] = std::array::from_fn(|lane| lanes[lane] + lanes[lane + 8]);
    let four: [f32; 4] = std::array::from_fn(|lane| eight[lane] + eight[lane + 4]);
    (four[0] + four[2]) + (four[1] + four[3])
}

/// The relations of a position, as rows of the relations' weights for the side to move: `relation * 2 + owner`. The other
/// view's row is the neighbour.
pub(crate) fn relation_rows(sample: &Sample, rows: &mut Vec<u16>) {
    rows.extend_from_slice(Relations::of(&Pieces::new(sample.pieces())).packed());
}

/// Adds the weights of the relations to a view's neurons.
pub(crate) fn add_relations(weights: &[f32], rows: &[u16], side: u16, neurons: &mut Tile) {
    let weights = weights.as_chunks::<RELATED>().0;
    for &row in rows {
        let weights = &weights[usize::from(row ^ side)];
        neurons.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight);
    }
}

/// Adds the gradients of a view's neurons to those of its relations.
pub(crate) fn relations_backward(gradient: &mut [f32], rows: &[u16], side: u16, neurons: &Tile) {
    let gradient = gradient.as_chunks_mut::<RELATED>().0;
    for &row in rows {
        gradient[usize::from(row ^ side)].iter_mut().zip(neurons).for_each(|(sum, slope)| *sum += slope);
    }
}

/// The tile with the neurons that read the relations.
pub(crate) const RELATED_TILE: usize = 0;

/// A copy of an engine's network, which may have fewer neurons. The added neurons are random, and nothing reads their
/// products yet, so the evaluation stays the same. None if the network is larger, or of another kind.
pub(crate) fn grown(shape: Shape, network: &Network, seed: u64) -> Option<Net> {
    let (old, new, dense) = (network.hidden(), shape.hidden(), network.dense()?);
    if old > new {
        return None;
    }
    let mut net = Net::random(shape, seed);
    let small =
        |numbers: &[i16], one: i32| numbers.iter().map(|&number| f32::from(number) / one as f32).collect::<Vec<f32>>();
    // Neurons are multiplied in pairs, one of each half: both halves grow.
    let widen = |halves: &mut [f32], known: &[f32], size: usize| {
        let (known, halves) = (known.chunks_exact(old / 2 * size), halves.chunks_exact_mut(new / 2 * size));
        halves.zip(known).for_each(|(half, known)| half[..known.len()].copy_from_slice(known));
    };
    widen(&mut net.values[shape.feature_weights()], &small(&network.feature_weights(), QA), 1);
    widen(&mut net.values[shape.feature_biases()], &small(&network.feature_biases(), QA), 1);
    net.values[shape.dense_weights(0)].fill(0.0);
    widen(&mut net.values[shape.dense_weights(0)], &small(&dense.weights_1, QD), DENSE_1);
    let biases_1: Vec<f32> = dense.biases_1.into_iter().map(|number| number as f32 / (QX * QD) as f32).collect();
    let mut fill = |range: std::ops::Range<usize>, numbers: &[f32]| net.values[range].copy_from_slice(numbers);
    fill(shape.relation_weights(), &small(&dense.relations, QA));
    fill(shape.dense_biases(0), &biases_1);
    fill(shape.dense_weights(1), &dense.weights_2);
    fill(shape.dense_biases(1), &dense.biases_2);
    fill(shape.dense_weights(2), &dense.weights_3);
    fill(shape.dense_biases(2), &dense.biases_3);
    Some(net)
}

/// The engine's dense layers of a trained network.
pub(crate) fn quantised(net: &Net) -> Dense {
    let shape = net.shape();
    let part = |range: std::ops::Range<usize>| net.values[range].to_vec();
    let small = |range: std::ops::Range<usize>, one: i32| {
        net.values[range].iter().map(|&number| super::net::to_grid(number, one as f32) as i16).collect()
    };
    let biases_1 = net.values[shape.dense_biases(0)].iter();
    Dense {
        relations: small(shape.relation_weights(), QA),
        weights_1: small(shape.dense_weights(0), QD),
        biases_1: biases_1.map(|&number| super::net::to_grid(number, (QX * QD) as f32) as i32).collect(),
        weights_2: part(shape.dense_weights(1)),
        biases_2: part(shape.dense_biases(1)),
        weights_3: part(shape.dense_weights(2)),
        biases_3: part(shape.dense_biases(2)),
    }
}

const _: () = assert!(RELATED <= TILE && kernel::LANES == DENSE_1);
