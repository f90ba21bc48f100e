//! Ways to an answer without searching the node's moves: tablebases, passing, and a capture that wins by far.

use chess::Move;

use super::kind::Scout;
use super::params;
use super::picker::Picker;
use super::prune;
use super::worker::Worker;
use crate::report::Bound;
use crate::score;
use crate::tablebase::Wdl;
use crate::tt::Record;

impl Worker<'_> {
    /// Whether the move that led to `ply` beats alpha. To be told yes or no a closed window is enough; without principal variation
    /// search the window stays open, and a score within it is believed.
    #[inline]
    pub(super) fn scout(&mut self, (alpha, beta): (i32, i32), depth: i32, ply: usize, cut_node: bool) -> i32 {
        if !params::pvs() {
            self.lines.clear(ply);
            return -self.search::<Scout>(-beta, -alpha, depth, ply, cut_node);
        }
        -self.search::<Scout>(-alpha - 1, -alpha, depth, ply, cut_node)
    }

    /// The score and what kind of bound it is, if the position is in the tables and fresh from a capture or pawn move.
    pub(crate) fn probe_tablebases(&mut self, depth: i32, ply: usize) -> Option<(i32, Bound)> {
        let options = self.shared.options;
        let pieces = self.position.occupied().len();
        let limit = self.shared.tb_limit;
        if pieces > limit
            || self.position.halfmove_clock() != 0
            || (pieces == limit && depth < options.syzygy_probe_depth)
        {
            return None;
        }
        let mut wdl = self.shared.tablebases.probe_wdl(self.position.board())?;
        self.tb_hits += 1;
        if !options.syzygy_50_move_rule {
            wdl = wdl.without_50_move_rule();
        }
        Some(match wdl {
            Wdl::Win => (score::TB_WIN - ply as i32, Bound::Lower),
            Wdl::Loss => (ply as i32 - score::TB_WIN, Bound::Upper),
            Wdl::CursedWin => (score::DRAW + 2, Bound::Exact),
            Wdl::Draw => (score::DRAW, Bound::Exact),
            Wdl::BlessedLoss => (score::DRAW - 2, Bound::Exact),
        })
    }

    /// Lets the opponent move twice. The score, if that still beats beta; deep down a search without null moves must agree.
    pub(crate) fn null_move(
        &mut self,
        beta: i32,
        depth: i32,
        reduction: i32,
        ply: usize,
        cut_node: bool,
    ) -> Option<i32> {
        self.make_null(ply);
        let score = -self.search::<Scout>(-beta, -beta + 1, depth - reduction, ply + 1, !cut_node);
        lab!(self.note_threat(score, beta, ply));
        self.position.unmake();
        if score < beta || self.shared.is_over() {
            return None;
        }
        // A mate after passing proves nothing.
        let score = if score::is_win(score) { beta } else { score };
        if !params::null_verification() || self.null_min_ply > 0 || depth < params::nmp_verification_depth() {
            return Some(score);
        }
        self.null_min_ply = ply + 3 * (depth - reduction).max(1) as usize / 4;
        let verified = self.search::<Scout>(beta - 1, beta, (depth - reduction).max(1), ply, false);
        self.null_min_ply = 0;
        (verified >= beta).then_some(score)
    }

    /// Looks for a capture that beats `high`, first in quiescence and then in a shallow search.
    #[expect(clippy::too_many_arguments, reason = "the facts of one node, used nowhere else")]
    pub(crate) fn probcut(
        &mut self,
        facts: &prune::Facts,
        high: i32,
        tt_move: Option<Move>,
        key: u64,
        raw_eval: i32,
        ply: usize,
        cut_node: bool,
    ) -> Option<i32> {
        let mut picker = Picker::probcut(self, tt_move, high - facts.static_eval, ply);
        let mut found = None;
        let shallow = facts.depth - 4;
        while let Some(mv) = picker.next(self) {
            self.shared.table.prefetch(self.position.key_after(mv));
            self.make(mv, ply);
            let mut score = -self.quiesce::<Scout>(-high, -high + 1, 0, ply + 1);
            if score >= high && shallow > 0 {
                score = -self.search::<Scout>(-high, -high + 1, shallow, ply + 1, !cut_node);
            }
            self.position.unmake();
            if self.shared.is_over() {
                break;
            }
            if score >= high {
                let record = Record {
                    mv: Some(mv),
                    score,
                    eval: raw_eval,
                    depth: shallow + 1,
                    bound: Some(Bound::Lower),
                    pv: false,
                };
                self.shared.table.store(key, ply, record);
                found = Some(if score::is_decisive(score) { score } else { score - (high - facts.beta) });
                break;
            }
        }
        picker.finish(self.pool);
        found
    }
}
