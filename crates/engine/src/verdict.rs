//! What the threads of a search found, and which of them to believe.

use crate::report::{Bound, Info};
use crate::score;
use crate::search::root::RootMove;
use crate::search::worker::{Shared, Worker};

/// What a thread found.
pub(crate) struct Verdict {
    pub(crate) root_moves: Vec<RootMove>, // the best first
    depth: i32,
    #[cfg(feature = "stats")]
    pub(crate) stats: crate::search::stats::Stats,
}

impl Verdict {
    pub(crate) fn of(worker: Worker<'_>) -> Verdict {
        Verdict {
            root_moves: worker.root_moves,
            depth: worker.completed_depth,
            #[cfg(feature = "stats")]
            stats: worker.stats,
        }
    }

    pub(crate) fn best(&self) -> &RootMove {
        &self.root_moves[0]
    }

    /// A line, the best being 0, as it would have been told.
    pub(crate) fn info(&self, line: usize, shared: &Shared<'_>) -> Info {
        let root_move = &self.root_moves[line];
        let shown = root_move.shown_score();
        Info {
            depth: self.depth.max(1),
            seldepth: root_move.seldepth.max(1),
            multipv: line + 1,
            score: shown,
            bound: Bound::Exact,
            wdl: score::win_draw_loss(shown),
            nodes: shared.nodes(),
            hashfull: shared.table.hashfull(),
            tb_hits: shared.tb_hits(),
            time: shared.budget.wall_time(),
            pv: root_move.pv.clone(),
        }
    }
}

/// The thread to believe: each votes for its move, the deeper and the better its score the stronger. A proven win beats all. Threads
/// that did not get as deep as the first one vote, but are not believed.
pub(crate) fn vote(verdicts: &[Verdict]) -> usize {
    let told_depth = verdicts.first().map_or(0, |verdict| verdict.depth);
    let lowest = verdicts.iter().map(|verdict| verdict.best().shown_score()).min().unwrap_or(0);
    let weight = |verdict: &Verdict| i64::from(verdict.best().shown_score() - lowest + 10) * i64::from(verdict.depth);
    let support = |index: usize| -> i64 {
        let same = verdicts.iter().filter(|verdict| verdict.best().mv == verdicts[index].best().mv);
        same.map(weight).sum()
    };
    let key = |&index: &usize| {
        let score = verdicts[index].best().shown_score();
        let decisive = if score::is_decisive(score) { score } else { 0 };
        (decisive, support(index), verdicts[index].depth, std::cmp::Reverse(index))
    };
    (0..verdicts.len()).filter(|&index| verdicts[index].depth >= told_depth).max_by_key(key).unwrap_or(0)
}
