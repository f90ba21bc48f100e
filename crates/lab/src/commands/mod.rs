//! What each subcommand does.

pub mod ablate;
pub mod assess;
pub mod datagen;
pub mod datastat;
pub mod duel;
pub mod games_file;
pub mod interrupt;
pub mod journal;
pub mod ladder;
pub mod play;
pub mod rate;
pub mod rescore;
pub mod reshape;
pub mod scatter;
pub mod sprt;
pub mod spsa;
pub mod suite;
pub mod texel;
pub mod train;
pub mod wdl;
