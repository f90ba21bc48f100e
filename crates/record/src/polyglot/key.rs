//! The key of a position: the exclusive or of random words for pieces, castling rights, the en passant file and the
//! side to move.

use chess::{Board, CastlingSide, Color, Piece, PieceKind, Position, Square};
use shakmaty::zobrist::{Zobrist64, ZobristValue};
use shakmaty::{CastlingSide as Wing, Color as Side, File as Column, Piece as Man, Role, Square as Field};

/// The key of a board. A board stores an en passant square only if the capture is legal; Polyglot also counts it if the
/// capturing pawn is pinned. Where that matters and the last move is known, use [`key_in_game`].
#[must_use]
pub fn key(board: &Board) -> u64 {
    key_with(board, board.en_passant())
}

/// The key of a position with its history.
#[must_use]
pub fn key_in_game(position: &Position) -> u64 {
    key_with(position, position.en_passant().or_else(|| double_step(position)))
}

/// The square that the last move, a double step, skipped, if an enemy pawn stands beside the pawn.
fn double_step(position: &Position) -> Option<Square> {
    let mover = position.side_to_move().other();
    let before = position.previous()?.pieces(mover, PieceKind::Pawn);
    let now = position.pieces(mover, PieceKind::Pawn);
    let (from, to) = ((before & !now).first()?, (now & !before).first()?);
    let stepped = from.file() == to.file() && from.rank().index().abs_diff(to.rank().index()) == 2;
    let beside = to.bitboard().west() | to.bitboard().east();
    let passed = to.offset(-8 * mover.forward().signum());
    (stepped && (beside & position.pieces(mover.other(), PieceKind::Pawn)).any()).then_some(passed)
}

fn key_with(board: &Board, en_passant: Option<Square>) -> u64 {
    let side = |color| if color == Color::White { Side::White } else { Side::Black };
    let mut key = Zobrist64(0);
    for square in board.occupied() {
        if let Some(piece) = board.piece_on(square) {
            key ^= Zobrist64::zobrist_for_piece(Field::new(square.index() as u32), man(piece, side(piece.color())));
        }
    }
    for color in Color::ALL {
        for (wing, name) in [(CastlingSide::King, Wing::KingSide), (CastlingSide::Queen, Wing::QueenSide)] {
            if board.castling().rook(color, board.king(color), wing).is_some() {
                key ^= Zobrist64::zobrist_for_castling_right(side(color), name);
            }
        }
    }
    if let Some(square) = en_passant {
        key ^= Zobrist64::zobrist_for_en_passant_file(Column::new(square.file().index() as u32));
    }
    if board.side_to_move() == Color::White {
        key ^= Zobrist64::zobrist_for_white_turn();
    }
    key.0
}

fn man(piece: Piece, color: Side) -> Man {
    let role = match piece.kind() {
        PieceKind::Pawn => Role::Pawn,
        PieceKind::Knight => Role::Knight,
        PieceKind::Bishop => Role::Bishop,
        PieceKind::Rook => Role::Rook,
        PieceKind::Queen => Role::Queen,
        PieceKind::King => Role::King,
    };
    Man { color, role }
}
