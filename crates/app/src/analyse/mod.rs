//! `stillwater analyse`: analyses one position, live in a terminal, or many in parallel, as text, JSON or CSV.

mod format;
mod input;
mod live;
mod output;
mod pool;

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use engine::{Control, Engine, Limits};

use crate::people;
use format::Format;
use input::Entry;
use output::Output;

/// Analyse a position, or all positions of a file
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Options {
    /// The position (FEN, X-FEN or Shredder-FEN); the start position if nothing else is given
    #[arg(conflicts_with_all = ["epd", "pgn"])]
    fen: Option<String>,
    /// Analyse every position of this file, one FEN or EPD a line
    #[arg(long, value_name = "FILE", conflicts_with = "pgn")]
    epd: Option<PathBuf>,
    /// Analyse every position of the games in this file
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Time for each position, as 1, 1s or 500ms (a second if no limit is given; a single position in a terminal runs
    /// until Ctrl-C)
    #[arg(long, value_name = "TIME", value_parser = people::time::duration)]
    time: Option<Duration>,
    /// Depth of each search in plies
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(i32).range(1..=246))]
    depth: Option<i32>,
    /// Nodes for each position; with this limit alone the results are always the same
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// How many lines to find
    #[arg(long, value_name = "LINES", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=500))]
    multipv: u16,
    /// Threads for each search
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Hash table of each search in megabytes
    #[arg(long, value_name = "MB", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: u32,
    /// Positions to search in parallel (as many as there are processors for)
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Directories with Syzygy tablebases
    #[arg(long, value_name = "PATH")]
    syzygy: Option<String>,
    /// One JSON object per line; see docs/ANALYSE.md
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Comma-separated values, with a header
    #[arg(long)]
    csv: bool,
    /// Write to this file instead of the screen
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Resume where the output file ends
    #[arg(long, requires = "output")]
    resume: bool,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    if options.syzygy.is_some() {
        people::open_tables(&mut Engine::new(), options.syzygy.as_deref());
    }
    let format = match (options.json, options.csv) {
        (true, _) => Format::Json,
        (_, true) => Format::Csv,
        _ => Format::Text,
    };
    ensure!(!options.resume || format != Format::Text, "--resume needs --json or --csv: text cannot be counted again");
    let entries = entries(options)?;
    let is_single = options.epd.is_none() && options.pgn.is_none();
    if is_single && format == Format::Text && options.output.is_none() && io::stdout().is_terminal() {
        return watch(options, &entries);
    }
    let limits = limits(options, Some(Duration::from_secs(1)));
    let mut output = Output::open(options.output.as_deref(), options.resume, format)?;
    let done = output.count_done(&entries)?;
    let engines = jobs(options, entries.len().saturating_sub(done));
    let stopped = interrupt();
    let work = pool::Work { entries: &entries, done, limits: &limits, format };
    let finished = pool::run(&work, engines, || engine(options), &stopped, &mut output)?;
    if finished < entries.len() {
        let hint = if options.output.is_some() && format != Format::Text { "; --resume goes on" } else { "" };
        bail!("stopped after {finished} of {} positions{hint}", entries.len());
    }
    Ok(())
}

/// The positions to analyse. Broken ones are reported on standard error and skipped.
fn entries(options: &Options) -> anyhow::Result<Vec<Entry>> {
    let (path, listed) = match (&options.epd, &options.pgn) {
        (Some(path), _) => (path, input::epd(path)?),
        (_, Some(path)) => (path, input::pgn(path)?),
        _ => {
            let fen = options.fen.as_deref().unwrap_or(chess::fen::START);
            return Ok(vec![input::fen(fen)?]);
        }
    };
    for problem in &listed.problems {
        eprintln!("stillwater: {problem}; skipped");
    }
    let broken = listed.problems.len();
    ensure!(!listed.entries.is_empty() || broken == 0, "{}: none of {broken} entries can be used", path.display());
    ensure!(!listed.entries.is_empty(), "{}: there are no positions in it", path.display());
    if broken > 0 {
        let used = listed.entries.len();
        eprintln!("stillwater: {}: {used} positions to analyse, {broken} broken entries skipped", path.display());
    }
    Ok(listed.entries)
}

fn limits(options: &Options, usual: Option<Duration>) -> Limits {
    let unlimited = options.time.is_none() && options.depth.is_none() && options.nodes.is_none();
    let move_time = if unlimited { usual } else { options.time };
    Limits { depth: options.depth, nodes: options.nodes, move_time, ..Limits::default() }
}

fn engine(options: &Options) -> anyhow::Result<Engine> {
    let mut engine = people::engine(options.hash, options.threads, options.syzygy.as_deref())?;
    engine.options.multi_pv = options.multipv.into();
    Ok(engine)
}

fn jobs(options: &Options, positions: usize) -> usize {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let usual = processors / usize::from(options.threads);
    options.jobs.map_or(usual, usize::from).clamp(1, positions.max(1))
}

/// Shows one position live while it is searched.
fn watch(options: &Options, entries: &[Entry]) -> anyhow::Result<()> {
    let entry = entries.first().context("nothing to analyse")?;
    let position = entry.position();
    let stopped = interrupt();
    let mut engine = engine(options)?;
    let mut view = live::View::new(position.clone());
    let limits = limits(options, None);
    let found = engine.search(&position, &limits, &stopped, &mut view);
    Ok(view.finish(&found)?)
}

/// A handle that Ctrl-C stops; a second Ctrl-C ends the program.
fn interrupt() -> Arc<Control> {
    let control = Arc::new(Control::new());
    let handle = Arc::clone(&control);
    toolkit::on_interrupt(move || handle.stop());
    control
}
