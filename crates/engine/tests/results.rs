//! What a search returns, however early it ends and however it is called.

use std::error::Error;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use chess::Position;
use stillwater_engine::{Bound, Clock, Control, Engine, EngineError, Limits, Reporter, Score, SearchResult, Silent};

/// Positions without a mate in sight.
const POSITIONS: [&str; 5] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r1bqkb1r/pp3ppp/2n1pn2/1Bpp4/3P4/2P1PN2/PP3PPP/RNBQK2R b KQkq - 1 6",
];

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

/// The lines are legal, different, in order, and no more than asked for; their scores are such as these positions can have.
#[track_caller]
fn check(position: &Position, found: &SearchResult, multi_pv: usize, text: &str) {
    let lines: Vec<_> = found.lines().collect();
    let first: Vec<_> = lines.iter().map(|line| line.moves[0]).collect();
    assert!(lines.len() <= multi_pv, "{text}: {} lines", lines.len());
    assert!(
        first.iter().enumerate().all(|(index, mv)| !first[..index].contains(mv)),
        "{text}: a move twice: {first:?}"
    );
    assert_eq!(found.best_move(), Some(first[0]));
    for line in &lines {
        let mut position = position.clone();
        for &mv in &line.moves {
            assert!(position.is_playable(mv), "{text}: {line:?}");
            position.play(mv);
        }
        assert!(matches!(line.score, Score::Centipawns(-1500..=1500)), "{text}: {line:?}");
        assert_eq!(line.wdl.iter().sum::<u16>(), 1000, "{text}: {line:?}");
        assert!(line.depth <= found.best.depth + 1, "{text}: {lines:?}");
    }
    assert!(lines.is_sorted_by(|a, b| a.search_score >= b.search_score && a.score >= b.score), "{text}: {lines:?}");
}

/// Checks every report, and keeps the last.
struct Checking<'a>(&'a Position, usize, Option<SearchResult>);

impl Reporter for Checking<'_> {
    fn progress(&mut self, found: &SearchResult) {
        check(self.0, found, self.1, "on the way");
        assert_eq!(found.lines().count(), self.1.min(self.0.legal_moves().len()), "an iteration finishes all lines");
        self.2 = Some(found.clone());
    }
}

#[test]
fn a_search_cut_short_anywhere_returns_whole_lines_in_order() {
    let mut engine = Engine::new();
    engine.set_hash(1).expect("a megabyte");
    let mut interrupted = 0;
    for fen in POSITIONS {
        let position = Position::new(fen.parse().expect(fen));
        let mut limit = 1;
        while limit < 10_000 {
            for multi_pv in [1, 2, 3, 5] {
                engine.new_game();
                engine.options.multi_pv = multi_pv;
                let mut reporter = Checking(&position, multi_pv, None);
                let found = engine.search(&position, &nodes(limit), &Control::new(), &mut reporter);
                check(&position, &found, multi_pv, &format!("{fen}, {limit} nodes, {multi_pv} lines"));
                match reporter.2 {
                    // Once an iteration was complete, there is something to say of every line.
                    Some(last) => assert_eq!(found.others.len(), last.others.len(), "{fen}, {limit} nodes"),
                    None => interrupted += 1,
                }
            }
            limit += 1 + limit / 3;
        }
    }
    assert!(interrupted > 0, "no search ended before its first iteration did");
}

#[test]
fn a_single_node_is_enough_for_a_move_and_the_value_of_the_position() {
    for fen in POSITIONS {
        let position = Position::new(fen.parse().expect(fen));
        let mut engine = Engine::new();
        engine.options.multi_pv = 4;
        let found = engine.search(&position, &nodes(1), &Control::new(), &mut Silent);
        check(&position, &found, 4, fen);
        assert_eq!((found.best.depth, found.best.bound, found.others.len()), (0, Bound::Exact, 0), "{fen}");
    }
}

#[test]
fn a_search_that_ends_by_itself_returns_what_it_told_last() {
    struct Last(Option<SearchResult>);
    impl Reporter for Last {
        fn progress(&mut self, found: &SearchResult) {
            self.0 = Some(found.clone());
        }
    }
    for fen in POSITIONS {
        let position = Position::new(fen.parse().expect(fen));
        let mut engine = Engine::new();
        engine.options.multi_pv = 3;
        let mut last = Last(None);
        let limits = Limits { depth: Some(7), ..Limits::default() };
        let found = engine.search(&position, &limits, &Control::new(), &mut last);
        assert!(last.0.is_some_and(|last| last.has_lines_of(&found) && last.nodes == found.nodes), "{fen}");
        assert!(found.lines().all(|line| line.depth == 7 && line.bound == Bound::Exact), "{fen}");
        assert_eq!(found.ponder_move(), found.best.moves.get(1).copied());
    }
}

#[test]
fn games_that_are_over_have_a_score_and_no_moves() {
    let search = |fen: &str| {
        let position = Position::new(fen.parse().expect(fen));
        Engine::new().search(&position, &nodes(100), &Control::new(), &mut Silent)
    };
    let mated = search("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1");
    assert_eq!((mated.best_move(), mated.best.score, mated.best.wdl), (None, Score::Mate(0), [0, 0, 1000]));
    let stalemate = search("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    assert_eq!(
        (stalemate.best_move(), stalemate.best.score, stalemate.best.wdl),
        (None, Score::Centipawns(0), [0, 1000, 0])
    );
}

#[test]
fn the_callers_stack_does_not_matter() {
    let search = || {
        let position = Position::new(POSITIONS[2].parse().expect("a position"));
        let limits = Limits { depth: Some(11), ..Limits::default() };
        Engine::new().search(&position, &limits, &Control::new(), &mut Silent)
    };
    // Far less than the deep lines of this search need.
    let small = thread::Builder::new().stack_size(48 << 10).spawn(search).expect("a thread");
    assert!(search().has_lines_of(&small.join().expect("room enough")));
}

#[test]
fn pondering_ends_with_the_hit_and_not_before() {
    let (control, is_done) = (Control::new(), AtomicBool::new(false));
    let limits = Limits { ponder: true, nodes: Some(2000), ..Limits::default() };
    thread::scope(|scope| {
        let thread = scope.spawn(|| {
            let found = Engine::new().search(&Position::start(), &limits, &control, &mut Silent);
            is_done.store(true, Ordering::SeqCst);
            found
        });
        thread::sleep(Duration::from_millis(300));
        assert!(!is_done.load(Ordering::SeqCst), "the opponent is still thinking");
        control.ponder_hit();
        let found = thread.join().expect("a result");
        assert!(found.best_move().is_some() && found.nodes > 2000, "limits count from the hit on");
    });
    // A hit that comes before the search begins is not lost.
    let found = Engine::new().search(&Position::start(), &limits, &control, &mut Silent);
    assert!(found.nodes <= 2001);
}

#[test]
fn errors_name_the_file_and_keep_their_cause() {
    let path = Path::new("there/is no/such file");
    let mut engine = Engine::new();
    let error = engine.load_network(path).expect_err("no network");
    assert!(error.to_string().contains("such file"), "{error}");
    let cause = std::iter::successors(error.source(), |&error| error.source()).last().expect("a cause");
    assert!(cause.is::<std::io::Error>(), "{cause:?}");
    assert!(matches!(engine.load_hash(&mut &b"no table"[..], 8), Err(EngineError::HashFile(_))));
}

#[test]
fn a_ponder_hit_ends_a_search_that_has_taken_its_time() {
    let position = Position::start();
    let clock = Clock { remaining: Duration::from_secs(12), ..Clock::default() };
    let limits = Limits { ponder: true, clock: Some(clock), ..Limits::default() };
    let control = Control::new();
    let late = thread::scope(|scope| {
        let search = scope.spawn(|| Engine::new().search(&position, &limits, &control, &mut Silent));
        // The move deserves half a second, and could have two and a half.
        thread::sleep(Duration::from_millis(1500));
        let hit = Instant::now();
        control.ponder_hit();
        search.join().expect("the search ends");
        hit.elapsed()
    });
    assert!(late < Duration::from_millis(500), "{late:?}");
}

#[test]
fn positions_that_teach_nothing_may_have_fewer_nodes() {
    let nodes = |fen: &str| {
        let position = Position::new(fen.parse().expect(fen));
        let limits = Limits { soft_nodes: Some(20_000), noisy_nodes: Some(200), ..Limits::default() };
        Engine::new().search(&position, &limits, &Control::new(), &mut Silent).nodes
    };
    assert!(nodes("4k3/5ppp/8/8/3q4/8/3R1PPP/4K3 w - - 0 1") < 2_000, "the rook takes the queen");
    assert!(nodes("rnb1kbnr/pppp1ppp/8/4p3/4P2q/5P2/PPPP2PP/RNBQKBNR w KQkq - 0 1") < 2_000, "in check");
    assert!(nodes(POSITIONS[0]) >= 20_000, "a quiet move");
}
