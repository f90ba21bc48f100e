//! What each subcommand does.

pub mod ablate;
pub mod duel;
pub mod games_file;
pub mod journal;
pub mod ladder;
pub mod play;
pub mod rate;
pub mod sprt;
pub mod spsa;
