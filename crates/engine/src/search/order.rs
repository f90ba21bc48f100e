//! The scores by which the picker orders moves, and the selection of the best.

use chess::{Board, CheckInfo, Move, PieceKind, SEE_VALUES};

use super::history::{Histories, Quiets};
use super::params;
use super::stack::Scored;

/// Evasions that capture come before all others.
const CAPTURE_FIRST: i32 = 1 << 28;

/// Captures by victim and then by capture history; promotions by what they gain.
#[inline]
pub(super) fn noisy_score(board: &Board, histories: &Histories, mv: Move) -> i32 {
    let victim = board.captured(mv).map_or(0, |kind| SEE_VALUES[kind.index()]);
    let promotion = match mv.promotion() {
        Some(PieceKind::Queen) => SEE_VALUES[PieceKind::Queen.index()],
        // Under-promotions are nearly always worse.
        Some(_) => -2000,
        None => 0,
    };
    let gain = if params::victim_ordering() { 16 * (victim + promotion) } else { 0 };
    gain + histories.capture(board, mv)
}

/// The bonus for a quiet check that does not lose the piece.
#[inline]
pub(super) fn check_score(board: &Board, checks: &CheckInfo, mv: Move) -> i32 {
    let is_check = board.kind_on(mv.from()).is_some_and(|kind| checks.squares(kind).has(mv.to()));
    if is_check && params::check_ordering() > 0 && board.see_ge(mv, -75) { params::check_ordering() } else { 0 }
}

/// Captures first, by victim and then by attacker, then quiet moves by history.
#[inline]
pub(super) fn evasion_score(board: &Board, quiets: &Quiets<'_>, mv: Move) -> i32 {
    if mv.is_noisy() {
        let victim = board.captured(mv).map_or(0, |kind| SEE_VALUES[kind.index()]);
        let attacker = board.kind_on(mv.from()).map_or(0, PieceKind::index);
        CAPTURE_FIRST + 8 * victim - attacker as i32 + mv.promotion().map_or(0, |kind| SEE_VALUES[kind.index()])
    } else {
        quiets.score(mv)
    }
}

/// Moves all that score above `limit` to the front, keeping their order, and returns their number.
pub(super) fn good_first(moves: &mut [Scored], limit: i32) -> usize {
    let mut good = 0;
    for index in 0..moves.len() {
        if moves[index].score > limit {
            moves.swap(good, index);
            good += 1;
        }
    }
    good
}

/// Moves the best one (the first of equals) to the front; the others keep their order. Few moves of a list are ever
/// reached, so selecting each when its turn comes is cheaper than sorting them all.
#[inline]
pub(super) fn bring_best(moves: &mut [Scored]) {
    let best = best_of(moves);
    let found = moves[best];
    moves.copy_within(..best, 1);
    moves[0] = found;
}

/// The index of the best move, the first of equals.
#[inline]
pub(super) fn best_of(moves: &[Scored]) -> usize {
    let (mut best, mut most) = (0, i32::MIN);
    for (index, it) in moves.iter().enumerate() {
        if it.score > most {
            (best, most) = (index, it.score);
        }
    }
    best
}
