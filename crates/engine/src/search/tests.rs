//! The search as a whole, and the picker against plain move generation. Single rules are tested in their own files.

use std::collections::HashSet;
use std::sync::Arc;

use chess::{Board, Move, Position, zobrist::splitmix};

use super::fixture::{find, warm_memory, with_shared, with_worker, worker_at};
use super::history::PieceTo;
use super::picker::{Picker, Stage};
use super::worker::Worker;
use crate::{Control, Engine, Limits, Network, Reporter, Score, SearchResult};

/// Positions of random games, each with the move that led there at ply 0, for a thread that has searched before.
fn with_workers(games: usize, mut check: impl FnMut(&mut Worker<'_>, &mut dyn FnMut(usize) -> usize)) {
    let mut memory = warm_memory();
    let mut seed = 11;
    let mut random = move |limit: usize| {
        seed += 1;
        (splitmix(seed) % limit.max(1) as u64) as usize
    };
    with_shared(|shared| {
        for game in 0..games {
            let number = random(960) as u16;
            let number = if game % 2 == 0 { 518 } else { number };
            let mut position = Position::new(Board::chess960(number, number).expect("a start position"));
            let mut last = None;
            for _ in 0..120 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let mut worker = worker_at(shared, &mut memory, position.clone());
                worker.stack.at_mut(0).piece_to = last;
                check(&mut worker, &mut random);
                let mv = moves[random(moves.len())];
                last = Some(PieceTo::of(position.board(), mv));
                position.play(mv);
            }
        }
    });
}

fn drain(worker: &mut Worker<'_>, picker: Picker) -> Vec<Move> {
    drain_by_stage(worker, picker).into_iter().map(|(mv, _)| mv).collect()
}

/// All moves of a picker, each with the stage that offered it.
fn drain_by_stage(worker: &mut Worker<'_>, mut picker: Picker) -> Vec<(Move, Stage)> {
    let base = worker.pool.0.len();
    let mut moves = Vec::new();
    while let Some(mv) = picker.next(worker) {
        moves.push((mv, picker.last_stage()));
    }
    picker.finish(worker.pool);
    assert_eq!(worker.pool.0.len(), base, "the pool is given back");
    let distinct: HashSet<_> = moves.iter().map(|(mv, _)| mv).collect();
    assert_eq!(distinct.len(), moves.len(), "a move was offered twice: {moves:?}");
    moves
}

fn set(moves: &[Move]) -> HashSet<Move> {
    moves.iter().copied().collect()
}

/// Any hash move, legal here or not: one of this position, one of another, or nonsense.
fn some_hash_move(legal: &[Move], random: &mut dyn FnMut(usize) -> usize) -> Option<Move> {
    match random(4) {
        0 => None,
        1 => Move::from_bits(random(65_536) as u16),
        _ => legal.get(random(legal.len())).copied(),
    }
}

#[test]
fn every_path_offers_exactly_its_moves_once_and_the_hash_move_first() {
    let mut stages = HashSet::new();
    with_workers(40, |worker, random| {
        let board = *worker.position.board();
        let legal = board.legal_moves();
        let hash = some_hash_move(&legal, random);
        // Killers and countermoves may be any moves too.
        worker.stack.at_mut(1).killers = [some_hash_move(&legal, random), some_hash_move(&legal, random)];
        worker.stack.at_mut(1).mate_killer = some_hash_move(&legal, random);
        if let Some(countermove) = some_hash_move(&legal, random) {
            worker.histories.set_countermove(worker.stack.at(0).piece_to, countermove);
        }
        let depth = random(9) as i32 + 1;

        let by_stage = drain_by_stage(worker, Picker::main(worker, hash, depth, 1));
        stages.extend(by_stage.iter().map(|(_, stage)| *stage));
        let main: Vec<_> = by_stage.into_iter().map(|(mv, _)| mv).collect();
        assert_eq!(set(&main), set(&legal), "{board}");
        if let Some(hash) = hash.filter(|mv| legal.contains(mv)) {
            assert_eq!(main[0], hash);
        }

        let square = legal.get(random(legal.len())).map(|mv| mv.to());
        let quiescence = |depth| drain(worker, Picker::quiescence(worker, hash, depth, square, 1));
        let [with_checks, captures, recaptures] = [0, -1, -5].map(quiescence);
        if board.in_check() {
            for moves in [with_checks, captures, recaptures] {
                assert_eq!(set(&moves), set(&legal));
            }
            return;
        }
        let info = board.check_info();
        let hash_is = |mv: &Move| Some(*mv) == hash;
        let noisy = |mv: &&Move| mv.is_noisy();
        let tactical = |mv: &&Move| mv.is_noisy() || board.gives_check(**mv, &info) || hash_is(mv);
        assert_eq!(set(&with_checks), legal.iter().filter(tactical).copied().collect());
        assert_eq!(set(&captures), legal.iter().filter(noisy).copied().collect());
        let again = |mv: &&Move| mv.is_capture() && Some(mv.to()) == square;
        assert_eq!(set(&recaptures), legal.iter().filter(again).copied().collect());

        let threshold = random(600) as i32 - 300;
        let probcut = drain(worker, Picker::probcut(worker, hash, threshold, 1));
        let winning = |mv: &&Move| mv.is_capture() && board.see_ge(**mv, threshold + 1);
        assert_eq!(set(&probcut), legal.iter().filter(winning).copied().collect());
    });
    use Stage::{BadNoisy, Countermove, Evasion, EvasionHash, FirstKiller, GoodNoisy, MainHash, MateKiller, Quiet};
    let wanted = [MainHash, GoodNoisy, MateKiller, FirstKiller, Stage::SecondKiller, Countermove, Quiet, BadNoisy];
    for stage in wanted.into_iter().chain([EvasionHash, Evasion]) {
        assert!(stages.contains(&stage), "{stage:?} never offered a move");
    }
}

#[test]
fn the_countermove_comes_before_quiet_moves_and_only_after_its_move() {
    with_worker("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/8/PPPP1PPP/RNBQK1NR w KQkq - 2 3", |worker| {
        let mv = find(worker, "d1h5");
        worker.make(mv, 0);
        let [answer, killer] = ["g7g6", "g8f6"].map(|mv| find(worker, mv));
        worker.histories.set_countermove(worker.stack.at(0).piece_to, answer);
        worker.stack.at_mut(1).killers[0] = Some(killer);
        let first_quiets = |worker: &mut Worker<'_>| -> Vec<_> {
            let picker = Picker::main(worker, None, 8, 1);
            drain_by_stage(worker, picker).into_iter().filter(|(mv, _)| mv.is_quiet()).take(2).collect()
        };
        assert_eq!(first_quiets(worker), [(killer, Stage::FirstKiller), (answer, Stage::Countermove)]);
        worker.position.unmake();
        let mv = find(worker, "d1f3");
        worker.make(mv, 0);
        assert_eq!(first_quiets(worker)[1].1, Stage::Quiet, "no answer to this queen's move is known");
    });
}

#[test]
fn quiet_moves_that_check_come_first_unless_they_lose_the_piece() {
    // The rook checks on a3, or on e1 where the pawn takes it.
    with_worker("8/8/8/8/8/4k3/3p4/R5K1 w - - 0 1", |worker| {
        let picker = Picker::main(worker, None, 5, 1);
        let moves = drain(worker, picker);
        assert_eq!(moves[0], find(worker, "a1a3"));
        assert_ne!(moves[1], find(worker, "a1e1"));
    });
}

#[test]
fn losing_captures_come_last_and_quiets_can_be_skipped() {
    with_workers(12, |worker, random| {
        let board = *worker.position.board();
        if board.in_check() {
            return;
        }
        let legal = board.legal_moves();
        let moves = drain(worker, Picker::main(worker, None, 8, 1));
        let first_quiet = moves.iter().position(|mv| mv.is_quiet()).unwrap_or(moves.len());
        let clearly_losing = |mv: &&Move| mv.is_noisy() && !board.see_ge(**mv, -700);
        assert_eq!(moves[..first_quiet].iter().filter(clearly_losing).count(), 0, "{board}");

        let hash = some_hash_move(&legal, random).filter(|mv| legal.contains(mv));
        let mut picker = Picker::main(worker, hash, 8, 1);
        picker.skip_quiets();
        let noisy = drain(worker, picker);
        assert_eq!(set(&noisy), legal.iter().filter(|mv| mv.is_noisy() || Some(**mv) == hash).copied().collect());
    });
}

/// Keeps all reports.
#[derive(Default)]
struct Capture(Vec<SearchResult>);

impl Reporter for Capture {
    fn progress(&mut self, found: &SearchResult) {
        self.0.push(found.clone());
    }
}

/// The final result, and the reports on the way.
fn search(engine: &mut Engine, fen: &str, limits: &Limits) -> (SearchResult, Vec<SearchResult>) {
    let position = Position::new(fen.parse().expect(fen));
    let mut capture = Capture::default();
    let result = engine.search(&position, limits, &Control::new(), &mut capture);
    (result, capture.0)
}

fn to_depth(depth: i32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

#[test]
fn mates_are_found_and_counted() {
    for (fen, best, moves) in [
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8", 1),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "a1a6", 2),
        ("7k/8/8/8/8/8/r7/1r4K1 w - - 0 1", "", -1),
    ] {
        let (found, _) = search(&mut Engine::new(), fen, &to_depth(8));
        let line = &found.best;
        if moves > 0 {
            assert_eq!(found.best_move().map(|mv| mv.uci(false)).as_deref(), Some(best), "{fen}");
            assert_eq!(line.score, Score::Mate(moves), "{fen}");
            assert_eq!(line.moves.len(), 2 * moves as usize - 1, "{fen}");
        } else {
            assert_eq!((found.best_move(), line.depth), (None, 0), "{fen}");
        }
    }
}

#[test]
fn every_depth_is_told_and_lines_are_legal() {
    for fen in [
        chess::fen::START,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "8/8/8/8/5kp1/P7/8/1K1N4 w - - 0 1",
    ] {
        let mut engine = Engine::new();
        engine.options.multi_pv = 3;
        let (found, reports) = search(&mut engine, fen, &to_depth(9));
        for (report, depth) in reports.iter().zip(1..) {
            assert_eq!(report.lines().map(|line| line.depth).collect::<Vec<_>>(), [depth; 3], "{fen}");
        }
        for line in reports.iter().flat_map(SearchResult::lines) {
            let mut position = Position::new(fen.parse().expect(fen));
            for &mv in &line.moves {
                assert!(position.is_playable(mv), "{fen}: {:?}", line.moves);
                position.play(mv);
            }
        }
        assert_eq!(reports.len(), 9, "{fen}");
        assert!(reports.last().is_some_and(|last| last.has_lines_of(&found)), "{fen}");
    }
}

#[test]
fn the_same_search_twice_is_the_same_to_the_node() {
    let limits = Limits { nodes: Some(30_000), ..Limits::default() };
    let mut engine = Engine::new();
    let mut run = || {
        engine.new_game();
        let fen = "r1bqk2r/ppp2ppp/2np1n2/2b1p3/2B1P3/2PP1N2/PP3PPP/RNBQK2R w KQkq - 0 6";
        search(&mut engine, fen, &limits).0
    };
    let (first, second) = (run(), run());
    assert!(first.has_lines_of(&second) && first.nodes == second.nodes);
    assert!(first.nodes <= 30_000, "{}", first.nodes);
}

#[test]
fn limits_are_kept() {
    let mut engine = Engine::new();
    for nodes in [1, 100, 5000] {
        let (found, _) = search(&mut engine, chess::fen::START, &Limits { nodes: Some(nodes), ..Limits::default() });
        assert!(found.best_move().is_some() && found.nodes <= nodes + 1, "{found:?}");
    }
    let only = Position::start().parse_uci("a2a3").expect("a legal move");
    let limits = Limits { search_moves: vec![only], ..to_depth(6) };
    assert_eq!(search(&mut engine, chess::fen::START, &limits).0.best_move(), Some(only));
    let limits = Limits { mate: Some(1), ..Limits::default() };
    assert!(search(&mut engine, "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", &limits).0.best_move().is_some());
}

#[test]
fn several_threads_agree_on_a_legal_move() {
    let mut engine = Engine::new();
    engine.options.threads = 3;
    let (found, reports) = search(&mut engine, chess::fen::START, &to_depth(10));
    assert!(Position::start().legal_moves().contains(&found.best_move().expect("a move")));
    assert!(reports.iter().any(|report| report.best.depth == 10));
}

#[test]
fn a_network_takes_over_and_gives_back() {
    // Debug builds compare every value in these searches with one computed from scratch.
    let limits = Limits { nodes: Some(8000), ..Limits::default() };
    let fens = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 w AEae - 0 1",
    ];
    let think = |engine: &mut Engine| {
        engine.new_game();
        fens.map(|fen| {
            let found = search(engine, fen, &limits).0;
            (found.best_move(), found.best.score)
        })
    };
    let mut engine = Engine::new();
    engine.set_network(None);
    let hand = think(&mut engine);
    let network = Arc::new(Network::random(128, 1).expect("a network"));
    engine.set_network(Some(Arc::clone(&network)));
    let first = think(&mut engine);
    assert_ne!(first, hand);
    assert_eq!(think(&mut engine), first);
    engine.set_network(Some(Arc::new(Network::random(384, 2).expect("a network"))));
    assert_ne!(think(&mut engine), first);
    engine.set_network(None);
    assert_eq!(think(&mut engine), hand);
    engine.set_network(Some(network));
    assert_eq!(think(&mut engine), first);
    engine.options.threads = 3;
    assert!(search(&mut engine, chess::fen::START, &to_depth(8)).0.best_move().is_some());
}

#[test]
fn a_draw_by_repetition_is_taken_when_losing() {
    // White is lost but for a perpetual check.
    let (found, _) = search(&mut Engine::new(), "6k1/6p1/8/6KQ/1r6/q2b4/8/8 w - - 0 1", &to_depth(10));
    assert_eq!(found.best_move().map(|mv| mv.uci(false)).as_deref(), Some("h5e8"));
    assert!(found.best.score.centipawns().abs() < 10);
}
