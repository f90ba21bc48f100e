//! The recipe: what each generation plays, how it trains and how it is judged. It is a TOML file for people to edit.

use std::cmp::Ordering;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

/// The settings of a loop. Every value has a default, so an empty file is a valid recipe.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Recipe {
    /// Self-play.
    pub play: Play,
    /// Training.
    pub train: Train,
    /// The matches of a candidate against the champion.
    #[serde(rename = "match")]
    pub matches: Matches,
}

/// How the games of a generation are played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Play {
    /// Positions each generation adds.
    pub positions: u64,
    /// Begin no iteration after this many nodes.
    pub nodes: u64,
    /// The most nodes a search visits.
    pub hard_nodes: u64,
    /// Random plies at the start of a game from the initial position.
    pub random_plies: u32,
    /// A file of openings for half of the games; without it all games start from the initial position.
    pub book: Option<PathBuf>,
    /// Random plies after a book position.
    pub book_plies: u32,
    /// Syzygy tables for adjudication.
    pub tablebases: Option<PathBuf>,
    /// Additional arguments for `datagen`.
    pub extra: Vec<String>,
}

impl Default for Play {
    fn default() -> Play {
        Play {
            positions: 10_000_000,
            nodes: 1200,
            hard_nodes: 2000,
            random_plies: 8,
            book: None,
            book_plies: 2,
            tablebases: None,
            extra: ["--opening-limit", "250", "--win-score", "1200", "--win-plies", "4"].map(str::to_owned).into(),
        }
    }
}

/// How a network is trained.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Train {
    /// Neurons for each side.
    pub hidden: u32,
    /// Passes over the positions.
    pub epochs: u32,
    /// How many of the newest generations to train on; 0 for all.
    pub generations: u32,
    /// Files of games to train on in every generation, besides the loop's own.
    pub games: Vec<PathBuf>,
    /// Additional arguments for `train`.
    pub extra: Vec<String>,
}

impl Default for Train {
    fn default() -> Train {
        let extra = "--lr 0.001 --final-lr 0.000003 --warmup 200 --wdl 0.2 --final-wdl 0.4 --snap-from 0.8";
        Train {
            hidden: 256,
            epochs: 40,
            generations: 0,
            games: Vec::new(),
            extra: extra.split(' ').map(str::to_owned).collect(),
        }
    }
}

/// How a candidate is judged: first at fixed nodes, which is quick, then on the clock, which counts.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Matches {
    /// Nodes per move in the first match.
    pub nodes: u64,
    /// The time control of the second match; empty for none.
    pub clock: String,
    /// The SPRT bounds, `elo0` and `elo1`.
    pub elo: [f64; 2],
    /// The most pairs of games in each match.
    pub rounds: u32,
    /// The opening book; the laboratory's own unless given.
    pub openings: Option<PathBuf>,
    /// Additional arguments for `sprt`.
    pub extra: Vec<String>,
}

impl Default for Matches {
    fn default() -> Matches {
        Matches {
            nodes: 8000,
            clock: "2+0.02".to_owned(),
            elo: [0.0, 10.0],
            rounds: 1500,
            openings: None,
            extra: ["--draw", "movenumber=40 movecount=8 score=10", "--resign", "movecount=3 score=500 twosided=true"]
                .map(str::to_owned)
                .into(),
        }
    }
}

impl Recipe {
    /// Reads a recipe.
    ///
    /// # Errors
    /// If the file cannot be read, has an unknown key, or asks for something impossible.
    pub fn read(path: &Path) -> Result<Recipe> {
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        Recipe::parse(&text).with_context(|| format!("in the recipe {}", path.display()))
    }

    /// Parses a recipe.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn parse(text: &str) -> Result<Recipe> {
        let recipe: Recipe = toml::from_str(text)?;
        recipe.check()?;
        Ok(recipe)
    }

    fn check(&self) -> Result<()> {
        let Recipe { play, train, matches } = self;
        if play.positions == 0 || play.nodes == 0 || play.hard_nodes < play.nodes {
            bail!("[play] needs positions and nodes, and hard-nodes at least as large as nodes");
        }
        if train.epochs == 0 {
            bail!("[train] needs at least one epoch");
        }
        if matches.nodes == 0 || matches.rounds == 0 {
            bail!("[match] needs nodes and rounds");
        }
        if matches.elo[0].partial_cmp(&matches.elo[1]) != Some(Ordering::Less) {
            bail!("[match] elo needs two numbers, the smaller first");
        }
        Ok(())
    }

    /// The recipe as TOML text, to edit.
    ///
    /// # Errors
    /// If it cannot be written as TOML, which no recipe that was read can cause.
    pub fn to_text(&self) -> Result<String> {
        let body = toml::to_string_pretty(self)?;
        Ok(format!(
            "# The recipe of this loop. Edit it between two generations; docs/EVOLVE.md explains every line.\n\n{body}"
        ))
    }
}
