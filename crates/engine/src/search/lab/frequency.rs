//! Butterfly boards: how often each move was tried, and how often it was best.
//!
//! The butterfly heuristic (Hartmann 1988) prefers moves that are tried often, whatever their results. The relative
//! history heuristic (Winands and others 2006) divides one count by the other, so that a move that is often legal and
//! sometimes good does not beat one that is seldom legal and nearly always good. Plain history, which only adds, cannot
//! tell them apart.

use chess::{Color, Move};

/// At this count both counts of a move are halved: recent results count more, and nothing overflows.
const LIMIT: u32 = 1 << 16;
/// Failed trials that every move starts with: one lucky success proves little.
const DOUBT: u32 = 16;

#[derive(Clone, Copy, Default)]
struct Count {
    tried: u32,
    best: u32,
}

pub(super) struct Frequencies(Box<[Count]>); // [side][from][to]

impl Frequencies {
    pub(super) fn new() -> Frequencies {
        Frequencies(vec![Count::default(); 2 * 4096].into())
    }

    /// Counts a move that was searched to this depth and was the best of its node or not. Deep searches weigh more.
    pub(super) fn count(&mut self, side: Color, mv: Move, depth: i32, best: bool) {
        let count = &mut self.0[index(side, mv)];
        let weight = depth.max(1) as u32;
        count.tried += weight;
        count.best += if best { weight } else { 0 };
        if count.tried >= LIMIT {
            *count = Count { tried: count.tried / 2, best: count.best / 2 };
        }
    }

    /// The share of trials in which the move was best, from 0 to `scale`.
    pub(super) fn success(&self, side: Color, mv: Move, scale: i32) -> i32 {
        let count = self.0[index(side, mv)];
        (i64::from(count.best) * i64::from(scale) / i64::from(count.tried + DOUBT)) as i32
    }

    /// How often the move was tried, as a power of two: counts differ too much to be added to scores as they are.
    pub(super) fn magnitude(&self, side: Color, mv: Move) -> i32 {
        (self.0[index(side, mv)].tried + 1).ilog2() as i32
    }
}

fn index(side: Color, mv: Move) -> usize {
    side.index() * 4096 + mv.from_to()
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::{MoveKind, Square};

    const OFTEN: Move = Move::new(Square::A2, Square::A3, MoveKind::Quiet);
    const SELDOM: Move = Move::new(Square::G1, Square::F3, MoveKind::Quiet);

    #[test]
    fn frequency_and_success_are_different_things() {
        let mut counts = Frequencies::new();
        for turn in 0..400 {
            counts.count(Color::White, OFTEN, 5, turn % 10 == 0);
        }
        for turn in 0..40 {
            counts.count(Color::White, SELDOM, 5, turn % 4 != 0);
        }
        // More successes in all, but a smaller share of them.
        assert!(counts.magnitude(Color::White, OFTEN) > counts.magnitude(Color::White, SELDOM));
        assert!(counts.success(Color::White, OFTEN, 1000) < counts.success(Color::White, SELDOM, 1000));
        assert!((90..=100).contains(&counts.success(Color::White, OFTEN, 1000)));
        assert_eq!((counts.magnitude(Color::Black, OFTEN), counts.success(Color::Black, OFTEN, 1000)), (0, 0));
    }

    #[test]
    fn one_success_proves_little_and_counts_stay_bounded() {
        let mut counts = Frequencies::new();
        counts.count(Color::White, SELDOM, 1, true);
        assert!(counts.success(Color::White, SELDOM, 1000) < 100);
        for _ in 0..100_000 {
            counts.count(Color::White, SELDOM, 200, true);
        }
        assert!((15..=16).contains(&counts.magnitude(Color::White, SELDOM)));
        assert!((990..=1000).contains(&counts.success(Color::White, SELDOM, 1000)));
        // New results outweigh old ones.
        for _ in 0..1000 {
            counts.count(Color::White, SELDOM, 200, false);
        }
        assert!(counts.success(Color::White, SELDOM, 1000) < 300);
    }
}
