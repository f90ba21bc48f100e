//! `stillwater book build`: builds a book from games.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::ensure;
use chess::Position;
use record::pgn::{self, Game};
use record::polyglot::Builder;
use toolkit::files::{self, read_text};

/// Make a book from the games of PGN files; a move's weight is twice its wins plus its draws
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Options {
    /// The games (PGN); only decided and drawn games count
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// The book to write
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// How many plies of each game go into the book
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..))]
    plies: u16,
    /// The minimum number of games with a move
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    min_games: u32,
}

pub(super) fn run(options: &Options) -> anyhow::Result<()> {
    let mut builder = Builder::default();
    let (mut used, mut undecided, mut broken) = (0_usize, 0_usize, 0_usize);
    for path in &options.games {
        let text = read_text(path)?;
        for game in pgn::games(&text) {
            match game.and_then(|game| add(&mut builder, &game, usize::from(options.plies))) {
                Ok(true) => used += 1,
                Ok(false) => undecided += 1,
                Err(problem) => {
                    broken += 1;
                    eprintln!("stillwater: {}: {problem}; it is left out", path.display());
                }
            }
        }
    }
    ensure!(used > 0, "there is no game with a result ({undecided} without, {broken} broken)");
    let book = builder.finish(options.min_games);
    ensure!(!book.is_empty(), "no move was played in {} games and ever scored", options.min_games);
    files::replace(&options.output, book.bytes())?;
    writeln!(
        io::stdout(),
        "{}: {} positions, {} moves from {used} games ({undecided} without a result, {broken} broken)",
        options.output.display(),
        book.positions(),
        book.len()
    )?;
    Ok(())
}

/// Counts the moves of a game; false if it has no result. A game with an illegal move is rejected entirely.
fn add(builder: &mut Builder, game: &Game, plies: usize) -> Result<bool, pgn::Problem> {
    let (start, moves) = game.replay(usize::MAX)?;
    let Some(result) = game.result else { return Ok(false) };
    let mut position = Position::new(start);
    for mv in moves.into_iter().take(plies) {
        builder.add(&position, mv, result.white_half_points());
        position.play(mv);
    }
    Ok(true)
}
