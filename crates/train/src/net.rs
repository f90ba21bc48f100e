//! The network during training: all weights and biases in one list of floats, so that the optimiser and the checkpoints
//! need not know its structure.

use std::ops::Range;

use anyhow::{Result, bail};
use nnue::Network;
use nnue::arch::{
    DENSE_1, DENSE_1_OUT, DENSE_2, DENSE_2_OUT, FEATURES, HIDDEN_SIZES, MAX_RELATION_WEIGHT, OUTPUT_BUCKETS, QA, QB,
    QD, QX, RELATED, WEIGHT_CLIP,
};
use nnue::relations::RELATIONS;

use super::aligned::Aligned;
use toolkit::Rng;

/// Neurons that are computed together: as many floats as fit into eight 256-bit registers.
pub(crate) const TILE: usize = 64;

/// The size of the network and the layout of its numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    hidden: usize,
    head: Head,
}

/// What comes after the accumulators.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Head {
    /// One weighted sum of squared activations.
    #[default]
    Linear,
    /// Relations, products of neurons, and dense layers.
    Dense,
}

/// A part of the network whose numbers are treated alike.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Group {
    /// Its place in the list.
    pub range: Range<usize>,
    /// Whether weight decay applies. It does not apply to biases.
    pub decays: bool,
    /// The largest absolute value allowed.
    pub limit: f32,
    /// The engine's integer for 1.0; zero if the engine computes in floats.
    pub grid: f32,
}

impl Shape {
    /// A network with this many neurons for each side.
    pub fn new(hidden: usize, head: Head) -> Result<Shape> {
        if !HIDDEN_SIZES.contains(&hidden) {
            bail!("the engine cannot run {hidden} hidden neurons, only {HIDDEN_SIZES:?}");
        }
        Ok(Shape { hidden, head })
    }

    /// The smallest possible networks, for tests.
    #[cfg(test)]
    pub(crate) fn tiny(head: Head) -> Shape {
        Shape { hidden: if head == Head::Linear { TILE } else { 2 * TILE }, head }
    }

    /// What comes after the accumulators.
    #[must_use]
    pub fn head(&self) -> Head {
        self.head
    }

    /// Neurons for each side.
    #[must_use]
    pub fn hidden(&self) -> usize {
        self.hidden
    }

    /// Tiles for each side.
    #[must_use]
    pub(crate) fn tiles(&self) -> usize {
        self.hidden / TILE
    }

    /// Weights of the first layer. `[feature][neuron]`
    #[must_use]
    pub(crate) fn feature_weights(&self) -> Range<usize> {
        0..FEATURES * self.hidden
    }

    /// Biases of the first layer. `[neuron]`
    #[must_use]
    pub(crate) fn feature_biases(&self) -> Range<usize> {
        let start = self.feature_weights().end;
        start..start + self.hidden
    }

    /// Weights of the second layer of a linear head. `[bucket][side to move, other side][neuron]`
    #[must_use]
    pub(crate) fn output_weights(&self) -> Range<usize> {
        after(self.feature_biases(), OUTPUT_BUCKETS * 2 * self.hidden)
    }

    /// Biases of the second layer of a linear head. `[bucket]`
    #[must_use]
    pub(crate) fn output_biases(&self) -> Range<usize> {
        after(self.output_weights(), OUTPUT_BUCKETS)
    }

    /// Weights of the relations. `[relation][own, other][neuron]`
    #[must_use]
    pub(crate) fn relation_weights(&self) -> Range<usize> {
        after(self.feature_biases(), RELATIONS * 2 * RELATED)
    }

    /// The weights of the dense layers, `[bucket][input][output]`, each followed by its biases, `[bucket][output]`.
    #[must_use]
    pub(crate) fn dense_weights(&self, layer: usize) -> Range<usize> {
        let start = if layer == 0 { self.relation_weights() } else { self.dense_biases(layer - 1) };
        let inputs = [self.hidden, DENSE_1_OUT, DENSE_2_OUT][layer];
        after(start, OUTPUT_BUCKETS * inputs * DENSE_OUTPUTS[layer])
    }

    /// The biases of a dense layer. `[bucket][output]`
    #[must_use]
    pub(crate) fn dense_biases(&self, layer: usize) -> Range<usize> {
        after(self.dense_weights(layer), OUTPUT_BUCKETS * DENSE_OUTPUTS[layer])
    }

    /// How many numbers there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match self.head {
            Head::Linear => self.output_biases().end,
            Head::Dense => self.dense_biases(2).end,
        }
    }

    /// Never true; it goes with `len`.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All parts, in the order of the list.
    #[must_use]
    pub(crate) fn groups(&self) -> Vec<Group> {
        let group = |range, decays, limit, grid: i32| Group { range, decays, limit, grid: grid as f32 };
        let mut groups = vec![
            group(self.feature_weights(), true, WEIGHT_CLIP, QA),
            group(self.feature_biases(), false, WEIGHT_CLIP, QA),
        ];
        match self.head {
            Head::Linear => groups.extend([
                group(self.output_weights(), true, WEIGHT_CLIP, QB),
                group(self.output_biases(), false, f32::INFINITY, QA * QB),
            ]),
            Head::Dense => groups.extend([
                group(self.relation_weights(), true, f32::from(MAX_RELATION_WEIGHT) / QA as f32, QA),
                group(self.dense_weights(0), true, WEIGHT_CLIP, QD),
                group(self.dense_biases(0), false, 100.0, QX * QD),
                group(self.dense_weights(1), true, 100.0, 0),
                group(self.dense_biases(1), false, 100.0, 0),
                group(self.dense_weights(2), true, 100.0, 0),
                group(self.dense_biases(2), false, 100.0, 0),
            ]),
        }
        groups
    }
}

/// The outputs of each dense layer.
const DENSE_OUTPUTS: [usize; 3] = [DENSE_1, DENSE_2, 1];

/// So many numbers after these.
fn after(range: Range<usize>, count: usize) -> Range<usize> {
    range.end..range.end + count
}

/// The engine's integer for a number.
#[inline]
#[must_use]
pub(crate) fn to_grid(number: f32, grid: f32) -> f32 {
    (number * grid).round_ties_even()
}

/// The number nearest to this one that the engine can compute with.
#[inline]
#[must_use]
fn snapped(number: f32, grid: f32) -> f32 {
    if grid == 0.0 { number } else { to_grid(number, grid) / grid }
}

/// The network.
#[derive(Clone, Debug)]
pub struct Net {
    shape: Shape,
    /// All numbers, in the order of the shape's ranges.
    pub values: Aligned,
}

impl Net {
    /// A network with random weights. All output buckets start alike.
    #[must_use]
    pub fn random(shape: Shape, seed: u64) -> Net {
        let mut values = Aligned::zeros(shape.len());
        let mut rng = Rng::new(seed ^ 0x6E65_7477_6F72_6B21);
        let mut uniform = |limit: f64| ((rng.unit() * 2.0 - 1.0) * limit) as f32;
        if shape.head == Head::Dense {
            values[shape.feature_weights()].fill_with(|| uniform(0.06));
            values[shape.feature_biases()].fill_with(|| uniform(0.2) + 0.3);
            values[shape.relation_weights()].fill_with(|| uniform(0.03));
            for (layer, limit) in [(0, 0.1), (1, 0.2), (2, 0.2)] {
                // All buckets start alike.
                let bucket = shape.dense_weights(layer).len() / OUTPUT_BUCKETS;
                let row: Vec<f32> = (0..bucket).map(|_| uniform(limit)).collect();
                values[shape.dense_weights(layer)].chunks_exact_mut(bucket).for_each(|part| part.copy_from_slice(&row));
            }
            values[shape.dense_biases(1)].fill(0.1);
            return Net { shape, values };
        }
        // Small feature weights and large output weights: the engine's grid is fine for the former and coarse for the
        // latter. Of the ratios tried, this one trained among the best and lost least to rounding.
        values[shape.feature_weights()].fill_with(|| uniform(0.03));
        values[shape.feature_biases()].fill_with(|| uniform(0.1) + 0.1);
        let row: Vec<f32> = (0..2 * shape.hidden()).map(|_| uniform(0.3)).collect();
        values[shape.output_weights()].chunks_exact_mut(row.len()).for_each(|bucket| bucket.copy_from_slice(&row));
        Net { shape, values }
    }

    /// A network with these numbers.
    #[must_use]
    pub(crate) fn from_values(shape: Shape, numbers: &[f32]) -> Net {
        let mut values = Aligned::zeros(shape.len());
        values.copy_from_slice(numbers);
        Net { shape, values }
    }

    /// A copy of an engine's network, which may have fewer neurons. The additional neurons get random feature weights
    /// and zero output weights, so the evaluation stays the same. None if the network is larger, or of another kind.
    #[must_use]
    pub(crate) fn grown(shape: Shape, network: &Network, seed: u64) -> Option<Net> {
        if shape.head == Head::Dense {
            return super::dense::grown(shape, network, seed);
        }
        let parts = network.parts()?;
        let (old, new) = (parts.hidden, shape.hidden);
        if old > new {
            return None;
        }
        let mut net = Net::random(shape, seed);
        let floats = |numbers: &[i16], one: i32| {
            numbers.iter().map(|&number| f32::from(number) / one as f32).collect::<Vec<f32>>()
        };
        let widen = |rows: &mut [f32], numbers: &[f32]| {
            rows.chunks_exact_mut(new).zip(numbers.chunks_exact(old)).for_each(|(row, known)| {
                row[..old].copy_from_slice(known);
            });
        };
        widen(&mut net.values[shape.feature_weights()], &floats(&parts.feature_weights, QA));
        widen(&mut net.values[shape.feature_biases()], &floats(&parts.feature_biases, QA));
        net.values[shape.output_weights()].fill(0.0);
        widen(&mut net.values[shape.output_weights()], &floats(&parts.output_weights, QB));
        for (bias, &known) in net.values[shape.output_biases()].iter_mut().zip(&parts.output_biases) {
            *bias = known as f32 / (QA * QB) as f32;
        }
        Some(net)
    }

    /// Its shape.
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Becomes a copy of another network with every number rounded to the engine's grid.
    pub(crate) fn snap(&mut self, other: &Net) {
        for group in self.shape.groups() {
            let numbers = self.values[group.range.clone()].iter_mut().zip(&other.values[group.range]);
            numbers.for_each(|(rounded, &number)| *rounded = snapped(number, group.grid));
        }
    }
}

#[cfg(test)]
mod tests {
    use chess::Board;

    use super::*;
    use crate::export::quantise;

    #[test]
    fn a_grown_network_says_the_same() {
        let [narrow, wide] = [128, 256].map(|hidden| Shape::new(hidden, Head::Linear).expect("a size"));
        let old = Network::random(narrow.hidden(), 7).expect("a network");
        let [grown, same] = [wide, narrow].map(|shape| Net::grown(shape, &old, 8).expect("no smaller"));
        let [grown, same] = [grown, same].map(|net| quantise(&net, "").expect("in range"));
        for fen in ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "8/2k5/8/3R4/8/4p3/6K1/8 b - - 0 1"] {
            let board: Board = fen.parse().expect(fen);
            assert_eq!(old.evaluate(&board), grown.evaluate(&board), "{fen}");
            assert_eq!(old.evaluate(&board), same.evaluate(&board), "{fen}");
        }
        assert!(Net::grown(narrow, &grown, 8).is_none());
    }
}
