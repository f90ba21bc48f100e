//! Playing weaker on purpose, by human means: less is seen, and what is seen is judged less sharply.
//!
//! The weaker the player, the fewer nodes it may visit and the wider the error of its judgement: each of the best lines gets a
//! random bonus before one is chosen, the "oracle" of Ronald de Man. A decided game is played out without error, so even the
//! weakest level mates when it sees how.

use chess::zobrist::splitmix;

use crate::score;
use crate::search::root::RootMove;

/// The weakest and the strongest rating that can be asked for.
pub const ELO_RANGE: std::ops::RangeInclusive<u16> = 800..=2850;

/// How many lines a handicapped player weighs against each other.
pub(crate) const LINES: usize = 5;

/// What a player of some rating may do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Handicap {
    /// Nodes for each move.
    pub(crate) nodes: u64,
    /// The standard deviation of its judgement, in centipawns.
    error: f64,
}

impl Handicap {
    pub(crate) fn new(elo: u16) -> Handicap {
        let (low, high) = (f64::from(*ELO_RANGE.start()), f64::from(*ELO_RANGE.end()));
        let strength = ((f64::from(elo) - low) / (high - low)).clamp(0.0, 1.0);
        Handicap { nodes: (60.0 * 10_f64.powf(3.7 * strength)) as u64, error: 160.0 * (1.0 - strength).powf(1.5) }
    }

    /// The line to play, by its place among the best ones; `seed` makes the same position give the same choice.
    pub(crate) fn choose(&self, lines: &[RootMove], seed: u64) -> usize {
        let Some(best) = lines.first() else { return 0 };
        if score::is_decisive(best.shown_score()) {
            return 0;
        }
        let judged = |index: usize, line: &RootMove| {
            let known = line.shown_score();
            f64::from(known) + self.error * normal(splitmix(seed ^ splitmix(index as u64)))
        };
        let lines = lines.iter().take(LINES).enumerate().filter(|(_, line)| line.shown_score() > -score::INFINITE);
        let judged = lines.map(|(index, line)| (index, judged(index, line)));
        judged.max_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(index, _)| index)
    }
}

/// A normally distributed number from a random word: the sum of its bytes is close enough to a bell.
pub(crate) fn normal(word: u64) -> f64 {
    let sum: i32 = word.to_le_bytes().into_iter().map(i32::from).sum();
    (f64::from(sum) - 8.0 * 127.5) / (8.0_f64 * 256.0 * 256.0 / 12.0).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stronger_players_see_more_and_err_less() {
        let levels = [800, 1200, 1800, 2400, 2850].map(Handicap::new);
        for pair in levels.windows(2) {
            assert!(pair[0].nodes < pair[1].nodes && pair[0].error > pair[1].error);
        }
        assert_eq!(Handicap::new(0).nodes, levels[0].nodes);
    }

    #[test]
    fn errors_are_centred_and_as_wide_as_said() {
        let numbers: Vec<f64> = (0..20_000).map(|n| normal(splitmix(n))).collect();
        let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
        let variance = numbers.iter().map(|n| n * n).sum::<f64>() / numbers.len() as f64;
        assert!(mean.abs() < 0.03 && (variance - 1.0).abs() < 0.05, "{mean} {variance}");
    }
}
