//! How long the rules take: `cargo bench -p stillwater-chess`.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use stillwater_chess::{Board, MoveList, perft};

const FENS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
];

fn rules(criterion: &mut Criterion) {
    let boards = FENS.map(|fen| fen.parse::<Board>().expect("a valid FEN"));
    let moves: Vec<_> =
        boards.iter().flat_map(|board| board.legal_moves().to_vec().into_iter().map(move |mv| (board, mv))).collect();
    criterion.bench_function("perft 4 of the start position", |bencher| {
        bencher.iter(|| perft::perft(black_box(&boards[0]), 4));
    });
    criterion.bench_function("all moves of six positions", |bencher| {
        bencher.iter(|| boards.iter().map(|board| black_box(board).legal_moves().len()).sum::<usize>());
    });
    criterion.bench_function("noisy moves of six positions", |bencher| {
        bencher.iter(|| {
            for board in &boards {
                let mut list = MoveList::new();
                black_box(board).generate_noisy(&mut list);
                black_box(&list);
            }
        });
    });
    criterion.bench_function("play every move of six positions", |bencher| {
        bencher.iter(|| moves.iter().fold(0, |key, &(board, mv)| key ^ board.after(black_box(mv)).key()));
    });
    criterion.bench_function("exchange value of every move of six positions", |bencher| {
        bencher.iter(|| moves.iter().filter(|&&(board, mv)| board.see_ge(black_box(mv), 0)).count());
    });
    criterion.bench_function("pseudo-legality and legality of every move of six positions", |bencher| {
        bencher.iter(|| moves.iter().filter(|&&(board, mv)| board.is_playable(mv)).count());
    });
}

criterion_group!(benches, rules);
criterion_main!(benches);
