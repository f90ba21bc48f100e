//! What an interruption does to commands that write as they go.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What comes sooner after an interruption is the same one: some programs signal a process and its group.
const SAME: Duration = Duration::from_secs(1);

/// A flag that the first interruption sets, for games that run to be finished and written; the second one ends the program.
#[must_use]
pub(crate) fn flag() -> Arc<AtomicBool> {
    let called_off = Arc::new(AtomicBool::new(false));
    let on_signal = Arc::clone(&called_off);
    // Without the handler an interruption loses the games that run, no more.
    let mut first: Option<Instant> = None;
    let _ = ctrlc::set_handler(move || match first {
        None => {
            first = Some(Instant::now());
            on_signal.store(true, Ordering::Relaxed);
            eprintln!("finishing the games that run");
        }
        Some(first) if first.elapsed() >= SAME => std::process::exit(130),
        Some(_) => {}
    });
    called_off
}
