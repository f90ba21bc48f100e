//! `merge` and `shuffle`: combine files of games into one.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use data::reshape::{self, Moved};

/// The arguments of `merge`.
#[derive(Args, Clone, Debug)]
pub(crate) struct MergeArguments {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The file to write
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,
}

/// The arguments of `shuffle`.
#[derive(Args, Clone, Debug)]
pub(crate) struct ShuffleArguments {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The file to write
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,
    /// The seed of the order
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Megabytes of games to hold in memory; the rest goes through files beside the output
    #[arg(long, value_name = "MB", default_value_t = 1024)]
    pub memory: u64,
}

pub(crate) fn merge(arguments: &MergeArguments) -> Result<()> {
    tell(&reshape::merge(&arguments.files, &arguments.output)?);
    Ok(())
}

pub(crate) fn shuffle(arguments: &ShuffleArguments) -> Result<()> {
    let memory = arguments.memory.saturating_mul(1 << 20);
    tell(&reshape::shuffle(&arguments.files, &arguments.output, arguments.seed, memory)?);
    Ok(())
}

fn tell(moved: &Moved) {
    moved.left_out.iter().for_each(|text| eprintln!("warning: {text}, left out"));
    println!("{} games, {} positions", moved.games, moved.positions);
}
