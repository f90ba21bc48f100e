//! `bench`: searches fixed positions to a fixed depth. With one thread the node count is always the same, so it is a
//! fingerprint of the search: if it changes, the search has changed. The speed measures the machine and the code.

mod positions;

use std::io::Write;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context;
use chess::{Board, Position};
use engine::{Control, Engine, Limits, Network, Reporter, SearchResult};

use positions::POSITIONS;

/// Search fixed positions and print the node count and the speed
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Options {
    /// Depth of each search in plies
    #[arg(default_value_t = 12, value_parser = clap::value_parser!(i32).range(1..=246))]
    depth: i32,
    /// Size of the hash table in megabytes
    #[arg(default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: u32,
    /// Threads that search; with more than one the node count varies
    #[arg(default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
    /// Show move-ordering statistics (needs a build with the feature "stats")
    #[arg(long)]
    stats: bool,
    /// Print one line of JSON instead
    #[arg(long)]
    json: bool,
}

impl Options {
    /// Parses the words after the UCI command `bench` like those after the subcommand.
    pub(crate) fn from_words(words: &[String]) -> anyhow::Result<Options> {
        #[derive(clap::Parser)]
        #[command(no_binary_name = true, disable_help_flag = true)]
        struct BenchArguments {
            #[command(flatten)]
            options: Options,
        }
        let line = <BenchArguments as clap::Parser>::try_parse_from(words).map_err(|error| {
            let text = error.to_string();
            anyhow::anyhow!("{}", text.lines().next().unwrap_or("unusable").trim_start_matches("error: "))
        })?;
        Ok(line.options)
    }
}

pub(crate) fn run(options: &Options, out: &mut impl Write) -> anyhow::Result<()> {
    let mut outcome = Ok(());
    let network = engine::eval::embedded();
    measure(options, network, &Control::new(), &mut |line| {
        if outcome.is_ok() {
            outcome = writeln!(out, "{line}");
        }
    })?;
    Ok(outcome?)
}

/// Searches all positions, one after another as in one game, and reports each; ends early if `control` is stopped.
/// Without a network it uses the hand-crafted evaluation.
pub(crate) fn measure(
    options: &Options,
    network: Option<Arc<Network>>,
    control: &Control,
    say: &mut dyn FnMut(&str),
) -> anyhow::Result<()> {
    anyhow::ensure!(!options.stats || cfg!(feature = "stats"), "this build has no feature \"stats\"");
    let mut engine = Engine::new();
    engine.set_hash(options.hash as usize)?;
    engine.options.threads = options.threads as usize;
    // Bench measures the search alone.
    engine.options.solve_endings = false;
    engine.set_network(network);
    let limits = Limits { depth: Some(options.depth), ..Limits::default() };
    let start = Instant::now();
    let mut total = 0;
    for (index, (fen, chess960)) in POSITIONS.iter().enumerate() {
        let board: Board = fen.parse().with_context(|| format!("position {}", index + 1))?;
        // A new control for each search, since the engine may change it.
        let own = Control::new();
        let found = engine.search(&Position::new(board), &limits, &own, &mut HandOn { outer: control, own: &own });
        total += found.nodes;
        if !options.json {
            let best = found.best_move().map_or_else(|| "(none)".into(), |mv| mv.uci(*chess960));
            say(&format!("{:2}/{}  {:>10} nodes  {best:5}  {fen}", index + 1, POSITIONS.len(), found.nodes));
        }
        if control.is_stopped() {
            say("bench was stopped");
            return Ok(());
        }
    }
    let seconds = start.elapsed().as_secs_f64().max(1e-9);
    if options.json {
        let ordering = if options.stats { ordering(&engine) } else { String::new() };
        say(&format!("{{\"depth\":{},\"nodes\":{total},\"seconds\":{seconds:.6}{ordering}}}", options.depth));
        return Ok(());
    }
    if options.stats {
        statistics(&engine, say);
    }
    say(&format!("{total} nodes {:.0} nps", total as f64 / seconds));
    Ok(())
}

/// The engine's statistics over all positions.
#[cfg(feature = "stats")]
fn statistics(engine: &Engine, say: &mut dyn FnMut(&str)) {
    engine.stats.to_string().lines().for_each(say);
}

#[cfg(not(feature = "stats"))]
fn statistics(_: &Engine, _: &mut dyn FnMut(&str)) {}

/// The same as additional fields of a JSON object.
#[cfg(feature = "stats")]
fn ordering(engine: &Engine) -> String {
    let stats = &engine.stats;
    format!(
        ",\"first_move_share\":{:.6},\"mean_cutoff_index\":{:.6},\"branching_factor\":{:.6}",
        stats.first_move_share(),
        stats.mean_cutoff_index(),
        stats.branching_factor()
    )
}

#[cfg(not(feature = "stats"))]
fn ordering(_: &Engine) -> String {
    String::new()
}

/// Forwards a stop request.
struct HandOn<'a> {
    outer: &'a Control,
    own: &'a Control,
}

impl Reporter for HandOn<'_> {
    fn progress(&mut self, _: &SearchResult) {
        if self.outer.is_stopped() {
            self.own.stop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_as_arguments() {
        let read = |line: &str| {
            let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            Options::from_words(&words).map(|o| (o.depth, o.hash, o.threads)).map_err(|error| error.to_string())
        };
        assert_eq!(read(""), Ok((12, 16, 1)));
        assert_eq!(read("8 32 2"), Ok((8, 32, 2)));
        assert!(read("deep").is_err_and(|text| text.contains("invalid value 'deep'")));
        assert!(read("0").is_err() && read("8 0").is_err() && read("8 16 0").is_err() && read("8 16 1 7").is_err());
    }

    #[test]
    fn positions_are_legal_varied_and_not_over() {
        let mut seen = Vec::new();
        for (fen, chess960) in POSITIONS {
            let board: Board = fen.parse().expect(fen);
            assert!(Position::new(board).outcome().is_none(), "{fen}");
            assert!(!seen.contains(&board.key()), "twice: {fen}");
            seen.push(board.key());
            assert!(!chess960 || board.castling().rooks().any(), "{fen}");
        }
        assert!((40..=55).contains(&seen.len()));
    }
}
