//! FENs from other programs: errors with only one possible meaning are repaired and reported, others are refused.

use std::fmt;

use super::{FenError, parse_castling, parse_number, parse_pieces};
use crate::board::{Board, IllegalBoard, Setup};
use crate::types::{Color, Square};

/// Something in a FEN that was repaired.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Repair {
    /// The side to move was missing; this one is assumed.
    Side(Color),
    /// The castling rights were missing; none are assumed.
    NoCastling,
    /// A castling right without king and rook in place, or a repeated one, was dropped.
    Castling(char),
    /// An en passant square that no pawn can have passed over was dropped.
    EnPassant(Square),
    /// The move number was 0.
    MoveNumber,
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Repair::Side(color) => write!(f, "the FEN does not say who moves; {color} is assumed"),
            Repair::NoCastling => f.write_str("the FEN says nothing of castling; nobody may castle"),
            Repair::Castling(letter) => {
                write!(f, "the castling right '{letter}' has no king and rook of its own; dropped")
            }
            Repair::EnPassant(square) => write!(f, "no pawn can have passed over {square}; en passant dropped"),
            Repair::MoveNumber => f.write_str("the move number is 0; 1 is assumed"),
        }
    }
}

/// Reads a FEN leniently: all fields after the board may be missing; impossible castling rights and en passant squares
/// are dropped; the move number may be 0. Returns what was repaired. A FEN that needs no repair gives the same board as
/// the strict reader.
///
/// ```
/// # use stillwater_chess::fen;
/// let (board, repairs) = fen::repair("4k3/8/8/8/8/8/8/4K2R w KQkq - 1 0")?;
/// assert_eq!(board.to_string(), "4k3/8/8/8/8/8/8/4K2R w K - 1 1");
/// assert_eq!(repairs.len(), 4); // Q, k, q and the move number
/// assert!(fen::repair("8/8/8/8/8/8/8/4K2R w K - 0 1").is_err());
/// # Ok::<(), fen::FenError>(())
/// ```
pub fn repair(text: &str) -> Result<(Board, Vec<Repair>), FenError> {
    let mut fields = text.split_ascii_whitespace();
    let mut repairs = Vec::new();
    let mut setup = Setup::empty();
    setup.pieces = parse_pieces(fields.next().ok_or(FenError::Missing("board"))?)?;
    let side = fields.next();
    setup.side = match side.map(str::to_ascii_lowercase).as_deref() {
        None | Some("w" | "white") => Color::White,
        Some("b" | "black") => Color::Black,
        _ => return Err(FenError::Side(side.unwrap_or_default().into())),
    };
    match fields.next() {
        Some(rights) => read_castling(rights, &mut setup, &mut repairs)?,
        // If there is only a board, one message is enough.
        None if side.is_some() => repairs.push(Repair::NoCastling),
        None => {}
    }
    setup.en_passant = match fields.next() {
        None | Some("-") => None,
        Some(square) => Some(square.parse().map_err(|_| FenError::EnPassant(square.into()))?),
    };
    // In EPD a dash may stand for a counter.
    if let Some(clock) = fields.next().filter(|&clock| clock != "-") {
        setup.halfmove_clock = parse_number(clock).ok_or_else(|| FenError::HalfmoveClock(clock.into()))?;
    }
    if let Some(number) = fields.next().filter(|&number| number != "-") {
        setup.fullmove_number = parse_number(number).ok_or_else(|| FenError::FullmoveNumber(number.into()))?;
    }
    if let Some(text) = fields.next() {
        return Err(FenError::Extra(text.into()));
    }
    if setup.fullmove_number == 0 {
        setup.fullmove_number = 1;
        repairs.push(Repair::MoveNumber);
    }
    let board = settle(setup, side.is_none(), &mut repairs)?;
    if side.is_none() {
        repairs.insert(0, Repair::Side(board.side_to_move()));
    }
    Ok((board, repairs))
}

/// The castling rights that are possible, letter by letter.
fn read_castling(text: &str, setup: &mut Setup, repairs: &mut Vec<Repair>) -> Result<(), FenError> {
    if text == "-" {
        return Ok(());
    }
    for letter in text.chars() {
        match parse_castling(&letter.to_string(), &setup.pieces) {
            Ok(rook) if (setup.castling_rooks & rook).is_empty() => setup.castling_rooks |= rook,
            Ok(_) | Err(FenError::CastlingRook(_)) => repairs.push(Repair::Castling(letter)),
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// The board, without an impossible en passant square. If the side to move was missing, it may change.
fn settle(mut setup: Setup, may_turn: bool, repairs: &mut Vec<Repair>) -> Result<Board, FenError> {
    match (Board::try_from(setup.clone()), setup.en_passant) {
        (Err(IllegalBoard::OpponentInCheck(side)), _) if may_turn && side != setup.side => {
            setup.side = side;
            settle(setup, false, repairs)
        }
        (
            Err(IllegalBoard::EnPassantRank(_) | IllegalBoard::EnPassantPawn(_) | IllegalBoard::EnPassantCheck(_)),
            Some(square),
        ) => {
            setup.en_passant = None;
            repairs.push(Repair::EnPassant(square));
            settle(setup, may_turn, repairs)
        }
        (outcome, _) => Ok(outcome?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_one_meaning_is_repaired() {
        for (text, fen, count) in [
            ("4k3/8/8/8/8/8/8/4K3", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", 1),
            ("4k3/8/8/8/8/8/8/4K3 b", "4k3/8/8/8/8/8/8/4K3 b - - 0 1", 1),
            ("4k3/8/8/8/8/8/8/4K2R w K", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", 0),
            ("4k3/8/8/8/8/8/8/4K2R White KK - - -", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", 1),
            // White's rook gives check, so it can only be Black's turn.
            ("4k3/8/8/8/8/8/8/4RK2", "4k3/8/8/8/8/8/8/4RK2 b - - 0 1", 1),
            ("4k3/8/8/8/8/8/4P3/4K3 b - e3 0 0", "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", 2),
            (
                "r2qkb1r/pp2nppp/3p4/2pNN1B1/2BnP3/3P4/PPP2PPP/R2bK2R w KQkq - 1 0",
                "r2qkb1r/pp2nppp/3p4/2pNN1B1/2BnP3/3P4/PPP2PPP/R2bK2R w KQkq - 1 1",
                1,
            ),
        ] {
            let (board, repairs) = repair(text).expect(text);
            assert_eq!((board.to_string().as_str(), repairs.len()), (fen, count), "{text}: {repairs:?}");
            assert!(repairs.iter().all(|repair| repair.to_string().len() > 20), "{repairs:?}");
        }
    }

    #[test]
    fn what_needs_no_repair_reads_as_ever() {
        for fen in [super::super::START, "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/8/8/8/4KR1R w F - 3 9"] {
            assert_eq!(repair(fen), Ok((fen.parse().expect(fen), Vec::new())), "{fen}");
        }
    }

    #[test]
    fn the_rest_is_refused_with_its_reason() {
        for (text, reason) in [
            ("", "the FEN ends before its board"),
            ("4k3/8/8/8/8/8/8/8 w - - 0 1", "White has 0 kings instead of one"),
            ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "the side to move is \"x\" instead of w or b"),
            ("4k3/8/8/8/8/8/8/4K3 w KX - 0 1", "'X' is no castling right (KQkq, a file letter, or -)"),
            ("4k3/8/8/8/8/8/8/4RK2 w - - 0 1", "Black is in check, but it is not Black's turn"),
            ("4k3/8/8/8/8/8/8/4K3 w - z9 0 1", "the en passant field is \"z9\" instead of a square or -"),
            ("4k3/8/8/8/8/8/8/4K3 w - - many 1", "the half-move clock is \"many\" instead of a number"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 moves", "\"moves\" comes after the end of the FEN"),
            ("R3k3/8/8/8/8/8/8/r3K3", "White is in check, but it is not White's turn"),
        ] {
            assert_eq!(repair(text).map_err(|error| error.to_string()), Err(reason.to_owned()), "{text}");
        }
    }
}
