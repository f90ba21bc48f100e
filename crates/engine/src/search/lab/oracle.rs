//! The oracle of Ronald de Man (1997): some root moves are given a bonus, here a random one, as if somebody had whispered. The
//! window of a root move is shifted by its bonus and the score shifted back, so the search below and the hash table know nothing of it.
//!
//! The same errors, drawn in the same way, are what makes a handicapped player err; see `handicap.rs`.

use chess::Move;
use chess::zobrist::splitmix;

use crate::handicap;
use crate::score;
use crate::search::params;
use crate::search::root::RootMove;
use crate::search::worker::Worker;

/// Gives each root move of the position with this key its bonus. The same seed gives the same bonuses.
pub(crate) fn give_bonuses(root_moves: &mut [RootMove], key: u64) {
    let seed = splitmix(params::oracle_seed() as u64) ^ key;
    let width = f64::from(params::oracle_width());
    for root_move in root_moves {
        root_move.bonus = bonus(root_move.mv, seed, width);
    }
}

fn bonus(mv: Move, seed: u64, width: f64) -> i32 {
    (width * handicap::normal(splitmix(seed ^ splitmix(u64::from(mv.bits()))))).round() as i32
}

impl Worker<'_> {
    /// The bonus of a root move. None once a win is found: nobody is talked out of that.
    pub(crate) fn oracle_bonus(&self, mv: Move, alpha: i32) -> i32 {
        if score::is_win(alpha) {
            return 0;
        }
        self.root_moves.iter().find(|root_move| root_move.mv == mv).map_or(0, |root_move| root_move.bonus)
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
