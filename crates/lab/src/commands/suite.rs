//! `suite`: gives engines test positions and counts how many they solve and how fast.

use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::Result;
use clap::Args;

use super::write_json;
use arena::parse_engines;
use arena::suite::Examination;
use arena::suite::report::{self, Paper};
use arena::suite::{Suite, Verdict};
use toolkit::Progress;

/// The arguments of `suite`.
#[derive(Args, Clone, Debug)]
pub(crate) struct SuiteArguments {
    /// Files of positions in EPD with the operations bm, am, dm, or points as in the Strategic Test Suite
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// An engine: its path alone, or "cmd=PATH [name=N] [arg=A]... [dir=D] [env.X=Y]... [option.X=Y]... [nodes=N]
    /// [time=SECONDS] [depth=N] [restart=on]"; quotes may enclose values with blanks
    #[arg(long = "engine", value_name = "ENGINE", required = true)]
    pub engines: Vec<String>,
    /// Settings for all engines; an engine's own settings override them
    #[arg(long, value_name = "ENGINE", default_value = "")]
    pub each: String,
    /// Concurrent positions, each with its own process
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub concurrency: usize,
    /// Seconds after which an engine without a fixed time counts as stalled
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    pub patience: u64,
    /// Use only the first N positions of each file
    #[arg(long, value_name = "N")]
    pub first: Option<usize>,
    /// Write the result to this file as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Without a terminal, print the score every N positions
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub every: usize,
}

pub(crate) fn run(arguments: &SuiteArguments) -> Result<()> {
    let engines = parse_engines(&arguments.engines, &arguments.each)?;
    let suites = load(arguments)?;
    let called_off = toolkit::interrupt_flag("");
    let count: usize = suites.iter().map(|suite| suite.problems.len()).sum();
    let mut progress = Progress::new(count * engines.len(), 0, arguments.every);
    let examinations: Vec<Vec<Examination<'_>>> = engines
        .iter()
        .map(|engine| suites.iter().map(|suite| examination(arguments, suite, engine)).collect())
        .collect();
    for examination in examinations.iter().flatten() {
        for warning in examination.check(&called_off)? {
            progress.say(&format!("warning: {warning}"));
        }
    }
    let (mut papers, mut done) = (Vec::new(), 0);
    for examination in &examinations {
        for (suite, examination) in suites.iter().zip(examination) {
            let name = &examination.engine.name;
            let (mut answers, mut solved, before) = (vec![None; suite.problems.len()], 0, done);
            examination.run(&suite.problems, &called_off, |number, answer| {
                done += 1;
                solved += usize::from(answer.is_solved());
                if let Verdict::Fault(words) = &answer.verdict {
                    let id = suite.problems.get(number).map_or("?", |problem| problem.id.as_str());
                    progress.say(&format!("{name}, {}, {id}: {words}", suite.name));
                }
                if let Some(place) = answers.get_mut(number) {
                    *place = Some(answer);
                }
                progress.show(done, || format!("{name}, {}: {solved} of {} solved", suite.name, done - before));
            })?;
            papers.push(Paper { engine: name, suite, answers });
        }
    }
    progress.finish();
    if called_off.load(Ordering::Relaxed) {
        eprintln!("interrupted after {done} of {} positions", count * engines.len());
    }
    papers.retain(|paper| paper.answers.iter().any(Option::is_some));
    print!("{}", report::render(&papers));
    write_json(arguments.json.as_deref(), &report::json(&papers))
}

fn load(arguments: &SuiteArguments) -> Result<Vec<Suite>> {
    let mut suites = Vec::new();
    for path in &arguments.files {
        let mut suite = Suite::load(path)?;
        for (line, why) in &suite.broken {
            eprintln!("{}, line {line} is left out: {why}", path.display());
        }
        suite.problems.truncate(arguments.first.unwrap_or(usize::MAX));
        suites.push(suite);
    }
    Ok(suites)
}

fn examination<'a>(arguments: &SuiteArguments, suite: &Suite, engine: &'a arena::EngineSpec) -> Examination<'a> {
    Examination {
        engine,
        // Only nonstandard castling positions need the other notation, and not every engine supports it.
        chess960: suite.problems.iter().any(|problem| !problem.board.is_classical_castling()),
        patience: Duration::from_secs(arguments.patience),
        concurrency: arguments.concurrency,
    }
}
