//! `stillwater play`: a game against the engine in the terminal.

mod game;
mod record;

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use chess::{Board, Color};
use engine::{ELO_RANGE, Engine};

use crate::levels;
use crate::people;
use crate::people::draw::{self, Charset};
use game::{Game, Settings};
use record::Scoresheet;

/// The default level: a player who knows the game but is no master.
const USUAL_LEVEL: u16 = 6;

/// Play a game against the engine in the terminal
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Options {
    /// How strong the engine plays, from 1 (a beginner) to 20 (a master)
    #[arg(long, default_value_t = USUAL_LEVEL, conflicts_with_all = ["elo", "full"], value_parser = clap::value_parser!(u16).range(1..=levels::HIGHEST as i64))]
    level: u16,
    /// The engine's strength as a rating
    #[arg(long, conflicts_with = "full", value_parser = clap::value_parser!(u16).range(i64::from(*ELO_RANGE.start())..=i64::from(*ELO_RANGE.end())))]
    elo: Option<u16>,
    /// Play at full strength
    #[arg(long)]
    full: bool,
    /// Your colour
    #[arg(long, value_enum, default_value = "white")]
    color: Choice,
    /// The position to begin with
    #[arg(long)]
    fen: Option<String>,
    /// Play Chess960 from the start position of this number, 0 to 959, or from a random one
    #[arg(long, value_name = "NUMBER", num_args = 0..=1, conflicts_with = "fen", value_parser = clap::value_parser!(u16).range(0..960))]
    chess960: Option<Option<u16>>,
    /// Time the engine may think about a move, as 1, 1s or 500ms; lower levels need far less
    #[arg(long, value_name = "TIME", default_value = "1", value_parser = people::time::duration)]
    time: Duration,
    /// Play with clocks: minutes and seconds for every move, as 5+3 or 90s+500ms
    #[arg(long, value_name = "MINUTES+SECONDS", conflicts_with = "time", value_parser = people::time::clock)]
    clock: Option<(Duration, Duration)>,
    /// Directories with Syzygy tablebases
    #[arg(long, value_name = "PATH")]
    syzygy: Option<String>,
    /// Append the game to this file, after every move
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Your name in that file
    #[arg(long, default_value = "You")]
    name: String,
    /// The seed of the engine's errors and of a random colour; the same number repeats them
    #[arg(long)]
    seed: Option<u64>,
}

/// The user's colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Choice {
    White,
    Black,
    Random,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let seed = options.seed.unwrap_or_else(people::random_word);
    let start = start(options, seed)?;
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
    people::open_tables(&mut engine, options.syzygy.as_deref());
    let engine_name = match elo {
        None => "Stillwater".to_owned(),
        Some(elo) if options.elo.is_none() => format!("Stillwater level {} ({elo})", options.level),
        Some(elo) => format!("Stillwater {elo}"),
    };
    let names = match person {
        Color::White => [options.name.clone(), engine_name],
        Color::Black => [engine_name, options.name.clone()],
    };
    let record = Scoresheet::open(options.pgn.as_deref(), start, names, options.clock)?;
    let settings = Settings {
        person,
        time: options.time,
        clock: options.clock,
        charset: Charset::of_locale(),
        colours: draw::has_colours(),
        prompts: io::stdin().is_terminal(),
    };
    let mut game = Game::new(start, engine, record, settings);
    game.play(&mut io::stdin().lock(), &mut io::stdout())
}

/// Where the game begins.
fn start(options: &Options, seed: u64) -> anyhow::Result<Board> {
    match (&options.fen, options.chess960) {
        (Some(text), _) => people::read_fen(text),
        (None, Some(number)) => {
            let number = number.unwrap_or((chess::zobrist::splitmix(seed ^ 960) % 960) as u16);
            let board = Board::chess960(number, number).context("there is no such start position")?;
            println!("Chess960, start position {number}.");
            Ok(board)
        }
        (None, None) => Ok(Board::start()),
    }
}
