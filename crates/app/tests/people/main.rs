//! The commands for people, run as people run them, with good input and bad.

mod analyse;
mod explain;
mod harness;
mod play;
mod terminal;
