//! Tables and status lines for people.

use std::fmt::Write;

use super::standings::{Duel, Standings, Total};
use crate::stalls::{SHORTEST, StallReport, milliseconds};
use crate::stats::{Estimate, Games, Pairs};

/// A number with its error. If one end of the interval is infinite, only the other is shown.
pub fn estimate(estimate: Estimate) -> String {
    let Estimate { value, low, high } = estimate;
    let value = value + 0.0; // there is no "-0.0" in a table
    match (low.is_finite(), high.is_finite()) {
        (true, true) => format!("{value:+.1} ± {:.1}", estimate.error()),
        (true, false) if value.is_finite() => format!("{value:+.1}, > {low:+.1}"),
        (false, true) if value.is_finite() => format!("{value:+.1}, < {high:+.1}"),
        (true, false) => format!("> {low:+.1}"),
        (false, true) => format!("< {high:+.1}"),
        (false, false) => "?".into(),
    }
}

/// The rating difference, from pairs if there are any, since they give the tighter estimate.
pub fn elo(games: &Games, pairs: &Pairs) -> Estimate {
    if pairs.count() > 0 { pairs.elo() } else { games.elo() }
}

/// The whole final report.
pub fn render(standings: &Standings) -> String {
    let mut text = String::new();
    for duel in standings.duels.iter().filter(|duel| duel.games.count() > 0) {
        text.push_str(&duel_block(standings, duel));
        text.push('\n');
    }
    text.push_str(&engines(standings));
    if standings.void > 0 || standings.stalls.is_some() {
        let _ = writeln!(text, "void games: {}", standings.void);
    }
    if let Some(stalls) = &standings.stalls {
        let _ = writeln!(text, "{}", stall_line(stalls));
    }
    text
}

fn name(standings: &Standings, engine: usize) -> &str {
    standings.names.get(engine).map_or("?", String::as_str)
}

fn duel_block(standings: &Standings, duel: &Duel) -> String {
    let [losses, draws, wins] = duel.games.0;
    let games = duel.games.count();
    let normalized = if duel.pairs.count() > 0 { duel.pairs.normalized_elo() } else { duel.games.normalized_elo() };
    let superiority = if duel.pairs.count() > 0 { duel.pairs.superiority() } else { duel.games.superiority() };
    let [first, second] = duel.players.map(|player| name(standings, player));
    let mut text = String::new();
    let _ = writeln!(text, "{first} against {second}: {games} games");
    let _ = writeln!(
        text,
        "  +{wins} -{losses} ={draws}, {:.1} %, draws {:.1} %, Ptnml(0-2) {:?}",
        100.0 * duel.games.mean(),
        percent(draws, games),
        duel.pairs.0
    );
    let _ = writeln!(
        text,
        "  Elo {}, normalized {}, LOS {:.1} %",
        estimate(elo(&duel.games, &duel.pairs)),
        estimate(normalized),
        100.0 * superiority
    );
    text
}

fn percent(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

fn engines(standings: &Standings) -> String {
    let header = [
        "engine",
        "games",
        "+",
        "-",
        "=",
        "score",
        "Elo (95 %)",
        "draws",
        "ms/move",
        "depth",
        "nodes/move",
        "knps",
        "time",
        "crash",
        "stall",
        "illegal",
        "warnings",
    ];
    let mut rows = vec![header.map(str::to_owned)];
    for engine in standings.ranking() {
        rows.push(row(name(standings, engine), &standings.total(engine)));
    }
    align(&rows)
}

fn row(name: &str, total: &Total) -> [String; 17] {
    let [losses, draws, wins] = total.games.0;
    let games = total.games.count();
    let (moves, seconds) = (total.effort.moves.max(1) as f64, total.effort.time.as_secs_f64());
    let speed = if seconds > 0.0 { total.effort.nodes as f64 / seconds / 1000.0 } else { 0.0 };
    [
        name.to_owned(),
        games.to_string(),
        wins.to_string(),
        losses.to_string(),
        draws.to_string(),
        format!("{:.1} %", 100.0 * total.games.mean()),
        estimate(elo(&total.games, &total.pairs)),
        format!("{:.1} %", percent(draws, games)),
        format!("{:.1}", 1000.0 * seconds / moves),
        format!("{:.1}", total.effort.depth as f64 / moves),
        format!("{:.0}", total.effort.nodes as f64 / moves),
        format!("{speed:.0}"),
        total.time_losses.to_string(),
        total.crashes.to_string(),
        total.stalls.to_string(),
        total.illegal_moves.to_string(),
        total.effort.warnings.to_string(),
    ]
}

/// How often the machine stood still.
fn stall_line(stalls: &StallReport) -> String {
    let times = |count: u64, longest| match count {
        0 => "0 times".to_owned(),
        1 => format!("1 time, {:.1} ms", milliseconds(longest)),
        _ => format!("{count} times, {:.1} ms at most", milliseconds(longest)),
    };
    let stolen = stalls.stolen.map_or_else(String::new, |time| format!("; stolen: {:.2} s", time.as_secs_f64()));
    format!(
        "stalls of {} ms or more: the machine {}; a core {}{stolen}",
        SHORTEST.as_millis(),
        times(stalls.machine, stalls.machine_longest),
        times(stalls.cores, stalls.core_longest),
    )
}

/// Columns as wide as their widest cell: the first left-aligned, the others right-aligned.
pub fn align<const N: usize>(rows: &[[String; N]]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; N] = std::array::from_fn(width);
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().zip(widths).enumerate().map(|(column, (cell, width))| {
            if column == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        let _ = writeln!(text, "{}", cells.collect::<Vec<_>>().join("  "));
    }
    text
}

/// One line on the first engine's score so far.
pub fn line(standings: &Standings, games: usize) -> String {
    let total = standings.total(0);
    let [losses, draws, wins] = total.games.0;
    let faults = standings.faults();
    let faults = if faults > 0 { format!(", {faults} lost by fault") } else { String::new() };
    let void = if standings.void > 0 { format!(", {} void", standings.void) } else { String::new() };
    format!(
        "{}/{games}: {} +{wins} -{losses} ={draws}, {:.1} %, Elo {}, Ptnml(0-2) {:?}{faults}{void}",
        standings.played,
        name(standings, 0),
        100.0 * total.games.mean(),
        estimate(elo(&total.games, &total.pairs)),
        total.pairs.0,
    )
}
