//! Networks and their files.

use chess::zobrist::splitmix;

use crate::arch::{
    self, CONFIDENCE_INPUTS, DENSE_1, DENSE_1_OUT, DENSE_2, DENSE_2_OUT, FEATURES, MOVES, OUTPUT_BUCKETS, QA, QB, QD,
    QUANTILES, QX, RELATED,
};
use crate::file::{Data, Layer, LayerFile};
use crate::relations::{Pieces, RELATIONS, Relations};
use crate::{Confidence, Dense, Network, NetworkError, Parts, Policy};

fn zero(hidden: usize) -> Parts {
    Parts {
        hidden,
        feature_weights: vec![0; FEATURES * hidden],
        feature_biases: vec![0; hidden],
        output_weights: vec![0; OUTPUT_BUCKETS * 2 * hidden],
        output_biases: vec![0; OUTPUT_BUCKETS],
    }
}

fn refused(bytes: &[u8]) -> NetworkError {
    Network::from_bytes(bytes).expect_err("a bad file")
}

#[test]
fn a_network_comes_back_from_its_bytes_and_from_its_file() {
    for hidden in arch::HIDDEN_SIZES {
        let network = Network::random(hidden, 7).expect("a network");
        assert_eq!(network.hidden(), hidden);
        assert_eq!(Network::from_bytes(&network.to_bytes()).expect("the same"), network);
        let dense = Network::random_dense(hidden, 7).expect("a network");
        assert_eq!(Network::from_bytes(&dense.to_bytes()).expect("the same"), dense);
        let lists = dense.dense().expect("dense layers");
        let (weights, biases) = (dense.feature_weights(), dense.feature_biases());
        let again = Network::with_dense(dense.description(), weights, biases, lists).expect("the same lists");
        assert_eq!(again, dense);
        assert!(dense.parts().is_none() && network.dense().is_none());
    }
    let folder = std::env::temp_dir().join(format!("stillwater-nnue-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("a net with spaces.nnue");
    let network = Network::random(128, 8).expect("a network");
    std::fs::write(&path, network.to_bytes()).expect("written");
    assert_eq!(Network::read(&path).expect("read"), network);
    let endless = std::fs::File::create(&path).and_then(|file| file.set_len(1 << 40));
    if endless.is_ok() {
        assert!(matches!(Network::read(&path), Err(NetworkError::Oversized)), "a terabyte of nothing");
    }
    assert!(matches!(Network::read(&folder), Err(NetworkError::NotAFile)));
    if cfg!(target_os = "linux") {
        assert!(matches!(Network::read(std::path::Path::new("/dev/zero")), Err(NetworkError::NotAFile)));
    }
    std::fs::remove_dir_all(&folder).expect("cleaned up");
    assert!(matches!(Network::read(&path), Err(NetworkError::Io(_))));
}

#[test]
fn every_fault_has_its_own_name() {
    let good = Network::random(128, 1).expect("a network").to_bytes();
    assert!(matches!(refused(b"something else"), NetworkError::Magic));
    assert!(matches!(refused(b""), NetworkError::Truncated));
    let changed = |place: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[place] = byte;
        refused(&bytes)
    };
    assert!(matches!(changed(0, b'X'), NetworkError::Magic));
    assert!(matches!(changed(4, 9), NetworkError::Version(9)));
    assert!(matches!(changed(12, 0xff), NetworkError::Text));
    assert!(matches!(changed(11, 0xff), NetworkError::Truncated));
    assert!(matches!(changed(good.len() / 2, good[good.len() / 2] ^ 1), NetworkError::Checksum));
    assert!(matches!(changed(good.len() - 1, good[good.len() - 1] ^ 1), NetworkError::Checksum));
    let longer = [good.as_slice(), b"abc"].concat();
    assert!(matches!(refused(&longer), NetworkError::TooLong(3)));
}

#[test]
fn no_part_of_a_file_is_taken_for_the_whole() {
    let good = Network::random(128, 2).expect("a network").to_bytes();
    let ends = (0..200).chain((200..good.len()).step_by(1009)).chain(good.len() - 20..good.len());
    for end in ends {
        assert!(matches!(refused(&good[..end]), NetworkError::Truncated), "cut at {end}");
    }
}

#[test]
fn no_changed_byte_goes_unnoticed() {
    let good = Network::random(128, 5).expect("a network").to_bytes();
    for round in 0..500 {
        let random = splitmix(round);
        // The first bytes decide how the rest is read, so they are tested more often.
        let place = if round % 2 == 0 { random as usize % 120 } else { random as usize % good.len() };
        let mut bytes = good.clone();
        bytes[place] ^= 1 << (random >> 61);
        refused(&bytes);
        bytes[place] = 0xff;
        bytes.truncate(bytes.len() - (random >> 40) as usize % 3);
        if bytes != good {
            refused(&bytes);
        }
    }
}

#[test]
fn layers_must_be_those_of_the_architecture() {
    let file = Network::random(128, 3).expect("a network").to_file();
    let replaced = |name: &str, layer: Option<Layer>| {
        let kept = file.layers.iter().filter(|other| other.name() != name).cloned();
        let layers = kept.chain(layer).collect();
        refused(&LayerFile { description: String::new(), layers }.to_bytes())
    };
    let layer = |name: &str, shape: &[usize], data| Some(Layer::new(name, shape, data).expect("a layer"));
    assert!(matches!(replaced("output.bias", None), NetworkError::Missing("output.bias")));
    let short = layer("output.bias", &[7], Data::I32(vec![0; 7]));
    assert!(matches!(replaced("output.bias", short), NetworkError::WrongShape("output.bias", ..)));
    let float = layer("output.bias", &[8], Data::F32(vec![0.0; 8]));
    assert!(matches!(replaced("output.bias", float), NetworkError::WrongType("output.bias")));
    let odd = layer("feature.bias", &[100], Data::I16(vec![0; 100]));
    assert!(matches!(replaced("feature.bias", odd), NetworkError::Hidden(100)));
    let large = layer("feature.bias", &[128], Data::I16(vec![-2048; 128]));
    assert!(matches!(replaced("feature.bias", large), NetworkError::TooLarge("feature.bias", -2048)));
    let twice = layer("output.weight", &[1], Data::I16(vec![0]));
    assert!(matches!(replaced("feature.bias", twice), NetworkError::Repeated(name) if name == "output.weight"));
    assert!(matches!(Layer::new("a", &[2, 3], Data::I16(vec![0; 5])), Err(NetworkError::LayerShape(_))));
    assert!(matches!(Layer::new("a", &[usize::MAX, 3], Data::I16(vec![])), Err(NetworkError::LayerShape(_))));
    assert!(Network::new("", Parts { feature_weights: vec![0; 5], ..zero(128) }).is_err());
    assert!(matches!(Network::new("", zero(100)), Err(NetworkError::Hidden(100))));
}

#[test]
fn dense_layers_must_be_those_of_the_architecture() {
    let file = Network::random_dense(128, 3).expect("a network").to_file();
    let replaced = |name: &str, layer: Option<Layer>| {
        let kept = file.layers.iter().filter(|other| other.name() != name).cloned();
        let layers = kept.chain(layer).collect();
        refused(&LayerFile { description: String::new(), layers }.to_bytes())
    };
    let layer = |name: &str, shape: &[usize], data| Some(Layer::new(name, shape, data).expect("a layer"));
    assert!(matches!(replaced("relation.weight", None), NetworkError::Missing("relation.weight")));
    assert!(matches!(replaced("dense2.bias", None), NetworkError::Missing("dense2.bias")));
    let short = layer("dense3.bias", &[7], Data::F32(vec![0.0; 7]));
    assert!(matches!(replaced("dense3.bias", short), NetworkError::WrongShape("dense3.bias", ..)));
    let whole = layer("dense3.bias", &[8], Data::I32(vec![0; 8]));
    assert!(matches!(replaced("dense3.bias", whole), NetworkError::WrongType("dense3.bias")));
    for bad in [f32::NAN, f32::INFINITY, -1001.0] {
        let bad = layer("dense3.bias", &[8], Data::F32(vec![bad; 8]));
        assert!(matches!(replaced("dense3.bias", bad), NetworkError::TooLarge("dense3.bias", _)));
    }
    let size = OUTPUT_BUCKETS * 128 * DENSE_1;
    let large = layer("dense1.weight", &[OUTPUT_BUCKETS, 128, DENSE_1], Data::I16(vec![128; size]));
    assert!(matches!(replaced("dense1.weight", large), NetworkError::TooLarge("dense1.weight", 128)));
    let large = layer("dense1.bias", &[OUTPUT_BUCKETS, DENSE_1], Data::I32(vec![i32::MIN; OUTPUT_BUCKETS * DENSE_1]));
    assert!(matches!(replaced("dense1.bias", large), NetworkError::TooLarge("dense1.bias", i32::MIN)));
}

#[test]
fn the_value_of_dense_layers_is_that_of_the_formula() {
    // Each own pawn half activates neuron 40 by a sixteenth, its partner is always on, and the relations of the own king
    // activate neuron 5, whose partner is on, too. One product counts one, the other minus a half.
    let (hidden, half) = (128, 64);
    let mut weights = vec![0; FEATURES * hidden];
    for square in 0..64 {
        weights[square * hidden + 40] = (QA / 16) as i16;
    }
    let mut biases = vec![0; hidden];
    (biases[40 + half], biases[5 + half]) = (QA as i16, QA as i16);
    let mut dense = Dense {
        relations: vec![0; RELATIONS * 2 * RELATED],
        weights_1: vec![0; OUTPUT_BUCKETS * hidden * DENSE_1],
        biases_1: vec![0; OUTPUT_BUCKETS * DENSE_1],
        weights_2: vec![0.0; OUTPUT_BUCKETS * DENSE_1_OUT * DENSE_2],
        biases_2: vec![0.0; OUTPUT_BUCKETS * DENSE_2],
        weights_3: vec![0.0; OUTPUT_BUCKETS * DENSE_2_OUT],
        biases_3: vec![0.0; OUTPUT_BUCKETS],
    };
    let board = chess::Board::start();
    let kings = Relations::of(&Pieces::of(&board));
    let (_, shelter) = kings.iter().filter(|&(owner, _)| owner == chess::Color::White).last().expect("a king");
    dense.relations[shelter * 2 * RELATED + 5] = 100;
    let bucket = 7;
    dense.weights_1[(bucket * hidden + 40) * DENSE_1 + 3] = QD as i16;
    dense.weights_1[(bucket * hidden + 5) * DENSE_1 + 3] = -(QD as i16) / 2;
    dense.biases_1[bucket * DENSE_1 + 3] = QX * QD / 4;
    // The third output goes on squared with weight one, clipped with a half, and straight to the value with two.
    dense.weights_2[(bucket * DENSE_1_OUT + 3) * DENSE_2] = 1.0;
    dense.weights_2[(bucket * DENSE_1_OUT + DENSE_1 + 3) * DENSE_2] = 0.5;
    dense.biases_2[bucket * DENSE_2] = -0.1;
    dense.weights_3[bucket * DENSE_2_OUT] = 1.5;
    dense.weights_3[bucket * DENSE_2_OUT + DENSE_2 + 3] = 2.0;
    dense.biases_3[bucket] = 0.25;
    let network = Network::with_dense("", weights, biases, dense).expect("a network");
    let pawns = f64::from(8 * (QA / 16)) / f64::from(QA);
    let king = kings.iter().filter(|&found| found == (chess::Color::White, shelter)).count() as f64;
    let first = pawns - 0.5 * (100.0 * king / f64::from(QA)) + 0.25;
    let second = (first * first + 0.5 * first - 0.1).clamp(0.0, 1.0);
    let expected = (1.5 * second + 2.0 * first + 0.25) * 400.0;
    assert!(first > 0.1 && first < 1.0 && second > 0.0, "{first} {second}");
    let value = network.evaluate(&board);
    assert!((f64::from(value) - expected).abs() < 8.0, "{value} instead of {expected}");
}

#[test]
fn a_policy_and_a_confidence_ride_in_the_file() {
    let plain = Network::random(128, 12).expect("a network");
    let policy = Policy::new(vec![3; FEATURES * MOVES], vec![-7; MOVES]).expect("a policy");
    let outputs = OUTPUT_BUCKETS * QUANTILES.len();
    let confidence =
        Confidence::new(vec![2; outputs * 2 * CONFIDENCE_INPUTS], vec![9; outputs], [-1, 1]).expect("a confidence");
    let forecast = Policy::new(vec![1; FEATURES * MOVES], vec![2; MOVES]).expect("a policy");
    let both = plain.clone().with_policy(Some(policy)).with_confidence(Some(confidence));
    let both = both.with_forecast(Some(forecast.clone()));
    assert_eq!(both.forecast(), Some(&forecast));
    assert_eq!(Network::from_bytes(&both.to_bytes()).expect("the same"), both);
    let start = chess::Board::start();
    assert_eq!(both.evaluate(&start), plain.evaluate(&start));
    let mv = start.parse_uci("g1f3").expect("legal");
    assert_eq!(both.policy().expect("a policy").logit(&start, mv), 32 * 3 - 7);
    let moves = start.legal_moves();
    let chances = both.policy().expect("a policy").probabilities(&start, &moves);
    assert!(chances.iter().all(|chance| (chance - 0.05).abs() < 1e-9), "all equal");
    assert!(plain.policy().is_none() && plain.quantiles(&start).is_none());
    assert_eq!(both.with_policy(None).with_forecast(None).with_confidence(None), plain);

    assert!(Policy::new(vec![0; 5], vec![0; MOVES]).is_err());
    let large = Policy::new(vec![961; FEATURES * MOVES], vec![0; MOVES]);
    assert!(matches!(large, Err(NetworkError::TooLarge("policy.weight", 961))));
    let large = Confidence::new(vec![0; outputs * 2 * CONFIDENCE_INPUTS], vec![i32::MIN; outputs], [-1, 1]);
    assert!(matches!(large, Err(NetworkError::TooLarge("confidence.bias", i32::MIN))));
    let crossed = Confidence::new(vec![0; outputs * 2 * CONFIDENCE_INPUTS], vec![0; outputs], [5, -5]);
    assert!(matches!(crossed, Err(NetworkError::TooLarge("confidence.mean", 5))));
    let mut file = plain.to_file();
    file.layers.push(Layer::new("policy.weight", &[1], Data::I16(vec![0])).expect("a layer"));
    assert!(matches!(refused(&file.to_bytes()), NetworkError::WrongShape("policy.weight", ..)));
}

#[test]
fn the_quantiles_are_those_of_the_formula() {
    // Each own pawn half activates the last neuron that counts, which moves the upper quantile by a quarter.
    let hidden = 256;
    let mut parts = zero(hidden);
    for square in 0..64 {
        parts.feature_weights[square * hidden + CONFIDENCE_INPUTS - 1] = (QA / 16) as i16;
        parts.feature_weights[square * hidden + CONFIDENCE_INPUTS] = 200;
    }
    let outputs = OUTPUT_BUCKETS * QUANTILES.len();
    let mut weights = vec![0; outputs * 2 * CONFIDENCE_INPUTS];
    weights[(7 * 2 + 1) * 2 * CONFIDENCE_INPUTS + CONFIDENCE_INPUTS - 1] = QB as i16;
    let mut biases = vec![0; outputs];
    biases[7 * 2] = -QA * QB / 8;
    let confidence = Confidence::new(weights, biases, [-100, 100]).expect("a confidence");
    let network = Network::new("", parts).expect("a network").with_confidence(Some(confidence));
    let active = f64::from(8 * (QA / 16)) / f64::from(QA);
    let [low, high] = network.quantiles(&chess::Board::start()).expect("a confidence").map(f64::from);
    assert!((low + 1024.0 / 8.0).abs() <= 1.0 && (high - active * active * 1024.0).abs() <= 1.0, "{low} {high}");
}

#[test]
fn unknown_layers_are_kept() {
    let mut file = Network::random(128, 4).expect("a network").to_file();
    file.layers.push(Layer::new("future.weight", &[2], Data::F32(vec![0.5, -1.5])).expect("a layer"));
    let network = Network::from_bytes(&file.to_bytes()).expect("a network");
    assert_eq!(network.to_file(), file);
}

#[test]
fn a_scale_multiplies_every_value_and_survives_the_file() {
    let board = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4".parse().expect("a board");
    let network = Network::random(128, 6).expect("a network");
    let value = network.evaluate(&board);
    assert!(value.abs() > 100, "{value} says too little for this test");
    let half = network.clone().scaled(0.5);
    assert_eq!((half.evaluate(&board), half.scale()), (value / 2, arch::SCALE_ONE / 2));
    assert_eq!(Network::from_bytes(&half.to_bytes()).expect("the same"), half);
    assert_eq!(half.scaled(2.0), network, "a scale of one needs no layer");
    assert_eq!(network.clone().scaled(1e9).scale(), arch::MAX_SCALE);
    let mut file = network.to_file();
    file.layers.push(Layer::new("output.scale", &[1], Data::I32(vec![0])).expect("a layer"));
    assert!(matches!(refused(&file.to_bytes()), NetworkError::TooLarge("output.scale", 0)));
}

#[test]
fn the_value_is_that_of_the_formula() {
    // Each own pawn half activates one neuron. It counts one and a half in the fullest bucket, and the bias a quarter.
    let hidden = 128;
    let mut parts = zero(hidden);
    for square in 0..64 {
        parts.feature_weights[square * hidden + 5] = (QA / 16) as i16;
    }
    parts.output_weights[7 * 2 * hidden + 5] = (QB * 3 / 2) as i16;
    parts.output_biases[7] = QA * QB / 4;
    let network = Network::new("", parts).expect("a network");
    let active = f64::from(8 * (QA / 16)) / f64::from(QA);
    let expected = (active * active * 1.5 + 0.25) * 400.0;
    let value = network.evaluate(&chess::Board::start());
    assert!((f64::from(value) - expected).abs() <= 1.0, "{value} instead of {expected}");
    let few = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".parse().expect("a board");
    assert_eq!(network.evaluate(&few), 0);
}
