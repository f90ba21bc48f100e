//! `stillwater annotate` as a user runs it.

use std::fs;
use std::path::{Path, PathBuf};

use record::pgn::{self, Game};

use crate::common::{Folder, run, run_unheard, run_with};

const SCHOLAR: &str = "\u{feff}[Event \"A <lesson>\"]\r\n[White \"Anna\"]\r\n[Black \"Ben\"]\r\n[Result \"1-0\"]\r\n\r\n\
    1. e4 {[%clk 0:05:00]} e5 2. Bc4 Nc6 (2... Nf6 {is usual}) 3. Qh5 Nf6 $1 {a human was fond of it} 4. Qxf7# 1-0\r\n";

fn games(bytes: &[u8]) -> Vec<Game> {
    pgn::games(&pgn::decode(bytes).expect("a text")).map(|game| game.expect("readable")).collect()
}

#[test]
fn a_game_gets_values_marks_and_better_lines() {
    let folder = Folder::new("annotate-scholar");
    let said = run(&["annotate", &folder.file("games.pgn", SCHOLAR), "--nodes", "5000"]).good();
    assert!(said.err.is_empty(), "{}", said.err);
    let written = said.out;
    let game = &games(written.as_bytes())[0];
    assert_eq!(game.tag("Opening"), Some("Bishop's Opening"), "{written}");
    assert_eq!(game.tag("WhiteAccuracy").and_then(|text| text.parse::<f64>().ok()).map(|it| it > 50.0), Some(true));
    assert!(game.tag("Annotator").is_some_and(|name| name.starts_with("Stillwater ")), "{written}");
    let moves = game.moves();
    assert_eq!(moves.len(), 7);
    assert!(moves[..6].iter().all(|mv| mv.comments[0].starts_with("[%eval ")), "{written}");
    assert!(moves[0].comments[0].ends_with("[%clk 0:05:00]"), "{written}");
    assert!(moves[3].variations.iter().any(|line| line.moves[0].san == "Nf6"), "what was there stays: {written}");
    // Nf6 lets White mate at once.
    assert_eq!((moves[5].nags.as_slice(), moves[5].comments[0].as_str()), (&[4][..], "[%eval #1]"), "{written}");
    assert!(moves[5].comments.contains(&"a human was fond of it".to_owned()));
    assert!(
        moves[5].comments.iter().any(|comment| comment.starts_with("Blunder: ") && comment.ends_with(" was better."))
    );
    assert!(!moves[5].variations[0].moves.is_empty(), "{written}");
    assert!(moves[6].comments.is_empty() && moves[6].nags.is_empty(), "mate needs no word: {written}");
    assert_eq!(game.result, Some(record::GameResult::WhiteWins));
}

#[test]
fn the_same_nodes_give_the_same_output() {
    let folder = Folder::new("annotate-same");
    let path = folder.file("games.pgn", SCHOLAR);
    let [first, second] = [0, 1].map(|_| run(&["annotate", &path, "--nodes", "2000"]).good().out);
    assert!(!first.is_empty());
    assert_eq!(first, second);
    let third = run_with(&["annotate", "-", "--nodes", "2000"], SCHOLAR).good().out;
    assert_eq!(first, third, "from standard input too");
}

const FOUR: &str = "[Event \"1\"]\n[Result \"1/2-1/2\"]\n\n1. d4 d5 1/2-1/2\n\n[Event \"broken\"]\n\n1. e4 e5 2. Ke3 *\n\n[Event \"3\"]\n\n\
    1. f3 e5 2. g4 Qh4# 0-1\n\n[Event \"4, Chess960\"]\n[Variant \"Chess960\"]\n[FEN \"bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1\"]\n\n\
    1. g3 g6 2. Ng2 *\n";
const FOUR_960: &str = "1. g3 g6 2. f3";

#[test]
fn broken_games_are_left_out_and_a_cut_run_goes_on() {
    let folder = Folder::new("annotate-resume");
    let input = folder.file("games.pgn", FOUR.replace("1. g3 g6 2. Ng2", FOUR_960));
    let out = folder.path("out.pgn");
    let html = folder.path("report.html");
    let arguments = ["annotate", &input, "--nodes", "300", "--output", &out, "--html", &html];
    let said = run(&arguments).good();
    let problem = "game 2, line 8: \"Ke3\" is not a legal move here; the moves before it are kept";
    assert!(said.err.contains(problem), "{}", said.err);
    let summary = said.out;
    assert_eq!(summary.lines().count(), 4, "{summary}");
    assert!(summary.lines().nth(2).is_some_and(|line| line.starts_with("game 3: White: accuracy ")), "{summary}");
    let [whole, report] = [&out, &html].map(|path| fs::read_to_string(path).expect("written"));
    assert_eq!(games(whole.as_bytes()).len(), 4);
    assert!(whole.contains("What follows cannot be read"), "{whole}");
    let several = run(&["annotate", &input, "--nodes", "300", "--jobs", "3"]).good();
    assert_eq!(several.out, whole, "as many jobs as there may be");
    // Nothing is overwritten by mistake.
    let again = run(&arguments);
    assert!(!again.ok && again.err.contains("--resume goes on with it"), "{}", again.err);
    // Wherever a kill cuts it, the file becomes whole again.
    let draw = whole.find(" 1/2-1/2\n").expect("a draw") + " 1/2".len();
    for cut in [0, 5, draw, draw + 4, draw + 6, whole.len() / 2, whole.len() - 3, whole.len()] {
        fs::write(&out, &whole[..cut]).expect("written");
        run(&[&arguments[..], &["--resume"]].concat()).good();
        assert_eq!(fs::read_to_string(&out).expect("written"), whole, "cut after {cut} bytes");
        assert_eq!(fs::read_to_string(&html).expect("written"), report, "cut after {cut} bytes");
    }
    // The games of another file are not gone on with.
    let other = folder.file("other.pgn", "1. e4 *\n");
    run(&["annotate", &other, "--nodes", "10", "--output", &out, "--resume"]).bad("game 1 is not of this run");
    assert_eq!(fs::read_to_string(&out).expect("still there"), whole);
    run(&["annotate", &other, "--nodes", "10", "--output", &out, "--force"]).good();
    assert_eq!(games(&fs::read(&out).expect("written")).len(), 1);
}

#[test]
fn the_report_has_graphs_and_boards() {
    let folder = Folder::new("annotate-report");
    let input = folder.file("games.pgn", SCHOLAR);
    let html = folder.path("report.html");
    run(&["annotate", &input, "--nodes", "5000", "--html", &html]).good();
    let page = fs::read_to_string(html).expect("a report");
    for part in
        ["<title>Anna – Ben, 1–0</title>", "class='graph'", "class='board'", "A &lt;lesson&gt;", "3... Nf6??", "Qxf7#"]
    {
        assert!(page.contains(part), "{part}");
    }
    assert_eq!(page.matches("<svg").count(), page.matches("</svg>").count());
    assert!(!page.contains("<script") && !page.contains("src="), "nothing from elsewhere");
}

#[test]
fn bad_input_gets_a_reason() {
    let folder = Folder::new("annotate-bad");
    let good = folder.file("good.pgn", "1. e4 *");
    let missing = folder.path("missing.pgn");
    let nowhere = folder.path("no/such/folder/out");
    let same = folder.path("./good.pgn");
    for (arguments, reason) in [
        (vec![missing.as_str()], "missing.pgn: No such file"),
        (vec![folder.0.to_str().expect("text")], "cannot read"),
        (vec![&folder.file("binary.pgn", b"\x7fELF\x02\x01\x00\x00")], "binary.pgn: it is not a text file"),
        (vec![&folder.file("empty.pgn", "")], "empty.pgn: there are no games in it"),
        (vec![&folder.file("spaces.pgn", " \r\n\r\n")], "there are no games in it"),
        (
            vec![&folder.file("words.pgn", "this is no chess at all")],
            "game 1, line 1: \"this\" does not look like a move",
        ),
        (
            vec![&folder.file("fen.pgn", "[White \"A\"]\n[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 *")],
            "line 2: FEN \"8/8/8/8",
        ),
        (vec![&folder.file("variant.pgn", "[Variant \"Atomic\"]\n\n1. e4 *")], "\"Atomic\" has rules of its own"),
        (vec![&folder.file("open.pgn", "[White \"A\"]\n\n1. e4 {never closed")], "line 3: a comment begins with {"),
        (vec![&good, "--output", &nowhere], "cannot write"),
        (vec![&good, "--html", &nowhere], "cannot write"),
        (vec![&good, "--output", &same], "the output would overwrite the games"),
        (vec![&good, "--resume"], "--output <FILE>"),
        (vec![&good, "--nodes", "0"], "invalid value '0'"),
        (vec![&good, "--time", "never"], "not a time such as"),
        (vec![&good, "--hash", "0"], "0 is not in 1..=1048576"),
        (vec![], "<GAMES>"),
    ] {
        run(&[&["annotate"], arguments.as_slice()].concat()).bad(reason);
    }
}

#[test]
fn a_closed_pipe_is_no_error() {
    let folder = Folder::new("annotate-pipe");
    run_unheard(&["annotate", &folder.file("games.pgn", SCHOLAR.repeat(30)), "--nodes", "50"], "");
}

/// Annotates files and compares the games before and after; the names of the files that are refused.
fn annotate_all(paths: &[PathBuf]) -> Vec<String> {
    let mut failed = Vec::new();
    for path in paths {
        let said = run(&["annotate", path.to_str().expect("text"), "--depth", "1", "--hash", "1"]);
        let before = games(&fs::read(path).expect("readable"));
        if !said.ok {
            failed.push(path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default());
            continue;
        }
        let after = games(said.out.as_bytes());
        assert_eq!(after.len(), before.len(), "{path:?}");
        for (after, before) in after.iter().zip(&before) {
            // Of a game with a bad move, the moves before it are kept.
            let kept = if before.replay(9999).is_err() { after.moves().len() } else { 9999 };
            assert_eq!(after.replay(9999), before.replay(kept), "{path:?}");
            assert_eq!(after.tag("White"), before.tag("White"));
        }
    }
    failed.sort();
    failed
}

fn files(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path()).collect()
}

#[test]
fn files_of_every_kind() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/pgn");
    let failed = annotate_all(&files(&folder));
    assert_eq!(failed, ["broken-start.pgn"], "its only game cannot even begin");
}

/// Every odd file of the collection, and those with clocks, marks and other starts.
#[test]
#[ignore = "needs ../shared/data; run `cargo test --workspace -- --ignored shared`"]
fn shared_files_of_every_kind() {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/pgn");
    let mut paths = files(&shared.join("odd"));
    paths.extend(
        ["utf8-bom.pgn", "chessbase-empty-line.pgn", "cutechess-fischerrandom.pgn"].map(|name| shared.join(name)),
    );
    let failed = annotate_all(&paths);
    assert_eq!(failed, ["black2move.pgn"], "its only game cannot even begin");
}
