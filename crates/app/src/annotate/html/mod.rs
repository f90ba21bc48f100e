//! The report: one page without scripts or anything from elsewhere, with a graph, boards at the turning points and all moves of
//! every game.

mod board;
mod graph;
mod page;

use std::fs;
use std::path::Path;

use anyhow::Context;
use record::pgn::Game;

/// Whether a report can be written there. A report that is there already stays as it is for now.
pub(super) fn check(path: &Path) -> anyhow::Result<()> {
    let opened = fs::OpenOptions::new().create(true).append(true).open(path);
    opened.map(drop).with_context(|| format!("cannot write {}", path.display()))
}

/// Writes the report on annotated games.
pub(super) fn write(path: &Path, games: &[Game]) -> anyhow::Result<()> {
    fs::write(path, page::page(games)).with_context(|| format!("cannot write {}", path.display()))
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
