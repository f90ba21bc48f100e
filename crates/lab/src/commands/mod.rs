//! The subcommands.

pub(crate) mod assess;
pub(crate) mod datagen;
pub(crate) mod datastat;
mod effort;
pub(crate) mod evolve;
mod guide;
pub(crate) mod play;
pub(crate) mod pruning;
pub(crate) mod rate;
pub(crate) mod relabel;
pub(crate) mod rescore;
pub(crate) mod reshape;
pub(crate) mod sprt;
pub(crate) mod suite;
pub(crate) mod texel;
pub(crate) mod train;
pub(crate) mod wdl;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

/// Writes a result as JSON if a path was given.
fn write_json(path: Option<&Path>, value: &Value) -> Result<()> {
    let Some(path) = path else { return Ok(()) };
    fs::write(path, format!("{value:#}\n")).with_context(|| format!("cannot write {}", path.display()))
}
