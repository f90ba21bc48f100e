//! Tests of the trainer as a whole: correct gradients, known answers, the same bits every time.

use std::ops::Range;
use std::sync::Arc;

use nnue::arch::{FEATURES, OUTPUT_BUCKETS, RELATED};
use nnue::features::active;
use nnue::relations::{Pieces, Relations};

use super::adam::{Adam, AdamSettings};
use super::checkpoint::Checkpoint;
use super::export::{self, Rounding};
use super::filter::Filter;
use super::load::DataSet;
use super::loss::Loss;
use super::net::{Head, Net, Shape};
use super::pass::{Aim, Pass};
use super::sample::Sample;
use super::schedule::{Blend, Fall, Rate};
use super::settings::Settings;
use super::trainer::Trainer;
use toolkit::Rng;

const LOSS: Loss = Loss { power: 2.5, scale: 400.0 };

/// Positions of random games; the score is the material balance in centipawns.
fn material_samples(count: usize, seed: u64) -> Vec<Sample> {
    let mut rng = Rng::new(seed);
    let mut samples = Vec::with_capacity(count);
    while samples.len() < count {
        let mut board = chess::Board::start();
        for _ in 0..150 {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            board.play(moves[rng.below(moves.len())]);
            if rng.below(3) == 0 {
                samples.push(Sample::new(&board, material(&board), rng.below(3) as u8));
            }
        }
    }
    samples.truncate(count);
    samples
}

fn material(board: &chess::Board) -> i16 {
    let us = board.side_to_move();
    let values = chess::PieceKind::ALL.iter().zip([100, 300, 300, 500, 900, 0]);
    let count = |color, kind| board.pieces(color, kind).len() as i16;
    values.map(|(&kind, value)| value * (count(us, kind) - count(us.other(), kind))).sum()
}

fn settings() -> Settings {
    Settings {
        shape: Shape::tiny(Head::Linear),
        epochs: 3,
        batch: 256,
        loss: LOSS,
        blend: Blend { start: 0.0, end: 0.5 },
        rate: Rate { fall: Fall::Cosine, start: 2e-3, end: 1e-5, warmup: 5, step_every: 1, step_factor: 0.5 },
        adam: AdamSettings::default(),
        snap_from: 0.5,
        average_from: 0.5,
        patience: 0,
        threads: 2,
        seed: 11,
        validation: 0.0,
        filter: Filter::default(),
    }
}

fn data(training: usize, validation: usize) -> DataSet {
    DataSet {
        training: material_samples(training, 1),
        validation: material_samples(validation, 2),
        ..DataSet::default()
    }
}

/// The network computed directly from its definition, in double precision and without optimisation.
fn slow_output(shape: Shape, values: &[f64], sample: &Sample) -> f64 {
    let board = sample.board().expect("a legal board");
    let us = board.side_to_move();
    let hidden = shape.hidden();
    let bucket = sample.bucket();
    if shape.head() == Head::Dense {
        return slow_dense_output(shape, values, &board, bucket);
    }
    let mut output = values[shape.output_biases()][bucket];
    for (side, color) in [us, us.other()].into_iter().enumerate() {
        for neuron in 0..hidden {
            let rows = active(&board, color).map(|feature| values[feature * hidden + neuron]);
            let sum = values[shape.feature_biases()][neuron] + rows.sum::<f64>();
            let weight = values[shape.output_weights()][bucket * 2 * hidden + side * hidden + neuron];
            output += sum.clamp(0.0, 1.0).powi(2) * weight;
        }
    }
    output
}

fn slow_dense_output(shape: Shape, values: &[f64], board: &chess::Board, bucket: usize) -> f64 {
    let (us, hidden) = (board.side_to_move(), shape.hidden());
    let relations = Relations::of(&Pieces::of(board));
    let mut products = Vec::new();
    for color in [us, us.other()] {
        let mut sums = values[shape.feature_biases()].to_vec();
        for feature in active(board, color) {
            sums.iter_mut().zip(&values[feature * hidden..]).for_each(|(sum, weight)| *sum += weight);
        }
        for (owner, relation) in relations.iter() {
            let row = shape.relation_weights().start + (relation * 2 + usize::from(owner != color)) * RELATED;
            sums.iter_mut().zip(&values[row..row + RELATED]).for_each(|(sum, weight)| *sum += weight);
        }
        let half = hidden / 2;
        products.extend((0..half).map(|index| sums[index].clamp(0.0, 1.0) * sums[index + half].clamp(0.0, 1.0)));
    }
    let layer = |number: usize, inputs: &[f64]| -> Vec<f64> {
        let biases = &values[shape.dense_biases(number)];
        let outputs = biases.len() / OUTPUT_BUCKETS;
        let weights = &values[shape.dense_weights(number)][bucket * inputs.len() * outputs..];
        let sum = |output: usize| -> f64 {
            inputs.iter().enumerate().map(|(input, number)| number * weights[input * outputs + output]).sum()
        };
        (0..outputs).map(|output| biases[bucket * outputs + output] + sum(output)).collect()
    };
    let first = layer(0, &products);
    let squared = first.iter().map(|number| (number * number).min(1.0));
    let second = layer(1, &squared.chain(first.iter().map(|number| number.clamp(0.0, 1.0))).collect::<Vec<f64>>());
    let last = second.iter().map(|number| number.clamp(0.0, 1.0)).chain(first.iter().copied()).collect::<Vec<f64>>();
    layer(2, &last)[0]
}

fn slow_loss(shape: Shape, values: &[f64], samples: &[Sample], wdl: f64) -> f64 {
    let sigmoid = |value: f64| 1.0 / (1.0 + (-value).exp());
    let losses = samples.iter().map(|sample| {
        let score = sigmoid(f64::from(sample.score()) / 400.0);
        let target = wdl * f64::from(sample.result()) + (1.0 - wdl) * score;
        (sigmoid(slow_output(shape, values, sample)) - target).abs().powf(2.5)
    });
    losses.sum::<f64>() / samples.len() as f64
}

/// A network with inactive, active and saturated neurons.
fn lively_net(shape: Shape) -> Net {
    let mut net = Net::random(shape, 5);
    let range = shape.feature_weights();
    net.values[range].iter_mut().for_each(|weight| *weight *= 2.5);
    net
}

#[test]
fn the_gradient_is_that_of_finite_differences() {
    let shape = Shape::tiny(Head::Linear);
    let parts = vec![(shape.feature_weights(), 150), (shape.feature_biases(), 20), (shape.output_weights(), 60)];
    compare_gradient(shape, parts, shape.output_biases());
}

#[test]
fn the_gradient_of_dense_layers_is_that_of_finite_differences() {
    let shape = Shape::tiny(Head::Dense);
    let mut parts = vec![(shape.feature_weights(), 150), (shape.feature_biases(), 30), (shape.relation_weights(), 600)];
    for layer in 0..3 {
        parts.extend([(shape.dense_weights(layer), 100), (shape.dense_biases(layer), 20)]);
    }
    compare_gradient(shape, parts, 0..0);
}

/// Compares the gradient of a network of this shape with finite differences, at random places of these parts and at all
/// of the last ones.
fn compare_gradient(shape: Shape, parts: Vec<(Range<usize>, usize)>, all: Range<usize>) {
    // More than one group, and not a whole number of groups.
    let samples = material_samples(150, 3);
    let net = lively_net(shape);
    let mut worker = Pass::new(shape);
    let aim = Aim { loss: LOSS, wdl: 0.25, share: 1.0 / samples.len() as f32 };
    worker.learn(&net, samples.iter().copied(), &aim);
    let mut values: Vec<f64> = net.values.iter().map(|&value| f64::from(value)).collect();
    let slow = slow_loss(shape, &values, &samples, 0.25);
    assert!((worker.loss / samples.len() as f64 / slow - 1.0).abs() < 1e-4, "{} {slow}", worker.loss);

    let mut rng = Rng::new(8);
    let mut places: Vec<usize> = all.collect();
    for (range, count) in parts {
        places.extend((0..count).map(|_| range.start + rng.below(range.len())));
    }
    let largest = worker.gradient.iter().fold(0.0_f32, |largest, slope| largest.max(slope.abs()));
    let mut moving = 0;
    for place in places {
        let middle = values[place];
        // So small a step hardly ever crosses a bend.
        let [above, below] = [1e-6, -1e-6].map(|step| {
            values[place] = middle + step;
            slow_loss(shape, &values, &samples, 0.25)
        });
        values[place] = middle;
        let (found, expected) = (f64::from(worker.gradient[place]), (above - below) / 2e-6);
        moving += usize::from(expected.abs() > 1e-3 * f64::from(largest));
        let error = (found - expected).abs();
        assert!(error < 2e-3 * expected.abs() + 2e-5 * f64::from(largest), "{place}: {found} for {expected}");
    }
    assert!(moving > 50, "only {moving} numbers have a slope worth comparing");
}

#[test]
fn outputs_are_those_of_the_slow_network() {
    for shape in [Head::Linear, Head::Dense].map(Shape::tiny) {
        let net = lively_net(shape);
        let values: Vec<f64> = net.values.iter().map(|&value| f64::from(value)).collect();
        let mut count = 0;
        Pass::new(shape).evaluate(&net, material_samples(200, 4).into_iter(), |sample, output| {
            let slow = slow_output(shape, &values, sample);
            assert!((f64::from(output) - slow).abs() < 1e-4, "{output} {slow}");
            count += 1;
        });
        assert_eq!(count, 200);
    }
}

#[test]
fn material_is_learned() {
    for head in [Head::Linear, Head::Dense] {
        learn_material(Shape::tiny(head));
    }
}

fn learn_material(shape: Shape) {
    let data = data(40_000, 2000);
    let settings = Settings { shape, epochs: 20, blend: Blend { start: 0.0, end: 0.0 }, ..settings() };
    let mut trainer = Trainer::new(settings, &data).expect("a training");
    let before = trainer.validate();
    while trainer.steps_done() < trainer.steps() {
        trainer.step().expect("a step");
    }
    let after = trainer.validate();
    // The piece values are known, so almost no error may remain on held-out positions.
    assert!(after.loss < 1e-4 && after.loss < before.loss / 100.0, "{before:?} {after:?}");
    assert!(after.correlation > 0.995, "{after:?}");
    let mut worker = Pass::new(settings.shape);
    let fen = "r1bqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1";
    let knights_up = Sample::new(&fen.parse().expect(fen), 0, 1);
    worker.evaluate(trainer.net(), [knights_up].into_iter(), |_, output| {
        assert!((500.0..700.0).contains(&(output * 400.0)), "two knights are {} cp", output * 400.0);
    });
}

#[test]
fn a_resumed_training_is_the_same_to_the_bit() {
    let data = data(2000, 300);
    let fingerprint = data.fingerprint();
    let path = std::env::temp_dir().join(format!("stillwater-resume-{}.bin", std::process::id()));
    let mut straight = Trainer::new(settings(), &data).expect("a training");
    while straight.steps_done() < straight.steps() {
        straight.step().expect("a step");
        // In the middle of an epoch, at its end, shortly after, and once weights are averaged.
        if [3, 7, 8, 17].contains(&straight.steps_done()) {
            straight
                .checkpoint(fingerprint)
                .write(&path.with_extension(straight.steps_done().to_string()))
                .expect("a file");
        }
    }
    for step in [3, 7, 8, 17] {
        let file = path.with_extension(step.to_string());
        let mut resumed = Trainer::new(settings(), &data).expect("a training");
        resumed.resume(&Checkpoint::read(&file).expect("the file")).expect("the same training");
        assert_eq!(resumed.steps_done(), step);
        while resumed.steps_done() < resumed.steps() {
            resumed.step().expect("a step");
        }
        assert_eq!(resumed.checkpoint(fingerprint), straight.checkpoint(fingerprint), "resumed after step {step}");
        assert_eq!(resumed.validate(), straight.validate());
        std::fs::remove_file(&file).expect("the file is removed");
    }
}

#[test]
fn the_mean_of_the_last_weights_is_taken_if_it_is_better() {
    let data = data(4000, 500);
    let rate = Rate { fall: Fall::Constant, start: 3e-2, ..settings().rate };
    let blend = Blend { start: 0.0, end: 0.0 };
    let settings = Settings { rate, blend, snap_from: 1.0, average_from: 0.7, ..settings() };
    // At a constant high rate the weights end up oscillating around an optimum, and their mean is nearer to it; while
    // they are still on their way, the mean lags behind.
    for (epochs, is_better) in [(4, false), (80, true)] {
        let mut trainer = Trainer::new(Settings { epochs, ..settings }, &data).expect("a training");
        while trainer.steps_done() < trainer.steps() {
            trainer.step().expect("a step");
        }
        let (last, mean) = trainer.settle().expect("a mean");
        assert_eq!(mean < last, is_better, "after {epochs} epochs: {mean} {last}");
        assert_eq!(trainer.validate_rounded().loss, mean.min(last), "the better one stays");
    }
    let mut plain = Trainer::new(Settings { average_from: 1.0, ..settings }, &data).expect("a training");
    plain.step().expect("a step");
    assert_eq!(plain.settle(), None);
}

#[test]
fn tests_are_judged_alike_throughout() {
    let data = data(1000, 300);
    let rising = Settings { blend: Blend { start: 0.0, end: 0.5 }, ..settings() };
    let constant = Settings { blend: Blend { start: 0.5, end: 0.5 }, ..settings() };
    let [rising, constant] =
        [rising, constant].map(|settings| Trainer::new(settings, &data).expect("a training").validate());
    assert_eq!(rising, constant, "before the first step as by the last");
}

#[test]
fn checkpoints_of_other_trainings_are_refused() {
    let few = data(600, 0);
    let checkpoint = Trainer::new(settings(), &few).expect("a training").checkpoint(few.fingerprint());
    let more = data(601, 0);
    let error = Trainer::new(settings(), &more).expect("a training").resume(&checkpoint).expect_err("other data");
    assert!(error.to_string().contains("other data"), "{error}");
    let other = Settings { batch: 128, ..settings() };
    let error = Trainer::new(other, &few).expect("a training").resume(&checkpoint).expect_err("another recipe");
    assert!(error.to_string().contains("batch=256 became batch=128"), "{error}");
}

#[test]
fn threads_change_the_last_bits_only_and_seeds_change_all() {
    let data = data(2000, 0);
    let train = |settings: Settings| {
        let mut trainer = Trainer::new(settings, &data).expect("a training");
        (0..5).for_each(|_| trainer.step().expect("a step"));
        trainer.net().values.to_vec()
    };
    let distance = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    let (two, again) = (train(settings()), train(settings()));
    assert_eq!(two, again);
    // A gradient that is all rounding error can have either sign, so a weight may go the wrong way, but only by one
    // step.
    let three = train(Settings { threads: 3, ..settings() });
    assert!(distance(&two, &three) < 0.02, "{}", distance(&two, &three));
    let near = two.iter().zip(&three).filter(|(a, b)| (*a - *b).abs() < 1e-4).count();
    assert!(near as f64 > 0.99 * two.len() as f64, "{near}");
    assert!(distance(&two, &train(Settings { seed: 12, ..settings() })) > 0.05);
}

#[test]
fn a_step_goes_down_and_stays_in_bounds() {
    let shape = Shape::tiny(Head::Linear);
    let mut net = Net::random(shape, 1);
    net.values[0] = 1.9799;
    net.values[1] = 0.5;
    net.values[2] = 0.5;
    let bias = shape.output_biases().start;
    net.values[bias] = 3.0;
    let mut gradient = vec![0.0; shape.len()];
    (gradient[0], gradient[1], gradient[bias]) = (-0.3, 1e-4, -5.0);
    let halves: Vec<f32> = gradient.iter().map(|slope| slope / 2.0).collect();
    let mut adam = Adam::new(shape.len(), AdamSettings::default());
    adam.step(&mut net.values, &shape.groups(), &[&halves, &halves], 0.01, 1);
    // The first step has the length of the learning rate, whatever the gradient; a weight without gradient only decays.
    assert!((net.values[0] - 1.98).abs() < 1e-6, "clipped");
    assert!((net.values[1] - (0.5 * 0.9999 - 0.01)).abs() < 1e-5, "{}", net.values[1]);
    assert!((net.values[2] - 0.5 * 0.9999).abs() < 1e-6, "{}", net.values[2]);
    assert!((net.values[bias] - 3.01).abs() < 1e-5, "neither decay nor limit for an output bias");
}

#[test]
fn integers_say_what_floats_say() {
    let data = data(5000, 1000);
    // The network was trained with rounded weights; what remains is the engine's truncation to whole centipawns, and
    // for dense layers that of the products.
    let linear = compare_integers(Head::Linear, &data);
    assert!(linear.mean < 1.0 && linear.max < 3.0 && linear.max > 0.0, "{linear:?}");
    let dense = compare_integers(Head::Dense, &data);
    assert!(dense.mean < 3.0 && dense.max < 20.0 && dense.max > 0.0, "{dense:?}");
}

fn compare_integers(head: Head, data: &DataSet) -> Rounding {
    let settings = Settings { shape: Shape::new(128, head).expect("a size"), ..settings() };
    let mut trainer = Trainer::new(settings, data).expect("a training");
    while trainer.steps_done() < trainer.steps() {
        trainer.step().expect("a step");
    }
    assert!(trainer.is_snapped());
    let network = Arc::new(export::quantise(trainer.net(), "a test").expect("a network"));
    let rounding = export::rounding(trainer.net(), &network, &data.validation);
    assert_eq!(rounding.positions, 1000);
    assert_eq!(trainer.validate(), trainer.validate_rounded());
    let mut other = trainer.net().clone();
    let shape = settings.shape;
    other.values[if head == Head::Linear { shape.output_biases() } else { shape.dense_biases(2) }].fill(0.3);
    assert!(export::rounding(&other, &network, &data.validation).mean > 3.0, "another network must be noticed");
    rounding
}

#[test]
fn a_dense_network_goes_on_from_the_engines() {
    let [narrow, wide] = [128, 256].map(|hidden| Shape::new(hidden, Head::Dense).expect("a size"));
    let network = export::quantise(&lively_net(narrow), "a test").expect("a network");
    let [again, wider] = [narrow, wide].map(|shape| Net::grown(shape, &network, 1).expect("no narrower"));
    let [again, wider] = [again, wider].map(|net| export::quantise(&net, "a test").expect("a network"));
    assert_eq!(network, again);
    for sample in &data(100, 0).training {
        let board = sample.board().expect("a board");
        assert_eq!(network.evaluate(&board), wider.evaluate(&board), "the added neurons say nothing yet");
    }
    assert!(Net::grown(narrow, &wider, 1).is_none());
    assert!(Net::grown(Shape::new(128, Head::Linear).expect("a size"), &network, 1).is_none());
}

#[test]
fn all_numbers_belong_to_one_group() {
    for head in [Head::Linear, Head::Dense] {
        let shape = Shape::new(256, head).expect("a size");
        let groups = shape.groups();
        assert_eq!((groups[0].range.start, groups[groups.len() - 1].range.end), (0, shape.len()));
        assert!(groups.windows(2).all(|pair| pair[0].range.end == pair[1].range.start));
        assert_eq!(groups[0].range.len(), FEATURES * 256);
    }
    assert!(Shape::new(100, Head::Linear).is_err());
}
