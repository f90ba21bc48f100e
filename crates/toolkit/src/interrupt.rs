//! What Ctrl-C and the signal to end do to commands that run long.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What comes sooner after an interruption is the same one: some programs signal a process and its group.
const SAME: Duration = Duration::from_secs(1);

/// Runs `action` at the first interruption, so that the program can finish what it is at; the second one ends it at once.
/// Without a handler, because a system has none to give, the first interruption ends the program.
pub fn on_interrupt(mut action: impl FnMut() + Send + 'static) {
    let mut first: Option<Instant> = None;
    let _ = ctrlc::set_handler(move || match first {
        None => {
            first = Some(Instant::now());
            action();
        }
        Some(first) if first.elapsed() >= SAME => std::process::exit(130),
        Some(_) => {}
    });
}

/// A flag that the first interruption sets; `message`, if it is not empty, says what is still being done.
#[must_use]
pub fn interrupt_flag(message: &'static str) -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let on_signal = Arc::clone(&flag);
    on_interrupt(move || {
        on_signal.store(true, Ordering::Relaxed);
        if !message.is_empty() {
            eprintln!("{message}");
        }
    });
    flag
}
