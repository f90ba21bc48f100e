//! The thread-safe handle on a running search: stops it, or lets it know of a ponder hit.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::limits::Limits;

/// Shared by the thread that searches and those that may end the search.
#[derive(Default)]
pub struct Control {
    stopped: AtomicBool,
    ponder_hit: AtomicBool,
    sleep: Mutex<()>,
    wake: Condvar,
    /// The thread that is to panic, for tests.
    #[cfg(test)]
    pub(crate) failing: std::sync::OnceLock<usize>,
}

impl Control {
    /// A handle on a search that has yet to begin. [`stop`](Self::stop) and [`ponder_hit`](Self::ponder_hit) take
    /// effect even before the search runs, so no call is lost.
    #[must_use]
    pub fn new() -> Control {
        Control::default()
    }

    /// Ends the search as soon as possible.
    pub fn stop(&self) {
        self.change(|control| control.stopped.store(true, Ordering::Relaxed));
    }

    /// The opponent played the expected move: from now on a search with [`Limits::ponder`] uses its own clock.
    pub fn ponder_hit(&self) {
        self.change(|control| control.ponder_hit.store(true, Ordering::Relaxed));
    }

    /// Whether the search is to end.
    #[inline]
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Whether a search with these limits is pondering, on the opponent's time.
    #[inline]
    pub(crate) fn is_pondering(&self, limits: &Limits) -> bool {
        limits.ponder && !self.ponder_hit.load(Ordering::Relaxed)
    }

    #[cfg(test)]
    pub(crate) fn is_to_fail(&self, thread: usize) -> bool {
        self.failing.get() == Some(&thread)
    }

    /// Sleeps until the result of a search with these limits may be given: an infinite search must be stopped, any
    /// other must no longer ponder.
    pub fn wait_for_release(&self, limits: &Limits) {
        let mut guard = self.lock();
        while !self.is_stopped() && (limits.infinite || self.is_pondering(limits)) {
            guard = self.wake.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Flags change under the lock, so that no thread falls asleep between checking them and waiting.
    fn change(&self, set: impl FnOnce(&Control)) {
        let _guard = self.lock();
        set(self);
        self.wake.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, ()> {
        self.sleep.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
