//! Corner cases 1 to 6, 8 to 10: when a search begins and ends.

use std::time::{Duration, Instant};

use uci::Reply;

use crate::check::check;
#[cfg(target_os = "linux")]
use crate::common::ticks;
use crate::harness::{Engine, position};

const MATE_IN_1: &str = "fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
const ONE_MOVE: &str = "fen k7/7R/8/8/8/2p5/2P5/K7 b - - 0 1";
const BARE_KINGS: &str = "fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1";
const MATED: &str = "fen R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1";
const STALEMATE: &str = "fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";

/// Time for a search that should not have ended to show it.
const A_WHILE: Duration = Duration::from_millis(250);

#[test]
fn corner_01_infinite_and_ponder_answer_only_when_told() {
    let mut engine = Engine::start();
    for position in ["startpos", MATE_IN_1, ONE_MOVE, BARE_KINGS, MATED, STALEMATE] {
        for go in ["go infinite", "go infinite depth 1", "go ponder wtime 1 btime 1"] {
            engine.send(&format!("position {position}\n{go}"));
            engine.keeps_searching(A_WHILE);
            engine.send("stop");
            let answer = engine.answer();
            let over = [MATED, STALEMATE].contains(&position);
            engine.check(answer.best.is_none() == over, "a move if and only if there is one");
        }
    }
    engine.send("position startpos\ngo ponder wtime 20 btime 20");
    engine.keeps_searching(A_WHILE);
    engine.send("ponderhit");
    assert!(engine.answer().best.is_some());
    assert!(engine.settle().is_empty(), "one answer to each search");
}

#[cfg(target_os = "linux")]
#[test]
fn corner_01_waiting_costs_nothing() {
    let mut engine = Engine::start();
    for (position, go) in
        [("startpos", "go infinite depth 2"), ("startpos", "go ponder depth 2"), (STALEMATE, "go infinite")]
    {
        engine.send(&format!("position {position}\n{go}"));
        // However slow the machine: once it sleeps, it sleeps.
        let asleep = (0..20).any(|_| {
            let before = ticks(engine.id());
            std::thread::sleep(Duration::from_millis(200));
            before.zip(ticks(engine.id())).is_some_and(|(before, after)| after - before <= 1)
        });
        engine.check(asleep, "a finished search should sleep until it is released");
        engine.send("stop");
        engine.answer();
    }
}

#[test]
fn corner_02_stop_at_once_gives_a_move_and_a_score() {
    let mut engine = Engine::start();
    for (round, text) in ["startpos", MATE_IN_1, ONE_MOVE, BARE_KINGS].iter().cycle().take(40).enumerate() {
        engine.send(&format!("position {text}\ngo infinite\nstop"));
        let answer = engine.answer();
        engine.check(answer.best.is_some_and(|mv| mv.on(&position(text)).is_some()), "a legal move");
        engine.check(answer.infos.iter().any(|info| info.score.is_some()), "a score before the answer");
        if round % 4 == 0 {
            check(text, &answer);
        }
    }
}

#[test]
fn corner_03_stop_and_ponderhit_while_idle_are_silent() {
    let mut engine = Engine::start();
    engine.send("stop\nponderhit\nstop");
    assert!(engine.settle().is_empty());
    engine.search("startpos", "go depth 1");
    engine.send("ponderhit\nstop\nstop");
    assert!(engine.settle().is_empty());
    // Nor do they reach the next search.
    engine.send("stop\ngo infinite");
    engine.keeps_searching(A_WHILE);
}

#[test]
fn corner_04_a_fast_stop_or_ponderhit_is_never_lost() {
    let mut engine = Engine::start();
    engine.send("position startpos");
    for _ in 0..60 {
        engine.send("go infinite\nstop");
        engine.answer();
        engine.send("go ponder movetime 5\nponderhit");
        engine.answer();
    }
    engine.send(&"go infinite\nstop\n".repeat(40));
    for _ in 0..40 {
        engine.answer();
    }
    assert!(engine.settle().is_empty(), "as many answers as searches");
}

#[test]
fn corner_05_isready_is_answered_at_once_during_a_search() {
    let mut engine = Engine::start();
    engine.send("setoption name MultiPV value 5\nposition startpos\ngo infinite");
    for _ in 0..30 {
        let start = Instant::now();
        for line in engine.settle() {
            engine.check(matches!(line.parse(), Ok(Reply::Info(_))), "nothing but whole info lines");
        }
        engine.check(start.elapsed() < Duration::from_secs(2), "readyok at once");
    }
    engine.keeps_searching(A_WHILE);
    engine.send("stop");
    engine.answer();
}

#[test]
fn corner_06_commands_during_a_search_stop_it_and_are_obeyed() {
    let mut engine = Engine::start();
    engine.send("position startpos\ngo infinite\nposition startpos moves e2e4");
    let answer = engine.answer();
    engine.check(answer.best.is_some_and(|mv| mv.on(&position("startpos")).is_some()), "a move of the old position");
    assert!(engine.fen().contains(" b KQkq"), "the new position stands");

    engine.send("go infinite\nsetoption name MultiPV value 2\ngo depth 3");
    engine.answer();
    assert_eq!(engine.answer().exact(2).count(), 3, "the option was set in between");

    engine.send("go infinite\nucinewgame\ngo infinite\ngo depth 2");
    for _ in 0..3 {
        engine.answer();
    }
    // A complaint waits for the answer as well.
    engine.send("go infinite\nposition fen nonsense");
    let lines = engine.until("complaint", |line| line.starts_with("info string"));
    engine.check(lines.iter().rev().nth(1).is_some_and(|line| line.starts_with("bestmove")), "answer, then complaint");
    assert!(engine.settle().is_empty());
}

#[test]
fn corner_08_a_game_that_is_over_has_a_score_and_no_move() {
    let mut engine = Engine::start();
    for (position, score) in [(MATED, "mate 0"), (STALEMATE, "cp 0")] {
        for go in ["go depth 5", "go wtime 1000 btime 1000", "go nodes 100", "go movetime 10", "go mate 2"] {
            engine.send(&format!("position {position}\n{go}"));
            let lines = engine.until("bestmove", |line| line.starts_with("bestmove"));
            assert_eq!(lines, [format!("info depth 0 score {score}"), "bestmove (none)".into()]);
        }
    }
}

#[test]
fn corner_09_strange_clocks_give_a_legal_move_quickly() {
    let mut engine = Engine::start();
    let strange = [
        "wtime 0 btime 0",
        "wtime -1000 btime -1000",
        "wtime -1000 btime 600 winc -5 binc -5",
        "wtime 0 btime 0 winc 100 binc 100",
        "wtime 100",
        "btime 100",
        "winc 100 binc 100",
        "winc 50",
        "binc 50",
        "wtime 100 btime 100 movestogo 0",
        "wtime 100 btime 100 movestogo -3",
        "wtime 100 btime 100 movestogo 1",
        "movestogo 5",
        "movetime 0",
        "movetime -50",
        "wtime btime 100",
        "depth 0",
        "depth -4",
        "nodes 0",
        "mate 0 movetime 20",
        "wtime 1 btime 1 winc 99999999999999999999 binc 0 movetime 50",
    ];
    for text in ["startpos", "startpos moves e2e4"] {
        for clock in strange {
            let start = Instant::now();
            let answer = engine.search(text, &format!("go {clock}"));
            engine.check(answer.best.is_some_and(|mv| mv.on(&position(text)).is_some()), "a legal move");
            engine.check(start.elapsed() < Duration::from_secs(4), "quickly");
        }
    }
    assert!(engine.settle().is_empty());
}

#[test]
fn corner_10_the_first_limit_reached_ends_the_search() {
    let mut engine = Engine::start();
    let long = "wtime 9000000 btime 9000000";
    let answer = engine.search("startpos", &format!("go depth 3 movetime 600000 nodes 99999999 {long}"));
    assert_eq!(answer.last().depth, Some(3));
    let answer = engine.search("startpos", &format!("go {long} nodes 3000 depth 99"));
    let nodes = answer.last().nodes.expect("nodes");
    engine.check(nodes <= 3100, "no more nodes than allowed, but for those between two looks at the limit");
    let start = Instant::now();
    engine.search("startpos", &format!("go depth 200 {long} movetime 100"));
    engine.check(start.elapsed() < Duration::from_secs(5), "the time ends it");
    let answer = engine.search(MATE_IN_1, &format!("go mate 1 {long}"));
    engine.check(answer.best() == "a1a8", "the mate ends it");
}
