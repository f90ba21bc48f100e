//! Statistics of matches. Pure functions of counts: nothing here knows of engines, files or terminals.

pub mod chances;
pub mod normal;
pub mod rating;
pub mod results;
pub mod sprt;

pub use results::{Estimate, Results};
