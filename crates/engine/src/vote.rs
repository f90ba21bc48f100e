//! The result of each thread of a search, and the vote between them.

use crate::result::PvLine;
use crate::search::worker::Worker;

/// The result of a thread.
pub(crate) struct ThreadResult {
    /// The best first; at least one.
    pub(crate) lines: Vec<PvLine>,
    /// The last iteration it completed.
    depth: i32,
    /// Why it failed, if it did.
    pub(crate) failure: Option<String>,
    #[cfg(feature = "stats")]
    pub(crate) stats: crate::search::stats::Stats,
}

impl ThreadResult {
    pub(crate) fn of(mut worker: Worker<'_>) -> ThreadResult {
        ThreadResult {
            lines: worker.found(worker.shared.lines),
            depth: worker.completed_depth,
            failure: None,
            #[cfg(feature = "stats")]
            stats: worker.stats,
        }
    }

    /// The result of a thread that failed, from what it had found. Computes nothing, since that may be what failed.
    pub(crate) fn of_failed(worker: Worker<'_>, reason: String) -> ThreadResult {
        ThreadResult {
            lines: worker.known_lines(worker.shared.lines, 0),
            depth: worker.completed_depth,
            failure: Some(reason),
            #[cfg(feature = "stats")]
            stats: worker.stats,
        }
    }

    fn best(&self) -> &PvLine {
        &self.lines[0]
    }
}

/// The thread whose result counts. Each votes for its move; a deeper search and a better score weigh more. A proven win
/// beats all votes. Threads that did not get as deep as the first one vote, but cannot win.
pub(crate) fn vote(threads: &[ThreadResult]) -> usize {
    let told_depth = threads.first().map_or(0, |thread| thread.depth);
    let units = |thread: &ThreadResult| thread.best().search_score.units();
    let lowest = threads.iter().map(units).min().unwrap_or(0);
    let weight = |thread: &ThreadResult| i64::from(units(thread) - lowest + 10) * i64::from(thread.depth);
    let support = |index: usize| -> i64 {
        let same = threads.iter().filter(|thread| thread.best().moves.first() == threads[index].best().moves.first());
        same.map(weight).sum()
    };
    let key = |&index: &usize| {
        let score = threads[index].best().search_score;
        let decisive = if score.is_decisive() { score.units() } else { 0 };
        (decisive, support(index), threads[index].depth, std::cmp::Reverse(index))
    };
    (0..threads.len()).filter(|&index| threads[index].depth >= told_depth).max_by_key(key).unwrap_or(0)
}
