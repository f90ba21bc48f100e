//! Test suites: positions with known answers (`epd`), put to an engine (`run`), judged (`judge`) and counted (`report`).

pub mod epd;
pub mod judge;
pub mod report;
pub mod run;

pub use epd::{Problem, Suite};
pub use judge::{Answer, Verdict};
