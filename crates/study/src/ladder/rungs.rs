//! The roadmap as a ladder: each rung lists what it adds to the one below, as switches of the engine.
//!
//! The lowest rungs have every switch off. From the rung called `everything` on, the engine has its defaults, so
//! switches that no rung lists come on there.

use std::collections::HashMap;

use crate::subject::{Settings, Tunable};

/// What a rung needs that is not a switch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Need {
    Nothing,
    /// Play does not change, for this reason: the rung is listed but not played.
    SamePlay(&'static str),
    Tablebases,
    Network,
}

/// A rung of the ladder.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rung {
    /// The Elo that the roadmap claims, which is also the rung's name.
    pub(super) claim: u32,
    pub(super) title: &'static str,
    /// Switches that this rung turns on for good.
    pub(super) on: &'static [&'static str],
    /// Switches that this rung turns off again.
    pub(super) off: &'static [&'static str],
    /// Its maximum depth.
    pub(super) depth: Option<u32>,
    pub(super) need: Need,
    /// Whether everything that is on by default is turned on.
    pub(super) everything: bool,
}

const PLAIN: Rung =
    Rung { claim: 0, title: "", on: &[], off: &[], depth: None, need: Need::Nothing, everything: false };

pub(super) const RUNGS: [Rung; 30] = [
    Rung { claim: 800, title: "any legal move", on: &["random_mover"], ..PLAIN },
    Rung { claim: 850, title: "one ply, material", off: &["random_mover"], depth: Some(1), ..PLAIN },
    Rung { claim: 900, title: "two plies", depth: Some(2), ..PLAIN },
    Rung {
        claim: 950,
        title: "the best move of the first ply first",
        on: &["iterative_deepening"],
        depth: Some(2),
        ..PLAIN
    },
    Rung {
        claim: 1000,
        title: "captures first, the best victim first",
        on: &["victim_ordering"],
        depth: Some(2),
        ..PLAIN
    },
    Rung { claim: 1050, title: "mate and stalemate", on: &["game_end"], depth: Some(2), ..PLAIN },
    Rung { claim: 1100, title: "an evaluation at the leaves", on: &["piece_square_eval"], depth: Some(2), ..PLAIN },
    Rung {
        claim: 1150,
        title: "no illegal moves in the tree",
        depth: Some(2),
        need: Need::SamePlay("the generator has no others"),
        ..PLAIN
    },
    Rung { claim: 1200, title: "iterative deepening", ..PLAIN },
    Rung { claim: 1300, title: "alpha-beta", on: &["alpha_beta"], ..PLAIN },
    Rung {
        claim: 1350,
        title: "better ordering: exchanges, killers, threats",
        on: &["exchange_ordering", "killers", "mate_killers", "threat_ordering"],
        ..PLAIN
    },
    Rung { claim: 1400, title: "quiescence", on: &["quiescence", "quiesce_checks"], ..PLAIN },
    Rung { claim: 1450, title: "threats in the evaluation", on: &["threat_eval"], ..PLAIN },
    Rung { claim: 1500, title: "transposition table", on: &["hash_table", "tt_cutoff"], ..PLAIN },
    Rung { claim: 1550, title: "repetition", on: &["repetition", "upcoming_repetition"], ..PLAIN },
    Rung { claim: 1600, title: "late move reductions", on: &["late_move_reduction"], ..PLAIN },
    Rung { claim: 1650, title: "aspiration windows", on: &["aspiration"], ..PLAIN },
    Rung { claim: 1700, title: "extensions", on: &["check_extension", "recapture_extension"], ..PLAIN },
    Rung { claim: 1800, title: "null move", on: &["null_move", "null_verification"], ..PLAIN },
    Rung {
        claim: 1850,
        title: "tuned reductions, histories",
        on: &[
            "tuned_reduction",
            "alpha_reduction",
            "improving_heuristic",
            "piece_to_history",
            "from_to_history",
            "continuation_history",
            "pawn_history",
            "capture_history",
            "countermove",
        ],
        ..PLAIN
    },
    Rung { claim: 1900, title: "principal variation search", on: &["pvs", "iir", "root_by_nodes"], ..PLAIN },
    Rung {
        claim: 1950,
        title: "forward pruning",
        on: &[
            "razoring",
            "reverse_futility",
            "futility",
            "late_move_pruning",
            "history_pruning",
            "probcut",
            "quiesce_pruning",
        ],
        ..PLAIN
    },
    Rung { claim: 2000, title: "tablebases", need: Need::Tablebases, ..PLAIN },
    Rung {
        claim: 2100,
        title: "singular extensions, multi-cut",
        on: &["singular", "double_extension", "negative_extension", "multi_cut", "mate_proof"],
        off: &["check_extension", "recapture_extension"],
        ..PLAIN
    },
    Rung { claim: 2200, title: "the whole evaluation, safety of moves", everything: true, ..PLAIN },
    Rung { claim: 2300, title: "the network evaluates", need: Need::Network, ..PLAIN },
    Rung {
        claim: 2350,
        title: "pruning by the network's confidence",
        on: &["confidence"],
        need: Need::Network,
        ..PLAIN
    },
    Rung {
        claim: 2400,
        title: "the network and the search's own rules together",
        need: Need::SamePlay("they have worked together since the network came"),
        ..PLAIN
    },
    Rung {
        claim: 2500,
        title: "the network predicts moves",
        on: &["policy_selectivity"],
        need: Need::Network,
        ..PLAIN
    },
    Rung { claim: 2600, title: "the network orders moves", on: &["policy_ordering"], need: Need::Network, ..PLAIN },
];

/// The settings of the rung at this index that differ from the engine's defaults. Switches that the engine does not
/// have are left out.
pub(super) fn settings(index: usize, tunables: &[Tunable]) -> Settings {
    let below = RUNGS.get(..=index).unwrap_or(&RUNGS);
    let whole = below.iter().position(|rung| rung.everything);
    let switches = || tunables.iter().filter(|tunable| tunable.is_switch);
    let mut values: HashMap<&str, i32> =
        switches().map(|switch| (switch.name.as_str(), if whole.is_some() { switch.default } else { 0 })).collect();
    let mut set = |names: &[&'static str], value: i32| {
        for name in names {
            if let Some(current) = values.get_mut(*name) {
                *current = value;
            }
        }
    };
    // Switches of higher network rungs stay off, whatever their default.
    RUNGS.iter().skip(index + 1).filter(|rung| rung.need == Need::Network).for_each(|rung| set(rung.on, 0));
    for rung in below.iter().skip(whole.map_or(0, |place| place + 1)) {
        set(rung.on, 1);
        set(rung.off, 0);
    }
    let changed = |switch: &Tunable| {
        let value = *values.get(switch.name.as_str())?;
        (value != switch.default).then(|| (switch.name.clone(), value))
    };
    switches().filter_map(changed).collect()
}

/// The switches of a rung that the engine does not have.
pub(super) fn missing(rung: &Rung, tunables: &[Tunable]) -> Vec<&'static str> {
    let known = |name: &str| tunables.iter().any(|tunable| tunable.is_switch && tunable.name == name);
    rung.on.iter().chain(rung.off).copied().filter(|name| !known(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The engine's own list, as the laboratory would receive it.
    fn tunables() -> Vec<Tunable> {
        let own = |tunable: &engine::params::Tunable| Tunable {
            name: tunable.name.to_owned(),
            default: tunable.default,
            min: tunable.min,
            max: tunable.max,
            step: tunable.step,
            is_switch: tunable.is_switch,
        };
        engine::params::ALL.iter().map(own).collect()
    }

    fn index(claim: u32) -> usize {
        RUNGS.iter().position(|rung| rung.claim == claim).expect("a rung")
    }

    #[test]
    fn the_engine_has_every_switch_that_a_rung_names() {
        for rung in &RUNGS {
            assert_eq!(missing(rung, &tunables()), Vec::<&str>::new(), "{}", rung.title);
        }
        assert!(RUNGS.windows(2).all(|pair| pair[0].claim < pair[1].claim));
    }

    #[test]
    fn rungs_add_up_to_the_engine_as_it_is() {
        let tunables = tunables();
        let at = |claim| settings(index(claim), &tunables);
        assert_eq!(at(2200), [], "nothing is changed");
        let has = |claim, name: &str, value| at(claim).contains(&(name.to_owned(), value));
        assert!(has(800, "random_mover", 1) && !has(850, "random_mover", 1));
        assert!(has(1200, "alpha_beta", 0) && !has(1300, "alpha_beta", 0));
        assert!(has(1800, "check_extension", 1) && !has(2100, "check_extension", 1));
        // Each rung differs from the one below, unless the difference is not in a switch.
        for place in 1..=index(2200) {
            let same = settings(place, &tunables) == settings(place - 1, &tunables);
            let by_other_means = RUNGS[place].need != Need::Nothing || RUNGS[place].depth != RUNGS[place - 1].depth;
            assert_eq!(same, by_other_means && RUNGS[place].on.is_empty() && RUNGS[place].off.is_empty(), "{place}");
        }
    }

    #[test]
    fn what_comes_above_is_off_below() {
        let mut tunables = tunables();
        let switch = |name: &str| Tunable { name: name.into(), default: 1, min: 0, max: 1, step: 1, is_switch: true };
        tunables.push(switch("brand_new"));
        if let Some(tunable) = tunables.iter_mut().find(|tunable| tunable.name == "policy_selectivity") {
            tunable.default = 1;
        }
        let at = |claim| settings(index(claim), &tunables);
        let (off, sure) = (("policy_selectivity".to_owned(), 0), ("confidence".to_owned(), 1));
        assert_eq!(at(2200), std::slice::from_ref(&off));
        assert_eq!(at(2350), [off, sure.clone()]);
        assert_eq!(at(2500), [sure]);
        assert!(at(1500).contains(&("brand_new".to_owned(), 0)), "a switch without a rung comes with the whole engine");
    }
}
