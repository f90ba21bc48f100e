//! One thread's share of a batch: forward, loss, backward.
//!
//! Positions are processed in groups small enough for their neurons to stay in the L1 cache. Neurons are laid out tile
//! by tile, `[tile][position][side to move, other side]`. On the way back, the views that have a feature are collected
//! first, so that each row of the gradient is loaded and stored once per group and not once per piece.

use nnue::arch::FEATURES;

use super::aligned::Aligned;
use super::dense::{self, Layers, RELATED_TILE};
use super::kernel::{self, Tile};
use super::loss::Loss;
use super::net::{Head, Net, Shape, TILE};
use super::sample::{MAX_PIECES, Sample};

/// Positions in a group: with both views, one tile of them is 32 KB.
const GROUP: usize = 64;
/// Views in a group.
const VIEWS: usize = 2 * GROUP;

/// One thread's buffers for a batch.
#[derive(Clone, Debug)]
pub struct Pass {
    shape: Shape,
    /// The gradient of the batch's loss, in the order of the network's numbers.
    pub gradient: Aligned,
    neurons: Aligned,
    features: Features,
    relations: Relations,
    layers: Layers,
    /// The sum of the losses since it was last reset.
    pub loss: f64,
}

/// The target and weight of a batch's positions.
#[derive(Clone, Copy, Debug)]
pub struct Aim {
    /// The loss function.
    pub loss: Loss,
    /// The weight of the game's result in the target.
    pub wdl: f32,
    /// The weight of each position in the gradient.
    pub share: f32,
}

impl Pass {
    /// A worker for networks of this shape.
    #[must_use]
    pub fn new(shape: Shape) -> Pass {
        Pass {
            shape,
            gradient: Aligned::zeros(shape.len()),
            neurons: Aligned::zeros(VIEWS * shape.hidden()),
            features: Features::default(),
            relations: Relations::default(),
            layers: Layers::new(shape.hidden()),
            loss: 0.0,
        }
    }

    /// Adds the loss and the gradient of some positions.
    pub fn learn(&mut self, net: &Net, samples: impl Iterator<Item = Sample>, aim: &Aim) {
        if self.shape.head() == Head::Dense {
            self.layers.prepare(net);
        }
        self.in_groups(samples, |worker, group| {
            worker.forward(net, group);
            for (place, sample) in group.iter().enumerate() {
                let output = worker.output(net, place, sample.bucket());
                let (loss, slope) = aim.loss.value_and_slope(output, aim.loss.target(sample, aim.wdl));
                worker.loss += f64::from(loss);
                worker.output_backward(net, place, sample.bucket(), slope * aim.share);
            }
            worker.features_backward(2 * group.len());
        });
        if self.shape.head() == Head::Dense {
            self.layers.finish(self.shape, &mut self.gradient);
        }
    }

    /// Passes each position with its output, on the logistic scale, to `take`.
    pub fn evaluate(&mut self, net: &Net, samples: impl Iterator<Item = Sample>, mut take: impl FnMut(&Sample, f32)) {
        self.in_groups(samples, |worker, group| {
            worker.forward(net, group);
            for (place, sample) in group.iter().enumerate() {
                take(sample, worker.output(net, place, sample.bucket()));
            }
        });
    }

    fn in_groups(&mut self, samples: impl Iterator<Item = Sample>, mut work: impl FnMut(&mut Pass, &[Sample])) {
        let mut group = Vec::with_capacity(GROUP);
        let mut samples = samples.peekable();
        while samples.peek().is_some() {
            group.clear();
            group.extend(samples.by_ref().take(GROUP));
            work(self, &group);
        }
    }

    /// Computes the neurons of a group.
    fn forward(&mut self, net: &Net, group: &[Sample]) {
        self.features.fill(group);
        let stride = self.shape.tiles();
        let rows = kernel::tiles(&net.values[self.shape.feature_weights()]);
        let biases = kernel::tiles(&net.values[self.shape.feature_biases()]);
        let neurons = kernel::tiles_mut(&mut self.neurons);
        for (tile, bias) in biases.iter().enumerate() {
            let views = &mut neurons[tile * VIEWS..][..2 * group.len()];
            for (view, neurons) in views.iter_mut().enumerate() {
                *neurons = kernel::add_rows(bias, rows, self.features.of_view(view), stride, tile);
            }
        }
        if self.shape.head() == Head::Dense {
            self.relations.fill(group);
            let weights = &net.values[self.shape.relation_weights()];
            let views = &mut neurons[RELATED_TILE * VIEWS..][..2 * group.len()];
            for (view, neurons) in views.iter_mut().enumerate() {
                dense::add_relations(weights, self.relations.of(view / 2), view as u16 & 1, neurons);
            }
        }
    }

    /// The output of a position whose neurons have been computed.
    fn output(&mut self, net: &Net, place: usize, bucket: usize) -> f32 {
        let tiles = self.shape.tiles();
        if self.shape.head() == Head::Dense {
            let neurons = kernel::tiles(&self.neurons);
            return self.layers.forward(net, bucket, |tile, side| &neurons[tile * VIEWS + 2 * place + side]);
        }
        let weights = &kernel::tiles(&net.values[self.shape.output_weights()])[bucket * 2 * tiles..][..2 * tiles];
        let neurons = kernel::tiles(&self.neurons);
        let mut sums = [0.0; 16];
        for tile in 0..tiles {
            for side in 0..2 {
                let neurons = &neurons[tile * VIEWS + 2 * place + side];
                kernel::add_activated(&mut sums, neurons, &weights[side * tiles + tile]);
            }
        }
        net.values[self.shape.output_biases()][bucket] + sums.iter().sum::<f32>()
    }

    /// Backpropagates the gradient of a position's output to its neurons.
    fn output_backward(&mut self, net: &Net, place: usize, bucket: usize, slope: f32) {
        let tiles = self.shape.tiles();
        if self.shape.head() == Head::Dense {
            let neurons = kernel::tiles_mut(&mut self.neurons);
            let of = |tile, side| tile * VIEWS + 2 * place + side;
            self.layers.backward(net, bucket, slope, &mut self.gradient, neurons, of);
            return;
        }
        let range = self.shape.output_weights();
        let weights = &kernel::tiles(&net.values[range.clone()])[bucket * 2 * tiles..][..2 * tiles];
        let slopes = &mut kernel::tiles_mut(&mut self.gradient[range])[bucket * 2 * tiles..][..2 * tiles];
        let neurons = kernel::tiles_mut(&mut self.neurons);
        for tile in 0..tiles {
            for side in 0..2 {
                let index = side * tiles + tile;
                let neurons = &mut neurons[tile * VIEWS + 2 * place + side];
                kernel::send_back(slope, neurons, &weights[index], &mut slopes[index]);
            }
        }
        self.gradient[self.shape.output_biases()][bucket] += slope;
    }

    /// Adds the gradients of a group's neurons to those of the first layer.
    fn features_backward(&mut self, views: usize) {
        self.features.sort();
        if self.shape.head() == Head::Dense {
            let gradient = &mut self.gradient[self.shape.relation_weights()];
            let neurons = &kernel::tiles(&self.neurons)[RELATED_TILE * VIEWS..][..views];
            for (view, neurons) in neurons.iter().enumerate() {
                dense::relations_backward(gradient, self.relations.of(view / 2), view as u16 & 1, neurons);
            }
        }
        let stride = self.shape.tiles();
        let (weights, biases) = (self.shape.feature_weights(), self.shape.feature_biases());
        for tile in 0..stride {
            let neurons: &[Tile] = &kernel::tiles(&self.neurons)[tile * VIEWS..][..views];
            let rows = kernel::tiles_mut(&mut self.gradient[weights.clone()]);
            for (feature, views) in self.features.used() {
                let row = &mut rows[feature * stride + tile];
                *row = kernel::add_rows(row, neurons, views, 1, 0);
            }
            let bias = &mut kernel::tiles_mut(&mut self.gradient[biases.clone()])[tile];
            for slopes in neurons {
                bias.iter_mut().zip(slopes).for_each(|(sum, slope)| *sum += slope);
            }
        }
    }
}

/// The relations of each position of a group.
#[derive(Clone, Debug, Default)]
struct Relations {
    rows: Vec<u16>,
    ends: Vec<usize>,
}

impl Relations {
    fn fill(&mut self, group: &[Sample]) {
        self.rows.clear();
        self.ends.clear();
        for sample in group {
            dense::relation_rows(sample, &mut self.rows);
            self.ends.push(self.rows.len());
        }
    }

    #[inline]
    fn of(&self, place: usize) -> &[u16] {
        let start = if place == 0 { 0 } else { self.ends[place - 1] };
        &self.rows[start..self.ends[place]]
    }
}

/// Which features each view of a group has, and which views have each feature.
#[derive(Clone, Debug)]
struct Features {
    /// The features of all views, one view after another.
    list: Vec<u16>,
    other: Vec<u16>,
    /// Where each view's features begin, and the end. `[view]`
    starts: Vec<usize>,
    /// Where each feature's views end. `[feature]`
    ends: Vec<usize>,
    views: Vec<u16>,
    used: Vec<(u16, usize, usize)>,
}

impl Default for Features {
    fn default() -> Features {
        let most = VIEWS * MAX_PIECES;
        Features {
            list: Vec::with_capacity(most),
            other: Vec::with_capacity(MAX_PIECES),
            starts: Vec::with_capacity(VIEWS + 1),
            ends: vec![0; FEATURES],
            views: vec![0; most],
            used: Vec::with_capacity(FEATURES),
        }
    }
}

impl Features {
    fn fill(&mut self, group: &[Sample]) {
        self.list.clear();
        self.starts.clear();
        for sample in group {
            self.starts.push(self.list.len());
            self.other.clear();
            sample.features(&mut self.list, &mut self.other);
            self.starts.push(self.list.len());
            self.list.extend_from_slice(&self.other);
        }
        self.starts.push(self.list.len());
    }

    #[inline]
    fn of_view(&self, view: usize) -> &[u16] {
        &self.list[self.starts[view]..self.starts[view + 1]]
    }

    /// Inverts the lists with a counting sort.
    fn sort(&mut self) {
        self.ends.fill(0);
        for &feature in &self.list {
            self.ends[usize::from(feature)] += 1;
        }
        self.used.clear();
        let mut start = 0;
        for (feature, end) in self.ends.iter_mut().enumerate() {
            let count = std::mem::replace(end, start);
            if count > 0 {
                self.used.push((feature as u16, start, start + count));
            }
            start += count;
        }
        for view in 0..self.starts.len() - 1 {
            for &feature in &self.list[self.starts[view]..self.starts[view + 1]] {
                let end = &mut self.ends[usize::from(feature)];
                self.views[*end] = view as u16;
                *end += 1;
            }
        }
    }

    /// The features that occur, each with the views that have it.
    fn used(&self) -> impl Iterator<Item = (usize, &[u16])> {
        self.used.iter().map(|&(feature, start, end)| (usize::from(feature), &self.views[start..end]))
    }
}

const _: () = assert!(TILE.is_multiple_of(16) && FEATURES <= u16::MAX as usize);
