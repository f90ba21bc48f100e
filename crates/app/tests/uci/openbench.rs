//! Does what OpenBench's client does with an engine: runs `bench`, reads the numbers its way, reads the JSON.

use std::process::{Command, Stdio};

use serde_json::Value;

/// Punctuation becomes blanks; the last "N nodes" or "nodes N" from the end counts.
fn read(text: &str, unit: &str) -> Option<u64> {
    for line in text.lines().rev() {
        let plain: String = line.chars().map(|letter| if letter.is_alphanumeric() { letter } else { ' ' }).collect();
        let words: Vec<&str> = plain.split_whitespace().collect();
        for pair in words.windows(2) {
            match pair {
                [number, word] if *word == unit => return number.parse().ok(),
                [word, number] if *word == unit && number.parse::<u64>().is_ok() => return number.parse().ok(),
                _ => {}
            }
        }
    }
    None
}

#[test]
fn openbench_benches_and_reads_the_numbers() {
    let start = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_stillwater"));
        command.arg("bench").stdout(Stdio::piped()).spawn().expect("the engine runs")
    };
    // As many at once as the client would run on a machine of two cores.
    let runs = [start(), start()].map(|child| {
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success());
        let text = String::from_utf8(output.stdout).expect("text");
        (read(&text, "nodes").expect("nodes"), read(&text, "nps").expect("nps"))
    });
    assert_eq!(runs[0].0, runs[1].0, "the count is always the same");
    assert!(runs[0].0 > 100_000 && runs[0].1 > 0);
}

#[test]
fn openbench_can_read_the_description() {
    let text = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../Engines/Stillwater.json"));
    let engine: Value = serde_json::from_str(text).expect("JSON");
    assert!(engine["private"].is_boolean() && engine["nps"].as_u64().is_some_and(|nps| nps > 0));
    assert!(engine["source"].is_string());
    for key in ["path", "compilers", "cpuflags", "systems"] {
        assert!(!engine["build"][key].is_null(), "{key}");
    }
    let usual = &engine["test_presets"]["default"];
    for key in ["both_options", "both_time_control", "workload_size", "book_name", "test_bounds", "win_adj", "draw_adj"]
    {
        assert!(!usual[key].is_null(), "{key}");
    }
    let makefile = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../Makefile"));
    assert!(makefile.contains("EXE ?=") && makefile.contains("EVALFILE"));
}
