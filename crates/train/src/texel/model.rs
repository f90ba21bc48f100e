//! The evaluation as a function of its weights, and its derivatives.

use engine::eval::Coefficients;
use engine::eval::weights::{COUNT, DANGER_DIVISOR, DANGER_LIMIT, TEMPO};

use super::positions::{Head, Positions};

/// The index of the tempo bonus, which comes after the weights.
pub(super) const TEMPO_INDEX: usize = COUNT;
/// The number of (middle game, endgame) pairs; the last is the tempo bonus, of which only the first half is used.
pub(super) const PAIRS: usize = COUNT + 1;

/// A (middle game, endgame) pair for each weight, and the tempo bonus.
pub type Weights = Vec<[f64; 2]>;

/// The weights the engine plays with.
#[must_use]
pub fn own_weights() -> Weights {
    let own = Coefficients::own_weights();
    own.iter().map(|&(middle, end)| [middle, end]).chain([[f64::from(TEMPO), 0.0]]).collect()
}

/// The derivative of a position's value by each weight that occurs in it: index, by its middle game half, by its
/// endgame half. Sorted by index, without duplicates.
pub(super) type Slopes = Vec<(usize, [f64; 2])>;

fn sum(list: &[(u16, i16)], weights: &Weights) -> [f64; 2] {
    list.iter().fold([0.0; 2], |[middle, end], &(index, count)| {
        let ([by_middle, by_end], count) = (weights[usize::from(index)], f64::from(count));
        [middle + by_middle * count, end + by_end * count]
    })
}

/// The worth of units of danger, and its derivative.
fn danger([middle, end]: [f64; 2]) -> ([f64; 2], [f64; 2]) {
    let limit = f64::from(DANGER_LIMIT);
    let (by_middle, by_end) = (f64::from(DANGER_DIVISOR.0), f64::from(DANGER_DIVISOR.1));
    let inside = |units: f64| if units > 0.0 && units < limit { 1.0 } else { 0.0 };
    let (capped_middle, capped_end) = (middle.clamp(0.0, limit), end.clamp(0.0, limit));
    let worth = [capped_middle * capped_middle / by_middle, capped_end / by_end];
    (worth, [2.0 * capped_middle / by_middle * inside(middle), inside(end) / by_end])
}

/// The parts of an evaluation that its derivatives need too.
struct Parts {
    value: f64,
    /// The derivative of the worth of danger. [attacker][half]
    danger_slopes: [[f64; 2]; 2],
    /// The derivative of the value by the sum of either half.
    halves: [f64; 2],
    /// The derivative of the value by the complexity.
    complexity: f64,
}

fn parts(positions: &Positions, head: &Head, weights: &Weights) -> Parts {
    let [linear, white, black, complexity] = positions.lists(head);
    let [mut middle, mut end] = sum(linear, weights);
    let (white_worth, white_slopes) = danger(sum(white, weights));
    let (black_worth, black_slopes) = danger(sum(black, weights));
    middle += white_worth[0] - black_worth[0];
    end += white_worth[1] - black_worth[1];
    let wanted = sum(complexity, weights)[1];
    // Complexity reduces an advantage but never reverses it: at the bound the endgame score is zero.
    let (sign, is_bound) = (if end == 0.0 { 0.0 } else { end.signum() }, wanted <= -end.abs());
    let end = if is_bound { 0.0 } else { end + wanted * sign };
    let (phase, scale) = (f64::from(head.phase), f64::from(head.scale));
    let halves = [phase * scale, if is_bound { 0.0 } else { (1.0 - phase) * scale }];
    let tempo = weights[TEMPO_INDEX][0] * f64::from(head.side);
    let value = (middle * phase + end * (1.0 - phase)) * scale + f64::from(head.drive) + tempo;
    Parts { value, danger_slopes: [white_slopes, black_slopes], halves, complexity: halves[1] * sign }
}

/// The value of a position for White, in centipawns.
pub(super) fn value(positions: &Positions, head: &Head, weights: &Weights) -> f64 {
    parts(positions, head, weights).value
}

/// The value of a position for White; its derivative by each weight goes into `slopes`.
pub(super) fn differentiate(positions: &Positions, head: &Head, weights: &Weights, slopes: &mut Slopes) -> f64 {
    let Parts { value, danger_slopes, halves, complexity } = parts(positions, head, weights);
    let [linear, white, black, complex] = positions.lists(head);
    slopes.clear();
    let mut push = |list: &[(u16, i16)], by: [f64; 2]| {
        for &(index, count) in list {
            let count = f64::from(count);
            slopes.push((usize::from(index), [count * by[0], count * by[1]]));
        }
    };
    push(linear, halves);
    for (list, by, sign) in [(white, danger_slopes[0], 1.0), (black, danger_slopes[1], -1.0)] {
        push(list, [sign * by[0] * halves[0], sign * by[1] * halves[1]]);
    }
    push(complex, [0.0, complexity]);
    slopes.push((TEMPO_INDEX, [f64::from(head.side), 0.0]));
    // Both sides may use the same weight of danger.
    slopes.sort_by_key(|&(index, _)| index);
    slopes.dedup_by(|later, earlier| {
        let same = later.0 == earlier.0;
        if same {
            earlier.1 = [earlier.1[0] + later.1[0], earlier.1[1] + later.1[1]];
        }
        same
    });
    value
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use chess::Board;
    use engine::eval::coefficients;
    use toolkit::Rng;

    /// Boards from random games, most of them wild enough to use every part of the evaluation.
    pub(in crate::texel) fn boards(count: usize) -> Vec<Board> {
        let (mut rng, mut boards) = (Rng::new(7), Vec::new());
        while boards.len() < count {
            let mut board = Board::start();
            for ply in 0..120 {
                let moves = board.legal_moves();
                if moves.is_empty() {
                    break;
                }
                board.play(moves[rng.below(moves.len())]);
                if ply > 10 && ply % 3 == 0 && !board.in_check() {
                    boards.push(board);
                }
            }
        }
        boards.truncate(count);
        boards
    }

    fn pack(boards: &[Board]) -> Positions {
        let mut positions = Positions::default();
        for board in boards {
            positions.add(&coefficients(board), board.side_to_move(), 0.5, 0);
        }
        positions
    }

    #[test]
    fn packed_values_are_those_of_the_engine() {
        let (boards, own) = (boards(600), own_weights());
        let pairs = Coefficients::own_weights();
        let positions = pack(&boards);
        for (board, head) in boards.iter().zip(&positions.heads) {
            let tempo = f64::from(TEMPO) * f64::from(head.side);
            let expected = coefficients(board).value(&pairs) + tempo;
            assert!((value(&positions, head, &own) - expected).abs() < 1e-3, "{board}");
        }
    }

    #[test]
    fn slopes_are_what_small_changes_do() {
        let positions = pack(&boards(40));
        let (mut slopes, mut danger) = (Slopes::new(), 0);
        for head in &positions.heads {
            let mut weights = own_weights();
            differentiate(&positions, head, &weights, &mut slopes);
            assert!(slopes.is_sorted_by(|one, other| one.0 < other.0));
            danger += usize::from(head.lengths[1] + head.lengths[2] > 0);
            for &(index, expected) in &slopes {
                for half in 0..2 {
                    let step = 1e-4;
                    let mut at = |change: f64| {
                        weights[index][half] += change;
                        let found = value(&positions, head, &weights);
                        weights[index][half] -= change;
                        found
                    };
                    let found = (at(step) - at(-step)) / (2.0 * step);
                    assert!((found - expected[half]).abs() < 1e-3, "weight {index}, {half}: {found} {expected:?}");
                }
            }
        }
        assert!(danger > 5, "some kings are in danger");
    }
}
