//! Facts about the board that need no search, by exact tests of the rules: pieces that can be captured profitably, pins
//! and forks.

use chess::{Bitboard, Board, Color, Move, Piece, PieceKind, SEE_VALUES, Square, attacks};

/// A piece that can be captured profitably, by static exchange on its square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Loose {
    pub(super) piece: Piece,
    pub(super) square: Square,
    /// The capture.
    pub(super) by: Move,
}

/// A piece pinned to its king.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pin {
    pub(super) piece: Piece,
    pub(super) square: Square,
    pub(super) pinner: (Piece, Square),
}

/// The pieces that the side to move can capture with a gain of at least a pawn; each once, by the cheapest capturer.
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

/// The board after a pass; none in check, where passing is impossible.
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

/// The pieces that the moved piece attacks at once, so that not all can be saved: the king, and pieces that are worth
/// more than the attacker or undefended. Empty if there are fewer than two or if the forking piece can be captured.
pub(super) fn fork(board: &Board, mv: Move) -> Vec<(Piece, Square)> {
    let next = board.after(mv);
    let square = mv.landing();
    let Some(forker) = next.piece_on(square) else { return Vec::new() };
    let (us, them) = (forker.color(), next.side_to_move());
    let can_be_taken = next.legal_moves().iter().any(|reply| reply.is_capture() && reply.capture_square() == square);
    let targets = attacks::of(forker.kind(), us, square, next.occupied()) & next.color(them);
    let is_target = |target: &Square| {
        let Some(kind) = next.kind_on(*target) else { return false };
        let defended = (next.attackers_to(*target, next.occupied()) & next.color(them)).any();
        kind == PieceKind::King || worth(kind) > worth(forker.kind()) || (!defended && kind != PieceKind::Pawn)
    };
    let mut hit: Vec<(Piece, Square)> =
        targets.into_iter().filter(is_target).filter_map(|target| Some((next.piece_on(target)?, target))).collect();
    // The king first, then the most valuable.
    hit.sort_by_key(|(piece, square)| (piece.kind() != PieceKind::King, -worth(piece.kind()), square.index()));
    if can_be_taken || hit.len() < 2 { Vec::new() } else { hit }
}

/// Why a capture is possible right after a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cause {
    /// The piece that moved can be captured on its new square.
    Exposed,
    /// The piece could already be captured, and still can.
    Ignored,
    /// The piece that moved used to protect it.
    Abandoned,
}

/// Why `capture` wins material after `mv`, if the reason is one of these.
pub(super) fn cause(board: &Board, mv: Move, capture: Move) -> Option<Cause> {
    let next = board.after(mv);
    if !capture.is_capture() || !next.see_ge(capture, worth(PieceKind::Pawn)) {
        return None;
    }
    let target = capture.capture_square();
    if target == mv.landing() {
        return Some(Cause::Exposed);
    }
    if passed(board).is_some_and(|passed| loose(&passed).iter().any(|loose| loose.square == target)) {
        return Some(Cause::Ignored);
    }
    let protects = |board: &Board, from: Square| board.attackers_to(target, board.occupied()).has(from);
    (protects(board, mv.from()) && !protects(&next, mv.landing())).then_some(Cause::Abandoned)
}

/// The exchange value of a kind of piece.
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
        // A pawn defends the knight against the rook; nothing defends the bishop.
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
    fn forks_hit_two_pieces_at_once() {
        let board = board("r3k3/8/8/1N6/8/8/8/4K3 w - - 0 1");
        let fork = |san: &str| fork(&board, board.parse_san(san).expect(san)).len();
        assert_eq!((fork("Nc7+"), fork("Nd6+"), fork("Na3")), (2, 0, 0));
        let guarded = self::board("r3k3/8/1b6/1N6/8/8/8/4K3 w - - 0 1");
        assert!(super::fork(&guarded, guarded.parse_san("Nc7+").expect("legal")).is_empty(), "the bishop takes it");
    }

    #[test]
    fn causes_of_captures() {
        let cause = |fen: &str, mv: &str, capture: &str| {
            let board = board(fen);
            let mv = board.parse_san(mv).expect(mv);
            super::cause(&board, mv, board.after(mv).parse_san(capture).expect(capture))
        };
        let fen = "4k3/8/8/r7/8/1N6/3B4/4K3 w - - 0 1";
        assert_eq!(cause(fen, "Bb4", "Rb5"), None, "no capture");
        assert_eq!(cause(fen, "Nc5", "Rxc5"), Some(Cause::Exposed));
        let attacked = "4k3/8/8/r3N3/8/8/3B4/4K3 w - - 0 1";
        assert_eq!(cause(attacked, "Ke2", "Rxe5+"), Some(Cause::Ignored));
        let protected = "4k3/8/8/r3N3/8/2B5/8/4K3 w - - 0 1";
        assert_eq!(cause(protected, "Bd2", "Rxe5+"), Some(Cause::Abandoned));
    }

    #[test]
    fn nobody_passes_in_check() {
        assert!(passed(&board("4k3/8/8/8/8/8/4q3/4K3 w - - 0 1")).is_none());
        assert!(passed(&Board::start()).is_some());
    }
}
