//! `stillwater analyse`.

use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::common::{Folder, Said, command, run, run_unheard};

const MATE: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 4 4";
const EPD: &str = "\u{feff}r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - bm Qxf7; id \"mate, in one\";\n\
    # a remark\n\n\
    rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\r\n\
    8/8/8/8/8/8/8/8 w - - 0 1\n\
    nonsense\n\
    7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\n\
    4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n";

/// JSON records without the time they took.
fn records(text: &str) -> Vec<Value> {
    let mut records: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    for record in &mut records {
        assert!(record.as_object_mut().expect("an object").remove("time_ms").is_some_and(|time| time.is_u64()));
    }
    records
}

#[test]
fn one_position_in_plain_words() {
    let said = run(&["analyse", MATE, "--nodes", "20000", "--multipv", "2"]).good();
    assert!(said.out.contains("Best is Qxf7#: White mates in 1."), "{}", said.out);
    assert!(said.out.contains("#1  4. Qxf7#\n") && said.out.contains("White wins 100 %"), "{}", said.out);
    assert!(!said.out.contains('\x1b') && said.err.is_empty(), "no drawing without a terminal: {}", said.out);
    let said = run(&["analyze", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "--depth", "5"]).good();
    assert!(said.out.contains("The game is over: draw by stalemate."), "{}", said.out);
}

#[test]
fn records_come_in_order_and_do_not_depend_on_how_many_engines_work() {
    let folder = Folder::new("order");
    let file = folder.file("mixed.epd", EPD);
    let run = |jobs| run(&["analyse", "--epd", &file, "--json", "--nodes", "3000", "--multipv", "3", "--jobs", jobs]);
    let said = run("1").good();
    assert!(said.err.contains(&format!("{file}:5: White has 0 kings")), "{}", said.err);
    assert!(said.err.contains(&format!("{file}:6: the position is not complete")), "{}", said.err);
    assert!(said.err.contains("4 positions to analyse, 2 broken entries skipped"), "{}", said.err);
    let alone = records(&said.out);
    assert_eq!(alone, records(&run("3").good().out));
    let places: Vec<&str> = alone.iter().filter_map(|record| record["place"].as_str()).collect();
    assert_eq!(places, [1, 4, 7, 8].map(|line| format!("{file}:{line}")));
    assert_eq!((&alone[0]["best"], &alone[0]["san"]), (&"f3f7".into(), &"Qxf7#".into()));
    assert_eq!((&alone[0]["id"], &alone[0]["lines"][0]["score"]["mate"]), (&"mate, in one".into(), &1.into()));
    assert_eq!(alone[1]["lines"].as_array().map(Vec::len), Some(3));
    assert_eq!(alone[1]["nodes"], 3000);
    assert_eq!((&alone[2]["best"], &alone[2]["outcome"]), (&Value::Null, &"draw by stalemate".into()));
}

/// The fields of a line of comma-separated values.
fn fields(line: &str) -> Vec<String> {
    let (mut fields, mut field, mut quoted) = (Vec::new(), String::new(), false);
    for letter in line.chars() {
        match letter {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(std::mem::take(&mut field)),
            _ => field.push(letter),
        }
    }
    fields.push(field);
    fields
}

#[test]
fn values_between_commas_fit_their_header() {
    let folder = Folder::new("csv");
    let file = folder.file("mixed.epd", EPD);
    let said = run(&["analyse", "--epd", &file, "--csv", "--nodes", "500"]).good();
    let rows: Vec<Vec<String>> = said.out.lines().map(fields).collect();
    assert_eq!(rows.len(), 5);
    assert!(rows.iter().all(|row| row.len() == rows[0].len()), "{}", said.out);
    let column = |name: &str| rows[0].iter().position(|field| field == name).expect(name);
    assert_eq!((rows[1][column("san")].as_str(), rows[1][column("mate")].as_str()), ("Qxf7#", "1"));
    assert_eq!(
        (rows[1][column("id")].as_str(), rows[3][column("outcome")].as_str()),
        ("mate, in one", "draw by stalemate")
    );
}

#[test]
fn games_are_analysed_move_by_move_and_broken_ones_left_out() {
    let folder = Folder::new("pgn");
    let games = "[White \"A\"]\n\n1. e4 e5 {x} (1... c5) 2. Nf3 *\n\n[White \"B\"]\n\n1. e4\nKe4 *\n\n[White \"C\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
    let file = folder.file("games.pgn", games);
    let said = run(&["analyse", "--pgn", &file, "--json", "--nodes", "300"]).good();
    assert!(said.err.contains(&format!("{file}:8: game 2: \"Ke4\" is not a legal move")), "{}", said.err);
    let records = records(&said.out);
    assert_eq!(records.len(), 4 + 5);
    assert_eq!(records[8]["outcome"], "Black mates");
    assert_eq!(records[3]["fen"], "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2");
}

#[test]
fn whole_games_are_analysed() {
    let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/pgn/selfplay.pgn");
    let said = run(&["analyse", "--pgn", games, "--csv", "--nodes", "20"]).good();
    assert!(said.out.lines().count() > 400 && said.err.is_empty(), "{}", said.err);
}

#[test]
fn a_file_is_gone_on_with_where_it_was_cut() {
    let folder = Folder::new("resume");
    let file = folder.file("mixed.epd", EPD);
    for format in ["--json", "--csv"] {
        let output = folder.path(&format!("out{format}"));
        let arguments = ["analyse", "--epd", &file, format, "--nodes", "1000", "--output", &output];
        let resume: Vec<&str> = arguments.iter().copied().chain(["--resume"]).collect();
        assert!(run(&arguments).good().out.is_empty());
        let whole = std::fs::read_to_string(&output).expect("written");
        run(&arguments).bad("exists already; --resume goes on with it");
        assert_eq!(std::fs::read_to_string(&output).expect("there"), whole, "a refusal changes nothing");
        for length in [0, 3, whole.len() / 2, whole.len() - 1, whole.len()] {
            std::fs::write(&output, &whole[..length]).expect("cut");
            run(&resume).good();
            let again = std::fs::read_to_string(&output).expect("there");
            assert_eq!(again.lines().count(), whole.lines().count(), "cut at {length}");
            if format == "--json" {
                assert_eq!(records(&again), records(&whole));
            }
        }
        let other = folder.file("other.epd", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n");
        run(&["analyse", "--epd", &other, format, "--nodes", "10", "--output", &output, "--resume"])
            .bad("is not of the same input");
    }
    run(&["analyse", "--resume", "--output", &folder.path("text")]).bad("--resume needs --json or --csv");
}

#[test]
fn a_kill_loses_no_more_than_what_was_running() {
    let folder = Folder::new("kill");
    let file = folder.file("many.epd", format!("{}\n", chess::fen::START).repeat(12));
    let output = folder.path("out.json");
    let arguments = ["analyse", "--epd", &file, "--json", "--depth", "9", "--jobs", "2", "--output", &output];
    let mut child = command(&arguments).spawn().expect("the program runs");
    let deadline = Instant::now() + Duration::from_secs(60);
    let written = || std::fs::read_to_string(&output).unwrap_or_default().lines().count();
    while written() < 3 && Instant::now() < deadline {
        thread::sleep(Duration::from_millis(2));
    }
    child.kill().expect("killed");
    let _ = child.wait();
    assert!(written() >= 3);
    let resume: Vec<&str> = arguments.iter().copied().chain(["--resume"]).collect();
    run(&resume).good();
    let records = records(&std::fs::read_to_string(&output).expect("there"));
    let numbers: Vec<u64> = records.iter().filter_map(|record| record["index"].as_u64()).collect();
    assert_eq!(numbers, (1..=12).collect::<Vec<u64>>());
}

#[test]
fn bad_input_gets_a_reason() {
    let folder = Folder::new("bad");
    let binary = folder.file("binary", [0x7f, b'E', b'L', b'F', 0, 1, 2, 0xff]);
    let empty = folder.file("empty", "");
    let broken = folder.file("broken", "x\ny\n");
    let missing = folder.path("missing");
    let check = |arguments: &[&str], reason: &str| run(arguments).bad(reason);
    for kind in ["--epd", "--pgn"] {
        check(&["analyse", kind, &missing], "cannot read ");
        check(&["analyse", kind, &binary], "not a text file");
        check(&["analyse", kind, &empty], "there are no positions in it");
    }
    check(&["analyse", "--epd", &broken], "none of 2 entries can be used");
    check(&["analyse", "8/8/8/8/8/8/8/8 w - - 0 1"], "White has 0 kings");
    check(&["analyse", "--time", "soon"], "not a time such as");
    check(&["analyse", "--time", "-1"], "");
    check(&["analyse", "--nodes", "0"], "0 is not in 1..");
    check(&["analyse", "--json", "--csv"], "cannot be used with");
    check(&["analyse", "--depth", "1", "--output", "/nowhere/at/all"], "cannot write /nowhere/at/all");
}

#[test]
fn a_closed_pipe_is_no_error() {
    let folder = Folder::new("pipe");
    let file = folder.file("many.epd", format!("{}\n", chess::fen::START).repeat(50));
    run_unheard(&["analyse", "--epd", &file, "--json", "--nodes", "2000"], "");
    run_unheard(&["analyse", "--nodes", "2000"], "");
    let _: Said = run(&["analyse", "--depth", "1"]).good();
}
