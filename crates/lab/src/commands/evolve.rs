//! `evolve`: runs the loop that improves the network, generation after generation.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::{Args, Parser};
use evolve::{Laboratory, Loop, Outcome, Tally};

use data::for_each_record;
use data::statistics::Statistics;

/// The arguments of `evolve`.
#[derive(Args, Clone, Debug)]
pub(crate) struct EvolveArguments {
    /// The directory of the loop. It holds everything; the same command resumes it
    pub directory: PathBuf,
    /// The recipe file; unless given, `recipe.toml` in the directory, which is created with the defaults
    #[arg(long, value_name = "FILE")]
    pub recipe: Option<PathBuf>,
    /// The engine program; the one beside this program unless given
    #[arg(long, value_name = "PROGRAM")]
    pub engine: Option<PathBuf>,
    /// The network of the first champion; the engine's own unless given
    #[arg(long, value_name = "FILE")]
    pub network: Option<PathBuf>,
    /// Stop after this many generations; without it the loop runs until interrupted
    #[arg(long, value_name = "N")]
    pub generations: Option<u32>,
    /// Threads; as many as there are cores unless given
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// The seed of all random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

pub(crate) fn run(arguments: &EvolveArguments) -> Result<()> {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let wheel = Loop {
        directory: arguments.directory.clone(),
        recipe: arguments.recipe.clone(),
        engine: engine(arguments.engine.as_deref())?,
        network: arguments.network.clone(),
        generations: arguments.generations,
        threads: arguments.threads.unwrap_or_else(cores),
        seed: arguments.seed,
    };
    match wheel.run(&mut ThisLaboratory)? {
        Outcome::Done => println!("done; {} shows all generations", wheel.directory.join("index.html").display()),
        Outcome::Interrupted => println!("interrupted; the same command goes on"),
    }
    Ok(())
}

/// The program that plays the matches.
fn engine(named: Option<&Path>) -> Result<PathBuf> {
    if let Some(path) = named {
        return Ok(path.to_owned());
    }
    let name = format!("stillwater{}", std::env::consts::EXE_SUFFIX);
    let path = std::env::current_exe()?.with_file_name(name);
    if !path.exists() {
        bail!(
            "there is no engine at {}: build it with cargo build --release, or name one with --engine",
            path.display()
        );
    }
    Ok(path)
}

/// Runs commands as if they had been typed, inside this program.
struct ThisLaboratory;

impl Laboratory for ThisLaboratory {
    fn run(&mut self, command: &[String]) -> Result<()> {
        let words = std::iter::once("stillwater-lab").chain(command.iter().map(String::as_str));
        match crate::Arguments::try_parse_from(words) {
            Ok(arguments) => crate::run(arguments.command),
            Err(error) => bail!("the recipe asks for something that does not exist: {error}"),
        }
    }

    fn count(&mut self, games: &Path) -> Result<Tally> {
        let mut statistics = Statistics::default();
        for_each_record(&[games.to_owned()], |_, record| Ok(statistics.add(record)?))?;
        Ok(Tally { games: statistics.games, positions: statistics.positions, draws: statistics.results[1] })
    }

    fn is_interrupted(&self) -> bool {
        toolkit::is_interrupted()
    }
}
