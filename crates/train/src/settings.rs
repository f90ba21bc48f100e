//! Everything that decides what a training makes of its data.

use super::adam::AdamSettings;
use super::filter::Filter;
use super::loss::Loss;
use super::net::Shape;
use super::schedule::{Blend, Rate};

/// The recipe of a network.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// The network's size.
    pub shape: Shape,
    /// How often each position is seen.
    pub epochs: u64,
    /// Positions of a step.
    pub batch: usize,
    /// How wrong an output is.
    pub loss: Loss,
    /// How much results count.
    pub blend: Blend,
    /// How fast it learns; its falls are counted in epochs here.
    pub rate: Rate,
    /// The optimiser.
    pub adam: AdamSettings,
    /// From this share of the training on the network computes with numbers as the engine will round them, and so learns to
    /// live with it. The numbers that learn stay as fine as before.
    pub snap_from: f64,
    /// From this share of the training on the mean of the weights is kept, which is what is exported in the end if it does better on
    /// positions of other games: the mean of many steps around a good place is often nearer to it than the last one. 1 for never.
    pub average_from: f64,
    /// Stop if so many epochs in a row were no better than the best on positions of other games; never if zero.
    pub patience: u64,
    /// How many threads compute. The sums of floats depend on it, so it is part of the recipe.
    pub threads: usize,
    /// What the first weights and the order of the positions depend on.
    pub seed: u64,
    /// The share of the games that test.
    pub validation: f64,
    /// Which positions are used.
    pub filter: Filter,
}

impl Settings {
    /// All settings as `name=value`, a blank between them: for people, and to tell recipes apart.
    #[must_use]
    pub fn describe(&self) -> String {
        let Settings { loss, blend, rate, adam, filter, .. } = self;
        let pairs = [
            ("hidden", self.shape.hidden().to_string()),
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

/// What differs between two recipes, for a message.
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
