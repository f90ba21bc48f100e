//! The search. `root.rs` runs iterative deepening, `node.rs` searches nodes of three types (`node_type.rs`),
//! `quiesce.rs` is the quiescence search, and `picker.rs` picks the next move by the scores of `order.rs`.
//! `shortcut.rs` and `extend.rs` hold the searches within the search, `prune.rs` and `reduce.rs` the formulas.
//! `history.rs`, `correction.rs` and `learn.rs` learn from results, `abdada.rs` keeps threads from doing the same work,
//! and `params.rs` lists every number.
//! `lab/` holds ideas that lost, for builds with the feature `tune`.

#[macro_use]
mod lab;

pub(crate) mod abdada;
mod correction;
mod danger;
mod extend;
mod guide;
mod history;
mod learn;
#[cfg(feature = "log")]
pub(crate) mod log;
pub(crate) mod mate;
mod node;
mod node_type;
mod order;
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

pub(crate) use guide::Spread;

#[cfg(test)]
mod fixture;
#[cfg(test)]
mod tests;
