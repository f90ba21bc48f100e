//! The threads of a search: made together, each with a stack deep enough, and believed by vote. One that panics loses no game.

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

/// Room for the deepest line, in debug builds, too.
const STACK_SIZE: usize = 16 << 20;

/// Lets all threads search and returns what the one to believe has found. A thread that panics is no reason to lose a game: what it
/// had found until then counts, all memory is made anew, and why it failed is added to `failures`.
pub(crate) fn run(
    shared: &Shared<'_>,
    memories: &mut [Memory],
    position: &Position,
    root_moves: &[RootMove],
    reporter: &mut dyn Reporter,
    failures: &mut Vec<String>,
) -> ThreadResult {
    let Some((first, others)) = memories.split_first_mut() else { unreachable!("at least one thread") };
    // Nobody begins before all are there: with more threads than cores, those at work would keep the others from being made.
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
        // Who knows what is in there.
        memories.iter_mut().for_each(|memory| *memory = Memory::new());
    }
    let believed = vote(&threads);
    threads.swap_remove(believed)
}

fn deepen(mut worker: Worker<'_>) -> ThreadResult {
    match catch_unwind(AssertUnwindSafe(|| worker.deepen())) {
        Ok(()) => ThreadResult::of(worker),
        Err(panic) => {
            // The first thread decides when to stop, so nobody would without it.
            if worker.id == 0 {
                worker.shared.end();
            }
            ThreadResult::of_failed(worker, text_of(&*panic))
        }
    }
}

/// What a panic says.
fn text_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "nobody knows why".into())
}

thread_local! {
    /// Whether this thread was made by [`on_search_stack`].
    static HAS_SEARCH_STACK: Cell<bool> = const { Cell::new(false) };
}

/// Does work on a thread whose stack is deep enough for any search. Searches within it need no thread of their own: a new one costs a short search
/// a fifth of its speed, with its stack, its page faults and its cold caches. So whoever searches often does all of it in here. If
/// there is no thread to be had, the caller's stack has to do.
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
