//! `relabel`: gives games the static values of a teacher, for a network to learn from.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, bail};
use clap::Args;
use engine::eval::weights::Group;

use data::{About, JudgeBy, Lesson, Teacher, Writer, games_of};

/// The command's name, as descriptions of files have it.
const COMMAND: &str = "relabel";

/// The arguments of `relabel`.
#[derive(Args, Clone, Debug)]
pub(crate) struct RelabelArguments {
    /// A file of games
    pub input: PathBuf,
    /// The file to write: the same games in the same order, with new scores
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,
    /// The network whose static value is the greater part; without it the engine's own
    #[arg(long, value_name = "FILE")]
    pub network: Option<PathBuf>,
    /// The share of the hand-crafted evaluation in the value, from 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    pub hand: f64,
    /// Add a term of the hand-crafted evaluation, for example mobility=0.9; may be given several times
    #[arg(long, value_name = "TERM=SHARE", value_parser = term)]
    pub term: Vec<(Group, f64)>,
    /// The share of the old score, from 0 to 1. A file that `relabel` has written may be relabelled again, to mix several
    /// networks
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    pub keep: f64,
    /// Before, replace each old score by the mean along the rest of the game, in which each score counts this share of the
    /// one before, from 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    pub ahead: f64,
}

/// A term by its name in `eval`, and how much of it to add.
fn term(text: &str) -> Result<(Group, f64), String> {
    let (name, share) = text.split_once('=').ok_or("a term and its share, such as mobility=0.9")?;
    let share: f64 = share.parse().map_err(|_| format!("{share} is not a number"))?;
    let names = || Group::ALL.map(|group| format!("{group:?}").to_lowercase());
    let group = Group::ALL.into_iter().zip(names()).find(|(_, known)| name.eq_ignore_ascii_case(known));
    match group {
        Some((group, _)) if share.is_finite() => Ok((group, share)),
        Some(_) => Err(format!("{share} is not a share")),
        None => Err(format!("no term is called {name}, but {}", names().join(", "))),
    }
}

pub(crate) fn run(arguments: &RelabelArguments) -> Result<()> {
    if [arguments.hand, arguments.keep, arguments.ahead].iter().any(|share| !(0.0..=1.0).contains(share)) {
        bail!("a share must lie between 0 and 1");
    }
    let judge_by = JudgeBy::named(arguments.network.as_deref())?;
    let engine = judge_by.engine();
    let network = engine.network().context("a teacher needs a network")?;
    let terms = arguments.term.clone();
    let was_taught = About::read(&arguments.input)?.is_some_and(|about| about.made_by == COMMAND);
    let (hand, keep, ahead) = (arguments.hand, arguments.keep, arguments.ahead);
    let lesson = Lesson { network: network.clone(), hand, terms, keep, was_taught, ahead };
    let settings = [
        ("hand", hand.to_string()),
        ("keep", keep.to_string()),
        ("ahead", ahead.to_string()),
        ("terms", format!("{:?}", arguments.term)),
        ("games", arguments.input.display().to_string()),
    ];
    let mut writer = Writer::create(&arguments.output)?;
    About::new(COMMAND, &judge_by, settings).claim(&arguments.output)?;
    let mut teacher = Teacher::new(lesson);
    let (mut games, mut positions) = (0_u64, 0);
    let left_out = Mutex::new(Vec::new());
    for game in games_of(std::slice::from_ref(&arguments.input), &left_out) {
        let mut game = game?;
        teacher.relabel(&mut game);
        writer.add(&game)?;
        games += 1;
        positions += game.moves.len();
    }
    writer.sync()?;
    let left_out = left_out.into_inner().unwrap_or_else(PoisonError::into_inner);
    left_out.iter().for_each(|text| eprintln!("warning: {text}"));
    eprintln!("{games} games, {positions} positions");
    Ok(())
}
