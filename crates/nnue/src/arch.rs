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
//! A network may have a dense head, three small layers for each output bucket beside the weights `w`. It sees both
//! accumulators one after the other, and what it says is added to `sum / QA + c`:
//!
//! ```text
//! x[k]  = (clamp(a[k], 0, QA)² + 256) >> 9                                              at scale QY
//! t[j]  = clamp((head1.bias[j] + Σ x[k] · head1.weight[j][k] + 32) >> 6, -QY, QY)       at scale QY
//! y     = max(t[j], 0) for all j, then (t[j]² + QY / 2) / QY for all j                  at scale QY
//! z[i]  = clamp((head2.bias[i] + Σ y[j] · head2.weight[i][j] + 32) >> 6, 0, QY)         at scale QY
//! head  = Σ z[i] · head3.weight[i] · QA · QB / (QY · QW)                                at scale QA · QB
//! ```
//!
//! Divisions round towards zero, shifts towards minus infinity. The limits below keep every intermediate result within
//! its type, so that all kernels compute exactly this.

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

/// Neurons of the head's first layer; the second sees each of them clipped and squared.
pub const HEAD_1: usize = 8;
/// Neurons of the head's second layer.
pub const HEAD_2: usize = 32;

/// An activation of one, in the first layer's integers.
pub const QA: i32 = 255;
/// A weight of one, in the second layer's integers.
pub const QB: i32 = 64;
/// An activation of one in the head, and a squared one as the head sees it.
pub const QY: i32 = 127;
/// A weight of one in the head's last layer.
pub const QW: i32 = 1024;
/// The centipawns of an output of one.
pub const SCALE: i32 = 400;

/// The scale of a network whose values are used as they are. Networks trained on other games give larger or smaller
/// values for the same chances; their scale makes up for it, so that the margins of the search fit all networks.
pub const SCALE_ONE: i32 = 1024;
/// The largest scale; the smallest is its inverse.
pub const MAX_SCALE: i32 = 4 * SCALE_ONE;

/// The largest weight of a trained network, before quantisation.
pub const WEIGHT_CLIP: f32 = 1.98;
/// The largest weight of the head's first layer, before quantisation.
pub const FIRST_CLIP: f32 = 0.98;
/// The largest weight of the first layer: 32 of them and a bias fit into 16 bits.
pub const MAX_FEATURE_WEIGHT: i16 = 960;
/// The largest bias of the first layer.
pub const MAX_FEATURE_BIAS: i16 = 2047;
/// The largest weight of the second layer: it fits into 16 bits after multiplication by an activation of at most `QA`.
pub const MAX_OUTPUT_WEIGHT: i16 = 128;

/// The largest weight of the head's first layer: the sum of four products with activations fits into 16 bits.
pub const MAX_FIRST_WEIGHT: i16 = 63;
/// The largest weight of the head's second layer.
pub const MAX_SECOND_WEIGHT: i16 = 127;
/// The largest bias of the head.
pub const MAX_HEAD_BIAS: i32 = 1 << 24;
/// The largest weight of the head's last layer.
pub const MAX_LAST_WEIGHT: i16 = 16 * QW as i16 - 1;

/// The weights of the first layer in a file: `i16 [FEATURES, hidden]`, at scale `QA`.
pub const FEATURE_WEIGHT: &str = "feature.weight";
/// The biases of the first layer in a file: `i16 [hidden]`, at scale `QA`.
pub const FEATURE_BIAS: &str = "feature.bias";
/// The weights of the second layer in a file: `i16 [OUTPUT_BUCKETS, 2 * hidden]`, at scale `QB`, side to move first.
pub const OUTPUT_WEIGHT: &str = "output.weight";
/// The biases of the second layer in a file: `i32 [OUTPUT_BUCKETS]`, at scale `QA * QB`.
pub const OUTPUT_BIAS: &str = "output.bias";

/// The weights of the head's first layer in a file: `i16 [OUTPUT_BUCKETS, HEAD_1, 2 * hidden]`, at scale `QB`. The
/// layers of the head are all there, or none is.
pub const HEAD_1_WEIGHT: &str = "head1.weight";
/// The biases of the head's first layer in a file: `i32 [OUTPUT_BUCKETS, HEAD_1]`, at scale `QY * QB`.
pub const HEAD_1_BIAS: &str = "head1.bias";
/// The weights of the head's second layer in a file: `i16 [OUTPUT_BUCKETS, HEAD_2, 2 * HEAD_1]`, at scale `QB`.
pub const HEAD_2_WEIGHT: &str = "head2.weight";
/// The biases of the head's second layer in a file: `i32 [OUTPUT_BUCKETS, HEAD_2]`, at scale `QY * QB`.
pub const HEAD_2_BIAS: &str = "head2.bias";
/// The weights of the head's last layer in a file: `i16 [OUTPUT_BUCKETS, HEAD_2]`, at scale `QW`.
pub const HEAD_3_WEIGHT: &str = "head3.weight";

/// The network's own scale in a file, `i32 [1]`, in units of 1/`SCALE_ONE`; without it the scale is one.
pub const OUTPUT_SCALE: &str = "output.scale";

/// The set of output weights for a board with this many pieces, kings included.
#[inline]
#[must_use]
pub const fn output_bucket(pieces: usize) -> usize {
    let bucket = pieces.saturating_sub(2) / PIECES_PER_BUCKET;
    if bucket < OUTPUT_BUCKETS { bucket } else { OUTPUT_BUCKETS - 1 }
}

/// The value in centipawns of a weighted sum of squared activations, a bias, the output of the head, and the network's
/// scale.
#[inline]
#[must_use]
pub const fn value(sum: i64, bias: i32, head: i32, scale: i32) -> i32 {
    let value = (sum / QA as i64 + bias as i64 + head as i64) * SCALE as i64 / (QA * QB) as i64;
    // Sums are below 2^34 and biases and heads below 2^31: the value fits.
    (value * scale as i64 / SCALE_ONE as i64) as i32
}

/// A squared activation as the head sees it, for a sum of the first layer.
#[inline]
#[must_use]
pub const fn squared(sum: i16) -> i16 {
    let active = if sum < 0 {
        0
    } else if sum as i32 > QA {
        QA
    } else {
        sum as i32
    };
    ((active * active + 256) >> 9) as i16
}

/// What the head's second layer sees of a sum of the first: clipped, and squared.
#[inline]
#[must_use]
pub const fn first_activations(sum: i32) -> [i16; 2] {
    let clipped = (sum + 32) >> 6;
    let clipped = if clipped < -QY {
        -QY
    } else if clipped > QY {
        QY
    } else {
        clipped
    };
    let positive = if clipped < 0 { 0 } else { clipped };
    [positive as i16, ((clipped * clipped + QY / 2) / QY) as i16]
}

/// What the head's last layer sees of a sum of the second.
#[inline]
#[must_use]
pub const fn second_activation(sum: i32) -> i32 {
    let clipped = (sum + 32) >> 6;
    if clipped < 0 {
        0
    } else if clipped > QY {
        QY
    } else {
        clipped
    }
}

/// The output of the head for a sum of its last layer.
#[inline]
#[must_use]
pub const fn head_output(sum: i32) -> i32 {
    (sum as i64 * (QA * QB) as i64 / (QY * QW) as i64) as i32
}

const _: () = {
    assert!(32 * MAX_FEATURE_WEIGHT as i32 + MAX_FEATURE_BIAS as i32 <= i16::MAX as i32);
    assert!(MAX_OUTPUT_WEIGHT as i32 * QA <= i16::MAX as i32);
    assert!((WEIGHT_CLIP * QB as f32 + 0.5) as i16 <= MAX_OUTPUT_WEIGHT);
    assert!((WEIGHT_CLIP * QA as f32 + 0.5) as i16 <= MAX_FEATURE_WEIGHT);
    let largest = 2 * MAX_HIDDEN as i64 * (QA * QA) as i64 * MAX_OUTPUT_WEIGHT as i64;
    let value = (largest / QA as i64 + 2 * i32::MAX as i64) * SCALE as i64 / (QA * QB) as i64;
    assert!(value * MAX_SCALE as i64 / (SCALE_ONE as i64) < i32::MAX as i64);
    assert!(squared(i16::MAX) as i32 == QY && 4 * QY * MAX_FIRST_WEIGHT as i32 <= i16::MAX as i32);
    assert!((WEIGHT_CLIP * QB as f32 + 0.5) as i16 <= MAX_SECOND_WEIGHT);
    assert!((FIRST_CLIP * QB as f32 + 0.5) as i16 <= MAX_FIRST_WEIGHT);
    let head = 2 * MAX_HIDDEN as i64 * QY as i64 * MAX_FIRST_WEIGHT as i64 + MAX_HEAD_BIAS as i64;
    assert!(head + 32 < i32::MAX as i64);
    let last = HEAD_2 as i64 * QY as i64 * MAX_LAST_WEIGHT as i64;
    assert!(last < i32::MAX as i64 && last * (QA * QB) as i64 / ((QY * QW) as i64) < i32::MAX as i64);
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
    fn activations_of_one_are_one() {
        assert_eq!([-5, 0, QA as i16, i16::MAX].map(squared), [0, 0, QY as i16, QY as i16]);
        let one = QY * QB;
        assert_eq!(first_activations(one), [QY as i16; 2]);
        assert_eq!(first_activations(-2 * one), [0, QY as i16]);
        assert_eq!(first_activations(one / 2), [64, 32]);
        assert_eq!([-1, 0, QY * QB / 2, i32::MAX / 2].map(second_activation), [0, 0, 64, QY]);
    }

    #[test]
    fn an_output_of_one_is_worth_the_scale() {
        assert_eq!(value(0, QA * QB, 0, SCALE_ONE), SCALE);
        assert_eq!(value(i64::from(QA * QA * QB), 0, 0, SCALE_ONE), SCALE);
        assert_eq!(value(i64::from(-QA * QA * QB), 0, 0, SCALE_ONE), -SCALE);
        assert_eq!(value(i64::from(-QA * QA * QB), 0, 0, SCALE_ONE / 2), -SCALE / 2);
        assert_eq!(value(0, 0, head_output(QY * QW), SCALE_ONE), SCALE);
    }
}
