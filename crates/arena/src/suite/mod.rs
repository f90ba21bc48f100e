//! Test suites: positions with known answers (`epd`), put to an engine (`run`), judged (`judge`) and counted (`report`).

mod epd;
mod judge;
pub mod report;
mod run;

pub use epd::{Problem, Suite};
pub use judge::{Answer, Verdict};
pub use run::Examination;
