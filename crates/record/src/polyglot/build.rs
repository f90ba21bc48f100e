//! Builds a book from games.

use std::collections::HashMap;

use chess::{Color, Move, Position};

use super::{Book, Entry, encode, key_in_game};

/// Counts moves and their scores.
#[derive(Clone, Default, Debug)]
pub struct Builder {
    /// By key and code: how often the move was played, and the half points it scored for the mover.
    counts: HashMap<(u64, u16), (u32, u64)>,
}

impl Builder {
    /// Counts a legal move of a game in which White scored this many half points.
    pub fn add(&mut self, position: &Position, mv: Move, white_half_points: u8) {
        let points = white_half_points.min(2);
        let own = if position.side_to_move() == Color::White { points } else { 2 - points };
        let count = self.counts.entry((key_in_game(position), encode(mv))).or_default();
        count.0 = count.0.saturating_add(1);
        count.1 += u64::from(own);
    }

    /// The book of all moves that were played in at least `least_games` games and scored at all. Weights are twice the
    /// wins plus the draws, as in Polyglot, and are scaled down together if one would not fit.
    #[must_use]
    pub fn finish(&self, least_games: u32) -> Book {
        let kept = self.counts.iter().filter(|(_, (games, points))| *games >= least_games && *points > 0);
        let most = kept.clone().map(|(_, (_, points))| *points).max().unwrap_or(0);
        let fit = u64::from(u16::MAX);
        let scaled = |points: u64| if most > fit { points * fit / most } else { points };
        let entry = |(&(key, code), &(_, points)): (&(u64, u16), &(u32, u64))| {
            // A move that scored keeps at least a small chance.
            let weight = u16::try_from(scaled(points).max(1)).unwrap_or(u16::MAX);
            Entry { key, code, weight, learn: 0 }
        };
        let mut entries: Vec<Entry> = kept.map(entry).collect();
        entries.sort_by_key(|entry| (entry.key, std::cmp::Reverse(entry.weight), entry.code));
        Book { entries }
    }
}
