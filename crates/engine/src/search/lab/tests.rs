//! What the tests of several heuristics share, and what no single one owns.

use std::sync::atomic::AtomicBool;

use chess::{Board, Move, PieceKind, Position};

use super::recapture_score;
use crate::search::root::RootMove;
use crate::search::worker::{Counter, Memory, Shared, Worker};
use crate::tablebase::Tablebases;
use crate::time::Budget;
use crate::tt::Table;
use crate::{Control, Limits, Options};

/// A worker at the start of a search of a position.
pub(super) fn with_worker(fen: &str, check: impl FnOnce(&mut Worker<'_>)) {
    let table = Table::new(1).expect("a megabyte");
    let (limits, options, control) = (Limits::default(), Options::default(), Control::new(false));
    let tablebases = Tablebases::default();
    let shared = Shared {
        table: &table,
        tablebases: &tablebases,
        network: None,
        noise: None,
        tb_limit: 0,
        control: &control,
        limits: &limits,
        options: &options,
        lines: 1,
        budget: Budget::new(&limits, &options),
        over: AtomicBool::new(false),
        counters: vec![Counter::default()],
        root_hits: 0,
    };
    let mut memory = Memory::new();
    let position = Position::new(fen.parse().expect(fen));
    let root_moves: Vec<_> = position.legal_moves().iter().copied().map(RootMove::new).collect();
    let mut worker = Worker::new(0, &shared, &mut memory, position, root_moves, None);
    worker.pv_end = worker.root_moves.len();
    check(&mut worker);
}

/// The legal move of a board that is written so.
pub(super) fn find_on(board: &Board, mv: &str) -> Move {
    board.parse_uci(mv).expect(mv)
}

/// The legal move of a worker's position that is written so.
pub(super) fn find(worker: &Worker<'_>, mv: &str) -> Move {
    find_on(worker.position.board(), mv)
}

#[test]
fn the_cheapest_piece_recaptures_first() {
    let order: Vec<_> = PieceKind::ALL.iter().map(|&kind| recapture_score(Some(kind), 800)).collect();
    assert!(order.windows(2).all(|pair| pair[0] > pair[1]) && order[5] > 0, "{order:?}");
}
