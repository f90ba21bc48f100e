//! Move ordering statistics, counted while searching. Only in builds with the feature `stats`.
//!
//! The measure of ordering is the share of cutoffs by the first move tried: with perfect ordering it would be all of
//! them, and the tree as small as possible.

use std::fmt;

use super::picker::Stage;

/// Counts of one group of nodes that were cut off.
#[derive(Clone, Copy, Default, Debug)]
struct Group {
    cutoffs: u64,
    first: u64,
    index_sum: u64,
}

impl Group {
    fn add(&mut self, index: usize) {
        self.cutoffs += 1;
        self.first += u64::from(index == 1);
        self.index_sum += index as u64;
    }

    fn merge(&mut self, other: &Group) {
        self.cutoffs += other.cutoffs;
        self.first += other.first;
        self.index_sum += other.index_sum;
    }

    fn row(&self, f: &mut fmt::Formatter<'_>, name: &str, all: u64) -> fmt::Result {
        let per = |part: u64, whole: u64| part as f64 * 100.0 / whole.max(1) as f64;
        let mean = self.index_sum as f64 / self.cutoffs.max(1) as f64;
        let (share, first) = (per(self.cutoffs, all), per(self.first, self.cutoffs));
        writeln!(f, "{name:<16}{:>12}{share:>9.2}{first:>12.2}{mean:>12.3}", self.cutoffs)
    }
}

const DEPTHS: usize = 20;
const STAGES: [(&str, &[Stage]); 9] = [
    ("hash", &[Stage::MainHash, Stage::EvasionHash]),
    ("good noisy", &[Stage::GoodNoisy]),
    ("mate killer", &[Stage::MateKiller]),
    ("killer 1", &[Stage::FirstKiller]),
    ("killer 2", &[Stage::SecondKiller]),
    ("countermove", &[Stage::Countermove]),
    ("quiet", &[Stage::Quiet]),
    ("bad noisy", &[Stage::BadNoisy]),
    ("evasion", &[Stage::Evasion]),
];
const NODE_TYPES: [&str; 3] = ["PV", "cut", "all"];

/// All counts of one or several searches; quiescence is left out.
#[derive(Clone, Default, Debug)]
pub struct Stats {
    by_type: [Group; 3],
    by_stage: [Group; STAGES.len()],
    by_depth: [Group; DEPTHS],
    /// Nodes of the main search, by type.
    nodes: [u64; 3],
    quiescence: u64,
    /// The sum of the logarithms of the tree's growth from iteration to iteration, and their number.
    growth: f64,
    iterations: u64,
}

fn node_type(pv: bool, cut_node: bool) -> usize {
    match (pv, cut_node) {
        (true, _) => 0,
        (false, true) => 1,
        (false, false) => 2,
    }
}

impl Stats {
    pub(crate) fn visit(&mut self, pv: bool, cut_node: bool) {
        self.nodes[node_type(pv, cut_node)] += 1;
    }

    pub(crate) fn visit_quiescence(&mut self) {
        self.quiescence += 1;
    }

    pub(crate) fn cutoff(&mut self, pv: bool, cut_node: bool, depth: i32, index: usize, stage: Stage) {
        self.by_type[node_type(pv, cut_node)].add(index);
        self.by_depth[(depth.max(0) as usize).min(DEPTHS - 1)].add(index);
        if let Some(place) = STAGES.iter().position(|(_, stages)| stages.contains(&stage)) {
            self.by_stage[place].add(index);
        }
    }

    /// An iteration took `nodes`, the one before `previous`.
    pub(crate) fn iteration(&mut self, nodes: u64, previous: u64) {
        if previous > 0 && nodes > 0 {
            self.growth += (nodes as f64 / previous as f64).ln();
            self.iterations += 1;
        }
    }

    /// Adds the counts of another search.
    pub fn merge(&mut self, other: &Stats) {
        let pairs = self.by_type.iter_mut().zip(&other.by_type);
        let pairs = pairs.chain(self.by_stage.iter_mut().zip(&other.by_stage));
        for (mine, theirs) in pairs.chain(self.by_depth.iter_mut().zip(&other.by_depth)) {
            mine.merge(theirs);
        }
        self.nodes.iter_mut().zip(other.nodes).for_each(|(mine, theirs)| *mine += theirs);
        self.quiescence += other.quiescence;
        self.growth += other.growth;
        self.iterations += other.iterations;
    }

    /// The share of cutoffs by the first move, from 0 to 1.
    #[must_use]
    pub fn first_move_share(&self) -> f64 {
        let (first, all) = self.by_type.iter().fold((0, 0), |(first, all), g| (first + g.first, all + g.cutoffs));
        first as f64 / all.max(1) as f64
    }

    /// Which move cut off, on average: 1 would be perfect.
    #[must_use]
    pub fn mean_cutoff_index(&self) -> f64 {
        let (sum, all) = self.by_type.iter().fold((0, 0), |(sum, all), g| (sum + g.index_sum, all + g.cutoffs));
        sum as f64 / all.max(1) as f64
    }

    /// By what factor the tree grows from one iteration to the next.
    #[must_use]
    pub fn branching_factor(&self) -> f64 {
        (self.growth / self.iterations.max(1) as f64).exp()
    }
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut total = Group::default();
        self.by_type.iter().for_each(|group| total.merge(group));
        writeln!(f, "{:<16}{:>12}{:>9}{:>12}{:>12}", "cutoffs", "number", "share %", "by first %", "mean index")?;
        total.row(f, "all nodes", total.cutoffs)?;
        for (name, group) in NODE_TYPES.iter().zip(&self.by_type) {
            group.row(f, &format!("{name} nodes"), total.cutoffs)?;
        }
        writeln!(f, "by the stage that cut off")?;
        for ((name, _), group) in STAGES.iter().zip(&self.by_stage) {
            group.row(f, &format!("  {name}"), total.cutoffs)?;
        }
        writeln!(f, "by remaining depth")?;
        for (depth, group) in self.by_depth.iter().enumerate().filter(|(_, group)| group.cutoffs > 0) {
            let more = if depth == DEPTHS - 1 { "+" } else { "" };
            group.row(f, &format!("  {depth}{more}"), total.cutoffs)?;
        }
        let main: u64 = self.nodes.iter().sum();
        for (name, nodes) in NODE_TYPES.iter().zip(self.nodes) {
            writeln!(
                f,
                "{name} nodes: {nodes} ({:.2} % of the main search)",
                nodes as f64 * 100.0 / main.max(1) as f64
            )?;
        }
        writeln!(f, "quiescence nodes: {}", self.quiescence)?;
        writeln!(f, "effective branching factor: {:.3}", self.branching_factor())
    }
}
