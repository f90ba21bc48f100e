//! `pruning`: measures on logged nodes how often reverse futility pruning would have been wrong, and whether the
//! margins should depend on how much the evaluation can be trusted.
//!
//! A rule that prunes less is wrong less often, so rules are compared where they prune equally many nodes: each one's
//! margins are multiplied by the factor at which it prunes as many as the plain rule.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::Args;
use engine::Bound;
use nnue::arch::QUANTILES;

use data::{JudgeBy, NodeReader};

/// The arguments of `pruning`.
#[derive(Args, Clone, Debug)]
pub(crate) struct PruningArguments {
    /// Nodes that `datagen --log` logged
    #[arg(required = true, value_name = "NODES")]
    pub files: Vec<PathBuf>,
    /// The network whose confidence is measured; the engine's own unless given
    #[arg(long, value_name = "FILE")]
    pub network: Option<PathBuf>,
    /// The margin per ply of depth, in the units of the search
    #[arg(long, value_name = "UNITS", default_value_t = 105.0)]
    pub margin: f64,
    /// The deepest nodes that are pruned
    #[arg(long, value_name = "PLIES", default_value_t = 9)]
    pub depth: i32,
    /// The most nodes to read
    #[arg(long, value_name = "N", default_value_t = 3_000_000)]
    pub limit: usize,
}

/// A node as the rules see it.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    /// By how much the evaluation exceeds beta, per unit of the plain margin.
    surplus: f64,
    /// The size of the correction, in units of the search.
    doubt: f64,
    /// The lower quantile of the confidence relative to its mean.
    downside: f64,
    /// Whether the search failed low: to prune it would have been wrong.
    failed: bool,
}

/// How a rule changes the margin of a node.
type Rule = (&'static str, fn(&Candidate) -> f64);

const RULES: [Rule; 5] = [
    ("the same for all", |_| 1.0),
    ("size of the correction", |node| 1.0 + node.doubt / 100.0),
    ("confidence", |node| node.downside.clamp(0.6, 1.7)),
    ("confidence, half", |node| 0.5 + 0.5 * node.downside.clamp(0.6, 1.7)),
    ("both", |node| (1.0 + node.doubt / 100.0) * node.downside.clamp(0.6, 1.7)),
];

pub(crate) fn run(arguments: &PruningArguments) -> Result<()> {
    let nodes = gather(arguments)?;
    ensure!(!nodes.is_empty(), "there is no node to prune in the files");
    let wanted = nodes.iter().filter(|node| node.surplus >= 1.0).count();
    println!("{} nodes of depth {} or less above beta, {wanted} of them pruned", nodes.len(), arguments.depth);
    println!("{:>8} {:>10} {:>8}  margins", "factor", "wrong", "share");
    for (name, rule) in RULES {
        let (factor, wrong) = wrong_at(&nodes, rule, wanted);
        println!("{factor:>8.3} {wrong:>10} {:>6.2} %  {name}", 100.0 * wrong as f64 / wanted.max(1) as f64);
    }
    Ok(())
}

fn gather(arguments: &PruningArguments) -> Result<Vec<Candidate>> {
    let engine = JudgeBy::named(arguments.network.as_deref())?.engine();
    let network = engine.network();
    let mean = network.and_then(|network| network.confidence()).map(|confidence| confidence.mean());
    let mut nodes = Vec::new();
    for path in &arguments.files {
        for game in NodeReader::open(path)? {
            for node in game?.nodes {
                let surplus = f64::from(node.evals[1] - node.beta) / (arguments.margin * f64::from(node.depth.max(1)));
                // No rule here prunes where the evaluation is lower.
                if surplus < 0.3 || node.depth > arguments.depth {
                    continue;
                }
                let quantiles = network.and_then(|network| network.quantiles(&node.board));
                let downside = |(quantiles, mean): ([i32; QUANTILES.len()], [i32; QUANTILES.len()])| {
                    f64::from(quantiles[0]) / f64::from(mean[0])
                };
                nodes.push(Candidate {
                    surplus,
                    doubt: f64::from((node.evals[1] - node.evals[0]).abs()),
                    downside: quantiles.zip(mean).map_or(1.0, downside),
                    failed: node.bound == Bound::Upper,
                });
                if nodes.len() >= arguments.limit {
                    return Ok(nodes);
                }
            }
        }
    }
    Ok(nodes)
}

/// The factor at which a rule prunes as many nodes as wanted, and how many of them wrongly.
fn wrong_at(nodes: &[Candidate], rule: fn(&Candidate) -> f64, wanted: usize) -> (f64, usize) {
    let mut ranked: Vec<(f64, bool)> = nodes.iter().map(|node| (node.surplus / rule(node), node.failed)).collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    let pruned = &ranked[..wanted.min(ranked.len())];
    (pruned.last().map_or(1.0, |last| last.0), pruned.iter().filter(|node| node.1).count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_that_knows_more_is_wrong_less_often_at_the_same_rate() {
        // Every other node is doubtful, and doubtful nodes fail unless they are far above beta.
        let node = |index: i32| {
            let (surplus, unsure) = (0.4 + f64::from(index) / 1000.0, index % 2 == 0);
            let (doubt, downside) = if unsure { (100.0, 1.6) } else { (0.0, 0.8) };
            Candidate { surplus, doubt, downside, failed: unsure && surplus < 2.0 }
        };
        let nodes: Vec<Candidate> = (0..3000).map(node).collect();
        let wanted = nodes.iter().filter(|node| node.surplus >= 1.0).count();
        let found = RULES.map(|(_, rule)| wrong_at(&nodes, rule, wanted));
        assert!((found[0].0 - 1.0).abs() < 0.01 && found[0].1 == 500, "{found:?}");
        assert!(found[1].1 < 350 && found[2].1 < 350, "either helps: {found:?}");
        assert!(found[3].1 > found[2].1 && found[4].1 < found[1].1, "half of it less, and both more: {found:?}");
    }
}
