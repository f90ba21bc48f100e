//! The training loop: batches in random order, a step for each, validation after each epoch. It does no file I/O.
//!
//! The settings, the data and the number of the step decide everything, so a run resumed from a checkpoint does exactly
//! what it would have done without the pause, bit for bit.

use anyhow::{Result, bail};
use nnue::Network;

use super::adam::Adam;
use super::checkpoint::Checkpoint;
use super::load::DataSet;
use super::loss::sigmoid;
use super::net::Net;
use super::order::Order;
use super::pass::{Aim, Pass};
use super::sample::Sample;
use super::schedule::Rate;
use super::settings::{self, Settings};

/// A training in progress.
#[derive(Debug)]
pub(crate) struct Trainer<'a> {
    settings: Settings,
    data: &'a DataSet,
    rate: Rate,
    /// The weights that are updated.
    net: Net,
    /// The same rounded to the engine's grid; up to date only while in use.
    snapped: Net,
    /// The mean of the weights over the latest steps.
    mean: Mean,
    adam: Adam,
    workers: Vec<Pass>,
    step: u64,
    steps_per_epoch: u64,
    batch: usize,
    order: Order,
    epoch_loss: f64,
    epoch_positions: u64,
}

/// How well a network does on held-out positions.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub(crate) struct Validation {
    /// The mean loss.
    pub loss: f64,
    /// The correlation of the network's expected scores with those of the search.
    pub correlation: f64,
}

impl<'a> Trainer<'a> {
    /// A new training run.
    pub(crate) fn new(settings: Settings, data: &'a DataSet) -> Result<Trainer<'a>> {
        if data.training.is_empty() || settings.batch == 0 || settings.threads == 0 {
            bail!("a training needs positions, a batch and a thread");
        }
        let batch = settings.batch.min(data.training.len());
        let steps_per_epoch = (data.training.len() / batch) as u64;
        let rate = Rate { step_every: settings.rate.step_every.saturating_mul(steps_per_epoch), ..settings.rate };
        let net = Net::random(settings.shape, settings.seed);
        Ok(Trainer {
            settings,
            data,
            rate,
            net: net.clone(),
            mean: Mean { values: Vec::new(), count: 0 },
            snapped: net,
            adam: Adam::new(settings.shape.len(), settings.adam),
            workers: vec![Pass::new(settings.shape); settings.threads],
            step: 0,
            steps_per_epoch,
            batch,
            order: Order::new(data.training.len(), settings.seed, 0),
            epoch_loss: 0.0,
            epoch_positions: 0,
        })
    }

    /// Resumes from a checkpoint of the same run.
    pub(crate) fn resume(&mut self, checkpoint: &Checkpoint) -> Result<()> {
        let now = self.settings.describe();
        if checkpoint.settings != now {
            bail!("the checkpoint is of another training: {}", settings::difference(&checkpoint.settings, &now));
        }
        if checkpoint.fingerprint != self.data.fingerprint() {
            bail!("the checkpoint is of a training with other data, or with the files in another order");
        }
        if checkpoint.values.len() != self.settings.shape.len() {
            bail!("the checkpoint is of a network of another size");
        }
        self.net = Net::from_values(self.settings.shape, &checkpoint.values);
        self.mean = Mean { values: checkpoint.mean.clone(), count: checkpoint.mean_count };
        self.adam.first.copy_from_slice(&checkpoint.first);
        self.adam.second.copy_from_slice(&checkpoint.second);
        self.step = checkpoint.step;
        self.epoch_loss = checkpoint.epoch_loss;
        self.epoch_positions = checkpoint.epoch_positions;
        self.order = Order::new(self.data.training.len(), self.settings.seed, self.epoch());
        self.snap();
        Ok(())
    }

    /// Takes the weights of a network, which may be smaller.
    pub(crate) fn start_from(&mut self, network: &Network) -> Result<()> {
        let Some(net) = Net::grown(self.settings.shape, network, self.settings.seed) else {
            let kind = if network.dense().is_some() { "dense" } else { "linear" };
            bail!(
                "it has {} neurons and a {kind} head: a network can become wider, but neither narrower nor of another kind",
                network.hidden()
            );
        };
        self.net = net;
        self.snap();
        Ok(())
    }

    /// Everything needed to resume later.
    #[must_use]
    pub(crate) fn checkpoint(&self, fingerprint: u64) -> Checkpoint {
        Checkpoint {
            settings: self.settings.describe(),
            fingerprint,
            step: self.step,
            epoch_loss: self.epoch_loss,
            epoch_positions: self.epoch_positions,
            values: self.net.values.to_vec(),
            first: self.adam.first.to_vec(),
            second: self.adam.second.to_vec(),
            mean: self.mean.values.clone(),
            mean_count: self.mean.count,
        }
    }

    /// The network the forward pass uses.
    #[must_use]
    pub(crate) fn net(&self) -> &Net {
        if self.is_snapped() { &self.snapped } else { &self.net }
    }

    /// The full-precision weights, which differ from those of the forward pass once it is snapped.
    #[must_use]
    pub(crate) fn fine_net(&self) -> &Net {
        &self.net
    }

    /// Whether the forward pass uses rounded weights.
    #[must_use]
    pub(crate) fn is_snapped(&self) -> bool {
        let share = self.settings.snap_from;
        share < 1.0 && self.step as f64 >= share * self.steps() as f64
    }

    fn snap(&mut self) {
        if self.is_snapped() {
            self.snapped.snap(&self.net);
        }
    }

    /// Steps taken.
    #[must_use]
    pub(crate) fn steps_done(&self) -> u64 {
        self.step
    }

    /// The total number of steps.
    #[must_use]
    pub(crate) fn steps(&self) -> u64 {
        self.settings.epochs * self.steps_per_epoch
    }

    /// Positions in a step.
    #[must_use]
    pub(crate) fn batch(&self) -> usize {
        self.batch
    }

    /// Epochs completed.
    #[must_use]
    pub(crate) fn epoch(&self) -> u64 {
        self.step / self.steps_per_epoch
    }

    /// Whether the last step ended an epoch.
    #[must_use]
    pub(crate) fn is_epoch_over(&self) -> bool {
        self.step > 0 && self.step.is_multiple_of(self.steps_per_epoch)
    }

    /// The learning rate and the weight of results at the next step, or at the last one.
    #[must_use]
    pub(crate) fn pace(&self) -> (f32, f32) {
        let step = self.step.min(self.steps().saturating_sub(1));
        (self.rate.at(step, self.steps()), self.settings.blend.at(step, self.steps()))
    }

    /// The mean loss of the epoch so far.
    #[must_use]
    pub(crate) fn mean_loss(&self) -> f64 {
        self.epoch_loss / self.epoch_positions.max(1) as f64
    }

    /// Trains on one batch.
    pub(crate) fn step(&mut self) -> Result<()> {
        if self.step.is_multiple_of(self.steps_per_epoch) {
            self.order = Order::new(self.data.training.len(), self.settings.seed, self.epoch());
            (self.epoch_loss, self.epoch_positions) = (0.0, 0);
        }
        let ((rate, _), aim) = (self.pace(), self.aim());
        let first = (self.step % self.steps_per_epoch) as usize * self.batch;
        let net = if self.is_snapped() { &self.snapped } else { &self.net };
        let (order, samples, batch) = (&self.order, &self.data.training[..], self.batch);
        in_parallel(&mut self.workers, batch, |worker, places| {
            worker.loss = 0.0;
            worker.gradient.fill(0.0);
            let positions = places.map(|place| samples[order.at(first + place)]);
            worker.learn(net, positions, &aim);
        });
        self.epoch_loss += self.workers.iter().map(|worker| worker.loss).sum::<f64>();
        self.epoch_positions += batch as u64;
        self.step += 1;
        if !self.epoch_loss.is_finite() {
            bail!("the loss is not a number any more at step {}: try a lower learning rate", self.step);
        }
        let gradients: Vec<&[f32]> = self.workers.iter().map(|worker| &*worker.gradient).collect();
        self.adam.step(&mut self.net.values, &self.settings.shape.groups(), &gradients, rate, self.step);
        self.snap();
        if self.step as f64 > self.settings.average_from * self.steps() as f64
            && self.step.is_multiple_of(AVERAGE_EVERY)
        {
            self.mean.add(&self.net.values);
        }
        Ok(())
    }

    /// Ends the training: replaces the weights by their mean if there is one and it is better. Returns the rounded
    /// losses of both if they were compared.
    pub(crate) fn settle(&mut self) -> Option<(f64, f64)> {
        if self.mean.count == 0 || self.data.validation.is_empty() {
            return None;
        }
        let last = self.validate_rounded().loss;
        let mean = Net::from_values(self.settings.shape, &self.mean.values);
        let fine = std::mem::replace(&mut self.net, mean);
        let averaged = self.validate_rounded().loss;
        if averaged >= last {
            self.net = fine;
        }
        self.snapped.snap(&self.net);
        Some((last, averaged))
    }

    /// Validates the network of the forward pass.
    pub(crate) fn validate(&mut self) -> Validation {
        let aim = self.last_aim();
        let net = if self.is_snapped() { &self.snapped } else { &self.net };
        validate(&mut self.workers, net, &self.data.validation, &aim)
    }

    /// Validates the network rounded to the engine's grid.
    pub(crate) fn validate_rounded(&mut self) -> Validation {
        let aim = self.last_aim();
        self.snapped.snap(&self.net);
        validate(&mut self.workers, &self.snapped, &self.data.validation, &aim)
    }

    /// The aim at this step.
    fn aim(&self) -> Aim {
        Aim { loss: self.settings.loss, wdl: self.pace().1, share: 1.0 / self.batch as f32 }
    }

    /// The aim at the last step. Validation always uses it: if the weight of results changes, the losses of different
    /// epochs would otherwise not be comparable.
    fn last_aim(&self) -> Aim {
        Aim { wdl: self.settings.blend.end as f32, ..self.aim() }
    }
}

/// The weights are added to their mean every this many steps.
const AVERAGE_EVERY: u64 = 8;

/// A running mean.
#[derive(Clone, Debug)]
struct Mean {
    values: Vec<f32>,
    count: u64,
}

impl Mean {
    fn add(&mut self, numbers: &[f32]) {
        self.count += 1;
        if self.values.is_empty() {
            self.values = numbers.to_vec();
        }
        let share = 1.0 / self.count as f32;
        self.values.iter_mut().zip(numbers).for_each(|(mean, number)| *mean += (number - *mean) * share);
    }
}

fn validate(workers: &mut [Pass], net: &Net, samples: &[Sample], aim: &Aim) -> Validation {
    let loss = aim.loss;
    let sums = in_parallel(workers, samples.len(), |worker, places| {
        let mut sums = Sums::default();
        worker.evaluate(net, samples[places].iter().copied(), |sample, output| {
            let searched = sigmoid(f32::from(sample.score()) / loss.scale);
            sums.add(loss.value(output, loss.target(sample, aim.wdl)), sigmoid(output), searched);
        });
        sums
    });
    sums.into_iter().fold(Sums::default(), Sums::plus).judge()
}

/// Gives every worker its share of `count` items and collects the results in order.
fn in_parallel<T: Send>(
    workers: &mut [Pass],
    count: usize,
    work: impl Fn(&mut Pass, std::ops::Range<usize>) -> T + Sync,
) -> Vec<T> {
    let threads = workers.len();
    let places = |thread: usize| count * thread / threads..count * (thread + 1) / threads;
    std::thread::scope(|scope| {
        let (work, mut rest) = (&work, workers.iter_mut().enumerate());
        // The calling thread works too.
        let own = rest.next();
        let handles: Vec<_> = rest.map(|(thread, worker)| scope.spawn(move || work(worker, places(thread)))).collect();
        let own = own.map(|(thread, worker)| work(worker, places(thread)));
        let others = handles.into_iter().map(|handle| match handle.join() {
            Ok(outcome) => outcome,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        own.into_iter().chain(others).collect()
    })
}

/// Sums over the validation positions.
#[derive(Clone, Copy, Default)]
struct Sums {
    count: f64,
    loss: f64,
    x: f64,
    y: f64,
    xx: f64,
    yy: f64,
    xy: f64,
}

impl Sums {
    fn add(&mut self, loss: f32, x: f32, y: f32) {
        let (x, y) = (f64::from(x), f64::from(y));
        let one = Sums { count: 1.0, loss: loss.into(), x, y, xx: x * x, yy: y * y, xy: x * y };
        *self = self.plus(one);
    }

    fn plus(self, other: Sums) -> Sums {
        Sums {
            count: self.count + other.count,
            loss: self.loss + other.loss,
            x: self.x + other.x,
            y: self.y + other.y,
            xx: self.xx + other.xx,
            yy: self.yy + other.yy,
            xy: self.xy + other.xy,
        }
    }

    fn judge(self) -> Validation {
        let count = self.count.max(1.0);
        let spread = |square: f64, sum: f64| (square / count - (sum / count).powi(2)).max(0.0);
        let together = self.xy / count - self.x / count * self.y / count;
        let scale = (spread(self.xx, self.x) * spread(self.yy, self.y)).sqrt();
        Validation { loss: self.loss / count, correlation: if scale > 0.0 { together / scale } else { 0.0 } }
    }
}
