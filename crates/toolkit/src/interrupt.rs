//! Handles Ctrl-C and the termination signal in long-running commands.
//!
//! A program has one signal handler, but it may run several commands one after another. So the handler is installed
//! once and calls everything that was registered.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, Once, PoisonError};
use std::time::{Duration, Instant};

/// Signals closer together than this count as one: some programs signal a process and also its group.
const SAME: Duration = Duration::from_secs(1);

static HANDLER: Once = Once::new();
static INTERRUPTED: AtomicBool = AtomicBool::new(false);
static ACTIONS: Mutex<Vec<Box<dyn FnMut() + Send>>> = Mutex::new(Vec::new());

/// Whether the program was interrupted.
pub fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// Runs `action` at the first interruption, so that the program can finish its current work; the second one ends it at
/// once. If no handler can be installed, the first interruption ends the program.
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

/// A flag that the first interruption sets; `message`, unless empty, tells the user what is still being finished.
pub fn interrupt_flag(message: &'static str) -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let on_signal = Arc::downgrade(&flag);
    on_interrupt(move || {
        // The command that registered it may be long gone.
        let Some(flag) = on_signal.upgrade() else { return };
        flag.store(true, Ordering::Relaxed);
        if !message.is_empty() {
            eprintln!("{message}");
        }
    });
    flag
}
