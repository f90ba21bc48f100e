//! The search. `root.rs` deepens, `node.rs` visits, `quiesce.rs` ends, `picker.rs` offers moves; `prune.rs` and `reduce.rs` hold the
//! arithmetic, `shortcut.rs` and `extend.rs` the searches within the search, `history.rs`, `correction.rs` and `learn.rs` what is
//! learned on the way, `params.rs` every number. `lab/` holds what is measured and not used.

mod correction;
mod extend;
mod history;
mod kind;
mod lab;
mod learn;
pub(crate) mod mate;
mod node;
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
mod tests;
