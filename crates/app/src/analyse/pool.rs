//! Several engines analyse a list of positions. Records come out in the order of the input.

use std::io::IsTerminal;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use engine::{Control, Engine, Limits, Silent};
use indicatif::ProgressBar;
use toolkit::in_order;

use super::format::Format;
use super::input::Entry;
use super::output::Output;

/// The work to do.
pub(super) struct Work<'a> {
    pub(super) entries: &'a [Entry],
    /// How many entries, from the first, are already done.
    pub(super) done: usize,
    pub(super) limits: &'a Limits,
    pub(super) format: Format,
}

/// Analyses everything that is left and returns how many entries have a record then; fewer than all if stopped.
pub(super) fn run(
    work: &Work<'_>,
    engines: usize,
    make: impl Fn() -> anyhow::Result<Engine>,
    stopped: &Control,
    output: &mut Output,
) -> anyhow::Result<usize> {
    let engines: Vec<Engine> = (0..engines).map(|_| make()).collect::<anyhow::Result<_>>()?;
    let called_off = AtomicBool::new(false);
    let workers = engines.into_iter().map(|mut engine| {
        let called_off = &called_off;
        move |number: u64, entry: &Entry| {
            let record = analyse(&mut engine, work, number as usize, entry, stopped);
            // An interrupted search does not count, and no new one begins.
            called_off.fetch_or(stopped.is_stopped(), Relaxed);
            (!stopped.is_stopped()).then_some(record)
        }
    });
    let entries = work.entries.iter().skip(work.done).map(Ok);
    let bar = progress(work, output);
    let (mut written, mut is_cut) = (work.done, false);
    let outcome = in_order(entries, work.done as u64, workers.collect(), &called_off, |product| {
        let Some(record) = product else { return Ok(()) };
        is_cut |= record.is_none();
        let Some(record) = record.filter(|_| !is_cut) else { return Ok(()) };
        // If the output cannot be written, all searches stop.
        bar.suspend(|| output.write(&record)).inspect_err(|_| stopped.stop())?;
        written += 1;
        bar.set_position(written as u64);
        Ok(())
    });
    bar.finish_and_clear();
    outcome.map(|()| written)
}

/// Every position is searched with empty tables, so that its result depends on nothing else.
fn analyse(engine: &mut Engine, work: &Work<'_>, index: usize, entry: &Entry, control: &Control) -> String {
    engine.new_game();
    let found = engine.search(&entry.position(), work.limits, control, &mut Silent);
    work.format.record(entry, index + 1, &found)
}

/// A bar on standard error, if that is a terminal and there is work left.
fn progress(work: &Work<'_>, output: &Output) -> ProgressBar {
    let total = work.entries.len();
    let in_the_way = output.is_screen() && std::io::stdout().is_terminal() && work.format != Format::Text;
    if total < 2 || in_the_way {
        return ProgressBar::hidden();
    }
    toolkit::bar(total as u64, work.done as u64, "{bar:32} {pos} of {len} positions, {eta_precise} left")
}
