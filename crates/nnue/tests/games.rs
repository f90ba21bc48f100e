//! Values kept up from move to move are those computed from nothing, whatever is played, taken back and played again.

use std::sync::Arc;

use chess::zobrist::splitmix;
use chess::{Board, Move};
use stillwater_nnue::arch::{
    CONFIDENCE_INPUTS, DENSE_1, DENSE_1_OUT, DENSE_2, DENSE_2_OUT, FEATURES, HIDDEN_SIZES, MAX_DENSE_WEIGHT,
    MAX_FEATURE_BIAS, MAX_FEATURE_WEIGHT, MAX_OUTPUT_WEIGHT, MAX_RELATION_WEIGHT, MOVES, OUTPUT_BUCKETS, QA, QB,
    QUANTILES, RELATED,
};
use stillwater_nnue::relations::RELATIONS;
use stillwater_nnue::{Accumulators, Confidence, Dense, MoveMap, Network, Parts, Policy};

const PLIES: usize = 60;

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = splitmix(self.0);
        (self.0 >> 32) as usize % limit
    }

    fn is_one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }
}

/// Numbers that reach every limit, so that any number too wide for its type shows.
fn extremes(random: &mut Random, count: usize, limit: i16) -> Vec<i16> {
    (0..count).map(|_| [limit, -limit, limit, 0, 1, limit / 3][random.below(6)]).collect()
}

fn extreme(hidden: usize, seed: u64) -> Network {
    let mut random = Random(seed);
    let mut list = |count: usize, limit: i16| extremes(&mut random, count, limit);
    let parts = Parts {
        hidden,
        feature_weights: list(FEATURES * hidden, MAX_FEATURE_WEIGHT),
        feature_biases: list(hidden, MAX_FEATURE_BIAS),
        output_weights: list(OUTPUT_BUCKETS * 2 * hidden, MAX_OUTPUT_WEIGHT),
        output_biases: vec![QA * QB, -QA * QB, 0, i32::MAX, i32::MIN, 1, -1, 12_345],
    };
    Network::new("extremes", parts).expect("a network")
}

/// The same with dense layers.
fn extreme_dense(hidden: usize, seed: u64) -> Network {
    let mut random = Random(seed);
    let mut list = |count: usize, limit: i16| extremes(&mut random, count, limit);
    let float = |numbers: Vec<i16>| numbers.into_iter().map(|number| f32::from(number) / 100.0).collect();
    let biases = list(OUTPUT_BUCKETS * DENSE_1, i16::MAX).into_iter().map(|number| i32::from(number) * 500).collect();
    let dense = Dense {
        relations: list(RELATIONS * 2 * RELATED, MAX_RELATION_WEIGHT),
        weights_1: list(OUTPUT_BUCKETS * hidden * DENSE_1, MAX_DENSE_WEIGHT),
        biases_1: biases,
        weights_2: float(list(OUTPUT_BUCKETS * DENSE_1_OUT * DENSE_2, 1000)),
        biases_2: float(list(OUTPUT_BUCKETS * DENSE_2, 1000)),
        weights_3: float(list(OUTPUT_BUCKETS * DENSE_2_OUT, 1000)),
        biases_3: float(list(OUTPUT_BUCKETS, 1000)),
    };
    let (weights, biases) = (list(FEATURES * hidden, MAX_FEATURE_WEIGHT), list(hidden, MAX_FEATURE_BIAS));
    Network::with_dense("extremes", weights, biases, dense).expect("a network")
}

/// The network with a policy and a confidence.
fn guided(network: Network, seed: u64) -> Network {
    let mut random = Random(seed);
    let mut list = |count: usize, limit: i16| extremes(&mut random, count, limit);
    let policy = Policy::new(list(FEATURES * MOVES, MAX_FEATURE_WEIGHT), list(MOVES, MAX_FEATURE_BIAS));
    let outputs = OUTPUT_BUCKETS * QUANTILES.len();
    let biases = list(outputs, 30_000).into_iter().map(i32::from).collect();
    let confidence = Confidence::new(list(outputs * 2 * CONFIDENCE_INPUTS, MAX_OUTPUT_WEIGHT), biases, [-60, 70]);
    network.with_policy(Some(policy.expect("a policy"))).with_confidence(Some(confidence.expect("a confidence")))
}

/// What a walk has met: a walk that meets none of it proves nothing.
#[derive(Default)]
struct Met {
    castles: usize,
    promotions: usize,
    en_passants: usize,
    nulls: usize,
    crossings: usize,
    values: usize,
    moves: usize,
}

impl Met {
    fn note(&mut self, before: &Board, mv: Move) {
        self.castles += usize::from(mv.is_castle());
        self.promotions += usize::from(mv.is_promotion());
        self.en_passants += usize::from(mv.is_en_passant());
        let us = before.side_to_move();
        let wing = |board: &Board| board.king(us).file().index() / 4;
        self.crossings += usize::from(wing(before) != wing(&before.after(mv)));
    }
}

/// Prefers the moves that are rare and matter here.
fn choose(board: &Board, random: &mut Random) -> Option<Move> {
    let moves = board.legal_moves();
    let special: Vec<Move> =
        moves.iter().copied().filter(|mv| mv.is_castle() || mv.is_promotion() || mv.is_en_passant()).collect();
    let list: &[Move] = if special.is_empty() || random.is_one_in(3) { &moves } else { &special };
    if list.is_empty() { None } else { Some(list[random.below(list.len())]) }
}

/// Goes forth and back through the tree of a position, asks for values here and there, and compares each.
fn walk(network: &Arc<Network>, accumulators: &mut Accumulators, start: Board, random: &mut Random, met: &mut Met) {
    let mut map = MoveMap::new(network).expect("a policy");
    accumulators.reset(&start);
    let mut line = vec![start];
    for _ in 0..300 {
        let ply = line.len() - 1;
        let mut board = line[ply];
        if random.is_one_in(3) {
            met.values += 1;
            assert_eq!(accumulators.evaluate(&board, ply), network.evaluate(&board), "{board}");
            assert!(network.quantiles(&board).is_some());
            assert_eq!(accumulators.quantiles(&board, ply), network.quantiles(&board), "{board}");
        }
        if random.is_one_in(5) {
            let (logits, policy) = (map.of(&board), network.policy().expect("a policy"));
            for &mv in board.legal_moves().iter() {
                let kind = board.kind_on(mv.from()).expect("a piece");
                assert_eq!(logits.of(kind, mv.to()), policy.logit(&board, mv), "{mv:?} in {board}");
                met.moves += 1;
            }
        }
        if ply == PLIES || random.is_one_in(8) {
            line.truncate(1 + random.below(line.len()));
            continue;
        }
        if !board.in_check() && random.is_one_in(20) {
            accumulators.record(ply);
            board.make_null();
            met.nulls += 1;
        } else if let Some(mv) = choose(&board, random) {
            met.note(&board, mv);
            board.play_with(mv, &mut accumulators.record(ply));
        } else {
            line.truncate(1 + random.below(line.len()));
            continue;
        }
        line.push(board);
    }
}

const STARTS: [&str; 6] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "6k1/PPPP4/8/8/8/8/4pppp/1K6 w - - 0 1",
    "4k3/p1p1p1p1/8/1P1P1P1P/p1p1p1p1/8/1P1P1P1P/4K3 b - - 0 1",
    "8/8/8/3k4/8/4K3/8/8 w - - 0 1",
    "1rk3r1/pppppppp/8/8/8/8/PPPPPPPP/1RK3R1 w GBgb - 0 1",
];

fn chess960(random: &mut Random) -> Board {
    Board::chess960(random.below(960) as u16, random.below(960) as u16).expect("a start position")
}

fn walk_everywhere(network: Network, seed: u64) -> Met {
    let network = Arc::new(guided(network, seed));
    let mut accumulators = Accumulators::new(Arc::clone(&network), PLIES);
    let mut random = Random(seed);
    let mut met = Met::default();
    let fens = STARTS.iter().map(|fen| fen.parse().expect(fen));
    let shuffled = (0..24).map(|_| chess960(&mut random));
    let starts: Vec<Board> = fens.chain(shuffled).collect();
    for start in starts {
        walk(&network, &mut accumulators, start, &mut random, &mut met);
    }
    met
}

#[test]
fn values_are_those_computed_from_nothing() {
    for (index, hidden) in HIDDEN_SIZES.into_iter().enumerate() {
        let met = walk_everywhere(Network::random(hidden, index as u64).expect("a network"), index as u64);
        assert!(met.values > 1000 && met.nulls > 100 && met.crossings > 100, "size {hidden}");
        assert!(met.castles > 20 && met.promotions > 20 && met.en_passants > 5, "size {hidden}");
        assert!(met.moves > 10_000, "size {hidden}");
    }
}

#[test]
fn extreme_weights_are_no_exception() {
    for (index, hidden) in HIDDEN_SIZES.into_iter().enumerate() {
        walk_everywhere(extreme(hidden, 100 + index as u64), 50 + index as u64);
        walk_everywhere(extreme_dense(hidden, 200 + index as u64), 60 + index as u64);
    }
}

#[test]
fn dense_layers_are_no_exception() {
    for (index, hidden) in HIDDEN_SIZES.into_iter().enumerate() {
        let network = Network::random_dense(hidden, index as u64).expect("a network");
        let spread = |network: &Network| STARTS.map(|fen| network.evaluate(&fen.parse().expect(fen)));
        assert!(spread(&network).iter().any(|&value| value != spread(&network)[0]), "it says something");
        walk_everywhere(network, 70 + index as u64);
    }
}

#[test]
fn equal_positions_seen_from_the_other_side_have_equal_values() {
    for network in [Network::random(256, 9), Network::random_dense(256, 9)] {
        seen_from_both_sides(&guided(network.expect("a network"), 9));
    }
}

fn seen_from_both_sides(network: &Network) {
    let value = |fen: &str| {
        let board = fen.parse().expect(fen);
        (network.evaluate(&board), network.quantiles(&board))
    };
    let white = value("r3k3/1p3pp1/2n5/4P3/3Q4/5N2/PP3P2/2K4R w - - 0 1");
    assert_eq!(white, value("2k4r/pp3p2/5n2/3q4/4p3/2N5/1P3PP1/R3K3 b - - 0 1"));
    assert_eq!(white, value("3k3r/1pp3p1/5n2/3P4/4Q3/2N5/2P3PP/R4K2 w - - 0 1"));
    assert_ne!(white, value("r3k3/1p3pp1/2n5/4P3/3Q4/5N2/PP3P2/2K4R b - - 0 1"));
}

#[test]
fn an_accumulator_may_begin_anew_at_any_board() {
    let network = Arc::new(Network::random(128, 10).expect("a network"));
    let mut accumulators = Accumulators::new(Arc::clone(&network), 2);
    for fen in STARTS {
        let board: Board = fen.parse().expect(fen);
        accumulators.reset(&board);
        assert_eq!(accumulators.evaluate(&board, 0), network.evaluate(&board));
    }
}

#[test]
fn equal_moves_seen_from_the_other_side_have_equal_logits() {
    let network = guided(Network::random(128, 11).expect("a network"), 11);
    let logit = |fen: &str, mv: &str| {
        let board: Board = fen.parse().expect(fen);
        network.policy().expect("a policy").logit(&board, board.parse_uci(mv).expect(mv))
    };
    let white = logit("r3k3/1p3pp1/2n5/4P3/3Q4/5N2/PP3P2/2K4R w - - 0 1", "f3g5");
    assert_eq!(white, logit("2k4r/pp3p2/5n2/3q4/4p3/2N5/1P3PP1/R3K3 b - - 0 1", "f6g4"));
    assert_eq!(white, logit("3k3r/1pp3p1/5n2/3P4/4Q3/2N5/2P3PP/R4K2 w - - 0 1", "c3b5"));
    assert_ne!(white, logit("r3k3/1p3pp1/2n5/4P3/3Q4/5N2/PP3P2/2K4R w - - 0 1", "f3h4"));
}
