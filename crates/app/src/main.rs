//! The main program. It only wires the crates together: without arguments it speaks UCI, a subcommand does one job, and
//! any other arguments are UCI commands to run in order.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

mod analyse;
mod annotate;
mod bench;
mod book;
mod explain;
mod genfens;
mod levels;
mod people;
mod perft;
mod play;
mod protocol;
mod serve;
mod tunables;

use std::env;
use std::io::{self, ErrorKind};
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

/// Stillwater, a chess engine. Without arguments it speaks UCI. Arguments that are not subcommands are UCI commands to
/// run in order, as in: stillwater "position startpos moves e2e4" "go depth 12"
#[derive(Parser)]
#[command(version, verbatim_doc_comment)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    #[command(visible_alias = "analyze")]
    Analyse(analyse::Options),
    Annotate(annotate::Options),
    Bench(bench::Options),
    Book(book::Options),
    Explain(explain::Options),
    Perft(perft::Options),
    Play(play::Options),
    Serve(serve::Options),
    Tunables(tunables::Options),
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let outcome = match arguments.first() {
        None => protocol::converse(),
        Some(first) if is_uci(first) => protocol::run(&arguments),
        Some(_) => match Arguments::parse().command {
            Command::Analyse(options) => analyse::run(&options),
            Command::Annotate(options) => annotate::run(&options),
            Command::Bench(options) => engine::on_search_stack(|| bench::run(&options, &mut io::stdout())),
            Command::Book(options) => book::run(&options),
            Command::Explain(options) => explain::run(&options, &mut io::stdout().lock()),
            Command::Perft(options) => perft::run(&options, &mut io::stdout().lock()),
            Command::Play(options) => play::run(&options),
            Command::Serve(options) => serve::run(&options),
            Command::Tunables(options) => tunables::run(&options, &mut io::stdout().lock()),
        },
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of our output is gone, which is not an error, and there is nowhere to report it.
        Err(error) if error.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == ErrorKind::BrokenPipe) => {
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("stillwater: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Whether the first argument begins a list of UCI commands. Subcommands come first; anything that is neither is left
/// to the argument parser, which reports the error.
fn is_uci(word: &str) -> bool {
    let is_subcommand = word == "help" || word.starts_with('-') || Arguments::command().find_subcommand(word).is_some();
    !is_subcommand && uci::Command::read(word).is_ok()
}
