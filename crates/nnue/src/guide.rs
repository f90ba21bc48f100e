//! What guides the search besides the value: the policy and the confidence. A network may have both, one or neither.
//! A forecast for people is a policy of the same shape, of its own: the search wants to know which quiet move cuts off,
//! beside what the histories say; people want to know which move will be played.
//!
//! A policy is linear, and its accumulator is the answer: one number for each kind of piece and target square. The
//! confidence reads the activations that the value is made of.

use std::sync::Arc;

use chess::{Board, Move, PieceKind, Square};

use crate::arch::{
    self, CONFIDENCE_BIAS, CONFIDENCE_INPUTS, CONFIDENCE_MEAN, CONFIDENCE_WEIGHT, FEATURES, FORECAST_BIAS,
    FORECAST_WEIGHT, MAX_FEATURE_BIAS, MAX_FEATURE_WEIGHT, MAX_OUTPUT_WEIGHT, MOVES, OUTPUT_BUCKETS, POLICY_BIAS,
    POLICY_WEIGHT, QP, QUANTILE_ONE, QUANTILES,
};
use crate::block::{self, Block, LANES};
use crate::cache::Cache;
use crate::error::NetworkError;
use crate::features::{Perspective, active};
use crate::file::{Data, Layer};
use crate::network::{Network, layer, take, take_i16};

/// The names of the layers of the policy that guides the search, and of the forecast for people.
pub(crate) const POLICY_LAYERS: [&str; 2] = [POLICY_WEIGHT, POLICY_BIAS];
pub(crate) const FORECAST_LAYERS: [&str; 2] = [FORECAST_WEIGHT, FORECAST_BIAS];

/// The weights that say which moves to expect. Their numbers have been checked to be in range.
#[derive(Clone, PartialEq, Debug)]
pub struct Policy {
    weights: Vec<Block>, // [feature][move]
    biases: Vec<Block>,  // [move]
}

impl Policy {
    /// A policy of these weights, by feature, then move, and biases, by move.
    ///
    /// # Errors
    /// If a list has the wrong length or a number is too large.
    pub fn new(weights: Vec<i16>, biases: Vec<i16>) -> Result<Policy, NetworkError> {
        let mut layers = vec![
            layer(POLICY_WEIGHT, &[FEATURES, MOVES], Data::I16(weights))?,
            layer(POLICY_BIAS, &[MOVES], Data::I16(biases))?,
        ];
        Policy::take(&mut layers, POLICY_LAYERS)?.ok_or(NetworkError::Missing(POLICY_WEIGHT))
    }

    /// Takes the policy with these names out of a file's layers, if it is there.
    pub(crate) fn take(
        layers: &mut Vec<Layer>,
        [weight, bias]: [&'static str; 2],
    ) -> Result<Option<Policy>, NetworkError> {
        if !layers.iter().any(|layer| layer.name() == weight) {
            return Ok(None);
        }
        let weights = take_i16(layers, weight, &[FEATURES, MOVES], MAX_FEATURE_WEIGHT)?;
        let biases = take_i16(layers, bias, &[MOVES], MAX_FEATURE_BIAS)?;
        Ok(Some(Policy { weights: block::pack(&weights), biases: block::pack(&biases) }))
    }

    /// Its layers, with these names.
    pub(crate) fn layers(&self, [weight, bias]: [&'static str; 2]) -> impl Iterator<Item = Layer> + use<> {
        let weights = layer(weight, &[FEATURES, MOVES], Data::I16(block::unpack(&self.weights)));
        let biases = layer(bias, &[MOVES], Data::I16(block::unpack(&self.biases)));
        weights.into_iter().chain(biases)
    }

    /// The logit of a move at scale [`QP`], computed from scratch: [`MoveMap`] must agree with it.
    #[must_use]
    pub fn logit(&self, board: &Board, mv: Move) -> i32 {
        let place = move_index(board, mv);
        let number = |row: &[Block]| i32::from(row[place / LANES].0[place % LANES]);
        let rows = active(board, board.side_to_move()).map(|feature| &self.weights[feature * MOVES / LANES..]);
        number(&self.biases) + rows.map(number).sum::<i32>()
    }

    /// The probability of each of these moves, if one of them is played.
    #[must_use]
    pub fn probabilities(&self, board: &Board, moves: &[Move]) -> Vec<f64> {
        let logits: Vec<f64> = moves.iter().map(|&mv| f64::from(self.logit(board, mv)) / f64::from(QP)).collect();
        let largest = logits.iter().copied().fold(f64::MIN, f64::max);
        let weights: Vec<f64> = logits.into_iter().map(|logit| (logit - largest).exp()).collect();
        let sum: f64 = weights.iter().sum();
        weights.into_iter().map(|weight| weight / sum).collect()
    }
}

/// The index of a move among [`MOVES`], from the perspective of the side to move.
#[inline]
#[must_use]
pub fn move_index(board: &Board, mv: Move) -> usize {
    let kind = board.kind_on(mv.from()).unwrap_or(PieceKind::Pawn);
    Perspective::of(board, board.side_to_move()).target(kind, mv.to())
}

/// The logits of all moves of a board, kept up to date from one board to the next.
pub struct MoveMap {
    network: Arc<Network>,
    cache: Cache,
    logits: [Block; MOVES / LANES],
}

impl MoveMap {
    /// The map of a network's policy, if it has one.
    #[must_use]
    pub fn new(network: &Arc<Network>) -> Option<MoveMap> {
        let cache = Cache::new(&network.policy()?.biases);
        Some(MoveMap { network: Arc::clone(network), cache, logits: [Block::ZERO; MOVES / LANES] })
    }

    /// The logits of the moves of a board.
    pub fn of(&mut self, board: &Board) -> Logits<'_> {
        let us = board.side_to_move();
        if let Some(policy) = self.network.policy() {
            self.cache.refresh(&policy.weights, board, us, &mut self.logits);
        }
        Logits { perspective: Perspective::of(board, us), logits: &self.logits }
    }
}

/// The logits of the moves of one board.
#[derive(Clone, Copy)]
pub struct Logits<'a> {
    perspective: Perspective,
    logits: &'a [Block; MOVES / LANES],
}

impl Logits<'_> {
    /// The logit at scale [`QP`] of a move of this kind of piece to this square.
    #[inline]
    #[must_use]
    pub fn of(&self, kind: PieceKind, to: Square) -> i32 {
        let place = self.perspective.target(kind, to);
        i32::from(self.logits[place / LANES].0[place % LANES])
    }
}

/// The weights that say how far the value may be off. Their numbers have been checked to be in range.
#[derive(Clone, PartialEq, Debug)]
pub struct Confidence {
    weights: Vec<Block>, // [bucket][quantile][side to move, other][neuron]
    biases: Vec<i32>,    // [bucket][quantile]
    mean: [i32; QUANTILES.len()],
}

const CONFIDENCE_SHAPE: [usize; 3] = [OUTPUT_BUCKETS, QUANTILES.len(), 2 * CONFIDENCE_INPUTS];

impl Confidence {
    /// A confidence of these weights, by bucket, quantile, side to move or other, and neuron; biases, by bucket and
    /// quantile; and mean quantiles.
    ///
    /// # Errors
    /// If a list has the wrong length or a number is out of range.
    pub fn new(weights: Vec<i16>, biases: Vec<i32>, mean: [i32; QUANTILES.len()]) -> Result<Confidence, NetworkError> {
        let mut layers = vec![
            layer(CONFIDENCE_WEIGHT, &CONFIDENCE_SHAPE, Data::I16(weights))?,
            layer(CONFIDENCE_BIAS, &CONFIDENCE_SHAPE[..2], Data::I32(biases))?,
            layer(CONFIDENCE_MEAN, &[mean.len()], Data::I32(mean.to_vec()))?,
        ];
        Confidence::take(&mut layers)?.ok_or(NetworkError::Missing(CONFIDENCE_WEIGHT))
    }

    /// Takes the confidence out of a file's layers, if it is there.
    pub(crate) fn take(layers: &mut Vec<Layer>) -> Result<Option<Confidence>, NetworkError> {
        if !layers.iter().any(|layer| layer.name() == CONFIDENCE_WEIGHT) {
            return Ok(None);
        }
        let weights = take_i16(layers, CONFIDENCE_WEIGHT, &CONFIDENCE_SHAPE, MAX_OUTPUT_WEIGHT)?;
        let Data::I32(biases) = take(layers, CONFIDENCE_BIAS, &CONFIDENCE_SHAPE[..2])? else {
            return Err(NetworkError::WrongType(CONFIDENCE_BIAS));
        };
        if let Some(&bias) = biases.iter().find(|bias| bias.unsigned_abs() > MAX_BIAS.unsigned_abs()) {
            return Err(NetworkError::TooLarge(CONFIDENCE_BIAS, bias));
        }
        let Data::I32(mean) = take(layers, CONFIDENCE_MEAN, &[QUANTILES.len()])? else {
            return Err(NetworkError::WrongType(CONFIDENCE_MEAN));
        };
        let mean = [mean[0], mean[1]];
        if !(-QUANTILE_ONE..0).contains(&mean[0]) || !(1..=QUANTILE_ONE).contains(&mean[1]) {
            let wrong = if (-QUANTILE_ONE..0).contains(&mean[0]) { mean[1] } else { mean[0] };
            return Err(NetworkError::TooLarge(CONFIDENCE_MEAN, wrong));
        }
        Ok(Some(Confidence { weights: block::pack(&weights), biases, mean }))
    }

    pub(crate) fn layers(&self) -> impl Iterator<Item = Layer> {
        let weights = layer(CONFIDENCE_WEIGHT, &CONFIDENCE_SHAPE, Data::I16(block::unpack(&self.weights)));
        let biases = layer(CONFIDENCE_BIAS, &CONFIDENCE_SHAPE[..2], Data::I32(self.biases.clone()));
        let mean = layer(CONFIDENCE_MEAN, &[self.mean.len()], Data::I32(self.mean.to_vec()));
        weights.into_iter().chain(biases).chain(mean)
    }

    /// The mean quantiles over the positions it was trained on: the first is below zero, the second above.
    #[inline]
    #[must_use]
    pub fn mean(&self) -> [i32; QUANTILES.len()] {
        self.mean
    }

    /// The quantiles, by a function that weighs the activations of both sides.
    #[inline]
    pub(crate) fn quantiles(&self, bucket: usize, weigh: impl Fn(&[Block], &[Block]) -> i64) -> [i32; QUANTILES.len()] {
        const BLOCKS: usize = CONFIDENCE_INPUTS / LANES;
        std::array::from_fn(|quantile| {
            let place = bucket * QUANTILES.len() + quantile;
            let (own, other) = self.weights[place * 2 * BLOCKS..][..2 * BLOCKS].split_at(BLOCKS);
            arch::quantile(weigh(own, other), self.biases[place])
        })
    }
}

/// The largest bias of a confidence, an expected result of 256: far more than any that makes sense, and far from
/// overflow.
const MAX_BIAS: i32 = 1 << 22;
