//! What can be seen on the board without searching, by exact tests of the rules: pieces that can be taken with profit, and pins.

use chess::{Bitboard, Board, Color, Move, Piece, PieceKind, SEE_VALUES, Square, attacks};

/// A piece that can be taken with profit, counting the captures on its square alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Loose {
    pub(super) piece: Piece,
    pub(super) square: Square,
    /// The capture.
    pub(super) by: Move,
}

/// A piece that may not leave a line, because its king stands behind it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pin {
    pub(super) piece: Piece,
    pub(super) square: Square,
    pub(super) pinner: (Piece, Square),
}

/// The pieces that the side to move can take and gain at least a pawn by it; each once, the cheapest capturer first.
pub(super) fn loose(board: &Board) -> Vec<Loose> {
    let moves = board.legal_moves();
    let mut captures: Vec<Move> =
        moves.iter().copied().filter(|&mv| mv.is_capture() && board.see_ge(mv, worth(PieceKind::Pawn))).collect();
    captures.sort_by_key(|mv| (board.kind_on(mv.from()).map_or(0, worth), mv.bits()));
    let mut found: Vec<Loose> = Vec::new();
    for by in captures {
        let square = by.capture_square();
        if let Some(piece) = board.piece_on(square)
            && found.iter().all(|loose| loose.square != square)
        {
            found.push(Loose { piece, square, by });
        }
    }
    found.sort_by_key(|loose| (-worth(loose.piece.kind()), loose.square.index()));
    found
}

/// The board if the side to move could pass; none in check, where nobody can.
pub(super) fn passed(board: &Board) -> Option<Board> {
    (!board.in_check()).then(|| {
        let mut next = *board;
        next.make_null();
        next
    })
}

/// The pieces of `color` that are pinned to their king.
pub(super) fn pins(board: &Board, color: Color) -> Vec<Pin> {
    let king = board.king(color);
    let enemies = board.color(color.other());
    let sliders = (attacks::bishop_rays(king) & board.diagonal_sliders() & enemies)
        | (attacks::rook_rays(king) & board.straight_sliders() & enemies);
    let pin = |slider: Square| {
        let between: Bitboard = attacks::between(king, slider) & board.occupied();
        let square = between.first().filter(|_| between.len() == 1)?;
        let piece = board.piece_on(square).filter(|piece| piece.color() == color)?;
        Some(Pin { piece, square, pinner: (board.piece_on(slider)?, slider) })
    };
    sliders.into_iter().filter_map(pin).collect()
}

/// What a kind of piece is worth in an exchange.
pub(super) fn worth(kind: PieceKind) -> i32 {
    SEE_VALUES.get(kind.index()).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(fen: &str) -> Board {
        fen.parse().expect(fen)
    }

    #[test]
    fn loose_pieces_are_those_that_an_exchange_wins() {
        // The knight is defended by a pawn against a rook, the bishop by nobody.
        let board = board("4k3/8/3p4/b3n3/8/8/8/R3R1K1 w - - 0 1");
        let found: Vec<String> = loose(&board).iter().map(|loose| loose.square.to_string()).collect();
        assert_eq!(found, ["a5"]);
        assert!(loose(&Board::start()).is_empty());
    }

    #[test]
    fn pins_of_both_sides_are_found() {
        let board = board("4k3/4n3/8/1b6/8/8/4R3/4KB2 w - - 0 1");
        let black: Vec<_> = pins(&board, Color::Black).iter().map(|pin| (pin.square, pin.pinner.1)).collect();
        assert_eq!(black, [(Square::E7, Square::E2)]);
        assert!(pins(&board, Color::White).is_empty());
    }

    #[test]
    fn nobody_passes_in_check() {
        assert!(passed(&board("4k3/8/8/8/8/8/4q3/4K3 w - - 0 1")).is_none());
        assert!(passed(&Board::start()).is_some());
    }
}
