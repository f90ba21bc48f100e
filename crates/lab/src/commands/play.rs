//! `match`: plays a match between engines, writes the games and reports the score.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::Result;
use clap::Args;

use super::write_json;
use arena::report::{Standings, json, table};
use arena::runner::{self, Plan};
use arena::stalls::{StallSource, Watch};
use arena::{
    Book, Cause, DrawRule, Format, Openings, Order, ResignRule, Rules, Schedule, Summary, games_file, parse_engines,
};
use toolkit::{Progress, Tables};

/// Which chess is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(crate) enum Variant {
    /// Chess.
    Standard,
    /// Chess960, including different start positions for the two sides.
    Fischerandom,
}

/// The arguments that `match` and `sprt` share.
#[derive(Args, Clone, Debug)]
pub(crate) struct MatchArguments {
    /// An engine: its path alone, or "cmd=PATH [name=N] [arg=A]... [dir=D] [env.X=Y]... [option.X=Y]...
    /// [tc=[MOVES/]SECONDS[+INC]] [nodes=N] [depth=N] [st=SECONDS] [timemargin=MS] [restart=on]"; quotes may enclose
    /// values with blanks
    #[arg(long = "engine", value_name = "ENGINE", required = true)]
    pub engines: Vec<String>,
    /// Settings for all engines; an engine's own settings override them
    #[arg(long, value_name = "ENGINE", default_value = "")]
    pub each: String,
    /// The usual test conditions: the limits named, Hash 16, one thread, two concurrent games, draws and wins
    /// adjudicated. Other options override it
    #[arg(long, value_enum)]
    pub preset: Option<Preset>,
    /// Games between every two engines that meet, half with each colour
    #[arg(long, value_name = "N", conflicts_with = "rounds")]
    pub games: Option<usize>,
    /// Pairs of games between every two engines that meet
    #[arg(long, value_name = "N")]
    pub rounds: Option<usize>,
    /// Play each opening twice with colours reversed; accepted for compatibility with other runners, since it is always
    /// done
    #[arg(long, value_name = "2", num_args = 0..=1, default_missing_value = "2", value_parser = clap::value_parser!(u8).range(2..=2))]
    pub repeat: Option<u8>,
    /// Let engines think in the opponent's time; each game then keeps two processor cores busy
    #[arg(long)]
    pub ponder: bool,
    /// Concurrent games; 1, or 2 with a preset, unless given
    #[arg(long, value_name = "N")]
    pub concurrency: Option<usize>,
    /// Bind every concurrent game to this many processor cores of its own (Linux)
    #[arg(long, value_name = "CORES")]
    pub affinity: Option<usize>,
    /// Watch for stalls of the machine (Linux): a game lost on time because of one is void and played again. Void games
    /// stay in the PGN file, without a result
    #[arg(long)]
    pub watch_stalls: bool,
    /// The first engine meets all others, which do not meet each other
    #[arg(long)]
    pub gauntlet: bool,
    /// The opening book: EPD or FEN lines, games if the file ends in .pgn, a Polyglot book if it ends in .bin; without
    /// it the laboratory's own openings
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
    /// The order of the openings
    #[arg(long, value_enum, default_value_t = Order::Random)]
    pub order: Order,
    /// The seed of the random order
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// The number of the first opening
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub start: usize,
    /// How many plies of a PGN or Polyglot opening to use
    #[arg(long, value_name = "N")]
    pub plies: Option<usize>,
    /// Standard chess or Chess960
    #[arg(long, value_enum, default_value_t = Variant::Standard)]
    pub variant: Variant,
    /// Adjudicate draws: "movenumber=40 movecount=8 score=10"
    #[arg(long, value_name = "RULE")]
    pub draw: Option<DrawRule>,
    /// Adjudicate wins: "movecount=3 score=500 twosided=true"
    #[arg(long, value_name = "RULE")]
    pub resign: Option<ResignRule>,
    /// Adjudicate by the Syzygy tablebases in a directory
    #[arg(long, value_name = "DIRECTORY")]
    pub tablebases: Vec<PathBuf>,
    /// Adjudicate a draw after this many moves of each side
    #[arg(long, value_name = "N")]
    pub max_moves: Option<u32>,
    /// Seconds of silence after which an engine without a clock counts as stalled
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    pub patience: u64,
    /// Whether to continue, with a new process, after an engine crashed, stalled or played an illegal move
    #[arg(long, value_name = "BOOL", default_value_t = true, action = clap::ArgAction::Set)]
    pub recover: bool,
    /// The file to write the games to, each as soon as it ends
    #[arg(long, value_name = "FILE")]
    pub pgn: Option<PathBuf>,
    /// Resume the match whose games are in the PGN file
    #[arg(long, requires = "pgn")]
    pub resume: bool,
    /// The name of the match in the PGN file
    #[arg(long, value_name = "TEXT", default_value = "Stillwater laboratory")]
    pub event: String,
    /// Write the result to this file as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Without a terminal, print the score every N games
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub every: usize,
}

impl MatchArguments {
    fn rules(&self) -> Rules {
        let draw = DrawRule { move_number: 40, move_count: 8, score: 10 };
        let resign = ResignRule { move_count: 3, score: 500, two_sided: true };
        Rules {
            draw: self.draw.or(self.preset.map(|_| draw)),
            resign: self.resign.or(self.preset.map(|_| resign)),
            max_moves: self.max_moves,
        }
    }

    /// Everything that is fixed before the first move.
    pub(crate) fn plan(&self, default_rounds: usize) -> Result<Plan> {
        let each = format!("{} {}", self.preset.map_or("", Preset::each), self.each);
        let engines = parse_engines(&self.engines, &each)?;
        let format = if self.gauntlet { Format::Gauntlet } else { Format::RoundRobin };
        let rounds = self.rounds.or(self.games.map(|games| games.div_ceil(2))).unwrap_or(default_rounds);
        let chess960 = self.variant == Variant::Fischerandom;
        let book = match &self.openings {
            Some(path) => Book::load(path, self.plies)?,
            None if chess960 => Book::Fischer,
            None => Book::own(),
        };
        Ok(Plan {
            schedule: Schedule::new(engines.len(), format, rounds)?,
            engines,
            openings: Openings::new(book, self.order, self.seed, self.start),
            tables: if self.tablebases.is_empty() { None } else { Some(Tables::open(&self.tablebases)?) },
            rules: self.rules(),
            chess960,
            patience: Duration::from_secs(self.patience),
            ponder: self.ponder,
            concurrency: self.concurrency.unwrap_or(if self.preset.is_some() { 2 } else { 1 }),
            cores: self.affinity,
            recover: self.recover,
            watch: None,
        })
    }
}

/// The usual test conditions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(crate) enum Preset {
    /// Short: 1+0.01
    Stc,
    /// Long: 2+0.02
    Ltc,
    /// 25000 nodes per move
    Nodes25k,
}

impl Preset {
    fn each(self) -> &'static str {
        match self {
            Preset::Stc => "tc=1+0.01 option.Hash=16 option.Threads=1",
            Preset::Ltc => "tc=2+0.02 option.Hash=16 option.Threads=1",
            Preset::Nodes25k => "nodes=25000 option.Hash=16 option.Threads=1",
        }
    }
}

/// A verdict on a match after each game.
#[derive(Clone, Default, Debug)]
pub(crate) struct Opinion {
    /// Whether the match can stop.
    pub is_final: bool,
    /// The text shown after the score.
    pub words: String,
}

pub(crate) fn run(arguments: &MatchArguments) -> Result<()> {
    let standings = play(arguments, 50, |_| Opinion::default())?;
    print!("{}", table::render(&standings));
    write_json(arguments.json.as_deref(), &json::render(&standings))
}

/// Starts the watch for stalls of the machine, and prints its limitation if it has one.
fn start_watch(progress: &Progress) -> Result<Arc<Watch>> {
    let watch = Watch::start()?;
    if let Some(limitation) = watch.limitation() {
        progress.say(&format!("warning: {limitation}"));
    }
    Ok(Arc::new(watch))
}

/// Plays a match to its end, or until the verdict is final.
pub(crate) fn play(
    arguments: &MatchArguments,
    default_rounds: usize,
    mut opinion: impl FnMut(&Standings) -> Opinion,
) -> Result<Standings> {
    let mut plan = arguments.plan(default_rounds)?;
    let called_off = toolkit::interrupt_flag("");
    let names = plan.engines.iter().map(|engine| engine.name.clone()).collect();
    let mut standings = Standings::new(names, plan.schedule.meetings());
    let (mut file, done) = match &arguments.pgn {
        Some(path) => {
            let (file, done) = games_file::open(path, arguments.resume, &arguments.event, &plan, &mut standings)?;
            (Some(file), done)
        }
        None => (None, HashSet::new()),
    };
    let games = plan.schedule.len();
    let mut progress = Progress::new(games, done.len(), arguments.every);
    if !done.is_empty() {
        progress.say(&format!("resumed after {} of {games} games", done.len()));
    }
    let mut decided = opinion(&standings).is_final;
    if !decided && done.len() < games {
        for warning in plan.check(&called_off)? {
            progress.say(&format!("warning: {warning}"));
        }
        let watch = if arguments.watch_stalls { Some(start_watch(&progress)?) } else { None };
        plan.watch = watch.clone().map(|watch| watch as Arc<dyn StallSource>);
        runner::run(&plan, &done, &called_off, |pairing, game| {
            if let Some(file) = &mut file {
                file.write(&plan, &pairing, &game)?;
            }
            if !matches!(game.cause, Cause::Rules(_) | Cause::Adjudication(_)) {
                let [white, black] = plan.names(&pairing)?;
                let words = game.cause.describe(game.winner);
                progress.say(&format!("game {}, {white} - {black}: {words}", pairing.number + 1));
            }
            standings.add(&Summary::of_game(pairing, &game));
            let opinion = opinion(&standings);
            decided = opinion.is_final;
            progress.show(standings.played, || table::line(&standings, games) + &opinion.words);
            Ok(!decided)
        })?;
        standings.stalls = watch.map(|watch| watch.report());
    }
    progress.finish();
    if called_off.load(Ordering::Relaxed) && !decided {
        eprintln!("interrupted after {} of {games} games", standings.played);
    }
    Ok(standings)
}
