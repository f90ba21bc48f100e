//! What an interruption does to commands that write as they go.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that the first interruption sets, for games that run to be finished and written; the second one ends the program.
#[must_use]
pub fn flag() -> Arc<AtomicBool> {
    let called_off = Arc::new(AtomicBool::new(false));
    let on_signal = Arc::clone(&called_off);
    // Without the handler an interruption loses the games that run, no more.
    let _ = ctrlc::set_handler(move || {
        if on_signal.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        eprintln!("finishing the games that run");
    });
    called_off
}
