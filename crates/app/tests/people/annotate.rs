//! `stillwater annotate` as a user runs it.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use record::pgn::{self, Game};

use crate::harness::{endures_a_closed_pipe, file, folder, stillwater, text};

const SCHOLAR: &str = "\u{feff}[Event \"A <lesson>\"]\r\n[White \"Anna\"]\r\n[Black \"Ben\"]\r\n[Result \"1-0\"]\r\n\r\n\
    1. e4 {[%clk 0:05:00]} e5 2. Bc4 Nc6 (2... Nf6 {is usual}) 3. Qh5 Nf6 $1 {a human was fond of it} 4. Qxf7# 1-0\r\n";

fn games(bytes: &[u8]) -> Vec<Game> {
    pgn::games(&pgn::decode(bytes).expect("a text")).map(|game| game.expect("readable")).collect()
}

#[test]
fn a_game_gets_values_marks_and_better_lines() {
    let path = file(&folder("annotate-scholar"), "games.pgn", SCHOLAR);
    let output = stillwater(&["annotate", &path, "--nodes", "5000"]);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let game = &games(&output.stdout)[0];
    let written = text(&output.stdout);
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
    let path = file(&folder("annotate-same"), "games.pgn", SCHOLAR);
    let [first, second] = [0, 1].map(|_| stillwater(&["annotate", &path, "--nodes", "2000"]).stdout);
    assert!(!first.is_empty());
    assert_eq!(text(&first), text(&second));
    let mut child = Command::new(env!("CARGO_BIN_EXE_stillwater"))
        .args(["annotate", "-", "--nodes", "2000"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    child.stdin.take().expect("a pipe").write_all(SCHOLAR.as_bytes()).expect("it reads");
    let third = child.wait_with_output().expect("it ends").stdout;
    assert_eq!(text(&first), text(&third), "from standard input too");
}

const FOUR: &str = "[Event \"1\"]\n[Result \"1/2-1/2\"]\n\n1. d4 d5 1/2-1/2\n\n[Event \"broken\"]\n\n1. e4 e5 2. Ke3 *\n\n[Event \"3\"]\n\n\
    1. f3 e5 2. g4 Qh4# 0-1\n\n[Event \"4, Chess960\"]\n[Variant \"Chess960\"]\n[FEN \"bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1\"]\n\n\
    1. g3 g6 2. Ng2 *\n";
const FOUR_960: &str = "1. g3 g6 2. f3";

#[test]
fn broken_games_are_left_out_and_a_cut_run_goes_on() {
    let folder = folder("annotate-resume");
    let input = file(&folder, "games.pgn", FOUR.replace("1. g3 g6 2. Ng2", FOUR_960));
    let out = folder.join("out.pgn").to_string_lossy().into_owned();
    let html = folder.join("report.html").to_string_lossy().into_owned();
    let arguments = ["annotate", &input, "--nodes", "300", "--output", &out, "--html", &html];
    let output = stillwater(&arguments);
    assert!(output.status.success(), "{output:?}");
    let problem = text(&output.stderr);
    assert!(
        problem.contains("game 2, line 8: \"Ke3\" is not a legal move here; the moves before it are kept"),
        "{problem}"
    );
    let summary = text(&output.stdout);
    assert_eq!(summary.lines().count(), 4, "{summary}");
    assert!(summary.lines().nth(2).is_some_and(|line| line.starts_with("game 3: White: accuracy ")), "{summary}");
    let [whole, report] = [&out, &html].map(|path| fs::read(path).expect("written"));
    assert_eq!(games(&whole).len(), 4);
    assert!(text(&whole).contains("What follows cannot be read"), "{}", text(&whole));
    let several = stillwater(&["annotate", &input, "--nodes", "300", "--jobs", "3"]);
    assert_eq!(text(&several.stdout), text(&whole), "as many jobs as there may be");
    // Nothing is overwritten by mistake.
    let again = stillwater(&arguments);
    assert!(!again.status.success() && text(&again.stderr).contains("--resume goes on with it"), "{again:?}");
    // Wherever a kill cuts it, the file becomes whole again.
    let draw = text(&whole).find(" 1/2-1/2\n").expect("a draw") + " 1/2".len();
    for cut in [0, 5, draw, draw + 4, draw + 6, whole.len() / 2, whole.len() - 3, whole.len()] {
        fs::write(&out, &whole[..cut]).expect("written");
        let resumed = stillwater(&[&arguments[..], &["--resume"]].concat());
        assert!(resumed.status.success(), "{resumed:?}");
        assert_eq!(text(&fs::read(&out).expect("written")), text(&whole), "cut after {cut} bytes");
        assert_eq!(text(&fs::read(&html).expect("written")), text(&report), "cut after {cut} bytes");
    }
    // The games of another file are not gone on with.
    let other = file(&folder, "other.pgn", "1. e4 *\n");
    let refused = stillwater(&["annotate", &other, "--nodes", "10", "--output", &out, "--resume"]);
    assert!(text(&refused.stderr).contains("game 1 is not of this run"), "{refused:?}");
    assert_eq!(fs::read(&out).expect("still there"), whole);
    assert!(stillwater(&["annotate", &other, "--nodes", "10", "--output", &out, "--force"]).status.success());
    assert_eq!(games(&fs::read(&out).expect("written")).len(), 1);
}

#[test]
fn the_report_has_graphs_and_boards() {
    let folder = folder("annotate-report");
    let input = file(&folder, "games.pgn", SCHOLAR);
    let html = folder.join("report.html").to_string_lossy().into_owned();
    let output = stillwater(&["annotate", &input, "--nodes", "5000", "--html", &html]);
    assert!(output.status.success(), "{output:?}");
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
    let folder = folder("annotate-bad");
    let good = file(&folder, "good.pgn", "1. e4 *");
    let missing = folder.join("missing.pgn").to_string_lossy().into_owned();
    let nowhere = folder.join("no/such/folder/out").to_string_lossy().into_owned();
    let same = folder.join("./good.pgn").to_string_lossy().into_owned();
    for (arguments, reason) in [
        (vec![missing.as_str()], "missing.pgn: No such file"),
        (vec![folder.to_str().expect("text")], "cannot read"),
        (vec![&file(&folder, "binary.pgn", b"\x7fELF\x02\x01\x00\x00")], "binary.pgn: it is not a text file"),
        (vec![&file(&folder, "empty.pgn", "")], "empty.pgn: there are no games in it"),
        (vec![&file(&folder, "spaces.pgn", " \r\n\r\n")], "there are no games in it"),
        (
            vec![&file(&folder, "words.pgn", "this is no chess at all")],
            "game 1, line 1: \"this\" does not look like a move",
        ),
        (
            vec![&file(&folder, "fen.pgn", "[White \"A\"]\n[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 *")],
            "line 2: FEN \"8/8/8/8",
        ),
        (vec![&file(&folder, "variant.pgn", "[Variant \"Atomic\"]\n\n1. e4 *")], "\"Atomic\" has rules of its own"),
        (vec![&file(&folder, "open.pgn", "[White \"A\"]\n\n1. e4 {never closed")], "line 3: a comment begins with {"),
        (vec![&good, "--output", &nowhere], "cannot write"),
        (vec![&good, "--html", &nowhere], "cannot write"),
        (vec![&good, "--output", &same], "the output would overwrite the games"),
        (vec![&good, "--resume"], "--output <FILE>"),
        (vec![&good, "--nodes", "0"], "invalid value '0'"),
        (vec![&good, "--time", "never"], "not a time such as"),
        (vec![&good, "--hash", "0"], "0 is not in 1..=1048576"),
        (vec![], "<GAMES>"),
    ] {
        let output = stillwater(&[&["annotate"], arguments.as_slice()].concat());
        assert!(!output.status.success() && output.stdout.is_empty(), "{arguments:?}: {output:?}");
        let message = text(&output.stderr);
        assert!(message.contains(reason), "{arguments:?}: {message}");
    }
}

#[test]
fn a_closed_pipe_is_no_error() {
    let input = file(&folder("annotate-pipe"), "games.pgn", SCHOLAR.repeat(30));
    endures_a_closed_pipe(&["annotate", &input, "--nodes", "50"]);
}

/// Annotates files and compares the games before and after; the names of the files that are refused.
fn annotate_all(paths: &[PathBuf]) -> Vec<String> {
    let mut failed = Vec::new();
    for path in paths {
        let output = stillwater(&["annotate", path.to_str().expect("text"), "--depth", "1", "--hash", "1"]);
        let before = games(&fs::read(path).expect("readable"));
        if !output.status.success() {
            failed.push(path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default());
            continue;
        }
        let after = games(&output.stdout);
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
