//! All settings that affect the result of a training run.

use super::adam::AdamSettings;
use super::filter::Filter;
use super::loss::Loss;
use super::net::Shape;
use super::schedule::{Blend, Rate};

/// The settings of a training run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// The network's size.
    pub shape: Shape,
    /// Passes over the data.
    pub epochs: u64,
    /// Positions in a step.
    pub batch: usize,
    /// The loss function.
    pub loss: Loss,
    /// The weight of game results.
    pub blend: Blend,
    /// The learning rate; the step schedule counts in epochs here.
    pub rate: Rate,
    /// The optimiser's settings.
    pub adam: AdamSettings,
    /// From this fraction of the run on, the forward pass uses weights rounded to the engine's grid, so that the
    /// network adapts to quantisation. The weights that are updated keep full precision.
    pub snap_from: f64,
    /// From this fraction of the run on, a mean of the weights is kept, and it is exported if its held-out loss is
    /// better: the mean of many steps around an optimum is often nearer to it than the last step. 1 for never.
    pub average_from: f64,
    /// Stop after this many consecutive epochs without a better held-out loss; never if zero.
    pub patience: u64,
    /// The number of threads. Float sums depend on it, so it is part of the settings.
    pub threads: usize,
    /// The seed of the initial weights and of the order of positions.
    pub seed: u64,
    /// The share of games used for validation.
    pub validation: f64,
    /// Which positions are kept.
    pub filter: Filter,
}

impl Settings {
    /// All settings as `name=value`, separated by blanks: for people, and to compare runs.
    #[must_use]
    pub fn describe(&self) -> String {
        let Settings { loss, blend, rate, adam, filter, .. } = self;
        let pairs = [
            ("hidden", self.shape.hidden().to_string()),
            ("head", format!("{:?}", self.shape.head()).to_lowercase()),
            ("epochs", self.epochs.to_string()),
            ("batch", self.batch.to_string()),
            ("power", loss.power.to_string()),
            ("scale", loss.scale.to_string()),
            ("wdl", format!("{}..{}", blend.start, blend.end)),
            ("schedule", format!("{:?}", rate.fall).to_lowercase()),
            ("lr", format!("{}..{}", rate.start, rate.end)),
            ("warmup", rate.warmup.to_string()),
            ("step-epochs", rate.step_every.to_string()),
            ("step-factor", rate.step_factor.to_string()),
            ("beta", format!("{},{}", adam.beta1, adam.beta2)),
            ("decay", adam.decay.to_string()),
            ("snap-from", self.snap_from.to_string()),
            ("average-from", self.average_from.to_string()),
            ("patience", self.patience.to_string()),
            ("threads", self.threads.to_string()),
            ("seed", self.seed.to_string()),
            ("validation", self.validation.to_string()),
            ("min-ply", filter.min_ply.to_string()),
            ("max-score", filter.max_score.to_string()),
            ("max-fifty", filter.max_fifty.to_string()),
            ("checks", filter.keep_checks.to_string()),
            ("noisy", filter.keep_noisy.to_string()),
        ];
        pairs.map(|(name, value)| format!("{name}={value}")).join(" ")
    }
}

/// What differs between two sets of settings, for a message.
#[must_use]
pub(crate) fn difference(old: &str, new: &str) -> String {
    let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let (old, new) = (words(old), words(new));
    let changed = old.iter().zip(&new).filter(|(old, new)| old != new);
    let list: Vec<String> = changed.map(|(old, new)| format!("{old} became {new}")).collect();
    if list.is_empty() { "they have different settings".to_owned() } else { list.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_named() {
        assert_eq!(difference("a=1 b=2 c=3", "a=1 b=5 c=3"), "b=2 became b=5");
        assert_eq!(difference("a=1", "a=1 b=2"), "they have different settings");
    }
}
