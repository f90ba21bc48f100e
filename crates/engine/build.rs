//! Chooses the network that is built into the engine.
//!
//! The environment variable `EVALFILE` names one, as OpenBench has it, seen from the top of the project; otherwise it is the
//! one that ships with the project. A build without any evaluates by hand.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// The network that ships with the project, in `nets/`.
const SHIPPED: Option<&str> = Some("still-0011.nnue");

/// What every network's file begins with.
const MAGIC: &[u8] = b"SWNN";

fn main() {
    println!("cargo::rustc-check-cfg=cfg(embedded_network)");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=EVALFILE");
    let Some(path) = chosen() else { return };
    println!("cargo::rerun-if-changed={}", path.display());
    match fs::read(&path) {
        // The engine's tests look closer.
        Ok(bytes) if bytes.starts_with(MAGIC) => {
            println!("cargo::rustc-cfg=embedded_network");
            println!("cargo::rustc-env=STILLWATER_NETWORK={}", path.display());
        }
        Ok(_) => println!("cargo::error={} is not a network of Stillwater", path.display()),
        Err(error) => println!("cargo::error=cannot read the network {}: {error}", path.display()),
    }
}

fn chosen() -> Option<PathBuf> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = package.join("../..");
    if let Some(path) = env::var_os("EVALFILE").filter(|path| !path.is_empty()) {
        return Some(root.join(path));
    }
    // A published package carries the network with it.
    let name = SHIPPED?;
    Some(package.join("nets").join(name)).filter(|path| path.exists()).or_else(|| Some(root.join("nets").join(name)))
}
