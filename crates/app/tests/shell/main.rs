//! The commands for the shell that read and write files and text, as a user runs them.

mod annotate;
mod book;
mod harness;
mod perft;
