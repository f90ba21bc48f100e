//! The program. It only wires the crates together; `commands` holds what each subcommand does.
#![forbid(unsafe_code)]
#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod perft;

use std::io::{self, ErrorKind};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Stillwater, a chess engine.
#[derive(Parser)]
#[command(version, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Perft(perft::Options),
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Perft(options) => perft::run(&options, &mut io::stdout().lock()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read our output has gone: nothing is wrong, and there is nobody to tell.
        Err(error) if error.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == ErrorKind::BrokenPipe) => {
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("stillwater: {error:#}");
            ExitCode::FAILURE
        }
    }
}
