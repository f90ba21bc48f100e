//! FEN in all its dialects: plain FEN, X-FEN and Shredder-FEN; the counters may be missing, as in EPD.
//!
//! Reading has two steps. The text becomes a [`Setup`], which only records what was written; validation turns that into
//! a [`Board`]. Each step has its own errors. [`repair`] reads what other programs write, and reports what it repaired.

mod repair;

pub use repair::{Repair, repair};

use std::fmt;
use std::str::FromStr;

use crate::board::{Board, IllegalBoard, Setup};
use crate::types::{Bitboard, CastlingSide, Color, File, Piece, PieceKind, Rank, Square};

/// The FEN of the start position.
pub const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// What is wrong with a FEN.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum FenError {
    /// A required field is missing.
    Missing(&'static str),
    /// There is more text than a FEN has.
    Extra(String),
    /// The board does not have eight ranks.
    RankCount(usize),
    /// A rank does not have eight squares.
    RankLength(Rank, usize),
    /// A character of the board is neither piece nor number.
    Piece(char),
    /// Two numbers stand side by side.
    AdjacentNumbers(Rank),
    /// The side to move is neither `w` nor `b`.
    Side(String),
    /// A character of the castling field is not a castling right.
    Castling(char),
    /// A castling right occurs twice.
    CastlingRepeated(char),
    /// A castling right has no rook to castle with.
    CastlingRook(char),
    /// The en passant field is neither a square nor `-`.
    EnPassant(String),
    /// The half-move clock is not a number.
    HalfmoveClock(String),
    /// The move number is not a number.
    FullmoveNumber(String),
    /// The text is valid, but the position is not.
    Illegal(IllegalBoard),
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(field) => write!(f, "the FEN ends before its {field}"),
            Self::Extra(text) => write!(f, "\"{text}\" comes after the end of the FEN"),
            Self::RankCount(count) => write!(f, "the board has {count} ranks instead of 8"),
            Self::RankLength(rank, length) => write!(f, "rank {} has {length} squares instead of 8", rank.digit()),
            Self::Piece(letter) => {
                write!(f, "'{}' is neither a piece nor a number from 1 to 8", letter.escape_default())
            }
            Self::AdjacentNumbers(rank) => write!(f, "rank {} has two numbers side by side", rank.digit()),
            Self::Side(text) => write!(f, "the side to move is \"{text}\" instead of w or b"),
            Self::Castling(letter) => {
                write!(f, "'{}' is no castling right (KQkq, a file letter, or -)", letter.escape_default())
            }
            Self::CastlingRepeated(letter) => write!(f, "the castling right '{letter}' is there twice"),
            Self::CastlingRook(letter) => write!(f, "the castling right '{letter}' has no king and rook in place"),
            Self::EnPassant(text) => write!(f, "the en passant field is \"{text}\" instead of a square or -"),
            Self::HalfmoveClock(text) => write!(f, "the half-move clock is \"{text}\" instead of a number"),
            Self::FullmoveNumber(text) => write!(f, "the move number is \"{text}\" instead of a number"),
            Self::Illegal(reason) => reason.fmt(f),
        }
    }
}

impl std::error::Error for FenError {}

impl From<IllegalBoard> for FenError {
    fn from(reason: IllegalBoard) -> FenError {
        FenError::Illegal(reason)
    }
}

impl FromStr for Board {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Board, FenError> {
        Ok(Board::try_from(text.parse::<Setup>()?)?)
    }
}

impl FromStr for Setup {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Setup, FenError> {
        let mut fields = text.split_ascii_whitespace();
        let mut field = |name| fields.next().ok_or(FenError::Missing(name));
        let mut setup = Setup::empty();
        setup.pieces = parse_pieces(field("board")?)?;
        setup.side = match field("side to move")? {
            "w" => Color::White,
            "b" => Color::Black,
            other => return Err(FenError::Side(other.into())),
        };
        setup.castling_rooks = parse_castling(field("castling rights")?, &setup.pieces)?;
        setup.en_passant = match field("en passant square")? {
            "-" => None,
            square => Some(square.parse().map_err(|_| FenError::EnPassant(square.into()))?),
        };
        if let Some(clock) = fields.next() {
            setup.halfmove_clock = parse_number(clock).ok_or_else(|| FenError::HalfmoveClock(clock.into()))?;
        }
        if let Some(number) = fields.next() {
            setup.fullmove_number = parse_number(number).ok_or_else(|| FenError::FullmoveNumber(number.into()))?;
        }
        match fields.next() {
            Some(text) => Err(FenError::Extra(text.into())),
            None => Ok(setup),
        }
    }
}

/// Digits only, so `+1` is no number. Numbers that are too large become the largest, where the counters stop too.
fn parse_number(text: &str) -> Option<u16> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().unwrap_or(u16::MAX))
}

fn parse_pieces(text: &str) -> Result<[Option<Piece>; 64], FenError> {
    let mut pieces = [None; 64];
    let count = text.split('/').count();
    if count != 8 {
        return Err(FenError::RankCount(count));
    }
    for (rank, row) in Rank::ALL.into_iter().rev().zip(text.split('/')) {
        let mut file = 0;
        let mut after_number = false;
        for letter in row.chars() {
            if let Some(gap) = letter.to_digit(10).filter(|gap| (1..=8).contains(gap)) {
                if std::mem::replace(&mut after_number, true) {
                    return Err(FenError::AdjacentNumbers(rank));
                }
                file += gap as usize;
                continue;
            }
            after_number = false;
            let piece = Piece::from_letter(letter).ok_or(FenError::Piece(letter))?;
            if let Some(square) = File::ALL.get(file).map(|&file| Square::new(file, rank)) {
                pieces[square.index()] = Some(piece);
            }
            file += 1;
        }
        if file != 8 {
            return Err(FenError::RankLength(rank, file));
        }
    }
    Ok(pieces)
}

fn parse_castling(text: &str, pieces: &[Option<Piece>; 64]) -> Result<Bitboard, FenError> {
    let mut rooks = Bitboard::EMPTY;
    if text == "-" {
        return Ok(rooks);
    }
    for letter in text.chars() {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let rank = color.back_rank();
        let is = |square: &Square, kind| pieces[square.index()] == Some(Piece::new(color, kind));
        let row = File::ALL.map(|file| Square::new(file, rank));
        let rook = match letter.to_ascii_lowercase() {
            // The outermost rook of the wing, which in classical chess is the one on the edge.
            'k' => {
                row.into_iter().rev().take_while(|square| !is(square, PieceKind::King)).find(|s| is(s, PieceKind::Rook))
            }
            'q' => row.into_iter().take_while(|square| !is(square, PieceKind::King)).find(|s| is(s, PieceKind::Rook)),
            other => {
                let file = File::from_letter(other).ok_or(FenError::Castling(letter))?;
                Some(Square::new(file, rank)).filter(|square| is(square, PieceKind::Rook))
            }
        };
        let has_king = row.iter().any(|square| is(square, PieceKind::King));
        let rook = rook.filter(|_| has_king).ok_or(FenError::CastlingRook(letter))?;
        if rooks.has(rook) {
            return Err(FenError::CastlingRepeated(letter));
        }
        rooks |= rook.bitboard();
    }
    Ok(rooks)
}

/// The FEN, in X-FEN where Chess960 makes a difference: a castling rook that is not the outermost of its wing is named
/// by its file.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_fen(f, false)
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board({self})")
    }
}

impl Board {
    /// The Shredder-FEN: every castling rook is named by its file.
    #[must_use]
    pub fn shredder_fen(&self) -> String {
        struct Shredder<'a>(&'a Board);
        impl fmt::Display for Shredder<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.write_fen(f, true)
            }
        }
        Shredder(self).to_string()
    }

    fn write_fen(&self, f: &mut fmt::Formatter<'_>, shredder: bool) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            let mut gap = 0;
            for file in File::ALL {
                let Some(piece) = self.piece_on(Square::new(file, rank)) else {
                    gap += 1;
                    continue;
                };
                if gap > 0 {
                    write!(f, "{gap}")?;
                }
                gap = 0;
                write!(f, "{}", piece.letter())?;
            }
            if gap > 0 {
                write!(f, "{gap}")?;
            }
            if rank != Rank::First {
                f.write_str("/")?;
            }
        }
        f.write_str(if self.side_to_move() == Color::White { " w " } else { " b " })?;
        if self.castling().rooks().is_empty() {
            f.write_str("-")?;
        }
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                if let Some(rook) = self.castling().rook(color, self.king(color), side) {
                    let letter = self.castling_letter(color, side, rook, shredder);
                    write!(f, "{}", if color == Color::White { letter.to_ascii_uppercase() } else { letter })?;
                }
            }
        }
        match self.en_passant() {
            Some(square) => write!(f, " {square}")?,
            None => f.write_str(" -")?,
        }
        write!(f, " {} {}", self.halfmove_clock(), self.fullmove_number())
    }

    fn castling_letter(&self, color: Color, side: CastlingSide, rook: Square, shredder: bool) -> char {
        let rooks = self.pieces(color, PieceKind::Rook) & color.back_rank().bitboard();
        let (further_out, letter) = match side {
            CastlingSide::King => (rooks.into_iter().any(|other| other > rook), 'k'),
            CastlingSide::Queen => (rooks.into_iter().any(|other| other < rook), 'q'),
        };
        if shredder || further_out { rook.file().letter() } else { letter }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_position_is_what_it_should_be() {
        assert_eq!(Board::start().to_string(), START);
        assert_eq!(START.parse::<Board>(), Ok(Board::start()));
        assert_eq!(Board::start().shredder_fen(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1");
    }

    #[test]
    fn dialects() {
        for (text, printed) in [
            // Counters may be missing, and there may be many spaces.
            ("4k3/8/8/8/8/8/8/4K2R w K -", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
            ("  4k3/8/8/8/8/8/8/4K2R \t w  H -  7 ", "4k3/8/8/8/8/8/8/4K2R w K - 7 1"),
            // The inner rook castles: X-FEN names its file.
            ("4k3/8/8/8/8/8/8/4KR1R w F - 0 1", "4k3/8/8/8/8/8/8/4KR1R w F - 0 1"),
            ("4k3/8/8/8/8/8/8/4KR1R w K - 0 1", "4k3/8/8/8/8/8/8/4KR1R w K - 0 1"),
            ("rk1r4/8/8/8/8/8/8/1R2K3 b Bad - 0 1", "rk1r4/8/8/8/8/8/8/1R2K3 b Qkq - 0 1"),
            // An en passant square that no pawn can use is dropped, a usable one is kept.
            (
                "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
                "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
            ),
            ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"),
            ("8/8/8/8/k2pP2Q/8/8/4K3 b - e3 0 1", "8/8/8/8/k2pP2Q/8/8/4K3 b - - 0 1"),
        ] {
            assert_eq!(text.parse::<Board>().map(|board| board.to_string()).as_deref(), Ok(printed), "{text}");
        }
    }

    #[test]
    fn every_way_to_be_wrong_has_its_own_error_and_message() {
        use FenError as E;
        use IllegalBoard as I;
        let cases = [
            ("", E::Missing("board")),
            ("4k3/8/8/8/8/8/8/4K3", E::Missing("side to move")),
            ("4k3/8/8/8/8/8/8/4K3 w", E::Missing("castling rights")),
            ("4k3/8/8/8/8/8/8/4K3 w -", E::Missing("en passant square")),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 moves", E::Extra("moves".into())),
            ("4k3/8/8/8/8/8/4K3 w - - 0 1", E::RankCount(7)),
            ("4k3/8/8/8/8/8/7/4K3 w - - 0 1", E::RankLength(Rank::Second, 7)),
            ("4k3/8/8/8/8/8/9/4K3 w - - 0 1", E::Piece('9')),
            ("4k3/8/8/é/8/8/8/4K3 w - - 0 1", E::Piece('é')),
            ("4k3/8/8/8/8/8/44/4K3 w - - 0 1", E::AdjacentNumbers(Rank::Second)),
            ("4k3/8/8/8/8/8/8/4K3 white - - 0 1", E::Side("white".into())),
            ("4k3/8/8/8/8/8/8/4K3 w x - 0 1", E::Castling('x')),
            ("4k3/8/8/8/8/8/8/4K2R w KH - 0 1", E::CastlingRepeated('H')),
            ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", E::CastlingRook('K')),
            ("4k3/8/8/8/8/8/8/4K3 w - e9 0 1", E::EnPassant("e9".into())),
            ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", E::HalfmoveClock("-1".into())),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 one", E::FullmoveNumber("one".into())),
            ("4k3/8/8/8/8/8/8/8 w - - 0 1", E::Illegal(I::Kings(Color::White, 0))),
            ("4k3/8/8/8/8/8/8/P3K3 w - - 0 1", E::Illegal(I::PawnOnLastRank(Square::A1))),
            ("4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1", E::Illegal(I::TooManyPawns(Color::Black, 9))),
            ("4k3/8/8/8/8/PPPPPPPP/QQQQQQQQ/4K3 w - - 0 1", E::Illegal(I::TooManyPieces(Color::White, 17))),
            ("4k3/8/8/8/8/PPPPPPPP/QQ6/4K3 w - - 0 1", E::Illegal(I::TooManyPromoted(Color::White))),
            ("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", E::Illegal(I::OpponentInCheck(Color::Black))),
            ("4k3/8/8/8/8/8/2np2n1/4K3 w - - 0 1", E::Illegal(I::TooManyCheckers(3))),
            ("4k3/8/8/8/8/8/8/RR2K3 w AB - 0 1", E::Illegal(I::CastlingTwice(Square::B1))),
            ("4k3/8/8/8/3pP3/8/8/4K3 b - e4 0 1", E::Illegal(I::EnPassantRank(Square::E4))),
            ("4k3/8/8/8/3p4/8/8/4K3 b - e3 0 1", E::Illegal(I::EnPassantPawn(Square::E3))),
            ("8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1", E::Illegal(I::EnPassantCheck(Square::D3))),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 0", E::Illegal(I::FullmoveNumber)),
        ];
        let mut messages = Vec::new();
        for (fen, expected) in &cases {
            assert_eq!(fen.parse::<Board>().as_ref(), Err(expected), "{fen}");
            messages.push(expected.to_string());
        }
        // No FEN can express this: its castling rights are looked up among the rooks.
        let mut setup: Setup = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse().expect("a valid FEN");
        for square in [Square::A1, Square::E1, Square::H8] {
            setup.castling_rooks = square.bitboard();
            assert_eq!(Board::try_from(setup.clone()), Err(I::Castling(square)));
        }
        messages.push(I::Castling(Square::A1).to_string());
        assert!(messages.iter().all(|message| message.len() > 20), "{messages:#?}");
        messages.sort_unstable();
        messages.dedup();
        assert_eq!(messages.len(), cases.len() + 1, "{messages:#?}");
    }

    #[test]
    fn counters_never_keep_a_position_out() {
        for (counters, printed) in [
            ("150 80", "150 80"),
            ("151 80", "151 80"),
            ("65535 65535", "65535 65535"),
            ("70000 99999999999", "65535 65535"),
        ] {
            let board: Board = format!("4k3/8/8/8/8/8/8/R3K3 b - - {counters}").parse().expect(counters);
            assert!(board.to_string().ends_with(printed), "{board}");
            assert_eq!(board.to_string().parse(), Ok(board));
        }
        // Long past the end of any game, boards can still be written and read.
        let mut position = crate::Position::new("4k3/8/8/8/8/8/8/R3K3 b - - 65534 65535".parse().expect("a valid FEN"));
        for text in ["e8d8", "e1d1", "d8e8", "d1e1"] {
            let mv = position.parse_uci(text).expect(text);
            position.play(mv);
            assert_eq!((position.halfmove_clock(), position.fullmove_number()), (u16::MAX, u16::MAX));
            assert_eq!(position.to_string().parse(), Ok(*position.board()));
        }
        position.make_null();
        assert_eq!(position.halfmove_clock(), u16::MAX);
        position.unmake();
        assert!(position.is_repetition(5), "the stopped clock hides no repetition");
    }
}
