//! `rescore`: gives old games new scores.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;
use clap::Args;

use super::effort::EffortArguments;
use data::Writer;
use data::rescore;
use toolkit::Progress;

/// The arguments of `rescore`.
#[derive(Args, Clone, Debug)]
pub(crate) struct RescoreArguments {
    /// A file of games
    pub input: PathBuf,
    /// The file to write: the same games in the same order, with new scores
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,
    /// Resume the output
    #[arg(long)]
    pub resume: bool,
    /// Concurrent games
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub threads: usize,
    /// The effort of each search.
    #[command(flatten)]
    pub effort: EffortArguments,
    /// Without a terminal, print the count every N seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub every: u64,
}

pub(crate) fn run(arguments: &RescoreArguments) -> Result<()> {
    let effort = arguments.effort.effort()?;
    let (mut writer, done) = if arguments.resume {
        let (writer, found) = Writer::resume(&arguments.output)?;
        let done = rescore::count_done(&arguments.input, &arguments.output)?;
        eprintln!("resumed after {done} games; {} bytes cut off", found.cut);
        (writer, done)
    } else {
        (Writer::create(&arguments.output)?, 0)
    };
    let called_off = toolkit::interrupt_flag("finishing the games that run");
    let begin = Instant::now();
    let (mut games, mut positions) = (done, 0);
    let line = |games, positions| {
        let rate = f64::from(positions) / begin.elapsed().as_secs_f64().max(1e-3);
        format!("{games} games, {rate:.0} positions/s ({:.2} M/h)", rate * 3600.0 / 1e6)
    };
    let mut progress = Progress::endless();
    rescore::run(&arguments.input, (&mut writer, done), &effort, arguments.threads, &called_off, |game| {
        if let Some(game) = game {
            games += 1;
            positions += game.moves.len() as u32;
        }
        progress.show_timed(games as usize, arguments.every, || line(games, positions));
    })?;
    progress.finish();
    writer.sync()?;
    eprintln!("{}", line(games, positions));
    Ok(())
}
