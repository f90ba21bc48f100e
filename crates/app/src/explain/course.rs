//! Follows a line of play up to a quiet position, and works out who has won what by then.

use chess::{Board, Color, Move, PieceKind, Position};
use engine::Score;

use super::facts::{self, worth};
use super::thinker::Thinker;
use crate::people::words;

/// A line, cut at a quiet position: no check and no profitable capture.
pub(super) struct Course {
    pub(super) moves: Vec<Move>,
    pub(super) start: Board,
    pub(super) end: Board,
    gain: Option<Gain>,
}

/// What one side wins in a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Gain {
    pub(super) winner: Color,
    /// "wins a knight for a pawn".
    pub(super) text: String,
}

/// The longest line shown: the end of a long one is guesswork.
const LONGEST: usize = 10;
/// Less than a pawn is not a gain.
const LEAST_GAIN: i32 = 100;

impl Course {
    pub(super) fn new(position: &Position, moves: &[Move]) -> Course {
        let start = *position.board();
        let mut boards = vec![start];
        for &mv in moves {
            let Some(board) = boards.last().filter(|board| board.is_playable(mv)) else { break };
            boards.push(board.after(mv));
        }
        let is_quiet = |board: &Board| !board.in_check() && facts::loose(board).is_empty();
        let quiet = |most: usize| {
            (1..boards.len().min(most.saturating_add(1))).rev().find(|&ply| boards.get(ply).is_some_and(is_quiet))
        };
        let ends_game = boards.len() <= LONGEST * 2 && boards.last().is_some_and(|board| !board.has_legal_moves());
        // The whole line if it ends the game, otherwise up to a quiet position, and at least one move.
        let length = match quiet(LONGEST) {
            _ if ends_game => boards.len() - 1,
            Some(ply) => ply,
            None => (boards.len() - 1).min(LONGEST),
        };
        let end = boards.get(length).copied().unwrap_or(start);
        // The gain must still be there at the end of the search's line.
        let last = quiet(usize::MAX).and_then(|ply| boards.get(ply));
        let gain = gain(&start, &end).filter(|gain| {
            !ends_game && is_quiet(&end) && last.is_some_and(|last| balance(&start, last, gain.winner) >= LEAST_GAIN)
        });
        Course { moves: moves.iter().copied().take(length).collect(), start, end, gain }
    }

    /// Searches on from the end of the line: what the opponent wins back was no gain.
    pub(super) fn confirm(mut self, position: &Position, thinker: &mut Thinker<'_>) -> Course {
        if let Some(gain) = &self.gain {
            let end = position.along(&self.moves);
            let line = thinker.line(&end);
            let mated = matches!(line.score, Score::Mate(moves) if (moves > 0) == (end.side_to_move() != gain.winner));
            let last = Course::new(&end, &line.moves).end;
            if mated || balance(&self.start, &last, gain.winner) < LEAST_GAIN {
                self.gain = None;
            }
        }
        self
    }

    /// The side that wins material in the line, not counting equal trades. None if neither does, or if the game ends:
    /// in mate, material does not matter.
    pub(super) fn gain(&self) -> Option<&Gain> {
        self.gain.as_ref()
    }

    /// What this side wins in the line.
    pub(super) fn gain_of(&self, color: Color) -> Option<&Gain> {
        self.gain.as_ref().filter(|gain| gain.winner == color)
    }
}

/// What a side has won and lost between two boards.
struct Trade {
    /// Captured pieces of the other side.
    won: Vec<PieceKind>,
    /// What its pawns promoted to.
    promoted: Vec<PieceKind>,
}

impl Trade {
    fn of(start: &Board, end: &Board, color: Color) -> Trade {
        let count = |board: &Board, color, kind| board.pieces(color, kind).len();
        let more = |color, kind| count(end, color, kind).saturating_sub(count(start, color, kind));
        let kinds = [PieceKind::Queen, PieceKind::Rook, PieceKind::Bishop, PieceKind::Knight];
        let promoted = |color| kinds.into_iter().flat_map(move |kind| std::iter::repeat_n(kind, more(color, kind)));
        let other = color.other();
        let mut won = Vec::new();
        for kind in kinds.into_iter().chain([PieceKind::Pawn]) {
            // A promoted pawn was not captured.
            let became = if kind == PieceKind::Pawn { promoted(other).count() } else { 0 };
            let gone = count(start, other, kind).saturating_sub(count(end, other, kind)).saturating_sub(became);
            won.extend(std::iter::repeat_n(kind, gone));
        }
        Trade { won, promoted: promoted(color).collect() }
    }

    fn value(&self) -> i32 {
        let promoted = self.promoted.iter().map(|&kind| worth(kind) - worth(PieceKind::Pawn));
        self.won.iter().map(|&kind| worth(kind)).chain(promoted).sum()
    }
}

/// The net material a side has won between two boards.
pub(super) fn balance(start: &Board, end: &Board, color: Color) -> i32 {
    Trade::of(start, end, color).value() - Trade::of(start, end, color.other()).value()
}

fn gain(start: &Board, end: &Board) -> Option<Gain> {
    let winner = if balance(start, end, Color::White) > 0 { Color::White } else { Color::Black };
    if balance(start, end, winner) < LEAST_GAIN {
        return None;
    }
    let (mut own, mut other) = (Trade::of(start, end, winner), Trade::of(start, end, winner.other()));
    cancel(&mut own.won, &mut other.won);
    let is_minor = |kind: &PieceKind| matches!(kind, PieceKind::Knight | PieceKind::Bishop);
    let mut won = Vec::new();
    let rook = own.won.iter().position(|&kind| kind == PieceKind::Rook);
    if let (Some(rook), Some(minor)) = (rook, other.won.iter().position(is_minor)) {
        own.won.remove(rook);
        other.won.remove(minor);
        won.push("the exchange".to_owned());
    }
    won.extend(pieces(&own.won));
    let mut parts = Vec::new();
    if !own.promoted.is_empty() {
        parts.push("promotes a pawn".to_owned());
    }
    if !won.is_empty() {
        parts.push(format!("wins {}", words::list(&won)));
    }
    let mut text = parts.join(" and ");
    let lost = pieces(&other.won);
    match (won.is_empty(), lost.is_empty()) {
        (_, true) => {}
        (false, false) => text.push_str(&format!(" for {}", words::list(&lost))),
        (true, false) => text.push_str(&format!(" and gives {}", words::list(&lost))),
    }
    // The opponent's new queen would need a sentence of its own.
    (!text.is_empty() && other.promoted.is_empty()).then_some(Gain { winner, text })
}

/// Removes equal pieces from both lists; a knight and a bishop are equal.
fn cancel(one: &mut Vec<PieceKind>, other: &mut Vec<PieceKind>) {
    for same in [|a: PieceKind, b: PieceKind| a == b, |a: PieceKind, b: PieceKind| worth(a) == worth(b)] {
        let mut left = Vec::new();
        for kind in one.drain(..) {
            match other.iter().position(|&theirs| same(kind, theirs)) {
                Some(place) => drop(other.remove(place)),
                None => left.push(kind),
            }
        }
        *one = left;
    }
}

/// "a rook", "a knight", "two pawns".
fn pieces(kinds: &[PieceKind]) -> Vec<String> {
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
    items
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

    fn told(fen: &str, sans: &[&str]) -> Option<String> {
        course(fen, sans).gain().map(|gain| format!("{} {}", gain.winner, gain.text))
    }

    #[test]
    fn equal_trades_are_left_out() {
        let fen = "r3k3/8/8/3n4/4P3/8/8/R3K3 w - - 0 1";
        assert_eq!(told(fen, &["Rxa8+", "Ke7", "exd5"]).as_deref(), Some("White wins a rook and a knight"));
        assert_eq!(told("r3k3/8/8/8/8/8/1K6/R7 w - - 0 1", &["Rxa8+", "Kd7"]).as_deref(), Some("White wins a rook"));
        // A knight for a bishop is not a gain.
        assert_eq!(told("4k3/2p5/1b6/3N4/8/8/8/4K3 w - - 0 1", &["Nxb6", "cxb6"]), None);
    }

    #[test]
    fn the_exchange_and_promotions_have_their_words() {
        let exchange = "r1r4k/8/8/3B4/8/8/6K1/8 w - - 0 1";
        assert_eq!(told(exchange, &["Kg3", "Kg7", "Bxa8", "Rxa8", "Kg4"]).as_deref(), Some("White wins the exchange"));
        assert_eq!(told("8/P6k/8/8/8/8/8/K7 w - - 0 1", &["a8=Q", "Kg6"]).as_deref(), Some("White promotes a pawn"));
    }

    #[test]
    fn lines_end_where_it_is_quiet() {
        // After Qxe5 the queen could be taken, so the line is cut before it.
        let fen = "4k3/8/3p4/4p3/8/8/4Q3/4K3 w - - 0 1";
        let course = course(fen, &["Qd3", "Ke7", "Qe4", "Ke6", "Qxe5+"]);
        assert_eq!(course.moves.len(), 4);
        assert_eq!(course.gain(), None);
    }

    #[test]
    fn what_comes_back_later_is_no_gain() {
        let fen = "4k3/8/8/8/8/n7/8/N3K3 w - - 0 1";
        let quiet = ["Nb3", "Nb5", "Kd2", "Kd7", "Kd3", "Kd6", "Kc4", "Kc6", "Nd4+", "Nxd4", "Kxd4"];
        assert_eq!(told(fen, &quiet), None, "both knights are gone in the end");
        assert_eq!(told("4k3/8/8/8/8/8/P7/R3K2r w - - 0 1", &["Kd2", "Rxa1"]).as_deref(), Some("Black wins a rook"));
    }
}
