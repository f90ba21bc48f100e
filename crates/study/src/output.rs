//! Where a study that takes hours keeps its results, and where its report goes.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use serde_json::Value;
use toolkit::chart::BarChart;

use crate::journal::Journal;

/// The arguments that all such studies share.
#[derive(Args, Clone, Debug)]
pub(crate) struct OutputArguments {
    /// Where results are kept; ablation.jsonl or ladder.jsonl unless given
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Go on with the measurement that is kept there
    #[arg(long)]
    resume: bool,
    /// Where the table is written, besides being printed
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// Where the chart is written
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// Without a terminal, show the score every so many games
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) every: usize,
}

impl OutputArguments {
    /// Whether the report can be written where it is wanted. Worth asking before hours of games.
    pub(crate) fn check(&self) -> Result<()> {
        self.markdown.iter().chain(&self.svg).try_for_each(|path| toolkit::files::check(path))
    }

    /// The journal of a study of that name, which `header` describes.
    pub(crate) fn journal(&self, name: &str, header: &Value) -> Result<Journal> {
        let usual = PathBuf::from(format!("{name}.jsonl"));
        Journal::open(self.state.as_ref().unwrap_or(&usual), header, self.resume)
    }

    /// Writes the report where it is wanted.
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
