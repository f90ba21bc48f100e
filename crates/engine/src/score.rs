//! Scores: centipawns for the side to move, with room above for tablebase wins and mates.
//!
//! ```text
//!  0 … 28,000    evaluation            31,000 − ply   tablebase win found `ply` plies from the root
//!  32,000 − ply  mate in `ply` plies   32,001         infinity, above every score
//! ```

/// The deepest ply a search can reach.
pub const MAX_PLY: usize = 246;
/// Above every score.
pub const INFINITE: i32 = 32_001;
/// No score at all.
pub const NONE: i32 = 32_002;
/// Mate on the board.
pub const MATE: i32 = 32_000;
/// A draw.
pub const DRAW: i32 = 0;
/// A win by the tablebases, at the root.
pub const TB_WIN: i32 = 31_000;
/// The largest score an evaluation can give.
pub const MAX_EVAL: i32 = 28_000;

const MIN_MATE: i32 = MATE - MAX_PLY as i32;
const MIN_DECISIVE: i32 = TB_WIN - MAX_PLY as i32;

/// The side to move mates `ply` plies from the root.
#[inline]
#[must_use]
pub const fn mate_in(ply: usize) -> i32 {
    MATE - ply as i32
}

/// The side to move is mated `ply` plies from the root.
#[inline]
#[must_use]
pub const fn mated_in(ply: usize) -> i32 {
    ply as i32 - MATE
}

/// Whether the score says mate, for either side.
#[inline]
#[must_use]
pub const fn is_mate(score: i32) -> bool {
    score.abs() >= MIN_MATE && score.abs() <= MATE
}

/// Whether the score says that the game is won or lost, by mate or tablebase.
#[inline]
#[must_use]
pub const fn is_decisive(score: i32) -> bool {
    score.abs() >= MIN_DECISIVE
}

/// Whether the score says won.
#[inline]
#[must_use]
pub const fn is_win(score: i32) -> bool {
    score >= MIN_DECISIVE
}

/// Whether the score says lost.
#[inline]
#[must_use]
pub const fn is_loss(score: i32) -> bool {
    score <= -MIN_DECISIVE
}

/// A score as people read it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Display {
    /// Centipawns.
    Centipawns(i32),
    /// Mate in so many moves; negative if the side to move is mated; 0 if it is mate already.
    Mate(i32),
}

/// A score as people read it: mates in moves, tablebase wins as a large number of centipawns.
#[must_use]
pub fn display(score: i32) -> Display {
    if is_mate(score) {
        let plies = MATE - score.abs();
        let moves = (plies + 1) / 2;
        return Display::Mate(if score > 0 { moves } else { -moves });
    }
    Display::Centipawns(if is_decisive(score) { score.signum() * (20_000 - (TB_WIN - score.abs())) } else { score })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves() {
        assert_eq!(display(mate_in(1)), Display::Mate(1));
        assert_eq!(display(mate_in(3)), Display::Mate(2));
        assert_eq!(display(mated_in(2)), Display::Mate(-1));
        assert_eq!(display(mated_in(0)), Display::Mate(0));
        assert_eq!(display(-17), Display::Centipawns(-17));
        assert_eq!(display(TB_WIN - 5), Display::Centipawns(19_995));
        assert!(is_win(TB_WIN - 100) && is_loss(mated_in(3)) && !is_decisive(MAX_EVAL) && !is_mate(TB_WIN));
    }
}
