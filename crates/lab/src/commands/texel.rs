//! `texel`: tunes the hand-crafted evaluation on the engine's own games.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use serde_json::json;

use toolkit::{Rng, files};
use train::texel::{
    self, Filter, Fit, Losses, Positions, ScoredGame, Target, Weights, Wishes, own_weights, rounded, source,
};

/// The arguments of `texel`.
#[derive(Args, Clone, Debug)]
pub(crate) struct TexelArguments {
    /// Games with scores: viriformat, or PGN if the file ends in .pgn
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// The share of the game's result in the target; the rest is the search score
    #[arg(long, value_name = "SHARE", default_value_t = 0.5)]
    pub result_share: f64,
    /// The weight of the prior on the present weights, in positions. Of several values, the best is chosen
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "100,1000")]
    pub prior: Vec<f64>,
    /// How many plies to skip at the start of each game
    #[arg(long, value_name = "N", default_value_t = 16)]
    pub first_ply: u32,
    /// The largest score of a position to use, in centipawns
    #[arg(long, value_name = "N", default_value_t = 1500)]
    pub largest_score: i32,
    /// The most that captures may change the evaluation of a position to use, in centipawns
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub unrest: i32,
    /// Use only this many games, chosen at random
    #[arg(long, value_name = "N")]
    pub games: Option<usize>,
    /// Hold out one in N games, always the same ones, for validation
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub validation: usize,
    /// Games for validation instead; the present weights must not have been fitted to them
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub check: Vec<PathBuf>,
    /// The maximum number of steps
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub steps: usize,
    /// Threads
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub threads: usize,
    /// The seed of all random choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// The source file of the weights, whose numbers are replaced
    #[arg(long, value_name = "FILE")]
    pub write: Option<PathBuf>,
    /// Write the result to this file as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}

impl TexelArguments {
    fn verify(&self) -> Result<()> {
        if !(0.0..=1.0).contains(&self.result_share) {
            bail!("the share of the result must lie between 0 and 1");
        }
        if self.prior.iter().any(|&prior| !(prior > 0.0 && prior.is_finite())) {
            bail!("a prior must be worth more than no position");
        }
        if self.validation < 2 {
            bail!("if every game is for validation, there is nothing to learn from");
        }
        Ok(())
    }

    fn filter(&self) -> Filter {
        Filter { first_ply: self.first_ply, largest_score: self.largest_score, unrest: self.unrest }
    }
}

pub(crate) fn run(arguments: &TexelArguments) -> Result<()> {
    arguments.verify()?;
    // A file that cannot be rewritten should fail now, not after an hour.
    let source = arguments.write.as_deref().map(|path| Ok::<_, anyhow::Error>((path, readable(path)?))).transpose()?;
    let games = load(arguments, &arguments.files)?;
    let count = games.len();
    let (validation, training) = if arguments.check.is_empty() {
        games.into_iter().partition(|game| game.is_kept_apart(arguments.validation, arguments.seed))
    } else {
        (load(arguments, &arguments.check)?, games)
    };
    let gather = |games: &[ScoredGame]| Positions::gather(games, arguments.filter(), arguments.threads);
    let [training, validation] = [gather(&training), gather(&validation)];
    println!("{count} games, {} positions to learn from, {} to check", training.len(), validation.len());
    if training.is_empty() || validation.is_empty() {
        bail!("no positions are left: are there scores, and are the filters too strict?");
    }
    let target = Target::new(&training, arguments.result_share);
    println!("K of the search scores {:.1}, share of the result {}", target.score_scale, target.result_share);
    let mut best: Option<Outcome> = None;
    for &prior in &arguments.prior {
        let outcome = fit(arguments, &training, &validation, target, prior);
        let is_better = best.as_ref().is_none_or(|best| outcome.after.validation < best.after.validation);
        if is_better {
            best = Some(outcome);
        }
    }
    let best = best.context("there is no prior")?;
    println!("{}", source::difference(&best.weights));
    println!("{}", best.summary());
    if let Some((path, text)) = &source {
        files::replace(path, source::rewrite(text, &best.weights)?)?;
        println!("written to {}", path.display());
    }
    match &arguments.json {
        Some(path) => files::replace(path, format!("{:#}\n", best.json(training.len(), validation.len(), target))),
        None => Ok(()),
    }
}

fn readable(path: &Path) -> Result<String> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let unchanged: Vec<_> = rounded(&own_weights());
    source::rewrite(&text, &unchanged).with_context(|| path.display().to_string())?;
    Ok(text)
}

/// All games of some files in random order, so that any part is a mix of all files.
fn load(arguments: &TexelArguments, files: &[PathBuf]) -> Result<Vec<ScoredGame>> {
    let mut games = Vec::new();
    for path in files {
        games.extend(texel::load(path, |warning| eprintln!("warning: {warning}"))?);
    }
    Rng::new(arguments.seed).shuffle(&mut games);
    games.truncate(arguments.games.unwrap_or(usize::MAX));
    Ok(games)
}

/// The result for one prior.
struct Outcome {
    prior: f64,
    /// The scale of the sigmoid for the evaluation, before and after.
    scales: [f64; 2],
    before: Losses,
    after: Losses,
    /// The error of predicting results alone, before and after.
    results: [f64; 2],
    weights: Vec<[i32; 2]>,
}

fn fit(
    arguments: &TexelArguments,
    training: &Positions,
    validation: &Positions,
    target: Target,
    prior: f64,
) -> Outcome {
    let wishes =
        Wishes { result_share: arguments.result_share, prior, steps: arguments.steps, threads: arguments.threads };
    let mut fit = Fit::new(training, validation, target, wishes);
    let (before, first_scale) = (fit.losses(&fit.weights), fit.scale);
    println!("prior {prior}: K {first_scale:.1}, training {:.6}, validation {:.6}", before.training, before.validation);
    fit.run(|step, losses| {
        println!("  step {step}: training {:.6}, validation {:.6}", losses.training, losses.validation);
    });
    let weights = rounded(&fit.weights);
    let whole: Weights = weights.iter().map(|pair| pair.map(f64::from)).collect();
    let results = [fit.error_of_results(&own_weights()), fit.error_of_results(&whole)];
    let outcome =
        Outcome { prior, scales: [first_scale, fit.scale], before, after: fit.losses(&whole), results, weights };
    println!("  {}", outcome.summary());
    if outcome.weights == rounded(&own_weights()) {
        println!("  nothing was learnt: no step did better on the games kept apart, so the weights stay as they are");
    }
    outcome
}

impl Outcome {
    fn summary(&self) -> String {
        let [before, after] = [self.before, self.after];
        format!(
            "prior {}: training {:.6} -> {:.6}, validation {:.6} -> {:.6} ({:+.2} %), results alone {:.6} -> {:.6}, K {:.1} -> {:.1}",
            self.prior,
            before.training,
            after.training,
            before.validation,
            after.validation,
            100.0 * (after.validation / before.validation - 1.0),
            self.results[0],
            self.results[1],
            self.scales[0],
            self.scales[1],
        )
    }

    fn json(&self, training: usize, validation: usize, target: Target) -> serde_json::Value {
        json!({
            "training_positions": training, "validation_positions": validation,
            "result_share": target.result_share, "score_scale": target.score_scale, "prior": self.prior,
            "scale_before": self.scales[0], "scale_after": self.scales[1],
            "training_before": self.before.training, "training_after": self.after.training,
            "results_before": self.results[0], "results_after": self.results[1],
            "validation_before": self.before.validation, "validation_after": self.after.validation,
            "weights": self.weights,
        })
    }
}
