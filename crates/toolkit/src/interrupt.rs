//! What Ctrl-C and the signal to end do to commands that run long.
//!
//! A program has one handler, but several commands may run in it one after the other: the handler is set once and tells everybody
//! who asked.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, Once, PoisonError};
use std::time::{Duration, Instant};

/// What comes sooner after an interruption is the same one: some programs signal a process and its group.
const SAME: Duration = Duration::from_secs(1);

static HANDLER: Once = Once::new();
static INTERRUPTED: AtomicBool = AtomicBool::new(false);
static ACTIONS: Mutex<Vec<Box<dyn FnMut() + Send>>> = Mutex::new(Vec::new());

/// Whether the program was interrupted.
pub fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// Runs `action` at the first interruption, so that the program can finish what it is at; the second one ends it at once.
/// Without a handler, because a system has none to give, the first interruption ends the program.
pub fn on_interrupt(mut action: impl FnMut() + Send + 'static) {
    let mut actions = ACTIONS.lock().unwrap_or_else(PoisonError::into_inner);
    if is_interrupted() {
        action();
    }
    actions.push(Box::new(action));
    drop(actions);
    HANDLER.call_once(|| {
        let mut first: Option<Instant> = None;
        let _ = ctrlc::set_handler(move || match first {
            None => {
                first = Some(Instant::now());
                let mut actions = ACTIONS.lock().unwrap_or_else(PoisonError::into_inner);
                INTERRUPTED.store(true, Ordering::Relaxed);
                actions.iter_mut().for_each(|action| action());
            }
            Some(first) if first.elapsed() >= SAME => std::process::exit(130),
            Some(_) => {}
        });
    });
}

/// A flag that the first interruption sets; `message`, if it is not empty, says what is still being done.
pub fn interrupt_flag(message: &'static str) -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let on_signal = Arc::downgrade(&flag);
    on_interrupt(move || {
        // Whoever asked may have ended long ago.
        let Some(flag) = on_signal.upgrade() else { return };
        flag.store(true, Ordering::Relaxed);
        if !message.is_empty() {
            eprintln!("{message}");
        }
    });
    flag
}
