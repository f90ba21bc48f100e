//! The opening book in play.

use std::time::Duration;

use chess::Position;
use record::polyglot::Builder;

use crate::common::Folder;
use crate::harness::Engine;

/// A book with one move, as unusual as can be, so that nobody would find it by thinking.
fn book(folder: &Folder) -> String {
    let start = Position::start();
    let mut builder = Builder::default();
    builder.add(&start, start.parse_uci("h2h4").expect("legal"), 2);
    folder.file("book.bin", builder.finish(1).bytes())
}

#[test]
fn book_moves_are_answered_at_once_in_play_only() {
    let mut engine = Engine::start();
    let folder = Folder::new("book");
    let notes = engine.notes(&format!("setoption name Book File value {}", book(&folder)));
    engine.check(notes.len() == 1 && notes[0].ends_with("1 positions, 1 moves"), "it says what was opened");
    let best = engine.search("startpos", "go nodes 500").best();
    engine.check(best != "h2h4", "a book alone is not used");
    engine.send("setoption name own book value true");
    let answer = engine.search("startpos", "go wtime 600000 btime 600000");
    engine.check(answer.best() == "h2h4" && answer.infos.is_empty(), "the book's move, without a thought");
    engine.check(answer.notes == ["this move is from the book"], "and it says so");
    let best = engine.search("startpos", "go nodes 500 searchmoves h2h4 g2g4").best();
    engine.check(best == "h2h4", "it was asked for");
    let best = engine.search("startpos", "go nodes 500 searchmoves g2g4").best();
    engine.check(best == "g2g4", "another was asked for");
    let best = engine.search("startpos moves e2e4", "go nodes 500").best();
    engine.check(best != "h2h4", "the book has nothing here");
    for go in ["go infinite", "go ponder wtime 1000 btime 1000"] {
        engine.send(&format!("position startpos\n{go}"));
        engine.keeps_searching(Duration::from_millis(100));
        engine.send("stop");
        let best = engine.answer().best();
        engine.check(best != "h2h4", "who analyses wants thoughts");
    }
    engine.send("setoption name Own Book value false");
    let best = engine.search("startpos", "go nodes 500").best();
    engine.check(best != "h2h4", "the book is closed again");
}

#[test]
fn a_book_that_cannot_be_read_changes_nothing_else() {
    let mut engine = Engine::start();
    let folder = Folder::new("broken-book");
    let broken = folder.file("broken.bin", "this is no book");
    engine.send("setoption name Own Book value true");
    for (name, reason) in [("/no/such/book.bin", "cannot read"), (broken.as_str(), "no Polyglot book")] {
        let notes = engine.notes(&format!("setoption name Book File value {name}"));
        engine.check(notes.len() == 1 && notes[0].contains(reason), reason);
        let best = engine.search("startpos", "go nodes 500").best();
        engine.check(best != "(none)", "it plays on");
    }
    engine.notes(&format!("setoption name Book File value {}", book(&folder)));
    let best = engine.search("startpos", "go nodes 500").best();
    engine.check(best == "h2h4", "a good book is used");
    let notes = engine.notes("setoption name Book File value <empty>");
    engine.check(notes.is_empty(), "no book needs no word");
    let best = engine.search("startpos", "go nodes 500").best();
    engine.check(best != "h2h4", "and none is used");
}
