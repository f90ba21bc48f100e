//! Every switch of the laboratory does something, does no harm, and is undone by switching it off again.
//!
//! Only in builds with the feature `tune`, where switches can be set at all. They are set for the whole process, so this is one
//! test in a program of its own.

#![cfg(feature = "tune")]

use chess::Position;
use stillwater_engine::{Control, Engine, Limits, SearchResult, Silent, params};

const POSITIONS: [&str; 4] = [
    "r1bqk2r/ppp2ppp/2np1n2/2b1p3/2B1P3/2PP1N2/PP3PPP/RNBQK2R w KQkq - 0 6",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
];

/// What was found; the line must be legal.
fn search(engine: &mut Engine, fen: &str, limits: &Limits) -> SearchResult {
    let mut position = Position::new(fen.parse().expect(fen));
    let found = engine.search(&position, limits, &Control::new(), &mut Silent);
    for &mv in &found.best.moves {
        assert!(position.is_playable(mv), "{fen}: {:?}", found.best.moves);
        position.play(mv);
    }
    found
}

/// How many nodes all positions take together, with a hash table that forgets.
fn tree() -> u64 {
    let mut engine = Engine::new();
    engine.set_hash(1).expect("a megabyte");
    engine.new_game();
    let limits = Limits { depth: Some(11), ..Limits::default() };
    POSITIONS.iter().map(|fen| search(&mut engine, fen, &limits).nodes).sum()
}

fn finds_mate() -> bool {
    let limits = Limits { depth: Some(8), ..Limits::default() };
    let found = search(&mut Engine::new(), "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", &limits);
    found.best_move().is_some_and(|mv| mv.uci(false) == "a1a6") && found.best.moves.len() == 3
}

#[test]
fn each_switch_changes_the_tree_and_back() {
    assert!(params::set("mate_proof", 0), "so that the search itself has to find the mate");
    let usual = tree();
    assert_eq!(usual, tree());
    for (name, matters) in [
        ("relative_history", true),
        ("butterfly_history", true),
        // The hash table keeps the deepest entries, and with them nearly all replies to root moves.
        ("refutation_table", false),
        ("last_best_reply", true),
        ("square_ordering", true),
        ("threat_move", true),
        ("threat_extension", true),
        ("guard_heuristic", true),
        ("enhanced_cutoff", true),
        ("recapture_ordering", true),
        ("oracle", true),
        ("free_foresight", true),
    ] {
        assert!(params::set(name, 1), "{name}");
        let switched = tree();
        assert!(switched != usual || !matters, "{name} does nothing");
        assert_eq!(switched, tree(), "{name} is not the same twice");
        assert!(finds_mate(), "{name}");
        assert!(params::set(name, 0));
        assert_eq!(tree(), usual, "{name} cannot be undone");
    }
    the_oracle_is_believed_as_far_as_it_is_told();
}

/// A wide bonus makes other moves best, a narrow one seldom; the seed decides which.
fn the_oracle_is_believed_as_far_as_it_is_told() {
    let limits = Limits { depth: Some(6), ..Limits::default() };
    let moves_of = |width| {
        assert!(params::set("oracle", 1) && params::set("oracle_width", width));
        let mut moves: Vec<_> = (0..20)
            .map(|seed| {
                assert!(params::set("oracle_seed", seed));
                search(&mut Engine::new(), POSITIONS[0], &limits).best.moves[0]
            })
            .collect();
        moves.sort_unstable_by_key(|mv| mv.bits());
        moves.dedup();
        moves.len()
    };
    let (none, wide) = (moves_of(0), moves_of(200));
    assert!(none == 1 && wide > 5, "{none} {wide}");
    assert!(params::set("oracle", 0) && params::set("oracle_width", 10) && params::set("oracle_seed", 1));
}
