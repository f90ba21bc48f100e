//! Writes a network of random numbers, which plays badly but just as fast as a trained one: for measuring speed.
//!
//! `cargo run --release -p stillwater-nnue --example random_net -- HIDDEN SEED PATH`

use stillwater_nnue::Network;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [hidden, seed, path] = arguments.as_slice() else { return Err("usage: random_net HIDDEN SEED PATH".into()) };
    std::fs::write(path, Network::random(hidden.parse()?, seed.parse()?)?.to_bytes())?;
    Ok(())
}
