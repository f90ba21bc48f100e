//! Scores. The search uses plain integers in its own units, with room above for tablebase wins and mates:
//!
//! ```text
//!  0 … 28,000    evaluation            31,000 − ply   tablebase win found `ply` plies from the root
//!  32,000 − ply  mate in `ply` plies   32,001         infinity, above every score
//! ```
//!
//! Outside the search there are three types, so that they cannot be mixed up: [`SearchScore`] is such an integer,
//! [`Score`] is what UCI and people are shown, [`WhiteScore`] is the same from White's point of view. How the first
//! becomes the second depends on the material on the board; see [`Scale`](crate::chances::Scale).

use std::cmp::Ordering;
use std::ops::Neg;

use chess::Color;

/// The deepest ply a search can reach.
pub const MAX_PLY: usize = 246;
/// Above every score.
pub(crate) const INFINITE: i32 = 32_001;
/// No score at all.
pub(crate) const NONE: i32 = 32_002;
/// Mate on the board.
pub(crate) const MATE: i32 = 32_000;
/// A draw.
pub(crate) const DRAW: i32 = 0;
/// A win by the tablebases, at the root.
pub(crate) const TB_WIN: i32 = 31_000;
/// The largest score an evaluation can give.
pub(crate) const MAX_EVAL: i32 = 28_000;

const MIN_MATE: i32 = MATE - MAX_PLY as i32;
const MIN_DECISIVE: i32 = TB_WIN - MAX_PLY as i32;

/// The side to move mates `ply` plies from the root.
#[inline]
pub(crate) const fn mate_in(ply: usize) -> i32 {
    MATE - ply as i32
}

/// The side to move is mated `ply` plies from the root.
#[inline]
pub(crate) const fn mated_in(ply: usize) -> i32 {
    ply as i32 - MATE
}

/// Whether the score says mate, for either side.
#[inline]
pub(crate) const fn is_mate(score: i32) -> bool {
    score.abs() >= MIN_MATE && score.abs() <= MATE
}

/// Whether the score says that the game is won or lost, by mate or tablebase.
#[inline]
pub(crate) const fn is_decisive(score: i32) -> bool {
    score.abs() >= MIN_DECISIVE
}

/// Whether the score says won.
#[inline]
pub(crate) const fn is_win(score: i32) -> bool {
    score >= MIN_DECISIVE
}

/// Whether the score says lost.
#[inline]
pub(crate) const fn is_loss(score: i32) -> bool {
    score <= -MIN_DECISIVE
}

/// A score in the search's own units, for the side to move, as stored in data files.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct SearchScore(i32);

impl SearchScore {
    /// Mate on the board.
    pub const MATE: SearchScore = SearchScore(MATE);

    /// The score of this many units; what lies beyond a mate counts as one.
    #[must_use]
    pub const fn new(units: i32) -> SearchScore {
        SearchScore(if units > MATE {
            MATE
        } else if units < -MATE {
            -MATE
        } else {
            units
        })
    }

    /// The number of units.
    #[must_use]
    pub const fn units(self) -> i32 {
        self.0
    }

    /// Whether it says mate, for either side.
    #[must_use]
    pub const fn is_mate(self) -> bool {
        is_mate(self.0)
    }

    /// Whether it says that the game is won or lost, by mate or tablebase.
    #[must_use]
    pub const fn is_decisive(self) -> bool {
        is_decisive(self.0)
    }

    /// The score for White, if it is that of `side`; and the reverse.
    #[must_use]
    pub const fn for_white(self, side: Color) -> SearchScore {
        match side {
            Color::White => self,
            Color::Black => SearchScore(-self.0),
        }
    }
}

/// As data files hold it.
impl From<i16> for SearchScore {
    fn from(units: i16) -> SearchScore {
        SearchScore::new(units.into())
    }
}

impl Neg for SearchScore {
    type Output = SearchScore;

    fn neg(self) -> SearchScore {
        SearchScore(-self.0)
    }
}

/// A score as UCI and people read it, for the side to move. The better one is the greater one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Score {
    /// Centipawns: 100 are an even chance to win. Tablebase wins are close to 20,000.
    Centipawns(i32),
    /// Mate in this many moves; negative if the side to move is mated; 0 if it is mated already.
    Mate(i32),
}

/// How a tablebase win at the root is shown.
const TB_CENTIPAWNS: i32 = 20_000;
/// No evaluation is shown as more than this, so that it is not mistaken for a tablebase win.
pub(crate) const MAX_CENTIPAWNS: i32 = TB_CENTIPAWNS - MAX_PLY as i32 - 1;

impl Score {
    /// How a mate or a tablebase result is shown; none if the score is neither.
    pub(crate) const fn of_decisive(score: i32) -> Option<Score> {
        let sign = score.signum();
        if is_mate(score) {
            Some(Score::Mate(sign * ((MATE - score.abs() + 1) / 2)))
        } else if is_decisive(score) {
            Some(Score::Centipawns(sign * (TB_CENTIPAWNS - (TB_WIN - score.abs()))))
        } else {
            None
        }
    }

    /// Always centipawns, to compare and subtract: a mate is worth more than a tablebase win.
    #[must_use]
    pub const fn centipawns(self) -> i32 {
        match self {
            Score::Centipawns(centipawns) => centipawns,
            Score::Mate(moves) if moves > 0 => MATE - moves,
            Score::Mate(moves) => -MATE - moves,
        }
    }

    /// Whether it says won, by mate or tablebase.
    #[must_use]
    pub const fn is_win(self) -> bool {
        self.centipawns() > MAX_CENTIPAWNS
    }

    /// Whether it says that the game is won or lost, by mate or tablebase.
    #[must_use]
    pub const fn is_decisive(self) -> bool {
        self.centipawns().abs() > MAX_CENTIPAWNS
    }

    /// The score from White's point of view, if it is that of `side`.
    #[must_use]
    pub const fn for_white(self, side: Color) -> WhiteScore {
        match (self, side) {
            (Score::Centipawns(centipawns), Color::White) => WhiteScore::Centipawns(centipawns),
            (Score::Centipawns(centipawns), Color::Black) => WhiteScore::Centipawns(-centipawns),
            (Score::Mate(moves), _) => {
                let winner = if moves > 0 { side } else { side.other() };
                WhiteScore::Mate { winner, moves: moves.unsigned_abs() }
            }
        }
    }
}

impl Ord for Score {
    fn cmp(&self, other: &Score) -> Ordering {
        self.centipawns().cmp(&other.centipawns())
    }
}

impl PartialOrd for Score {
    fn partial_cmp(&self, other: &Score) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A score as people read it, from White's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum WhiteScore {
    /// Centipawns, negative if Black is ahead.
    Centipawns(i32),
    /// One side mates.
    Mate {
        /// Which side.
        winner: Color,
        /// In this many moves; 0 if it has mated.
        moves: u32,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves() {
        for (score, shown) in [
            (mate_in(1), Score::Mate(1)),
            (mate_in(3), Score::Mate(2)),
            (mated_in(2), Score::Mate(-1)),
            (mated_in(0), Score::Mate(0)),
            (TB_WIN - 5, Score::Centipawns(19_995)),
            (5 - TB_WIN, Score::Centipawns(-19_995)),
        ] {
            assert_eq!(Score::of_decisive(score), Some(shown));
        }
        assert_eq!(Score::of_decisive(-17), None);
        assert!(is_win(TB_WIN - 100) && is_loss(mated_in(3)) && !is_decisive(MAX_EVAL) && !is_mate(TB_WIN));
    }

    #[test]
    fn the_better_score_is_greater() {
        let shown = [
            Score::Mate(0),
            Score::Mate(-3),
            Score::Centipawns(-19_990),
            Score::Centipawns(-MAX_CENTIPAWNS),
            Score::Centipawns(0),
            Score::Centipawns(31),
            Score::Centipawns(19_990),
            Score::Mate(3),
            Score::Mate(1),
        ];
        assert!(shown.is_sorted_by(|a, b| a < b));
        assert_eq!(shown.map(Score::is_win), [false, false, false, false, false, false, true, true, true]);
        assert_eq!(shown.map(Score::is_decisive), [true, true, true, false, false, false, true, true, true]);
    }

    #[test]
    fn white_sees_what_the_side_to_move_sees_or_its_opposite() {
        use Color::{Black, White};
        assert_eq!(Score::Centipawns(35).for_white(White), WhiteScore::Centipawns(35));
        assert_eq!(Score::Centipawns(35).for_white(Black), WhiteScore::Centipawns(-35));
        assert_eq!(Score::Mate(2).for_white(Black), WhiteScore::Mate { winner: Black, moves: 2 });
        assert_eq!(Score::Mate(-2).for_white(Black), WhiteScore::Mate { winner: White, moves: 2 });
        assert_eq!(Score::Mate(0).for_white(Black), WhiteScore::Mate { winner: White, moves: 0 });
        assert_eq!(SearchScore::new(35).for_white(Black), SearchScore::new(-35));
        assert_eq!(SearchScore::new(i32::MIN), -SearchScore::MATE);
    }
}
