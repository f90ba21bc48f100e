//! Which factors are high and which are low in each run of a screening (Plackett and Burman, 1946).
//!
//! Half of the runs have a factor high, half have it low, and among each half every other factor is again high and low
//! equally often. So a single set of runs measures all factors at once, each as exactly as if all runs served it alone.
//! The effects of pairs of factors are mixed in, which is the price.

/// The levels of `factors` factors in each run: true is high. There are a few more runs than factors. [run][factor]
pub(super) fn runs(factors: usize) -> Vec<Vec<bool>> {
    // The construction of Paley: squares modulo a prime that is 3 modulo 4.
    let prime = (factors.max(3)..).find(|&number| number % 4 == 3 && is_prime(number)).unwrap_or(3);
    let mut is_square = vec![false; prime];
    (1..prime).for_each(|number| is_square[number * number % prime] = true);
    let level = |run: usize, factor: usize| factor == run || is_square[(factor + prime - run) % prime];
    let row = |run: usize| (0..factors).map(|factor| run < prime && level(run, factor)).collect();
    (0..=prime).map(row).collect()
}

fn is_prime(number: usize) -> bool {
    number > 1
        && (2..number).take_while(|divisor| divisor * divisor <= number).all(|divisor| !number.is_multiple_of(divisor))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_factor_is_balanced_against_every_other() {
        for factors in [1, 2, 3, 7, 12, 20, 47] {
            let runs = runs(factors);
            assert!(runs.len() > factors && runs.len() <= factors + 16, "{} runs for {factors}", runs.len());
            for factor in 0..factors {
                assert_eq!(2 * runs.iter().filter(|levels| levels[factor]).count(), runs.len(), "{factor}");
                for other in 0..factor {
                    let alike = runs.iter().filter(|levels| levels[factor] == levels[other]).count();
                    assert_eq!(2 * alike, runs.len(), "{factor} and {other} of {factors}");
                }
            }
        }
    }
}
