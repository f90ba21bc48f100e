//! `stillwater perft`: counts move sequences, in total and below each move.

use std::io::Write;
use std::thread;
use std::time::Instant;

use chess::perft;

/// Count the legal move sequences of a given length, below each move and in total
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Length of the sequences in plies
    #[arg(value_parser = clap::value_parser!(u32).range(0..=100))]
    depth: u32,
    /// The position to count from (FEN, X-FEN or Shredder-FEN)
    #[arg(default_value = chess::fen::START)]
    fen: String,
    /// Threads that share the work when a hash table is used
    #[arg(long, requires = "hash", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Size of the shared hash table in megabytes; without it every leaf is counted
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: Option<u32>,
    /// Write castling as king takes rook; always done if king or rook is not on its standard square
    #[arg(long)]
    chess960: bool,
}

pub(crate) fn run(options: &Options, out: &mut impl Write) -> anyhow::Result<()> {
    let board = crate::people::read_fen(&options.fen)?;
    let available = thread::available_parallelism().map_or(1, usize::from);
    let threads = options.threads.map_or(available, usize::from);
    let chess960 = options.chess960 || !board.is_classical_castling();
    let start = Instant::now();
    let counts = match options.hash {
        Some(megabytes) => perft::divide_hashed(&board, options.depth, threads, megabytes as usize)?,
        None => perft::divide(&board, options.depth),
    };
    let seconds = start.elapsed().as_secs_f64().max(1e-9);
    let total: u128 = if options.depth == 0 { 1 } else { counts.iter().map(|&(_, count)| u128::from(count)).sum() };
    if options.depth > 0 {
        for (mv, count) in counts {
            writeln!(out, "{}: {count}", mv.uci(chess960))?;
        }
        writeln!(out)?;
    }
    writeln!(out, "Nodes searched: {total}")?;
    writeln!(out, "{seconds:.3} s, {:.1} million nodes per second", total as f64 / seconds / 1e6)?;
    Ok(())
}
