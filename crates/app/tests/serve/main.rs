//! `stillwater serve` as a browser, a careless program and a hostile page would meet it: over real sockets.

#[path = "../common/mod.rs"]
mod common;
mod door;
mod game;
mod harness;
mod load;
mod memory;
mod scores;
mod tools;
mod torture;
