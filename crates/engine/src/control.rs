//! The one thread-safe handle on a running search: stop it, or tell it that its pondering was right.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Shared by whoever runs a search and whoever may end it.
#[derive(Default)]
pub struct Control {
    stopped: AtomicBool,
    pondering: AtomicBool,
    sleep: Mutex<()>,
    wake: Condvar,
}

impl Control {
    /// A handle on a search that has yet to begin. Calls of [`stop`](Self::stop) and [`ponder_hit`](Self::ponder_hit) count from now
    /// on, even before the search runs, so none can be lost.
    #[must_use]
    pub fn new(ponder: bool) -> Control {
        Control { pondering: AtomicBool::new(ponder), ..Control::default() }
    }

    /// Ends the search as soon as possible.
    pub fn stop(&self) {
        self.change(|control| control.stopped.store(true, Ordering::Relaxed));
    }

    /// The opponent played the expected move: the own clock runs from now on.
    pub fn ponder_hit(&self) {
        self.change(|control| control.pondering.store(false, Ordering::Relaxed));
    }

    /// Whether the search is to end.
    #[inline]
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Whether the opponent's time is running.
    #[inline]
    #[must_use]
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Relaxed)
    }

    /// Sleeps until the answer may be given: until stopped if `infinite`, otherwise until pondering is over.
    pub(crate) fn wait_for_release(&self, infinite: bool) {
        let mut guard = self.lock();
        while !self.is_stopped() && (infinite || self.is_pondering()) {
            guard = self.wake.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Flags change under the lock, so that nobody falls asleep between looking at them and waiting.
    fn change(&self, set: impl FnOnce(&Control)) {
        let _guard = self.lock();
        set(self);
        self.wake.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, ()> {
        self.sleep.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
