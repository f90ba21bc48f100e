//! Drives the loop: runs one stage after another and records each result.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail};

use crate::lineage::{self, Generation, Score};
use crate::recipe::Recipe;
use crate::stage::{self, Means, Places};
use crate::state::{Stage, State};
use crate::{board, page};

/// The totals of a generation's games.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// Games.
    pub games: u64,
    /// Positions in them.
    pub positions: u64,
    /// Drawn games.
    pub draws: u64,
}

/// Runs the commands. The laboratory implements it; tests use something quicker.
pub trait Laboratory {
    /// Runs a command to its end, or until it is interrupted.
    ///
    /// # Errors
    /// Those of the command.
    fn run(&mut self, command: &[String]) -> Result<()>;

    /// Counts the games of a file.
    ///
    /// # Errors
    /// If it cannot be read.
    fn count(&mut self, games: &Path) -> Result<Tally>;

    /// Whether the user wants to stop.
    fn is_interrupted(&self) -> bool;
}

/// A loop in a directory.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The directory, which holds everything.
    pub directory: PathBuf,
    /// The recipe file. The default, `recipe.toml` in the directory, is created with the default settings if it does
    /// not exist.
    pub recipe: Option<PathBuf>,
    /// The engine program.
    pub engine: PathBuf,
    /// The initial network; the engine's own if there is none.
    pub network: Option<PathBuf>,
    /// Stop after this many generations in total.
    pub generations: Option<u32>,
    /// Threads.
    pub threads: usize,
    /// The seed.
    pub seed: u64,
}

/// How a loop ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// All requested generations are done.
    Done,
    /// It was interrupted; the next call continues from there.
    Interrupted,
}

impl Loop {
    /// Runs the loop from its saved state.
    ///
    /// # Errors
    /// If the directory, the recipe or a command fails. Nothing is lost: the same call continues.
    pub fn run(&self, laboratory: &mut dyn Laboratory) -> Result<Outcome> {
        fs::create_dir_all(&self.directory).with_context(|| format!("cannot make {}", self.directory.display()))?;
        let _lock = self.lock()?;
        let recipe_path = self.recipe()?;
        let mut state = self.begin()?;
        let places = Places::new(&self.directory);
        let means = Means { engine: self.engine.clone(), threads: self.threads.max(1), seed: self.seed };
        loop {
            let done = lineage::read(&self.directory)?;
            page::write(&self.directory, &done, &state)?;
            if self.generations.is_some_and(|most| state.generation > most) {
                eprint!("{}", board::render(&done, None));
                return Ok(Outcome::Done);
            }
            eprint!("{}", board::render(&done, Some(&state)));
            // Read again each time, so that it can be edited while the loop runs.
            let recipe = Recipe::read(&recipe_path)?;
            if state.stage == Stage::Judge {
                let generation = judge(&recipe, &state, &places, &means, laboratory)?;
                lineage::add(&self.directory, &generation)?;
                if generation.promoted {
                    state.champion = generation.network.clone();
                }
                state = State { generation: state.generation + 1, stage: Stage::Play, seconds: [0.0; 4], ..state };
                state.write(&self.directory)?;
                continue;
            }
            let begin = Instant::now();
            let skipped = state.stage == Stage::Clock && !is_won(&places, &state, Stage::Nodes)?;
            fs::create_dir_all(places.generation(state.generation))?;
            for command in stage::commands(&recipe, &state, &places, &means) {
                if skipped {
                    break;
                }
                eprintln!("{}: {}", state.stage.name(), stage::as_line(&command));
                let outcome = laboratory.run(&command);
                if laboratory.is_interrupted() {
                    state.take_time(begin.elapsed().as_secs_f64());
                    state.write(&self.directory)?;
                    return Ok(Outcome::Interrupted);
                }
                outcome.with_context(|| format!("{} failed in generation {}", state.stage.name(), state.generation))?;
            }
            state.take_time(begin.elapsed().as_secs_f64());
            state.stage = state.stage.next();
            state.write(&self.directory)?;
        }
    }

    /// Locks the directory: two loops in it would corrupt each other's files.
    fn lock(&self) -> Result<File> {
        let path = self.directory.join("lock");
        let file = File::create(&path).with_context(|| format!("cannot make {}", path.display()))?;
        if file.try_lock().is_err() {
            bail!("another loop is running in {}", self.directory.display());
        }
        Ok(file)
    }

    fn recipe(&self) -> Result<PathBuf> {
        if let Some(path) = &self.recipe {
            Recipe::read(path)?;
            return Ok(path.clone());
        }
        let path = self.directory.join("recipe.toml");
        if !path.exists() {
            toolkit::files::replace(&path, Recipe::default().to_text()?)?;
            eprintln!("made {} with the defaults", path.display());
        }
        Recipe::read(&path)?;
        Ok(path)
    }

    fn begin(&self) -> Result<State> {
        if let Some(state) = State::read(&self.directory)? {
            return Ok(state);
        }
        let champion = match &self.network {
            None => String::new(),
            Some(path) => {
                let name = "first.nnue";
                fs::copy(path, self.directory.join(name)).with_context(|| format!("cannot copy {}", path.display()))?;
                name.to_owned()
            }
        };
        let state = State::new(champion);
        state.write(&self.directory)?;
        Ok(state)
    }
}

fn is_won(places: &Places, state: &State, stage: Stage) -> Result<bool> {
    Ok(Score::read(&places.match_file(state.generation, stage, "json"))?.is_won())
}

/// Judges the generation that has just been matched.
fn judge(
    recipe: &Recipe,
    state: &State,
    places: &Places,
    means: &Means,
    laboratory: &mut dyn Laboratory,
) -> Result<Generation> {
    let score = |stage| {
        let path = places.match_file(state.generation, stage, "json");
        if path.exists() { Score::read(&path).map(Some) } else { Ok(None) }
    };
    let (nodes, clock) = (score(Stage::Nodes)?, score(Stage::Clock)?);
    let won = |score: &Option<Score>| score.as_ref().is_some_and(Score::is_won);
    let promoted = won(&nodes) && (recipe.matches.clock.is_empty() || won(&clock));
    let mut tally = Tally::default();
    for file in places.games(state.generation).iter().filter(|file| file.exists()) {
        let of_file = laboratory.count(file)?;
        tally.games += of_file.games;
        tally.positions += of_file.positions;
        tally.draws += of_file.draws;
    }
    let stages = [Stage::Play, Stage::Train, Stage::Nodes, Stage::Clock];
    let commands = stages.into_iter().flat_map(|stage| {
        let state = State { stage, ..state.clone() };
        stage::commands(recipe, &state, places, means)
    });
    let relative = |path: PathBuf| path.strip_prefix(places.root()).map_or(path.clone(), Path::to_owned);
    Ok(Generation {
        generation: state.generation,
        champion: state.champion.clone(),
        network: relative(places.network(state.generation)).display().to_string(),
        commands: commands.map(|command| stage::as_line(&command)).collect(),
        positions: tally.positions,
        draws: (tally.games > 0).then(|| tally.draws as f64 / tally.games as f64),
        loss: held_out_losses(&places.training(state.generation).join("loss.csv")),
        nodes,
        clock,
        promoted,
        seconds: state.seconds,
    })
}

/// The column of held-out losses in a training run's curve. A missing curve must not lose the generation.
fn held_out_losses(path: &Path) -> Vec<f64> {
    let text = fs::read_to_string(path).unwrap_or_default();
    let mut lines = text.lines();
    let Some(column) = lines.next().and_then(|head| head.split(',').position(|name| name == "validation_loss")) else {
        return Vec::new();
    };
    lines.filter_map(|line| line.split(',').nth(column)?.parse().ok()).collect()
}
