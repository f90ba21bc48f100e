//! Analyses a position: `cargo run --release -p stillwater-engine --example analyse -- "FEN" [SECONDS] [LINES]`.
//!
//! Shows the whole of the library in use: a position from a FEN, an engine with its options, a reporter that listens while the search
//! runs, and the result with its lines.

use std::time::Duration;

use chess::Position;
use stillwater_engine::{Control, Engine, Limits, Reporter, Score, SearchResult};

/// Prints a line for each iteration.
struct Progress<'a>(&'a Position);

impl Reporter for Progress<'_> {
    fn progress(&mut self, found: &SearchResult) {
        let line = self.0.san_line(&found.best.moves);
        println!("depth {:2}  {:>8}  {line}", found.best.depth, shown(found.best.score));
    }
}

fn shown(score: Score) -> String {
    match score {
        Score::Centipawns(centipawns) => format!("{:+.2}", f64::from(centipawns) / 100.0),
        Score::Mate(moves) => format!("#{moves}"),
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let fen = arguments.next().unwrap_or_else(|| chess::fen::START.to_owned());
    let seconds: f64 = arguments.next().map_or(Ok(1.0), |text| text.parse())?;
    let lines: usize = arguments.next().map_or(Ok(1), |text| text.parse())?;

    let (board, repairs) = chess::fen::repair(&fen)?;
    repairs.iter().for_each(|repair| eprintln!("{repair}"));
    let position = Position::new(board);

    let mut engine = Engine::new();
    engine.set_hash(64)?;
    engine.options.multi_pv = lines.max(1);
    let limits = Limits { move_time: Some(Duration::try_from_secs_f64(seconds)?), ..Limits::default() };
    // From another thread, `control.stop()` would end the search at once.
    let control = Control::new();
    let found = engine.search(&position, &limits, &control, &mut Progress(&position));

    println!("\n{} nodes in {:.2} s", found.nodes, found.time.as_secs_f64());
    for line in found.lines() {
        let [win, draw, loss] = line.wdl.map(|chance| f64::from(chance) / 10.0);
        println!(
            "{:>8}  win {win:.0} %, draw {draw:.0} %, loss {loss:.0} %  {}",
            shown(line.score),
            position.san_line(&line.moves)
        );
    }
    Ok(())
}
