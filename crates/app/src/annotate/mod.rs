//! `stillwater annotate`: analyses every move of the games in a file and writes them back with values, marks and better
//! lines, and optionally an HTML report. The report is made from the annotated games alone, so after a resumed run it
//! is still complete.

pub(crate) mod html;
pub(crate) mod judge;
pub(crate) mod notes;
pub(crate) mod openings;
mod output;
pub(crate) mod praise;
pub(crate) mod review;
pub(crate) mod think;

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::ensure;
use engine::{Engine, Limits};
use indicatif::ProgressBar;
use record::pgn::{self, Game};
use toolkit::files::{self, read_text};
use toolkit::in_order;

use crate::people;
use output::Output;

/// The default effort per position: enough to see what people overlook, and the same on every machine.
const USUAL_NODES: u64 = 100_000;

/// Annotate the games of a PGN file: values, mistakes, better lines, accuracy
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Options {
    /// The games (PGN); "-" for standard input
    games: PathBuf,
    /// Write the annotated games to this file instead of the screen
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write a report with graphs and boards for the browser
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Nodes for each position (100000 if no limit is given); with one thread and no other limit the output is always
    /// the same
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Time for each position, as 1, 1s or 500ms
    #[arg(long, value_name = "TIME", value_parser = people::time::duration)]
    time: Option<Duration>,
    /// Depth of each search in plies
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(i32).range(1..=246))]
    depth: Option<i32>,
    /// Threads that search
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Hash table in megabytes
    #[arg(long, value_name = "MB", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: u32,
    /// Directories with Syzygy tablebases
    #[arg(long, value_name = "PATH")]
    syzygy: Option<String>,
    /// Games to annotate in parallel, each with its own engine
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: u16,
    /// Resume where the output file ends
    #[arg(long, requires = "output")]
    resume: bool,
    /// Overwrite the output file if it exists
    #[arg(long, requires = "output", conflicts_with = "resume")]
    force: bool,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let text = read_text(&options.games)?;
    let (games, problems) = sort(&text, &options.games)?;
    for problem in &problems {
        eprintln!("stillwater: {}: {problem}", options.games.display());
    }
    ensure!(!games.is_empty(), "{}: none of its games can be annotated", options.games.display());
    let output = Output::open(options, &games)?;
    // Better to fail now than after hours of analysis.
    if let Some(path) = &options.html {
        files::check(path)?;
    }
    work(options, games, output)
}

/// The games that can be annotated, and the problems of the others. If a move of a game cannot be read, the moves
/// before it are kept.
fn sort(text: &str, path: &Path) -> anyhow::Result<(Vec<Game>, Vec<String>)> {
    let (mut good, mut bad) = (Vec::new(), Vec::new());
    for game in pgn::games(text) {
        let mut game = match game {
            Ok(game) => game,
            Err(problem) => {
                bad.push(format!("{problem}; it is left out"));
                continue;
            }
        };
        let Err(problem) = game.replay(usize::MAX) else {
            good.push(game);
            continue;
        };
        let legal = legal_plies(&game);
        if legal == 0 {
            bad.push(format!("{problem}; it is left out"));
            continue;
        }
        bad.push(format!("{problem}; the moves before it are kept"));
        game.main.moves.truncate(legal);
        if let Some(last) = game.main.moves.last_mut() {
            last.comments.push(format!("What follows cannot be read: {}", problem.reason.replace(['{', '}'], "")));
        }
        good.push(game);
    }
    ensure!(!good.is_empty() || !bad.is_empty(), "{}: there are no games in it", path.display());
    Ok((good, bad))
}

/// How many moves of a game can be played before one that cannot be read.
fn legal_plies(game: &Game) -> usize {
    let Ok(mut board) = game.start() else { return 0 };
    let is_legal = |text: &&pgn::TextMove| board.parse_san(&text.san).map(|mv| board = board.after(mv)).is_ok();
    game.moves().iter().take_while(is_legal).count()
}

fn work(options: &Options, games: Vec<Game>, mut output: Output) -> anyhow::Result<()> {
    let none = options.time.is_none() && options.depth.is_none();
    let nodes = options.nodes.or(none.then_some(USUAL_NODES));
    let limits = Limits { nodes, depth: options.depth, move_time: options.time, ..Limits::default() };
    let done = output.done().len();
    let left = games.len().saturating_sub(done);
    let positions = games.iter().skip(done).map(|game| game.moves().len() as u64 + 1).sum();
    let bar = toolkit::bar(positions, 0, "{msg:12} [{bar:40}] {pos}/{len} positions, {eta} left");
    people::open_tables(&mut Engine::new(), options.syzygy.as_deref());
    let mut workers = Vec::new();
    for _ in 0..usize::from(options.jobs).min(left).max(1) {
        let mut engine = people::engine(options.hash, options.threads, options.syzygy.as_deref())?;
        let (limits, bar) = (&limits, &bar);
        workers.push(move |_: u64, game: Game| annotated(game, &mut engine, limits, bar));
    }
    let games = games.into_iter().skip(done).map(Ok);
    in_order(games, done as u64, workers, &AtomicBool::new(false), |product: Option<anyhow::Result<_>>| {
        let Some((game, summary)) = product.transpose()? else { return Ok(()) };
        bar.suspend(|| output.add(game, &summary))
    })?;
    bar.finish_and_clear();
    if let Some(path) = &options.html {
        html::write(path, output.done())?;
    }
    Ok(())
}

/// A game with its notes, and a one-line summary.
fn annotated(
    mut game: Game,
    engine: &mut Engine,
    limits: &Limits,
    bar: &ProgressBar,
) -> anyhow::Result<(Game, String)> {
    let (start, moves) = game.replay(usize::MAX)?;
    bar.set_message(format!("game {}", game.number));
    let findings = think::think(engine, limits, start, &moves, &mut || bar.inc(1));
    notes::annotate(&mut game, start, &moves, &findings);
    let summary = notes::summary(&game, start.side_to_move());
    Ok((game, summary))
}
