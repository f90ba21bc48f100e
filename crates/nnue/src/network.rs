//! A network in memory, and how it is read and written.

use std::path::Path;

use chess::zobrist::splitmix;
use chess::{Bitboard, Board, Color, PieceKind};

use crate::arch::{
    self, DENSE_1, DENSE_1_OUT, DENSE_1_WEIGHT, DENSE_2, DENSE_2_OUT, FEATURE_BIAS, FEATURE_WEIGHT, FEATURES,
    HIDDEN_SIZES, MAX_FEATURE_BIAS, MAX_FEATURE_WEIGHT, MAX_OUTPUT_WEIGHT, MAX_SCALE, OUTPUT_BIAS, OUTPUT_BUCKETS,
    OUTPUT_SCALE, OUTPUT_WEIGHT, QA, QUANTILES, RELATED, SCALE_ONE,
};
use crate::block::{self, Block, LANES};
use crate::dense::{Dense, DenseLayers};
use crate::error::NetworkError;
use crate::features::Perspective;
use crate::file::{Data, Layer, LayerFile};
use crate::guide::{Confidence, FORECAST_LAYERS, POLICY_LAYERS, Policy};
use crate::relations::{Pieces, RELATIONS, Relations};

/// The numbers of a network with a linear output, quantised, as plain lists; see [`arch`] for shapes and scales.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parts {
    /// Neurons of one side, one of [`HIDDEN_SIZES`].
    pub hidden: usize,
    /// By feature, then neuron.
    pub feature_weights: Vec<i16>,
    /// By neuron.
    pub feature_biases: Vec<i16>,
    /// By bucket, then side to move or other, then neuron.
    pub output_weights: Vec<i16>,
    /// By bucket.
    pub output_biases: Vec<i32>,
}

/// A network that can evaluate. Its numbers have been checked to be in range.
#[derive(Clone, PartialEq, Debug)]
pub struct Network {
    description: String,
    hidden: usize,
    feature_weights: Vec<Block>, // [feature][neuron]
    feature_biases: Vec<Block>,  // [neuron]
    output: Output,
    scale: i32, // in parts of SCALE_ONE
    policy: Option<Policy>,
    forecast: Option<Policy>,
    confidence: Option<Confidence>,
    others: Vec<Layer>,
}

/// What turns the accumulators into a value.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Output {
    /// One weighted sum.
    Linear(Linear),
    /// Relations and dense layers.
    Dense(DenseLayers),
}

/// The weighted sum of squared activations.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Linear {
    weights: Vec<Block>, // [bucket][side to move, other][neuron]
    biases: [i32; OUTPUT_BUCKETS],
}

impl Linear {
    /// The weights of a bucket, for the side to move and for the other, and its bias.
    #[inline]
    pub(crate) fn bucket(&self, bucket: usize) -> (&[Block], &[Block], i32) {
        let blocks = self.weights.len() / OUTPUT_BUCKETS;
        let (own, other) = self.weights[bucket * blocks..][..blocks].split_at(blocks / 2);
        (own, other, self.biases[bucket])
    }
}

impl Network {
    /// A network of these numbers.
    ///
    /// # Errors
    /// If a list has the wrong length or a number is too large.
    pub fn new(description: impl Into<String>, parts: Parts) -> Result<Network, NetworkError> {
        let Parts { hidden, feature_weights, feature_biases, output_weights, output_biases } = parts;
        let layers = vec![
            layer(FEATURE_WEIGHT, &[FEATURES, hidden], Data::I16(feature_weights))?,
            layer(FEATURE_BIAS, &[hidden], Data::I16(feature_biases))?,
            layer(OUTPUT_WEIGHT, &[OUTPUT_BUCKETS, 2 * hidden], Data::I16(output_weights))?,
            layer(OUTPUT_BIAS, &[OUTPUT_BUCKETS], Data::I32(output_biases))?,
        ];
        Network::from_file(LayerFile { description: description.into(), layers })
    }

    /// A network with dense layers: its first layer by feature and neuron, the biases by neuron.
    ///
    /// # Errors
    /// If a list has the wrong length or a number is too large.
    pub fn with_dense(
        description: impl Into<String>,
        feature_weights: Vec<i16>,
        feature_biases: Vec<i16>,
        dense: Dense,
    ) -> Result<Network, NetworkError> {
        let hidden = feature_biases.len();
        let mut layers = vec![
            layer(FEATURE_WEIGHT, &[FEATURES, hidden], Data::I16(feature_weights))?,
            layer(FEATURE_BIAS, &[hidden], Data::I16(feature_biases))?,
        ];
        layers.extend(dense.layers(hidden)?);
        Network::from_file(LayerFile { description: description.into(), layers })
    }

    /// A network of random numbers that depend only on the seed, with plausible values: for tests and benchmarks.
    ///
    /// # Errors
    /// If the engine cannot run this many neurons.
    pub fn random(hidden: usize, seed: u64) -> Result<Network, NetworkError> {
        let mut state = splitmix(seed);
        let mut number = |limit: i16| {
            state = splitmix(state);
            (state % (2 * limit.unsigned_abs() as u64 + 1)) as i16 - limit
        };
        let parts = Parts {
            hidden,
            feature_weights: (0..FEATURES * hidden).map(|_| number(80)).collect(),
            feature_biases: (0..hidden).map(|_| number(120)).collect(),
            output_weights: (0..OUTPUT_BUCKETS * 2 * hidden).map(|_| number(30)).collect(),
            output_biases: (0..OUTPUT_BUCKETS).map(|_| i32::from(number(2000))).collect(),
        };
        Network::new(format!("random numbers, seed {seed}"), parts)
    }

    /// The same with dense layers.
    ///
    /// # Errors
    /// If the engine cannot run this many neurons.
    pub fn random_dense(hidden: usize, seed: u64) -> Result<Network, NetworkError> {
        let mut state = splitmix(seed);
        let mut number = |limit: i32| {
            state = splitmix(state);
            (state % (2 * limit as u64 + 1)) as i32 - limit
        };
        let mut small = |count: usize, limit: i32| (0..count).map(|_| number(limit) as i16).collect::<Vec<i16>>();
        let (feature_weights, feature_biases) = (small(FEATURES * hidden, 80), small(hidden, 120));
        let relations = small(RELATIONS * 2 * RELATED, 60);
        let weights_1 = small(OUTPUT_BUCKETS * hidden * DENSE_1, 60);
        let biases_1 = (0..OUTPUT_BUCKETS * DENSE_1).map(|_| number(8000)).collect();
        let mut float = |count: usize| (0..count).map(|_| number(1000) as f32 / 2000.0).collect::<Vec<f32>>();
        let dense = Dense {
            relations,
            weights_1,
            biases_1,
            weights_2: float(OUTPUT_BUCKETS * DENSE_1_OUT * DENSE_2),
            biases_2: float(OUTPUT_BUCKETS * DENSE_2),
            weights_3: float(OUTPUT_BUCKETS * DENSE_2_OUT),
            biases_3: float(OUTPUT_BUCKETS),
        };
        Network::with_dense(format!("random numbers, seed {seed}"), feature_weights, feature_biases, dense)
    }

    /// Reads a network file.
    ///
    /// # Errors
    /// Those of the file system, or the first error found.
    pub fn read(path: &Path) -> Result<Network, NetworkError> {
        Network::from_file(LayerFile::read(path)?)
    }

    /// The network in these bytes.
    ///
    /// # Errors
    /// The first error found.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        Network::from_file(LayerFile::from_bytes(bytes)?)
    }

    /// The network made of these layers; unknown layers are kept, but not used.
    ///
    /// # Errors
    /// If a layer is missing, has a wrong shape or numbers that are too large.
    pub fn from_file(mut file: LayerFile) -> Result<Network, NetworkError> {
        let layers = &mut file.layers;
        let hidden = match find(layers, FEATURE_BIAS)?.shape() {
            &[size] if HIDDEN_SIZES.contains(&size) => size,
            &[size] => return Err(NetworkError::Hidden(size)),
            shape => return Err(NetworkError::WrongShape(FEATURE_BIAS, shape.to_vec(), vec![arch::DEFAULT_HIDDEN])),
        };
        let feature_weights = take_i16(layers, FEATURE_WEIGHT, &[FEATURES, hidden], MAX_FEATURE_WEIGHT)?;
        let feature_biases = take_i16(layers, FEATURE_BIAS, &[hidden], MAX_FEATURE_BIAS)?;
        let output = match layers.iter().any(|layer| layer.name() == DENSE_1_WEIGHT) {
            true => Output::Dense(DenseLayers::new(hidden, &Dense::take(layers, hidden)?)),
            false => Output::Linear(take_linear(layers, hidden)?),
        };
        let scale = match layers.iter().any(|layer| layer.name() == OUTPUT_SCALE) {
            true => take_scale(layers)?,
            false => SCALE_ONE,
        };
        let policy = Policy::take(layers, POLICY_LAYERS)?;
        let forecast = Policy::take(layers, FORECAST_LAYERS)?;
        let confidence = Confidence::take(layers)?;
        Ok(Network {
            description: file.description,
            hidden,
            feature_weights: block::pack(&feature_weights),
            feature_biases: block::pack(&feature_biases),
            output,
            scale,
            policy,
            forecast,
            confidence,
            others: file.layers,
        })
    }

    /// The bytes of the file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.to_file().to_bytes()
    }

    /// The network as layers with names.
    #[must_use]
    pub fn to_file(&self) -> LayerFile {
        let i16s = |blocks: &[Block]| Data::I16(block::unpack(blocks));
        let mut known = vec![
            layer(FEATURE_WEIGHT, &[FEATURES, self.hidden], i16s(&self.feature_weights)),
            layer(FEATURE_BIAS, &[self.hidden], i16s(&self.feature_biases)),
        ];
        match &self.output {
            Output::Linear(linear) => known.extend([
                layer(OUTPUT_WEIGHT, &[OUTPUT_BUCKETS, 2 * self.hidden], i16s(&linear.weights)),
                layer(OUTPUT_BIAS, &[OUTPUT_BUCKETS], Data::I32(linear.biases.to_vec())),
            ]),
            Output::Dense(dense) => {
                known.extend(dense.lists().layers(self.hidden).into_iter().flatten().map(Ok));
            }
        }
        let scale = (self.scale != SCALE_ONE).then(|| layer(OUTPUT_SCALE, &[1], Data::I32(vec![self.scale])));
        let policy = self.policy.iter().flat_map(|policy| policy.layers(POLICY_LAYERS));
        let forecast = self.forecast.iter().flat_map(|forecast| forecast.layers(FORECAST_LAYERS));
        let confidence = self.confidence.iter().flat_map(Confidence::layers);
        let guides = policy.chain(forecast).chain(confidence).chain(self.others.iter().cloned());
        let layers = known.into_iter().chain(scale).flatten().chain(guides).collect();
        LayerFile { description: self.description.clone(), layers }
    }

    /// Its numbers as plain lists, if its output is linear.
    #[must_use]
    pub fn parts(&self) -> Option<Parts> {
        let Output::Linear(linear) = &self.output else { return None };
        Some(Parts {
            hidden: self.hidden,
            feature_weights: self.feature_weights(),
            feature_biases: self.feature_biases(),
            output_weights: block::unpack(&linear.weights),
            output_biases: linear.biases.to_vec(),
        })
    }

    /// The weights of the first layer as a plain list, by feature, then neuron.
    #[must_use]
    pub fn feature_weights(&self) -> Vec<i16> {
        block::unpack(&self.feature_weights)
    }

    /// The biases of the first layer as a plain list.
    #[must_use]
    pub fn feature_biases(&self) -> Vec<i16> {
        block::unpack(&self.feature_biases)
    }

    /// Its relations and dense layers as plain lists, if it has them.
    #[must_use]
    pub fn dense(&self) -> Option<Dense> {
        match &self.output {
            Output::Linear(_) => None,
            Output::Dense(dense) => Some(dense.lists()),
        }
    }

    /// Where the network comes from, in its author's words.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The checksum at the end of the file: networks with the same one are equal.
    #[must_use]
    pub fn checksum(&self) -> u64 {
        self.to_bytes().last_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
    }

    /// The same network with its values multiplied by a factor, within the limits of its scale.
    #[must_use]
    pub fn scaled(mut self, factor: f64) -> Network {
        let scale = f64::from(self.scale) * factor;
        self.scale = (scale.round() as i32).clamp(SCALE_ONE * SCALE_ONE / MAX_SCALE, MAX_SCALE);
        self
    }

    /// The factor of its values, in units of 1/[`SCALE_ONE`].
    #[inline]
    #[must_use]
    pub fn scale(&self) -> i32 {
        self.scale
    }

    /// The same network with another description.
    #[must_use]
    pub fn with_description(self, description: impl Into<String>) -> Network {
        Network { description: description.into(), ..self }
    }

    /// The same network with another forecast, or without.
    #[must_use]
    pub fn with_forecast(self, forecast: Option<Policy>) -> Network {
        Network { forecast, ..self }
    }

    /// The same network with another policy, or without.
    #[must_use]
    pub fn with_policy(self, policy: Option<Policy>) -> Network {
        Network { policy, ..self }
    }

    /// The same network with another confidence, or without.
    #[must_use]
    pub fn with_confidence(self, confidence: Option<Confidence>) -> Network {
        Network { confidence, ..self }
    }

    /// The forecast of moves for people, if the network has one.
    #[must_use]
    pub fn forecast(&self) -> Option<&Policy> {
        self.forecast.as_ref()
    }

    /// The policy that guides the search, if the network has one.
    #[inline]
    #[must_use]
    pub fn policy(&self) -> Option<&Policy> {
        self.policy.as_ref()
    }

    /// The confidence, if the network has one.
    #[inline]
    #[must_use]
    pub fn confidence(&self) -> Option<&Confidence> {
        self.confidence.as_ref()
    }

    /// How far a search's expected result may be from that of the network's value, in units of
    /// 1/[`QUANTILE_ONE`](arch::QUANTILE_ONE): less than the first in a fifth of the cases, more than the second in
    /// another. None without confidence. Computed from scratch: all faster ways must agree with it.
    #[must_use]
    pub fn quantiles(&self, board: &Board) -> Option<[i32; QUANTILES.len()]> {
        let us = board.side_to_move();
        let sides = [us, us.other()].map(|color| self.accumulated(board, Bitboard::EMPTY, color));
        let bucket = arch::output_bucket(board.occupied().len());
        let weigh = |own: &[Block], other: &[Block]| weighed(&sides[0], own) + weighed(&sides[1], other);
        Some(self.confidence.as_ref()?.quantiles(bucket, weigh))
    }

    /// Neurons of one side.
    #[inline]
    #[must_use]
    pub fn hidden(&self) -> usize {
        self.hidden
    }

    /// The weights of a feature.
    #[inline]
    pub(crate) fn row(&self, feature: usize) -> &[Block] {
        let blocks = self.hidden / LANES;
        &self.feature_weights[feature * blocks..][..blocks]
    }

    /// The weights of all features.
    pub(crate) fn rows(&self) -> &[Block] {
        &self.feature_weights
    }

    /// The accumulator of an empty board.
    #[inline]
    pub(crate) fn biases(&self) -> &[Block] {
        &self.feature_biases
    }

    /// What turns the accumulators into a value.
    #[inline]
    pub(crate) fn output(&self) -> &Output {
        &self.output
    }

    /// The value of a board in centipawns for the side to move, computed from scratch, number by number as [`arch`]
    /// defines it: all faster ways must agree with it.
    #[must_use]
    pub fn evaluate(&self, board: &Board) -> i32 {
        self.evaluate_in(board, Bitboard::EMPTY, arch::output_bucket(board.occupied().len()))
    }

    /// The same with a given output bucket, and without the pieces on the squares `without`; the kings stay.
    #[must_use]
    pub fn evaluate_in(&self, board: &Board, without: Bitboard, bucket: usize) -> i32 {
        let us = board.side_to_move();
        let bucket = bucket.min(OUTPUT_BUCKETS - 1);
        let sides = [us, us.other()].map(|color| self.accumulated(board, without, color));
        match &self.output {
            Output::Linear(linear) => {
                let (own, other, bias) = linear.bucket(bucket);
                arch::value(weighed(&sides[0], own) + weighed(&sides[1], other), bias, self.scale)
            }
            Output::Dense(dense) => {
                let pieces = Pieces::of(board).without(without - board.kind(PieceKind::King));
                dense.value_slowly(bucket, &sides, &Relations::of(&pieces), us, self.scale)
            }
        }
    }

    /// The accumulator of a side.
    fn accumulated(&self, board: &Board, without: Bitboard, color: Color) -> Vec<i16> {
        let mut sums = block::unpack(&self.feature_biases);
        let perspective = Perspective::of(board, color);
        let squares = board.occupied() - (without - board.kind(PieceKind::King));
        let pieces = squares.into_iter().filter_map(|square| Some((board.piece_on(square)?, square)));
        for (piece, square) in pieces {
            let feature = perspective.index(piece, square);
            let row = self.row(feature).iter().flat_map(|block| block.0);
            sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
        }
        sums
    }
}

/// The sum of squared activations times their weights, for as many as there are weights.
fn weighed(sums: &[i16], weights: &[Block]) -> i64 {
    let weights = weights.iter().flat_map(|block| block.0);
    let terms = sums.iter().zip(weights).map(|(&sum, weight)| {
        let active = i64::from(i32::from(sum).clamp(0, QA));
        active * active * i64::from(weight)
    });
    terms.sum()
}

pub(crate) fn layer(name: &'static str, shape: &[usize], data: Data) -> Result<Layer, NetworkError> {
    Layer::new(name, shape, data)
}

fn find<'a>(layers: &'a [Layer], name: &'static str) -> Result<&'a Layer, NetworkError> {
    layers.iter().find(|layer| layer.name() == name).ok_or(NetworkError::Missing(name))
}

pub(crate) fn take(layers: &mut Vec<Layer>, name: &'static str, shape: &[usize]) -> Result<Data, NetworkError> {
    let found = find(layers, name)?.shape();
    if found != shape {
        return Err(NetworkError::WrongShape(name, found.to_vec(), shape.to_vec()));
    }
    let place = layers.iter().position(|layer| layer.name() == name).ok_or(NetworkError::Missing(name))?;
    Ok(layers.remove(place).into_data())
}

/// Takes the weighted sum of a network of this size out of a file's layers.
fn take_linear(layers: &mut Vec<Layer>, hidden: usize) -> Result<Linear, NetworkError> {
    let weights = take_i16(layers, OUTPUT_WEIGHT, &[OUTPUT_BUCKETS, 2 * hidden], MAX_OUTPUT_WEIGHT)?;
    let biases = match take(layers, OUTPUT_BIAS, &[OUTPUT_BUCKETS])? {
        Data::I32(numbers) => numbers.try_into().unwrap_or_default(),
        _ => return Err(NetworkError::WrongType(OUTPUT_BIAS)),
    };
    Ok(Linear { weights: block::pack(&weights), biases })
}

fn take_scale(layers: &mut Vec<Layer>) -> Result<i32, NetworkError> {
    match take(layers, OUTPUT_SCALE, &[1])? {
        Data::I32(numbers) => {
            let scale = numbers.first().copied().unwrap_or(SCALE_ONE);
            let range = SCALE_ONE * SCALE_ONE / MAX_SCALE..=MAX_SCALE;
            if range.contains(&scale) { Ok(scale) } else { Err(NetworkError::TooLarge(OUTPUT_SCALE, scale)) }
        }
        _ => Err(NetworkError::WrongType(OUTPUT_SCALE)),
    }
}

pub(crate) fn take_i16(
    layers: &mut Vec<Layer>,
    name: &'static str,
    shape: &[usize],
    limit: i16,
) -> Result<Vec<i16>, NetworkError> {
    let Data::I16(numbers) = take(layers, name, shape)? else { return Err(NetworkError::WrongType(name)) };
    match numbers.iter().find(|number| !(-limit..=limit).contains(*number)) {
        Some(&number) => Err(NetworkError::TooLarge(name, number.into())),
        None => Ok(numbers),
    }
}
