//! The order of the positions in an epoch: a permutation that is computed, not stored.
//!
//! A Feistel network over the next power of four permutes the index; results outside the list are permuted again until
//! they fall inside. So the order needs no memory, any place in it can be computed directly, and an interrupted run can
//! restore it from the seed and the epoch's number.

use toolkit::Rng;

const ROUNDS: usize = 4;

/// A random order of the numbers below a limit.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    len: u64,
    half_bits: u32,
    keys: [u64; ROUNDS],
}

impl Order {
    /// The order of `len` items in an epoch.
    #[must_use]
    pub(crate) fn new(len: usize, seed: u64, epoch: u64) -> Order {
        let mut rng = Rng::new(seed ^ epoch.wrapping_mul(0xD1B5_4A32_D192_ED03));
        let keys = std::array::from_fn(|_| rng.bits());
        let bits = usize::BITS - len.saturating_sub(1).leading_zeros();
        Order { len: len as u64, half_bits: bits.div_ceil(2).max(1), keys }
    }

    /// The item at a place in the order; the place must be below the limit.
    #[inline]
    #[must_use]
    pub(crate) fn at(&self, place: usize) -> usize {
        debug_assert!((place as u64) < self.len);
        let mut value = self.mix(place as u64);
        while value >= self.len {
            value = self.mix(value);
        }
        value as usize
    }

    #[inline]
    fn mix(&self, value: u64) -> u64 {
        let mask = (1 << self.half_bits) - 1;
        let (mut left, mut right) = (value >> self.half_bits, value & mask);
        for key in self.keys {
            let scrambled = (right ^ key).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let scrambled = (scrambled ^ (scrambled >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 32;
            (left, right) = (right, left ^ (scrambled & mask));
        }
        left << self.half_bits | right
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_comes_once_and_epochs_differ() {
        for len in [1, 2, 3, 16, 17, 1000, 65_536, 65_537] {
            let order = |epoch| (0..len).map(move |place| Order::new(len, 5, epoch).at(place)).collect::<Vec<_>>();
            let mut first = order(0);
            if len > 100 {
                assert_ne!(first, order(1));
            }
            first.sort_unstable();
            assert_eq!(first, (0..len).collect::<Vec<_>>());
        }
    }

    #[test]
    fn neighbours_do_not_stay_together() {
        // In a random order of n items, two neighbours are n / 3 apart on average.
        let len = 100_000;
        let order = Order::new(len, 99, 3);
        let distance: usize = (1..len).map(|place| order.at(place).abs_diff(order.at(place - 1))).sum();
        let mean = distance as f64 / len as f64;
        assert!((mean / len as f64 - 1.0 / 3.0).abs() < 0.01, "{mean}");
        let fixed = (0..len).filter(|&place| order.at(place) == place).count();
        assert!(fixed < 10, "{fixed}");
    }
}
