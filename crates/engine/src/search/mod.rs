//! The search. `root.rs` deepens, `node.rs` visits nodes of three types (`node_type.rs`), `quiesce.rs` ends, `picker.rs` offers moves.
//! `shortcut.rs` and `extend.rs` hold the searches within the search, `prune.rs` and `reduce.rs` the arithmetic, `history.rs`,
//! `correction.rs` and `learn.rs` what is learned on the way, `abdada.rs` what keeps threads apart, `params.rs` every number.
//! `lab/` holds ideas that lost, for builds with the feature `tune`.

#[macro_use]
mod lab;

pub(crate) mod abdada;
mod correction;
mod danger;
mod extend;
mod history;
mod learn;
pub(crate) mod mate;
mod node;
mod node_type;
pub mod params;
mod picker;
mod prune;
mod quiesce;
mod reduce;
pub(crate) mod root;
mod shortcut;
mod stack;
#[cfg(feature = "stats")]
pub(crate) mod stats;
pub(crate) mod worker;

#[cfg(test)]
mod fixture;
#[cfg(test)]
mod tests;
