//! `spsa`: tunes the engine's parameters by self-play.

mod code;
mod method;
mod state;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Result, bail};
use clap::Args;
use serde_json::json;

use crate::duel::{DuelArguments, Judgement};
use crate::subject::{Settings, Subject, Tunable};
use arena::{Openings, Summary, runner};
use method::{Parameter, Schedule, Spsa, Trial};
use toolkit::Progress;
use toolkit::chart::LineChart;

use state::State;

/// This many initial iterations are reported one by one.
const EARLY: usize = 10;

/// The arguments of `spsa`.
#[derive(Args, Clone, Debug)]
pub struct SpsaArguments {
    /// The engine, built with --features tune: a path, or "cmd=PATH [option.X=Y]... [env.X=Y]..."
    #[arg(long, value_name = "ENGINE")]
    engine: String,
    /// The parameters to tune, or "all"
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', required = true)]
    params: Vec<String>,
    /// Parameters that "all" leaves out
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    except: Vec<String>,
    /// The number of iterations
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..))]
    iterations: u64,
    /// Pairs of games per iteration
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pairs: u32,
    /// How games are played.
    #[command(flatten)]
    duel: DuelArguments,
    /// The final learning rate
    #[arg(long, value_name = "RATE", default_value_t = 0.002)]
    r_end: f64,
    /// How fast the learning rate falls
    #[arg(long, value_name = "EXPONENT", default_value_t = 0.602)]
    alpha: f64,
    /// How fast the perturbation shrinks
    #[arg(long, value_name = "EXPONENT", default_value_t = 0.101)]
    gamma: f64,
    /// The stability constant, as a share of the iterations, which slows the start of the schedule
    #[arg(long, value_name = "SHARE", default_value_t = 0.1)]
    stability: f64,
    /// The final perturbations, as a factor of the engine's own step sizes
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0)]
    step_scale: f64,
    /// The file to keep the run in
    #[arg(long, value_name = "FILE", default_value = "spsa.json")]
    state: PathBuf,
    /// Resume the run in that file
    #[arg(long)]
    resume: bool,
    /// The file to draw the parameters' paths in
    #[arg(long, value_name = "FILE", default_value = "spsa.svg")]
    svg: PathBuf,
    /// Replace the defaults in this source file of the engine by the result
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
    /// Without a terminal, print the status every N iterations
    #[arg(long, value_name = "N", default_value_t = 10)]
    every: usize,
}

impl SpsaArguments {
    fn schedule(&self) -> Result<Schedule> {
        let positive = |value: f64| value.is_finite() && value > 0.0;
        let is_good = positive(self.r_end) && positive(self.alpha) && positive(self.gamma) && positive(self.step_scale);
        if !is_good || !(0.0..=10.0).contains(&self.stability) {
            bail!("--r-end, --alpha, --gamma and --step-scale must be positive, --stability from 0 to 10");
        }
        let Self { iterations, alpha, gamma, stability, r_end, .. } = *self;
        Ok(Schedule { iterations, alpha, gamma, stability, r_end })
    }
}

/// Runs `spsa`.
pub fn run(arguments: &SpsaArguments) -> Result<()> {
    let schedule = arguments.schedule()?;
    [&arguments.svg].into_iter().chain(&arguments.write).try_for_each(|path| toolkit::files::check(path))?;
    let subject = Subject::ask(&arguments.engine)?;
    let chosen = choose(&subject, &arguments.params, &arguments.except)?;
    let mut state = begin(arguments, schedule, &subject, &chosen)?;
    let exists = arguments.state.exists();
    if exists && !arguments.resume {
        bail!("{} exists: use --resume to go on with its run, or another file", arguments.state.display());
    }
    if exists {
        state.resume(&arguments.state)?;
        eprintln!("resumed after {} of {} iterations", state.spsa.done, arguments.iterations);
    }
    let tuner = Tuner {
        arguments,
        subject: &subject,
        openings: arguments.duel.book()?,
        called_off: toolkit::interrupt_flag(""),
    };
    tuner.tune(&mut state)?;
    toolkit::files::replace(&arguments.svg, chart(&state).render())?;
    for line in result(&state.spsa, &chosen) {
        println!("{line}");
    }
    if !state.spsa.is_finished() {
        eprintln!("interrupted after {} of {} iterations; --resume goes on", state.spsa.done, arguments.iterations);
    } else if let Some(path) = &arguments.write {
        code::write(path, &rounded(&state.spsa, &chosen))?;
        eprintln!("{} has the new defaults", path.display());
    }
    Ok(())
}

/// The parameters to tune, in the engine's order.
fn choose<'a>(subject: &'a Subject, names: &[String], except: &[String]) -> Result<Vec<&'a Tunable>> {
    let all = names.iter().any(|name| name == "all");
    for name in names.iter().filter(|name| *name != "all").chain(except) {
        if subject.tunable(name)?.is_switch {
            bail!("{name} is a switch: it can be measured with ablate, not tuned");
        }
    }
    let wanted = |tunable: &&Tunable| {
        !tunable.is_switch && (all || names.contains(&tunable.name)) && !except.contains(&tunable.name)
    };
    let chosen: Vec<&Tunable> = subject.tunables.iter().filter(wanted).collect();
    if chosen.is_empty() { bail!("there is nothing to tune") } else { Ok(chosen) }
}

fn begin(arguments: &SpsaArguments, schedule: Schedule, subject: &Subject, chosen: &[&Tunable]) -> Result<State> {
    let parameter = |tunable: &&Tunable| Parameter {
        name: tunable.name.clone(),
        start: tunable.default.into(),
        value: tunable.default.into(),
        min: tunable.min.into(),
        max: tunable.max.into(),
        step: arguments.step_scale * f64::from(tunable.step),
    };
    let parameters: Vec<Parameter> = chosen.iter().map(parameter).collect();
    let names: Vec<&str> = chosen.iter().map(|tunable| tunable.name.as_str()).collect();
    let header = json!({
        "command": "spsa", "fingerprint": subject.fingerprint()?, "params": names, "iterations": schedule.iterations,
        "pairs": arguments.pairs, "alpha": schedule.alpha, "gamma": schedule.gamma, "stability": schedule.stability,
        "r_end": schedule.r_end, "step_scale": arguments.step_scale, "duel": arguments.duel.header(),
    });
    Ok(State::new(header, Spsa { schedule, parameters, done: 0, seed: arguments.duel.seed }))
}

struct Tuner<'a> {
    arguments: &'a SpsaArguments,
    subject: &'a Subject,
    openings: Openings,
    called_off: Arc<AtomicBool>,
}

impl Tuner<'_> {
    fn tune(&self, state: &mut State) -> Result<()> {
        let (iterations, done) = (self.arguments.iterations as usize, state.spsa.done as usize);
        let mut progress = Progress::new(iterations, done, self.arguments.every);
        let mut shown = done;
        while !state.spsa.is_finished() {
            let trial = state.spsa.trial();
            let Some(points) = self.play(&state.spsa, &trial)? else { break };
            state.spsa.learn(&trial, points);
            state.games += 2 * u64::from(self.arguments.pairs);
            state.note();
            state.save(&self.arguments.state)?;
            let done = state.spsa.done as usize;
            // A long iteration must not look like a hang, so the first ones are reported one by one.
            if done < self.arguments.every.min(EARLY) {
                progress.say_plainly(&status(state));
            }
            progress.show(done, || status(state));
            if done >= shown + self.arguments.every {
                shown = done;
                toolkit::files::replace(&self.arguments.svg, chart(state).render())?;
            }
        }
        progress.finish();
        Ok(())
    }

    /// Plays the two sides of a trial; returns the first side's margin, or none if the run was called off.
    fn play(&self, spsa: &Spsa, trial: &Trial) -> Result<Option<f64>> {
        let names = spsa.parameters.iter().map(|parameter| parameter.name.clone());
        let settings = |values: &[i32]| -> Settings { names.clone().zip(values.iter().copied()).collect() };
        let limits = self.arguments.duel.limits();
        let plus = self.subject.variant("plus", &settings(&trial.plus), limits.clone())?;
        let minus = self.subject.variant("minus", &settings(&trial.minus), limits)?;
        // Each iteration continues in the book where the last one ended.
        let pairs = self.arguments.pairs as usize;
        let openings = self.openings.from(spsa.done as usize * pairs);
        let plan = self.arguments.duel.plan([plus, minus], &openings, pairs, Judgement::Good)?;
        let (mut points, mut games) = (0.0, 0);
        runner::run(&plan, &Default::default(), &self.called_off, |pairing, game| {
            let white = f64::from(Summary::of_game(pairing, &game).white_half_points) - 1.0;
            points += if pairing.players[0] == 0 { white } else { -white };
            games += 1;
            Ok(true)
        })?;
        if self.called_off.load(Ordering::Relaxed) && games < plan.schedule.len() {
            return Ok(None);
        }
        if games < plan.schedule.len() {
            bail!("only {games} of {} games were played", plan.schedule.len());
        }
        Ok(Some(points))
    }
}

/// The parameters that moved farthest, in steps.
fn status(state: &State) -> String {
    let mut moved: Vec<(f64, &Parameter)> =
        state.spsa.parameters.iter().map(|p| ((p.value - p.start) / p.step, p)).collect();
    moved.sort_by(|a, b| b.0.abs().total_cmp(&a.0.abs()));
    let words = moved.iter().take(4).map(|(steps, p)| format!("{} {:.1} ({steps:+.2})", p.name, p.value));
    let (done, all) = (state.spsa.done, state.spsa.schedule.iterations);
    format!("{done}/{all}, {} games: {}", state.games, words.collect::<Vec<_>>().join(", "))
}

/// The paths of all parameters, in steps from their start.
fn chart(state: &State) -> LineChart {
    let chart = LineChart::new("Where the numbers go", "iterations", "change, in steps");
    state.spsa.parameters.iter().enumerate().fold(chart, |chart, (index, parameter)| {
        let points = state.path.iter().filter_map(|(done, values)| {
            let value = values.get(index)?;
            Some((*done as f64, (value - parameter.start) / parameter.step))
        });
        chart.series(&parameter.name, points)
    })
}

fn rounded<'a>(spsa: &Spsa, chosen: &[&'a Tunable]) -> Vec<(&'a Tunable, i32)> {
    let value = |parameter: &Parameter| parameter.value.round().clamp(parameter.min, parameter.max) as i32;
    chosen.iter().copied().zip(spsa.parameters.iter().map(value)).collect()
}

/// The result as lines of the engine's source, with the previous values.
fn result(spsa: &Spsa, chosen: &[&Tunable]) -> Vec<String> {
    let line = |(tunable, value): (&Tunable, i32)| {
        let line = code::line(tunable, value);
        if value == tunable.default { line } else { format!("{line} // was {}", tunable.default) }
    };
    rounded(spsa, chosen).into_iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_and_paths_are_told() {
        let tunable =
            |name: &str| Tunable { name: name.into(), default: 10, min: 0, max: 20, step: 2, is_switch: false };
        let (a, b) = (tunable("a"), tunable("b"));
        let parameter = |name: &str, value: f64| Parameter {
            name: name.into(),
            start: 10.0,
            value,
            min: 0.0,
            max: 20.0,
            step: 2.0,
        };
        let parameters = vec![parameter("a", 13.6), parameter("b", 10.2)];
        let mut state = State::new(json!({}), Spsa { schedule: Schedule::new(1), parameters, done: 1, seed: 1 });
        state.path[0].1 = vec![10.0, 10.0];
        state.note();
        assert_eq!(result(&state.spsa, &[&a, &b]), ["a = 14, 0..=20, step 2; // was 10", "b = 10, 0..=20, step 2;"]);
        assert!(status(&state).contains("a 13.6 (+1.80), b 10.2 (+0.10)"), "{}", status(&state));
        assert!(chart(&state).render().matches("<polyline").count() == 2);
    }
}
