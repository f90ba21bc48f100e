//! `stillwater book`: shows the contents of Polyglot opening books and builds them from games.

mod build;
mod show;

use std::path::Path;

use anyhow::Context;
use record::polyglot::Book;
use toolkit::files;

/// Look into Polyglot opening books, or make one from games
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(Clone, Debug, clap::Subcommand)]
enum Command {
    Show(show::Options),
    Build(build::Options),
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    match &options.command {
        Command::Show(options) => show::run(options),
        Command::Build(options) => build::run(options),
    }
}

/// The largest book that is read, in bytes. The largest in use have a few hundred megabytes.
const LARGEST: u64 = 1 << 30;

/// Reads a book.
pub(crate) fn load(path: &Path) -> anyhow::Result<Book> {
    let bytes = files::read(path, LARGEST)?;
    Book::parse(&bytes).with_context(|| path.display().to_string())
}
