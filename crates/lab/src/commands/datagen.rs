//! `datagen`: generates training data by self-play.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use chess::Board;
use clap::Args;

use super::effort::EffortArguments;
use arena::{Book, Openings, Order};
use data::{About, Found, NodeWriter, Plan, Played, Rules, Starts, Variety, Writer, generate};
use toolkit::{NEVER, Progress, Tables};

/// The arguments of `datagen`.
#[derive(Args, Clone, Debug)]
pub(crate) struct DatagenArguments {
    /// The file to write the games to
    pub output: PathBuf,
    /// Resume the file: its games count and are not played again
    #[arg(long)]
    pub resume: bool,
    /// Stop when the file has this many games
    #[arg(long, value_name = "N")]
    pub games: Option<u64>,
    /// Stop when the file has this many positions
    #[arg(long, value_name = "N")]
    pub positions: Option<u64>,
    /// Games at a time
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub threads: usize,
    /// The seed of the openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// The effort of each search.
    #[command(flatten)]
    pub effort: EffortArguments,
    /// Soft node limit in check, and while the best move is a capture or a promotion: training leaves such positions
    /// out, so fewer nodes will do; as many as for the others unless given
    #[arg(long, value_name = "N")]
    pub noisy_nodes: Option<u64>,
    /// Record only positions with at least this many pieces; the rest of the game is played with --noisy-nodes, for its
    /// result
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(2..=32))]
    pub min_pieces: u8,
    /// The positions games start from
    #[arg(long, value_enum, default_value_t = Variety::Standard)]
    pub start: Variety,
    /// Start positions to use instead: lines of EPD or FEN, a PGN file or a Polyglot book
    #[arg(long, value_name = "FILE", conflicts_with = "start")]
    pub book: Option<PathBuf>,
    /// Random plies to play after the start position; at random, one more
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub random_plies: usize,
    /// Soft node limit of the search that judges an opening; 2.5 times that of a move unless given
    #[arg(long, value_name = "N")]
    pub opening_nodes: Option<u64>,
    /// Reject openings with a larger score
    #[arg(long, value_name = "CP", default_value_t = 400)]
    pub opening_limit: i32,
    /// Adjudicate a win at this score
    #[arg(long, value_name = "CP", default_value_t = 2000)]
    pub win_score: i32,
    /// ... for this many consecutive plies
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub win_plies: u32,
    /// Adjudicate a draw at or below this score
    #[arg(long, value_name = "CP", default_value_t = 8)]
    pub draw_score: i32,
    /// ... for this many consecutive plies
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub draw_plies: u32,
    /// ... from this ply on
    #[arg(long, value_name = "N", default_value_t = 80)]
    pub draw_from: u32,
    /// Games of this many plies are drawn
    #[arg(long, value_name = "N", default_value_t = 500)]
    pub longest: usize,
    /// Adjudicate by the Syzygy tablebases in a directory
    #[arg(long, value_name = "DIRECTORY")]
    pub tablebases: Vec<PathBuf>,
    /// Write one node in 64 of the searches to this file, for `train --policy`: what the search knew there and what it
    /// found (needs a build with the feature "log", whose searches prune less)
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// Without a terminal, print the count every N seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub every: u64,
}

impl DatagenArguments {
    fn plan(&self) -> Result<Plan> {
        let effort = self.effort.effort()?;
        if self.win_score <= 0 || self.win_plies == 0 || self.draw_plies == 0 || self.opening_limit < 0 {
            bail!("plies and the winning score must be at least 1, the limit of openings at least 0");
        }
        if self.book.is_none() && self.random_plies == 0 && self.start == Variety::Standard {
            bail!("without random moves all games would be the same");
        }
        let starts = Starts { variety: self.start, book: self.boards()?, plies: self.random_plies };
        Ok(Plan {
            starts,
            soft_nodes: effort.soft_nodes,
            noisy_nodes: self.noisy_nodes.unwrap_or(effort.soft_nodes),
            min_pieces: self.min_pieces.into(),
            hard_nodes: effort.hard_nodes,
            opening_nodes: self.opening_nodes.unwrap_or(effort.soft_nodes.saturating_mul(5) / 2),
            opening_limit: self.opening_limit,
            rules: Rules {
                win_score: self.win_score,
                win_plies: self.win_plies,
                draw_score: self.draw_score,
                draw_plies: self.draw_plies,
                draw_from: self.draw_from,
            },
            longest: self.longest.max(1),
            hash: effort.hash,
            judge_by: effort.judge_by,
            seed: self.seed,
        })
    }

    /// The description of the file: everything that decides which games are played.
    fn about(&self, plan: &Plan) -> About {
        let Rules { win_score, win_plies, draw_score, draw_plies, draw_from } = plan.rules;
        let noisy = match plan.noisy_nodes {
            nodes if nodes < plan.soft_nodes => format!(", {nodes} where the best move is noisy"),
            _ => String::new(),
        };
        let noisy = match plan.min_pieces {
            0..=2 => noisy,
            pieces => format!("{noisy}; {} below {pieces} pieces, not recorded", plan.noisy_nodes),
        };
        // Searches that log nodes prune less, so such games are another kind.
        let noisy = if cfg!(feature = "log") { format!("{noisy}; nodes logged") } else { noisy };
        let file_name = |path: &PathBuf| path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        About::new(
            "datagen",
            &plan.judge_by,
            [
                ("nodes", format!("{} to {}{noisy}", plan.soft_nodes, plan.hard_nodes)),
                ("hash", plan.hash.to_string()),
                ("seed", plan.seed.to_string()),
                ("start", self.book.as_ref().map_or_else(|| format!("{:?}", self.start).to_lowercase(), file_name)),
                ("random plies", self.random_plies.to_string()),
                ("opening", format!("at most {} at {} nodes", plan.opening_limit, plan.opening_nodes)),
                ("win", format!("{win_score} for {win_plies} plies")),
                ("draw", format!("{draw_score} for {draw_plies} plies from ply {draw_from}")),
                ("longest", plan.longest.to_string()),
                ("tablebases", if self.tablebases.is_empty() { "none".into() } else { "yes".into() }),
            ],
        )
    }

    fn boards(&self) -> Result<Vec<Board>> {
        let Some(path) = &self.book else { return Ok(Vec::new()) };
        let openings = Openings::new(Book::load(path, None)?, Order::Sequential, self.seed, 1);
        let play = |round| {
            let opening = openings.of_round(round)?;
            Ok(opening.moves.iter().fold(opening.start, |board, &mv| board.after(mv)))
        };
        (0..openings.count().min(MOST_OPENINGS))
            .map(play)
            .collect::<Result<_>>()
            .with_context(|| format!("in {}", path.display()))
    }

    fn is_enough(&self, found: &Found) -> bool {
        self.games.is_some_and(|games| found.games >= games)
            || self.positions.is_some_and(|positions| found.positions >= positions)
    }
}

/// The most openings used from a book.
const MOST_OPENINGS: usize = 1_000_000;

pub(crate) fn run(arguments: &DatagenArguments) -> Result<()> {
    ensure!(arguments.log.is_none() || cfg!(feature = "log"), "this build has no feature \"log\"");
    ensure!(arguments.log.as_ref() != Some(&arguments.output), "the games and the log need two files");
    let plan = arguments.plan()?;
    let tables = if arguments.tablebases.is_empty() { None } else { Some(Tables::open(&arguments.tablebases)?) };
    if arguments.resume {
        arguments.about(&plan).claim(&arguments.output)?;
    }
    let (mut writer, mut found) = if arguments.resume {
        Writer::resume(&arguments.output)?
    } else {
        let writer = Writer::create(&arguments.output)?;
        arguments.about(&plan).claim(&arguments.output)?;
        (writer, Found::default())
    };
    if arguments.resume {
        eprintln!("resumed after {} games, {} positions; {} bytes cut off", found.games, found.positions, found.cut);
    }
    let mut log = arguments.log.as_deref().map(|path| NodeWriter::open(path, arguments.resume)).transpose()?;
    let mut logged = 0;
    let called_off = toolkit::interrupt_flag("finishing the games that run");
    let done = std::mem::take(&mut found.numbers);
    let begin = (Instant::now(), found.positions);
    let line = |found: &Found, nodes| progress_line(found, found.positions - begin.1, nodes, begin.0.elapsed());
    let mut nodes = 0;
    let count = |found: &Found| if arguments.games.is_some() { found.games } else { found.positions } as usize;
    let mut progress = match arguments.games.or(arguments.positions) {
        Some(goal) => Progress::new(goal as usize, count(&found), NEVER),
        None => Progress::endless(),
    };
    if !arguments.is_enough(&found) {
        let most = arguments.games.map(|games| games - found.games);
        generate::run(&plan, tables.as_ref(), arguments.threads, &done, most, &called_off, |played| {
            if let Some(Played { game, nodes: spent, log: nodes_of_game }) = played {
                writer.add(&game)?;
                if let Some(log) = &mut log {
                    log.add(game.number, &nodes_of_game)?;
                    logged += nodes_of_game.count();
                }
                found.count(game.result, game.moves.len() as u64);
                nodes += spent;
            }
            progress.show_timed(count(&found), arguments.every, || line(&found, nodes));
            Ok(!arguments.is_enough(&found))
        })?;
    }
    progress.finish();
    writer.sync()?;
    eprintln!("{}", line(&found, nodes));
    if log.is_some() {
        eprintln!("{logged} nodes logged");
    }
    Ok(())
}

fn progress_line(found: &Found, new_positions: u64, nodes: u64, time: Duration) -> String {
    let rate = new_positions as f64 / time.as_secs_f64().max(1e-3);
    let [black, draws, white] = found.results;
    let share = |count: u64| 100.0 * count as f64 / found.games.max(1) as f64;
    format!(
        "{} games, {} positions, {rate:.0}/s ({:.2} M/h), White {:.1} % draws {:.1} % Black {:.1} %, \
         {:.1} plies a game, {:.0} nodes a position",
        found.games,
        found.positions,
        rate * 3600.0 / 1e6,
        share(white),
        share(draws),
        share(black),
        found.positions as f64 / found.games.max(1) as f64,
        nodes as f64 / new_positions.max(1) as f64,
    )
}
