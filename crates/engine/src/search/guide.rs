//! Guidance by the network besides its value: the policy orders quiet moves and reduces them more or less; the
//! confidence widens and narrows the margins of pruning.

use chess::{Board, PieceKind};
use nnue::MoveMap;
use nnue::arch::{QP, QUANTILES};

use super::params;
use super::stack::Scored;

/// Whether the policy is used at all.
#[inline]
pub(super) fn uses_policy() -> bool {
    params::policy_ordering() || params::policy_selectivity()
}

/// Adds what the policy thinks of the quiet moves of a node to their scores. Only differences between the moves count,
/// so the mean is taken off.
pub(super) fn add_policy(map: &mut MoveMap, board: &Board, moves: &mut [Scored]) {
    let logits = map.of(board);
    let mut sum = 0;
    for it in moves.iter_mut() {
        let logit = logits.of(board.kind_on(it.mv.from()).unwrap_or(PieceKind::Pawn), it.mv.to());
        it.policy = logit as i16;
        sum += logit;
    }
    let mean = sum / moves.len().max(1) as i32;
    for it in moves {
        it.policy = it.policy.saturating_sub(mean as i16);
        if params::policy_ordering() {
            it.score += i32::from(it.policy) * params::policy_order() / QP;
        }
    }
}

/// How far an evaluation may be off, in five bits, so that it fits into the hash table: how much lower and how much
/// higher a search may find the position, each relative to the mean and in a few steps.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Spread(u8);

/// The steps downward and upward, in 1/64 of the mean.
const DOWN: [i32; 6] = [38, 51, 64, 77, 92, 109];
const UP: [i32; 5] = [38, 51, 64, 80, 104];
const AVERAGE: i32 = 64;

impl Spread {
    /// Nothing is known: margins stay as they are.
    pub(crate) const UNKNOWN: Spread = Spread(0);
    pub(crate) const BITS: usize = 5;
    pub(crate) const MASK: u16 = (1 << Spread::BITS) - 1;

    /// The spread of an evaluation with these quantiles, where these are the mean ones.
    #[inline]
    pub(super) fn new(quantiles: [i32; QUANTILES.len()], mean: [i32; QUANTILES.len()]) -> Spread {
        let [down, up] = [0, 1].map(|index| quantiles[index] * AVERAGE / mean[index]);
        Spread((1 + nearest(&DOWN, down) * UP.len() + nearest(&UP, up)) as u8)
    }

    #[inline]
    pub(crate) fn from_bits(bits: u8) -> Spread {
        let bits = bits & Spread::MASK as u8;
        Spread(if usize::from(bits) <= DOWN.len() * UP.len() { bits } else { 0 })
    }

    #[inline]
    pub(crate) fn bits(self) -> u8 {
        self.0
    }

    /// The steps down and up.
    #[inline]
    fn steps(self) -> [i32; 2] {
        match usize::from(self.0).checked_sub(1) {
            Some(place) => [DOWN[place / UP.len()], UP[place % UP.len()]],
            None => [AVERAGE; 2],
        }
    }

    /// A margin that guards against a search that finds the position worse.
    #[inline]
    pub(super) fn downward(self, margin: i32) -> i32 {
        if params::confidence() { weighted(margin, self.steps()[0]) } else { margin }
    }

    /// A margin that guards against a search that finds the position better.
    #[inline]
    pub(super) fn upward(self, margin: i32) -> i32 {
        if params::confidence() { weighted(margin, self.steps()[1]) } else { margin }
    }
}

/// The margin times the step, as far as the weight of the confidence allows.
#[inline]
fn weighted(margin: i32, step: i32) -> i32 {
    margin * (AVERAGE + (step - AVERAGE) * params::confidence_weight() / 64) / AVERAGE
}

/// The index of the nearest step.
#[inline]
fn nearest(steps: &[i32], number: i32) -> usize {
    steps.windows(2).filter(|pair| 2 * number > pair[0] + pair[1]).count()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use chess::Sink;
    use nnue::arch::{FEATURES, MOVES};
    use nnue::{Network, Policy, move_index};

    use super::*;
    use crate::search::stack::MovePool;

    #[test]
    fn the_policy_rates_moves_against_their_mean() {
        let board = Board::start();
        let favourite = board.parse_uci("g1f3").expect("legal");
        let mut biases = vec![5; MOVES];
        biases[move_index(&board, favourite)] += 200;
        let policy = Policy::new(vec![1; FEATURES * MOVES], biases).expect("a policy");
        let network = Arc::new(Network::random(128, 1).expect("a network").with_policy(Some(policy)));
        let mut map = MoveMap::new(&network).expect("a policy");
        let mut pool = MovePool::new();
        board.legal_moves().iter().for_each(|&mv| pool.push(mv));
        add_policy(&mut map, &board, &mut pool.0);
        for it in &pool.0 {
            let expected = if it.mv == favourite { 190 } else { -10 };
            assert_eq!(i32::from(it.policy), expected, "200 shared by twenty moves are 10");
        }
    }

    #[test]
    fn a_spread_fits_five_bits_and_grows_with_the_quantiles() {
        let mean = [-50, 60];
        assert_eq!(Spread::new(mean, mean).steps(), [64, 64]);
        assert_eq!(Spread::new([-500, 600], mean).steps(), [109, 104]);
        assert_eq!(Spread::new([30, -20], mean).steps(), [38, 38]);
        assert_eq!(Spread::new([-60, 48], mean).steps(), [77, 51]);
        assert_eq!(Spread::UNKNOWN.steps(), [64, 64]);
        let unsure = Spread::new([-100, 120], mean).steps();
        assert!(unsure.iter().all(|&step| weighted(100, step) > 120), "wider margins where the value is unsure");
        let sure = Spread::new([-25, 30], mean).steps();
        assert!(sure.iter().all(|&step| weighted(100, step) < 80), "and narrower ones where it is sure");
        for bits in 0..=255 {
            let spread = Spread::from_bits(bits);
            assert!(u16::from(spread.bits()) <= Spread::MASK && Spread::from_bits(spread.bits()) == spread);
        }
    }
}
