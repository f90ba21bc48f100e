//! The switches, which only builds with the feature `tune` can turn: with any of them turned over the engine still plays, and the
//! fast ways of searching agree with the slow ones they stand for. One test, for switches are the whole program's.
#![cfg(feature = "tune")]

use std::sync::Arc;

use chess::zobrist::splitmix;
use chess::{Move, Position};
use nnue::arch::{CONFIDENCE_INPUTS, FEATURES, MOVES, OUTPUT_BUCKETS, QUANTILES};
use nnue::{Confidence, Network, Policy};
use stillwater_engine::params::{ALL, set};
use stillwater_engine::{Control, Engine, Limits, Silent};

const POSITIONS: [&str; 5] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
    "5rk1/5ppp/8/8/8/8/8/R5K1 w - - 0 1",
];

/// The move, the score and the nodes of a fresh search with the evaluation by hand, to which the lowest rungs belong.
fn search(fen: &str, limits: &Limits) -> (Move, i32, u64) {
    let mut engine = Engine::new();
    engine.set_network(None);
    search_with(&mut engine, fen, limits)
}

fn search_with(engine: &mut Engine, fen: &str, limits: &Limits) -> (Move, i32, u64) {
    let position = Position::new(fen.parse().expect(fen));
    let found = engine.search(&position, limits, &Control::new(), &mut Silent);
    let mut line = position;
    for &mv in &found.best.moves {
        assert!(line.is_playable(mv), "{fen}: {:?}", found.best.moves);
        line.play(mv);
    }
    (found.best_move().expect("a move"), found.best.score.centipawns(), found.nodes)
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
    the_network_guides_if_it_can_and_may();
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
            search_with(&mut Engine::new(), fen, &limits);
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
        position.play(mv);
    }
    assert!(moves.len() > 10, "{moves:?}");
}

/// The network with a policy and a confidence of random numbers.
fn guided(network: &Network) -> Network {
    let mut state = 3;
    let mut list = |count: usize, limit: u64| -> Vec<i16> {
        let mut number = || {
            state = splitmix(state);
            (state % (2 * limit + 1)) as i16 - limit as i16
        };
        (0..count).map(|_| number()).collect()
    };
    let policy = Policy::new(list(FEATURES * MOVES, 60), list(MOVES, 60)).expect("a policy");
    let outputs = OUTPUT_BUCKETS * QUANTILES.len();
    let biases = [-1500, 1500].repeat(OUTPUT_BUCKETS);
    let confidence =
        Confidence::new(list(outputs * 2 * CONFIDENCE_INPUTS, 6), biases, [-60, 60]).expect("a confidence");
    network.clone().with_policy(Some(policy)).with_confidence(Some(confidence))
}

fn the_network_guides_if_it_can_and_may() {
    let plain = Network::random(128, 3).expect("a network").scaled(0.25);
    let guided = guided(&plain);
    let nodes = |network: &Network, switch: Option<&str>| -> u64 {
        reset(None);
        turn_on(switch.as_slice());
        let mut engine = Engine::new();
        engine.set_network(Some(Arc::new(network.clone())));
        POSITIONS[..3].iter().map(|fen| search_with(&mut engine, fen, &to_depth(7)).2).sum()
    };
    let expected = nodes(&plain, None);
    assert_eq!(nodes(&guided, None), expected, "a policy that may not guide");
    for switch in ["policy_ordering", "policy_selectivity", "confidence"] {
        assert_eq!(nodes(&plain, Some(switch)), expected, "{switch}: no policy and no confidence to guide");
        assert_ne!(nodes(&guided, Some(switch)), expected, "{switch}");
    }
}
