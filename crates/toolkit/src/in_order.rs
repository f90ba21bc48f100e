//! Processes items on several threads and delivers the results in the order of the items.
//!
//! No thread starts an item too far ahead of the last result delivered. So the memory for waiting results is bounded,
//! and a kill loses at most those and the items in progress.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Error, Result};

/// Items in progress or waiting for their turn, per thread.
const WINDOW: usize = 2;
/// How often to check whether everything was called off.
const TICK: Duration = Duration::from_millis(50);

/// Hands items to the threads in order, never too far ahead.
struct Feed<'a, I> {
    queue: Mutex<Queue<I>>,
    room: Condvar,
    most: u64,
    called_off: &'a AtomicBool,
}

struct Queue<I> {
    items: I,
    /// The number of the next item.
    next: u64,
    /// All items before this one have been delivered.
    done: u64,
    failed: Option<Error>,
}

impl<T, I: Iterator<Item = Result<T>>> Feed<'_, I> {
    fn lock(&self) -> MutexGuard<'_, Queue<I>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_over(&self) -> bool {
        self.called_off.load(Ordering::Relaxed)
    }

    /// The next item with its number; waits until there is room for it.
    fn take(&self) -> Option<(u64, T)> {
        let mut queue = self.lock();
        while queue.next >= queue.done + self.most && !self.is_over() {
            queue = self.room.wait_timeout(queue, TICK).unwrap_or_else(PoisonError::into_inner).0;
        }
        if self.is_over() || queue.failed.is_some() {
            return None;
        }
        match queue.items.next()? {
            Ok(item) => {
                queue.next += 1;
                Some((queue.next - 1, item))
            }
            Err(error) => {
                queue.failed = Some(error);
                None
            }
        }
    }

    fn is_done_before(&self, next: u64) {
        self.lock().done = next;
        self.room.notify_all();
    }
}

/// Gives every worker a thread and items with their numbers, counted from `first`. Their results go to `use_product` in
/// the order of the items; it is also called now and then without a result. An error in the items ends them early; an
/// error of `use_product` calls everything off.
pub fn in_order<T: Send, P: Send, W: FnMut(u64, T) -> P + Send>(
    items: impl Iterator<Item = Result<T>> + Send,
    first: u64,
    workers: Vec<W>,
    called_off: &AtomicBool,
    use_product: impl FnMut(Option<P>) -> Result<()>,
) -> Result<()> {
    let queue = Mutex::new(Queue { items, next: first, done: first, failed: None });
    let feed = Feed { queue, room: Condvar::new(), most: (workers.len() * WINDOW) as u64, called_off };
    let (sender, products) = mpsc::channel();
    thread::scope(|scope| {
        for mut work in workers {
            let (sender, feed) = (sender.clone(), &feed);
            let run = move || {
                while let Some((number, item)) = feed.take() {
                    if sender.send((number, work(number, item))).is_err() {
                        return;
                    }
                }
            };
            // Threads that already run must not wait for room that never comes.
            let call_off = |_: &std::io::Error| called_off.store(true, Ordering::Relaxed);
            thread::Builder::new().spawn_scoped(scope, run).inspect_err(call_off)?;
        }
        drop(sender);
        let outcome = sort(first, &products, &feed, use_product);
        if outcome.is_err() {
            called_off.store(true, Ordering::Relaxed);
        }
        outcome
    })?;
    let failed = feed.queue.into_inner().unwrap_or_else(PoisonError::into_inner).failed;
    failed.map_or(Ok(()), Err).context("what follows was left out")
}

fn sort<T, P, I: Iterator<Item = Result<T>>>(
    mut next: u64,
    products: &Receiver<(u64, P)>,
    feed: &Feed<'_, I>,
    mut use_product: impl FnMut(Option<P>) -> Result<()>,
) -> Result<()> {
    let mut waiting = BTreeMap::new();
    loop {
        match products.recv_timeout(TICK) {
            Ok((number, product)) => drop(waiting.insert(number, product)),
            Err(RecvTimeoutError::Timeout) => use_product(None)?,
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
        while let Some(product) = waiting.remove(&next) {
            use_product(Some(product))?;
            next += 1;
        }
        feed.is_done_before(next);
    }
}
