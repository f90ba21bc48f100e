//! A worker for tests of single rules.

use std::sync::atomic::AtomicBool;

use chess::{Board, Move, Position};

use super::abdada::Abdada;
use super::root::RootMove;
use super::worker::{Counter, Memory, Shared, Worker};
use crate::chances::{HAND, Scale};
use crate::tablebase::Tablebases;
use crate::time::{Budget, Lag};
use crate::tt::Table;
use crate::{Control, Limits, Options};

/// A worker at the start of a search of a position.
pub(crate) fn with_worker(fen: &str, check: impl FnOnce(&mut Worker<'_>)) {
    let position = Position::new(fen.parse().expect(fen));
    with_shared(|shared| check(&mut worker_at(shared, &mut Memory::new(), position)));
}

/// The same, on a thread that has searched other positions before, so that its histories, countermoves and corrections
/// are not empty. The hash table is.
pub(crate) fn with_warm_worker(fen: &str, check: impl FnOnce(&mut Worker<'_>)) {
    let position = Position::new(fen.parse().expect(fen));
    let mut memory = warm_memory();
    with_shared(|shared| check(&mut worker_at(shared, &mut memory, position)));
}

/// The memory of a thread that has searched a few positions.
pub(super) fn warm_memory() -> Memory {
    let mut memory = Memory::new();
    for fen in [
        chess::fen::START,
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    ] {
        let position = Position::new(fen.parse().expect(fen));
        let limits = Limits { depth: Some(8), ..Limits::default() };
        with_limits(&limits, |shared| worker_at(shared, &mut memory, position).deepen());
    }
    memory
}

/// What one thread needs around it: an empty hash table, no limits, the hand-crafted evaluation.
pub(super) fn with_shared(check: impl FnOnce(&Shared<'_>)) {
    with_limits(&Limits::default(), check);
}

/// The same with limits.
fn with_limits(limits: &Limits, check: impl FnOnce(&Shared<'_>)) {
    let table = Table::new(1).expect("a megabyte");
    let (options, control, lag) = (Options::default(), Control::new(), Lag::default());
    let tablebases = Tablebases::default();
    check(&Shared {
        table: &table,
        tablebases: &tablebases,
        network: None,
        noise: None,
        tb_limit: 0,
        control: &control,
        limits,
        options: &options,
        lines: 1,
        budget: Budget::new(limits, &options, &lag),
        lag: &lag,
        enough: AtomicBool::new(false),
        over: AtomicBool::new(false),
        abdada: Abdada::new(1),
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
    // Rules of inner nodes are tested at ply 1.
    worker.stack.at_mut(1).psq = worker.stack.at(0).psq;
    worker
}

/// The legal move of a worker's position with this text.
pub(crate) fn find(worker: &Worker<'_>, mv: &str) -> Move {
    worker.position.parse_uci(mv).expect(mv)
}
