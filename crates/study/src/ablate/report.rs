//! The table and the chart of an ablation.

use std::fmt::Write;
use std::path::Path;

use super::row::Row;
use crate::subject::Bench;
use arena::report::table;
use arena::stats::Estimate;
use toolkit::chart::{Bar, BarChart};

/// Rows by worth, the best first; rows without games last.
fn sorted(rows: &[Row]) -> Vec<&Row> {
    let mut sorted: Vec<&Row> = rows.iter().collect();
    sorted.sort_by(|a, b| b.order().total_cmp(&a.order()));
    sorted
}

/// The document.
pub(super) fn markdown(rows: &[Row], full: Option<Bench>, games: &str, svg: Option<&Path>) -> String {
    let mut text = String::from(
        "# What each switch is worth\n\nWritten by `stillwater-lab ablate`. Each switch of the engine was turned over, off if it is on \
         by default and on if it is off, with everything else as it is.\n\n",
    );
    let _ = writeln!(text, "- *Worth*: Elo gained by having it on, with 95 % error. Games: {games}.");
    text.push_str(
        "- *Nodes* and *time*: what the bench takes without it, divided by what it takes with it. Above 1 it saves work; where the \
         depth is named, the tree without it was too large for the full depth.\n\
         - *First move*: by how many points it raises the share of cutoffs that the first move tried makes.\n\
         - What costs time but no nodes looks better here than on a clock, if games are of fixed nodes.\n",
    );
    if let Some(full) = full {
        let share = full.first_move_share.map_or(String::new(), |share| format!(", first move {:.1} %", 100.0 * share));
        let _ = writeln!(
            text,
            "- The engine as it is: {} nodes in {:.2} s to depth {}{share}.",
            full.nodes, full.seconds, full.depth
        );
    }
    if let Some(name) = svg.and_then(Path::file_name) {
        let _ = writeln!(text, "\n![What each switch is worth]({})", name.to_string_lossy());
    }
    text.push_str("\n| switch | default | worth | games | + = − of the full engine | nodes | time | first move |\n");
    text.push_str("|---|---|--:|--:|--:|--:|--:|--:|\n");
    for row in sorted(rows) {
        let _ = writeln!(text, "{}", line(row, full.map(|full| full.depth)));
    }
    text
}

fn line(row: &Row, depth: Option<u32>) -> String {
    let ratio = |ratio: Option<f64>| ratio.map_or("–".to_owned(), |ratio| format!("{ratio:.2}"));
    let [losses, draws, wins] = row.games.0;
    let less_deep = row.changed.filter(|changed| Some(changed.depth) != depth);
    let less_deep = less_deep.map_or(String::new(), |changed| format!(" (depth {})", changed.depth));
    let faults = if row.faults > 0 { format!(" ({} by fault)", row.faults) } else { String::new() };
    format!(
        "| {} | {} | {} | {}{faults} | {wins} {draws} {losses} | {}{less_deep} | {} | {} |",
        row.switch.name.replace('_', " "),
        if row.switch.default == 0 { "off" } else { "on" },
        row.worth().map_or("–".to_owned(), table::estimate),
        row.games.count(),
        ratio(row.nodes_ratio()),
        ratio(row.time_ratio()),
        row.first_move_gain().map_or("–".to_owned(), |gain| format!("{:+.2}", gain + 0.0)),
    )
}

/// The bars.
pub(super) fn chart(rows: &[Row]) -> BarChart {
    let mut chart = BarChart::new("What each switch is worth", "Elo gained by having it on, 95 % whiskers");
    for row in sorted(rows) {
        let Some(worth) = row.worth() else { continue };
        let Estimate { low, high, .. } = worth;
        let name = row.switch.name.replace('_', " ");
        let label = if row.switch.default == 0 { format!("{name} (off)") } else { name };
        let mut bar = Bar::new(&label, row.order(), &table::estimate(worth));
        bar.range = Some((low, high));
        chart.bars.push(bar);
    }
    chart
}

#[cfg(test)]
mod tests {
    use super::super::row::example;
    use super::*;

    #[test]
    fn the_table_is_sorted_and_complete() {
        let mut shallow = example("small_gain", 1, [30, 40, 32]);
        shallow.changed = shallow.changed.map(|bench| Bench { depth: 8, ..bench });
        let rows = [shallow, example("large_gain", 1, [5, 40, 60]), example("not_played", 0, [0; 3])];
        let text = markdown(&rows, rows[1].full, "5000 nodes a move", Some(Path::new("docs/ablation.svg")));
        let place = |word: &str| text.find(word).unwrap_or_else(|| panic!("{word} in {text}"));
        assert!(place("| large gain | on | +") < place("| small gain | on | +"));
        assert!(place("| small gain ") < place("| not played | off | – | 0 | 0 0 0 | 0.67 | 0.80 | -2.00 |"));
        assert!(text.contains("1.50 (depth 8) | 1.25 | +2.00 |") && text.contains("](ablation.svg)"));
        assert!(text.contains("1000 nodes in 2.00 s to depth 12, first move 90.0 %"));
        let chart = chart(&rows);
        assert_eq!(chart.bars.iter().map(|bar| bar.label.as_str()).collect::<Vec<_>>(), ["large gain", "small gain"]);
    }
}
