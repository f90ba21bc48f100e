//! The order of fastchess's compliance test, commands for people, and commands from the command line.

use std::time::Duration;

use crate::check::check;
use crate::common::{Folder, run};
use crate::harness::Engine;

#[test]
fn fastchess_compliance() {
    let mut engine = Engine::start();
    engine.send("uci");
    let lines = engine.until("uciok", |line| line == "uciok");
    engine.check(lines.iter().any(|line| line.starts_with("id name ")), "a name");
    engine.check(lines.iter().any(|line| line.starts_with("id author ")), "an author");
    engine.send("ucinewgame");
    engine.settle();
    let white = "fen 3r2k1/p5n1/1pq1p2p/2p3p1/2P1P1n1/1P1P2pP/PN1Q2K1/5R2 w - - 0 27";
    let black = "fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    for (position, go) in [
        (white, "go wtime 100"),
        (black, "go btime 100"),
        (black, "go wtime 100 winc 100 btime 100 binc 100"),
        (black, "go btime 100 binc 100 wtime 100 winc 100"),
        ("startpos", "go wtime 100 btime 100"),
        ("startpos moves e2e4 e7e5", "go wtime 100 btime 100"),
    ] {
        engine.send(&format!("ucinewgame\nposition {position}"));
        engine.settle();
        engine.send(go);
        let lines = engine.until("bestmove", |line| line.starts_with("bestmove"));
        let infos: Vec<_> = lines.iter().filter(|line| line.starts_with("info ")).collect();
        assert!(!infos.is_empty());
        for line in infos {
            let words: Vec<_> = line.split(' ').collect();
            engine.check(words.contains(&"score"), "a score in each line");
            for name in ["time", "nps", "score"] {
                let value = words.iter().position(|word| *word == name).and_then(|at| words.get(at + 1));
                engine.check(value.is_some_and(|value| !value.contains('.')), "whole numbers");
            }
        }
        let answer = engine.search(position, go);
        check(position, &answer);
    }
}

#[test]
fn perft_counts_below_each_move() {
    let mut engine = Engine::start();
    for line in ["go perft 3", "perft 3"] {
        engine.send(line);
        let lines = engine.until("the count", |line| line.starts_with("Nodes searched"));
        assert_eq!(lines.len(), 22);
        engine.check(lines.contains(&"e2e4: 600".into()) && lines[20].is_empty(), "a line for each move");
        assert_eq!(lines[21], "Nodes searched: 8902");
    }
    engine.send("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1\nsetoption name UCI_Chess960 value true\ngo perft 1");
    let lines = engine.until("the count", |line| line.starts_with("Nodes searched"));
    engine.check(lines.contains(&"e1h1: 1".into()), "castling as in Chess960");
    engine.send("perft 0");
    engine.until("the count", |line| line == "Nodes searched: 1");
    engine.send("position startpos\ngo perft 30");
    assert!(engine.settle().is_empty(), "readyok during the count");
    engine.send("stop");
    engine.until("the end", |line| line == "info string perft was stopped");
}

#[test]
fn counts_are_finished_before_quitting() {
    for end in ["quit\n", ""] {
        let mut engine = Engine::start();
        engine.send_bytes(format!("go perft 4\nposition startpos moves e2e4\ngo perft 3\n{end}").as_bytes());
        engine.close_input();
        let status = engine.end();
        let found = engine.transcript();
        assert!(
            status.success() && found.contains("Nodes searched: 197281") && found.contains("Nodes searched: 13160")
        );
    }
}

#[test]
fn commands_on_the_command_line_run_in_order() {
    let out = run(&["position startpos moves f2f3 e7e5 g2g4", "go depth 4", "d"]).good().out;
    let best = out.find("bestmove d8h4").expect("the mate is found");
    assert!(out.find("Black to move").is_some_and(|shown| shown > best), "in order: {out}");
    assert!(run(&["uci", "quit", "d"]).good().out.trim_end().ends_with("uciok"), "nothing after quit");
    assert!(run(&["go infinite"]).good().out.contains("bestmove"), "nobody could ever stop it");
    assert!(run(&["go perft 3"]).good().out.contains("Nodes searched: 8902"));
    run(&["uci", "swim"]).bad("cannot run \"swim\"");
    assert!(run(&["--version"]).good().out.starts_with("stillwater "));
    assert!(run(&["--help"]).good().out.contains("bench"));
}

/// The number of nodes in the last line, `N nodes M nps`.
fn nodes(output: &str) -> u64 {
    let words: Vec<_> = output.lines().last().expect("a line").split(' ').collect();
    assert!(words.len() == 4 && words[1] == "nodes" && words[3] == "nps", "{output}");
    assert!(words[2].parse::<u64>().is_ok(), "{output}");
    words[0].parse().expect("a number")
}

#[test]
fn bench_is_always_the_same() {
    let first = nodes(&run(&["bench", "4"]).good().out);
    assert!(first > 0);
    assert_eq!(nodes(&run(&["bench", "4", "16", "1"]).good().out), first);
    assert_eq!(nodes(&run(&["bench 4 16 1"]).good().out), first);
    let mut engine = Engine::start();
    engine.send("setoption name Hash value 1\nposition startpos moves e2e4\ngo depth 6");
    engine.answer();
    engine.send("bench 4");
    let lines = engine.until("the sum", |line| line.ends_with(" nps"));
    assert_eq!(nodes(lines.last().expect("a line")), first, "whatever was done before");
    run(&["bench", "0"]).bad("0 is not in 1..=246");
    let json = run(&["bench", "4", "--json"]).good().out;
    assert!(
        json.starts_with(&format!("{{\"depth\":4,\"nodes\":{first},\"seconds\":")) && json.ends_with("}\n"),
        "{json}"
    );
}

#[test]
fn tunables_are_listed_in_builds_that_have_them() {
    let said = run(&["tunables"]);
    if cfg!(feature = "tune") {
        assert!(said.good().out.lines().any(|line| line == "switch null_move 1"));
        let mut engine = Engine::start();
        engine.send(
            "setoption name null_move value false\nsetoption name lmr_base value 900\nsetoption name lmr_base value 1",
        );
        let notes = engine.settle().join("\n");
        assert!(notes.contains("lmr_base") && !notes.contains("null_move"), "{notes}");
    } else {
        said.bad("tune");
    }
}

#[test]
fn bench_can_be_stopped() {
    let mut engine = Engine::start();
    engine.send("bench 200");
    std::thread::sleep(Duration::from_millis(50));
    engine.send("stop");
    engine.until("the end", |line| line == "bench was stopped" || line.ends_with(" nps"));
}

#[test]
fn people_are_helped() {
    let mut engine = Engine::start();
    engine.send("help");
    let help = engine.settle().join("\n");
    for word in ["position", "setoption", "searchmoves", "bench", "perft", "savehash", "eval", "flip"] {
        assert!(help.contains(word), "{word}");
    }
    engine.send("compiler");
    let compiler = engine.settle().join("\n");
    engine.check(compiler.contains("rustc 1."), "says how it was built");
    engine.send("eval");
    assert!(!engine.settle().is_empty(), "explains the evaluation");
    assert_eq!(engine.shown("Checkers:"), "");
    engine.send("position startpos moves e2e4\nflip");
    assert_eq!(engine.fen(), "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    engine.send("position startpos moves f2f3 e7e5 g2g4 d8h4");
    assert_eq!(engine.shown("Game over:"), "Black mates");
    assert_eq!(engine.shown("Checkers:"), "h4");
    // Looking at the board does not disturb a search.
    engine.send("position startpos\ngo infinite\nd\neval\nhelp");
    engine.until("the board", |line| line.starts_with("Fen: "));
    engine.until("the end of the help", |line| line.trim_start().starts_with("help"));
    engine.keeps_searching(Duration::from_millis(50));
    engine.send("stop");
    engine.answer();
}

#[test]
fn the_log_has_every_line_both_ways() {
    let folder = Folder::new("log");
    let path = folder.path("log.txt");
    let mut engine = Engine::start();
    engine.send(&format!("setoption name Debug Log File value {path}"));
    engine.settle();
    engine.search("startpos", "go depth 1");
    engine.send("setoption name Debug Log File value <empty>");
    engine.settle();
    engine.send("uci");
    engine.until("uciok", |line| line == "uciok");
    let log = std::fs::read_to_string(&path).expect("a log");
    for line in [">> isready", "<< readyok", ">> position startpos", ">> go depth 1"] {
        assert!(log.lines().any(|found| found == line), "{line}: {log}");
    }
    assert!(log.contains("<< info depth 1 ") && log.contains("<< bestmove ") && !log.contains("uciok"), "{log}");
    let notes = engine.notes("setoption name Debug Log File value /nowhere/at/all");
    engine.check(notes.len() == 1, "a log that cannot be kept is complained of");
}

#[test]
fn the_hash_table_outlives_the_program() {
    let folder = Folder::new("hash");
    let path = folder.path("hash.bin");
    let mut engine = Engine::start();
    engine.send("setoption name Hash value 1");
    let first = engine.search("startpos", "go depth 4").last().nodes;
    engine.search("startpos", "go depth 8");
    let notes = engine.notes(&format!("savehash {path}"));
    engine.check(notes.len() == 1 && notes[0].ends_with("done"), "saved");
    let mut other = Engine::start();
    let notes = other.notes(&format!("loadhash {path}"));
    other.check(notes.len() == 1 && notes[0].ends_with("done"), "loaded");
    // A search as deep as the table need not repeat it node by node, but a shallow one has little left to do.
    let again = other.search("startpos", "go depth 4").last().nodes;
    other.check(again < first, "what was known saves work");
    std::fs::write(&path, b"a foreign file").expect("can be written");
    let notes = other.notes(&format!("loadhash {path}"));
    other.check(notes.len() == 1 && !notes[0].ends_with("done"), "a foreign file is refused");
}

/// OpenBench gives the command and `quit` as two arguments and reads the lines.
#[test]
fn openings_for_openbench() {
    let text = run(&["genfens 7 seed 1234 book None", "quit"]).good().out;
    let fens: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("info string genfens ")).collect();
    assert_eq!((fens.len(), text.lines().count()), (7, 7), "{text}");
    assert!(fens.iter().all(|fen| fen.parse::<chess::Board>().is_ok_and(|board| board.has_legal_moves())), "{text}");
    assert_eq!(run(&["genfens 7 seed 1234 book None", "quit"]).out, text);
    assert!(run(&["genfens 7 seed 1234 book /no/such/book", "quit"]).out.contains("cannot read /no/such/book"));
    assert!(run(&["genfens seven", "quit"]).out.contains("genfens needs a number"));
}
