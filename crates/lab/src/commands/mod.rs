//! What each subcommand does.

pub mod datagen;
pub mod games_file;
pub mod play;
pub mod rate;
pub mod sprt;
pub mod suite;
pub mod texel;
