//! `train`: trains a network on games, or what guides the search besides its value (`guide.rs`).

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use clap::Args;
use data::JudgeBy;
use nnue::arch::{DEFAULT_HIDDEN, SCALE};

use super::guide::{self, GuideArguments};
use train::load::{self, DataSet};
use train::run::{self, Outcome, Place};
use train::{AdamSettings, Blend, Fall, Filter, Head, Loss, Rate, Settings, Shape};

/// Positions in a superbatch.
const SUPERBATCH: u64 = 100_000_000;

/// The arguments of `train`.
#[derive(Args, Clone, Debug)]
pub(crate) struct TrainArguments {
    /// Games in viriformat; with --policy, nodes that `datagen --log` logged
    #[arg(required = true, value_name = "GAMES")]
    pub files: Vec<PathBuf>,
    /// What to train besides the value.
    #[command(flatten)]
    pub guide: GuideArguments,
    /// The directory for the network, checkpoint and loss curve
    #[arg(long, value_name = "DIRECTORY")]
    pub out: PathBuf,
    /// Resume the run in the directory; all other settings must be the same
    #[arg(long, conflicts_with = "start_from")]
    pub resume: bool,
    /// Start from the weights of this network, which may have fewer neurons
    #[arg(long, value_name = "FILE")]
    pub start_from: Option<PathBuf>,
    /// Scale the evaluations to the mean size of those of this network, so that the margins of the search still fit;
    /// the engine's own network unless given, `<none>` for no scaling
    #[arg(long, value_name = "FILE")]
    pub like: Option<PathBuf>,
    /// Neurons for each side: 128, 256, 384 or 512
    #[arg(long, value_name = "N", default_value_t = DEFAULT_HIDDEN)]
    pub hidden: usize,
    /// Give the network relations between pieces and dense layers, instead of one weighted sum
    #[arg(long)]
    pub dense: bool,
    /// Passes over the positions
    #[arg(long, value_name = "N", default_value_t = 30)]
    pub epochs: u64,
    /// The length of the run in superbatches of 100 million positions, instead of epochs
    #[arg(long, value_name = "N", conflicts_with = "epochs")]
    pub superbatches: Option<u64>,
    /// Positions in a step
    #[arg(long, value_name = "N", default_value_t = 16_384)]
    pub batch: usize,
    /// The learning-rate schedule
    #[arg(long, value_enum, default_value_t = Fall::Cosine)]
    pub schedule: Fall,
    /// The initial learning rate
    #[arg(long, value_name = "RATE", default_value_t = 1e-3)]
    pub lr: f64,
    /// The final learning rate
    #[arg(long, value_name = "RATE", default_value_t = 1e-5)]
    pub final_lr: f64,
    /// Warm-up steps, in which the learning rate rises from zero
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub warmup: u64,
    /// Epochs between decays in the schedule "step"
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub step_epochs: u64,
    /// The factor of each decay
    #[arg(long, value_name = "FACTOR", default_value_t = 0.3)]
    pub step_factor: f64,
    /// The weight of the game's result in the target, from 0 to 1; the rest is the search score
    #[arg(long, value_name = "SHARE", default_value_t = 0.1)]
    pub wdl: f64,
    /// The final weight of the game's result, if it changes
    #[arg(long, value_name = "SHARE")]
    pub final_wdl: Option<f64>,
    /// The exponent of the loss
    #[arg(long, value_name = "POWER", default_value_t = 2.0)]
    pub power: f32,
    /// How many centipawns of a search score make one unit of the logistic scale
    #[arg(long, value_name = "CP", default_value_t = SCALE as f32)]
    pub scale: f32,
    /// Weight decay
    #[arg(long, value_name = "SHARE", default_value_t = 0.01)]
    pub decay: f32,
    /// From this fraction of the run on, use weights rounded to the engine's grid; 1 for never
    #[arg(long, value_name = "SHARE", default_value_t = 0.5)]
    pub snap_from: f64,
    /// From this fraction of the run on, average the weights, and export the mean if it is better; 1 for never
    #[arg(long, value_name = "SHARE", default_value_t = 1.0)]
    pub average_from: f64,
    /// Stop after this many epochs without a better held-out loss; 0 for never
    #[arg(long, value_name = "EPOCHS", default_value_t = 0)]
    pub patience: u64,
    /// Threads
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub threads: usize,
    /// The seed of the initial weights and of the order of positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// The share of games held out for validation
    #[arg(long, value_name = "SHARE", default_value_t = 0.03)]
    pub validation: f64,
    /// Leave out this many plies at the start of every game
    #[arg(long, value_name = "N", default_value_t = Filter::default().min_ply)]
    pub min_ply: u32,
    /// Leave out positions with a larger score
    #[arg(long, value_name = "CP", default_value_t = Filter::default().max_score)]
    pub max_score: i16,
    /// Leave out positions with a larger fifty-move counter
    #[arg(long, value_name = "N", default_value_t = Filter::default().max_fifty)]
    pub max_fifty: u16,
    /// Keep positions in check
    #[arg(long)]
    pub keep_checks: bool,
    /// Keep positions whose best move is a capture or a promotion
    #[arg(long)]
    pub keep_noisy: bool,
    /// The most positions to train on
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    /// The longest time between two checkpoints, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    pub checkpoint_every: u64,
    /// Keep the network of every N-th epoch; 0 for none
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub keep_every: u64,
}

impl TrainArguments {
    fn settings(&self) -> Result<Settings> {
        let end = self.final_wdl.unwrap_or(self.wdl);
        let is_share = |share: f64| (0.0..=1.0).contains(&share);
        let is_positive = |number: f64| number.is_finite() && number > 0.0;
        if !is_share(self.wdl) || !is_share(end) {
            bail!("the weight of the result lies between 0 and 1");
        }
        if !is_positive(self.lr) || !is_share(self.final_lr) || self.lr > 1.0 || !is_share(self.step_factor) {
            bail!("a learning rate and its factor lie between 0 and 1");
        }
        if !(1.0..=8.0).contains(&self.power) || !is_positive(self.scale.into()) || !is_share(self.decay.into()) {
            bail!("the power lies between 1 and 8, the scale above 0, the decay between 0 and 1");
        }
        if !is_share(self.snap_from) || !is_share(self.average_from) {
            bail!("the shares of the training after which numbers are rounded and averaged lie between 0 and 1");
        }
        if !(0.0..0.9).contains(&self.validation) {
            bail!("the share of games that test lies between 0 and 0.9");
        }
        if self.batch == 0
            || self.epochs == 0
            || self.superbatches == Some(0)
            || !(1..=256).contains(&self.threads)
            || self.limit == Some(0)
        {
            bail!("batch, epochs, threads and limit are at least 1, threads at most 256");
        }
        Ok(Settings {
            shape: Shape::new(self.hidden, if self.dense { Head::Dense } else { Head::Linear })?,
            epochs: self.epochs,
            batch: self.batch,
            loss: Loss { power: self.power, scale: self.scale },
            blend: Blend { start: self.wdl, end },
            rate: Rate {
                fall: self.schedule,
                start: self.lr,
                end: self.final_lr,
                warmup: self.warmup,
                step_every: self.step_epochs,
                step_factor: self.step_factor,
            },
            adam: AdamSettings { decay: self.decay, ..AdamSettings::default() },
            snap_from: self.snap_from,
            average_from: self.average_from,
            patience: self.patience,
            threads: self.threads,
            seed: self.seed,
            validation: self.validation,
            filter: Filter {
                min_ply: self.min_ply,
                max_score: self.max_score,
                max_fifty: self.max_fifty,
                keep_checks: self.keep_checks,
                keep_noisy: self.keep_noisy,
            },
        })
    }
}

pub(crate) fn run(arguments: &TrainArguments) -> Result<()> {
    let mut settings = arguments.settings()?;
    if arguments.guide.is_asked_for() {
        return guide::run(arguments, &settings);
    }
    let called_off = toolkit::interrupt_flag("");
    let like = JudgeBy::named(arguments.like.as_deref())?;
    let place = Place {
        directory: arguments.out.clone(),
        resume: arguments.resume,
        start_from: arguments.start_from.clone(),
        like: like.engine().network().cloned(),
        checkpoint_every: Duration::from_secs(arguments.checkpoint_every),
        keep_every: arguments.keep_every,
    };
    place.check()?;
    let data = load_data(arguments, &settings)?;
    if let Some(superbatches) = arguments.superbatches {
        settings.epochs = (superbatches * SUPERBATCH).div_ceil(data.training.len() as u64);
        eprintln!("{superbatches} superbatches are {} epochs", settings.epochs);
    }
    let outcome = run::run(settings, &data, &place, &called_off)?;
    report(&outcome, &place);
    Ok(())
}

pub(super) fn load_data(arguments: &TrainArguments, settings: &Settings) -> Result<DataSet> {
    let plan = load::Plan {
        files: arguments.files.clone(),
        filter: settings.filter,
        validation: settings.validation,
        limit: arguments.limit,
        threads: settings.threads,
    };
    let (begin, mut told) = (Instant::now(), Instant::now());
    let data = load::load(&plan, |data| {
        if told.elapsed() > Duration::from_secs(5) {
            told = Instant::now();
            eprintln!("read {} positions", data.counts.positions);
        }
    })?;
    for warning in &data.warnings {
        eprintln!("warning: {warning}");
    }
    eprintln!("{}", load::summary(&data.counts));
    let (learn, test) = (data.training.len(), data.validation.len());
    let games = data.counts.validation_games;
    eprintln!("{learn} positions to learn from, {test} of {games} games to test with; {:.1?}", begin.elapsed());
    Ok(data)
}

fn report(outcome: &Outcome, place: &Place) {
    if outcome.gave_up {
        println!(
            "stopped: it got no better; the network of its best epoch is {}",
            place.directory.join("best.nnue").display()
        );
    } else if !outcome.is_complete {
        println!("interrupted; --resume goes on");
    }
    if let Some((last, mean)) = outcome.averaged {
        let better = if mean < last { "the mean" } else { "the last" };
        println!(
            "validation loss of the last weights {last:.6}, of the mean of the last weights {mean:.6}: {better} was taken"
        );
    }
    if let Some(row) = &outcome.last {
        let (epoch, correlation) = (row.epoch, row.correlation);
        println!("epoch {epoch}: validation loss {:.6}, correlation {correlation:.4}", row.validation);
    }
    let (coarse, fine) = (&outcome.rounding, &outcome.fine_rounding);
    println!(
        "integers against floats over {} positions: mean {:.2} cp, at most {:.1} cp; validation loss {:.6}",
        coarse.positions, coarse.mean, coarse.max, outcome.rounded
    );
    if fine != coarse {
        println!("against the finer floats behind them: mean {:.2} cp, at most {:.1} cp", fine.mean, fine.max);
    }
    println!("values are multiplied by {:.3}", outcome.scale);
    println!("start position {} cp, a queen up {} cp", outcome.start, outcome.queen_up);
    println!("network: {}", place.directory.join("net.nnue").display());
}
