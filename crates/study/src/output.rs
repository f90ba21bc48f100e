//! The options of long studies: where their results are stored and where the report goes.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use serde_json::Value;
use toolkit::chart::BarChart;

use crate::journal::Journal;

/// The arguments that all such studies share.
#[derive(Args, Clone, Debug)]
pub(crate) struct OutputArguments {
    /// The file to keep results in; ablation.jsonl or ladder.jsonl unless given
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Resume the measurement in that file
    #[arg(long)]
    resume: bool,
    /// Also write the table to this file
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// Write the chart to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// Without a terminal, print the score every N games
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) every: usize,
}

impl OutputArguments {
    /// Checks that the report can be written, before hours of games.
    pub(crate) fn check(&self) -> Result<()> {
        self.markdown.iter().chain(&self.svg).try_for_each(|path| toolkit::files::check(path))
    }

    /// The journal of the named study, described by `header`.
    pub(crate) fn journal(&self, name: &str, header: &Value) -> Result<Journal> {
        let usual = PathBuf::from(format!("{name}.jsonl"));
        Journal::open(self.state.as_ref().unwrap_or(&usual), header, self.resume)
    }

    /// Writes the report to the files asked for.
    pub(crate) fn write(&self, table: &str, chart: &BarChart) -> Result<()> {
        if let Some(path) = &self.markdown {
            toolkit::files::replace(path, table)?;
        }
        if let Some(path) = &self.svg {
            toolkit::files::replace(path, chart.render())?;
        }
        Ok(())
    }
}
