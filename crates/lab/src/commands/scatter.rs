//! `scatter`: many positions beside games, valued by the evaluation written by hand.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::Args;

use crate::data::scatter::{Scatter, Walks};
use crate::data::{FormatError, GameResult, Writer, for_each_record};
use crate::report::progress::Progress;

/// The arguments of `scatter`.
#[derive(Args, Clone, Debug)]
pub struct ScatterArguments {
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
    /// The seed of the walks
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

/// Runs `scatter`.
pub fn run(arguments: &ScatterArguments) -> Result<()> {
    ensure!((0.0..=1000.0).contains(&arguments.walks), "walks must be 0 to 1000");
    ensure!((1..=100).contains(&arguments.plies), "plies must be 1 to 100");
    let mut scatter = Scatter::new(Walks { each: arguments.walks, plies: arguments.plies }, arguments.seed);
    let mut writer = Writer::create(&arguments.output)?;
    let mut progress = Progress::endless();
    let (mut games, mut positions) = (0_usize, 0_usize);
    let left_out = for_each_record(&arguments.files, |_, record| {
        let result = GameResult::from_code(record.board[30]).ok_or(FormatError::Result(record.board[30]))?;
        let mut outcome = Ok(());
        record.walk(|board, _, _| {
            scatter.walk_from(board, result, |walk| {
                positions += walk.moves.len();
                if outcome.is_ok() {
                    outcome = writer.add(walk);
                }
            });
        })?;
        games += 1;
        progress.show(games, || format!("{games} games, {positions} positions"));
        outcome
    })?;
    progress.finish();
    left_out.iter().for_each(|text| eprintln!("warning: {text}"));
    writer.sync()?;
    eprintln!("{positions} positions beside {games} games");
    Ok(())
}
