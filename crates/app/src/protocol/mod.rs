//! The UCI session with a user interface.
//!
//! There are two threads. The *front* reads lines and never waits for anything but the next line; it puts whatever
//! takes time or must happen in order into one queue. The *worker* owns the engine and works through the queue. `stop`
//! and `ponderhit` bypass the queue: they go through the [`Control`](engine::Control) that the front creates for each
//! search before queueing it, so neither can be lost or reach the wrong search. All output goes through one lock, a
//! whole line at a time.

mod book;
mod front;
mod input;
mod limits;
mod options;
mod output;
mod report;
mod show;
mod worker;

use std::io::{self, IsTerminal};

use anyhow::{Context, ensure};
use uci::Command;

use front::{Flow, Front};
use input::InputLine;
use output::Output;

/// Speaks UCI over standard input and output until `quit` or the end of the input.
pub(crate) fn converse() -> anyhow::Result<()> {
    let output = Output::stdout();
    // Only for a person at a terminal: programs expect no output before their first command.
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        output.lines(show::GREETING.lines());
    }
    let mut front = Front::new(output)?;
    for line in input::lines(io::stdin().lock()) {
        let flow = match line {
            InputLine::Text(text) => front.obey(&text),
            InputLine::TooLong => front.refuse("a line of more than 4 MB was ignored"),
        };
        match flow {
            Flow::On => {}
            Flow::Quit => {
                front.quit();
                return Ok(());
            }
            Flow::Broken => anyhow::bail!("the search has ended unexpectedly"),
        }
    }
    front.finish();
    Ok(())
}

/// Runs UCI commands in order, each to its end, as if typed. Scripts rely on the exit status, so it fails if a command
/// does.
pub(crate) fn run(commands: &[String]) -> anyhow::Result<()> {
    for command in commands {
        command.parse::<Command>().with_context(|| format!("cannot run \"{}\"", uci::excerpt(command)))?;
    }
    let output = Output::stdout();
    let mut front = Front::new(output.clone())?;
    for command in commands {
        match front.obey(command) {
            Flow::On => front.wait(),
            Flow::Quit => break,
            Flow::Broken => anyhow::bail!("the search has ended unexpectedly"),
        }
    }
    front.finish();
    ensure!(!output.has_complained(), "not everything could be done");
    Ok(())
}
