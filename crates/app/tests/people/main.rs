//! The commands for people and for the shell, run as people run them, with good input and bad.

mod analyse;
mod annotate;
mod book;
#[path = "../common/mod.rs"]
mod common;
mod explain;
mod perft;
mod play;
mod terminal;
