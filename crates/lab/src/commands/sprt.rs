//! `sprt`: a match that stops as soon as an SPRT decides whether the first engine is better than the second.

use anyhow::{Result, bail};
use clap::Args;
use serde_json::json;

use super::play::{self, MatchArguments, Opinion};
use super::write_json;
use arena::report::{Standings, json, table};
use arena::stats::{Decision, Model, Pairs, Sprt};

/// The default limit: twenty thousand pairs, more than any test needs.
const LONGEST: usize = 20_000;

/// The arguments of `sprt`.
#[derive(Args, Clone, Debug)]
pub(crate) struct SprtArguments {
    /// The match.
    #[command(flatten)]
    pub games: MatchArguments,
    /// The lower SPRT bound: a difference not worth having
    #[arg(long, value_name = "ELO", default_value_t = 0.0, allow_negative_numbers = true)]
    pub elo0: f64,
    /// The upper SPRT bound: a difference worth having
    #[arg(long, value_name = "ELO", default_value_t = 5.0, allow_negative_numbers = true)]
    pub elo1: f64,
    /// The probability of accepting when the difference is elo0
    #[arg(long, value_name = "SHARE", default_value_t = 0.05)]
    pub alpha: f64,
    /// The probability of rejecting when the difference is elo1
    #[arg(long, value_name = "SHARE", default_value_t = 0.05)]
    pub beta: f64,
    /// The scale of both bounds
    #[arg(long, value_enum, default_value_t = Model::Normalized)]
    pub model: Model,
}

impl SprtArguments {
    fn test(&self) -> Result<Sprt> {
        let is_share = |share: f64| share > 0.0 && share < 0.5;
        if !self.elo0.is_finite() || !self.elo1.is_finite() || self.elo0 >= self.elo1 {
            bail!("elo0 must be less than elo1");
        }
        if !is_share(self.alpha) || !is_share(self.beta) {
            bail!("alpha and beta must lie between 0 and 0.5");
        }
        if self.games.engines.len() != 2 {
            bail!("a test is between two engines");
        }
        Ok(Sprt { elo0: self.elo0, elo1: self.elo1, alpha: self.alpha, beta: self.beta, model: self.model })
    }
}

pub(crate) fn run(arguments: &SprtArguments) -> Result<()> {
    let test = arguments.test()?;
    let opinion = |standings: &Standings| {
        let pairs = pairs(standings);
        Opinion { is_final: test.verdict(&pairs).is_some(), words: format!(", {}", llr(&test, &pairs)) }
    };
    let standings = play::play(&arguments.games, LONGEST, opinion)?;
    let pairs = pairs(&standings);
    let (verdict, meaning) = match test.verdict(&pairs) {
        Some(Decision::Accepted) => ("accepted", format!("better by {} rather than {}", test.elo1, test.elo0)),
        Some(Decision::Rejected) => ("rejected", format!("better by {} rather than {}", test.elo0, test.elo1)),
        None => ("undecided", "more games are needed".to_owned()),
    };
    print!("{}", table::render(&standings));
    println!();
    println!("{}, {} Elo [{}, {}]: {verdict}, {meaning}", llr(&test, &pairs), name(test.model), test.elo0, test.elo1);
    if verdict != "undecided" {
        println!("(a test stops when the results look extreme: its Elo estimate is somewhat too far from zero)");
    }
    let (lower, upper) = test.bounds();
    let mut value = json::render(&standings);
    if let Some(object) = value.as_object_mut() {
        let test = json!({
            "elo0": test.elo0, "elo1": test.elo1, "alpha": test.alpha, "beta": test.beta, "model": name(test.model),
            "llr": test.llr(&pairs), "lower": lower, "upper": upper, "verdict": verdict,
        });
        object.insert("sprt".to_owned(), test);
    }
    write_json(arguments.games.json.as_deref(), &value)
}

fn pairs(standings: &Standings) -> Pairs {
    standings.duels.first().map(|duel| duel.pairs).unwrap_or_default()
}

fn llr(test: &Sprt, pairs: &Pairs) -> String {
    let (lower, upper) = test.bounds();
    format!("LLR {:+.2} ({lower:.2}, {upper:.2})", test.llr(pairs).unwrap_or(0.0))
}

fn name(model: Model) -> &'static str {
    match model {
        Model::Normalized => "normalized",
        Model::Logistic => "logistic",
    }
}
