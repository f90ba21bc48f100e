//! What moves are worth by a deeper search, and what a choice of moves gives away.

use std::collections::BTreeMap;

use uci::Score;

/// A position: the number of its game, and its ply there.
pub(super) type Place = (usize, usize);

/// The expected results of the moves that were ever chosen in a position, by the move's text.
pub(super) type Worth = BTreeMap<String, f64>;

/// The moves that a variant chose in a position, one for each checkpoint.
pub(super) type Choice = Vec<String>;

/// How many centipawns make one unit of the logistic scale of expected results.
const SCALE: f64 = 100.0;

/// The expected result, from 0 to 1, of a score.
pub(super) fn expected(score: Score) -> f64 {
    match score {
        Score::Centipawns(value) => 1.0 / (1.0 + (-f64::from(value) / SCALE).exp()),
        Score::Mate(moves) if moves > 0 => 1.0,
        Score::Mate(_) => 0.0,
    }
}

/// How much the moves of a choice give away on average, compared with the best move known.
pub(super) fn regret(choice: &Choice, worth: &Worth) -> f64 {
    let best = worth.values().copied().fold(f64::NEG_INFINITY, f64::max);
    let given = choice.iter().map(|mv| worth.get(mv).map_or(0.0, |value| best - value));
    given.sum::<f64>() / choice.len().max(1) as f64
}

/// A mean over positions, with its standard error. Positions of one game are not independent, so games are the units.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Mean {
    pub(super) value: f64,
    pub(super) error: f64,
}

impl Mean {
    /// The mean of a number for each position.
    pub(super) fn of(numbers: &BTreeMap<Place, f64>) -> Mean {
        let mut games: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
        for ((game, _), number) in numbers {
            let (sum, count) = games.entry(*game).or_default();
            *sum += number;
            *count += 1.0;
        }
        let count = numbers.len().max(1) as f64;
        let value = numbers.values().sum::<f64>() / count;
        let square: f64 = games.values().map(|(sum, count)| (sum - value * count).powi(2)).sum();
        let units = games.len() as f64;
        Mean { value, error: (square * units / (units - 1.0).max(1.0)).sqrt() / count }
    }

    /// How many standard errors it is from zero.
    pub(super) fn z(&self) -> f64 {
        if self.error > 0.0 { self.value / self.error } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_gives_away_what_it_falls_short_of_the_best() {
        let worth = Worth::from([("e2e4".into(), 0.6), ("d2d4".into(), 0.5), ("f2f3".into(), 0.2)]);
        let choice = |moves: &[&str]| moves.iter().map(|mv| (*mv).to_owned()).collect::<Choice>();
        assert!(regret(&choice(&["e2e4", "e2e4"]), &worth).abs() < 1e-12);
        assert!((regret(&choice(&["f2f3", "d2d4", "e2e4", "e2e4"]), &worth) - 0.125).abs() < 1e-12);
        assert!(regret(&choice(&["e2e4"]), &Worth::new()).abs() < 1e-12, "all agreed, so nobody asked");
    }

    #[test]
    fn scores_become_results() {
        let of = |value| expected(Score::Centipawns(value));
        assert!((of(0) - 0.5).abs() < 1e-12 && (of(80) + of(-80) - 1.0).abs() < 1e-12 && of(300) > 0.95);
        assert_eq!([3, -3, 0].map(|moves| expected(Score::Mate(moves))), [1.0, 0.0, 0.0]);
    }

    #[test]
    fn games_are_the_units_of_the_error() {
        // Two games of three equal positions each: the error is that of two numbers.
        let numbers: BTreeMap<Place, f64> =
            (0..2).flat_map(|game| (0..3).map(move |ply| ((game, ply), game as f64))).collect();
        let mean = Mean::of(&numbers);
        assert!((mean.value - 0.5).abs() < 1e-12 && (mean.error - 0.5).abs() < 1e-12, "{mean:?}");
        assert_eq!(Mean::of(&BTreeMap::new()).z(), 0.0);
    }
}
