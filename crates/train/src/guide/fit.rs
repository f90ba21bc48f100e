//! Fits a list of numbers to many examples by steps along the gradient of their mean loss.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Result, ensure};

use crate::adam::{Adam, AdamSettings};
use crate::net::Group;
use crate::order::Order;
use crate::schedule::Rate;

/// The settings of a fit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FitSettings {
    /// Passes over the examples.
    pub epochs: u64,
    /// Examples in a step.
    pub batch: usize,
    /// The learning rate.
    pub rate: Rate,
    /// Weight decay, relative to the learning rate.
    pub decay: f32,
    /// The number of threads.
    pub threads: usize,
    /// The seed of the order of the examples.
    pub seed: u64,
}

/// Fits `values` to examples 0 to `count`. `learn` adds the gradient of one example to a list as long as the values and
/// returns its loss. After every epoch `each` gets its number, its mean loss and the values.
pub(super) fn fit(
    values: &mut [f32],
    groups: &[Group],
    count: usize,
    settings: &FitSettings,
    called_off: &AtomicBool,
    learn: impl Fn(&[f32], usize, &mut [f32]) -> f32 + Sync,
    mut each: impl FnMut(u64, f64, &[f32]),
) -> Result<()> {
    let adam = AdamSettings { decay: settings.decay, ..AdamSettings::default() };
    let mut adam = Adam::new(values.len(), adam);
    let mut gradients = vec![vec![0.0; values.len()]; settings.threads];
    let steps_per_epoch = count.div_ceil(settings.batch) as u64;
    let mut step = 0;
    for epoch in 0..settings.epochs {
        let order = Order::new(count, settings.seed, epoch);
        let mut total = 0.0;
        for start in (0..count).step_by(settings.batch) {
            if called_off.load(Ordering::Relaxed) {
                return Ok(());
            }
            let places: Vec<usize> = (start..count.min(start + settings.batch)).map(|place| order.at(place)).collect();
            total += gather(values, &places, &mut gradients, &learn);
            let lists: Vec<&[f32]> = gradients.iter().map(Vec::as_slice).collect();
            let rate = settings.rate.at(step, steps_per_epoch * settings.epochs);
            step += 1;
            adam.step(values, groups, &lists, rate, step);
        }
        ensure!(total.is_finite(), "the loss is no number any more: try a lower learning rate");
        each(epoch + 1, total / count.max(1) as f64, values);
    }
    Ok(())
}

/// Replaces each thread's gradient by that of its share of the examples, and returns the sum of their losses.
fn gather(
    values: &[f32],
    examples: &[usize],
    gradients: &mut [Vec<f32>],
    learn: &(impl Fn(&[f32], usize, &mut [f32]) -> f32 + Sync),
) -> f64 {
    let share = examples.len().div_ceil(gradients.len()).max(1);
    let work = |gradient: &mut Vec<f32>, examples: &[usize], all: usize| {
        gradient.fill(0.0);
        let loss: f64 = examples.iter().map(|&example| f64::from(learn(values, example, gradient))).sum();
        // The mean over the whole batch.
        let scale = 1.0 / all as f32;
        gradient.iter_mut().for_each(|slope| *slope *= scale);
        loss
    };
    let mut shares = examples.chunks(share);
    std::thread::scope(|scope| {
        let handles: Vec<_> = gradients
            .iter_mut()
            .map(|gradient| {
                let examples_of_thread = shares.next().unwrap_or_default();
                scope.spawn(move || work(gradient, examples_of_thread, examples.len()))
            })
            .collect();
        let join = |handle: std::thread::ScopedJoinHandle<'_, f64>| match handle.join() {
            Ok(loss) => loss,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        handles.into_iter().map(join).sum()
    })
}
