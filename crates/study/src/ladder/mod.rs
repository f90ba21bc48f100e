//! `ladder`: plays each rung of the roadmap against its neighbours and rates them beside what the roadmap claims.

mod report;
mod rungs;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use serde_json::json;

use crate::duel::{self, DuelArguments, Judgement};
use crate::journal::Journal;
use crate::output::OutputArguments;
use crate::subject::Subject;
use arena::report::table;
use arena::runner::Plan;
use arena::stats::Results;
use arena::stats::rating::{self, Score};
use arena::{EngineSpec, Limits, Openings};
use toolkit::Progress;

use report::{Played, RungRow};
use rungs::{Need, RUNGS, Rung};

/// The value of `EvalFile` for no network.
const NO_NETWORK: &str = "<none>";

/// From this rung on engines resolve captures, so their scores can be trusted to adjudicate.
const TRUSTED: u32 = 1400;

/// The prior's standard deviation around the ladder's mean, in Elo.
const SPAN: f64 = 3000.0;

/// The arguments of `ladder`.
#[derive(Args, Clone, Debug)]
pub struct LadderArguments {
    /// The engine, built with --features tune: a path, or "cmd=PATH [option.X=Y]... [env.X=Y]..."
    #[arg(long, value_name = "ENGINE")]
    engine: String,
    /// Games between every two rungs that meet
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: usize,
    /// How many of the rungs above it each rung meets
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=9))]
    reach: u32,
    /// How games are played.
    #[command(flatten)]
    duel: DuelArguments,
    /// The rung whose rating is fixed, and its rating
    #[arg(long, value_name = "RUNG=ELO", default_value = "1400=1400")]
    anchor: String,
    /// Only these rungs, by the Elo the roadmap claims
    #[arg(long, value_name = "RUNG,...", value_delimiter = ',')]
    only: Vec<u32>,
    /// Syzygy tablebases for the rungs that have them
    #[arg(long, value_name = "DIRECTORY")]
    syzygy: Option<PathBuf>,
    /// The network for the rungs that use one, if not the engine's own
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
    /// Where results are kept and reported.
    #[command(flatten)]
    output: OutputArguments,
}

/// A rung that plays.
struct Player {
    rung: &'static Rung,
    spec: EngineSpec,
}

struct Study<'a> {
    arguments: &'a LadderArguments,
    players: Vec<Player>,
    /// Rungs that do not play, and why.
    skipped: Vec<(&'static Rung, String)>,
    anchor: (usize, f64),
    openings: Openings,
    journal: Journal,
    called_off: Arc<AtomicBool>,
}

/// Runs `ladder`.
pub fn run(arguments: &LadderArguments) -> Result<()> {
    arguments.output.check()?;
    let subject = Subject::ask(&arguments.engine)?;
    let (players, skipped) = line_up(arguments, &subject)?;
    let anchor = parse_anchor(&arguments.anchor, &players)?;
    let header = json!({
        "command": "ladder",
        "fingerprint": subject.fingerprint()?,
        "duel": arguments.duel.header(),
        "syzygy": arguments.syzygy.is_some(),
        "network": arguments.network.as_ref().and_then(|path| path.file_name()).map(|name| name.to_string_lossy()),
    });
    let mut study = Study {
        arguments,
        players,
        skipped,
        anchor,
        openings: arguments.duel.book()?,
        journal: arguments.output.journal("ladder", &header)?,
        called_off: toolkit::interrupt_flag(""),
    };
    study.play_all()?;
    print!("{}", study.write_report()?);
    if study.called_off.load(Ordering::Relaxed) {
        eprintln!("interrupted; --resume goes on");
    }
    Ok(())
}

type LineUp = (Vec<Player>, Vec<(&'static Rung, String)>);

/// The rungs that play, and those that do not with the reason.
fn line_up(arguments: &LadderArguments, subject: &Subject) -> Result<LineUp> {
    if let Some(claim) = arguments.only.iter().find(|claim| RUNGS.iter().all(|rung| rung.claim != **claim)) {
        bail!("there is no rung {claim}");
    }
    let own_network = subject.option_default("EvalFile")?.filter(|name| name != NO_NETWORK && !name.is_empty());
    let network = arguments.network.as_ref().map(|path| path.to_string_lossy().into_owned());
    let (mut players, mut skipped) = (Vec::new(), Vec::new());
    for (index, rung) in RUNGS.iter().enumerate() {
        if !arguments.only.is_empty() && !arguments.only.contains(&rung.claim) {
            continue;
        }
        let missing = rungs::missing(rung, &subject.tunables);
        let reason = match rung.need {
            Need::SamePlay(reason) => Some(format!("plays as the rung below: {reason}")),
            Need::Tablebases if arguments.syzygy.is_none() => Some("no tablebases were given".into()),
            Need::Network if network.is_none() && own_network.is_none() => Some("the engine has no network yet".into()),
            _ if !missing.is_empty() => Some(format!("the engine has no {}", missing.join(", "))),
            _ => None,
        };
        if let Some(reason) = reason {
            skipped.push((rung, reason));
            continue;
        }
        let limits = Limits { depth: rung.depth, ..arguments.duel.limits() };
        let settings = rungs::settings(index, &subject.tunables);
        let mut spec = subject.variant(&rung.claim.to_string(), &settings, limits)?;
        let reached = |need: Need| RUNGS.iter().take(index + 1).any(|rung| rung.need == need);
        if let Some(directory) = arguments.syzygy.as_ref().filter(|_| reached(Need::Tablebases)) {
            spec.set_option("SyzygyPath", &directory.to_string_lossy());
        }
        match &network {
            Some(file) if reached(Need::Network) => spec.set_option("EvalFile", file),
            _ if own_network.is_some() && !reached(Need::Network) => spec.set_option("EvalFile", NO_NETWORK),
            _ => {}
        }
        players.push(Player { rung, spec });
    }
    if players.len() < 2 { bail!("a ladder needs at least two rungs") } else { Ok((players, skipped)) }
}

/// The index of the rung whose rating is fixed, and its rating.
fn parse_anchor(text: &str, players: &[Player]) -> Result<(usize, f64)> {
    let (rung, rating) = text.split_once('=').with_context(|| format!("\"{text}\" is not of the form RUNG=ELO"))?;
    let rating: f64 = rating.parse().with_context(|| format!("\"{rating}\" is not a rating"))?;
    let place = players.iter().position(|player| player.rung.claim.to_string() == rung);
    Ok((place.ok_or_else(|| anyhow!("the anchor {rung} does not play: choose another with --anchor"))?, rating))
}

impl Study<'_> {
    /// Every two rungs that play each other.
    fn meetings(&self) -> Vec<[usize; 2]> {
        let count = self.players.len();
        let above =
            |low: usize| (low + 1..count.min(low + 1 + self.arguments.reach as usize)).map(move |high| [high, low]);
        (0..count).flat_map(above).collect()
    }

    fn row(&self, meeting: [usize; 2]) -> String {
        let [high, low] = meeting.map(|place| self.players.get(place).map_or(0, |player| player.rung.claim));
        format!("{high}-{low}")
    }

    fn plan(&self, meeting: [usize; 2]) -> Result<Plan> {
        let player = |place: usize| self.players.get(place).ok_or_else(|| anyhow!("no rung {place}"));
        let [high, low] = [player(meeting[0])?, player(meeting[1])?];
        let trusted = high.rung.claim >= TRUSTED && low.rung.claim >= TRUSTED;
        let judgement = if trusted { Judgement::Good } else { Judgement::Poor };
        let pairs = self.arguments.games.div_ceil(2);
        self.arguments.duel.plan([high.spec.clone(), low.spec.clone()], &self.openings, pairs, judgement)
    }

    fn play_all(&mut self) -> Result<()> {
        let meetings = self.meetings();
        let games = 2 * self.arguments.games.div_ceil(2);
        let mut played = 0;
        for &meeting in &meetings {
            played += duel::score(&self.journal, &self.row(meeting), &self.plan(meeting)?).1.len();
        }
        let mut progress = Progress::new(meetings.len() * games, played, self.arguments.output.every);
        for (rung, reason) in &self.skipped {
            progress.say(&format!("{} ({}) is not played: {reason}", rung.claim, rung.title));
        }
        for meeting in meetings {
            if self.called_off.load(Ordering::Relaxed) {
                break;
            }
            let (plan, row) = (self.plan(meeting)?, self.row(meeting));
            let called_off = Arc::clone(&self.called_off);
            duel::play(&plan, &row, &mut self.journal, &called_off, |standings| {
                played += 1;
                progress.show(played, || table::line(standings, games));
            })?;
            self.write_report()?;
        }
        progress.finish();
        Ok(())
    }

    /// All results, by the rungs with White and Black.
    fn scores(&self) -> Result<Vec<Score>> {
        let mut counts: HashMap<(usize, usize), [u64; 3]> = HashMap::new();
        for meeting in self.meetings() {
            let plan = self.plan(meeting)?;
            for summary in duel::summaries(&self.journal, &self.row(meeting), &plan.schedule) {
                let [white, black] = summary.pairing.players.map(|side| meeting[side.min(1)]);
                let counts = counts.entry((white, black)).or_default();
                counts[usize::from(summary.white_half_points.min(2))] += 1;
            }
        }
        let mut scores: Vec<Score> =
            counts.into_iter().map(|((white, black), counts)| Score { white, black, counts }).collect();
        // The last digits of a floating-point sum depend on its order; the table must not.
        scores.sort_by_key(|score| (score.white, score.black));
        Ok(scores)
    }

    /// The ladder from bottom to top.
    fn lines(&self) -> Result<Vec<RungRow>> {
        let scores = self.scores()?;
        let fitted = rating::fit_within(SPAN, self.players.len(), &scores, Some(self.anchor));
        let ratings = fitted.ok_or_else(|| anyhow!("no ratings fit these games"))?.ratings;
        // Until the anchor has played, there is no absolute scale.
        let is_anchored = scores.iter().any(|score| [score.white, score.black].contains(&self.anchor.0));
        let mut lines = Vec::new();
        for (place, player) in self.players.iter().enumerate() {
            let of_rung = |score: &&Score| score.white == place || score.black == place;
            let games = scores.iter().filter(of_rung).map(|score| Results(score.counts).count()).sum();
            let gain = match place.checked_sub(1) {
                Some(below) => {
                    let meeting = [place, below];
                    let (standings, _) = duel::score(&self.journal, &self.row(meeting), &self.plan(meeting)?);
                    let duel = standings.duels.first().filter(|duel| duel.games.count() > 0);
                    duel.map(|duel| table::elo(&duel.games, &duel.pairs))
                }
                None => None,
            };
            let rating = ratings.get(place).copied().filter(|_| games > 0 && is_anchored);
            lines.push(RungRow { rung: player.rung, played: Ok(Played { rating, games, gain }) });
        }
        lines.extend(self.skipped.iter().map(|(rung, reason)| RungRow { rung, played: Err(reason.clone()) }));
        lines.sort_by_key(|line| line.rung.claim);
        Ok(lines)
    }

    /// The report, which is also written to the files asked for, with the chart.
    fn write_report(&self) -> Result<String> {
        let lines = self.lines()?;
        let anchor = self.players.get(self.anchor.0).map_or(0, |player| player.rung.claim);
        let text = report::markdown(
            &lines,
            (anchor, self.anchor.1),
            &self.arguments.duel.describe(),
            self.arguments.output.svg.as_deref(),
        );
        self.arguments.output.write(&text, &report::chart(&lines))?;
        Ok(text)
    }
}
