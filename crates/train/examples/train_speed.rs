//! How many positions a second one thread of the trainer learns, on positions of random games.
//!
//! `cargo run --release -p stillwater-train --example train_speed -- [hidden] [seconds] [dense]`
#![forbid(unsafe_code)]

use std::time::Instant;

use chess::{Board, Position};
use stillwater_train::Loss;
use stillwater_train::Sample;
use stillwater_train::{Aim, Pass};
use stillwater_train::{Head, Net, Shape};
use toolkit::Rng;

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let hidden = arguments.next().map_or(Ok(256), |text| text.parse())?;
    let seconds: f64 = arguments.next().map_or(Ok(3.0), |text| text.parse())?;
    let head = if arguments.next().is_some_and(|word| word == "dense") { Head::Dense } else { Head::Linear };
    let samples = random_samples(16_384);
    let pieces: usize = samples.iter().map(|sample| sample.pieces().count()).sum();
    println!("{} positions with {:.1} pieces", samples.len(), pieces as f64 / samples.len() as f64);
    let shape = Shape::new(hidden, head)?;
    let net = Net::random(shape, 1);
    let mut worker = Pass::new(shape);
    let aim = Aim { loss: Loss { power: 2.5, scale: 400.0 }, wdl: 0.3, share: 1.0 / samples.len() as f32 };
    let measure = |name: &str, work: &mut dyn FnMut()| {
        let (start, mut positions) = (Instant::now(), 0);
        while start.elapsed().as_secs_f64() < seconds {
            work();
            positions += samples.len();
        }
        println!("{name}: {:.0} positions/s", positions as f64 / start.elapsed().as_secs_f64());
    };
    measure("forward", &mut || worker.evaluate(&net, samples.iter().copied(), |_, _| {}));
    measure("forward and backward", &mut || worker.learn(&net, samples.iter().copied(), &aim));
    Ok(())
}

/// Positions of random games, thinned out so that they have about as many pieces as those of real games.
fn random_samples(count: usize) -> Vec<Sample> {
    let mut rng = Rng::new(1);
    let mut samples = Vec::new();
    while samples.len() < count {
        let mut position = Position::new(Board::start());
        for ply in 0..200 {
            let moves = position.board().legal_moves();
            if moves.is_empty() || position.outcome().is_some() {
                break;
            }
            if ply > 16 && rng.below(4) == 0 {
                samples.push(Sample::new(position.board(), (rng.below(800) as i16) - 400, rng.below(3) as u8));
            }
            position.play(moves[rng.below(moves.len())]);
        }
    }
    samples.truncate(count);
    samples
}
