//! Corner cases 7, 17 to 19: bad input of every kind, and the end of it.

use std::process::Stdio;
use std::time::Duration;

use crate::common::{Folder, command, run_with};
use crate::harness::Engine;

#[test]
fn corner_07_bad_input_gets_a_reason_and_changes_nothing() {
    let mut engine = Engine::start();
    engine.send("position startpos moves e2e4 c7c5");
    let before = engine.fen();
    for (line, reason) in [
        ("position", "startpos or fen"),
        ("position fen", "needs a FEN"),
        ("position fen nonsense", "ranks instead of 8"),
        ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "0 kings"),
        ("position fen 4k3/8/8/8/8/8/8/4K3 x - - 0 1", "side to move"),
        ("position fen 4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", "is in check"),
        ("position fen 4k3/8/8/8/8/8/8/4K3 w KX - 0 1", "castling"),
        ("position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1 extra", "after the end"),
        ("position startpos moves e2e4 e7e5 e2e4", "move 3 of the list, e2e4"),
        ("position startpos moves e2e9", "does not look like a move"),
        ("position startpos moves 0000", "does not look like a move"),
        ("position startpos moves e7e5", "is not legal"),
        ("position midgame", "midgame"),
        ("setoption name Hash value lots", "not a whole number"),
        ("setoption name Hash value 0", "between 1 and"),
        ("setoption name Hash value -5", "between 1 and"),
        ("setoption name Hash value 99999999999999999999", "between 1 and"),
        ("setoption name Hash", "value is missing"),
        ("setoption name Ponder value maybe", "true nor false"),
        ("setoption name Contempt value 3", "no option \"Contempt\""),
        ("setoption", "name of an option"),
        ("debug", "on or off"),
        ("perft", "needs a depth"),
        ("perft x", "needs a number"),
        ("bench x", "invalid value"),
        ("bench 1 1 1 1 1", "unexpected"),
        ("savehash", "path of a file"),
        ("loadhash /nowhere/at/all", "loadhash"),
        ("savehash /nowhere/at/all", "savehash"),
        ("hello there", "unknown command \"hello there\""),
    ] {
        let notes = engine.notes(line);
        engine.check(notes.len() == 1 && notes[0].contains(reason), &format!("{line} should be answered: {reason}"));
        assert_eq!(engine.fen(), before, "{line}");
    }
    engine.send("position startpos moves e2e4 c7c5");
    // A search starts in any case, since an answer is awaited.
    for (line, reason) in [
        ("go depth many", "needs a number"),
        ("go depth", "needs a number"),
        ("go movetime 3.5", "needs a number"),
        ("go swiftly", "swiftly"),
        ("go depth 2 searchmoves xyz", "does not look like a move"),
    ] {
        engine.send(line);
        let answer = engine.answer();
        engine
            .check(answer.best.is_some() && answer.notes.iter().any(|note| note.contains(reason)), "told, and played");
    }
    assert_eq!(engine.fen(), before);
}

#[test]
fn fens_of_other_programs_are_repaired_with_a_word() {
    let mut engine = Engine::start();
    for (fen, repaired, reason) in [
        (
            "r2qkb1r/pp2nppp/3p4/2pNN1B1/2BnP3/3P4/PPP2PPP/R2bK2R w KQkq - 1 0",
            "r2qkb1r/pp2nppp/3p4/2pNN1B1/2BnP3/3P4/PPP2PPP/R2bK2R w KQkq - 1 1",
            "the move number is 0",
        ),
        ("4k3/8/8/8/8/8/8/4K2R w Kq - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "castling right 'q'"),
        ("4k3/8/8/8/8/8/8/4K2R", "4k3/8/8/8/8/8/8/4K2R w - - 0 1", "does not say who moves"),
    ] {
        let notes = engine.notes(&format!("position fen {fen}"));
        engine.check(notes.len() == 1 && notes[0].contains(reason), reason);
        assert_eq!(engine.fen(), repaired);
    }
    assert!(engine.notes("position fen 4k3/8/8/8/8/8/8/4K2R w K -").is_empty(), "counters may be missing");
}

#[test]
fn a_refused_position_is_not_answered_with_a_move_for_another() {
    let mut engine = Engine::start();
    engine.send("position startpos moves e2e4");
    for line in ["position fen 8/8/8/8/8/8/8/8 w - - 0 1", "position startpos moves e2e5", "position midgame"] {
        assert_eq!(engine.notes(line).len(), 1, "{line}");
        engine.send("go depth 3");
        let answer = engine.answer();
        let told = answer.notes.iter().any(|note| note.contains("the last position was refused"));
        engine.check(answer.best.is_none() && told, "no move, and the reason");
    }
    // The answer comes when it is due.
    engine.send("go infinite");
    engine.settle();
    engine.send("stop");
    let answer = engine.answer();
    engine.check(answer.best.is_none(), "no move");
    let answer = engine.search("startpos", "go depth 3");
    engine.check(answer.best.is_some(), "a position that can be used ends it");
}

#[test]
fn corner_17_end_of_input_quits() {
    for lines in ["", "uci", "position startpos\ngo infinite", "go ponder wtime 1 btime 1", "go movetime 600000"] {
        let mut engine = Engine::start();
        if !lines.is_empty() {
            engine.send(lines);
        }
        engine.close_input();
        let status = engine.end();
        engine.check(status.success(), "a peaceful end");
        let answers = engine.transcript().matches("< bestmove").count();
        assert_eq!(answers, lines.matches("go ").count(), "the search was answered");
    }
}

#[test]
fn corner_17_quit_quits_during_a_search() {
    for lines in ["quit", "go infinite\nquit", "go ponder movetime 9\nquit", "joho quit"] {
        let mut engine = Engine::start();
        engine.send(lines);
        let status = engine.end();
        engine.check(status.success(), "a peaceful end");
    }
}

#[test]
fn corner_17_a_closed_output_quits_without_a_panic() {
    for lines in ["uci\n", "isready\n", "position startpos\ngo infinite\n", "go depth 30\n", "d\n"] {
        let mut child = command(&[]).stdin(Stdio::piped()).spawn().expect("the program runs");
        drop(child.stdout.take());
        let mut input = child.stdin.take().expect("a pipe");
        // It may be gone already, which is just as well.
        let _ = std::io::Write::write_all(&mut input, lines.as_bytes());
        // The input stays open: only the output can have told it to go.
        let deadline = std::time::Instant::now() + crate::harness::PATIENCE;
        while child.try_wait().expect("can be waited for").is_none() {
            assert!(std::time::Instant::now() < deadline, "still there after {lines:?}");
            std::thread::sleep(Duration::from_millis(20));
            // Another test that starts a process just now may hold our end of the pipe for a moment: say some more.
            let _ = std::io::Write::write_all(&mut input, b"isready\n");
        }
        drop(input);
        let output = child.wait_with_output().expect("it ended");
        assert!(output.status.success() && output.stderr.is_empty(), "{lines:?}: {output:?}");
    }
}

#[test]
fn corner_18_odd_space_and_words_in_front() {
    let mut engine = Engine::start();
    engine.send_bytes(b"\xef\xbb\xbfuci\r\n");
    engine.until("uciok", |line| line == "uciok");
    engine.send_bytes(b"\r\n\r\n   \t \n\nisready\r\n");
    assert_eq!(engine.until("readyok", |line| line == "readyok"), ["readyok"]);
    engine.send_bytes(b"  position \t startpos   moves\te2e4 \r\n");
    assert!(engine.fen().contains(" b "));
    engine.send_bytes(b"if you please position startpos\r");
    assert_eq!(engine.fen(), chess::fen::START);
    engine.send_bytes(b"joho\tgo \t depth\t2\r\n");
    assert!(engine.answer().best.is_some());
    engine.send("position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR  w  KQkq -  moves");
    assert_eq!(engine.fen(), chess::fen::START);
}

#[test]
fn corner_18_noise_is_survived() {
    let mut engine = Engine::start();
    engine.send_bytes(b"\xff\xfe\x80 \xc3\x28\n");
    engine.send_bytes(
        &[b"position startpos moves \xf0\x28\x8c\xbc\n".as_slice(), b"setoption name \xff value \xff\n"].concat(),
    );
    let mut long = vec![b'x'; 64 << 10];
    long.push(b'\n');
    engine.send_bytes(&long);
    engine.send_bytes(format!("setoption name {}\n", "Hash ".repeat(13_000)).as_bytes());
    engine.send_bytes(format!("go depth 1 {}\n", "searchmoves ".repeat(5_000)).as_bytes());
    let zeros = [0u8; 1000];
    engine.send_bytes(&[zeros.as_slice(), b"\n"].concat());
    engine.until("bestmove", |line| line.starts_with("bestmove"));
    engine.settle();
    engine.check(engine.transcript().lines().all(|line| line.len() < 1000), "noise is not repeated at length");
    let answer = engine.search("startpos", "go depth 1");
    assert!(answer.best.is_some());
}

#[test]
fn corner_18_a_game_of_ten_thousand_moves() {
    let mut engine = Engine::start();
    let moves = "g1f3 g8f6 f3g1 f6g8 ".repeat(2_500);
    engine.send(&format!("position startpos moves {moves}"));
    assert!(engine.fen().starts_with("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 10000 5001"));
    engine.send("go depth 4");
    assert!(engine.answer().best.is_some());
    // A pawn move now and then, so that the game is really that long.
    let mut game = String::from("position startpos moves ");
    for step in ["a2a3 a7a6", "b2b3 b7b6", "c2c3 c7c6", "h2h3 h7h6", "g2g3 g7g6"] {
        game.push_str(&format!("{step} {}", "g1f3 g8f6 f3g1 f6g8 ".repeat(20)));
    }
    engine.send(&game);
    engine.send("go depth 4");
    assert!(engine.answer().best.is_some());
    assert!(engine.settle().is_empty());
}

#[test]
fn corner_18_option_names_in_any_case_and_values_with_spaces() {
    let mut engine = Engine::start();
    for line in [
        "setoption name hash value 2",
        "setoption name HASH value 1",
        "setoption   name  move   OVERHEAD   value   30 ",
        "setoption name clear hash",
        "setoption name Clear Hash value",
        "setoption name uci_chess960 value TRUE",
    ] {
        let notes = engine.notes(line);
        engine.check(notes.is_empty(), "silently obeyed");
    }
    // Ignored with a word.
    for line in
        ["setoption name Threads value 0", "setoption name Threads value two", "setoption name MultiPV value 501"]
    {
        assert_eq!(engine.notes(line).len(), 1, "ignored with a word: {line}");
    }
    let answer = engine.search("startpos", "go depth 3");
    assert!(answer.infos.iter().all(|info| info.multipv == Some(1)), "still one line");
    let folder = Folder::new("with spaces");
    let path = folder.path("a  log.txt");
    let notes = engine.notes(&format!("setoption name Debug Log File value {path}"));
    engine.check(notes.is_empty() && std::path::Path::new(&path).exists(), "a path with spaces");
}

#[test]
fn corner_19_debug_and_register_are_accepted() {
    let mut engine = Engine::start();
    for line in ["register later", "register", "register name Stefan MK code 4359874324", "debug off"] {
        engine.send(line);
        assert!(engine.settle().is_empty(), "{line}");
    }
    let notes = engine.notes("debug on\nposition startpos");
    engine.check(notes.iter().any(|note| note.contains("position startpos")), "more is said");
    engine.send("go infinite\ndebug off");
    engine.keeps_searching(Duration::from_millis(100));
    engine.send("stop");
    engine.answer();
    assert!(engine.settle().is_empty());
}

#[test]
fn what_came_before_quit_is_done_however_long_it_takes() {
    // Longer than `quit` waits for a search that does not stop.
    let count = 12_000;
    let said = run_with(&[], format!("{}quit\n", "eval\n".repeat(count))).good();
    assert_eq!(said.out.matches("Adjusted by material").count(), count);
}
