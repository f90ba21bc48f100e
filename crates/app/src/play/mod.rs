//! `stillwater play`: a game against a person in the terminal.

mod game;
mod record;

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use chess::{Board, Color};
use engine::{ELO_RANGE, Engine};

use crate::levels;
use crate::people::draw::Charset;
use game::{Game, Settings};
use record::Record;

/// The level unless another is asked for: a player who knows the game but is no master.
const USUAL_LEVEL: u16 = 6;

/// Play a game against the engine in the terminal
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Options {
    /// How strong the engine plays, from 1 (a beginner) to 20 (a master)
    #[arg(long, default_value_t = USUAL_LEVEL, conflicts_with_all = ["elo", "full"], value_parser = clap::value_parser!(u16).range(1..=levels::HIGHEST as i64))]
    level: u16,
    /// The same as a rating
    #[arg(long, conflicts_with = "full", value_parser = clap::value_parser!(u16).range(i64::from(*ELO_RANGE.start())..=i64::from(*ELO_RANGE.end())))]
    elo: Option<u16>,
    /// The engine plays as well as it can
    #[arg(long)]
    full: bool,
    /// Your colour
    #[arg(long, value_enum, default_value = "white")]
    color: Choice,
    /// The position to begin with
    #[arg(long)]
    fen: Option<String>,
    /// Seconds the engine may think about a move; lower levels need far less
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = crate::analyse::seconds)]
    time: Duration,
    /// Append the game to this file, after every move
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Your name in that file
    #[arg(long, default_value = "You")]
    name: String,
    /// Makes the errors of the engine, and a random colour, those of an earlier game with the same number
    #[arg(long)]
    seed: Option<u64>,
}

/// Which colour the person plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Choice {
    White,
    Black,
    Random,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let start: Board = match &options.fen {
        Some(fen) => fen.parse().with_context(|| format!("cannot use the position \"{fen}\""))?,
        None => Board::start(),
    };
    let seed = options.seed.unwrap_or_else(random_word);
    let person = match options.color {
        Choice::White => Color::White,
        Choice::Black => Color::Black,
        Choice::Random if chess::zobrist::splitmix(seed).is_multiple_of(2) => Color::White,
        Choice::Random => Color::Black,
    };
    let elo = match (options.full, options.elo) {
        (true, _) => None,
        (_, Some(elo)) => Some(elo),
        _ => Some(levels::elo(options.level.into())?),
    };
    let mut engine = Engine::new();
    engine.options.elo = elo;
    engine.options.seed = Some(seed);
    let engine_name = match elo {
        None => "Stillwater".to_owned(),
        Some(elo) if options.elo.is_none() => format!("Stillwater level {} ({elo})", options.level),
        Some(elo) => format!("Stillwater {elo}"),
    };
    let names = match person {
        Color::White => [options.name.clone(), engine_name],
        Color::Black => [engine_name, options.name.clone()],
    };
    let record = Record::open(options.pgn.as_deref(), start, names)?;
    let settings =
        Settings { person, time: options.time, charset: Charset::of_locale(), prompts: io::stdin().is_terminal() };
    let mut game = Game::new(start, engine, record, settings);
    game.play(&mut io::stdin().lock(), &mut io::stdout())
}

/// A word that differs from run to run: the standard library seeds its hash maps so.
fn random_word() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(0)
}
