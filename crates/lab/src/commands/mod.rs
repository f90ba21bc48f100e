//! What each subcommand does.

pub mod datagen;
pub mod datastat;
pub mod games_file;
pub mod interrupt;
pub mod play;
pub mod rate;
pub mod rescore;
pub mod reshape;
pub mod sprt;
