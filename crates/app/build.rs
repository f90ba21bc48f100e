//! Tells the program by which compiler and for which machine it is built; the command `compiler` shows it.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let compiler = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(compiler).arg("--version").output().ok();
    let version = version.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default();
    println!("cargo::rustc-env=STILLWATER_COMPILER={version}");
    for name in ["TARGET", "PROFILE"] {
        println!("cargo::rustc-env=STILLWATER_{name}={}", env::var(name).unwrap_or_default());
    }
}
