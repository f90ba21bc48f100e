//! How far a loop is: one small JSON file, replaced whole, so that a kill leaves the old state or the new one.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

/// What a generation is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Stage {
    /// The champion plays itself.
    Play,
    /// A candidate learns.
    Train,
    /// The candidate meets the champion at fixed nodes.
    Nodes,
    /// The candidate meets the champion at the clock.
    Clock,
    /// The result is written down and the winner promoted.
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

/// All that has to survive a kill, besides the files the commands keep themselves.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct State {
    /// The generation that is being made, from 1 on.
    pub(crate) generation: u32,
    /// What it is doing.
    pub(crate) stage: Stage,
    /// The champion's network, as the engine's `EvalFile` takes it: a file in the directory, or empty for the engine's own.
    pub(crate) champion: String,
    /// Seconds that each stage of this generation took so far.
    #[serde(default)]
    pub(crate) seconds: [f64; 4],
}

impl State {
    /// Where the first generation begins.
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
