//! Files of games: the format against an independent reader, and the commands as real processes that are killed and resumed.

mod commands;
#[path = "../common/mod.rs"]
mod common;
mod format;
mod room;
