//! The results for one switch.

use crate::subject::{Bench, Tunable};
use arena::report::table;
use arena::stats::{Estimate, Games, Pairs};

/// One switch and its results.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) switch: Tunable,
    /// The bench of the unchanged engine, at the same depth as the other.
    pub(super) full: Option<Bench>,
    /// The bench with the switch flipped.
    pub(super) changed: Option<Bench>,
    /// Losses, draws and wins of the unchanged engine.
    pub(super) games: Games,
    pub(super) pairs: Pairs,
    pub(super) faults: u64,
}

impl Row {
    /// Elo gained by having the switch on, whatever its default.
    pub(super) fn worth(&self) -> Option<Estimate> {
        if self.games.count() == 0 {
            return None;
        }
        let (games, pairs) =
            if self.is_on() { (self.games, self.pairs) } else { (self.games.reversed(), self.pairs.reversed()) };
        Some(table::elo(&games, &pairs))
    }

    fn is_on(&self) -> bool {
        self.switch.default != 0
    }

    /// The benches with the switch off and on.
    fn benches(&self) -> Option<(Bench, Bench)> {
        let (full, changed) = (self.full?, self.changed?);
        Some(if self.is_on() { (changed, full) } else { (full, changed) })
    }

    /// The ratio of nodes without the switch to nodes with it.
    pub(super) fn nodes_ratio(&self) -> Option<f64> {
        self.benches().map(|(off, on)| off.nodes as f64 / on.nodes.max(1) as f64)
    }

    /// The ratio of time without the switch to time with it.
    pub(super) fn time_ratio(&self) -> Option<f64> {
        self.benches().map(|(off, on)| off.seconds / on.seconds.max(1e-9))
    }

    /// By how many percentage points it raises the share of cutoffs on the first move.
    pub(super) fn first_move_gain(&self) -> Option<f64> {
        self.benches().and_then(|(off, on)| Some(100.0 * (on.first_move_share? - off.first_move_share?)))
    }

    /// The sort key: the worth, or the finite end of its interval.
    pub(super) fn order(&self) -> f64 {
        let known = |estimate: Estimate| {
            [estimate.value, estimate.low, estimate.high].into_iter().find(|value| value.is_finite()).unwrap_or(0.0)
        };
        self.worth().map_or(f64::NEG_INFINITY, known)
    }
}

#[cfg(test)]
pub(super) fn example(name: &str, default: i32, games: [u64; 3]) -> Row {
    let bench = |nodes, seconds, share| Bench { depth: 12, nodes, seconds, first_move_share: Some(share) };
    Row {
        switch: Tunable { name: name.into(), default, min: 0, max: 1, step: 1, is_switch: true },
        full: Some(bench(1000, 2.0, 0.90)),
        changed: Some(bench(1500, 2.5, 0.88)),
        games: arena::stats::Results(games),
        pairs: Pairs::default(),
        faults: 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worth_speaks_for_the_switch_whatever_its_default() {
        let on = example("a", 1, [20, 40, 40]);
        assert!(on.worth().expect("games").value > 0.0, "the engine with it wins");
        assert_eq!((on.nodes_ratio(), on.time_ratio()), (Some(1.5), Some(1.25)));
        assert!((on.first_move_gain().expect("shares") - 2.0).abs() < 1e-9);
        let off = example("b", 0, [20, 40, 40]);
        assert!(off.worth().expect("games").value < 0.0, "the engine without it wins");
        assert_eq!(off.nodes_ratio(), Some(1000.0 / 1500.0));
        assert!((off.first_move_gain().expect("shares") + 2.0).abs() < 1e-9);
        let nothing = Row { full: None, ..example("c", 1, [0; 3]) };
        assert!(nothing.worth().is_none() && nothing.nodes_ratio().is_none());
        assert!(example("d", 1, [0, 0, 50]).order().is_finite(), "all won");
    }
}
