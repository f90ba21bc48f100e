//! The byte format of a game. A record is a start board of 32 bytes, four bytes for every position in which a move was
//! played, and four zero bytes.
//!
//! The board (marlinformat), little-endian: the occupied squares (8 bytes, a1 is the lowest bit); a nibble for each
//! piece in the order of squares (16), low nibble first; side to move and en passant square (1); half-move clock (1);
//! move number (2); score (2); result (1); spare (1). A nibble is the kind of the piece, 6 for a rook that may castle,
//! plus 8 if it is Black's.
//!
//! A move: six bits from, six bits to, two bits promotion, two bits kind (1 en passant, 2 castling as king takes rook,
//! 3 promotion). Its score follows, White's centipawns in sixteen bits.
//!
//! Readers of whole games ignore the board's score and spare byte. Here they hold the game's number, so that a run that
//! was killed can tell which games it had finished.

use std::fmt;

use chess::{Board, Color, IllegalBoard, Move, MoveKind, Piece, PieceKind, Setup, Square};

use super::game::{Game, GameResult};

/// How long a packed board is.
pub(crate) const BOARD_BYTES: usize = 32;
/// How long a move with its score is.
pub(crate) const MOVE_BYTES: usize = 4;
/// What ends a record.
pub(super) const END: [u8; MOVE_BYTES] = [0; MOVE_BYTES];

/// Where the result stands among the bytes of a board.
const RESULT: usize = 30;
const CASTLING_ROOK: u8 = 6;
const BLACK_PIECE: u8 = 8;
const BLACK_TO_MOVE: u8 = 128;
const NO_SQUARE: u8 = 64;

const EN_PASSANT: u16 = 1 << 14;
const CASTLING: u16 = 2 << 14;
const PROMOTION: u16 = 3 << 14;

/// Why bytes are not a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum FormatError {
    /// More squares are occupied than there are pieces.
    TooManyPieces(u32),
    /// A code that no piece has.
    Piece(u8),
    /// An invalid result code.
    Result(u8),
    /// A board that is not legal.
    Board(IllegalBoard),
    /// An illegal move, counted from 1.
    Move(usize),
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooManyPieces(count) => write!(f, "the start board has {count} pieces"),
            Self::Piece(code) => write!(f, "{code} is the code of no piece"),
            Self::Result(code) => write!(f, "{code} is the code of no result"),
            Self::Board(error) => write!(f, "the start board is illegal: {error}"),
            Self::Move(number) => write!(f, "move {number} is illegal"),
        }
    }
}

impl std::error::Error for FormatError {}

/// A board in 32 bytes, with the result and the number of its game.
#[must_use]
pub fn pack(board: &Board, result: GameResult, number: u32) -> [u8; BOARD_BYTES] {
    let occupied: u64 = board.occupied().into_iter().fold(0, |bits, square| bits | 1 << square.index());
    let mut bytes = [0; BOARD_BYTES];
    bytes[..8].copy_from_slice(&occupied.to_le_bytes());
    for (index, square) in board.occupied().into_iter().enumerate() {
        let Some(piece) = board.piece_on(square) else { continue };
        let kind = if board.castling().rooks().has(square) { CASTLING_ROOK } else { piece.kind().index() as u8 };
        let code = if piece.color() == Color::Black { kind | BLACK_PIECE } else { kind };
        bytes[8 + index / 2] |= code << (index % 2 * 4);
    }
    let side = if board.side_to_move() == Color::Black { BLACK_TO_MOVE } else { 0 };
    bytes[24] = side | board.en_passant().map_or(NO_SQUARE, |square| square.index() as u8);
    bytes[25] = board.halfmove_clock().min(u16::from(u8::MAX)) as u8;
    bytes[26..28].copy_from_slice(&board.fullmove_number().to_le_bytes());
    let [low, middle, high, _] = number.to_le_bytes();
    bytes[28..30].copy_from_slice(&[low, middle]);
    bytes[RESULT] = result as u8;
    bytes[31] = high;
    bytes
}

/// A board from 32 bytes, with the result and the number of its game.
pub fn unpack(bytes: &[u8; BOARD_BYTES]) -> Result<(Board, GameResult, u32), FormatError> {
    let word = |from: usize| u16::from_le_bytes([bytes[from], bytes[from + 1]]);
    let occupied = (0..8).fold(0, |bits, index| bits | u64::from(bytes[index]) << (8 * index));
    if occupied.count_ones() > 32 {
        return Err(FormatError::TooManyPieces(occupied.count_ones()));
    }
    let mut setup = Setup::empty();
    for (index, square) in Square::all().filter(|square| occupied >> square.index() & 1 != 0).enumerate() {
        let code = bytes[8 + index / 2] >> (index % 2 * 4) & 15;
        let color = if code & BLACK_PIECE == 0 { Color::White } else { Color::Black };
        let kind = match code & 7 {
            CASTLING_ROOK => {
                setup.castling_rooks |= square.bitboard();
                PieceKind::Rook
            }
            kind => *PieceKind::ALL.get(usize::from(kind)).ok_or(FormatError::Piece(code))?,
        };
        setup.pieces[square.index()] = Some(Piece::new(color, kind));
    }
    setup.side = if bytes[24] & BLACK_TO_MOVE == 0 { Color::White } else { Color::Black };
    let passed = bytes[24] & !BLACK_TO_MOVE;
    setup.en_passant = (passed < NO_SQUARE).then(|| Square::from_index(passed.into()));
    setup.halfmove_clock = bytes[25].into();
    setup.fullmove_number = word(26).max(1);
    let result = result_of(bytes)?;
    let board = Board::try_from(setup).map_err(FormatError::Board)?;
    Ok((board, result, u32::from_le_bytes([bytes[28], bytes[29], bytes[31], 0])))
}

/// The sixteen bits that encode a move in a file.
#[must_use]
pub fn encode_move(mv: Move) -> u16 {
    let squares = mv.from_to() as u16;
    match mv.promotion() {
        Some(kind) => squares | PROMOTION | (kind.index() as u16 - PieceKind::Knight.index() as u16) << 12,
        None if mv.is_castle() => squares | CASTLING,
        None if mv.is_en_passant() => squares | EN_PASSANT,
        None => squares,
    }
}

/// The legal move on this board with these bits, if any.
#[must_use]
pub fn decode_move(board: &Board, bits: u16) -> Option<Move> {
    let from = Square::from_index(usize::from(bits & 63));
    let to = Square::from_index(usize::from(bits >> 6 & 63));
    if from == to {
        return None;
    }
    let captures = board.piece_on(to).is_some();
    let kind = match bits & PROMOTION {
        EN_PASSANT => MoveKind::EnPassant,
        CASTLING => MoveKind::Castle,
        PROMOTION => {
            let kind = PieceKind::ALL.get(PieceKind::Knight.index() + usize::from(bits >> 12 & 3))?;
            MoveKind::promotion(*kind, captures)
        }
        _ if captures => MoveKind::Capture,
        _ if is_double_push(board, from, to) => MoveKind::DoublePush,
        _ => MoveKind::Quiet,
    };
    Some(Move::new(from, to, kind)).filter(|&mv| board.is_playable(mv))
}

fn is_double_push(board: &Board, from: Square, to: Square) -> bool {
    board.kind_on(from) == Some(PieceKind::Pawn) && from.index().abs_diff(to.index()) == 16
}

/// A game as bytes, not decoded: copying a game does not require decoding it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The packed start board.
    pub board: [u8; BOARD_BYTES],
    /// The moves with their scores, without the end mark.
    pub moves: Vec<[u8; MOVE_BYTES]>,
}

fn result_of(bytes: &[u8; BOARD_BYTES]) -> Result<GameResult, FormatError> {
    GameResult::of_white_half_points(bytes[RESULT]).ok_or(FormatError::Result(bytes[RESULT]))
}

impl Record {
    /// The result of the game, if its code is valid.
    pub fn result(&self) -> Result<GameResult, FormatError> {
        result_of(&self.board)
    }

    /// Steps through the game: every board with the move played on it and its score for White. This is the fastest way,
    /// since nothing is stored. Returns the result.
    pub fn walk(&self, mut visit: impl FnMut(&Board, Move, i16)) -> Result<GameResult, FormatError> {
        let (mut board, result, _) = unpack(&self.board)?;
        for (index, &[low, high, score_low, score_high]) in self.moves.iter().enumerate() {
            let bits = u16::from_le_bytes([low, high]);
            let mv = decode_move(&board, bits).ok_or(FormatError::Move(index + 1))?;
            visit(&board, mv, i16::from_le_bytes([score_low, score_high]));
            board.play(mv);
        }
        Ok(result)
    }

    /// Decodes the game, if everything in it is legal.
    pub(crate) fn decode(&self) -> Result<Game, FormatError> {
        let (start, result, number) = unpack(&self.board)?;
        let mut moves = Vec::with_capacity(self.moves.len());
        self.walk(|_, mv, score| moves.push((mv, score)))?;
        Ok(Game { start, result, number, moves })
    }

    /// Its length in a file.
    #[must_use]
    pub(crate) fn len_in_file(&self) -> usize {
        BOARD_BYTES + MOVE_BYTES * (self.moves.len() + 1)
    }

    /// Appends the bytes of the game.
    pub fn write_into(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&self.board);
        bytes.extend(self.moves.iter().flatten());
        bytes.extend_from_slice(&END);
    }
}
