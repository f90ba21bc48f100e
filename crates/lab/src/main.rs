//! The laboratory's command line. It only dispatches; `commands` implements the subcommands.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod arguments;
mod commands;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use commands::{
    assess, datagen, datastat, evolve, play, pruning, rate, relabel, rescore, reshape, sprt, suite, texel, train, wdl,
};
use study::{ablate, ladder, regret, spsa};

/// The laboratory of Stillwater.
#[derive(Parser)]
#[command(version, arg_required_else_help = true, after_help = "@FILE anywhere stands for the arguments in that file.")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Play a match between engines
    Match(play::MatchArguments),
    /// Play two engines until an SPRT decides whether the first is better
    Sprt(sprt::SprtArguments),
    /// Compute a rating list from games
    Rate(rate::RateArguments),
    /// Run engines on test positions
    Suite(suite::SuiteArguments),
    /// Tune the hand-crafted evaluation on games
    Texel(texel::TexelArguments),
    /// Generate training games by self-play
    Datagen(datagen::DatagenArguments),
    /// Print statistics of files of games
    Datastat(datastat::DatastatArguments),
    /// Merge files of games into one
    Merge(reshape::MergeArguments),
    /// Merge files of games into one, in random order
    Shuffle(reshape::ShuffleArguments),
    /// Give old games new scores
    Rescore(rescore::RescoreArguments),
    /// Give games the static values of a teacher: a network, the hand-crafted evaluation and its terms
    Relabel(relabel::RelabelArguments),
    /// Train a network on games
    Train(train::TrainArguments),
    /// Measure how well evaluations predict search scores and game results
    Assess(assess::AssessArguments),
    /// Measure on logged nodes how often pruning would be wrong
    Pruning(pruning::PruningArguments),
    /// Fit a model of win, draw and loss chances to games
    Wdl(wdl::WdlArguments),
    /// Improve the network generation by generation: play, train, match, promote
    Evolve(evolve::EvolveArguments),
    /// Measure what each switch of the engine is worth
    Ablate(ablate::AblateArguments),
    /// Play the roadmap's rungs against each other
    Ladder(ladder::LadderArguments),
    /// Measure how good the moves are that the engine chooses with other values of its numbers
    Regret(regret::RegretArguments),
    /// Tune the engine's numbers by self-play (SPSA)
    Spsa(spsa::SpsaArguments),
}

fn main() -> ExitCode {
    match arguments::expand(std::env::args()).and_then(|words| run(Arguments::parse_from(words).command)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("stillwater-lab: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> anyhow::Result<()> {
    match command {
        Command::Match(arguments) => play::run(&arguments),
        Command::Sprt(arguments) => sprt::run(&arguments),
        Command::Rate(arguments) => rate::run(&arguments),
        Command::Suite(arguments) => suite::run(&arguments),
        Command::Texel(arguments) => texel::run(&arguments),
        Command::Datagen(arguments) => datagen::run(&arguments),
        Command::Datastat(arguments) => datastat::run(&arguments),
        Command::Merge(arguments) => reshape::merge(&arguments),
        Command::Shuffle(arguments) => reshape::shuffle(&arguments),
        Command::Rescore(arguments) => rescore::run(&arguments),
        Command::Relabel(arguments) => relabel::run(&arguments),
        Command::Train(arguments) => train::run(&arguments),
        Command::Assess(arguments) => assess::run(&arguments),
        Command::Pruning(arguments) => pruning::run(&arguments),
        Command::Wdl(arguments) => wdl::run(&arguments),
        Command::Evolve(arguments) => evolve::run(&arguments),
        Command::Ablate(arguments) => ablate::run(&arguments),
        Command::Ladder(arguments) => ladder::run(&arguments),
        Command::Regret(arguments) => regret::run(&arguments),
        Command::Spsa(arguments) => spsa::run(&arguments),
    }
}
