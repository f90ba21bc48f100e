//! Corner cases 11 to 15: what a search says.

use uci::{Bound, Score};

use crate::check::check;
use crate::harness::{Engine, worth};

#[test]
fn corner_11_searchmoves_in_any_place() {
    let mut engine = Engine::start();
    for go in [
        "go searchmoves a2a3 h2h4 depth 4",
        "go depth 4 searchmoves a2a3 h2h4",
        "go nodes 9999999 searchmoves a2a3 h2h4 depth 4",
        "go searchmoves a2a3 depth 4 searchmoves h2h4",
    ] {
        let answer = engine.search("startpos", go);
        check("startpos", &answer);
        engine.check(["a2a3", "h2h4"].contains(&answer.best().as_str()), "one of the moves asked for");
    }
    // Intersected with the legal moves, and told so.
    let answer = engine.search("startpos", "go searchmoves e2e5 h2h4 depth 3");
    engine.check(answer.best() == "h2h4" && answer.notes.len() == 1, "the legal one, and a note");
    // Nothing left means all.
    let all = engine.search("startpos", "go depth 4");
    for go in ["go searchmoves depth 4", "go searchmoves 0000 depth 4", "go searchmoves e2e5 depth 4"] {
        engine.send("ucinewgame");
        let answer = engine.search("startpos", go);
        engine.check(!["a2a3", "h2h4"].contains(&answer.best().as_str()), "a sensible move");
    }
    check("startpos", &all);
    engine.send("setoption name MultiPV value 7");
    let answer = engine.search("startpos", "go depth 5 searchmoves a2a3 h2h4 b1a3");
    let most = answer.infos.iter().filter_map(|info| info.multipv).max();
    assert_eq!(most, Some(3), "no more lines than moves");
}

#[test]
fn corner_12_several_lines_come_in_blocks() {
    let mut engine = Engine::start();
    engine.send("setoption name MultiPV value 256");
    let answer = engine.search("startpos", "go depth 5");
    let scored: Vec<_> = answer.infos.iter().filter(|info| info.score.is_some()).collect();
    let blocks: Vec<_> = scored.chunk_by(|one, next| one.depth == next.depth).collect();
    assert_eq!(blocks.len(), 5);
    for (block, depth) in blocks.iter().zip(1..) {
        assert!(block.iter().all(|info| info.depth == Some(depth)));
        let numbers: Vec<u32> = block.iter().filter_map(|info| info.multipv).collect();
        assert_eq!(numbers, (1..=20).collect::<Vec<u32>>(), "depth {depth}");
        let mut first: Vec<String> = block.iter().map(|info| info.pv[0].to_string()).collect();
        first.sort_unstable();
        first.dedup();
        assert_eq!(first.len(), 20, "every move once");
        assert!(block.iter().all(|info| matches!(info.score, Some((_, Bound::Exact)))));
        let scores: Vec<i32> = block.iter().map(|info| worth(info.score.expect("score").0)).collect();
        assert!(scores.is_sorted_by(|one, next| one >= next), "best first: {scores:?}");
    }
    // A single move is a single line.
    let answer = engine.search("fen k7/7R/8/8/8/2p5/2P5/K7 b - - 0 1", "go depth 5");
    assert!(answer.infos.iter().all(|info| info.multipv == Some(1)));
    // A search cut short may not mix depths within what it calls a block.
    engine.send("setoption name MultiPV value 3");
    let answer = engine.search("startpos", "go nodes 5000");
    check("startpos", &answer);
    let scored: Vec<_> = answer.infos.iter().filter(|info| info.score.is_some()).collect();
    for block in scored.chunks(3) {
        let shape: Vec<_> = block.iter().map(|info| (info.depth, info.multipv)).collect();
        assert_eq!(shape, [1, 2, 3].map(|number| (block[0].depth, Some(number))));
    }
}

#[test]
fn corner_13_mates_are_counted_in_moves() {
    let mut engine = Engine::start();
    for (position, moves) in [
        ("fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 1),
        ("fen 7k/8/5K2/8/8/8/8/R7 w - - 0 1", 2),
        ("fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
        ("fen 7k/8/6K1/8/8/8/8/R7 b - - 0 1", -1),
        ("fen k7/7R/1K6/8/8/8/8/8 b - - 0 1", -1),
        ("fen r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
    ] {
        engine.send("ucinewgame");
        let answer = engine.search(position, "go depth 9");
        check(position, &answer);
        assert_eq!(answer.score(), Some(Score::Mate(moves)), "{position}\n{}", engine.transcript());
    }
}

#[test]
fn corner_13_tablebase_wins_are_no_mates() {
    let tables = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/syzygy");
    let mut engine = Engine::start();
    let notes = engine.notes(&format!("setoption name SyzygyPath value {tables}"));
    engine.check(notes.iter().all(|note| !note.contains("cannot")), "the tables are found");
    let position = "fen 8/8/8/8/8/2k5/8/K2Q4 w - - 0 1";
    let answer = engine.search(position, "go nodes 2000");
    check(position, &answer);
    engine.check(
        answer.infos.iter().all(|info| match info.score {
            Some((Score::Centipawns(score), _)) => score > 10_000 || info.depth < Some(3),
            Some((Score::Mate(moves), _)) => moves > 0,
            None => true,
        }),
        "a large number of centipawns, or a mate that was really found",
    );
    let answer = engine.search("fen 8/8/8/8/8/2k5/1n6/K2Q4 w - - 0 1", "go nodes 5000");
    engine.check(answer.last().tbhits > Some(0), "tables are looked at in the search");
}

#[test]
fn corner_14_lines_are_legal_to_their_end() {
    let mut engine = Engine::start();
    for (position, go) in [
        ("startpos", "go depth 9"),
        ("startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1", "go depth 8"),
        ("fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", "go nodes 40000"),
        ("fen 8/8/4k3/8/8/4K3/4P3/8 w - - 96 80", "go depth 14"),
        ("fen 8/8/4k3/8/8/4K3/4R3/8 w - - 97 90", "go depth 12"),
        ("fen 8/8/8/8/8/5k2/5p2/5K2 b - - 0 1", "go depth 10"),
        ("fen 8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1", "go depth 16"),
        ("fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "go depth 6"),
        ("fen 7k/8/5K2/8/8/8/8/R7 w - - 0 1", "go nodes 30000"),
        ("fen 7k/6pp/8/8/8/q7/8/3Q3K w - - 0 1", "go depth 9"),
    ] {
        for _ in 0..2 {
            // The second time with a full hash table, which is when lines are cut short or lengthened.
            let answer = engine.search(position, go);
            check(position, &answer);
        }
    }
}

#[test]
fn corner_14_interrupted_searches_answer_with_a_line_that_was_told() {
    let mut engine = Engine::start();
    let position = "fen r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 9";
    for nodes in (500..12_000).step_by(577) {
        let answer = engine.search(position, &format!("go nodes {nodes}"));
        check(position, &answer);
    }
}

#[test]
fn corner_15_output_does_not_flood() {
    let mut engine = Engine::start();
    let answer = engine.search("startpos", "go movetime 900");
    check("startpos", &answer);
    engine.check(answer.infos.iter().all(|info| info.currmove.is_none()), "no current move in the first second");
    let bounds = |score| matches!(score, Some((_, Bound::Lower | Bound::Upper)));
    engine.check(answer.infos.iter().filter(|info| bounds(info.score)).count() <= 1, "failed windows are held back");
    let position = "fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
    let answer = engine.search(position, "go movetime 400");
    check(position, &answer);
    engine.check(answer.infos.len() <= 300, "a proven mate has no more lines than depths");
}
