//! Perft against known counts: the repository's own lists, and by hand the large suites outside it.

mod common;

use shakmaty::{CastlingMode, Chess, fen::Fen};
use stillwater_chess::Board;
use stillwater_chess::perft::{perft, perft_unbulked};

fn count(fen: &str, depth: u32) -> u64 {
    perft(&fen.parse::<Board>().unwrap_or_else(|error| panic!("{fen}: {error}")), depth)
}

/// Runs `FEN ;D1 n ;D2 n …` lines up to a depth, on all cores, and returns how many counts were compared.
fn run_suite(text: &str, max_depth: u32) -> usize {
    let lines: Vec<_> = text.lines().filter(|line| line.contains(";D")).collect();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|worker| {
                let mine = lines.iter().skip(worker).step_by(threads);
                scope.spawn(move || {
                    let mut compared = 0;
                    for line in mine {
                        let (fen, counts) = common::perft_line(line);
                        for (depth, expected) in counts.into_iter().filter(|&(depth, _)| depth <= max_depth) {
                            assert_eq!(count(fen, depth), expected, "{fen} at depth {depth}");
                            compared += 1;
                        }
                    }
                    compared
                })
            })
            .collect();
        workers.into_iter().map(|worker| worker.join().expect("no difference")).sum()
    })
}

/// The project's own lists. Their counts were confirmed with shakmaty, and `counts_agree_with_shakmaty` does so again.
const CLASSICS: &str = include_str!("../../../tests/data/perft.epd");
/// En passant, castling, promotions, pins and checks where they are easy to get wrong.
const TRICKY: &str = include_str!("../../../tests/data/perft-tricky.epd");
const CHESS960: &str = include_str!("../../../tests/data/perft-chess960.epd");

#[test]
fn classics() {
    assert_eq!(run_suite(CLASSICS, 5), 27);
}

#[test]
fn tricky_positions() {
    assert_eq!(run_suite(TRICKY, 5), 113);
}

#[test]
fn chess960_positions() {
    assert_eq!(run_suite(CHESS960, 5), 113);
}

#[test]
fn counts_played_to_the_last_ply() {
    for line in [CLASSICS, TRICKY, CHESS960].into_iter().flat_map(str::lines) {
        let (fen, counts) = common::perft_line(line);
        let board: Board = fen.parse().expect(fen);
        for (depth, expected) in counts.into_iter().filter(|&(depth, _)| depth <= 3) {
            assert_eq!(perft_unbulked(&board, depth), expected, "{fen}");
        }
    }
}

#[test]
fn counts_agree_with_shakmaty() {
    for line in [CLASSICS, TRICKY, CHESS960].into_iter().flat_map(str::lines) {
        let (fen, counts) = common::perft_line(line);
        let position: Chess =
            fen.parse::<Fen>().expect(fen).into_position(CastlingMode::Chess960).expect("a position shakmaty takes");
        for (depth, expected) in counts.into_iter().filter(|&(depth, _)| depth <= 3) {
            assert_eq!(shakmaty::perft(&position, depth), expected, "{fen}");
        }
    }
}

#[test]
fn double_chess960_agrees_with_shakmaty() {
    let mut random = common::Random(960);
    for _ in 0..60 {
        let board = Board::chess960(random.below(960) as u16, random.below(960) as u16).expect("a start position");
        // A few random moves first, so that kings can castle soon.
        let mut board = board;
        for _ in 0..random.below(24) {
            let Some(mv) = random.legal_move(&board) else { break };
            board = board.after(mv);
        }
        let fen: Fen = board.shredder_fen().parse().expect("a FEN");
        let position: Chess = fen.into_position(CastlingMode::Chess960).expect("a position shakmaty takes");
        assert_eq!(perft(&board, 4), shakmaty::perft(&position, 4), "{board}");
    }
}

#[test]
#[ignore = "needs ../shared/data; run `cargo test --workspace -- --ignored shared`"]
fn shared_standard_suite() {
    assert_eq!(run_suite(&common::shared("perft/standard.epd"), 5), 633);
}

#[test]
#[ignore = "needs ../shared/data; run `cargo test --workspace -- --ignored shared`"]
fn shared_chess960_suite() {
    assert_eq!(run_suite(&common::shared("perft/chess960.epd"), 4), 3840);
}

/// `id NAME`, `epd FEN`, `perft DEPTH COUNT`: positions that went wrong in some program. One of them we refuse: its en passant
/// square says that a king was left in check.
#[test]
#[ignore = "needs ../shared/data; run `cargo test --workspace -- --ignored shared`"]
fn shared_tricky_suite() {
    let text = common::shared("perft/tricky.perft");
    let mut fen = String::new();
    let mut compared = 0;
    for line in text.lines() {
        if let Some(epd) = line.strip_prefix("epd ") {
            fen = epd.trim().to_string();
        } else if let Some(rest) = line.strip_prefix("perft ") {
            let (depth, expected) = rest.trim().split_once(' ').expect("depth and count");
            let (depth, expected): (u32, u64) = (depth.parse().expect("a depth"), expected.parse().expect("a count"));
            if fen == "8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3" {
                assert!(fen.parse::<Board>().is_err());
            } else if expected < 50_000_000 {
                assert_eq!(count(&fen, depth), expected, "{fen} at depth {depth}");
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 74);
}

#[test]
#[ignore = "needs ../shared/data and minutes; run `cargo test --release -p stillwater-chess -- --ignored full_depth`"]
fn suites_to_full_depth() {
    for (name, counts) in [("perft/standard.epd", 759), ("perft/chess960.epd", 5760)] {
        assert_eq!(run_suite(&common::shared(name), 6), counts);
    }
}
