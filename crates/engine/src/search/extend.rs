//! Which moves deserve a deeper search: those without which the position falls.

use chess::Move;

use super::kind::{Node, Scout};
use super::params;
use super::worker::Worker;
use crate::report::Bound;
use crate::score;
use crate::tt::Hit;

impl Worker<'_> {
    /// Whether the hash entry is deep and good enough to ask whether its move is the only one.
    pub(crate) fn may_be_singular(&self, hit: &Hit, depth: i32, ply: usize, tt_pv: bool) -> bool {
        params::singular()
            && depth >= params::singular_depth() + i32::from(tt_pv)
            && hit.depth >= depth - 3
            && matches!(hit.bound, Some(Bound::Lower | Bound::Exact))
            && hit.score != score::NONE
            && !score::is_decisive(hit.score)
            && ply < 2 * self.root_depth.max(1) as usize
    }

    /// Searches without the hash move to see whether it is the only good one. Returns by how much to extend it, or a score if
    /// several moves cut off and the node is done.
    pub(crate) fn singular<N: Node>(
        &mut self,
        hit: &Hit,
        mv: Move,
        beta: i32,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Result<i32, i32> {
        let singular_beta = hit.score - params::singular_margin() * depth / 64;
        self.stack.at_mut(ply).excluded = Some(mv);
        let score = self.search::<Scout>(singular_beta - 1, singular_beta, (depth - 1) / 2, ply, cut_node);
        self.stack.at_mut(ply).excluded = None;
        if score < singular_beta {
            let double = params::double_extension()
                && !N::PV
                && score < singular_beta - params::double_margin()
                && self.stack.at(ply).double_extensions < params::double_limit();
            return Ok(if double { 2 } else { 1 });
        }
        if params::multi_cut() && !N::PV && score >= beta && !score::is_decisive(score) {
            return Err(score);
        }
        if params::negative_extension() {
            if hit.score >= beta {
                return Ok(if N::PV { -1 } else { -2 });
            }
            if cut_node {
                return Ok(-2);
            }
        }
        Ok(0)
    }
}
