//! The architecture in numbers: sizes, quantisation, and the names of the layers in a file.
//!
//! The value for the side to move, where `a` and `b` are the accumulators of that side and of the other, `w` and `c`
//! are the weights and the bias of the output bucket, and all are integers:
//!
//! ```text
//! a     = feature.bias + sum of feature.weight[i] over the features i the side sees     at scale QA
//! sum   = Σ clamp(a[k], 0, QA)² · w[k] + Σ clamp(b[k], 0, QA)² · w[hidden + k]          at scale QA² · QB
//! value = (sum / QA + c) · SCALE / (QA · QB) · scale / SCALE_ONE                        in centipawns
//! ```
//!
//! Instead of one weighted sum, a network may have dense layers. Then both sides' [relations](crate::relations) are added to
//! the first neurons of each accumulator, neurons of the two halves are multiplied in pairs, and three small layers follow.
//! `d1`, `d2` and `d3` are the dense layers of the output bucket; the last two compute in single precision, always in the
//! same order:
//!
//! ```text
//! a[k] += sum of relation.weight[r][own or other][k] over the relations r, for the first neurons, saturating
//! x     = (clamp(a[k], 0, QA) · clamp(a[k + hidden/2], 0, QA) + 256) / 512, the same for b       at scale QX
//! h     = (d1.bias + Σ x · d1.weight) / (QX · QD)                                                16 numbers
//! g     = clamp(d2.bias + Σ [min(h², 1), clamp(h, 0, 1)] · d2.weight, 0, 1)                      32 numbers
//! value = (d3.bias + Σ [g, h] · d3.weight) · SCALE · scale / SCALE_ONE                           in centipawns
//! ```
//!
//! A network may also guide the search: with a policy, which says which quiet move may cut off, and with a confidence,
//! which says how far the value may be off. For people it may have a forecast, a policy over all moves. `p` and `d` are their biases, `v` the weights of the confidence:
//!
//! ```text
//! logit[m] = p[m] + sum of policy.weight[i][m] over the features i the side to move sees     at scale QP
//! sum      = Σ clamp(a[k], 0, QA)² · v[k] + the same for b, over the first neurons           at scale QA² · QB
//! quantile = (sum / QA + d) · QUANTILE_ONE / (QA · QB)          of the result expected after a search, less that before
//! ```
//!
//! Divisions round towards zero. The limits below keep every intermediate result within its type, so that all kernels
//! compute exactly this.

/// Inputs of one side for one king bucket: 2 owners, 6 kinds, 64 squares.
pub const INPUTS: usize = 2 * 6 * 64;
/// How many sets of inputs there are, chosen by the square of the side's own king.
pub const KING_BUCKETS: usize = 1;
/// The king bucket, by the square of the king from its side's perspective, mirrored to files a to d.
pub const KING_BUCKET: [u8; 64] = [0; 64];
/// Rows of the first layer.
pub const FEATURES: usize = KING_BUCKETS * INPUTS;

/// Neurons of one side, by default.
pub const DEFAULT_HIDDEN: usize = 256;
/// Numbers of neurons of one side that the engine can run.
pub const HIDDEN_SIZES: [usize; 4] = [128, 256, 384, 512];
/// The largest of them.
pub const MAX_HIDDEN: usize = 512;

/// How many sets of output weights there are, chosen by the number of pieces.
pub const OUTPUT_BUCKETS: usize = 8;
/// How many piece counts, kings included, share a set of output weights.
pub const PIECES_PER_BUCKET: usize = 4;

/// An activation of one, in the first layer's integers.
pub const QA: i32 = 255;
/// A weight of one, in the second layer's integers.
pub const QB: i32 = 64;
/// The centipawns of an output of one.
pub const SCALE: i32 = 400;

/// The scale of a network whose values are used as they are. Networks trained on other games give larger or smaller
/// values for the same chances; their scale makes up for it, so that the margins of the search fit all networks.
pub const SCALE_ONE: i32 = 1024;
/// The largest scale; the smallest is its inverse.
pub const MAX_SCALE: i32 = 4 * SCALE_ONE;

/// The largest weight of a trained network, before quantisation.
pub const WEIGHT_CLIP: f32 = 1.98;
/// The largest weight of the first layer: 32 of them and a bias fit into 16 bits.
pub const MAX_FEATURE_WEIGHT: i16 = 960;
/// The largest bias of the first layer.
pub const MAX_FEATURE_BIAS: i16 = 2047;
/// The largest weight of the second layer: it fits into 16 bits after multiplication by an activation of at most `QA`.
pub const MAX_OUTPUT_WEIGHT: i16 = 128;

/// The weights of the first layer in a file: `i16 [FEATURES, hidden]`, at scale `QA`.
pub const FEATURE_WEIGHT: &str = "feature.weight";
/// The biases of the first layer in a file: `i16 [hidden]`, at scale `QA`.
pub const FEATURE_BIAS: &str = "feature.bias";
/// The weights of the second layer in a file: `i16 [OUTPUT_BUCKETS, 2 * hidden]`, at scale `QB`, side to move first.
pub const OUTPUT_WEIGHT: &str = "output.weight";
/// The biases of the second layer in a file: `i32 [OUTPUT_BUCKETS]`, at scale `QA * QB`.
pub const OUTPUT_BIAS: &str = "output.bias";

/// The neurons of each side that read the relations: the first ones.
pub const RELATED: usize = 32;
/// The sizes of the dense layers.
pub const DENSE_1: usize = 16;
/// The inputs of the second dense layer: the numbers of the first one squared, and clipped.
pub const DENSE_1_OUT: usize = 2 * DENSE_1;
/// The size of the second dense layer.
pub const DENSE_2: usize = 32;
/// The inputs of the last dense layer: the second one, and the first as it is.
pub const DENSE_2_OUT: usize = DENSE_2 + DENSE_1;

/// An input of one to the first dense layer, in integers.
pub const QX: i32 = 127;
/// A weight of one in the first dense layer, in integers.
pub const QD: i32 = 64;
/// The largest weight of the relations: as many of them as a board can have fit into 16 bits.
pub const MAX_RELATION_WEIGHT: i16 = 195;
/// The largest weight of the first dense layer, which has 8 bits.
pub const MAX_DENSE_WEIGHT: i16 = 127;
/// The largest bias of the first dense layer.
pub const MAX_DENSE_BIAS: i32 = 1 << 24;
/// The largest number in the other dense layers, so that nothing overflows.
pub const MAX_DENSE_FLOAT: f32 = 1000.0;

/// The weights of the relations in a file: `i16 [RELATIONS, 2, RELATED]`, own ones first, at scale `QA`.
pub const RELATION_WEIGHT: &str = "relation.weight";
/// The first dense layer in a file: `i16 [OUTPUT_BUCKETS, hidden, DENSE_1]`, at scale `QD`, side to move first.
pub const DENSE_1_WEIGHT: &str = "dense1.weight";
/// Its biases: `i32 [OUTPUT_BUCKETS, DENSE_1]`, at scale `QX * QD`.
pub const DENSE_1_BIAS: &str = "dense1.bias";
/// The second dense layer in a file: `f32 [OUTPUT_BUCKETS, DENSE_1_OUT, DENSE_2]`.
pub const DENSE_2_WEIGHT: &str = "dense2.weight";
/// Its biases: `f32 [OUTPUT_BUCKETS, DENSE_2]`.
pub const DENSE_2_BIAS: &str = "dense2.bias";
/// The last dense layer in a file: `f32 [OUTPUT_BUCKETS, DENSE_2_OUT]`.
pub const DENSE_3_WEIGHT: &str = "dense3.weight";
/// Its biases: `f32 [OUTPUT_BUCKETS]`.
pub const DENSE_3_BIAS: &str = "dense3.bias";

/// The moves that the policy tells apart: by kind of piece and by target square, as the side to move sees it.
pub const MOVES: usize = 6 * 64;
/// A logit of one, in the policy's integers.
pub const QP: i32 = 128;
/// The neurons of each side that the confidence reads: the first ones, so that it costs little.
pub const CONFIDENCE_INPUTS: usize = 128;
/// The quantiles that the confidence predicts.
pub const QUANTILES: [f32; 2] = [0.2, 0.8];
/// An expected result of one, in the confidence's integers.
pub const QUANTILE_ONE: i32 = 1024;

/// The weights of the policy in a file, which need not be there: `i16 [FEATURES, MOVES]`, at scale `QP`, with the limits
/// of the first layer.
pub const POLICY_WEIGHT: &str = "policy.weight";
/// The biases of the policy in a file: `i16 [MOVES]`, at scale `QP`.
pub const POLICY_BIAS: &str = "policy.bias";
/// The weights of the forecast in a file, which need not be there: a policy over all moves, for people. Shape and scale
/// are those of the policy.
pub const FORECAST_WEIGHT: &str = "forecast.weight";
/// The biases of the forecast in a file.
pub const FORECAST_BIAS: &str = "forecast.bias";
/// The weights of the confidence in a file, which need not be there: `i16 [OUTPUT_BUCKETS, QUANTILES, 2 *
/// CONFIDENCE_INPUTS]`, at scale `QB`, side to move first.
pub const CONFIDENCE_WEIGHT: &str = "confidence.weight";
/// The biases of the confidence in a file: `i32 [OUTPUT_BUCKETS, QUANTILES]`, at scale `QA * QB`.
pub const CONFIDENCE_BIAS: &str = "confidence.bias";

/// The mean quantiles over the positions it was trained on, in a file: `i32 [QUANTILES]`, in units of
/// 1/`QUANTILE_ONE`. With them, a search can tell a sure value from an unsure one.
pub const CONFIDENCE_MEAN: &str = "confidence.mean";

/// The network's own scale in a file, `i32 [1]`, in units of 1/`SCALE_ONE`; without it the scale is one.
pub const OUTPUT_SCALE: &str = "output.scale";

/// The set of output weights for a board with this many pieces, kings included.
#[inline]
#[must_use]
pub const fn output_bucket(pieces: usize) -> usize {
    let bucket = pieces.saturating_sub(2) / PIECES_PER_BUCKET;
    if bucket < OUTPUT_BUCKETS { bucket } else { OUTPUT_BUCKETS - 1 }
}

/// The value in centipawns of a weighted sum of squared activations, a bias, and the network's scale.
#[inline]
#[must_use]
pub const fn value(sum: i64, bias: i32, scale: i32) -> i32 {
    let value = (sum / QA as i64 + bias as i64) * SCALE as i64 / (QA * QB) as i64;
    // Sums are below 2^34 and biases below 2^31: the value fits.
    (value * scale as i64 / SCALE_ONE as i64) as i32
}

/// A quantile in units of 1/[`QUANTILE_ONE`], of a weighted sum of squared activations and a bias.
#[inline]
#[must_use]
pub const fn quantile(sum: i64, bias: i32) -> i32 {
    ((sum / QA as i64 + bias as i64) * QUANTILE_ONE as i64 / (QA * QB) as i64) as i32
}

const _: () = {
    assert!(32 * MAX_FEATURE_WEIGHT as i32 + MAX_FEATURE_BIAS as i32 <= i16::MAX as i32);
    assert!(MAX_OUTPUT_WEIGHT as i32 * QA <= i16::MAX as i32);
    assert!(crate::relations::MOST as i32 * MAX_RELATION_WEIGHT as i32 <= i16::MAX as i32);
    assert!((QA * QA + 256) / 512 == QX && QA * QA + 256 <= u16::MAX as i32);
    // Two products of the first dense layer fit into 16 bits, and all of them into 32.
    assert!(2 * QX * MAX_DENSE_WEIGHT as i32 <= i16::MAX as i32);
    assert!(MAX_HIDDEN as i32 * QX * MAX_DENSE_WEIGHT as i32 + MAX_DENSE_BIAS < i32::MAX);
    assert!(RELATED <= 64);
    assert!((WEIGHT_CLIP * QB as f32 + 0.5) as i16 <= MAX_OUTPUT_WEIGHT);
    assert!((WEIGHT_CLIP * QA as f32 + 0.5) as i16 <= MAX_FEATURE_WEIGHT);
    let largest = 2 * MAX_HIDDEN as i64 * (QA * QA) as i64 * MAX_OUTPUT_WEIGHT as i64;
    let value = (largest / QA as i64 + i32::MAX as i64) * SCALE as i64 / (QA * QB) as i64;
    assert!(value * MAX_SCALE as i64 / (SCALE_ONE as i64) < i32::MAX as i64);
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_cover_every_number_of_pieces() {
        let buckets: Vec<usize> = (2..=32).map(output_bucket).collect();
        assert!(buckets.is_sorted());
        assert_eq!((buckets[0], buckets[3], buckets[4], buckets[30]), (0, 0, 1, 7));
        assert_eq!((output_bucket(0), output_bucket(64)), (0, OUTPUT_BUCKETS - 1));
    }

    #[test]
    fn an_output_of_one_is_worth_the_scale() {
        assert_eq!(value(0, QA * QB, SCALE_ONE), SCALE);
        assert_eq!(value(i64::from(QA * QA * QB), 0, SCALE_ONE), SCALE);
        assert_eq!(value(i64::from(-QA * QA * QB), 0, SCALE_ONE), -SCALE);
        assert_eq!(value(i64::from(-QA * QA * QB), 0, SCALE_ONE / 2), -SCALE / 2);
    }
}
