//! The opening book: while in book, moves are played at once.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use chess::{Move, Position};
use engine::Limits;
use record::polyglot::{Book, pick, total_weight};
use toolkit::Rng;

/// A book and whether it is used.
pub(super) struct OwnBook {
    pub(super) is_used: bool,
    book: Option<Book>,
    /// Chooses among moves.
    random: Rng,
}

impl Default for OwnBook {
    fn default() -> OwnBook {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64);
        OwnBook { is_used: false, book: None, random: Rng::new(now) }
    }
}

impl OwnBook {
    /// Opens a book, or closes it if the name is empty. Returns a message for the user. After a book that cannot be
    /// read there is none, since playing from the old one is not what the user asked for.
    pub(super) fn open(&mut self, name: &str) -> Option<String> {
        self.book = None;
        if name.is_empty() {
            return None;
        }
        Some(match crate::book::load(Path::new(name)) {
            Ok(book) => {
                let text = format!("{name}: {} positions, {} moves", book.positions(), book.len());
                self.book = Some(book);
                text
            }
            Err(error) => format!("{error:#}; there is no book now"),
        })
    }

    /// A book move to play at once, chosen in proportion to the weights. None during analysis or with `searchmoves`,
    /// where the user wants a search.
    pub(super) fn answer(&mut self, position: &Position, limits: &Limits) -> Option<Move> {
        if !self.is_used || limits.infinite || limits.ponder || limits.mate.is_some() {
            return None;
        }
        let mut moves = self.book.as_ref()?.moves_in_game(position);
        moves.retain(|found| limits.search_moves.is_empty() || limits.search_moves.contains(&found.mv));
        pick(&moves, self.random.below(total_weight(&moves) as usize) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::polyglot::Builder;

    fn with_book() -> OwnBook {
        let start = Position::start();
        let mut builder = Builder::default();
        for (text, half_points) in [("e2e4", 2), ("e2e4", 1), ("d2d4", 1), ("a2a3", 0)] {
            builder.add(&start, start.parse_uci(text).expect("legal"), half_points);
        }
        OwnBook { is_used: true, book: Some(builder.finish(1)), random: Rng::new(5) }
    }

    #[test]
    fn moves_come_as_often_as_they_weigh() {
        let (mut book, start) = (with_book(), Position::start());
        let answers: Vec<String> =
            (0..400).filter_map(|_| book.answer(&start, &Limits::default())).map(|mv| mv.uci(false)).collect();
        let kings_pawn = answers.iter().filter(|answer| *answer == "e2e4").count();
        assert_eq!(answers.len(), 400);
        assert!((260..340).contains(&kings_pawn), "{kings_pawn}");
        assert!(answers.iter().all(|answer| answer == "e2e4" || answer == "d2d4"));
    }

    #[test]
    fn only_in_play_and_only_what_was_asked_for() {
        let (mut book, start) = (with_book(), Position::start());
        let only = |text| Limits { search_moves: vec![start.parse_uci(text).expect("legal")], ..Limits::default() };
        assert_eq!(book.answer(&start, &only("d2d4")).map(|mv| mv.uci(false)).as_deref(), Some("d2d4"));
        assert_eq!(book.answer(&start, &only("h2h4")), None);
        assert_eq!(book.answer(&start, &Limits { infinite: true, ..Limits::default() }), None);
        assert_eq!(book.answer(&start, &Limits { ponder: true, ..Limits::default() }), None);
        let after = start.along(&[start.parse_uci("g1f3").expect("legal")]);
        assert_eq!(book.answer(&after, &Limits::default()), None);
        book.is_used = false;
        assert_eq!(book.answer(&start, &Limits::default()), None);
    }
}
