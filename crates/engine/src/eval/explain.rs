//! The evaluation explained, for people and for the laboratory: the same code that plays, run once with a trace.

use std::fmt;

use chess::{Board, Color};

use super::pawns::PawnEntry;
use super::trace::Tally;
use super::weights::{COUNT, DANGER_DIVISOR, DANGER_LIMIT, Group, TABLES, TEMPO, WEIGHTS};
use super::{Assessment, FULL_PHASE, Psq, S, assess, blend, ending, finish, psq};
use crate::score::SearchScore;

fn listen(board: &Board) -> (Tally, Assessment) {
    let mut tally = Tally::new();
    psq::trace(board, &mut tally);
    let pawns = PawnEntry::new(board, &mut tally);
    let assessment = assess(board, Psq::new(board), &pawns, &mut tally);
    (tally, assessment)
}

/// One term of an [`Explanation`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    /// Which term.
    pub group: Group,
    /// What it is worth to White and to Black.
    pub sides: [S; 2],
}

/// An evaluation term by term.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The terms that are added up, each for both sides; complexity moves only the endgame score.
    pub rows: Vec<Row>,
    /// Pieces left: 24 in the middle game to 0 in the last endgame.
    pub phase: i32,
    /// 64ths of the blended score that count; fewer in drawish endings.
    pub scale: i32,
    /// What driving a lone king to the edge adds, from White's view.
    pub mop_up: i32,
    /// The value for the side to move, as the search sees it.
    pub value: SearchScore,
    side: Color,
}

/// Explains the evaluation of a position term by term.
#[must_use]
pub fn explain(board: &Board) -> Explanation {
    let (tally, assessment) = listen(board);
    let rows = Group::ALL.into_iter().map(|group| {
        let sides = match group {
            Group::Danger => assessment.danger,
            Group::Complexity => [S::new(0, assessment.complexity), S::ZERO],
            _ => Color::ALL.map(|us| {
                let tables = TABLES.iter().filter(|table| table.group == group);
                tables.fold(S::ZERO, |sum, &table| sum + tally.sum(us, table))
            }),
        };
        Row { group, sides }
    });
    let Assessment { sum, complexity, phase, scale, mop_up, value, .. } = assessment;
    let value = SearchScore::new(value);
    let explanation = Explanation { rows: rows.collect(), phase, scale, mop_up, value, side: board.side_to_move() };
    debug_assert!(explanation.sum() == sum + S::new(0, complexity), "every term must be in some row");
    explanation
}

impl Explanation {
    /// The sum of all rows, White's minus Black's.
    #[must_use]
    pub fn sum(&self) -> S {
        self.rows.iter().fold(S::ZERO, |sum, row| sum + row.sides[0] - row.sides[1])
    }

    /// What a row is worth in this phase of the game, White's minus Black's.
    #[must_use]
    pub fn blended(&self, row: &Row) -> i32 {
        let total = row.sides[0] - row.sides[1];
        blend(total.middle(), total.end(), self.phase)
    }

    /// The value for the side to move, recomputed from the parts that are shown.
    #[must_use]
    pub fn total(&self) -> SearchScore {
        let blended = blend(self.sum().middle(), self.sum().end(), self.phase);
        SearchScore::new(finish(blended, self.scale, self.mop_up, self.side))
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const RULE: &str = "------------+---------------+---------------+---------------+--------";
        writeln!(f, "       Term |     White     |     Black     |     Total     | Blended")?;
        writeln!(f, "            |    MG     EG  |    MG     EG  |    MG     EG  |")?;
        writeln!(f, "{RULE}")?;
        let pair = |score: S| format!("{:>6} {:>6} ", score.middle(), score.end());
        for row in &self.rows {
            let [white, black] = row.sides;
            let total = white - black;
            let blended = self.blended(row);
            // What belongs to neither side alone is shown only as a total.
            let (white, black) = match row.group {
                Group::Complexity => (" ".repeat(14), " ".repeat(14)),
                _ => (pair(white), pair(black)),
            };
            let name = format!("{:?}", row.group);
            writeln!(f, "{name:>11} | {white}| {black}| {}| {blended:>6}", pair(total))?;
        }
        writeln!(f, "{RULE}")?;
        let sum = self.sum();
        let blended = blend(sum.middle(), sum.end(), self.phase);
        writeln!(f, "{:>11} | {:14}| {:14}| {}| {blended:>6}", "Sum", "", "", pair(sum))?;
        writeln!(f)?;
        writeln!(f, "Phase {} of {FULL_PHASE}, scaled by {} of {}", self.phase, self.scale, ending::FULL_SCALE)?;
        if self.mop_up != 0 {
            writeln!(f, "Mop-up {:+}", self.mop_up)?;
        }
        let (white, own) = (self.value.for_white(self.side).units(), self.value.units());
        write!(f, "Value {white:+} for White, {own:+} for {}, who moves (tempo {TEMPO})", self.side)
    }
}

/// How often every weight applies in a position: the input of Texel's method.
///
/// With `w` the weights, the value for White is `blend(middle, end + complexity) · scale / 64 + mop_up`, where
/// `(middle, end)` is the sum of `w · count` over `linear` plus the worth of White's danger units minus that of
/// Black's; [`Coefficients::value`] spells it out.
#[derive(Clone, Debug)]
pub struct Coefficients {
    /// Index of a linear weight, and how often it counts for White minus for Black.
    pub linear: Vec<(usize, i32)>,
    /// Units of danger that each side inflicts: index and count; empty if its attack does not count; White's first.
    pub danger: [Vec<(usize, i32)>; 2],
    /// Index and count of the weights of complexity; only their endgame halves matter.
    pub complexity: Vec<(usize, i32)>,
    /// 24ths of the middle game that are left.
    pub phase: i32,
    /// 64ths of the blended score that count.
    pub scale: i32,
    /// Added after blending, from White's view.
    pub mop_up: i32,
}

/// Counts how often every weight applies in a position.
#[must_use]
pub fn coefficients(board: &Board) -> Coefficients {
    let (tally, assessment) = listen(board);
    let [white, black] = &tally.counts;
    let mut linear = Vec::new();
    let mut danger = [Vec::new(), Vec::new()];
    let mut complexity = Vec::new();
    for table in TABLES {
        for weight in table.start..table.start + table.len {
            match table.group {
                Group::Danger => {
                    danger[0].push((weight, white[weight]));
                    danger[1].push((weight, black[weight]));
                }
                Group::Complexity => complexity.push((weight, white[weight])),
                _ => linear.push((weight, white[weight] - black[weight])),
            }
        }
    }
    for list in danger.iter_mut().chain([&mut linear, &mut complexity]) {
        list.retain(|&(_, count)| count != 0);
    }
    let Assessment { phase, scale, mop_up, .. } = assessment;
    Coefficients { linear, danger, complexity, phase, scale, mop_up }
}

impl Coefficients {
    /// The value for White in centipawns, without tempo, with weights other than the engine's own; `weights` are
    /// (middle game, endgame) pairs in the order of [`WEIGHTS`]. Unlike the engine it does not round.
    #[must_use]
    pub fn value(&self, weights: &[(f64, f64)]) -> f64 {
        let sum = |counts: &[(usize, i32)]| {
            counts.iter().fold((0.0, 0.0), |(middle, end), &(index, count)| {
                let (weight, count) = (weights[index], f64::from(count));
                (middle + weight.0 * count, end + weight.1 * count)
            })
        };
        let danger = |counts: &[(usize, i32)]| {
            let (middle, end) = sum(counts);
            let limit = f64::from(DANGER_LIMIT);
            let (middle, end) = (middle.clamp(0.0, limit), end.clamp(0.0, limit));
            (middle * middle / f64::from(DANGER_DIVISOR.0), end / f64::from(DANGER_DIVISOR.1))
        };
        let (mut middle, mut end) = sum(&self.linear);
        let [white, black] = [danger(&self.danger[0]), danger(&self.danger[1])];
        middle += white.0 - black.0;
        end += white.1 - black.1;
        let complexity = sum(&self.complexity).1.max(-end.abs());
        end += if end == 0.0 { 0.0 } else { complexity * end.signum() };
        let phase = f64::from(self.phase) / f64::from(FULL_PHASE);
        let scale = f64::from(self.scale) / f64::from(ending::FULL_SCALE);
        (middle * phase + end * (1.0 - phase)) * scale + f64::from(self.mop_up)
    }

    /// The engine's own weights as [`value`](Self::value) takes them.
    #[must_use]
    pub fn own_weights() -> [(f64, f64); COUNT] {
        WEIGHTS.map(|weight| (f64::from(weight.middle()), f64::from(weight.end())))
    }
}
