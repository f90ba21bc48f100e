//! The dense layers behind the accumulators: relations are added, neurons multiplied in pairs, and three small layers turn
//! the products into a value.

use chess::{Board, Color};

use crate::arch::{
    DENSE_1, DENSE_1_BIAS, DENSE_1_OUT, DENSE_1_WEIGHT, DENSE_2, DENSE_2_BIAS, DENSE_2_OUT, DENSE_2_WEIGHT,
    DENSE_3_BIAS, DENSE_3_WEIGHT, MAX_DENSE_BIAS, MAX_DENSE_FLOAT, MAX_DENSE_WEIGHT, MAX_HIDDEN, MAX_RELATION_WEIGHT,
    OUTPUT_BUCKETS, RELATED, RELATION_WEIGHT, SCALE, SCALE_ONE,
};
use crate::block::{self, Block, LANES};
use crate::error::NetworkError;
use crate::file::{Data, Layer};
use crate::network::{Output, layer, take, take_i16};
use crate::relations::{Pieces, RELATIONS, Relations, Structure};
use crate::simd;

/// The relations and the dense layers of a network, as plain lists; see [`arch`](crate::arch) for shapes and scales.
#[derive(Clone, PartialEq, Debug)]
pub struct Dense {
    /// By relation, then own or other, then neuron.
    pub relations: Vec<i16>,
    /// By bucket, then input, then output.
    pub weights_1: Vec<i16>,
    /// By bucket, then output.
    pub biases_1: Vec<i32>,
    /// By bucket, then input, then output.
    pub weights_2: Vec<f32>,
    /// By bucket, then output.
    pub biases_2: Vec<f32>,
    /// By bucket, then input.
    pub weights_3: Vec<f32>,
    /// By bucket.
    pub biases_3: Vec<f32>,
}

impl Dense {
    /// Takes the dense layers out of a file's layers. Their numbers have been checked to be in range.
    pub(crate) fn take(layers: &mut Vec<Layer>, hidden: usize) -> Result<Dense, NetworkError> {
        let weights_1 = &[OUTPUT_BUCKETS, hidden, DENSE_1];
        let biases_1 = match take(layers, DENSE_1_BIAS, &[OUTPUT_BUCKETS, DENSE_1])? {
            Data::I32(numbers) => numbers,
            _ => return Err(NetworkError::WrongType(DENSE_1_BIAS)),
        };
        if let Some(&bias) = biases_1.iter().find(|bias| bias.unsigned_abs() > MAX_DENSE_BIAS.unsigned_abs()) {
            return Err(NetworkError::TooLarge(DENSE_1_BIAS, bias));
        }
        Ok(Dense {
            relations: take_i16(layers, RELATION_WEIGHT, &[RELATIONS, 2, RELATED], MAX_RELATION_WEIGHT)?,
            weights_1: take_i16(layers, DENSE_1_WEIGHT, weights_1, MAX_DENSE_WEIGHT)?,
            biases_1,
            weights_2: take_f32(layers, DENSE_2_WEIGHT, &[OUTPUT_BUCKETS, DENSE_1_OUT, DENSE_2])?,
            biases_2: take_f32(layers, DENSE_2_BIAS, &[OUTPUT_BUCKETS, DENSE_2])?,
            weights_3: take_f32(layers, DENSE_3_WEIGHT, &[OUTPUT_BUCKETS, DENSE_2_OUT])?,
            biases_3: take_f32(layers, DENSE_3_BIAS, &[OUTPUT_BUCKETS])?,
        })
    }

    /// Its layers in a file.
    pub(crate) fn layers(self, hidden: usize) -> Result<[Layer; 7], NetworkError> {
        let buckets = OUTPUT_BUCKETS;
        Ok([
            layer(RELATION_WEIGHT, &[RELATIONS, 2, RELATED], Data::I16(self.relations))?,
            layer(DENSE_1_WEIGHT, &[buckets, hidden, DENSE_1], Data::I16(self.weights_1))?,
            layer(DENSE_1_BIAS, &[buckets, DENSE_1], Data::I32(self.biases_1))?,
            layer(DENSE_2_WEIGHT, &[buckets, DENSE_1_OUT, DENSE_2], Data::F32(self.weights_2))?,
            layer(DENSE_2_BIAS, &[buckets, DENSE_2], Data::F32(self.biases_2))?,
            layer(DENSE_3_WEIGHT, &[buckets, DENSE_2_OUT], Data::F32(self.weights_3))?,
            layer(DENSE_3_BIAS, &[buckets], Data::F32(self.biases_3))?,
        ])
    }
}

fn take_f32(layers: &mut Vec<Layer>, name: &'static str, shape: &[usize]) -> Result<Vec<f32>, NetworkError> {
    let Data::F32(numbers) = take(layers, name, shape)? else { return Err(NetworkError::WrongType(name)) };
    match numbers.iter().find(|number| !number.is_finite() || number.abs() > MAX_DENSE_FLOAT) {
        Some(&number) => Err(NetworkError::TooLarge(name, number as i32)),
        None => Ok(numbers),
    }
}

/// The weights of four inputs of the first dense layer for all of its outputs, `[output][input]`: one cache line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(crate) struct Quad(pub(crate) [i8; 4 * DENSE_1]);

/// The products of pairs of neurons, the inputs of the first dense layer.
#[repr(C, align(64))]
pub(crate) struct Products(pub(crate) [u8; MAX_HIDDEN]);

/// The dense layers as the engine computes with them.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct DenseLayers {
    hidden: usize,
    relations: Vec<Block>, // [relation][own, other]
    weights_1: Vec<Quad>,  // [bucket][four inputs]
    biases_1: Vec<[i32; DENSE_1]>,
    upper: Vec<Upper>, // [bucket]
}

/// The relations that pawns and kings have among themselves, kept from one board to the next: most moves change neither.
pub(crate) struct Structures(Box<[Known]>);

#[derive(Clone, Copy)]
struct Known {
    key: u64,
    structure: Structure,
    /// The weights of the relations, summed. [view]
    sums: [Block; 2],
}

/// How many structures are kept.
const STRUCTURES: usize = 1024;

impl Structures {
    /// None yet. A network without dense layers needs none.
    pub(crate) fn new(output: &Output) -> Structures {
        let empty = Known { key: NO_KEY, structure: Structure::default(), sums: [Block::ZERO; 2] };
        let count = if matches!(output, Output::Dense(_)) { STRUCTURES } else { 0 };
        Structures(vec![empty; count].into_boxed_slice())
    }

    #[inline]
    fn key(board: &Board) -> u64 {
        let kings = Color::ALL.map(|color| board.king(color).index() as u64);
        (board.pawn_key() ^ (kings[0] << 6 | kings[1]).wrapping_mul(0x9E37_79B9_7F4A_7C15)) & !NO_KEY
    }

    /// Prefetches what is known of a board that will soon be evaluated.
    #[inline]
    pub(crate) fn prefetch(&self, board: &Board) {
        if !self.0.is_empty() {
            simd::prefetch(&self.0[Structures::key(board) as usize % STRUCTURES]);
        }
    }

    #[inline]
    fn of(&mut self, board: &Board, pieces: &Pieces, rows: &[Block]) -> &Known {
        let key = Structures::key(board);
        let place = key as usize % STRUCTURES;
        if self.0[place].key != key {
            self.0[place] = Known::of(key, pieces, rows);
        }
        &self.0[place]
    }
}

/// No board has this key: the highest bit is not used.
const NO_KEY: u64 = 1 << 63;

impl Known {
    #[cold]
    fn of(key: u64, pieces: &Pieces, rows: &[Block]) -> Known {
        let (relations, structure) = Relations::of_structure(pieces);
        let mut sums = [Block::ZERO; 2];
        for (owner, relation) in relations.iter() {
            for (view, sums) in sums.iter_mut().enumerate() {
                let row = &rows[relation * 2 + usize::from(owner.index() != view)];
                // So few numbers of this size do not overflow.
                sums.0.iter_mut().zip(row.0).for_each(|(sum, weight)| *sum += weight);
            }
        }
        Known { key, structure, sums }
    }
}

/// The second and third dense layer of a bucket.
#[derive(Clone, PartialEq, Debug)]
#[repr(C, align(64))]
pub(crate) struct Upper {
    pub(crate) weights_2: [[f32; DENSE_2]; DENSE_1_OUT],
    pub(crate) biases_2: [f32; DENSE_2],
    pub(crate) weights_3: [f32; DENSE_2_OUT],
    pub(crate) bias_3: f32,
}

impl DenseLayers {
    /// Packs these lists, whose lengths have been checked.
    pub(crate) fn new(hidden: usize, dense: &Dense) -> DenseLayers {
        let (rows, _) = dense.weights_1.as_chunks::<DENSE_1>();
        let quad = |rows: &[[i16; DENSE_1]; 4]| Quad(std::array::from_fn(|place| rows[place % 4][place / 4] as i8));
        let (matrices, _) = dense.weights_2.as_chunks::<DENSE_2>().0.as_chunks::<DENSE_1_OUT>();
        let (biases_2, _) = dense.biases_2.as_chunks::<DENSE_2>();
        let (weights_3, _) = dense.weights_3.as_chunks::<DENSE_2_OUT>();
        let upper = matrices.iter().zip(biases_2).zip(weights_3).zip(&dense.biases_3);
        DenseLayers {
            hidden,
            relations: block::pack(&dense.relations),
            weights_1: rows.as_chunks::<4>().0.iter().map(quad).collect(),
            biases_1: dense.biases_1.as_chunks().0.to_vec(),
            upper: upper
                .map(|(((&weights_2, &biases_2), &weights_3), &bias_3)| Upper {
                    weights_2,
                    biases_2,
                    weights_3,
                    bias_3,
                })
                .collect(),
        }
    }

    /// Back to plain lists.
    pub(crate) fn lists(&self) -> Dense {
        let quads = self.weights_1.iter();
        Dense {
            relations: block::unpack(&self.relations),
            weights_1: quads
                .flat_map(|quad| (0..4 * DENSE_1).map(|place| i16::from(quad.0[place % DENSE_1 * 4 + place / DENSE_1])))
                .collect(),
            biases_1: self.biases_1.as_flattened().to_vec(),
            weights_2: self.upper.iter().flat_map(|upper| upper.weights_2.as_flattened()).copied().collect(),
            biases_2: self.upper.iter().flat_map(|upper| upper.biases_2).collect(),
            weights_3: self.upper.iter().flat_map(|upper| upper.weights_3).collect(),
            biases_3: self.upper.iter().map(|upper| upper.bias_3).collect(),
        }
    }

    /// The value of a board in centipawns for the side to move, of the accumulators of that side and of the other.
    #[inline]
    pub(crate) fn value(
        &self,
        board: &Board,
        structures: &mut Structures,
        bucket: usize,
        accumulators: [&[Block]; 2],
        scale: i32,
    ) -> i32 {
        let us = board.side_to_move();
        let pieces = Pieces::of(board);
        let known = structures.of(board, &pieces, &self.relations);
        let contacts = Relations::of_contacts(&pieces, &known.structure);
        let mut products = Products([0; MAX_HIDDEN]);
        let start = [&known.sums[us.index()], &known.sums[us.other().index()]];
        let related = simd::relate(accumulators.map(|sums| &sums[0]), start, &self.relations, contacts.packed(), us);
        let half = self.hidden / 2;
        for ((sums, related), products) in accumulators.into_iter().zip(&related).zip(products.0.chunks_mut(half)) {
            simd::multiply(related, sums, products);
        }
        let quads = self.hidden / 4;
        let weights = &self.weights_1[bucket * quads..][..quads];
        let first = simd::propagate(&products.0[..self.hidden], weights, &self.biases_1[bucket]);
        self.upper[bucket].value(&first, scale)
    }

    /// The same from scratch, number by number, with accumulators as plain lists.
    pub(crate) fn value_slowly(
        &self,
        bucket: usize,
        accumulators: &[Vec<i16>; 2],
        relations: &Relations,
        us: Color,
        scale: i32,
    ) -> i32 {
        let mut first = self.biases_1[bucket];
        for (side, sums) in accumulators.iter().enumerate() {
            let mut sums = sums.clone();
            for (neuron, sum) in sums.iter_mut().enumerate().take(RELATED) {
                let rows = relations.iter().map(|(color, relation)| {
                    let owner = usize::from((color == us) != (side == 0));
                    self.relations[relation * 2 + owner].0[neuron]
                });
                *sum = sum.saturating_add(rows.sum());
            }
            let half = self.hidden / 2;
            for index in 0..half {
                let [a, b] = [index, index + half].map(|neuron| i32::from(sums[neuron]).clamp(0, crate::arch::QA));
                let input = (a * b + 256) / 512;
                let place = (bucket * 2 + side) * half + index;
                for (output, sum) in first.iter_mut().enumerate() {
                    *sum += input * i32::from(self.weights_1[place / 4].0[output * 4 + place % 4]);
                }
            }
        }
        self.upper[bucket].value(&first, scale)
    }
}

impl Upper {
    /// The value in centipawns, of the first layer's integers.
    #[inline]
    fn value(&self, first: &[i32; DENSE_1], scale: i32) -> i32 {
        let value = (simd::conclude(self, first) * SCALE as f32).clamp(-MAX_VALUE, MAX_VALUE) as i32;
        (i64::from(value) * i64::from(scale) / i64::from(SCALE_ONE)) as i32
    }
}

/// No value is larger, before it is scaled.
const MAX_VALUE: f32 = 100_000.0;

const _: () = assert!(RELATED == LANES && DENSE_2.is_multiple_of(DENSE_1) && DENSE_1.is_power_of_two());
