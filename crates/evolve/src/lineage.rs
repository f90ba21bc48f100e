//! The record of all generations and their results: a file of JSON lines that is only ever appended to.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;

const FILE: &str = "lineage.jsonl";

/// The result of a match, as `sprt --json` reports it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Score {
    pub(crate) games: u64,
    pub(crate) elo: Option<f64>,
    pub(crate) error: Option<f64>,
    pub(crate) llr: f64,
    /// `accepted`, `rejected` or `undecided`.
    pub(crate) verdict: String,
}

impl Score {
    /// Reads the file that `sprt --json` wrote.
    pub(crate) fn read(path: &Path) -> Result<Score> {
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        let value: Value = serde_json::from_str(&text).with_context(|| format!("{} is not JSON", path.display()))?;
        let duel = &value["duels"][0];
        let number = |value: &Value| value.as_f64().filter(|number| number.is_finite());
        let error = match (number(&duel["elo"]["low"]), number(&duel["elo"]["high"])) {
            (Some(low), Some(high)) => Some((high - low) / 2.0),
            _ => None,
        };
        Ok(Score {
            games: duel["games"].as_u64().unwrap_or(0),
            elo: number(&duel["elo"]["value"]),
            error,
            llr: number(&value["sprt"]["llr"]).unwrap_or(0.0),
            verdict: value["sprt"]["verdict"].as_str().unwrap_or("undecided").to_owned(),
        })
    }

    /// Whether the candidate advances: accepted, or undecided after all games but with the odds in its favour.
    pub(crate) fn is_won(&self) -> bool {
        self.verdict == "accepted" || (self.verdict == "undecided" && self.llr > 0.0)
    }

    pub(crate) fn words(&self) -> String {
        match (self.elo, self.error) {
            (Some(elo), Some(error)) => format!("{elo:+.0} ± {error:.0} ({}, {} games)", self.verdict, self.games),
            _ => format!("{} ({} games)", self.verdict, self.games),
        }
    }
}

/// One generation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Generation {
    pub(crate) generation: u32,
    /// The network that played the training games and that the candidate was matched against.
    pub(crate) champion: String,
    /// The candidate's network.
    pub(crate) network: String,
    /// The commands, in order, as they were run.
    pub(crate) commands: Vec<String>,
    /// The positions this generation played, and the share of drawn games.
    pub(crate) positions: u64,
    pub(crate) draws: Option<f64>,
    /// The held-out loss after each epoch.
    pub(crate) loss: Vec<f64>,
    pub(crate) nodes: Option<Score>,
    pub(crate) clock: Option<Score>,
    pub(crate) promoted: bool,
    /// Seconds spent on playing, training and the two matches.
    pub(crate) seconds: [f64; 4],
}

impl Generation {
    /// The outcome in two or three words.
    pub(crate) fn verdict(&self) -> &'static str {
        if self.promoted { "promoted" } else { "kept the champion" }
    }

    /// Both matches in words, at fixed nodes and on the clock; a dash for one that was not played.
    pub(crate) fn scores(&self) -> [String; 2] {
        [&self.nodes, &self.clock].map(|score| score.as_ref().map_or_else(|| "–".to_owned(), Score::words))
    }

    /// The Elo difference from the champion, by the match that counts most.
    pub(crate) fn elo(&self) -> Option<(f64, f64)> {
        let score = self.clock.as_ref().or(self.nodes.as_ref())?;
        Some((score.elo?, score.error?))
    }
}

/// All generations of a directory, each once. A kill can leave an incomplete last line, which is skipped.
pub(crate) fn read(directory: &Path) -> Result<Vec<Generation>> {
    let path = directory.join(FILE);
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut list: Vec<Generation> = Vec::new();
    let whole = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
    for (number, line) in whole.enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let generation: Generation =
            serde_json::from_str(line).with_context(|| format!("{}, line {}", path.display(), number + 1))?;
        // A kill between writing this file and the state makes a generation appear twice; the later line counts.
        list.retain(|other| other.generation != generation.generation);
        list.push(generation);
    }
    Ok(list)
}

/// Appends a generation, on a new line even after an incomplete one.
pub(crate) fn add(directory: &Path, generation: &Generation) -> Result<()> {
    let path = directory.join(FILE);
    let cannot = || format!("cannot write {}", path.display());
    let torn = fs::read(&path).is_ok_and(|bytes| bytes.last().is_some_and(|&byte| byte != b'\n'));
    if torn {
        let text = fs::read_to_string(&path).unwrap_or_default();
        let end = text.rfind('\n').map_or(0, |place| place + 1);
        toolkit::files::replace(&path, text.get(..end).unwrap_or_default())?;
    }
    let mut file = OpenOptions::new().create(true).append(true).open(&path).with_context(cannot)?;
    let line = format!("{}\n", serde_json::to_string(generation)?);
    file.write_all(line.as_bytes()).and_then(|()| file.sync_data()).with_context(cannot)
}
