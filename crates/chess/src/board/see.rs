//! Static exchange evaluation (SEE): what a move gains if both sides keep capturing on its target square, and may stop.
//!
//! Conventions:
//! - Values are `SEE_VALUES`; a king is never captured: it captures only if the target is no longer defended.
//! - Each side captures with its least valuable attacker; sliders behind it join in.
//! - A pinned piece takes no part, unless the target lies on the line of the pin, as long as any slider that pins a
//!   piece to that king has not moved. Pins are those of the board after the first move.
//! - A pawn that captures onto the last rank becomes a queen, and is worth one from then on. The first move promotes to
//!   the piece it names.
//! - En passant removes the pawn from its own square. Castling exchanges nothing and is worth 0.

use super::Board;
use crate::attacks;
use crate::types::{Bitboard, Color, Move, PieceKind, Rank, Square};

/// What each kind of piece is worth in an exchange, in centipawns, the pawn first.
pub const SEE_VALUES: [i32; 6] = [100, 300, 300, 500, 900, 0];

const PROMOTION_GAIN: i32 = SEE_VALUES[PieceKind::Queen.index()] - SEE_VALUES[PieceKind::Pawn.index()];

#[inline]
fn is_last_rank(square: Square) -> bool {
    (Rank::First.bitboard() | Rank::Eighth.bitboard()).has(square)
}

impl Board {
    /// Whether the exchange that a legal move starts gains at least `threshold`.
    #[must_use]
    pub fn see_ge(&self, mv: Move, threshold: i32) -> bool {
        if mv.is_castle() {
            return threshold <= 0;
        }
        let Some(mover) = self.kind_on(mv.from()) else { return false };
        let victim = self.captured(mv).map_or(0, |kind| SEE_VALUES[kind.index()]);
        let arriving = mv.promotion().unwrap_or(mover);
        let promoted = SEE_VALUES[arriving.index()] - SEE_VALUES[mover.index()];

        // Is it enough if the moved piece is never captured? And still enough if it is?
        let kept = (victim + promoted).saturating_sub(threshold);
        if kept < 0 {
            return false;
        }
        let lost = kept - SEE_VALUES[arriving.index()];
        let recapture_gain = if is_last_rank(mv.to()) { PROMOTION_GAIN } else { 0 };
        mover == PieceKind::King || lost >= recapture_gain || self.exchange(mv, lost)
    }

    /// Plays out the exchange. `balance` is what the side that moved last has above its need once the piece it moved is
    /// lost: while that is negative, capturing the piece helps the other side.
    fn exchange(&self, mv: Move, mut balance: i32) -> bool {
        let target = mv.to();
        let gone = mv.from().bitboard() | mv.capture_square().bitboard();
        let mut occupied = (self.occupied() - gone) | target.bitboard();
        let mut attackers = self.attackers_to(target, occupied) & occupied;
        let mut side = self.side;
        if (attackers & self.color(side.other())).is_empty() {
            return true;
        }
        let at_first = occupied;
        let mut pins = [None; 2];
        let promotes = is_last_rank(target);

        // The side that must capture and cannot, or gains nothing by it, has lost the exchange.
        let loser = loop {
            side = side.other();
            let mut ours = attackers & self.color(side);
            if ours.any() {
                let find = || self.exchange_pins(side, target, at_first);
                let (pinned, pinners) = *pins[side.index()].get_or_insert_with(find);
                if (pinners & occupied).any() {
                    ours = ours - pinned;
                }
            }
            let Some((kind, from)) = self.least_valuable(ours) else { break side };
            let mut at_risk = SEE_VALUES[kind.index()];
            if promotes && kind == PieceKind::Pawn {
                balance -= PROMOTION_GAIN;
                at_risk += PROMOTION_GAIN;
            }
            if balance >= 0 {
                break side;
            }
            if kind == PieceKind::King {
                let defended = (attackers & self.color(side.other())).any();
                break if defended { side } else { side.other() };
            }
            balance = -balance - 1 - at_risk;
            if balance >= 0 && !promotes {
                break side.other();
            }
            occupied ^= from.bitboard();
            if matches!(kind, PieceKind::Pawn | PieceKind::Bishop | PieceKind::Queen) {
                attackers |= attacks::bishop(target, occupied) & self.diagonal_sliders();
            }
            if matches!(kind, PieceKind::Rook | PieceKind::Queen) {
                attackers |= attacks::rook(target, occupied) & self.straight_sliders();
            }
            attackers &= occupied;
        };
        loser != self.side
    }

    /// The cheapest piece of a set.
    #[inline]
    fn least_valuable(&self, set: Bitboard) -> Option<(PieceKind, Square)> {
        PieceKind::ALL.into_iter().find_map(|kind| (set & self.kind(kind)).first().map(|square| (kind, square)))
    }

    /// The pieces of `color` that a pin keeps from capturing on `target`, and the sliders that pin them.
    fn exchange_pins(&self, color: Color, target: Square, occupied: Bitboard) -> (Bitboard, Bitboard) {
        let king = self.king(color);
        let aligned = (attacks::bishop_rays(king) & self.diagonal_sliders())
            | (attacks::rook_rays(king) & self.straight_sliders());
        let (mut pinned, mut pinners) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for slider in aligned & self.color(color.other()) & occupied {
            let line = attacks::between(king, slider);
            let obstacles = line & occupied;
            if !obstacles.is_several()
                && (obstacles & self.color(color)).any()
                && !attacks::line(king, slider).has(target)
            {
                pinned |= obstacles;
                pinners |= slider.bitboard();
            }
        }
        (pinned, pinners)
    }
}
