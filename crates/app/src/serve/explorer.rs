//! The opening explorer: how often each move was played in the games of a collection, and with which results. Built in
//! memory from PGN that the user sends, or from the server's file.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use chess::{Board, Move};
use record::GameResult;
use record::pgn;

/// The plies of each game that count; by then openings are over.
const LONGEST: usize = 40;
/// The most moves, each in its position, that all collections of the server hold together: about 150 MB.
const MOST: usize = 3_000_000;

/// Results from White's point of view: wins, draws, losses.
pub(super) type Results = [u32; 3];

/// The remaining capacity for all collections.
pub(super) struct Room(AtomicUsize);

impl Room {
    pub(super) fn new() -> Arc<Room> {
        Arc::new(Room(AtomicUsize::new(MOST)))
    }

    /// Reserves capacity for `count` more; false if there is not enough.
    pub(super) fn take(&self, count: usize) -> bool {
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(count)).is_ok()
    }

    pub(super) fn give_back(&self, count: usize) {
        self.0.fetch_add(count, Ordering::Relaxed);
    }
}

pub(super) struct Collection {
    counts: HashMap<(u64, Move), Results>,
    room: Arc<Room>,
    pub(super) games: u32,
    /// Games without a result or that cannot be read.
    pub(super) left_out: u32,
    /// Whether some games did not fit.
    pub(super) is_full: bool,
}

impl Drop for Collection {
    fn drop(&mut self) {
        self.room.give_back(self.counts.len());
    }
}

impl Collection {
    pub(super) fn new(room: Arc<Room>) -> Collection {
        Collection { counts: HashMap::new(), room, games: 0, left_out: 0, is_full: false }
    }

    /// Adds all games of a text.
    pub(super) fn add(&mut self, text: &str) {
        for game in pgn::games(text) {
            let found = game.ok().and_then(|game| Some((game.replay(LONGEST).ok()?, game.result?)));
            match found {
                Some(((start, moves), result)) if !moves.is_empty() => {
                    self.games += 1;
                    self.count(start, &moves, result);
                }
                _ => self.left_out += 1,
            }
        }
    }

    fn count(&mut self, start: Board, moves: &[Move], result: GameResult) {
        let column = match result {
            GameResult::WhiteWins => 0,
            GameResult::Draw => 1,
            GameResult::BlackWins => 2,
        };
        let mut board = start;
        for &mv in moves {
            let key = (board.key(), mv);
            if !self.counts.contains_key(&key) && !self.room.take(1) {
                self.is_full = true;
                return;
            }
            if let Some(count) = self.counts.entry(key).or_default().get_mut(column) {
                *count += 1;
            }
            board = board.after(mv);
        }
    }

    /// The moves played here, the most frequent first.
    pub(super) fn moves(&self, board: &Board) -> Vec<(Move, Results)> {
        let key = board.key();
        let mut found: Vec<(Move, Results)> =
            board.legal_moves().iter().filter_map(|&mv| Some((mv, *self.counts.get(&(key, mv))?))).collect();
        found.sort_by_key(|(_, results)| std::cmp::Reverse(results.iter().sum::<u32>()));
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_counted_by_position() {
        let room = Room::new();
        let mut collection = Collection::new(Arc::clone(&room));
        collection.add("1. e4 e5 2. Nf3 1-0\n\n1. e4 c5 0-1\n\n1. Nf3 e5 2. e4 1/2-1/2\n\n1. e4 *\n\n1. e4 Ke3 1-0\n");
        assert_eq!((collection.games, collection.left_out, collection.is_full), (3, 2, false));
        let start = Board::start();
        let sans = |board: &Board| {
            let moves = collection.moves(board).into_iter();
            moves
                .map(|(mv, [white, draws, black])| format!("{} {white}{draws}{black}", board.san(mv)))
                .collect::<Vec<_>>()
        };
        assert_eq!(sans(&start), ["e4 101", "Nf3 010"]);
        let e4 = start.after(start.parse_san("e4").expect("legal"));
        assert_eq!(sans(&e4).len(), 2);
        assert_eq!(room.0.load(Ordering::Relaxed), MOST - 7);
        drop(collection);
        assert_eq!(room.0.load(Ordering::Relaxed), MOST, "what is gone makes room");
    }

    #[test]
    fn there_is_an_end_to_what_is_kept() {
        let room = Arc::new(Room(AtomicUsize::new(3)));
        let mut collection = Collection::new(room);
        collection.add("1. e4 e5 2. Nf3 Nc6 1-0\n\n1. e4 e5 0-1\n");
        assert!(collection.is_full);
        assert_eq!((collection.games, collection.counts.len()), (2, 3));
        assert_eq!(collection.moves(&Board::start())[0].1, [1, 0, 1], "what is known is counted on");
    }
}
