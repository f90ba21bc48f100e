//! What must not happen whatever is asked: files destroyed, memory without bound, answers too late, failures that look like success.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::common::{Folder, run};
use crate::harness::Engine;

fn names(folder: &Folder) -> Vec<String> {
    let entries = std::fs::read_dir(&folder.0).expect("the folder").flatten();
    let mut names: Vec<_> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_not_replaced_and_links_are_followed() {
    use std::os::unix::fs::{FileTypeExt, symlink};
    let folder = Folder::new("links");
    let pipe = folder.0.join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs").success());
    symlink("file", folder.0.join("link")).expect("a link");
    for command in ["savehash", "export_net"] {
        let text = |path: &Path| {
            let said = run(&["setoption name Hash value 1", &format!("{command} {}", path.display())]);
            (said.out, said.ok)
        };
        let (said, success) = text(&pipe);
        assert!(said.contains("not a regular file") && !success, "{said}");
        assert!(std::fs::metadata(&pipe).expect("still there").file_type().is_fifo());
        assert!(!text(Path::new("/dev/null")).1);
        let (said, success) = text(&folder.0.join("link"));
        assert!(said.contains("done") && success, "{said}");
        assert!(std::fs::symlink_metadata(folder.0.join("link")).expect("the link").is_symlink());
        assert_eq!(names(&folder), ["file", "link", "pipe"]);
    }
    // Reading one would wait for a writer for ever.
    for command in ["loadhash ", "setoption name EvalFile value ", "setoption name Book File value "] {
        let said = run(&[&format!("{command}{}", pipe.display()), "isready"]).out;
        assert!(said.contains("not a regular file") && said.contains("readyok"), "{said}");
    }
}

#[test]
fn a_failed_write_leaves_nothing_and_is_a_failure() {
    let folder = Folder::new("full");
    let inside = folder.0.join("no/such/folder/file");
    for command in ["savehash", "export_net", "loadhash"] {
        assert!(!run(&[&format!("{command} {}", inside.display())]).ok, "{command}");
    }
    assert!(!run(&["position fen nonsense", "go nodes 1"]).ok);
    assert!(!run(&["setoption name Hash value many"]).ok);
    assert!(run(&["setoption name Hash value 2", "position startpos", "go nodes 100", "quit"]).ok);
    if Path::new("/dev/full").exists() {
        assert!(!run(&["savehash /dev/full"]).ok);
    }
    assert!(names(&folder).is_empty());
}

#[cfg(target_os = "linux")]
#[test]
fn devices_without_end_are_not_read() {
    let mut engine = Engine::start();
    for option in ["EvalFile", "Book File"] {
        let notes = engine.notes(&format!("setoption name {option} value /dev/zero"));
        engine.check(notes.len() == 1 && notes[0].contains("not a regular file"), option);
    }
    engine.search("startpos", "go nodes 1000");
}

#[cfg(target_os = "linux")]
#[test]
fn memory_that_is_not_there_is_refused_with_a_message() {
    let mut engine = Engine::start();
    let notes = engine.notes("setoption name Hash value 1048576");
    let told = notes.len() == 1 && notes[0].contains("MB are free") && notes[0].ends_with("it stays as it was");
    engine.check(told, "a terabyte is refused");
    engine.search("startpos", "go nodes 1000");
}

/// The memory of the threads is taken when they are set, and none of them keeps the others from seeing the clock.
#[test]
fn any_number_of_threads_answers_in_time() {
    let mut engine = Engine::start();
    for threads in [1, 2, 64, 512] {
        let notes = engine.notes(&format!("setoption name Threads value {threads}"));
        if notes.iter().any(|note| note.contains("MB are free")) {
            return;
        }
        for _ in 0..2 {
            let begun = Instant::now();
            engine.search("startpos", "go movetime 100");
            let time = begun.elapsed();
            // The machine may have other things to do; what is tested against took seconds.
            engine.check(time < Duration::from_millis(900), &format!("{threads} threads took {time:?}"));
        }
    }
}

#[test]
fn castling_in_chess960_is_unambiguous_without_the_option() {
    let mut engine = Engine::start();
    // King b1, rooks a1 and c1: "b1c1" could be a king's move or castling.
    let answer = engine.search("fen 1k6/8/8/8/8/8/8/RK5R w AH - 0 1", "go depth 1 searchmoves b1h1");
    engine.check(answer.best.is_some_and(|best| best.to_string() == "b1h1"), "king takes rook");
    let answer = engine.search("fen 4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "go depth 1 searchmoves e1g1");
    engine.check(answer.best.is_some_and(|best| best.to_string() == "e1g1"), "as everybody writes it");
}
