//! Several engines at work on a list of positions. Records come out in the order of the input.
//!
//! Nobody begins a position that is further ahead of the last one written than there are engines: so what waits in memory for its
//! turn is never more than could be running, and that is all a kill can lose.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::sync::mpsc;
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use engine::{Control, Engine, Limits, Silent};
use indicatif::{ProgressBar, ProgressStyle};

use super::format::Format;
use super::input::Entry;
use super::output::Output;

/// How often to look whether everything is to end.
const LOOK: Duration = Duration::from_millis(20);

/// What there is to do.
pub(super) struct Work<'a> {
    pub(super) entries: &'a [Entry],
    /// So many, from the first, are done already.
    pub(super) done: usize,
    pub(super) limits: &'a Limits,
    pub(super) format: Format,
}

/// Which position is next, and how far ahead one may be.
struct Queue {
    state: Mutex<State>,
    changed: Condvar,
    total: usize,
    ahead: usize,
}

struct State {
    next: usize,
    written: usize,
    closed: bool,
}

impl Queue {
    /// The next position, once its turn has come; none if there are no more.
    fn take(&self) -> Option<usize> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        while !state.closed && state.next < self.total && state.next >= state.written + self.ahead {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let index = state.next;
        (!state.closed && index < self.total).then(|| {
            state.next += 1;
            index
        })
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner));
        self.changed.notify_all();
    }
}

/// Analyses everything that is left and returns how many entries have their record then; fewer than all if stopped.
pub(super) fn run(
    work: &Work<'_>,
    engines: usize,
    make: impl Fn() -> anyhow::Result<Engine>,
    stopped: &Control,
    output: &mut Output,
) -> anyhow::Result<usize> {
    let engines: Vec<Engine> = (0..engines).map(|_| make()).collect::<anyhow::Result<_>>()?;
    let queue = Queue {
        state: Mutex::new(State { next: work.done, written: work.done, closed: false }),
        changed: Condvar::new(),
        total: work.entries.len(),
        ahead: engines.len(),
    };
    let (sender, records) = mpsc::channel();
    thread::scope(|scope| {
        let spawned = engines.into_iter().try_for_each(|mut engine| {
            let (sender, queue) = (sender.clone(), &queue);
            let body = move || {
                while let Some(index) = queue.take() {
                    let record = analyse(&mut engine, work, index, stopped);
                    // What was cut short does not count.
                    if stopped.is_stopped() || sender.send((index, record)).is_err() {
                        return;
                    }
                }
            };
            thread::Builder::new().spawn_scoped(scope, body).map(drop)
        });
        drop(sender);
        let outcome = spawned.map_err(Into::into).and_then(|()| collect(work, &queue, &records, stopped, output));
        // However it ended, nobody may go on.
        stopped.stop();
        queue.change(|state| state.closed = true);
        outcome
    })
}

/// Every position is met with empty tables, so that its result depends on nothing else.
fn analyse(engine: &mut Engine, work: &Work<'_>, index: usize, control: &Control) -> String {
    let Some(entry) = work.entries.get(index) else { return String::new() };
    engine.new_game();
    let found = engine.search(&entry.position(), work.limits, control, &mut Silent);
    work.format.record(entry, index + 1, &found)
}

/// Writes records in order until all are there or it is time to stop.
fn collect(
    work: &Work<'_>,
    queue: &Queue,
    records: &mpsc::Receiver<(usize, String)>,
    stopped: &Control,
    output: &mut Output,
) -> anyhow::Result<usize> {
    let bar = progress(work, output);
    let mut waiting = BTreeMap::new();
    let mut written = work.done;
    while written < work.entries.len() && !stopped.is_stopped() {
        match records.recv_timeout(LOOK) {
            Ok((index, record)) => drop(waiting.insert(index, record)),
            Err(mpsc::RecvTimeoutError::Timeout) => continue,
            Err(mpsc::RecvTimeoutError::Disconnected) => anyhow::bail!("a search has ended unexpectedly"),
        }
        while let Some(record) = waiting.remove(&written) {
            let write = || output.write(&record);
            bar.suspend(write)?;
            written += 1;
            bar.set_position(written as u64);
        }
        queue.change(|state| state.written = written);
    }
    bar.finish_and_clear();
    Ok(written)
}

/// A bar on standard error, if somebody is there to see it and there is something to wait for.
fn progress(work: &Work<'_>, output: &Output) -> ProgressBar {
    let total = work.entries.len();
    let in_the_way = output.is_screen() && std::io::stdout().is_terminal() && work.format != Format::Text;
    if total < 2 || in_the_way || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(total as u64).with_position(work.done as u64);
    // A template that cannot be understood is no reason to analyse nothing.
    if let Ok(style) = ProgressStyle::with_template("{bar:32} {pos} of {len} positions, {eta_precise} left") {
        bar.set_style(style);
    }
    bar.reset_eta();
    bar
}
