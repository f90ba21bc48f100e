//! Trains the confidence: how far may the value be off? It predicts two quantiles of the difference between the result
//! that a search expects and the one that the value expects, from the first neurons of each side. A quantile is what
//! minimises the pinball loss: to be too low by one costs the quantile, to be too high costs the rest.

use std::sync::atomic::AtomicBool;

use anyhow::Result;
use nnue::arch::{CONFIDENCE_INPUTS, FEATURES, OUTPUT_BUCKETS, QA, QB, QUANTILE_ONE, QUANTILES, SCALE, WEIGHT_CLIP};
use nnue::{Confidence, Network};

use super::fit::{FitSettings, fit};
use crate::load::DataSet;
use crate::loss::sigmoid;
use crate::net::Group;
use crate::sample::{MAX_PIECES, Sample};

/// The result of a training, on positions held out.
#[derive(Clone, Debug)]
pub struct ConfidenceReport {
    /// The positions learned from and tested with.
    pub positions: [usize; 2],
    /// The mean pinball loss of constant quantiles, one pair for each output bucket, and of the trained ones.
    pub losses: [f64; 2],
    /// How often the search found less than each quantile: 20 and 80 % if they are right.
    pub below: [f64; QUANTILES.len()],
    /// The mean width of the narrowest and of the widest tenth of the bands, as expected results.
    pub widths: [f64; 2],
    /// How often the search found a result outside the band, in these two tenths.
    pub outside: [f64; 2],
}

/// The inputs of one output: both sides.
const INPUTS: usize = 2 * CONFIDENCE_INPUTS;
const OUTPUTS: usize = OUTPUT_BUCKETS * QUANTILES.len();
/// The place of the biases in the list of numbers: after the weights.
const BIASES: usize = OUTPUTS * INPUTS;

/// Trains a confidence for a network, and reports after each epoch: its number, its loss, and the held-out loss.
pub fn train_confidence(
    network: &Network,
    data: &DataSet,
    settings: &FitSettings,
    called_off: &AtomicBool,
    mut progress: impl FnMut(u64, f64, f64),
) -> Result<(Confidence, ConfidenceReport)> {
    let inputs = Inputs::new(network);
    let [training, test] = [&data.training, &data.validation].map(|samples| errors(network, samples, settings.threads));
    let mut values = vec![0.0; BIASES + OUTPUTS];
    fill_constants(&mut values, &data.training, &training);
    let mean_loss = |values: &[f32]| {
        let losses = data.validation.iter().zip(&test).map(|(sample, &error)| {
            let (quantiles, _) = inputs.quantiles(sample, values);
            f64::from(pinball(quantiles, error).0)
        });
        losses.sum::<f64>() / test.len().max(1) as f64
    };
    let constant = mean_loss(&values);
    let learn = |values: &[f32], index: usize, slopes: &mut [f32]| {
        let sample = &data.training[index];
        let (quantiles, active) = inputs.quantiles(sample, values);
        let (loss, slopes_of_quantiles) = pinball(quantiles, training[index]);
        for (quantile, slope) in slopes_of_quantiles.into_iter().enumerate() {
            let output = sample.bucket() * QUANTILES.len() + quantile;
            let row = &mut slopes[output * INPUTS..][..INPUTS];
            row.iter_mut().zip(&active).for_each(|(sum, active)| *sum += slope * active);
            slopes[BIASES + output] += slope;
        }
        loss
    };
    fit(&mut values, &groups(), data.training.len(), settings, called_off, learn, |epoch, loss, values| {
        progress(epoch, loss, mean_loss(values));
    })?;
    let report = inputs.report([&training, &test], &data.validation, &values, [constant, mean_loss(&values)]);
    Ok((quantise(&values, inputs.mean(&data.training, &values))?, report))
}

/// For each position, the result expected by the search less that expected by the value.
fn errors(network: &Network, samples: &[Sample], threads: usize) -> Vec<f32> {
    let expected = |units: i32| sigmoid(units as f32 / SCALE as f32);
    // A board that cannot be set up has no value; training keeps none of those.
    let value = |sample: &Sample| sample.board().map_or(0, |board| network.evaluate(&board));
    let error = |sample: &Sample| expected(sample.score().into()) - expected(value(sample));
    let share = samples.len().div_ceil(threads.max(1)).max(1);
    std::thread::scope(|scope| {
        let handles: Vec<_> = samples
            .chunks(share)
            .map(|samples| scope.spawn(move || samples.iter().map(error).collect::<Vec<f32>>()))
            .collect();
        let join = |handle: std::thread::ScopedJoinHandle<'_, Vec<f32>>| match handle.join() {
            Ok(list) => list,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        handles.into_iter().flat_map(join).collect()
    })
}

/// Starts from the quantiles of all errors in each bucket.
fn fill_constants(values: &mut [f32], samples: &[Sample], errors: &[f32]) {
    for bucket in 0..OUTPUT_BUCKETS {
        let inside = samples.iter().zip(errors).filter(|(sample, _)| sample.bucket() == bucket);
        let mut list: Vec<f32> = inside.map(|(_, &error)| error).collect();
        list.sort_by(f32::total_cmp);
        for (index, quantile) in QUANTILES.into_iter().enumerate() {
            let place = (list.len() as f32 * quantile) as usize;
            values[BIASES + bucket * QUANTILES.len() + index] = list.get(place).copied().unwrap_or(quantile - 0.5);
        }
    }
}

/// The loss of the quantiles for an error, and its slope for each.
fn pinball(quantiles: [f32; QUANTILES.len()], error: f32) -> (f32, [f32; QUANTILES.len()]) {
    let mut loss = 0.0;
    let slopes = std::array::from_fn(|index| {
        let (quantile, rest) = (QUANTILES[index], error - quantiles[index]);
        loss += if rest > 0.0 { quantile * rest } else { (quantile - 1.0) * rest };
        if rest > 0.0 { -quantile } else { 1.0 - quantile }
    });
    (loss, slopes)
}

fn groups() -> [Group; 2] {
    let group = |range, decays, limit, grid: i32| Group { range, decays, limit, grid: grid as f32 };
    [group(0..BIASES, true, WEIGHT_CLIP, QB), group(BIASES..BIASES + OUTPUTS, false, 1.0, QA * QB)]
}

/// The part of the network's first layer that the confidence reads.
struct Inputs {
    weights: Vec<[i16; CONFIDENCE_INPUTS]>, // [feature][neuron]
    biases: [i16; CONFIDENCE_INPUTS],
}

impl Inputs {
    fn new(network: &Network) -> Inputs {
        let first = |row: &[i16]| std::array::from_fn(|neuron| row[neuron]);
        let weights = network.feature_weights().chunks(network.hidden()).map(first).collect();
        Inputs { weights, biases: first(&network.feature_biases()) }
    }

    /// The squared activations of both sides, as floats.
    fn active(&self, sample: &Sample) -> [f32; INPUTS] {
        let mut features = [Vec::with_capacity(MAX_PIECES), Vec::with_capacity(MAX_PIECES)];
        let [own, other] = &mut features;
        sample.features(own, other);
        let mut active = [0.0; INPUTS];
        for (features, active) in features.iter().zip(active.chunks_mut(CONFIDENCE_INPUTS)) {
            let mut sums = self.biases;
            for &feature in features {
                debug_assert!(usize::from(feature) < FEATURES);
                let row = &self.weights[usize::from(feature)];
                sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
            }
            for (active, sum) in active.iter_mut().zip(sums) {
                let number = f32::from(sum.clamp(0, QA as i16)) / QA as f32;
                *active = number * number;
            }
        }
        active
    }

    fn quantiles(&self, sample: &Sample, values: &[f32]) -> ([f32; QUANTILES.len()], [f32; INPUTS]) {
        let active = self.active(sample);
        let quantiles = std::array::from_fn(|quantile| {
            let output = sample.bucket() * QUANTILES.len() + quantile;
            let weights = &values[output * INPUTS..][..INPUTS];
            let sum: f32 = weights.iter().zip(&active).map(|(weight, active)| weight * active).sum();
            sum + values[BIASES + output]
        });
        (quantiles, active)
    }

    /// The mean quantiles, in the integers of the network.
    fn mean(&self, samples: &[Sample], values: &[f32]) -> [i32; QUANTILES.len()] {
        const USED: usize = 100_000;
        let used = &samples[..samples.len().min(USED)];
        let mut sums = [0.0_f64; QUANTILES.len()];
        for sample in used {
            let (quantiles, _) = self.quantiles(sample, values);
            sums.iter_mut().zip(quantiles).for_each(|(sum, quantile)| *sum += f64::from(quantile));
        }
        let [low, high] = sums.map(|sum| (sum / used.len().max(1) as f64 * f64::from(QUANTILE_ONE)).round() as i32);
        [low.clamp(-QUANTILE_ONE, -1), high.clamp(1, QUANTILE_ONE)]
    }

    fn report(
        &self,
        [training, test]: [&[f32]; 2],
        samples: &[Sample],
        values: &[f32],
        losses: [f64; 2],
    ) -> ConfidenceReport {
        let band = |(sample, &error): (&Sample, &f32)| Band { ends: self.quantiles(sample, values).0, error };
        let mut bands: Vec<Band> = samples.iter().zip(test).map(band).collect();
        bands.sort_by(|a, b| a.width().total_cmp(&b.width()));
        let mean =
            |list: &[Band], of: &dyn Fn(&Band) -> f64| list.iter().map(of).sum::<f64>() / list.len().max(1) as f64;
        let tenth = bands.len() / 10;
        let tenths = [&bands[..tenth], &bands[bands.len() - tenth..]];
        ConfidenceReport {
            positions: [training.len(), test.len()],
            losses,
            below: [0, 1].map(|end| mean(&bands, &|band| f64::from(u8::from(band.error < band.ends[end])))),
            widths: tenths.map(|list| mean(list, &|band| band.width().into())),
            outside: tenths.map(|list| mean(list, &|band| f64::from(u8::from(!band.has_error())))),
        }
    }
}

/// What was predicted for a position, and what was found.
struct Band {
    ends: [f32; QUANTILES.len()],
    error: f32,
}

impl Band {
    fn width(&self) -> f32 {
        self.ends[1] - self.ends[0]
    }

    fn has_error(&self) -> bool {
        (self.ends[0]..=self.ends[1]).contains(&self.error)
    }
}

/// The confidence in the engine's integers.
fn quantise(values: &[f32], mean: [i32; QUANTILES.len()]) -> Result<Confidence> {
    let weights = values[..BIASES].iter().map(|value| (value * QB as f32).round_ties_even() as i16).collect();
    let biases = values[BIASES..].iter().map(|value| (value * (QA * QB) as f32).round_ties_even() as i32).collect();
    Ok(Confidence::new(weights, biases, mean)?)
}

#[cfg(test)]
mod tests {
    use chess::Board;
    use toolkit::Rng;

    use super::*;
    use crate::schedule::{Fall, Rate};

    /// Positions of random games in which the search's score is near the network's value with queens on the board, and
    /// far above or below it without.
    fn samples(network: &Network, count: usize, seed: u64) -> Vec<Sample> {
        let mut rng = Rng::new(seed);
        let (mut samples, mut board) = (Vec::new(), Board::start());
        while samples.len() < count {
            let legal = board.legal_moves();
            if legal.is_empty() || rng.below(60) == 0 {
                board = Board::start();
                continue;
            }
            board.play(legal[rng.below(legal.len())]);
            let queens = board.kind(chess::PieceKind::Queen).len();
            let spread = if queens == 2 { 20 } else { 200 };
            let error = rng.below(2 * spread + 1) as i32 - spread as i32;
            let score = (network.evaluate(&board) + error).clamp(-3000, 3000);
            samples.push(Sample::new(&board, score as i16, 1));
        }
        samples
    }

    /// A network whose values are all zero, with one neuron that sees queens.
    fn seer_of_queens() -> Network {
        let hidden = 128;
        let mut parts = nnue::Parts {
            hidden,
            feature_weights: vec![0; FEATURES * hidden],
            feature_biases: vec![0; hidden],
            output_weights: vec![0; OUTPUT_BUCKETS * 2 * hidden],
            output_biases: vec![0; OUTPUT_BUCKETS],
        };
        for feature in (0..FEATURES).filter(|feature| feature / 64 % 6 == chess::PieceKind::Queen.index()) {
            parts.feature_weights[feature * hidden + 100] = (QA / 2) as i16;
        }
        Network::new("queens", parts).expect("a network")
    }

    #[test]
    fn the_confidence_learns_where_the_value_is_sure() {
        let network = seer_of_queens();
        let data = DataSet {
            training: samples(&network, 20_000, 1),
            validation: samples(&network, 4000, 2),
            ..DataSet::default()
        };
        let rate = Rate { fall: Fall::Cosine, start: 0.005, end: 0.0005, warmup: 0, step_every: 1, step_factor: 1.0 };
        let settings = FitSettings { epochs: 6, batch: 512, rate, decay: 0.0, threads: 2, seed: 1 };
        let (confidence, report) =
            train_confidence(&network, &data, &settings, &AtomicBool::new(false), |_, _, _| {}).expect("a confidence");
        assert!(report.losses[1] < 0.95 * report.losses[0], "{report:?}");
        assert!((report.below[0] - 0.2).abs() < 0.05 && (report.below[1] - 0.8).abs() < 0.05, "{report:?}");
        assert!(report.widths[1] > 2.0 * report.widths[0], "{report:?}");
        // The integers say the same.
        let guided = network.clone().with_confidence(Some(confidence));
        let width = |fen: &str| {
            let [low, high] = guided.quantiles(&fen.parse().expect(fen)).expect("a confidence");
            high - low
        };
        let queens = width("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
        let none = width("rnb1kbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNB1KBNR w KQkq - 0 2");
        assert!(none > 2 * queens, "{none} {queens}");
        assert_eq!(guided.evaluate(&Board::start()), network.evaluate(&Board::start()), "the value is as it was");
    }

    #[test]
    fn the_pinball_loss_leans_to_its_quantile() {
        let (loss, slopes) = pinball([0.0, 0.0], 0.1);
        assert!((loss - 0.1).abs() < 1e-6 && slopes == [-0.2, -0.8]);
        let (loss, slopes) = pinball([0.0, 0.0], -0.1);
        assert!((loss - 0.1).abs() < 1e-6 && (slopes[0] - 0.8).abs() < 1e-6 && (slopes[1] - 0.2).abs() < 1e-6);
    }
}
