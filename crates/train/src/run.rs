//! A training run in a directory: checkpoints, the loss curve, the network and the progress display.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use chess::{Board, Piece};
use nnue::Network;
use nnue::arch::SCALE_ONE;

use super::checkpoint::Checkpoint;
use super::curve::{Curve, Row};
use super::export::{self, Rounding};
use super::load::DataSet;
use super::sample::Sample;
use super::settings::Settings;
use super::trainer::Trainer;
use toolkit::{Progress, files};

/// How many positions are used to compare integers with floats.
const COMPARED: usize = 20_000;
/// How often the progress bar is updated.
const REFRESH: Duration = Duration::from_millis(500);

/// Where a training run is stored, and what it starts from.
#[derive(Clone, Debug)]
pub struct Place {
    /// Its directory.
    pub directory: PathBuf,
    /// Resume the run that is there.
    pub resume: bool,
    /// A network to take the initial weights from.
    pub start_from: Option<PathBuf>,
    /// A network whose mean absolute evaluation the new one is scaled to match.
    pub like: Option<Arc<Network>>,
    /// The longest time between two checkpoints.
    pub checkpoint_every: Duration,
    /// Keep the network of every n-th epoch besides the last one; never if zero.
    pub keep_every: u64,
}

impl Place {
    /// Checks that the directory can be used, before the games are read, which takes a while.
    pub fn check(&self) -> Result<()> {
        let path = self.checkpoint();
        if !self.resume && path.exists() {
            bail!("{} has a training already: go on with --resume, or choose another place", self.directory.display());
        }
        if self.resume && !path.exists() {
            bail!("there is no training to resume in {}", self.directory.display());
        }
        fs::create_dir_all(&self.directory).with_context(|| format!("cannot make {}", self.directory.display()))
    }

    fn checkpoint(&self) -> PathBuf {
        self.directory.join("checkpoint.bin")
    }

    /// The network of the epoch with the best held-out loss.
    fn best_network(&self) -> PathBuf {
        self.directory.join("best.nnue")
    }

    fn network(&self) -> PathBuf {
        self.directory.join("net.nnue")
    }
}

/// The result of a training run.
#[derive(Clone, Copy, Debug)]
pub struct Outcome {
    /// Whether it ran to the end.
    pub is_complete: bool,
    /// Whether it stopped early because the held-out loss no longer improved.
    pub gave_up: bool,
    /// The losses of the last weights and of the averaged weights, if there were any to compare; the better ones were
    /// exported.
    pub averaged: Option<(f64, f64)>,
    /// The last epoch, if there was one.
    pub last: Option<Row>,
    /// The validation loss of the rounded network.
    pub rounded: f64,
    /// The rounding error against the floats the network computed with at the end.
    pub rounding: Rounding,
    /// The rounding error against the unrounded weights behind them.
    pub fine_rounding: Rounding,
    /// The factor that scales the network's evaluations.
    pub scale: f64,
    /// The network's evaluation of the start position, in centipawns.
    pub start: i32,
    /// The same without the queen of the side not to move.
    pub queen_up: i32,
}

/// Trains to the end, or until it is called off.
pub fn run(settings: Settings, data: &DataSet, place: &Place, called_off: &AtomicBool) -> Result<Outcome> {
    place.check()?;
    let mut trainer = prepare(settings, data, place)?;
    let mut session = Session {
        place,
        data,
        description: describe(&settings, data),
        fingerprint: data.fingerprint(),
        curve: Curve::open(&place.directory, trainer.epoch())?,
        saved: Instant::now(),
        // Without a terminal, the line for each epoch is enough.
        progress: Progress::new(trainer.steps() as usize, trainer.steps_done() as usize, trainer.steps() as usize + 1),
        speed: Speed::new(),
        patience: settings.patience,
        begin: (Instant::now(), trainer.steps_done()),
    };
    while trainer.steps_done() < trainer.steps() && !called_off.load(Ordering::Relaxed) && !session.is_hopeless() {
        trainer.step()?;
        session.after_step(&mut trainer)?;
    }
    session.progress.finish();
    session.close(&mut trainer)
}

/// A trainer at its first step, or at the step to resume from.
fn prepare<'a>(settings: Settings, data: &'a DataSet, place: &Place) -> Result<Trainer<'a>> {
    let mut trainer = Trainer::new(settings, data)?;
    if place.resume {
        let path = place.checkpoint();
        let checkpoint = Checkpoint::read(&path)?;
        trainer.resume(&checkpoint).with_context(|| path.display().to_string())?;
        eprintln!("resumed after {} of {} steps", trainer.steps_done(), trainer.steps());
    } else if let Some(path) = &place.start_from {
        let network = Network::read(path).with_context(|| path.display().to_string())?;
        trainer.start_from(&network).with_context(|| path.display().to_string())?;
    }
    Ok(trainer)
}

/// The network's origin, for its file.
fn describe(settings: &Settings, data: &DataSet) -> String {
    let games = data.counts.training_games;
    format!("trained on {} positions of {games} games; {}", data.training.len(), settings.describe())
}

struct Session<'a> {
    place: &'a Place,
    data: &'a DataSet,
    description: String,
    fingerprint: u64,
    curve: Curve,
    saved: Instant,
    progress: Progress,
    speed: Speed,
    patience: u64,
    /// The time and the number of steps when this part of the run began.
    begin: (Instant, u64),
}

impl Session<'_> {
    /// Whether the held-out loss has not improved for as many epochs as patience allows.
    fn is_hopeless(&self) -> bool {
        self.patience > 0 && self.curve.epochs_since_best() >= self.patience
    }

    /// The remaining time at the speed so far.
    fn time_left(&self, trainer: &Trainer<'_>) -> Duration {
        let (begin, first) = self.begin;
        let done = trainer.steps_done().saturating_sub(first).max(1);
        begin.elapsed().mul_f64((trainer.steps() - trainer.steps_done()) as f64 / done as f64)
    }

    fn after_step(&mut self, trainer: &mut Trainer<'_>) -> Result<()> {
        self.speed.add(trainer.batch());
        if trainer.is_epoch_over() {
            self.after_epoch(trainer)?;
        } else if self.saved.elapsed() >= self.place.checkpoint_every {
            self.save(trainer)?;
        }
        if let Some(speed) = self.speed.now_and_then() {
            let epoch = trainer.epoch();
            let tested = self.curve.last().map_or(String::new(), |row| format!(", validation {:.6}", row.validation));
            self.progress.show(trainer.steps_done() as usize, || {
                format!("epoch {}, loss {:.6}{tested}, {:.0}k positions/s", epoch + 1, trainer.mean_loss(), speed / 1e3)
            });
        }
        Ok(())
    }

    fn after_epoch(&mut self, trainer: &mut Trainer<'_>) -> Result<()> {
        let speed = self.speed.of_epoch();
        let validation = trainer.validate();
        let (rate, wdl) = trainer.pace();
        let row = Row {
            epoch: trainer.epoch(),
            step: trainer.steps_done(),
            rate: rate.into(),
            wdl: wdl.into(),
            training: trainer.mean_loss(),
            validation: validation.loss,
            correlation: validation.correlation,
            speed,
        };
        self.curve.add(row)?;
        self.progress.say(&format!(
            "epoch {:3}: loss {:.6}, validation {:.6}, correlation {:.4}, rate {:.2e}, {:.0}k positions/s, {:.0} min left",
            row.epoch,
            row.training,
            row.validation,
            row.correlation,
            row.rate,
            speed / 1e3,
            (self.time_left(trainer).as_secs_f64() / 60.0).ceil()
        ));
        self.save(trainer)?;
        if self.curve.epochs_since_best() == 0 {
            self.export(trainer, &self.place.best_network())?;
        }
        if self.place.keep_every > 0 && row.epoch.is_multiple_of(self.place.keep_every) {
            self.export(trainer, &self.place.directory.join(format!("net-{:03}.nnue", row.epoch)))?;
        }
        self.speed = Speed::new();
        Ok(())
    }

    /// Writes the checkpoint and the network to disk.
    fn save(&mut self, trainer: &Trainer<'_>) -> Result<()> {
        trainer.checkpoint(self.fingerprint).write(&self.place.checkpoint())?;
        self.export(trainer, &self.place.network())?;
        self.saved = Instant::now();
        Ok(())
    }

    fn export(&self, trainer: &Trainer<'_>, path: &Path) -> Result<()> {
        let mut network = Arc::new(export::quantise(trainer.net(), &self.description)?);
        if let Some(like) = &self.place.like {
            let factor = export::mean_size(like, self.compared()) / export::mean_size(&network, self.compared());
            if factor.is_finite() {
                network = Arc::new(Network::clone(&network).scaled(factor));
            }
        }
        files::replace(path, network.to_bytes())
    }

    /// Positions on which to compare evaluations.
    fn compared(&self) -> &[Sample] {
        let samples = if self.data.validation.is_empty() { &self.data.training } else { &self.data.validation };
        &samples[..samples.len().min(COMPARED)]
    }

    fn close(&mut self, trainer: &mut Trainer<'_>) -> Result<Outcome> {
        self.save(trainer)?;
        let is_complete = trainer.steps_done() >= trainer.steps();
        let averaged = if is_complete { trainer.settle() } else { None };
        if averaged.is_some() {
            self.export(trainer, &self.place.network())?;
        }
        // The network as the engine will read it.
        let path = self.place.network();
        let network = Network::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let unscaled = Arc::new(network.clone().scaled(f64::from(SCALE_ONE) / f64::from(network.scale())));
        let rounding = export::rounding(trainer.net(), &unscaled, self.compared());
        let fine_rounding = export::rounding(trainer.fine_net(), &unscaled, self.compared());
        Ok(Outcome {
            is_complete,
            gave_up: self.is_hopeless(),
            averaged,
            last: self.curve.last().copied(),
            rounded: trainer.validate_rounded().loss,
            rounding,
            fine_rounding,
            scale: f64::from(network.scale()) / f64::from(SCALE_ONE),
            start: network.evaluate(&Board::start()),
            queen_up: network.evaluate(&without_queen()?),
        })
    }
}

/// The start position without Black's queen.
fn without_queen() -> Result<Board> {
    let mut setup = chess::Setup::empty();
    let start = Board::start();
    for square in start.occupied() {
        setup.pieces[square.index()] = start.piece_on(square).filter(|&piece| piece != Piece::BlackQueen);
    }
    Board::try_from(setup).map_err(|error| anyhow::anyhow!("{error}"))
}

/// Positions a second, recently and over the epoch.
struct Speed {
    begin: Instant,
    positions: usize,
    shown: Instant,
    shown_positions: usize,
}

impl Speed {
    fn new() -> Speed {
        Speed { begin: Instant::now(), positions: 0, shown: Instant::now(), shown_positions: 0 }
    }

    fn add(&mut self, positions: usize) {
        self.positions += positions;
    }

    fn of_epoch(&self) -> f64 {
        self.positions as f64 / self.begin.elapsed().as_secs_f64().max(1e-9)
    }

    /// The speed since it was last shown, if that was a while ago.
    fn now_and_then(&mut self) -> Option<f64> {
        let elapsed = self.shown.elapsed();
        if elapsed < REFRESH {
            return None;
        }
        let speed = (self.positions - self.shown_positions) as f64 / elapsed.as_secs_f64();
        (self.shown, self.shown_positions) = (Instant::now(), self.positions);
        Some(speed)
    }
}
