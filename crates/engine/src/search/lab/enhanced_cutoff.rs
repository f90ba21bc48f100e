//! Enhanced transposition cutoffs (Plaat and others 1996): before any move is searched, all children are looked up in
//! the hash table. If one of them is bad enough for the opponent, the node is cut off.

use chess::PieceKind;

use crate::report::Bound;
use crate::score;
use crate::search::worker::Worker;
use crate::tt::{self, Entry};

impl Worker<'_> {
    /// The score of the first child in the hash table that cuts off a search of this depth.
    pub(super) fn enhanced_cutoff(&mut self, alpha: i32, beta: i32, depth: i32, ply: usize) -> Option<i32> {
        let table = self.shared.table;
        let key = tt::key(&self.position);
        let clock = self.position.halfmove_clock();
        let own = table.probe(key, ply, clock);
        // As with the node's own entry: near the fifty-move limit, scores from elsewhere cannot be trusted. And if that
        // entry or the rules decide the node, the children are not looked up.
        if clock >= 90
            || own.is_some_and(|own| own.depth >= depth && own.score != score::NONE && own.proves(alpha, beta))
            || self.is_draw(ply)
            || (alpha < score::DRAW && self.can_repeat(ply))
        {
            return None;
        }
        for &mv in &self.position.legal_moves() {
            let resets = mv.is_capture() || self.position.kind_on(mv.from()) == Some(PieceKind::Pawn);
            let clock = if resets { 0 } else { clock + 1 };
            let child = tt::key_at(self.position.key_after(mv), clock);
            let Some(hit) = table.probe(child, ply + 1, clock) else { continue };
            let bad_for_them = matches!(hit.bound, Some(Bound::Upper | Bound::Exact)) && hit.score <= -beta;
            if !bad_for_them || hit.score == score::NONE || hit.depth < depth - 1 {
                continue;
            }
            // The table ignores the path: here the position may be a draw.
            self.position.play(mv);
            let drawn = self.position.is_draw(ply + 1) || self.position.upcoming_repetition(ply + 1);
            self.position.unmake();
            if drawn {
                continue;
            }
            let own = own.unwrap_or(Entry::of_evaluation(score::NONE, false));
            let Entry { pv, eval, spread, .. } = own;
            let (score, bound) = (-hit.score, Some(Bound::Lower));
            table.store(key, ply, Entry { mv: Some(mv), score, eval, depth, bound, pv, spread });
            return Some(score);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Spread;
    use crate::search::fixture::{find, with_worker};
    use chess::Position;

    #[test]
    fn a_child_that_is_deep_and_bad_enough_cuts_off() {
        // A move that lets the half-move clock run on, and one that stops it.
        for mv in ["b3c5", "e2e3"] {
            with_worker("4k3/8/8/3p4/8/1N6/4P3/4K3 w - - 20 1", |worker| {
                let key = tt::key(&worker.position);
                let own = Entry {
                    mv: None,
                    score: score::NONE,
                    eval: 5,
                    depth: tt::EVALUATION,
                    bound: None,
                    pv: false,
                    spread: Spread::UNKNOWN,
                };
                worker.shared.table.store(key, 1, own);
                let ask = |worker: &mut Worker<'_>, beta, depth| worker.enhanced_cutoff(beta - 1, beta, depth, 1);
                let tell = |worker: &mut Worker<'_>, mv: &str, score, depth, bound| {
                    let mv = find(worker, mv);
                    worker.position.play(mv);
                    let entry = Entry {
                        mv: None,
                        score,
                        eval: 0,
                        depth,
                        bound: Some(bound),
                        pv: false,
                        spread: Spread::UNKNOWN,
                    };
                    worker.shared.table.store(tt::key(&worker.position), 2, entry);
                    worker.position.unmake();
                };
                assert_eq!(ask(worker, 100, 6), None);
                tell(worker, "b3d4", -150, 5, Bound::Lower);
                assert_eq!(ask(worker, 100, 6), None, "it may be better for them");
                tell(worker, mv, -120, 5, Bound::Upper);
                assert_eq!(ask(worker, 100, 7), None, "not as deep as that");
                assert_eq!(ask(worker, 121, 6), None, "not as bad as that");
                assert_eq!(ask(worker, 120, 6), Some(120), "{mv}");
                let hit = worker.shared.table.probe(key, 1, 20).expect("written back");
                assert_eq!((hit.mv, hit.bound, hit.depth), (Some(find(worker, mv)), Some(Bound::Lower), 6));
                assert_eq!((hit.score, hit.eval), (120, 5));
            });
        }
    }

    #[test]
    fn a_child_that_repeats_does_not_cut_off() {
        with_worker("4k3/8/8/3p4/8/1N6/4P3/4K3 w - - 0 1", |worker| {
            let entry = Entry {
                mv: None,
                score: -500,
                eval: 0,
                depth: 9,
                bound: Some(Bound::Upper),
                pv: false,
                spread: Spread::UNKNOWN,
            };
            for mv in ["b3d4", "e8e7", "d4b5", "e7e8"] {
                let mv = find(worker, mv);
                worker.position.play(mv);
                if worker.position.plies() == 1 {
                    worker.shared.table.store(tt::key(&worker.position), 2, entry);
                }
            }
            let here = *worker.position.board();
            assert_eq!(worker.enhanced_cutoff(99, 100, 4, 4), None, "the knight's way back is a repetition");
            worker.position = Position::new(here);
            assert_eq!(worker.enhanced_cutoff(99, 100, 4, 4), Some(500), "without a past it is none");
        });
    }
}
