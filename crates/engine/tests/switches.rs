//! Every switch of the laboratory does something, does no harm, and is undone by switching it off again.
//!
//! Only in builds with the feature `tune`, where switches can be set at all. They are set for the whole process, so this is one
//! test in a program of its own.

#![cfg(feature = "tune")]

use chess::Position;
use engine::{Control, Engine, Info, Limits, Reporter, params};

const POSITIONS: [&str; 4] = [
    "r1bqk2r/ppp2ppp/2np1n2/2b1p3/2B1P3/2PP1N2/PP3PPP/RNBQK2R w KQkq - 0 6",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
//! The switches, which only builds with the feature `tune` can turn: with any of them turned over the engine still plays, and the
//! fast ways of searching agree with the slow ones they stand for. One test, for switches are the whole program's.
#![cfg(feature = "tune")]

use chess::{Move, Position};
use engine::params::{ALL, set};
use engine::{Control, Engine, Info, Limits, Reporter};

const POSITIONS: [&str; 5] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
    "5rk1/5ppp/8/8/8/8/8/R5K1 w - - 0 1",
];

#[derive(Default)]
struct Last(Option<Info>);

impl Reporter for Last {
    fn info(&mut self, info: &Info) {
        self.0 = Some(info.clone());
    }
}

/// The last line and its node count; the line must be legal.
fn search(engine: &mut Engine, fen: &str, limits: &Limits) -> Info {
    let mut position = Position::new(fen.parse().expect(fen));
    let mut last = Last::default();
    engine.search(&position, limits, &Control::new(false), &mut last);
    let info = last.0.expect("a report");
    for &mv in &info.pv {
        assert!(position.is_playable(mv), "{fen}: {:?}", info.pv);
        position.make(mv, &mut ());
    }
    info
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
    let info = search(&mut Engine::new(), "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", &limits);
    info.pv.first().is_some_and(|mv| mv.uci(false) == "a1a6") && info.pv.len() == 3
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
                search(&mut Engine::new(), POSITIONS[0], &limits).pv[0]
            })
            .collect();
        moves.sort_unstable_by_key(|mv| mv.bits());
        moves.dedup();
        moves.len()
    };
    let (none, wide) = (moves_of(0), moves_of(200));
    assert!(none == 1 && wide > 5, "{none} {wide}");
    assert!(params::set("oracle", 0) && params::set("oracle_width", 10) && params::set("oracle_seed", 1));
/// The move, the score and the nodes of a fresh search.
fn search(fen: &str, limits: &Limits) -> (Move, i32, u64) {
    let position = Position::new(fen.parse().expect(fen));
    let mut last = Last::default();
    let best = Engine::new().search(&position, limits, &Control::new(false), &mut last).best.expect("a move");
    assert!(position.is_playable(best), "{fen}");
    let info = last.0.expect("a report");
    let mut line = position;
    for &mv in &info.pv {
        assert!(line.is_playable(mv), "{fen}: {:?}", info.pv);
        line.make(mv, &mut ());
    }
    (best, info.score, info.nodes)
}

fn to_depth(depth: i32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

/// Sets all switches to one value, or to their defaults.
fn reset(value: Option<i32>) {
    for tunable in ALL.iter().filter(|tunable| tunable.is_switch) {
        assert!(set(tunable.name, value.unwrap_or(tunable.default)), "{}", tunable.name);
    }
}

fn turn_on(names: &[&str]) {
    names.iter().for_each(|name| assert!(set(name, 1), "{name}"));
}

#[test]
fn switches_do_what_they_say() {
    every_switch_can_be_turned_over();
    fast_ways_agree_with_minimax();
    the_lowest_rungs_see_as_little_as_they_should();
    reset(None);
}

fn every_switch_can_be_turned_over() {
    for tunable in ALL.iter().filter(|tunable| tunable.is_switch) {
        reset(None);
        assert!(set(tunable.name, 1 - tunable.default));
        // Some trees explode; a limit on nodes keeps them small.
        let limits = Limits { depth: Some(7), nodes: Some(20_000), ..Limits::default() };
        for fen in POSITIONS {
            search(fen, &limits);
        }
    }
}

fn fast_ways_agree_with_minimax() {
    for fen in POSITIONS {
        reset(Some(0));
        turn_on(&["iterative_deepening", "game_end", "piece_square_eval"]);
        let (_, score, nodes) = search(fen, &to_depth(3));
        turn_on(&["alpha_beta"]);
        let (_, same, fewer) = search(fen, &to_depth(3));
        assert_eq!(same, score, "alpha-beta, {fen}");
        assert!(fewer < nodes, "{fen}: {fewer} and {nodes}");
        turn_on(&["victim_ordering", "exchange_ordering", "killers", "piece_to_history", "threat_ordering"]);
        assert_eq!(search(fen, &to_depth(3)).1, score, "ordering, {fen}");
        turn_on(&["pvs", "root_by_nodes"]);
        assert_eq!(search(fen, &to_depth(3)).1, score, "closed windows, {fen}");
        turn_on(&["aspiration"]);
        assert_eq!(search(fen, &to_depth(3)).1, score, "aspiration, {fen}");
        assert!(set("iterative_deepening", 0));
        assert_eq!(search(fen, &to_depth(3)).1, score, "at once, {fen}");
    }
}

fn the_lowest_rungs_see_as_little_as_they_should() {
    let mate_in_one = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
    reset(Some(0));
    // Material alone: a rook for three pawns, and no mate in sight.
    let (_, score, _) = search(mate_in_one, &to_depth(1));
    assert!((50..=500).contains(&score), "{score}");
    turn_on(&["game_end"]);
    assert_eq!(search(mate_in_one, &to_depth(1)).0.uci(false), "a1a8");
    // A defended pawn is taken by the queen as long as nobody looks further.
    let poisoned = "4k3/2p5/3p4/8/8/8/8/3QK3 w - - 0 1";
    assert_eq!(search(poisoned, &to_depth(1)).0.uci(false), "d1d6");
    turn_on(&["quiescence"]);
    assert_ne!(search(poisoned, &to_depth(1)).0.uci(false), "d1d6");

    turn_on(&["random_mover"]);
    let mut position = Position::start();
    let mut moves = std::collections::HashSet::new();
    while position.outcome().is_none() && moves.len() <= 10 {
        let (mv, _, nodes) = search(&position.board().to_string(), &to_depth(9));
        assert_eq!(nodes, 0);
        moves.insert(mv);
        position.make(mv, &mut ());
    }
    assert!(moves.len() > 10, "{moves:?}");
}
