//! What each subcommand does.

pub(crate) mod assess;
pub(crate) mod datagen;
pub(crate) mod datastat;
mod effort;
pub(crate) mod evolve;
pub(crate) mod play;
pub(crate) mod rate;
pub(crate) mod rescore;
pub(crate) mod reshape;
pub(crate) mod sprt;
pub(crate) mod suite;
pub(crate) mod texel;
pub(crate) mod train;
pub(crate) mod wdl;
