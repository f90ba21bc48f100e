//! Passed pawns among pieces: is the path free, safe, escorted? What depends on pawns and kings alone is in `pawns.rs`.

use chess::{Color, Square, attacks};

use super::field::Field;
use super::packed::S;
use super::pawns::PawnEntry;
use super::sets::{ahead, distance, own_rank};
use super::trace::Trace;
use super::weights::{PASSED_BEHIND, PASSED_BLOCKED, PASSED_ESCORTED, PASSED_FREE, PASSED_STEP, UNSTOPPABLE};

/// The passed pawns of `us`, as far as pieces of either side affect them.
#[inline(always)]
pub(super) fn evaluate(field: &Field<'_>, us: Color, pawns: &PawnEntry, trace: &mut impl Trace) -> S {
    let mut score = S::ZERO;
    let (side, enemy) = (field.side(us), field.side(!us));
    let board = field.board;
    for square in pawns.passed & side.pawns {
        let rank = own_rank(us, square);
        let next = square.offset(us.forward());
        let way = ahead(us, square.bitboard());
        if board.color(!us).has(next) {
            score += trace.once(us, PASSED_BLOCKED, rank);
        } else if !field.occupied.has(next) {
            let hindered = (way & (enemy.all | board.color(!us))).any();
            if !hindered {
                score += trace.once(us, PASSED_FREE, rank);
            } else if !enemy.all.has(next) {
                score += trace.once(us, PASSED_STEP, rank);
            }
            if side.all.has(next) {
                score += trace.once(us, PASSED_ESCORTED, rank);
            }
        }
        if rank >= 3 {
            let behind = ahead(!us, square.bitboard()) & board.straight_sliders();
            if behind.any() {
                let pushers = attacks::rook(square, field.occupied) & behind;
                score += trace.count(us, PASSED_BEHIND, 0, i32::from((pushers & board.color(us)).any()));
                score += trace.count(us, PASSED_BEHIND, 1, i32::from((pushers & board.color(!us)).any()));
            }
        }
    }
    score
}

/// A pawn that no king can catch, when the other side has no piece to catch it with.
#[inline]
pub(super) fn unstoppable(field: &Field<'_>, us: Color, pawns: &PawnEntry, trace: &mut impl Trace) -> S {
    let (side, enemy) = (field.side(us), field.side(!us));
    if (pawns.passed & side.pawns).is_empty() || field.board.has_non_pawns(!us) {
        return S::ZERO;
    }
    let late = i32::from(field.board.side_to_move() != us);
    let runs = |pawn: Square| {
        let way = ahead(us, pawn.bitboard());
        let goal = Square::new(pawn.file(), (!us).back_rank());
        let steps = (7 - own_rank(us, pawn) as i32).min(5);
        (way & field.occupied).is_empty() && distance(enemy.king, goal) - late > steps
    };
    let free = (pawns.passed & side.pawns).into_iter().any(runs);
    trace.count(us, UNSTOPPABLE, 0, i32::from(free))
}
