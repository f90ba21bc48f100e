//! The report: one page without scripts or anything from elsewhere, with a graph, boards at the turning points and all moves of
//! every game.

mod board;
mod graph;
mod page;

use std::path::Path;

use record::pgn::Game;
use toolkit::files;

/// Writes the report on annotated games.
pub(super) fn write(path: &Path, games: &[Game]) -> anyhow::Result<()> {
    files::replace(path, page::page(games))
}

/// The report on one game.
pub(crate) fn of_game(game: Game) -> String {
    page::page(&[game])
}

/// Text as it may stand in a page.
fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            _ => safe.push(letter),
        }
    }
    safe
}
