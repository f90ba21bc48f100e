//! Playing levels for people: twenty steps from beginner to master, each a rating that the engine can imitate.

use anyhow::Context;

/// The rating of each level, from level 1. The engine's own table maps ratings to weakness.
const ELO: [u16; 20] = [
    800, 900, 1000, 1100, 1200, 1300, 1400, 1500, 1600, 1700, // 1 to 10
    1800, 1900, 2000, 2100, 2200, 2300, 2400, 2550, 2700, 2850, // 11 to 20
];

/// The highest level; the lowest is 1.
pub(crate) const HIGHEST: usize = ELO.len();

/// The rating of a level from 1 to [`HIGHEST`].
pub(crate) fn elo(level: usize) -> anyhow::Result<u16> {
    let elo = level.checked_sub(1).and_then(|index| ELO.get(index).copied());
    elo.with_context(|| format!("there is no level {level}, only 1 to {HIGHEST}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_rise_through_the_whole_range() {
        assert_eq!(elo(1).expect("a level"), *engine::ELO_RANGE.start());
        assert_eq!(elo(HIGHEST).expect("a level"), *engine::ELO_RANGE.end());
        assert!(ELO.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(elo(0).is_err() && elo(HIGHEST + 1).is_err());
    }
}
