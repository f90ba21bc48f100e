//! Test suites: `epd` reads positions with known answers, `run` gives them to an engine, `judge` checks each answer and
//! `report` counts.

mod epd;
mod judge;
pub mod report;
mod run;

pub use epd::{Problem, Suite};
pub use judge::{Answer, Verdict};
pub use run::Examination;
