//! The optimiser: AdamW. Each weight has its own step size, from the running means of its gradient and of the
//! gradient's square. Weight decay is separate, and every weight is clipped to what the engine's integers can hold.

use super::aligned::Aligned;
use super::net::Group;

/// The settings of the optimiser.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AdamSettings {
    /// The decay rate of the mean gradient.
    pub beta1: f32,
    /// The decay rate of the mean squared gradient.
    pub beta2: f32,
    /// Keeps a step finite while no gradient has been seen.
    pub epsilon: f32,
    /// Weight decay, relative to the learning rate.
    pub decay: f32,
}

impl Default for AdamSettings {
    fn default() -> AdamSettings {
        AdamSettings { beta1: 0.9, beta2: 0.999, epsilon: 1e-8, decay: 0.01 }
    }
}

/// The optimiser's state.
#[derive(Clone, Debug)]
pub(crate) struct Adam {
    settings: AdamSettings,
    /// Running means of the gradients.
    pub first: Aligned,
    /// Running means of their squares.
    pub second: Aligned,
}

/// What a step uses for all weights alike.
#[derive(Clone, Copy)]
struct Step {
    settings: AdamSettings,
    rate: f32,
    first_scale: f32,
    second_scale: f32,
}

/// A part of the numbers that one thread updates.
struct Piece<'a> {
    start: usize,
    values: &'a mut [f32],
    first: &'a mut [f32],
    second: &'a mut [f32],
    decay: f32,
    limit: f32,
}

impl Adam {
    /// An optimiser of so many numbers, in its initial state.
    #[must_use]
    pub(crate) fn new(len: usize, settings: AdamSettings) -> Adam {
        Adam { settings, first: Aligned::zeros(len), second: Aligned::zeros(len) }
    }

    /// Takes step `number`, counted from one, along the sum of the gradients, with one thread per gradient. The groups
    /// cover all values, in order.
    pub(crate) fn step(&mut self, values: &mut [f32], groups: &[Group], gradients: &[&[f32]], rate: f32, number: u64) {
        let settings = self.settings;
        let unbias = |beta: f32| (1.0 / (1.0 - f64::from(beta).powf(number as f64))) as f32;
        let (first_scale, second_scale) = (unbias(settings.beta1), unbias(settings.beta2));
        let step = Step { settings, rate, first_scale, second_scale };
        let mut shares = self.split(values, groups, gradients.len());
        std::thread::scope(|scope| {
            let own = shares.pop();
            for share in shares {
                scope.spawn(move || share.into_iter().for_each(|piece| step.take(piece, gradients)));
            }
            own.into_iter().flatten().for_each(|piece| step.take(piece, gradients));
        });
    }

    /// Cuts every group into equal pieces, one for each thread.
    fn split<'a>(&'a mut self, mut values: &'a mut [f32], groups: &[Group], threads: usize) -> Vec<Vec<Piece<'a>>> {
        let mut shares: Vec<Vec<Piece<'a>>> = (0..threads).map(|_| Vec::with_capacity(groups.len())).collect();
        let (mut first, mut second): (&mut [f32], &mut [f32]) = (&mut self.first, &mut self.second);
        for group in groups {
            let mut start = group.range.start;
            for (thread, share) in shares.iter_mut().enumerate() {
                let length = (group.range.end - start) / (threads - thread);
                let decay = if group.decays { self.settings.decay } else { 0.0 };
                share.push(Piece {
                    start,
                    values: cut(&mut values, length),
                    first: cut(&mut first, length),
                    second: cut(&mut second, length),
                    decay,
                    limit: group.limit,
                });
                start += length;
            }
        }
        shares
    }
}

/// Takes the first `length` numbers off a list.
fn cut<'a>(list: &mut &'a mut [f32], length: usize) -> &'a mut [f32] {
    list.split_off_mut(..length).unwrap_or_default()
}

impl Step {
    fn take(self, piece: Piece<'_>, gradients: &[&[f32]]) {
        // A block at a time, so that the summed gradients stay in the L1 cache.
        const BLOCK: usize = 1024;
        let mut slopes = [0.0; BLOCK];
        let blocks =
            piece.values.chunks_mut(BLOCK).zip(piece.first.chunks_mut(BLOCK)).zip(piece.second.chunks_mut(BLOCK));
        for (number, ((values, first), second)) in blocks.enumerate() {
            let slopes = &mut slopes[..values.len()];
            slopes.fill(0.0);
            let start = piece.start + number * BLOCK;
            for gradient in gradients {
                let gradient = &gradient[start..start + slopes.len()];
                slopes.iter_mut().zip(gradient).for_each(|(sum, slope)| *sum += slope);
            }
            let shrink = 1.0 - self.rate * piece.decay;
            for (((value, first), second), &slope) in values.iter_mut().zip(first).zip(second).zip(&*slopes) {
                *first += (1.0 - self.settings.beta1) * (slope - *first);
                *second += (1.0 - self.settings.beta2) * (slope * slope - *second);
                let size = (*second * self.second_scale).sqrt() + self.settings.epsilon;
                let moved = *value * shrink - self.rate * *first * self.first_scale / size;
                *value = moved.clamp(-piece.limit, piece.limit);
            }
        }
    }
}
