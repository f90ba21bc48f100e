//! A line of play move by move: up to where it is quiet, and which pieces leave the board on the way.

use chess::{Board, Color, Move, PieceKind, Position};

use super::facts;
use crate::people::words;

/// A line, cut where it is quiet: not in check, and with nothing to take with profit.
pub(super) struct Course {
    pub(super) moves: Vec<Move>,
    pub(super) start: Board,
    pub(super) end: Board,
    /// What White and what Black takes on the way, the dearest first.
    taken: [Vec<PieceKind>; 2],
}

/// Lines are shown no longer than this: the end of a long one is guesswork.
const LONGEST: usize = 10;

impl Course {
    pub(super) fn new(position: &Position, moves: &[Move]) -> Course {
        let start = *position.board();
        let mut boards = vec![start];
        let mut played = Vec::new();
        for &mv in moves.iter().take(LONGEST) {
            let Some(board) = boards.last().filter(|board| board.is_playable(mv)) else { break };
            boards.push(board.after(mv));
            played.push(mv);
        }
        let is_quiet = |board: &Board| !board.in_check() && facts::loose(board).is_empty();
        // The whole line if it ends the game, otherwise as far as it is quiet, and at least one move of it.
        let ends_game = boards.last().is_some_and(|board| !board.has_legal_moves());
        let quiet =
            if ends_game { None } else { (2..boards.len()).rev().find(|&ply| boards.get(ply).is_some_and(is_quiet)) };
        played.truncate(quiet.unwrap_or(played.len()));
        let end = boards.get(played.len()).copied().unwrap_or(start);
        let mut taken = [Vec::new(), Vec::new()];
        for (board, &mv) in boards.iter().zip(&played) {
            if let Some(list) = taken.get_mut(board.side_to_move().index()) {
                list.extend(board.captured(mv));
            }
        }
        taken.iter_mut().for_each(|list| list.sort_by_key(|&kind| -facts::worth(kind)));
        Course { moves: played, start, end, taken }
    }

    /// What one side takes that the other does not take as well.
    fn net(&self, color: Color) -> Vec<PieceKind> {
        let [white, black] = &self.taken;
        let (mut own, other) = if color == Color::White { (white.clone(), black) } else { (black.clone(), white) };
        for kind in other {
            if let Some(place) = own.iter().position(|mine| mine == kind) {
                own.remove(place);
            }
        }
        own
    }

    /// Which pieces change hands on the way, equal trades left out: "White wins a knight for a pawn". None if there are none, or if the game ends.
    pub(super) fn material(&self) -> Option<String> {
        // Who is mated does not count pieces.
        if !self.end.has_legal_moves() {
            return None;
        }
        let sides = Color::ALL.map(|color| (color, self.net(color)));
        let value = |kinds: &[PieceKind]| kinds.iter().map(|&kind| facts::worth(kind)).sum::<i32>();
        let [mut more, mut less] = sides;
        if value(&less.1) > value(&more.1) {
            std::mem::swap(&mut more, &mut less);
        }
        let (winner, won) = more;
        let (_, lost) = less;
        match (won.is_empty(), lost.is_empty()) {
            (true, _) => None,
            (_, true) => Some(format!("{winner} wins {}", pieces(&won))),
            _ if value(&won) == value(&lost) => Some(format!("{winner} gets {} for {}", pieces(&won), pieces(&lost))),
            _ => Some(format!("{winner} wins {} for {}", pieces(&won), pieces(&lost))),
        }
    }
}

/// "a rook, a knight and two pawns".
fn pieces(kinds: &[PieceKind]) -> String {
    const NUMBERS: [&str; 9] = ["no", "a", "two", "three", "four", "five", "six", "seven", "eight"];
    let mut items = Vec::new();
    for kind in PieceKind::ALL.into_iter().rev() {
        let count = kinds.iter().filter(|&&other| other == kind).count();
        let number = NUMBERS.get(count).copied().unwrap_or("many");
        match count {
            0 => {}
            1 => items.push(format!("a {}", words::kind(kind))),
            _ => items.push(format!("{number} {}s", words::kind(kind))),
        }
    }
    words::list(&items)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn course(fen: &str, sans: &[&str]) -> Course {
        let position = Position::new(fen.parse().expect(fen));
        let mut board = *position.board();
        let mut moves = Vec::new();
        for san in sans {
            let mv = board.parse_san(san).expect(san);
            board = board.after(mv);
            moves.push(mv);
        }
        Course::new(&position, &moves)
    }

    #[test]
    fn equal_trades_are_left_out() {
        let fen = "r3k3/8/8/3n4/4P3/8/8/R3K3 w - - 0 1";
        let course = course(fen, &["Rxa8+", "Ke7", "exd5"]);
        assert_eq!(course.material().as_deref(), Some("White wins a rook and a knight"));
        let traded = self::course("r3k3/8/8/8/8/8/1K6/R7 w - - 0 1", &["Rxa8+", "Kd7"]);
        assert_eq!(traded.material().as_deref(), Some("White wins a rook"));
    }

    #[test]
    fn lines_end_where_it_is_quiet() {
        // After Qxe5 the queen could be taken, so the line is told to the recapture only.
        let fen = "4k3/8/3p4/4p3/8/8/4Q3/4K3 w - - 0 1";
        let course = course(fen, &["Qd3", "Ke7", "Qe4", "Ke6", "Qxe5+"]);
        assert_eq!(course.moves.len(), 4);
        assert_eq!(course.material(), None);
    }
}
