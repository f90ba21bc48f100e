//! Decides which moves deserve praise: the only good move of a position (`!`), and a sound sacrifice (`!!`). Both are
//! proven by search: besides the move that was played, the best of the others is searched too.

use chess::{Board, Move, PieceKind, SEE_VALUES};

use super::judge::{Eval, win_percent_of};
use super::think::Finding;

/// An only move is better than the next best one by at least this much of the winning chances.
const ALONE: f64 = 10.0;
/// A move that loses less than this is as good as the best.
const TRIFLE: f64 = 2.0;
/// With chances this high after another move as well, a move earns no praise.
const DECIDED: f64 = 90.0;
/// With chances this low, a move is the least bad one, not a good one.
const HOPELESS: f64 = 20.0;

/// The kinds of praise.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Praise {
    Good,
    Brilliant,
}

impl Praise {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Praise::Good => "Good move",
            Praise::Brilliant => "Brilliant move",
        }
    }

    pub(crate) fn nag(self) -> u8 {
        match self {
            Praise::Good => 1,
            Praise::Brilliant => 3,
        }
    }

    pub(crate) fn glyph(self) -> &'static str {
        match self {
            Praise::Good => "!",
            Praise::Brilliant => "!!",
        }
    }
}

/// Whether the alternatives need a search: only if the best move was played and it is neither obvious nor mate in one.
pub(crate) fn needs_second(board: &Board, mv: Move, previous: Option<Move>, found: &Finding) -> bool {
    found.line.first() == Some(&mv)
        && board.legal_moves().len() > 1
        && !is_plain(board, mv, previous)
        && !matches!(found.eval, Eval::Mate(_, 1))
        && win_percent_of(found.eval, board.side_to_move()) > HOPELESS
}

/// Whether the move is obvious: a recapture, or a capture of an undefended piece.
fn is_plain(board: &Board, mv: Move, previous: Option<Move>) -> bool {
    let recaptures = previous.is_some_and(|last| last.is_capture() && last.to() == mv.to());
    mv.is_capture() && (recaptures || board.see_ge(mv, 200))
}

/// The praise a move deserves, if any. `before.second` is the value of the next best move.
pub(crate) fn praise(board: &Board, mv: Move, before: &Finding, after: &Finding) -> Option<Praise> {
    let side = board.side_to_move();
    let [had, has] = [before.eval, after.eval].map(|eval| win_percent_of(eval, side));
    if before.line.first() != Some(&mv) || has < had - TRIFLE {
        return None;
    }
    let second = before.second?;
    let other = win_percent_of(second, side);
    let mates = |eval| matches!(eval, Eval::Mate(winner, _) if winner == side);
    let only_mate = mates(before.eval) && !mates(second);
    let is_decided = other >= DECIDED && !only_mate;
    if is_decided {
        return None;
    }
    if has >= 50.0 - TRIFLE && is_sacrifice(board, mv) {
        return Some(Praise::Brilliant);
    }
    (had - other >= ALONE).then_some(Praise::Good)
}

/// Whether the move gives up material although another move would not.
fn is_sacrifice(board: &Board, mv: Move) -> bool {
    gives(board, mv) && board.legal_moves().iter().any(|&other| !gives(board, other))
}

/// Whether the opponent can win a piece after this move, for more than the move itself captured.
fn gives(board: &Board, mv: Move) -> bool {
    let gained = board.captured(mv).map_or(0, value);
    let after = board.after(mv);
    after.legal_moves().iter().any(|&reply| {
        after.captured(reply).is_some_and(|victim| victim != PieceKind::Pawn) && after.see_ge(reply, gained + 100)
    })
}

fn value(kind: PieceKind) -> i32 {
    SEE_VALUES.get(kind.index()).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(board: &Board, san: &str, eval: i32, second: Option<i32>) -> Finding {
        let line = vec![board.parse_san(san).expect(san)];
        Finding { eval: Eval::Centipawns(eval), line, second: second.map(Eval::Centipawns) }
    }

    fn praised(fen: &str, san: &str, evals: [i32; 2], second: i32) -> Option<Praise> {
        let board: Board = fen.parse().expect(fen);
        let before = found(&board, san, evals[0], Some(second));
        let after = Finding { eval: Eval::Centipawns(evals[1]), line: Vec::new(), second: None };
        praise(&board, before.line[0], &before, &after)
    }

    /// Morphy, about to sacrifice his knight for two pawns and an attack.
    const OPERA: &str = "rn2kb1r/p3qppp/2p2n2/1p2p1B1/2B1P3/1QN5/PPP2PPP/R3K2R w KQkq - 0 10";

    #[test]
    fn sacrifices_that_hold_are_brilliant() {
        assert_eq!(praised(OPERA, "Nxb5", [250, 250], 80), Some(Praise::Brilliant));
        assert_eq!(praised(OPERA, "Nxb5", [250, 60], 80), None, "it does not hold");
        assert_eq!(praised(OPERA, "Nxb5", [900, 900], 800), None, "everything wins");
        assert_eq!(praised(OPERA, "Be2", [250, 250], 240), None, "a quiet move among equals");
        assert_eq!(praised(OPERA, "Be2", [250, 250], 80), Some(Praise::Good), "the only one");
    }

    #[test]
    fn plain_moves_need_no_second_look() {
        let board: Board = "4k3/8/8/3r4/4P3/8/8/4K3 w - - 0 1".parse().expect("a FEN");
        let take = found(&board, "exd5", 100, None);
        assert!(!needs_second(&board, take.line[0], None, &take), "a rook for nothing");
        let quiet = found(&board, "e5", 100, None);
        assert!(needs_second(&board, quiet.line[0], None, &quiet));
        assert!(!needs_second(&board, take.line[0], None, &quiet), "not the best move");
        let lost = found(&board, "e5", -900, None);
        assert!(!needs_second(&board, lost.line[0], None, &lost));
    }
}
