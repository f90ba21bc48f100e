//! A move as the protocol writes it: two squares and perhaps a promotion. Only a board can decide whether it is legal.

use std::fmt;
use std::str::FromStr;

use chess::{Board, Move, PieceKind, Square};

use crate::ParseError;

/// A move in long algebraic notation. It cannot represent the null move `0000`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct UciMove {
    /// The square the piece leaves.
    pub from: Square,
    /// The square it enters; for castling either the king's target or, as king-takes-rook, the rook's square.
    pub to: Square,
    /// The piece a pawn promotes to.
    pub promotion: Option<PieceKind>,
}

impl UciMove {
    /// Converts a move; castling becomes king-takes-rook if `chess960`.
    #[must_use]
    pub fn new(mv: Move, chess960: bool) -> UciMove {
        let to = match mv.castling_side() {
            side if mv.is_castle() && !chess960 => {
                Square::new(side.king_target(chess::Color::White).file(), mv.from().rank())
            }
            _ => mv.to(),
        };
        UciMove { from: mv.from(), to, promotion: mv.promotion() }
    }

    /// The legal move it means on this board, if there is one. Castling is accepted in both notations.
    #[must_use]
    pub fn on(self, board: &Board) -> Option<Move> {
        board.parse_uci(&self.to_string()).ok()
    }
}

impl fmt::Display for UciMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        self.promotion.map_or(Ok(()), |kind| write!(f, "{}", kind.letter()))
    }
}

impl FromStr for UciMove {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<UciMove, ParseError> {
        let square = |range| text.get(range).and_then(|name: &str| name.parse::<Square>().ok());
        let promotion = |rest: &str| {
            let mut letters = rest.chars();
            match (letters.next(), letters.next()) {
                (None, _) => Some(None),
                (Some(letter), None) => PieceKind::from_letter(letter.to_ascii_lowercase()).map(Some),
                _ => None,
            }
        };
        let read = || {
            Some(UciMove { from: square(0..2)?, to: square(2..4)?, promotion: promotion(text.get(4..)?)? })
                .filter(|mv| mv.from != mv.to)
        };
        read().ok_or_else(|| ParseError::Move(text.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_both_ways() {
        for text in ["e2e4", "e7e8q", "a7b8n", "e1h1"] {
            assert_eq!(text.parse::<UciMove>().map(|mv| mv.to_string()).as_deref(), Ok(text));
        }
        for text in ["", "0000", "e2", "e2e9", "e7e8qq", "e7e8x", "éee", "e2e4é", "e4e4", "(none)"] {
            assert_eq!(text.parse::<UciMove>(), Err(ParseError::Move(text.into())));
        }
        assert_eq!("e7e8Q".parse::<UciMove>().map(|mv| mv.to_string()).as_deref(), Ok("e7e8q"));
    }

    #[test]
    fn castling_is_written_as_asked() {
        let board: Board = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1".parse().expect("legal");
        let castle = board.parse_uci("e1h1").expect("legal");
        assert_eq!(UciMove::new(castle, false).to_string(), "e1g1");
        assert_eq!(UciMove::new(castle, true).to_string(), "e1h1");
        assert_eq!(UciMove::new(castle, false).on(&board), Some(castle));
    }
}
