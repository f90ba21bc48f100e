//! The loop's display in the terminal: a table of generations and the current stage.

use std::fmt::Write;

use crate::lineage::Generation;
use crate::state::State;

/// How many generations the table shows; older ones are on the page.
const SHOWN: usize = 12;

pub(crate) fn render(done: &[Generation], now: Option<&State>) -> String {
    let mut text = String::new();
    let _ = writeln!(
        text,
        "\n{:>4} {:>10} {:>6} {:>9}  {:<34} {:<34} verdict",
        "gen", "positions", "draws", "loss", "at fixed nodes", "at the clock"
    );
    for generation in done.iter().skip(done.len().saturating_sub(SHOWN)) {
        let [nodes, clock] = generation.scores();
        let draws = generation.draws.map_or("–".to_owned(), |share| format!("{:.0} %", 100.0 * share));
        let loss = generation.loss.last().map_or("–".to_owned(), |loss| format!("{loss:.6}"));
        let verdict = generation.verdict();
        let _ = writeln!(
            text,
            "{:>4} {:>10} {draws:>6} {loss:>9}  {nodes:<34} {clock:<34} {verdict}",
            generation.generation, generation.positions,
        );
    }
    if let Some(state) = now {
        let champion = if state.champion.is_empty() { "the engine's own network" } else { &state.champion };
        let _ = writeln!(text, "{:>4} {}; the champion is {champion}", state.generation, state.stage.name());
    }
    text
}
