//! Openings for self-play: a start position and some random moves, so that no two games are alike.

use chess::Board;
pub use toolkit::Variety;
use toolkit::{Rng, random_walk};

/// How games begin.
#[derive(Clone, Debug)]
pub struct Starts {
    /// What kind of start.
    pub variety: Variety,
    /// Positions to start from instead, if there are any.
    pub book: Vec<Board>,
    /// The number of random moves that follow; at random, one more is played.
    pub plies: usize,
}

impl Starts {
    /// A random start from which the game can continue; none if the random choice gave an unplayable position.
    #[must_use]
    pub fn pick(&self, rng: &mut Rng) -> Option<Board> {
        let plies = self.plies + if self.plies > 0 { rng.below(2) } else { 0 };
        random_walk(self.root(rng)?, plies, rng)
    }

    fn root(&self, rng: &mut Rng) -> Option<Board> {
        if self.book.is_empty() { self.variety.pick(rng) } else { self.book.get(rng.below(self.book.len())).copied() }
    }
}

#[cfg(test)]
mod tests {
    use chess::{Color, Position};

    use super::*;

    #[test]
    fn starts_differ_and_can_be_played() {
        for variety in [Variety::Standard, Variety::Chess960, Variety::Double960, Variety::Endgame] {
            let starts = Starts { variety, book: Vec::new(), plies: 8 };
            let mut rng = Rng::new(3);
            let boards: Vec<Board> = std::iter::repeat_with(|| starts.pick(&mut rng)).take(200).flatten().collect();
            assert!(boards.len() > 90, "{variety:?}: {}", boards.len());
            let keys: std::collections::HashSet<u64> = boards.iter().map(|board| board.key()).collect();
            assert!(keys.len() + 5 > boards.len(), "{variety:?}: {} different", keys.len());
            assert!(boards.iter().all(|&board| Position::new(board).outcome().is_none()));
            assert!(boards.iter().any(|board| board.side_to_move() == Color::Black), "{variety:?}");
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_starts() {
        let starts = Starts { variety: Variety::Double960, book: Vec::new(), plies: 8 };
        let picks = |seed| (0..20).scan(Rng::new(seed), |rng, _| Some(starts.pick(rng))).collect::<Vec<_>>();
        assert_eq!(picks(1), picks(1));
        assert_ne!(picks(1), picks(2));
    }
}
