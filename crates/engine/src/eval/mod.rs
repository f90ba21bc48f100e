//! The hand-crafted evaluation (HCE): what a position is worth without looking ahead.
//!
//! It is a table of terms. Every weight has a name and a place in [`weights`]; the files of this module only count how
//! often each applies: `pawns` (with a small hash table), `pieces`, `king`, `threats`, `passed`, `ending`. All scores
//! are pairs ([`S`]) for middle game and endgame, blended by the pieces left. [`Psq`] is updated incrementally, the
//! rest is computed on demand. [`explain`] shows the terms to people, [`coefficients`] to the laboratory; both trace
//! the very code that plays.
//!
//! If there is a network, it replaces all that; `network` connects it with the search, and `forecast` tells people what it
//! expects of one.

mod ending;
mod explain;
mod field;
mod forecast;
mod king;
mod kpk;
mod network;
mod packed;
mod passed;
mod pawns;
mod pieces;
mod psq;
mod sets;
#[cfg(test)]
mod tests;
mod threats;
mod trace;
pub mod weights;

pub(crate) use ending::lone_king;
pub use explain::{Coefficients, Explanation, Row, coefficients, explain};
pub use forecast::{Band, Forecast, forecast};
pub(crate) use network::adjusted;
pub use network::{Contributions, contributions, embedded, embedded_fault, unadjusted};
pub use packed::S;
pub use psq::Psq;
pub(crate) use sets::steps;

use chess::{Board, Color};

use field::Field;
use pawns::{PawnEntry, PawnTable};
use psq::FULL_PHASE;
use trace::Trace;
use weights::TEMPO;

use crate::search::params;

/// No evaluation is larger than this.
const LIMIT: i32 = 20_000;

/// Evaluates positions; each search thread has its own because it caches pawn structures.
pub struct Evaluator {
    pawns: PawnTable,
}

impl Evaluator {
    /// An evaluator with an empty cache.
    #[must_use]
    pub fn new() -> Evaluator {
        Evaluator { pawns: PawnTable::new() }
    }

    /// Clears the cache. It affects only speed, never values.
    pub fn clear(&mut self) {
        self.pawns.clear();
    }

    /// The value in centipawns for the side to move, which must not be in check. `psq` is that of `board`.
    #[inline(never)]
    pub fn evaluate(&mut self, board: &Board, psq: Psq) -> i32 {
        debug_assert!(psq == Psq::new(board));
        let pawns = self.pawns.probe(board);
        assess(board, psq, &pawns, &mut ()).value
    }
}

impl Default for Evaluator {
    fn default() -> Evaluator {
        Evaluator::new()
    }
}

/// The non-linear parts of an evaluation, and the result. All but `value` are from White's point of view.
#[derive(Clone, Copy, Debug)]
struct Assessment {
    /// The sum of the linear terms and the danger to both kings.
    sum: S,
    /// What attacks on the other king are worth. [attacker]
    danger: [S; 2],
    /// Added to the endgame score.
    complexity: i32,
    /// 64ths of the blended score that count.
    scale: i32,
    /// 24ths of the middle game that are left.
    phase: i32,
    /// Added after blending.
    mop_up: i32,
    /// The result for the side to move.
    value: i32,
}

#[inline(always)]
fn assess<T: Trace>(board: &Board, psq: Psq, pawns: &PawnEntry, trace: &mut T) -> Assessment {
    let mut field = Field::new(board);
    let mut sum = if params::piece_square_eval() { psq.score() } else { psq::material(board) };
    // The pieces add their attacks to the field, so they run even where their terms do not count.
    let mut position = pawns.score;
    position += pieces::evaluate(&mut field, Color::White, pawns, trace);
    position -= pieces::evaluate(&mut field, Color::Black, pawns, trace);

    let danger = [Color::White, Color::Black].map(|us| king::attack(&field, us, pawns, trace));
    position += danger[0] - danger[1];
    if params::threat_eval() {
        sum += threats::evaluate(&field, Color::White, trace) - threats::evaluate(&field, Color::Black, trace);
    }
    if pawns.passed.any() {
        position += passed::evaluate(&field, Color::White, pawns, trace);
        position -= passed::evaluate(&field, Color::Black, pawns, trace);
        position += passed::unstoppable(&field, Color::White, pawns, trace);
        position -= passed::unstoppable(&field, Color::Black, pawns, trace);
    }
    let phase = psq.phase();
    if phase >= FULL_PHASE / 2 {
        position += threats::space(&field, Color::White, trace) - threats::space(&field, Color::Black, trace);
    }
    if !params::positional_eval() {
        let value = finish(blend(sum.middle(), sum.end(), phase), ending::FULL_SCALE, 0, board.side_to_move());
        return Assessment { sum, danger, complexity: 0, scale: ending::FULL_SCALE, phase, mop_up: 0, value };
    }
    sum += position;

    let complexity = ending::complexity(&field, pawns, sum.end(), trace);
    let blended = blend(sum.middle(), sum.end() + complexity, phase);
    let ahead = if blended >= 0 { Color::White } else { Color::Black };
    let scale = ending::scale(board, ahead);
    let mop_up = ending::mop_up(board, ahead);
    let value = finish(blended, scale, mop_up, board.side_to_move());
    Assessment { sum, danger, complexity, scale, phase, mop_up, value }
}

/// A score with `phase` 24ths of the middle game and the rest of the endgame.
fn blend(middle: i32, end: i32, phase: i32) -> i32 {
    (middle * phase + end * (FULL_PHASE - phase)) / FULL_PHASE
}

/// The final value for the side to move, from a blended score that is White's minus Black's.
fn finish(blended: i32, scale: i32, mop_up: i32, side: Color) -> i32 {
    let white = blended * scale / ending::FULL_SCALE + mop_up;
    let relative = if side == Color::White { white } else { -white };
    (relative + TEMPO).clamp(-LIMIT, LIMIT)
}
