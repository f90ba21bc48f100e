//! The search threads: started together, each with a deep stack. A vote chooses the result; a panic loses no game.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;
use std::thread;

use chess::Position;

use crate::report::Reporter;
use crate::search::root::RootMove;
use crate::search::worker::{Memory, Shared, Worker};
use crate::vote::{ThreadResult, vote};

/// Room for the deepest line, even in debug builds.
const STACK_SIZE: usize = 16 << 20;

/// Runs all threads and returns the result that wins the vote. If a thread panics, what it had found so far counts, all
/// thread memory is renewed, and the reason is added to `failures`.
pub(crate) fn run(
    shared: &Shared<'_>,
    memories: &mut [Memory],
    position: &Position,
    root_moves: &[RootMove],
    reporter: &mut dyn Reporter,
    failures: &mut Vec<String>,
) -> ThreadResult {
    let Some((first, others)) = memories.split_first_mut() else { unreachable!("at least one thread") };
    // No thread begins before all exist: with more threads than cores, those at work would delay the others.
    let gate = OnceLock::new();
    let mut threads = thread::scope(|scope| {
        let helpers: Vec<_> = others
            .iter_mut()
            .enumerate()
            .map(|(index, memory)| {
                let (position, root_moves, gate) = (position.clone(), root_moves.to_vec(), &gate);
                thread::Builder::new().stack_size(STACK_SIZE).spawn_scoped(scope, move || {
                    gate.wait();
                    deepen(Worker::new(index + 1, shared, memory, position, root_moves, None))
                })
            })
            .collect();
        let _ = gate.set(());
        let first = deepen(Worker::new(0, shared, first, position.clone(), root_moves.to_vec(), Some(reporter)));
        let helpers = helpers.into_iter().flatten().filter_map(|helper| helper.join().ok());
        [first].into_iter().chain(helpers).collect::<Vec<_>>()
    });
    failures.extend(threads.iter_mut().filter_map(|thread| thread.failure.take()));
    if !failures.is_empty() {
        // A panic may leave anything behind.
        memories.iter_mut().for_each(|memory| *memory = Memory::new());
    }
    let believed = vote(&threads);
    threads.swap_remove(believed)
}

fn deepen(mut worker: Worker<'_>) -> ThreadResult {
    match catch_unwind(AssertUnwindSafe(|| worker.deepen())) {
        Ok(()) => ThreadResult::of(worker),
        Err(panic) => {
            // The first thread decides when to stop, so without it the others never would.
            if worker.id == 0 {
                worker.shared.end();
            }
            ThreadResult::of_failed(worker, text_of(&*panic))
        }
    }
}

/// The message of a panic.
fn text_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "nobody knows why".into())
}

thread_local! {
    /// Whether this thread was made by [`on_search_stack`].
    static HAS_SEARCH_STACK: Cell<bool> = const { Cell::new(false) };
}

/// Does work on a thread whose stack is deep enough for any search. Searches within it need no thread of their own: a
/// new one costs a short search a fifth of its speed, for its stack, its page faults and its cold caches. So do all of
/// many searches in one call. If no thread can be created, the caller's stack has to do.
pub fn on_search_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    if HAS_SEARCH_STACK.get() {
        return work();
    }
    let mut work = Some(work);
    let mut done = None;
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK_SIZE).spawn_scoped(scope, || {
            HAS_SEARCH_STACK.set(true);
            done = work.take().map(|work| work());
        });
        if let Ok(Err(panic)) = thread.map(|thread| thread.join()) {
            std::panic::resume_unwind(panic);
        }
    });
    done.or_else(|| work.map(|work| work())).unwrap_or_else(|| unreachable!("one of the two has done it"))
}
