//! Games as text: written one by one so that a kill loses none, read back to resume, to rate, and as openings.

pub mod read;
pub mod write;

pub use read::{PgnGame, parse};
pub use write::write_game;
