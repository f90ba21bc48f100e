//! `stillwater explain`: explains why a move is good or bad. Every sentence is backed by a search, by the tablebases or
//! by an exact test of the rules; with the same node limit, a position always gets the same explanation.

mod check;
mod course;
mod facts;
mod forecast;
mod improve;
mod page;
mod reasons;
mod report;
mod said;
mod terms;
mod thinker;
pub(crate) mod why;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use chess::{Move, Position};
use engine::{Control, Engine};
use serde::Serialize;

use crate::people;
use report::Scope;
pub(crate) use thinker::{Effort, Thinker};

/// Two million nodes take a few seconds, and are enough to see what people overlook.
const USUAL_NODES: u64 = 2_000_000;

/// Explain in plain sentences why a move is good or bad
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Options {
    /// The position (FEN, X-FEN or Shredder-FEN), or a file of games (PGN) together with --ply
    #[arg(value_name = "FEN|FILE", required_unless_present = "check")]
    position: Option<String>,
    /// The move to explain (SAN or UCI, as Nf3 or g1f3); the best move unless given
    #[arg(long = "move", value_name = "MOVE")]
    mv: Option<String>,
    /// Explain the move played at this ply of the game (White's first move is ply 1)
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    ply: Option<u32>,
    /// The number of the game in the file
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    game: u32,
    /// Nodes for ranking the moves, 2000000 if no limit is given; every other question gets a quarter of it
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Time for ranking the moves instead (2, 2s or 500ms); every other question gets a quarter of it
    #[arg(long, value_name = "TIME", value_parser = people::time::duration, conflicts_with = "nodes")]
    time: Option<Duration>,
    /// How many other moves to compare with
    #[arg(long, value_name = "MOVES", default_value_t = 3, value_parser = clap::value_parser!(u16).range(0..=20))]
    others: u16,
    /// Also explain how the evaluations see the line, term by term and piece by piece
    #[arg(long)]
    details: bool,
    /// One JSON object; see docs/EXPLAIN.md
    #[arg(long)]
    json: bool,
    /// Hash table in megabytes
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: u32,
    /// Directories with Syzygy tablebases
    #[arg(long, value_name = "PATH")]
    syzygy: Option<String>,
    /// Evaluate with the network in this file instead of the default evaluation
    #[arg(long, value_name = "FILE")]
    eval_file: Option<PathBuf>,
    /// Instead of explaining: check the explanations of this many positions from self-play against a deeper search, and
    /// report how many sentences of each kind are true (with --details, which are not)
    #[arg(long, value_name = "POSITIONS", conflicts_with_all = ["position", "mv", "ply", "time", "json"])]
    check: Option<u32>,
    /// The seed of the positions to check
    #[arg(long, requires = "check", default_value_t = 1)]
    seed: u64,
}

pub(crate) fn run(options: &Options, out: &mut impl Write) -> anyhow::Result<()> {
    let mut engine = engine(options)?;
    if let Some(count) = options.check {
        let nodes = options.nodes.unwrap_or(USUAL_NODES);
        let mut failed = |position: &Position, sentence: &said::Sentence| {
            if options.details {
                eprintln!("{:?}: {position:?}: {}", sentence.kind, sentence.text);
            }
        };
        let stopped = toolkit::interrupt_flag("stopping after this position");
        let size = (count as usize, options.seed);
        let text = engine::on_search_stack(|| check::run(engine, nodes, size, &stopped, &mut failed));
        return Ok(write!(out, "{text}")?);
    }
    let (position, mv) = question(options)?;
    let effort = match options.time {
        Some(time) => Effort::Time(time),
        None => Effort::Nodes(options.nodes.unwrap_or(USUAL_NODES)),
    };
    let control = Control::new();
    let mut thinker = Thinker::new(&mut engine, effort, &control);
    let text = match mv {
        Some(mv) => {
            let found = why::why(&position, mv, &mut thinker).context("the search was called off")?;
            if options.json { json(&found)? } else { page::why(&position, &found) }
        }
        None => {
            let scope = Scope { others: options.others.into(), details: options.details };
            let found = report::explain(&position, scope, &mut thinker).context("the search was called off")?;
            if options.json { json(&found)? } else { page::explanation(&position, &found) }
        }
    };
    write!(out, "{text}")?;
    Ok(())
}

fn json(value: &impl Serialize) -> anyhow::Result<String> {
    Ok(serde_json::to_string(value)? + "\n")
}

fn engine(options: &Options) -> anyhow::Result<Engine> {
    let mut engine = people::engine(options.hash, 1, None)?;
    if let Some(path) = &options.eval_file {
        engine.load_network(path)?;
    }
    people::open_tables(&mut engine, options.syzygy.as_deref());
    Ok(engine)
}

/// The position, and the move to explain if one was given.
fn question(options: &Options) -> anyhow::Result<(Position, Option<Move>)> {
    let text = options.position.as_deref().unwrap_or_default();
    let path = Path::new(text);
    if options.ply.is_some() || path.extension().is_some_and(|end| end.eq_ignore_ascii_case("pgn")) {
        let (position, played) = of_game(path, options)?;
        let asked = options.mv.as_deref().map(|text| read_move(&position, text)).transpose()?;
        return Ok((position, Some(asked.unwrap_or(played))));
    }
    let position = Position::new(people::read_fen(text)?);
    let mv = options.mv.as_deref().map(|text| read_move(&position, text)).transpose()?;
    Ok((position, mv))
}

fn read_move(position: &Position, text: &str) -> anyhow::Result<Move> {
    match position.parse_san(text).or_else(|error| position.parse_uci(text).map_err(|_| error)) {
        Ok(mv) => Ok(mv),
        Err(error) => bail!("{error}"),
    }
}

/// The position before a ply of a game, with its history, and the move played there.
fn of_game(path: &Path, options: &Options) -> anyhow::Result<(Position, Move)> {
    let name = path.display();
    let text = toolkit::files::read_text(path)?;
    let number = options.game as usize;
    let game = record::pgn::games(&text).nth(number - 1);
    let game = game.with_context(|| format!("{name}: there is no game {number} in it"))?;
    let (start, moves) = game.and_then(|game| game.replay(usize::MAX)).with_context(|| name.to_string())?;
    let count = moves.len();
    let Some(ply) = options.ply else { bail!("{name}: say which move with --ply, from 1 to {count}") };
    let index = ply as usize - 1;
    ensure!(index < count, "{name}: game {number} has {count} plies, so there is no ply {ply}");
    let (before, rest) = moves.split_at(index);
    let &mv = rest.first().context("no such ply")?;
    Ok((Position::new(start).along(before), mv))
}
