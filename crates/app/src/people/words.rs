//! Scores, lines and times in words.

use chess::{Board, Color, Move, Piece, PieceKind, Square};
use engine::{Score, WhiteScore};

/// A score in the usual notation: `+0.35`, or `#3` for a mate in three by White.
pub(crate) fn score(score: WhiteScore) -> String {
    match score {
        WhiteScore::Centipawns(centipawns) => format!("{:+.2}", f64::from(centipawns) / 100.0),
        WhiteScore::Mate { winner: Color::White, moves } => format!("#{moves}"),
        WhiteScore::Mate { winner: Color::Black, moves } => format!("#-{moves}"),
    }
}

/// A score difference in words, no more precise than it is known: "about half a pawn".
pub(crate) fn about_pawns(centipawns: i32) -> String {
    match centipawns {
        ..75 => "about half a pawn".to_owned(),
        75..125 => "about a pawn".to_owned(),
        125..175 => "about a pawn and a half".to_owned(),
        175..250 => "about two pawns".to_owned(),
        _ => format!("about {} pawns", (centipawns + 50) / 100),
    }
}

/// A score as a sentence: "White is a little better (+0.45)".
pub(crate) fn meaning(score: WhiteScore) -> String {
    let number = self::score(score);
    match score {
        WhiteScore::Mate { winner, moves: 0 } => format!("{} is checkmated", winner.other()),
        WhiteScore::Mate { winner, moves } => format!("{winner} mates in {moves}"),
        // A score this large is not an evaluation but a tablebase result.
        WhiteScore::Centipawns(centipawns) if Score::Centipawns(centipawns).is_decisive() => {
            format!("{} wins by the tablebases", if centipawns > 0 { Color::White } else { Color::Black })
        }
        WhiteScore::Centipawns(centipawns) => {
            let ahead = if centipawns >= 0 { Color::White } else { Color::Black };
            match centipawns.abs() {
                0..25 => format!("the game is about even ({number})"),
                25..80 => format!("{ahead} is a little better ({number})"),
                80..200 => format!("{ahead} is clearly better ({number})"),
                _ => format!("{ahead} is winning ({number})"),
            }
        }
    }
}

/// A sequence of moves, in SAN and in UCI notation.
pub(crate) fn both(board: &Board, moves: &[Move], chess960: bool) -> (Vec<String>, Vec<String>) {
    let mut board = *board;
    let write = |&mv: &Move| {
        let san = board.san(mv);
        board = board.after(mv);
        (san, mv.uci(chess960))
    };
    moves.iter().map(write).unzip()
}

/// The name of a kind of piece.
pub(crate) fn kind(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::Pawn => "pawn",
        PieceKind::Knight => "knight",
        PieceKind::Bishop => "bishop",
        PieceKind::Rook => "rook",
        PieceKind::Queen => "queen",
        PieceKind::King => "king",
    }
}

/// "White's knight on e5".
pub(crate) fn piece(piece: Piece, square: Square) -> String {
    format!("{}'s {} on {square}", piece.color(), kind(piece.kind()))
}

/// A list as spoken: "a, b and c".
pub(crate) fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// A large number with a unit: `1.6 million`, `12 thousand`.
pub(crate) fn count(number: u64) -> String {
    match number {
        0..10_000 => number.to_string(),
        10_000..1_000_000 => format!("{} thousand", number / 1000),
        _ => format!("{:.1} million", number as f64 / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_whites() {
        let mate = |winner, moves| WhiteScore::Mate { winner, moves };
        assert_eq!(score(WhiteScore::Centipawns(35)), "+0.35");
        assert_eq!(score(WhiteScore::Centipawns(-35)), "-0.35");
        assert_eq!(score(mate(Color::Black, 2)), "#-2");
        assert_eq!(meaning(mate(Color::Black, 2)), "Black mates in 2");
        assert_eq!(meaning(mate(Color::White, 1)), "White mates in 1");
        assert_eq!(meaning(mate(Color::White, 0)), "Black is checkmated");
        assert_eq!(meaning(WhiteScore::Centipawns(-90)), "Black is clearly better (-0.90)");
        assert_eq!(meaning(WhiteScore::Centipawns(19_990)), "White wins by the tablebases");
        let about = [30, 100, 160, 240, 260, 900].map(about_pawns);
        assert_eq!(about[..3], ["about half a pawn", "about a pawn", "about a pawn and a half"]);
        assert_eq!(about[3..], ["about two pawns", "about 3 pawns", "about 9 pawns"]);
    }

    #[test]
    fn lists_and_counts() {
        assert_eq!(list(&["a".into(), "b".into(), "c".into()]), "a, b and c");
        assert_eq!(
            (count(9_999), count(45_678), count(1_650_000)),
            ("9999".into(), "45 thousand".into(), "1.6 million".into())
        );
    }
}
