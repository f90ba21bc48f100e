//! A small random number generator. A seed must always give the same sequence, so the generator is our own and never
//! changes.

/// The splitmix64 generator: tiny, fast, and good enough to shuffle and to simulate.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// A generator whose sequence depends on the seed alone.
    pub fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        let word = chess::zobrist::splitmix(self.0);
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        word
    }

    /// A number from zero up to, but not including, `limit`; zero if `limit` is zero.
    pub fn below(&mut self, limit: usize) -> usize {
        // The high half of a wide product is uniform enough: the bias is below 2^-32 for any list that fits in memory.
        ((u128::from(self.bits()) * limit as u128) >> 64) as usize
    }

    /// A number from 0 up to, but not including, 1.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// An index, chosen with the probability of its share; the shares sum to 1.
    pub fn choose(&mut self, shares: &[f64]) -> usize {
        let mut left = self.unit();
        for (index, share) in shares.iter().enumerate() {
            left -= share;
            if left < 0.0 {
                return index;
            }
        }
        shares.len().saturating_sub(1)
    }

    /// Shuffles a list.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            list.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_means_the_same_for_ever() {
        // The published test vector of splitmix64.
        let mut rng = Rng::new(1_234_567);
        assert_eq!([rng.bits(), rng.bits()], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
    }

    #[test]
    fn shuffling_keeps_everything_and_favours_nothing() {
        let mut rng = Rng::new(7);
        let mut first = [0; 5];
        for _ in 0..5000 {
            let mut list = [0, 1, 2, 3, 4];
            rng.shuffle(&mut list);
            first[list[0]] += 1;
            list.sort_unstable();
            assert_eq!(list, [0, 1, 2, 3, 4]);
        }
        assert!(first.iter().all(|count| (850..1150).contains(count)), "{first:?}");
        assert_eq!(rng.below(0), 0);
        assert!((0..1000).all(|_| (0.0..1.0).contains(&rng.unit())));
    }
}
