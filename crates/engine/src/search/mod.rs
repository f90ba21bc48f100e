//! The search. `root.rs` deepens, `node.rs` visits, `quiesce.rs` ends, `picker.rs` offers moves; `prune.rs` and `reduce.rs` hold the
//! arithmetic, `busy.rs` what keeps threads apart, `shortcut.rs` and `extend.rs` the searches within the search, `history.rs`, `correction.rs` and `learn.rs` what is
//! learned on the way, `params.rs` every number. `lab/` holds ideas
//! that lost, for builds with the feature `tune`.

#[macro_use]
mod lab;

pub(crate) mod busy;
mod correction;
mod extend;
mod history;
mod kind;
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
mod fixture;
#[cfg(test)]
mod tests;
