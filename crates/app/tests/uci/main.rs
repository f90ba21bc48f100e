//! The engine as a user interface sees it: the real program, driven line by line. One test for each corner case of UCI that engines
//! are known to get wrong, and some more.

mod book;
mod check;
mod commands;
#[path = "../common/mod.rs"]
mod common;
mod harness;
mod input;
mod lines;
mod network;
mod openbench;
mod resources;
mod searching;
mod settings;
mod torture;
mod trust;
