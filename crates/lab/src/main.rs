//! The laboratory's command line. It only chooses; `commands` holds what each subcommand does.
#![forbid(unsafe_code)]

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use lab::commands::{datagen, play, rate, sprt};

/// The laboratory of Stillwater.
#[derive(Parser)]
#[command(version, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Engines play each other
    Match(play::MatchArguments),
    /// A network learns from games
    Train(lab::commands::train::TrainArguments),
    /// Two engines play until it is clear whether the first is better
    Sprt(sprt::SprtArguments),
    /// A rating list from games
    Rate(rate::RateArguments),
    /// The engine plays itself, and the games are kept to learn from
    Datagen(datagen::DatagenArguments),
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Match(arguments) => play::run(&arguments),
        Command::Train(arguments) => lab::commands::train::run(&arguments),
        Command::Sprt(arguments) => sprt::run(&arguments),
        Command::Rate(arguments) => rate::run(&arguments),
        Command::Datagen(arguments) => datagen::run(&arguments),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("stillwater-lab: {error:#}");
            ExitCode::FAILURE
        }
    }
}
