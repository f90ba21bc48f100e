//! Plays two variants of an engine against each other, as often as a measurement needs. All duels share one set of
//! conditions, and every finished game goes into the journal.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::Args;
use serde_json::{Value, json};

use crate::journal::Journal;
use arena::report::Standings;
use arena::runner::{self, Plan};
use arena::{
    Book, DrawRule, Effort, EngineSpec, Fault, Format, Limits, Openings, Order, Pairing, ResignRule, Rules, Schedule,
    Summary, TimeControl,
};

/// How far the engines' own scores can be trusted to end a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Judgement {
    /// The scores show reliably when a game is level and when it is decided.
    Good,
    /// The scores only count material.
    Poor,
}

impl Judgement {
    fn rules(self) -> (Option<DrawRule>, ResignRule) {
        match self {
            Judgement::Good => (
                Some(DrawRule { move_number: 40, move_count: 8, score: 10 }),
                ResignRule { move_count: 3, score: 600, two_sided: true },
            ),
            Judgement::Poor => (None, ResignRule { move_count: 5, score: 1000, two_sided: true }),
        }
    }
}

/// How the games of a measurement are played.
#[derive(Args, Clone, Debug)]
pub(crate) struct DuelArguments {
    /// Nodes per move
    #[arg(long, value_name = "N", default_value_t = 5000, conflicts_with = "tc")]
    pub nodes: u64,
    /// A clock instead of nodes: [MOVES/]SECONDS[+INC]
    #[arg(long, value_name = "TC")]
    pub tc: Option<TimeControl>,
    /// Concurrent games
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub concurrency: usize,
    /// The opening book: EPD, PGN or Polyglot; without it the laboratory's own openings
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
    /// The seed of the openings' order
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Whether to adjudicate games when both sides agree that they are level or decided
    #[arg(long, value_name = "BOOL", default_value_t = true, action = clap::ArgAction::Set)]
    pub adjudicate: bool,
    /// Adjudicate a draw after this many moves of each side
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub max_moves: u32,
}

impl DuelArguments {
    /// The limits of the engines' searches.
    pub(crate) fn limits(&self) -> Limits {
        Limits { nodes: self.tc.is_none().then_some(self.nodes), clock: self.tc, ..Limits::default() }
    }

    /// The openings of all duels.
    pub(crate) fn book(&self) -> Result<Openings> {
        let book = match &self.openings {
            Some(path) => Book::load(path, None)?,
            None => Book::own(),
        };
        Ok(Openings::new(book, Order::Random, self.seed, 1))
    }

    /// The plan for a duel of `pairs` pairs of games.
    pub(crate) fn plan(
        &self,
        engines: [EngineSpec; 2],
        openings: &Openings,
        pairs: usize,
        judgement: Judgement,
    ) -> Result<Plan> {
        if self.concurrency == 0 || self.max_moves == 0 || (self.tc.is_none() && self.nodes == 0) {
            bail!("--concurrency, --max-moves and --nodes must be at least 1");
        }
        let (draw, resign) = judgement.rules();
        Ok(Plan {
            engines: engines.into(),
            schedule: Schedule::new(2, Format::RoundRobin, pairs)?,
            openings: openings.clone(),
            rules: Rules {
                draw: draw.filter(|_| self.adjudicate),
                resign: Some(resign).filter(|_| self.adjudicate),
                max_moves: Some(self.max_moves),
            },
            tables: None,
            chess960: false,
            patience: Duration::from_secs(120),
            ponder: false,
            concurrency: self.concurrency,
            cores: None,
            recover: true,
            watch: None,
        })
    }

    /// The conditions that must stay the same between runs of one measurement. The number of games may change.
    pub(crate) fn header(&self) -> Value {
        json!({
            "limits": self.limits().to_string(),
            "openings": self.openings.as_ref().map(|path| path.file_name().map(|name| name.to_string_lossy())),
            "seed": self.seed,
            "adjudicate": self.adjudicate,
            "max_moves": self.max_moves,
        })
    }

    /// The conditions in words.
    pub(crate) fn describe(&self) -> String {
        let limits = match self.tc {
            Some(tc) => format!("{tc} seconds a game"),
            None => format!("{} nodes a move", self.nodes),
        };
        let openings = match self.openings.as_ref().and_then(|path| path.file_name()) {
            Some(name) => format!("openings of {}", name.to_string_lossy()),
            None => "the laboratory's own openings".to_owned(),
        };
        format!("{limits}, pairs of games with colours reversed from {openings}")
    }
}

/// The score of a row according to the journal.
pub(crate) fn score(journal: &Journal, row: &str, plan: &Plan) -> (Standings, HashSet<usize>) {
    let names = plan.engines.iter().map(|engine| engine.name.clone()).collect();
    let mut standings = Standings::new(names, plan.schedule.meetings());
    let mut done = HashSet::new();
    for summary in summaries(journal, row, &plan.schedule) {
        done.insert(summary.pairing.number);
        standings.add(&summary);
    }
    (standings, done)
}

/// All games of a row, each once.
pub(crate) fn summaries(journal: &Journal, row: &str, schedule: &Schedule) -> Vec<Summary> {
    let mut seen = HashSet::new();
    let games = journal.of_row(row).filter_map(|record| from_record(record, schedule));
    games.filter(|summary| seen.insert(summary.pairing.number)).collect()
}

/// Plays the games of a row that are not in the journal, reports the score after each, and returns it.
pub(crate) fn play(
    plan: &Plan,
    row: &str,
    journal: &mut Journal,
    called_off: &Arc<AtomicBool>,
    mut tell: impl FnMut(&Standings),
) -> Result<Standings> {
    let (mut standings, done) = score(journal, row, plan);
    if done.len() < plan.schedule.len() {
        plan.check(called_off).and_then(|warnings| {
            // An unknown option would be ignored silently, and the duel would measure nothing.
            let unknown = warnings.into_iter().find(|warning| warning.contains("has no option"));
            unknown.map_or(Ok(()), |warning| bail!("{warning}"))
        })?;
        runner::run(plan, &done, called_off, |pairing, game| {
            let summary = Summary::of_game(pairing, &game);
            journal.write(to_record(row, &summary))?;
            standings.add(&summary);
            tell(&standings);
            Ok(true)
        })?;
    }
    Ok(standings)
}

/// The names of faults in the journal.
const FAULTS: [(Fault, &str); 4] =
    [(Fault::TimeLoss, "time"), (Fault::IllegalMove, "illegal"), (Fault::Crash, "crash"), (Fault::Stall, "stall")];

fn to_record(row: &str, summary: &Summary) -> Value {
    let fault = FAULTS.iter().find(|(fault, _)| summary.fault == Some(*fault)).map(|(_, name)| name);
    json!({ "row": row, "game": summary.pairing.number, "white": summary.white_half_points, "fault": fault })
}

fn from_record(record: &Value, schedule: &Schedule) -> Option<Summary> {
    let pairing: Pairing = schedule.game(record["game"].as_u64()?.try_into().ok()?)?;
    let white_half_points = record["white"].as_u64()?.try_into().ok().filter(|points| *points <= 2)?;
    let fault = FAULTS.iter().find(|(_, name)| record["fault"] == *name).map(|(fault, _)| *fault);
    Some(Summary { pairing, white_half_points, fault, is_void: false, effort: [Effort::default(); 2] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_survive_the_journal() {
        let schedule = Schedule::new(2, Format::RoundRobin, 3).expect("a schedule");
        for number in 0..6 {
            let pairing = schedule.game(number).expect("a game");
            let fault = [None, Some(Fault::TimeLoss), Some(Fault::Crash)][number % 3];
            let effort = Default::default();
            let summary = Summary { pairing, white_half_points: number as u8 % 3, fault, is_void: false, effort };
            assert_eq!(from_record(&to_record("a", &summary), &schedule), Some(summary));
        }
        assert_eq!(from_record(&json!({ "row": "a", "game": 6, "white": 2 }), &schedule), None, "beyond the schedule");
        assert_eq!(from_record(&json!({ "row": "a", "game": 1, "white": 3 }), &schedule), None);
        assert_eq!(from_record(&json!({ "row": "a", "bench": {} }), &schedule), None);
    }

    #[test]
    fn the_own_book_is_playable_and_has_no_doubles() {
        let openings = Openings::new(Book::own(), Order::Sequential, 1, 1);
        assert!(openings.count() >= 250);
        let starts: HashSet<String> =
            (0..openings.count()).map(|round| openings.of_round(round).expect("legal").start.to_string()).collect();
        assert_eq!(starts.len(), openings.count());
    }
}
