//! `regret`: measures how good the moves are that an engine chooses, with other values of its parameters, without
//! playing games.
//!
//! Each variant searches the positions of one side of some games, one after the other as in a game, so that its hash
//! table and histories are as warm as they are there. A longer search then values every move that any variant chose; the
//! regret of a choice is how much less it is worth than the best of them. Valuing moves is most of the work, and serves
//! all variants: one comparison costs as much as a match, a screening of many parameters far less than theirs. It does
//! not replace a match: it proposes, games decide.

mod design;
mod values;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use anyhow::{Context, Result, anyhow, bail, ensure};
use arena::{Consultant, EngineSpec, Limits};
use chess::{Board, Move, Position};
use clap::Args;
use serde_json::{Value, json};
use toolkit::Progress;

use crate::journal::Journal;
use crate::subject::{Settings, Subject};
use values::{Choice, Mean, Place, Worth, expected, regret};

/// The row of the engine as it is.
const PLAIN: &str = "plain";
/// The row of the values of moves.
const JUDGE: &str = "judge";
/// The row of the variant of `--try`.
const TRIED: &str = "tried";
/// Choices are compared after these eighths of the nodes.
const EIGHTHS: std::ops::RangeInclusive<u64> = 2..=8;
/// Positions beyond this are decided, and any move will do.
const MOST_DECIDED: f64 = 0.98;
/// Positions after this ply of a game are left out.
const LAST_PLY: usize = 120;

/// The arguments of `regret`.
#[derive(Args, Clone, Debug)]
pub struct RegretArguments {
    /// The engine, built with --features tune: a path, or "cmd=PATH [option.X=Y]... [env.X=Y]..."
    #[arg(long, value_name = "ENGINE")]
    engine: String,
    /// Games whose positions are searched, as PGN; those of a match at a similar number of nodes are best
    #[arg(long, value_name = "FILE")]
    games: PathBuf,
    /// Use only the first N games
    #[arg(long, value_name = "N", default_value_t = 60)]
    most_games: usize,
    /// Compare the engine with this value against the engine as it is; may be given several times, for one variant with
    /// all of them
    #[arg(long, value_name = "NAME=VALUE", conflicts_with = "screen", required_unless_present = "screen")]
    r#try: Vec<String>,
    /// Measure the effect of a parameter between two values; may be given several times, and all are measured at once
    #[arg(long, value_name = "NAME=LOW..HIGH")]
    screen: Vec<String>,
    /// Nodes of each search
    #[arg(long, value_name = "N", default_value_t = 24_000, value_parser = clap::value_parser!(u64).range(100..))]
    nodes: u64,
    /// Nodes of the search that values a move
    #[arg(long, value_name = "N", default_value_t = 120_000, value_parser = clap::value_parser!(u64).range(100..))]
    judge_nodes: u64,
    /// Searches at a time
    #[arg(long, value_name = "N", default_value_t = 2)]
    concurrency: usize,
    /// The file to keep results in
    #[arg(long, value_name = "FILE", default_value = "regret.jsonl")]
    state: PathBuf,
    /// Resume the measurement in that file
    #[arg(long)]
    resume: bool,
}

/// A parameter of a screening.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Factor {
    name: String,
    low: i32,
    high: i32,
}

impl Factor {
    fn parse(text: &str) -> Result<Factor> {
        let parts = text.split_once('=').and_then(|(name, range)| Some((name, range.split_once("..")?)));
        let (name, (low, high)) = parts.ok_or_else(|| anyhow!("\"{text}\" is not NAME=LOW..HIGH"))?;
        let number = |text: &str| text.parse::<i32>().with_context(|| format!("\"{text}\" is not a number"));
        let factor = Factor { name: name.to_owned(), low: number(low)?, high: number(high)? };
        ensure!(factor.low != factor.high, "{name} has the same value twice");
        Ok(factor)
    }
}

/// Runs `regret`.
///
/// # Errors
/// If the engine, the games or the state file cannot be used.
pub fn run(arguments: &RegretArguments) -> Result<()> {
    let subject = Subject::ask(&arguments.engine)?;
    let factors = arguments.screen.iter().map(|text| Factor::parse(text)).collect::<Result<Vec<_>>>()?;
    let variants = variants(&arguments.r#try, &factors)?;
    // A value out of range is reported now, not after an hour.
    variants.iter().try_for_each(|(name, settings)| subject.variant(name, settings, Limits::default()).map(drop))?;
    let games = games(arguments)?;
    let header = json!({
        "command": "regret",
        "fingerprint": subject.fingerprint()?,
        "games": arguments.games.file_name().map(|name| name.to_string_lossy()),
        "count": games.len(),
        "nodes": arguments.nodes,
        "judge": arguments.judge_nodes,
        "variants": variants.iter().map(|(_, settings)| settings).collect::<Vec<_>>(),
    });
    let mut study = Study {
        arguments,
        games,
        journal: Journal::open(&arguments.state, &header, arguments.resume)?,
        called_off: toolkit::interrupt_flag(""),
        subject,
    };
    for (name, settings) in &variants {
        study.choose(name, settings)?;
    }
    let choices = study.choices(&variants);
    study.value(&choices)?;
    if study.called_off.load(Ordering::Relaxed) {
        eprintln!("interrupted; --resume goes on");
        return Ok(());
    }
    print!("{}", study.report(&choices, &factors));
    Ok(())
}

/// All variants of the engine, the plain one first.
fn variants(tried: &[String], factors: &[Factor]) -> Result<Vec<(String, Settings)>> {
    let mut variants = vec![(PLAIN.to_owned(), Settings::new())];
    if factors.is_empty() {
        let setting = |text: &String| {
            let (name, value) = text.split_once('=').ok_or_else(|| anyhow!("\"{text}\" is not NAME=VALUE"))?;
            Ok((name.to_owned(), value.parse().with_context(|| format!("\"{value}\" is not a number"))?))
        };
        variants.push((TRIED.to_owned(), tried.iter().map(setting).collect::<Result<_>>()?));
        return Ok(variants);
    }
    for (number, levels) in design::runs(factors.len()).iter().enumerate() {
        let setting = |(factor, &is_high): (&Factor, &bool)| {
            (factor.name.clone(), if is_high { factor.high } else { factor.low })
        };
        variants.push((run_name(number), factors.iter().zip(levels).map(setting).collect()));
    }
    Ok(variants)
}

fn run_name(number: usize) -> String {
    format!("run {}", number + 1)
}

/// The start and the moves of the games.
fn games(arguments: &RegretArguments) -> Result<Vec<(Board, Vec<Move>)>> {
    let path = &arguments.games;
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let games: Vec<_> = record::pgn::whole_games(&String::from_utf8_lossy(&bytes))
        .iter()
        .filter_map(|game| game.replay(LAST_PLY).ok())
        .filter(|(_, moves)| moves.len() > 1)
        .take(arguments.most_games)
        .collect();
    if games.is_empty() { bail!("{} has no games", path.display()) } else { Ok(games) }
}

struct Study<'a> {
    arguments: &'a RegretArguments,
    subject: Subject,
    games: Vec<(Board, Vec<Move>)>,
    journal: Journal,
    called_off: Arc<AtomicBool>,
}

/// The choices of all variants. [variant]
type Choices = Vec<BTreeMap<Place, Choice>>;

impl Study<'_> {
    fn engine(&self, name: &str, settings: &Settings) -> Result<EngineSpec> {
        let limits = Limits { nodes: Some(self.arguments.nodes), ..Limits::default() };
        self.subject.variant(name, settings, limits)
    }

    /// Lets a variant choose a move in every position, if it has not yet.
    fn choose(&mut self, name: &str, settings: &Settings) -> Result<()> {
        let done: BTreeSet<u64> = self.journal.of_row(name).filter_map(|record| record["game"].as_u64()).collect();
        let todo: Vec<usize> = (0..self.games.len()).filter(|&game| !done.contains(&(game as u64))).collect();
        let (spec, nodes, games) = (self.engine(name, settings)?, self.arguments.nodes, self.games.clone());
        let think = |consultant: &mut Consultant, &game: &usize| {
            let (start, moves) = &games[game];
            consultant.forget()?;
            let mut found = Vec::new();
            // One side of each game, in turn White and Black.
            for ply in (game % 2..moves.len()).step_by(2) {
                let opinion = consultant.ask(start, &moves[..ply], nodes)?;
                let value = opinion.score.map_or(0.5, expected);
                if (1.0 - MOST_DECIDED..=MOST_DECIDED).contains(&value) {
                    let choice: Vec<String> =
                        EIGHTHS.map(|eighth| opinion.after(nodes * eighth / 8).uci(false).to_string()).collect();
                    found.push(json!([ply, choice]));
                }
            }
            Ok(json!({ "row": name, "game": game, "choices": found }))
        };
        self.consult(&spec, name, &todo, think)
    }

    /// All choices, by variant.
    fn choices(&self, variants: &[(String, Settings)]) -> Choices {
        let of_row = |name: &str| {
            let mut choices = BTreeMap::new();
            for record in self.journal.of_row(name) {
                let Some(game) = record["game"].as_u64() else { continue };
                for entry in record["choices"].as_array().into_iter().flatten() {
                    if let Some(ply) = entry[0].as_u64() {
                        let moves = entry[1].as_array().into_iter().flatten().filter_map(Value::as_str);
                        choices.insert((game as usize, ply as usize), moves.map(str::to_owned).collect());
                    }
                }
            }
            choices
        };
        variants.iter().map(|(name, _)| of_row(name)).collect()
    }

    /// Values all moves that were chosen where the variants disagree.
    fn value(&mut self, choices: &Choices) -> Result<()> {
        let known = self.worth();
        let mut todo = Vec::new();
        for place in positions(choices) {
            let moves: BTreeSet<&String> = choices.iter().filter_map(|variant| variant.get(&place)).flatten().collect();
            if moves.len() > 1 && !known.contains_key(&place) {
                todo.push((place, moves.into_iter().cloned().collect::<Vec<_>>()));
            }
        }
        let (spec, nodes, games) =
            (self.engine(JUDGE, &Settings::new())?, self.arguments.judge_nodes, self.games.clone());
        let think = |consultant: &mut Consultant, (place, moves): &(Place, Vec<String>)| {
            let (start, played) = &games[place.0];
            consultant.forget()?;
            let mut worth = Worth::new();
            for text in moves {
                worth.insert(text.clone(), value_of(consultant, start, &played[..place.1], text, nodes)?);
            }
            Ok(json!({ "row": JUDGE, "game": place.0, "ply": place.1, "worth": worth }))
        };
        self.consult(&spec, "values", &todo, think)
    }

    /// The values known so far.
    fn worth(&self) -> BTreeMap<Place, Worth> {
        let records = self.journal.of_row(JUDGE).filter_map(|record| {
            let place = (record["game"].as_u64()? as usize, record["ply"].as_u64()? as usize);
            let moves = record["worth"].as_object()?.iter();
            Some((place, moves.filter_map(|(mv, value)| Some((mv.clone(), value.as_f64()?))).collect()))
        });
        records.collect()
    }

    /// Asks several processes of an engine about all items, and writes each answer to the journal.
    fn consult<T: Sync>(
        &mut self,
        spec: &EngineSpec,
        what: &str,
        items: &[T],
        think: impl Fn(&mut Consultant, &T) -> Result<Value> + Sync,
    ) -> Result<()> {
        if items.is_empty() || self.called_off.load(Ordering::Relaxed) {
            return Ok(());
        }
        let (next, called_off, think) = (AtomicUsize::new(0), &self.called_off, &think);
        let work = |sender: &mpsc::Sender<Result<Value>>| -> Result<()> {
            let mut consultant = Consultant::start(spec, called_off)?;
            while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                let answer = think(&mut consultant, item)?;
                if sender.send(Ok(answer)).is_err() {
                    break;
                }
            }
            consultant.quit();
            Ok(())
        };
        let mut progress = Progress::new(items.len(), 0, items.len());
        let (sender, answers) = mpsc::channel();
        let journal = &mut self.journal;
        thread::scope(|scope| {
            for _ in 0..self.arguments.concurrency.clamp(1, items.len()) {
                let (sender, work) = (sender.clone(), &work);
                scope.spawn(move || {
                    if let Err(error) = work(&sender) {
                        let _ = sender.send(Err(error));
                    }
                });
            }
            drop(sender);
            let mut done = 0;
            for answer in answers {
                match answer {
                    Ok(record) => journal.write(record)?,
                    // Whoever was asked when all was called off did not fail.
                    Err(_) if called_off.load(Ordering::Relaxed) => continue,
                    Err(error) => {
                        next.store(items.len(), Ordering::Relaxed);
                        return Err(error);
                    }
                }
                done += 1;
                progress.show(done, || format!("{what}: {done} of {}", items.len()));
            }
            progress.finish();
            Ok(())
        })
    }

    fn report(&self, choices: &Choices, factors: &[Factor]) -> String {
        let worth = self.worth();
        let regrets = |variant: &BTreeMap<Place, Choice>, part: &dyn Fn(&Choice) -> Choice| {
            let numbers = positions(choices).into_iter().filter_map(|place| {
                let choice = part(variant.get(&place)?);
                Some((place, worth.get(&place).map_or(0.0, |worth| regret(&choice, worth))))
            });
            numbers.collect::<BTreeMap<Place, f64>>()
        };
        let whole = |choice: &Choice| choice.clone();
        let plain = regrets(&choices[0], &whole);
        // What twice the nodes are worth to the engine as it is: the unit of everything below.
        let at = |index: usize| {
            Mean::of(&regrets(&choices[0], &|choice| choice.get(index).cloned().into_iter().collect())).value
        };
        let doubling = at(2) - at(6);
        let mean = Mean::of(&plain);
        let mut text = format!(
            "{} positions of {} games; regret of the engine as it is {:.5} ± {:.5}, twice the nodes are worth {doubling:.5}\n",
            plain.len(),
            self.games.len(),
            mean.value,
            2.0 * mean.error
        );
        let line = |text: &mut String, name: &str, effect: Mean| {
            let doublings = if doubling > 0.0 { -100.0 * effect.value / doubling } else { 0.0 };
            let (value, error, z) = (effect.value, 2.0 * effect.error, effect.z());
            let _ = writeln!(text, "{value:+10.5} ± {error:.5} {z:+7.2} {doublings:+9.0} %  {name}");
        };
        let _ = writeln!(text, "{:>10} {:>9} {:>7} {:>11}  of", "regret", "", "z", "doublings");
        if factors.is_empty() {
            let tried = regrets(&choices[1], &whole);
            line(
                &mut text,
                "the values tried, compared with the engine as it is",
                Mean::of(&difference(&tried, &plain)),
            );
            return text;
        }
        let runs: Vec<_> = choices[1..].iter().map(|variant| regrets(variant, &whole)).collect();
        let mut effects: Vec<(Mean, &Factor)> =
            factors.iter().enumerate().map(|(index, factor)| (effect(&runs, index, factors.len()), factor)).collect();
        effects.sort_by(|a, b| b.0.z().abs().total_cmp(&a.0.z().abs()));
        for (effect, Factor { name, low, high }) in effects {
            line(&mut text, &format!("{name} {high} instead of {low}"), effect);
        }
        text
    }
}

/// The positions that the plain engine finds undecided and all variants have a choice in.
fn positions(choices: &Choices) -> Vec<Place> {
    let places = choices.first().into_iter().flat_map(BTreeMap::keys);
    places.filter(|place| choices.iter().all(|variant| variant.contains_key(place))).copied().collect()
}

/// The effect of raising a factor from low to high, for each position, over all runs of a screening.
fn effect(runs: &[BTreeMap<Place, f64>], factor: usize, factors: usize) -> Mean {
    let mut sums: BTreeMap<Place, f64> = BTreeMap::new();
    for (levels, regrets) in design::runs(factors).iter().zip(runs) {
        let weight = if levels[factor] { 2.0 } else { -2.0 } / runs.len() as f64;
        for (place, regret) in regrets {
            *sums.entry(*place).or_default() += weight * regret;
        }
    }
    Mean::of(&sums)
}

fn difference(one: &BTreeMap<Place, f64>, other: &BTreeMap<Place, f64>) -> BTreeMap<Place, f64> {
    one.iter().filter_map(|(place, value)| Some((*place, value - other.get(place)?))).collect()
}

/// The expected result of a move for the side that makes it.
fn value_of(consultant: &mut Consultant, start: &Board, played: &[Move], text: &str, nodes: u64) -> Result<f64> {
    let mut position = Position::new(*start).along(played);
    let mv = position.board().parse_uci(text).map_err(|_| anyhow!("{text} is not a move of {}", position.board()))?;
    let us = position.side_to_move();
    position.play(mv);
    if let Some(outcome) = position.outcome() {
        return Ok(outcome.winner().map_or(0.5, |winner| if winner == us { 1.0 } else { 0.0 }));
    }
    let moves: Vec<Move> = played.iter().copied().chain([mv]).collect();
    let opinion = consultant.ask(start, &moves, nodes)?;
    Ok(1.0 - opinion.score.map_or(0.5, expected))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_have_a_name_and_two_values() {
        let factor = Factor { name: "lmp_base".into(), low: 1, high: 5 };
        assert_eq!(Factor::parse("lmp_base=1..5").expect("a factor"), factor);
        assert_eq!(Factor::parse("quiesce_see=-60..0").expect("a factor").low, -60);
        for text in ["", "lmp_base", "lmp_base=3", "lmp_base=3..", "lmp_base=3..3", "lmp_base=a..b"] {
            assert!(Factor::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_screening_finds_which_factor_matters() {
        // Twelve runs in which only the second of five factors does anything.
        let levels = design::runs(5);
        let run = |levels: &Vec<bool>| {
            let place = |number: usize| ((number / 4, number % 4), 0.02 + 0.001 * number as f64);
            let worse = if levels[1] { 0.005 } else { 0.0 };
            (0..12).map(place).map(|(place, regret)| (place, regret + worse)).collect()
        };
        let runs: Vec<BTreeMap<Place, f64>> = levels.iter().map(run).collect();
        for factor in 0..5 {
            let expected = if factor == 1 { 0.005 } else { 0.0 };
            assert!((effect(&runs, factor, 5).value - expected).abs() < 1e-9, "{factor}");
        }
    }

    #[test]
    fn each_run_of_a_screening_is_a_variant() {
        let factors = ["a=1..2", "b=3..4"].map(|text| Factor::parse(text).expect(text));
        let variants = variants(&[], &factors).expect("variants");
        assert_eq!((variants.len(), variants[0].1.len()), (5, 0), "four runs and the engine as it is");
        assert!(variants[1..].iter().all(|(_, settings)| settings.len() == 2));
        let tried = super::variants(&["a=7".into()], &[]).expect("variants");
        assert_eq!(tried[1], (TRIED.to_owned(), vec![("a".to_owned(), 7)]));
        assert!(super::variants(&["a".into()], &[]).is_err() && super::variants(&["a=x".into()], &[]).is_err());
    }
}
