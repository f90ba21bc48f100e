//! Plays many games concurrently. Each worker owns its engine processes and sleeps while they think; the calling thread
//! records one finished game after another.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};

use super::adjudicate::Rules;
use super::affinity;
use super::game::{self, Game, Terms};
use super::opening::{Opening, Openings};
use super::player::Player;
use super::schedule::{Pairing, Schedule};
use super::spec::EngineSpec;
use super::stalls::{StallSource, Witness};
use toolkit::Tables;

/// Everything that is fixed before the first move.
pub struct Plan {
    /// The engines.
    pub engines: Vec<EngineSpec>,
    /// The games.
    pub schedule: Schedule,
    /// Their openings.
    pub openings: Openings,
    /// Adjudication.
    pub rules: Rules,
    /// Adjudication by tablebases.
    pub tables: Option<Tables>,
    /// Whether it is Chess960.
    pub chess960: bool,
    /// How long an engine without a clock may stay silent.
    pub patience: Duration,
    /// Whether engines think in the opponent's time, for which each game needs one more core.
    pub ponder: bool,
    /// Games at a time.
    pub concurrency: usize,
    /// How many cores each game has to itself; if none, the system schedules freely.
    pub cores: Option<usize>,
    /// Whether the match continues after an engine has crashed or stalled.
    pub recover: bool,
    /// The source of stalls of the machine. A game that a stall loses on time is void and played again.
    pub watch: Option<Arc<dyn StallSource>>,
}

/// After this many void attempts a game counts as it ends, so that an overloaded machine does not retry without end.
const MOST_VOID: u32 = 3;

impl Plan {
    /// The names of White and Black.
    pub fn names(&self, pairing: &Pairing) -> Result<[&str; 2]> {
        let name = |player: usize| {
            self.engines.get(player).map(|engine| engine.name.as_str()).ok_or_else(|| anyhow!("no engine {player}"))
        };
        Ok([name(pairing.players[0])?, name(pairing.players[1])?])
    }

    /// Starts every engine once and reads all openings, so that mistakes show before the match and not in the middle of
    /// the night. Returns warnings.
    pub fn check(&self, called_off: &Arc<AtomicBool>) -> Result<Vec<String>> {
        let mut warnings = Vec::new();
        for engine in &self.engines {
            let player = Player::start(engine, self.chess960, Arc::clone(called_off))?;
            let unknown = player.unknown_options.iter();
            warnings.extend(unknown.map(|option| format!("{} has no option {option}", engine.name)));
            player.quit();
        }
        let rounds = self.schedule.len() / (2 * self.schedule.meetings().len().max(1));
        for round in 0..rounds.min(self.openings.count()) {
            self.openings.of_round(round)?;
        }
        if rounds > self.openings.count() {
            warnings.push(format!("{} openings for {rounds} rounds: some will be played again", self.openings.count()));
        }
        Ok(warnings)
    }
}

/// Plays all games that are not done yet and hands each to `take`, which returns whether to continue. A match that is
/// called off ends without error, and its unfinished games are discarded.
pub fn run(
    plan: &Plan,
    done: &HashSet<usize>,
    called_off: &Arc<AtomicBool>,
    mut take: impl FnMut(Pairing, Game) -> Result<bool>,
) -> Result<()> {
    let pending: Vec<Pairing> = (0..plan.schedule.len())
        .filter(|number| !done.contains(number))
        .filter_map(|number| plan.schedule.game(number))
        .collect();
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    let workers = plan.concurrency.clamp(1, pending.len().max(1));
    let mut shares = plan.cores.map_or(Ok(Vec::new()), |cores| affinity::shares(workers, cores))?;
    thread::scope(|scope| {
        for _ in 0..workers {
            let cores = shares.pop();
            let worker = GameThread { plan, called_off: Arc::clone(called_off), cores, players: HashMap::new() };
            let (pending, next, sender) = (&pending, &next, sender.clone());
            scope.spawn(move || worker.work(pending, next, &sender));
        }
        drop(sender);
        let outcome = receiver.iter().try_for_each(|played| {
            let (pairing, game) = played?;
            let fatal = (!plan.recover && game.cause.needs_restart()).then(|| game.cause.describe(game.winner));
            if !take(pairing, game)? {
                called_off.store(true, Ordering::Relaxed);
            }
            match fatal {
                Some(words) => bail!("game {}: {words}", pairing.number + 1),
                None => Ok(()),
            }
        });
        // On an error, the workers still playing must stop, or the scope would never end.
        called_off.fetch_or(outcome.is_err(), Ordering::Relaxed);
        outcome
    })
}

/// A finished game and its pairing, or why no more games can be played.
type Played = Result<(Pairing, Game)>;

struct GameThread<'a> {
    plan: &'a Plan,
    called_off: Arc<AtomicBool>,
    /// The cores its engines run on.
    cores: Option<Vec<usize>>,
    /// The running engines, by number.
    players: HashMap<usize, Player>,
}

impl GameThread<'_> {
    fn work(mut self, pending: &[Pairing], next: &AtomicUsize, sender: &Sender<Played>) {
        if let Some(Err(error)) = self.cores.as_deref().map(affinity::bind) {
            let _ = sender.send(Err(error.context("cannot bind engines to cores")));
            return;
        }
        while !self.called_off.load(Ordering::Relaxed) {
            let Some(pairing) = pending.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
            if !self.settle(pairing, sender) {
                return;
            }
        }
        if !self.called_off.load(Ordering::Relaxed) {
            self.players.into_values().for_each(Player::quit);
        }
    }

    /// Plays a game until it counts; void attempts are handed on as well. False if this worker should stop.
    fn settle(&mut self, pairing: &Pairing, sender: &Sender<Played>) -> bool {
        for void in 0.. {
            let played = self.play(pairing, void < MOST_VOID).transpose();
            let Some(played) = played.map(|game| game.with_context(|| format!("game {}", pairing.number + 1))) else {
                return false;
            };
            let (failed, again) = (played.is_err(), played.as_ref().is_ok_and(|game| game.cause.is_void()));
            // An engine that was just starting when the match was called off did not fail.
            if failed && self.called_off.load(Ordering::Relaxed) {
                return false;
            }
            if sender.send(played.map(|game| (*pairing, game))).is_err() || failed {
                return false;
            }
            if !again {
                break;
            }
        }
        true
    }

    fn play(&mut self, pairing: &Pairing, may_void: bool) -> Result<Option<Game>> {
        let opening = self.plan.openings.of_round(pairing.round)?;
        let [white, black] = pairing.players;
        let mut white_player = self.player(white)?;
        let mut black_player = self.player(black)?;
        let game = self.play_between([&mut white_player, &mut black_player], pairing, &opening, may_void)?;
        let Some(game) = game else { return Ok(None) };
        let loser = game.winner.map(|winner| winner.other().index()).filter(|_| game.cause.needs_restart());
        for (side, (number, player)) in [(white, white_player), (black, black_player)].into_iter().enumerate() {
            let restart = self.plan.engines.get(number).is_some_and(|engine| engine.restart);
            if loser != Some(side) && !restart {
                self.players.insert(number, player);
            }
        }
        Ok(Some(game))
    }

    fn play_between(
        &self,
        players: [&mut Player; 2],
        pairing: &Pairing,
        opening: &Opening,
        may_void: bool,
    ) -> Result<Option<Game>> {
        let limits = |player: usize| {
            self.plan.engines.get(player).map(|engine| &engine.limits).ok_or_else(|| anyhow!("no engine {player}"))
        };
        let cores = self.cores.as_deref();
        let witness = |source| Witness { source, cores, may_void };
        let terms = Terms {
            opening,
            limits: [limits(pairing.players[0])?, limits(pairing.players[1])?],
            rules: self.plan.rules,
            tables: self.plan.tables.as_ref(),
            chess960: self.plan.chess960,
            patience: self.plan.patience,
            ponder: self.plan.ponder,
            witness: self.plan.watch.as_deref().map(witness),
        };
        Ok(game::play(players, &terms))
    }

    /// A running engine, or a new one. On an overloaded machine a start may fail once or twice.
    fn player(&mut self, number: usize) -> Result<Player> {
        if let Some(player) = self.players.remove(&number) {
            return Ok(player);
        }
        let spec = self.plan.engines.get(number).ok_or_else(|| anyhow!("no engine {number}"))?;
        let start = || Player::start(spec, self.plan.chess960, Arc::clone(&self.called_off));
        let mut started = start();
        for pause in [1, 5] {
            if started.is_ok() || !self.plan.recover || self.called_off.load(Ordering::Relaxed) {
                break;
            }
            thread::sleep(Duration::from_secs(pause));
            started = start();
        }
        started
    }
}
