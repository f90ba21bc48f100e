//! Decides which positions of a game are worth training on.
//!
//! A network evaluates quiet positions; captures and checks are the search's business. So positions in check and those
//! whose best move is noisy are left out, as are the random opening, scores that are not evaluations, and shuffling.

use chess::{Board, Color, Move};
use engine::SearchScore;

/// The filter's rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Filter {
    /// How many plies at the start of a game are left out.
    pub min_ply: u32,
    /// The largest score that is kept.
    pub max_score: i16,
    /// The largest fifty-move counter that is kept.
    pub max_fifty: u16,
    /// Keep positions in check.
    pub keep_checks: bool,
    /// Keep positions whose best move is a capture or a promotion.
    pub keep_noisy: bool,
}

impl Default for Filter {
    fn default() -> Filter {
        Filter { min_ply: 16, max_score: 3000, max_fifty: 60, keep_checks: false, keep_noisy: false }
    }
}

/// Why a position is left out. If several reasons apply, the first counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// Too early in the game.
    Early,
    /// In check.
    Check,
    /// The best move is noisy.
    Noisy,
    /// The score is a mate or a tablebase win.
    Mate,
    /// The score is too large.
    Score,
    /// The fifty-move counter is too large.
    Fifty,
}

impl Reason {
    /// All reasons, in the order they are checked.
    pub const ALL: [Reason; 6] =
        [Reason::Early, Reason::Check, Reason::Noisy, Reason::Mate, Reason::Score, Reason::Fifty];

    /// A few words for reports.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Reason::Early => "early in the game",
            Reason::Check => "in check",
            Reason::Noisy => "best move noisy",
            Reason::Mate => "mate score",
            Reason::Score => "score too large",
            Reason::Fifty => "fifty-move counter",
        }
    }
}

impl Filter {
    /// Why a position is left out; none if it is kept.
    #[must_use]
    pub fn reason(&self, board: &Board, mv: Move, score: i16) -> Option<Reason> {
        let ply =
            u32::from(board.fullmove_number().saturating_sub(1)) * 2 + u32::from(board.side_to_move() == Color::Black);
        if ply < self.min_ply {
            Some(Reason::Early)
        } else if board.in_check() && !self.keep_checks {
            Some(Reason::Check)
        } else if mv.is_noisy() && !self.keep_noisy {
            Some(Reason::Noisy)
        } else if SearchScore::from(score).is_decisive() {
            Some(Reason::Mate)
        } else if score.unsigned_abs() > self.max_score.unsigned_abs() {
            Some(Reason::Score)
        } else if board.halfmove_clock() > self.max_fifty {
            Some(Reason::Fifty)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(filter: Filter, fen: &str, mv: &str, score: i16) -> Option<Reason> {
        let board: Board = fen.parse().expect(fen);
        let moves = board.legal_moves();
        let mv = moves.iter().find(|legal| legal.uci(false) == mv).expect("a legal move");
        filter.reason(&board, *mv, score)
    }

    #[test]
    fn each_rule_leaves_out_what_it_names() {
        let filter = Filter::default();
        let quiet = "4k3/1P6/8/2p5/3P4/8/8/4K3 w - - 60 9";
        assert_eq!(reason(filter, quiet, "e1e2", 3000), None);
        assert_eq!(reason(filter, quiet, "d4c5", 0), Some(Reason::Noisy));
        assert_eq!(reason(filter, quiet, "b7b8q", 0), Some(Reason::Noisy));
        assert_eq!(reason(Filter { keep_noisy: true, ..filter }, quiet, "d4c5", 0), None);
        assert_eq!(reason(filter, quiet, "e1e2", -3001), Some(Reason::Score));
        assert_eq!(reason(Filter { max_score: 3001, ..filter }, quiet, "e1e2", -3001), None);
        assert_eq!(reason(filter, quiet, "e1e2", i16::MIN), Some(Reason::Mate));
        assert_eq!(reason(Filter { max_score: i16::MAX, ..filter }, quiet, "e1e2", -31_995), Some(Reason::Mate));
        assert_eq!(reason(filter, &quiet.replace("60 9", "61 9"), "e1e2", 0), Some(Reason::Fifty));
        let checked = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 30";
        assert_eq!(reason(filter, checked, "e1d1", 0), Some(Reason::Check));
        assert_eq!(reason(Filter { keep_checks: true, ..filter }, checked, "e1d1", 0), None);
    }

    #[test]
    fn plies_count_from_the_beginning_of_the_game() {
        let filter = Filter { min_ply: 17, ..Filter::default() };
        assert_eq!(reason(filter, "4k3/8/8/8/8/8/8/4K3 w - - 0 9", "e1e2", 0), Some(Reason::Early));
        assert_eq!(reason(filter, "4k3/8/8/8/8/8/8/4K3 b - - 0 9", "e8e7", 0), None);
    }
}
