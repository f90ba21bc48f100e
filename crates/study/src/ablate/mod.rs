//! `ablate`: measures what each switch of the engine is worth. It flips one switch at a time and measures how much
//! larger the tree becomes, how much worse the move ordering, and how many Elo it costs.

mod report;
mod row;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Result, bail};
use clap::Args;
use serde_json::json;

use crate::duel::{self, DuelArguments, Judgement};
use crate::journal::Journal;
use crate::output::OutputArguments;
use crate::subject::{Bench, Settings, Subject, Tunable};
use arena::Openings;
use arena::report::table;
use arena::runner::Plan;
use toolkit::Progress;

use row::Row;

/// The name of the unchanged engine's row.
const FULL: &str = "full";

/// A bench that takes longer than this many seconds is not repeated: its noise does not matter.
const LONG: f64 = 10.0;

/// The arguments of `ablate`.
#[derive(Args, Clone, Debug)]
pub struct AblateArguments {
    /// The engine, built with --features tune,stats: a path, or "cmd=PATH [option.X=Y]... [env.X=Y]..."
    #[arg(long, value_name = "ENGINE")]
    engine: String,
    /// Games for each row; 0 for the bench alone
    #[arg(long, value_name = "N", default_value_t = 200)]
    games: usize,
    /// How games are played.
    #[command(flatten)]
    duel: DuelArguments,
    /// The depth of the bench
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: u32,
    /// How often to run the bench; the fastest run counts
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=99))]
    bench_runs: u32,
    /// Seconds after which a bench is abandoned and retried at a lower depth
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    bench_patience: u64,
    /// Only these switches
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    only: Vec<String>,
    /// All but these switches
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    except: Vec<String>,
    /// Where results are kept and reported.
    #[command(flatten)]
    output: OutputArguments,
}

/// Everything a run needs.
struct Study<'a> {
    arguments: &'a AblateArguments,
    subject: Subject,
    switches: Vec<Tunable>,
    openings: Openings,
    journal: Journal,
    called_off: Arc<AtomicBool>,
}

/// Runs `ablate`.
pub fn run(arguments: &AblateArguments) -> Result<()> {
    arguments.output.check()?;
    let subject = Subject::ask(&arguments.engine)?;
    let switches = choose(&subject, &arguments.only, &arguments.except)?;
    if !subject.has_stats() {
        eprintln!("the engine is built without the feature \"stats\": there will be no shares of first moves");
    }
    let header = json!({
        "command": "ablate",
        "fingerprint": subject.fingerprint()?,
        "duel": arguments.duel.header(),
        "depth": arguments.depth,
    });
    let mut study = Study {
        arguments,
        openings: arguments.duel.book()?,
        journal: arguments.output.journal("ablation", &header)?,
        called_off: toolkit::interrupt_flag(""),
        subject,
        switches,
    };
    study.bench_all()?;
    study.play_all()?;
    print!("{}", study.write_report()?);
    if study.is_called_off() {
        eprintln!("interrupted; --resume goes on");
    }
    Ok(())
}

/// The switches to measure, in the engine's order.
fn choose(subject: &Subject, only: &[String], except: &[String]) -> Result<Vec<Tunable>> {
    for name in only.iter().chain(except) {
        if !subject.tunable(name)?.is_switch {
            bail!("{name} is a number, not a switch");
        }
    }
    let wanted = |name: &String| (only.is_empty() || only.contains(name)) && !except.contains(name);
    let switches: Vec<Tunable> =
        subject.tunables.iter().filter(|tunable| tunable.is_switch && wanted(&tunable.name)).cloned().collect();
    if switches.is_empty() { bail!("there is no switch to measure") } else { Ok(switches) }
}

impl Study<'_> {
    fn is_called_off(&self) -> bool {
        self.called_off.load(Ordering::Relaxed)
    }

    /// Benches whatever has not been benched yet: the unchanged engine, then each switch flipped.
    fn bench_all(&mut self) -> Result<()> {
        self.bench_at(FULL, &[], self.arguments.depth)?;
        for switch in self.switches.clone() {
            let mut depth = self.arguments.depth;
            // Without some switches the tree explodes. Then both are compared at a depth that both can search.
            while depth > 1 && !self.is_called_off() {
                let settings = turned(&switch);
                if self.bench_at(&switch.name, &settings, depth)? {
                    self.bench_at(FULL, &[], depth)?;
                    break;
                }
                depth = depth * 2 / 3;
            }
        }
        Ok(())
    }

    /// Benches one row at a depth, unless that is done; returns whether there is a result.
    fn bench_at(&mut self, row: &str, settings: &[(String, i32)], depth: u32) -> Result<bool> {
        if let Some(known) = self.journal.of_row(row).find(|record| record["depth"] == depth) {
            return Ok(!known["bench"].is_null());
        }
        let patience = Duration::from_secs(self.arguments.bench_patience);
        let mut best: Option<Bench> = None;
        for _ in 0..self.arguments.bench_runs {
            let Some(bench) = self.subject.bench(settings, depth, patience, &self.called_off)? else { break };
            let is_long = bench.seconds > LONG;
            best = best.filter(|best| best.seconds <= bench.seconds).or(Some(bench));
            if is_long {
                break;
            }
        }
        // A bench that takes too long is a result too; one that was interrupted is not.
        if self.is_called_off() {
            return Ok(false);
        }
        let words = best.map_or("too long".into(), |best| format!("{} nodes, {:.2} s", best.nodes, best.seconds));
        eprintln!("bench {row} to depth {depth}: {words}");
        self.journal.write(json!({ "row": row, "depth": depth, "bench": best.map(|best| best.to_json()) }))?;
        Ok(best.is_some())
    }

    fn plan(&self, switch: &Tunable) -> Result<Plan> {
        let limits = self.arguments.duel.limits();
        let full = self.subject.variant(FULL, &[], limits.clone())?;
        let changed = self.subject.variant(&switch.name, &turned(switch), limits)?;
        self.arguments.duel.plan([full, changed], &self.openings, self.arguments.games.div_ceil(2), Judgement::Good)
    }

    fn play_all(&mut self) -> Result<()> {
        let games = 2 * self.arguments.games.div_ceil(2);
        let mut played = 0;
        for switch in &self.switches {
            played += duel::score(&self.journal, &switch.name, &self.plan(switch)?).1.len();
        }
        let mut progress = Progress::new(self.switches.len() * games, played, self.arguments.output.every);
        for switch in self.switches.clone() {
            if self.is_called_off() {
                break;
            }
            let plan = self.plan(&switch)?;
            let called_off = Arc::clone(&self.called_off);
            duel::play(&plan, &switch.name, &mut self.journal, &called_off, |standings| {
                played += 1;
                progress.show(played, || format!("{}: {}", switch.name, table::line(standings, games)));
            })?;
            self.write_report()?;
        }
        progress.finish();
        Ok(())
    }

    fn rows(&self) -> Result<Vec<Row>> {
        let bench = |row: &str, depth: u32| {
            let record = self.journal.of_row(row).find(|record| record["depth"] == depth)?;
            Bench::from_json(&record["bench"])
        };
        let row = |switch: &Tunable| {
            let (standings, _) = duel::score(&self.journal, &switch.name, &self.plan(switch)?);
            let depths = self.journal.of_row(&switch.name).filter_map(|record| Bench::from_json(&record["bench"]));
            let changed = depths.max_by_key(|bench| bench.depth);
            let duel = standings.duels.first().cloned().unwrap_or_default();
            Ok(Row {
                switch: switch.clone(),
                full: changed.and_then(|changed| bench(FULL, changed.depth)),
                changed,
                games: duel.games,
                pairs: duel.pairs,
                faults: standings.faults(),
            })
        };
        self.switches.iter().map(row).collect()
    }

    /// The report, which is also written to the files asked for, with the chart.
    fn write_report(&self) -> Result<String> {
        let rows = self.rows()?;
        let full = self.journal.of_row(FULL).find(|record| record["depth"] == self.arguments.depth);
        let full = full.and_then(|record| Bench::from_json(&record["bench"]));
        let text = report::markdown(&rows, full, &self.arguments.duel.describe(), self.arguments.output.svg.as_deref());
        self.arguments.output.write(&text, &report::chart(&rows))?;
        Ok(text)
    }
}

/// The setting that flips a switch from its default.
fn turned(switch: &Tunable) -> Settings {
    vec![(switch.name.clone(), 1 - switch.default)]
}
