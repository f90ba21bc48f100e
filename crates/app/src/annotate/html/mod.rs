//! The HTML report: one page without scripts or external resources, with a graph, boards at the turning points and all
//! moves of every game.

mod board;
mod graph;
mod page;

use std::path::Path;

use record::pgn::Game;
use toolkit::chart::escape;
use toolkit::files;

/// Writes the report on annotated games.
pub(super) fn write(path: &Path, games: &[Game]) -> anyhow::Result<()> {
    files::replace(path, page::page(games))
}

/// The report on one game.
pub(crate) fn of_game(game: Game) -> String {
    page::page(&[game])
}
