//! The search effort of the laboratory's own searches: options that several commands share.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use data::rescore::Effort;

/// Nodes, hash table and network.
#[derive(Args, Clone, Debug)]
pub(crate) struct EffortArguments {
    /// Begin no new iteration after this many nodes
    #[arg(long, value_name = "N", default_value_t = 2000)]
    nodes: u64,
    /// The most nodes a search visits; eight times the soft limit unless given
    #[arg(long, value_name = "N")]
    hard_nodes: Option<u64>,
    /// The hash table of each thread in megabytes
    #[arg(long, value_name = "MB", default_value_t = 1)]
    hash: usize,
    /// The network that evaluates, or `<none>` for the hand-crafted evaluation; without it the engine's own
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
}

impl EffortArguments {
    pub(crate) fn effort(&self) -> Result<Effort> {
        Effort::new(self.nodes, self.hard_nodes, self.hash, self.network.as_deref())
    }
}
