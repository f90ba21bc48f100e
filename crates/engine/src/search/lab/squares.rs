//! Piece-square ordering: quiet moves to better squares first. It ignores the position but needs no experience, so it
//! helps where history is empty.

use chess::{Board, Color, Move, Observer};

use crate::eval::Psq;

/// What a quiet move gains by the piece-square tables, in centipawns. Castling is left to history.
pub(super) fn gain(board: &Board, mv: Move, phase: i32) -> i32 {
    let Some(piece) = board.piece_on(mv.from()).filter(|_| !mv.is_castle()) else { return 0 };
    let mut step = Psq::default();
    step.removed(piece, mv.from());
    step.added(piece, mv.to());
    let blended = (step.score().middle() * phase + step.score().end() * (24 - phase)) / 24;
    if piece.color() == Color::White { blended } else { -blended }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gain_is_the_difference_of_the_sums() {
        for fen in [
            "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
            "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 2 3",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1",
        ] {
            let board: Board = fen.parse().expect(fen);
            let before = Psq::new(&board);
            let mut checked = 0;
            for &mv in board.legal_moves().iter().filter(|mv| mv.is_quiet() && !mv.is_castle()) {
                let mut after = before;
                board.clone().play_with(mv, &mut after);
                let step = after.score() - before.score();
                let blended = (step.middle() * before.phase() + step.end() * (24 - before.phase())) / 24;
                let wanted = if board.side_to_move() == Color::White { blended } else { -blended };
                assert!((gain(&board, mv, before.phase()) - wanted).abs() <= 1, "{fen} {}", mv.uci(false));
                checked += 1;
            }
            assert!(checked > 5);
        }
    }
}
