//! What is said only in a terminal. `script` from util-linux lends one; where it is missing, nothing is tested here.

use std::io::Write;
use std::process::{Command, Stdio};

/// Runs the program in a terminal with something typed; none if there is no terminal to be had.
fn in_terminal(arguments: &str, typed: &str) -> Option<String> {
    let line = format!("{} {arguments}", env!("CARGO_BIN_EXE_stillwater"));
    let mut child = Command::new("script")
        .args(["-qec", &line, "/dev/null"])
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let _ = child.stdin.take()?.write_all(typed.as_bytes());
    let output = child.wait_with_output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn somebody_who_types_is_told_what_to_type_and_a_program_is_not() {
    if let Some(text) = in_terminal("", "quit\n") {
        let greeting: Vec<&str> =
            text.lines().filter(|line| !line.trim().is_empty() && line.trim() != "quit").collect();
        assert_eq!(greeting.len(), 3, "{text}");
        assert!(greeting[0].contains("Stillwater") && text.contains("stillwater play"), "{text}");
    }
    let piped = crate::common::run_with(&[], "quit\n").good();
    assert!(piped.out.is_empty() && piped.err.is_empty(), "{}{}", piped.out, piped.err);
}

#[test]
fn one_position_is_drawn_live() {
    let Some(text) = in_terminal("analyse --nodes 30000 --multipv 2", "") else { return };
    assert!(text.contains("  1  ♖ ♘ ♗ ♕ ♔ ♗ ♘ ♖"), "{text}");
    assert!(text.contains("\x1b[J") && text.contains("White ["), "{text}");
    assert!(text.contains("depth "), "{text}");
}

#[test]
fn somebody_who_plays_is_asked() {
    let Some(text) = in_terminal("play --level 1 --seed 1", "e4\nresign\n") else { return };
    assert!(text.contains("your move> ") && text.contains("White resigns"), "{text}");
}
