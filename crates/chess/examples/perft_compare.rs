//! Perft speed of this crate beside `cozy-chess` and `shakmaty`, in one process, on one thread, all counting the last ply in bulk.
//!
//! `cargo run --release -p stillwater-chess --example perft_compare [ENGINE]`
//!
//! With the path of a UCI engine that knows `go perft` (Stockfish), it is timed on the same positions in the same minute.
//! Each position is counted in several rounds, the libraries taking turns, and the best round counts: what slows a round is
//! never the library.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::Instant;

use shakmaty::Position as _;

const ROUNDS: usize = 5;

// Name, FEN, depth, count.
const POSITIONS: [(&str, &str, u32, u64); 6] = [
    ("start position", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6, 119_060_324),
    ("Kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5, 193_690_690),
    ("position 3", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 7, 178_633_661),
    ("position 4", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 5, 15_833_292),
    ("position 5", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 5, 89_941_194),
    ("position 6", "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 5, 164_075_551),
];

fn cozy(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut count = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            count += moves.len() as u64;
        } else {
            for mv in moves {
                let mut next = board.clone();
                next.play_unchecked(mv);
                count += cozy(&next, depth - 1);
            }
        }
        false
    });
    count
}

fn stillwater(fen: &str, depth: u32) -> u64 {
    stillwater_chess::perft::perft(&fen.parse().expect("a valid FEN"), depth)
}

fn cozy_chess(fen: &str, depth: u32) -> u64 {
    cozy(&fen.parse().expect("a valid FEN"), depth)
}

fn shakmaty(fen: &str, depth: u32) -> u64 {
    let fen: shakmaty::fen::Fen = fen.parse().expect("a valid FEN");
    let position: shakmaty::Chess = fen.into_position(shakmaty::CastlingMode::Standard).expect("a valid position");
    shakmaty_perft(&position, depth)
}

fn shakmaty_perft(position: &shakmaty::Chess, depth: u32) -> u64 {
    let moves = position.legal_moves();
    if depth == 1 {
        return moves.len() as u64;
    }
    let below = |mv| {
        let mut next = position.clone();
        next.play_unchecked(mv);
        shakmaty_perft(&next, depth - 1)
    };
    moves.into_iter().map(below).sum()
}

/// A UCI engine as a process, asked for `go perft`.
struct Engine {
    process: std::process::Child,
    input: std::process::ChildStdin,
    output: BufReader<std::process::ChildStdout>,
}

impl Engine {
    fn start(path: &str) -> Engine {
        let mut process =
            Command::new(path).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the engine starts");
        let (input, output) = (process.stdin.take(), process.stdout.take());
        Engine { process, input: input.expect("its input"), output: BufReader::new(output.expect("its output")) }
    }

    fn perft(&mut self, fen: &str, depth: u32) -> u64 {
        writeln!(self.input, "position fen {fen}\ngo perft {depth}").expect("the engine listens");
        let mut line = String::new();
        loop {
            line.clear();
            assert!(self.output.read_line(&mut line).expect("the engine answers") > 0, "the engine left");
            if let Some(count) = line.strip_prefix("Nodes searched: ") {
                return count.trim().parse().expect("a number");
            }
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = writeln!(self.input, "quit");
        let _ = self.process.wait();
    }
}

type Counter<'a> = Box<dyn FnMut(&str, u32) -> u64 + 'a>;

fn main() {
    let mut engine = std::env::args().nth(1).map(|path| Engine::start(&path));
    let mut counters: Vec<(&str, Counter)> = vec![
        ("stillwater", Box::new(stillwater)),
        ("cozy-chess", Box::new(cozy_chess)),
        ("shakmaty", Box::new(shakmaty)),
    ];
    if let Some(engine) = &mut engine {
        counters.push(("engine", Box::new(|fen, depth| engine.perft(fen, depth))));
    }
    println!(
        "Million nodes per second, one thread, best of {ROUNDS}; in brackets: how many times faster stillwater is."
    );
    print!("{:<16}", "");
    for (name, _) in &counters {
        print!("{name:>18}");
    }
    println!();
    let mut totals = vec![0.0; counters.len()];
    let mut nodes = 0;
    for (name, fen, depth, expected) in POSITIONS {
        let mut best = vec![f64::INFINITY; counters.len()];
        for _ in 0..ROUNDS {
            for ((counter_name, count), best) in counters.iter_mut().zip(&mut best) {
                let start = Instant::now();
                let counted = count(fen, depth);
                *best = best.min(start.elapsed().as_secs_f64());
                assert_eq!(counted, expected, "{counter_name} miscounts {name}");
            }
        }
        print_row(name, expected, &best);
        nodes += expected;
        totals.iter_mut().zip(&best).for_each(|(total, best)| *total += best);
    }
    print_row("all", nodes, &totals);
}

fn print_row(name: &str, nodes: u64, seconds: &[f64]) {
    print!("{name:<16}");
    for &time in seconds {
        print!("{:>10.1} ({:>4.2}x)", nodes as f64 / time / 1e6, time / seconds[0]);
    }
    println!();
}
