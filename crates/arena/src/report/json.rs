//! The result of a match as JSON, for other programs.

use serde_json::{Value, json};

use super::standings::Standings;
use super::table::elo;
use crate::stalls::milliseconds;
use crate::stats::Estimate;

/// Everything the table shows, and the raw counts behind it. Numbers that are not finite become null.
pub fn render(standings: &Standings) -> Value {
    let name = |engine: usize| standings.names.get(engine).cloned().unwrap_or_default();
    let duels: Vec<Value> = standings
        .duels
        .iter()
        .map(|duel| {
            let [losses, draws, wins] = duel.games.0;
            json!({
                "first": name(duel.players[0]), "second": name(duel.players[1]),
                "games": duel.games.count(), "wins": wins, "losses": losses, "draws": draws,
                "score": duel.games.mean(), "pentanomial": duel.pairs.0,
                "elo": estimate(elo(&duel.games, &duel.pairs)),
                "normalized_elo": estimate(duel.pairs.normalized_elo()),
                "los": duel.pairs.superiority(),
            })
        })
        .collect();
    let engines: Vec<Value> = standings
        .ranking()
        .into_iter()
        .map(|engine| {
            let total = standings.total(engine);
            let [losses, draws, wins] = total.games.0;
            let moves = total.effort.moves.max(1) as f64;
            json!({
                "name": name(engine), "games": total.games.count(), "wins": wins, "losses": losses, "draws": draws,
                "score": total.games.mean(), "pentanomial": total.pairs.0, "elo": estimate(elo(&total.games, &total.pairs)),
                "moves": total.effort.moves, "milliseconds_per_move": 1000.0 * total.effort.time.as_secs_f64() / moves,
                "depth_per_move": total.effort.depth as f64 / moves, "nodes_per_move": total.effort.nodes as f64 / moves,
                "time_losses": total.time_losses, "crashes": total.crashes, "stalls": total.stalls,
                "illegal_moves": total.illegal_moves, "warnings": total.effort.warnings,
            })
        })
        .collect();
    let stalls = standings.stalls.map(|stalls| {
        json!({
            "machine": stalls.machine, "machine_longest_ms": milliseconds(stalls.machine_longest),
            "cores": stalls.cores, "core_longest_ms": milliseconds(stalls.core_longest),
            "stolen_ms": stalls.stolen.map(milliseconds),
        })
    });
    json!({
        "games": standings.played, "void": standings.void, "machine_stalls": stalls, "duels": duels, "engines": engines,
    })
}

fn estimate(value: Estimate) -> Value {
    json!({ "value": value.value, "low": value.low, "high": value.high, "error": value.error() })
}
