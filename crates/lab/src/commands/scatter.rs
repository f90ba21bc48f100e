//! `scatter`: many positions beside games, valued by hand or by a short search.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use clap::Args;
use engine::SearchScore;

use data::rescore::Effort;
use data::scatter::{Scatter, Valuer, Walks};
use data::{Game, Records, Writer, games_of};
use toolkit::Progress;

/// The arguments of `scatter`.
#[derive(Args, Clone, Debug)]
pub(crate) struct ScatterArguments {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The file to make
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,
    /// Walks from every position, on average
    #[arg(long, value_name = "N", default_value_t = 4.0)]
    pub walks: f64,
    /// Moves of a walk
    #[arg(long, value_name = "N", default_value_t = 6)]
    pub plies: usize,
    /// Play on for so many moves from the end of each walk, and keep these instead of the walk's
    #[arg(long, value_name = "N", default_value_t = 0, requires = "nodes")]
    pub play: usize,
    /// The seed of the walks
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Value quiet positions by a search that begins no new iteration after so many nodes; without it, all by hand
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
    /// Visit no more nodes than this; eight times the soft limit unless given
    #[arg(long, value_name = "N", requires = "nodes")]
    pub hard_nodes: Option<u64>,
    /// The hash table of each thread's search in megabytes
    #[arg(long, value_name = "MB", default_value_t = 1)]
    pub hash: usize,
    /// The network that evaluates for the search, or `<none>` for the evaluation by hand; without it the engine's own
    #[arg(long, value_name = "FILE", requires = "nodes")]
    pub network: Option<PathBuf>,
    /// Games at a time
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub threads: usize,
    /// Without a terminal, show the count every so many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub every: u64,
}

/// Runs `scatter`.
pub(crate) fn run(arguments: &ScatterArguments) -> Result<()> {
    ensure!((0.0..=1000.0).contains(&arguments.walks), "walks must be 0 to 1000");
    ensure!((1..=100).contains(&arguments.plies), "plies must be 1 to 100");
    ensure!(arguments.play <= 1000, "play must be 0 to 1000");
    let walks = Walks { each: arguments.walks, plies: arguments.plies, play: arguments.play };
    let effort = |nodes| Effort::new(nodes, arguments.hard_nodes, arguments.hash, arguments.network.as_deref());
    let effort = arguments.nodes.map(effort).transpose()?;
    let worker = |_| {
        let mut scatter = Scatter::new(walks, Valuer::new(effort.as_ref())?, arguments.seed);
        Ok(move |number, game: Game| scatter.walk_beside(number, &game))
    };
    let workers = (0..arguments.threads.max(1)).map(worker).collect::<Result<Vec<_>>>()?;
    for path in &arguments.files {
        Records::open(path)?;
    }
    let mut writer = Writer::create(&arguments.output)?;
    let mut progress = Progress::endless();
    let (begin, mut shown) = (Instant::now(), Instant::now());
    let every = Duration::from_secs(arguments.every.max(1));
    let (mut games, mut positions) = (0_usize, 0_usize);
    let line = |games, positions| {
        let rate = positions as f64 / begin.elapsed().as_secs_f64().max(1e-3);
        format!("{positions} positions beside {games} games, {rate:.0}/s")
    };
    let left_out = Mutex::new(Vec::new());
    let called_off = toolkit::interrupt_flag("finishing the games that run");
    toolkit::in_order(games_of(&arguments.files, &left_out), 0, workers, &called_off, |found| {
        if let Some(found) = found {
            games += 1;
            positions += found
                .iter()
                .flat_map(|walk| &walk.moves)
                .filter(|(_, value)| !SearchScore::from(*value).is_mate())
                .count();
            found.iter().try_for_each(|walk| writer.add(walk))?;
        }
        progress.show(games, || line(games, positions));
        if shown.elapsed() >= every {
            shown = Instant::now();
            progress.say_plainly(&line(games, positions));
        }
        Ok(())
    })?;
    progress.finish();
    left_out.into_inner().unwrap_or_else(PoisonError::into_inner).iter().for_each(|text| eprintln!("warning: {text}"));
    writer.sync()?;
    eprintln!("{}", line(games, positions));
    Ok(())
}
