//! `train --policy`, `--forecast` and `--confidence`: train what a network has besides its value.

use std::path::Path;
use std::sync::atomic::Ordering;

use anyhow::{Context, Result, ensure};
use clap::Args;
use data::JudgeBy;
use nnue::Network;
use nnue::arch::QUANTILES;

use super::train::{TrainArguments, load_data};
use toolkit::files;
use train::Settings;
use train::guide::{self, FitSettings, PolicyPlan, Prediction};

/// These trainings take minutes, so they keep no checkpoint.
const INTERRUPTED: &str = "interrupted: nothing was written";

/// The arguments of `train` for what guides the search.
#[derive(Args, Clone, Debug)]
pub(crate) struct GuideArguments {
    /// Train the policy of the network --start-from, or of the engine's own; its value stays as it is. Of the other
    /// options --epochs, --batch, --schedule, --lr, --final-lr, --decay, --threads, --seed, --validation and --limit
    /// count
    #[arg(long, conflicts_with_all = ["forecast", "confidence", "resume"])]
    pub policy: bool,
    /// Train the forecast of moves that people see, on games, with the same options
    #[arg(long, conflicts_with_all = ["confidence", "resume"])]
    pub forecast: bool,
    /// Train the confidence, on games; the options that choose positions count, too
    #[arg(long, conflicts_with = "resume")]
    pub confidence: bool,
    /// How much a move counts that was not tried, from 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, requires = "policy")]
    pub untried: f32,
    /// Let the four squares of a sector share their weights, as in the Chessmaps heuristic
    #[arg(long, requires = "policy")]
    pub sectors: bool,
}

impl GuideArguments {
    /// Whether something else than the value is to be trained.
    pub(crate) fn is_asked_for(&self) -> bool {
        self.policy || self.forecast || self.confidence
    }
}

pub(crate) fn run(arguments: &TrainArguments, settings: &Settings) -> Result<()> {
    let path = arguments.out.join("net.nnue");
    ensure!(!path.exists(), "{} exists: choose another place", path.display());
    std::fs::create_dir_all(&arguments.out).with_context(|| format!("cannot make {}", arguments.out.display()))?;
    let engine = JudgeBy::named(arguments.start_from.as_deref())?.engine();
    let network = engine.network().context("there is no network to guide the search with: name one by --start-from")?;
    let fit = FitSettings {
        epochs: settings.epochs,
        batch: settings.batch,
        rate: settings.rate,
        decay: settings.adam.decay,
        threads: settings.threads,
        seed: settings.seed,
    };
    let network = Network::clone(network);
    let guided = match arguments.guide.confidence {
        true => confidence(arguments, settings, &fit, network)?,
        false => policy(arguments, fit, network)?,
    };
    write(&path, &guided)
}

fn write(path: &Path, network: &Network) -> Result<()> {
    files::replace(path, network.to_bytes())?;
    println!("network: {}", path.display());
    Ok(())
}

fn say(epoch: u64, loss: f64, test: f64) {
    eprintln!("epoch {epoch:3}: loss {loss:.6}, validation {test:.6}");
}

fn policy(arguments: &TrainArguments, fit: FitSettings, network: Network) -> Result<Network> {
    let options = &arguments.guide;
    ensure!((0.0..=1.0).contains(&options.untried), "the weight of moves that were not tried lies between 0 and 1");
    let plan = PolicyPlan {
        files: arguments.files.clone(),
        validation: arguments.validation,
        limit: arguments.limit,
        untried: options.untried,
        forecast: options.forecast,
        sectors: options.sectors,
        fit,
    };
    let called_off = toolkit::interrupt_flag("");
    let (policy, report) = guide::train_policy(&plan, &called_off, say)?;
    ensure!(!called_off.load(Ordering::Relaxed), INTERRUPTED);
    let [nodes, tests] = report.nodes;
    println!("{nodes} nodes learned from, {tests} to test with");
    println!("{:<10}{:>10}{:>10}{:>14}", "", "loss", "first", "first three");
    let print = |name: &str, prediction: &Prediction| {
        let [first, three] = [prediction.first, prediction.first_three].map(|share| 100.0 * share);
        println!("{name:<10}{:>10.4}{first:>8.2} %{three:>12.2} %", prediction.loss);
    };
    let (old, epochs) = (network.description(), fit.epochs);
    if options.forecast {
        print("forecast", &report.policy);
        let description = format!("{old}; forecast on {nodes} positions, epochs={epochs}");
        return Ok(network.with_forecast(Some(policy)).with_description(description));
    }
    print("histories", &report.history);
    print("policy", &report.policy);
    print("both", &report.both);
    println!("a logit of one is worth {:.0} in the order of quiet moves", report.worth);
    let description = format!("{old}; policy on {nodes} nodes, epochs={epochs}");
    Ok(network.with_policy(Some(policy)).with_description(description))
}

fn confidence(arguments: &TrainArguments, settings: &Settings, fit: &FitSettings, network: Network) -> Result<Network> {
    let data = load_data(arguments, settings)?;
    let called_off = toolkit::interrupt_flag("");
    let (confidence, report) = guide::train_confidence(&network, &data, fit, &called_off, say)?;
    ensure!(!called_off.load(Ordering::Relaxed), INTERRUPTED);
    let [constant, trained] = report.losses;
    println!("pinball loss {trained:.6}, of constant quantiles {constant:.6}");
    for (quantile, below) in QUANTILES.into_iter().zip(report.below) {
        println!("below the quantile of {:.0} %: {:.1} %", 100.0 * quantile, 100.0 * below);
    }
    for (name, index) in [("narrowest", 0), ("widest", 1)] {
        let [width, outside] = [report.widths[index], report.outside[index]].map(|share| 100.0 * share);
        println!("the {name} tenth of the bands: {width:.1} % wide, {outside:.1} % of the results outside");
    }
    let (positions, epochs) = (report.positions[0], fit.epochs);
    let description = format!("{}; confidence on {positions} positions, epochs={epochs}", network.description());
    Ok(network.with_confidence(Some(confidence)).with_description(description))
}
