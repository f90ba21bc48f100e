//! What these tests share: running the program, and files to run it on.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Runs the program to its end.
pub(crate) fn stillwater(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_stillwater")).args(arguments).output().expect("the program runs")
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A fresh folder for a test.
pub(crate) fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("shell").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a folder");
    path
}

pub(crate) fn file(folder: &Path, name: &str, content: impl AsRef<[u8]>) -> String {
    let path = folder.join(name);
    fs::write(&path, content).expect("a file");
    path.to_string_lossy().into_owned()
}

/// Runs the program for a reader who goes away at once: no message, no error.
#[track_caller]
pub(crate) fn endures_a_closed_pipe(arguments: &[&str]) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_stillwater"))
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the program ends");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}
