//! The normal distribution.

/// The share of a normal distribution below `x`, accurate to about seven digits (a rational Chebyshev fit of the
/// complementary error function).
pub(super) fn cumulative(x: f64) -> f64 {
    0.5 * complementary_error(-x / std::f64::consts::SQRT_2)
}

fn complementary_error(x: f64) -> f64 {
    // Coefficients of Numerical Recipes' erfcc, in ascending powers of t.
    const COEFFICIENTS: [f64; 10] = [
        -1.265_512_23,
        1.000_023_68,
        0.374_091_96,
        0.096_784_18,
        -0.186_288_06,
        0.278_868_07,
        -1.135_203_98,
        1.488_515_87,
        -0.822_152_23,
        0.170_872_77,
    ];
    let t = 1.0 / (1.0 + 0.5 * x.abs());
    let polynomial = COEFFICIENTS.iter().rev().fold(0.0, |sum, coefficient| sum * t + coefficient);
    let tail = t * (-x * x + polynomial).exp();
    if x >= 0.0 { tail } else { 2.0 - tail }
}

/// How many deviations to each side hold 95 % of a normal distribution.
pub(super) const DEVIATIONS_95: f64 = 1.959_963_984_540_054;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        for (x, share) in
            [(0.0, 0.5), (1.0, 0.841_344_746), (-1.0, 0.158_655_254), (DEVIATIONS_95, 0.975), (-4.0, 3.167e-5)]
        {
            assert!((cumulative(x) - share).abs() < 2e-7, "{x}: {}", cumulative(x));
        }
    }
}
