//! The one thread-safe handle on a running search: stop it, or tell it that its pondering was right.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::limits::Limits;

/// Shared by whoever runs a search and whoever may end it.
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
    /// A handle on a search that has yet to begin. Calls of [`stop`](Self::stop) and [`ponder_hit`](Self::ponder_hit) count from now
    /// on, even before the search runs, so none can be lost.
    #[must_use]
    pub fn new() -> Control {
        Control::default()
    }

    /// Ends the search as soon as possible.
    pub fn stop(&self) {
        self.change(|control| control.stopped.store(true, Ordering::Relaxed));
    }

    /// The opponent played the expected move: a search with [`Limits::ponder`] has its own clock running from now on.
    pub fn ponder_hit(&self) {
        self.change(|control| control.ponder_hit.store(true, Ordering::Relaxed));
    }

    /// Whether the search is to end.
    #[inline]
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Whether the opponent's time is running in a search with these limits.
    #[inline]
    pub(crate) fn is_pondering(&self, limits: &Limits) -> bool {
        limits.ponder && !self.ponder_hit.load(Ordering::Relaxed)
    }

    #[cfg(test)]
    pub(crate) fn is_to_fail(&self, thread: usize) -> bool {
        self.failing.get() == Some(&thread)
    }

    /// Sleeps until the answer to a search with these limits may be given: until stopped in an infinite search, until pondering is over in
    /// any other.
    pub fn wait_for_release(&self, limits: &Limits) {
        let mut guard = self.lock();
        while !self.is_stopped() && (limits.infinite || self.is_pondering(limits)) {
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
