//! A worker for tests of single rules.

use std::sync::atomic::AtomicBool;

use chess::{Board, Move, Position};

use super::busy::Busy;
use super::root::RootMove;
use super::worker::{Counter, Memory, Shared, Worker};
use crate::chances::{HAND, Scale};
use crate::tablebase::Tablebases;
use crate::time::Budget;
use crate::tt::Table;
use crate::{Control, Limits, Options};

/// A worker at the start of a search of a position.
pub(crate) fn with_worker(fen: &str, check: impl FnOnce(&mut Worker<'_>)) {
    let position = Position::new(fen.parse().expect(fen));
    with_shared(|shared| check(&mut worker_at(shared, &mut Memory::new(), position)));
}

/// What one thread needs around it: an empty hash table, no limits, the evaluation by hand.
pub(super) fn with_shared(check: impl FnOnce(&Shared<'_>)) {
    let table = Table::new(1).expect("a megabyte");
    let (limits, options, control) = (Limits::default(), Options::default(), Control::new(false));
    let tablebases = Tablebases::default();
    check(&Shared {
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
        busy: Busy::new(1),
        counters: vec![Counter::default()],
        root_hits: 0,
        scale: Scale::new(HAND, &Board::start()),
    });
}

/// A worker with this memory at the start of a search of a position.
pub(super) fn worker_at<'a>(shared: &'a Shared<'a>, memory: &'a mut Memory, position: Position) -> Worker<'a> {
    let root_moves: Vec<_> = position.legal_moves().iter().copied().map(RootMove::new).collect();
    let mut worker = Worker::new(0, shared, memory, position, root_moves, None);
    worker.pv_end = worker.root_moves.len();
    worker
}

/// The legal move of a worker's position that is written so.
pub(crate) fn find(worker: &Worker<'_>, mv: &str) -> Move {
    worker.position.parse_uci(mv).expect(mv)
}
