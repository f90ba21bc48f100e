//! The laboratory's command line. It only chooses; `commands` holds what each subcommand does.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod arguments;
mod commands;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use commands::{assess, datagen, datastat, evolve, play, rate, rescore, reshape, sprt, suite, texel, train, wdl};
use study::{ablate, ladder, spsa};

/// The laboratory of Stillwater.
#[derive(Parser)]
#[command(version, arg_required_else_help = true, after_help = "@FILE anywhere stands for the arguments in that file.")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Engines play each other
    Match(play::MatchArguments),
    /// Two engines play until it is clear whether the first is better
    Sprt(sprt::SprtArguments),
    /// A rating list from games
    Rate(rate::RateArguments),
    /// Engines solve test positions
    Suite(suite::SuiteArguments),
    /// Tunes the hand-written evaluation on games
    Texel(texel::TexelArguments),
    /// The engine plays itself, and the games are kept to learn from
    Datagen(datagen::DatagenArguments),
    /// What is in files of games
    Datastat(datastat::DatastatArguments),
    /// Files of games into one
    Merge(reshape::MergeArguments),
    /// Files of games into one, in random order
    Shuffle(reshape::ShuffleArguments),
    /// New scores for old games
    Rescore(rescore::RescoreArguments),
    /// A network learns from games
    Train(train::TrainArguments),
    /// How well evaluations foretell what searches said and how games ended
    Assess(assess::AssessArguments),
    /// Chances of win, draw and loss fitted to games
    Wdl(wdl::WdlArguments),
    /// Generation after generation: play, train, match, promote
    Evolve(evolve::EvolveArguments),
    /// What each switch of the engine is worth
    Ablate(ablate::AblateArguments),
    /// The roadmap's rungs against each other
    Ladder(ladder::LadderArguments),
    /// Tune the engine's numbers by play against itself
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
        Command::Train(arguments) => train::run(&arguments),
        Command::Assess(arguments) => assess::run(&arguments),
        Command::Wdl(arguments) => wdl::run(&arguments),
        Command::Evolve(arguments) => evolve::run(&arguments),
        Command::Ablate(arguments) => ablate::run(&arguments),
        Command::Ladder(arguments) => ladder::run(&arguments),
        Command::Spsa(arguments) => spsa::run(&arguments),
    }
}
