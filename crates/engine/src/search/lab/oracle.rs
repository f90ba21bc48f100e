//! The oracle of Ronald de Man (1997): root moves get a bonus, here a random one, as if from an oracle. The window of a
//! root move is shifted by its bonus and the score shifted back, so the search below and its hash entries are
//! unaffected. Only the root's own entry changes.
//!
//! A handicapped player errs in the same way; see `handicap.rs`.

use chess::Move;
use chess::zobrist::splitmix;

use crate::handicap;
use crate::score;
use crate::search::node_type::NodeType;
use crate::search::params;
use crate::search::worker::Worker;

fn bonus(mv: Move, seed: u64, width: f64) -> i32 {
    (width * handicap::normal(splitmix(seed ^ splitmix(u64::from(mv.bits()))))).round() as i32
}

impl Worker<'_> {
    /// The bonus of the root move being searched. The same seed gives the same bonuses.
    fn oracle_bonus(&self) -> i32 {
        let (Some(mv), Some(root)) = (self.stack.at(0).mv, self.position.previous()) else { return 0 };
        let seed = splitmix(params::oracle_seed() as u64) ^ root.key();
        bonus(mv, seed, f64::from(params::oracle_width()))
    }

    /// Searches the position after a root move with its bonus. No bonus once a win is found.
    pub(super) fn search_shifted<N: NodeType>(&mut self, alpha: i32, beta: i32, depth: i32, cut_node: bool) -> i32 {
        let bonus = if score::is_win(-beta) { 0 } else { self.oracle_bonus() };
        self.histories.lab.is_shifted = true;
        let score = self.search::<N>(alpha + bonus, beta + bonus, depth, 1, cut_node);
        self.histories.lab.is_shifted = false;
        if score::is_decisive(score) { score } else { score - bonus }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Position;

    #[test]
    fn bonuses_are_seeded_centred_and_as_wide_as_said() {
        let moves = Position::start().legal_moves();
        let draw = |seed: u64, width: f64| -> Vec<i32> { moves.iter().map(|&mv| bonus(mv, seed, width)).collect() };
        assert_eq!(draw(1, 50.0), draw(1, 50.0));
        assert_ne!(draw(1, 50.0), draw(2, 50.0));
        assert!(draw(3, 0.0).iter().all(|&bonus| bonus == 0));
        let many: Vec<f64> = (0..500).flat_map(|seed| draw(splitmix(seed), 50.0)).map(f64::from).collect();
        let mean = many.iter().sum::<f64>() / many.len() as f64;
        let deviation = (many.iter().map(|x| x * x).sum::<f64>() / many.len() as f64).sqrt();
        assert!(mean.abs() < 2.0 && (deviation - 50.0).abs() < 2.5, "{mean} {deviation}");
    }
}
