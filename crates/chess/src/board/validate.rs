//! From an arrangement of pieces to a playable board: the one definition of a legal position.

use std::fmt;

use super::{Board, Keys};
use crate::attacks;
use crate::types::{Bitboard, CastlingRights, CastlingSide, Color, Piece, PieceKind, Rank, Square};
use crate::zobrist;

/// An arrangement of pieces that has not been validated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The pieces, a1 first.
    pub pieces: [Option<Piece>; 64],
    /// The side to move.
    pub side: Color,
    /// The squares of the rooks that may castle.
    pub castling_rooks: Bitboard,
    /// The square a pawn passed over in the last move.
    pub en_passant: Option<Square>,
    /// Half-moves since the last capture or pawn move.
    pub halfmove_clock: u16,
    /// The number of the move about to be played.
    pub fullmove_number: u16,
}

/// Why an arrangement of pieces is not a legal position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum IllegalBoard {
    /// A side does not have exactly one king.
    Kings(Color, usize),
    /// A pawn stands on the first or last rank.
    PawnOnLastRank(Square),
    /// A side has more than sixteen pieces.
    TooManyPieces(Color, usize),
    /// A side has more than eight pawns.
    TooManyPawns(Color, usize),
    /// A side has more promoted pieces than pawns are missing.
    TooManyPromoted(Color),
    /// The side that just moved is in check.
    OpponentInCheck(Color),
    /// More than two pieces give check.
    TooManyCheckers(usize),
    /// A castling right without king and rook in place.
    Castling(Square),
    /// A side has two castling rights for one wing.
    CastlingTwice(Square),
    /// The en passant square is not on the rank a double step passes over.
    EnPassantRank(Square),
    /// No pawn can have passed over the en passant square.
    EnPassantPawn(Square),
    /// The side to move was already in check before the pawn passed over the en passant square.
    EnPassantCheck(Square),
    /// Moves are numbered from 1.
    FullmoveNumber,
}

impl fmt::Display for IllegalBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kings(color, count) => write!(f, "{color} has {count} kings instead of one"),
            Self::PawnOnLastRank(square) => {
                write!(f, "a pawn stands on {square}, where it would have promoted or never been")
            }
            Self::TooManyPieces(color, count) => write!(f, "{color} has {count} pieces; sixteen is the most"),
            Self::TooManyPawns(color, count) => write!(f, "{color} has {count} pawns; eight is the most"),
            Self::TooManyPromoted(color) => {
                write!(f, "{color} has more extra pieces than pawns can have promoted")
            }
            Self::OpponentInCheck(color) => write!(f, "{color} is in check, but it is not {color}'s turn"),
            Self::TooManyCheckers(count) => write!(f, "{count} pieces give check at once; two is the most"),
            Self::Castling(square) => {
                write!(f, "castling with {square} needs the king and that rook on their first rank")
            }
            Self::CastlingTwice(square) => {
                write!(f, "castling with {square}: there is another castling rook on the same wing")
            }
            Self::EnPassantRank(square) => {
                write!(f, "en passant on {square} is not on the rank a pawn's double step passes over")
            }
            Self::EnPassantPawn(square) => write!(f, "no pawn can have passed over {square} in the last move"),
            Self::EnPassantCheck(square) => {
                write!(f, "the king was in check even before a pawn passed over {square}, which cannot be")
            }
            Self::FullmoveNumber => f.write_str("the move number is 0; moves are numbered from 1"),
        }
    }
}

impl std::error::Error for IllegalBoard {}

impl TryFrom<Setup> for Board {
    type Error = IllegalBoard;

    fn try_from(setup: Setup) -> Result<Board, IllegalBoard> {
        let mut board = Board {
            kinds: [Bitboard::EMPTY; 6],
            colors: [Bitboard::EMPTY; 2],
            squares: [None; 64],
            checkers: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            keys: Keys::default(),
            castling: CastlingRights::from_rooks(setup.castling_rooks),
            side: setup.side,
            en_passant: None,
            halfmove_clock: setup.halfmove_clock,
            fullmove_number: setup.fullmove_number,
        };
        for square in Square::all() {
            if let Some(piece) = setup.pieces[square.index()] {
                board.put(piece, square);
            }
        }
        board.check_material()?;
        board.check_castling()?;
        if setup.fullmove_number == 0 {
            return Err(IllegalBoard::FullmoveNumber);
        }
        if board.side == Color::Black {
            board.keys.state ^= zobrist::side();
        }
        board.keys.state ^= zobrist::castling(setup.castling_rooks);
        board.update_checks();
        board.check_checks()?;
        if let Some(square) = setup.en_passant {
            board.check_en_passant(square)?;
            board.set_en_passant(square);
        }
        Ok(board)
    }
}

impl Board {
    fn check_material(&self) -> Result<(), IllegalBoard> {
        let last_ranks = Rank::First.bitboard() | Rank::Eighth.bitboard();
        if let Some(square) = (self.kind(PieceKind::Pawn) & last_ranks).first() {
            return Err(IllegalBoard::PawnOnLastRank(square));
        }
        for color in Color::ALL {
            let count = |kind| self.pieces(color, kind).len();
            if count(PieceKind::King) != 1 {
                return Err(IllegalBoard::Kings(color, count(PieceKind::King)));
            }
            if self.color(color).len() > 16 {
                return Err(IllegalBoard::TooManyPieces(color, self.color(color).len()));
            }
            let pawns = count(PieceKind::Pawn);
            if pawns > 8 {
                return Err(IllegalBoard::TooManyPawns(color, pawns));
            }
            // Of two bishops on squares of one color, at least one is promoted.
            let bishops = self.pieces(color, PieceKind::Bishop);
            let promoted = count(PieceKind::Queen).saturating_sub(1)
                + count(PieceKind::Rook).saturating_sub(2)
                + count(PieceKind::Knight).saturating_sub(2)
                + (bishops & Bitboard::LIGHT).len().saturating_sub(1)
                + (bishops - Bitboard::LIGHT).len().saturating_sub(1);
            if promoted + pawns > 8 {
                return Err(IllegalBoard::TooManyPromoted(color));
            }
        }
        Ok(())
    }

    fn check_castling(&self) -> Result<(), IllegalBoard> {
        let mut found = [[false; 2]; 2]; // [color][wing]
        for square in self.castling.rooks() {
            let Some(rook) = self.piece_on(square) else { return Err(IllegalBoard::Castling(square)) };
            let king = self.king(rook.color());
            let rank = rook.color().back_rank();
            if rook.kind() != PieceKind::Rook || square.rank() != rank || king.rank() != rank {
                return Err(IllegalBoard::Castling(square));
            }
            let seen = &mut found[rook.color().index()][CastlingSide::of(king, square) as usize];
            if std::mem::replace(seen, true) {
                return Err(IllegalBoard::CastlingTwice(square));
            }
        }
        Ok(())
    }

    fn check_checks(&self) -> Result<(), IllegalBoard> {
        let opponent = self.side.other();
        let attackers = self.attackers_to(self.king(opponent), self.occupied());
        if (attackers & self.color(self.side)).any() {
            return Err(IllegalBoard::OpponentInCheck(opponent));
        }
        match self.checkers.len() {
            0..=2 => Ok(()),
            count => Err(IllegalBoard::TooManyCheckers(count)),
        }
    }

    fn check_en_passant(&self, square: Square) -> Result<(), IllegalBoard> {
        let opponent = self.side.other();
        if square.rank() != Rank::Third.relative_to(opponent) {
            return Err(IllegalBoard::EnPassantRank(square));
        }
        let pawn = square.offset(opponent.forward());
        let home = square.offset(self.side.forward());
        let stepped = self.pieces(opponent, PieceKind::Pawn).has(pawn);
        if !stepped || self.occupied().has(square) || self.occupied().has(home) {
            return Err(IllegalBoard::EnPassantPawn(square));
        }
        let king = self.king(self.side);
        let occupied = self.occupied() ^ pawn.bitboard() ^ home.bitboard();
        let others = self.color(opponent) - pawn.bitboard();
        if (self.attackers_to(king, occupied) & others).any() || attacks::pawn(opponent, home).has(king) {
            return Err(IllegalBoard::EnPassantCheck(square));
        }
        Ok(())
    }
}
