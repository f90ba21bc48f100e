//! The progress of a loop: one small JSON file, replaced atomically, so that a kill leaves the old state or the new
//! one.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

/// The stages of a generation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Stage {
    /// The champion plays itself.
    Play,
    /// A candidate is trained.
    Train,
    /// The candidate plays the champion at fixed nodes.
    Nodes,
    /// The candidate plays the champion on the clock.
    Clock,
    /// The result is recorded and a winner promoted.
    Judge,
}

impl Stage {
    pub(crate) fn next(self) -> Stage {
        match self {
            Stage::Play => Stage::Train,
            Stage::Train => Stage::Nodes,
            Stage::Nodes => Stage::Clock,
            Stage::Clock | Stage::Judge => Stage::Judge,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Stage::Play => "playing",
            Stage::Train => "training",
            Stage::Nodes => "match at fixed nodes",
            Stage::Clock => "match at the clock",
            Stage::Judge => "judging",
        }
    }
}

/// Everything that must survive a kill, besides the files the commands keep themselves.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct State {
    /// The current generation, from 1.
    pub(crate) generation: u32,
    /// Its current stage.
    pub(crate) stage: Stage,
    /// The champion's network, as a value of the engine's `EvalFile`: a file in the directory, or empty for the
    /// engine's own.
    pub(crate) champion: String,
    /// Seconds each stage of this generation has taken so far.
    #[serde(default)]
    pub(crate) seconds: [f64; 4],
}

impl State {
    /// The state at the start of the first generation.
    pub(crate) fn new(champion: String) -> State {
        State { generation: 1, stage: Stage::Play, champion, seconds: [0.0; 4] }
    }

    /// The state in a directory, if there is one.
    pub(crate) fn read(directory: &Path) -> Result<Option<State>> {
        let path = directory.join(FILE);
        if !path.exists() {
            return Ok(None);
        }
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        serde_json::from_str(&text).with_context(|| format!("{} is not the state of a loop", path.display())).map(Some)
    }

    pub(crate) fn write(&self, directory: &Path) -> Result<()> {
        toolkit::files::replace(&directory.join(FILE), serde_json::to_string_pretty(self)?)
    }

    pub(crate) fn take_time(&mut self, seconds: f64) {
        if let Some(sum) = self.seconds.get_mut(self.stage as usize) {
            *sum += seconds;
        }
    }
}

const FILE: &str = "state.json";
