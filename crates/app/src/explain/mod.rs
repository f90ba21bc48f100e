//! `stillwater explain`: why this move. Every sentence is backed by a search or by an exact test of the rules; with the same nodes
//! the same position is explained in the same words.

mod course;
mod facts;
mod report;
mod terms;

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use chess::{Board, Move, Position};
use engine::{Control, Engine, Limits, PvLine, SearchResult, Silent};

/// Explain in plain sentences why a move is best
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Options {
    /// The position (FEN, X-FEN or Shredder-FEN)
    fen: String,
    /// Nodes for each of the searches behind the sentences
    #[arg(long, default_value_t = 300_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// How many other moves to compare with
    #[arg(long, value_name = "MOVES", default_value_t = 3, value_parser = clap::value_parser!(u16).range(0..=20))]
    others: u16,
    /// Hash table in megabytes
    #[arg(long, value_name = "MB", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: u32,
    /// Evaluate by the network in this file instead of the usual evaluation
    #[arg(long, value_name = "FILE")]
    eval_file: Option<PathBuf>,
}

pub(crate) fn run(options: &Options, out: &mut impl Write) -> anyhow::Result<()> {
    let board: Board = options.fen.parse().with_context(|| format!("cannot use the position \"{}\"", options.fen))?;
    let mut engine = Engine::new();
    engine.set_hash(options.hash as usize)?;
    if let Some(path) = &options.eval_file {
        engine.load_network(path)?;
    }
    let mut thinker = Thinker { engine, nodes: options.nodes };
    let text = report::explain(&Position::new(board), options.others.into(), &mut thinker);
    write!(out, "{text}")?;
    Ok(())
}

/// Whoever answers questions by searching. Each question is met with empty tables, so that no answer depends on another.
struct Thinker {
    engine: Engine,
    nodes: u64,
}

impl Thinker {
    /// The best lines of a position, at most so many.
    fn lines(&mut self, position: &Position, count: usize) -> SearchResult {
        self.ask(position, count, Vec::new())
    }

    /// The best line of a position that begins with this move.
    fn line_after(&mut self, position: &Position, mv: Move) -> PvLine {
        self.ask(position, 1, vec![mv]).best
    }

    fn ask(&mut self, position: &Position, count: usize, search_moves: Vec<Move>) -> SearchResult {
        self.engine.new_game();
        self.engine.options.multi_pv = count;
        let limits = Limits { nodes: Some(self.nodes), search_moves, ..Limits::default() };
        self.engine.search(position, &limits, &Control::new(), &mut Silent)
    }
}
