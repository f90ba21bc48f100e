//! Moves as text: UCI notation and standard algebraic notation, both ways.

use std::fmt;

use crate::board::Board;
use crate::types::{CastlingSide, Color, File, Move, PieceKind, Rank, Square};

/// Why a text is not a move in this position.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum MoveError {
    /// The text is not in the form of a move.
    Syntax(String),
    /// No legal move has this notation.
    Illegal(String),
    /// Several legal moves have this notation.
    Ambiguous(String),
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax(text) => write!(f, "\"{text}\" does not look like a move"),
            Self::Illegal(text) => write!(f, "\"{text}\" is not a legal move here"),
            Self::Ambiguous(text) => write!(f, "\"{text}\" can mean more than one move here"),
        }
    }
}

impl std::error::Error for MoveError {}

impl Board {
    /// The legal move of a text in UCI notation. Castling may be written as king takes rook or as the king's two steps,
    /// in chess and Chess960 alike.
    ///
    /// ```
    /// # use stillwater_chess::Board;
    /// let board: Board = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse()?;
    /// let castle = board.parse_uci("e1g1")?;
    /// assert_eq!(board.parse_uci("e1h1")?, castle);
    /// assert_eq!((castle.uci(false), castle.uci(true)), ("e1g1".into(), "e1h1".into()));
    /// assert_eq!(board.san(castle), "O-O");
    /// assert_eq!(board.parse_uci("e1e3").unwrap_err().to_string(), "\"e1e3\" is not a legal move here");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse_uci(&self, text: &str) -> Result<Move, MoveError> {
        let syntax = || MoveError::Syntax(text.into());
        let square = |range| text.get(range).and_then(|name: &str| name.parse::<Square>().ok()).ok_or_else(syntax);
        let (from, to) = (square(0..2)?, square(2..4)?);
        let promotion = match text.get(4..).map(|rest| rest.chars().collect::<Vec<_>>()).as_deref() {
            Some([]) => None,
            Some(&[letter]) => Some(PieceKind::from_letter(letter).ok_or_else(syntax)?),
            _ => return Err(syntax()),
        };
        self.find_move(from, to, promotion).ok_or_else(|| MoveError::Illegal(text.into()))
    }

    /// A legal move in standard algebraic notation, with its check or mate sign.
    #[must_use]
    pub fn san(&self, mv: Move) -> String {
        let mut text = self.san_body(mv);
        let next = self.after(mv);
        if next.in_check() {
            text.push(if next.has_legal_moves() { '+' } else { '#' });
        }
        text
    }

    /// A line of moves in standard algebraic notation, with move numbers. Ends before the first illegal move.
    ///
    /// ```
    /// # use stillwater_chess::Position;
    /// let mut position = Position::start();
    /// let moves = ["e2e4", "e7e5", "g1f3"].map(|text| {
    ///     let mv = position.parse_uci(text).unwrap();
    ///     position.play(mv);
    ///     mv
    /// });
    /// assert_eq!(Position::start().san_line(&moves), "1. e4 e5 2. Nf3");
    /// assert_eq!(Position::start().along(&moves[..1]).san_line(&moves[1..]), "1... e5 2. Nf3");
    /// ```
    #[must_use]
    pub fn san_line(&self, moves: &[Move]) -> String {
        let mut board = *self;
        let mut words = Vec::new();
        for (index, &mv) in moves.iter().enumerate() {
            if !board.is_playable(mv) {
                break;
            }
            let (number, san) = (board.fullmove_number(), board.san(mv));
            words.push(match (board.side_to_move(), index) {
                (Color::White, _) => format!("{number}. {san}"),
                (Color::Black, 0) => format!("{number}... {san}"),
                _ => san,
            });
            board = board.after(mv);
        }
        words.join(" ")
    }

    fn san_body(&self, mv: Move) -> String {
        if mv.is_castle() {
            return match mv.castling_side() {
                CastlingSide::King => "O-O".into(),
                CastlingSide::Queen => "O-O-O".into(),
            };
        }
        let kind = self.kind_on(mv.from()).unwrap_or(PieceKind::Pawn);
        let mut text = String::new();
        if kind == PieceKind::Pawn {
            if mv.is_capture() {
                text.push(mv.from().file().letter());
            }
        } else {
            text.push(kind.letter().to_ascii_uppercase());
            text.push_str(&self.disambiguation(mv, kind));
        }
        if mv.is_capture() {
            text.push('x');
        }
        text.push_str(&mv.to().to_string());
        if let Some(kind) = mv.promotion() {
            text.push('=');
            text.push(kind.letter().to_ascii_uppercase());
        }
        text
    }

    /// The file, rank or both of the departure square, if another piece of the kind could reach the same target.
    fn disambiguation(&self, mv: Move, kind: PieceKind) -> String {
        let moves = self.legal_moves();
        let rivals = moves.iter().filter(|other| {
            other.to() == mv.to()
                && other.from() != mv.from()
                && !other.is_castle()
                && self.kind_on(other.from()) == Some(kind)
        });
        let (mut any, mut same_file, mut same_rank) = (false, false, false);
        for rival in rivals {
            any = true;
            same_file |= rival.from().file() == mv.from().file();
            same_rank |= rival.from().rank() == mv.from().rank();
        }
        match (any, same_file, same_rank) {
            (false, ..) => String::new(),
            (_, false, _) => mv.from().file().letter().to_string(),
            (_, true, false) => mv.from().rank().digit().to_string(),
            _ => mv.from().to_string(),
        }
    }

    /// The legal move of a text in algebraic notation. Lenient: check signs, annotation marks, `x`, `=` and the dash
    /// are optional, castling may be written with zeros or as the king's two steps, and long notation is accepted too.
    pub fn parse_san(&self, text: &str) -> Result<Move, MoveError> {
        let pattern = SanPattern::parse(text).ok_or_else(|| MoveError::Syntax(text.into()))?;
        let moves = self.legal_moves();
        let mut matching = moves.iter().copied().filter(|&mv| pattern.matches(self, mv));
        match (matching.next(), matching.next()) {
            (Some(mv), None) => Ok(mv),
            (Some(_), Some(_)) => Err(MoveError::Ambiguous(text.into())),
            (None, _) => {
                let castle = moves.iter().copied().find(|&mv| pattern.matches_two_steps(self, mv));
                castle.ok_or_else(|| MoveError::Illegal(text.into()))
            }
        }
    }
}

/// What a text in algebraic notation says about a move.
enum SanPattern {
    Castle(CastlingSide),
    Plain(PlainPattern),
}

struct PlainPattern {
    kind: Option<PieceKind>,
    file: Option<File>,
    rank: Option<Rank>,
    to: Square,
    promotion: Option<PieceKind>,
}

impl SanPattern {
    fn parse(text: &str) -> Option<SanPattern> {
        let body = text.trim().trim_end_matches(['+', '#', '!', '?']).trim_end().trim_end_matches("e.p.").trim_end();
        match body {
            "O-O" | "0-0" | "o-o" => Some(SanPattern::Castle(CastlingSide::King)),
            "O-O-O" | "0-0-0" | "o-o-o" => Some(SanPattern::Castle(CastlingSide::Queen)),
            _ => PlainPattern::parse(body).map(SanPattern::Plain),
        }
    }

    fn matches(&self, board: &Board, mv: Move) -> bool {
        match self {
            SanPattern::Castle(side) => mv.is_castle() && mv.castling_side() == *side,
            SanPattern::Plain(pattern) => !mv.is_castle() && pattern.matches(board, mv),
        }
    }

    /// Whether the text is the king's move in castling, two files long. Shorter ones would be plain king moves.
    fn matches_two_steps(&self, board: &Board, mv: Move) -> bool {
        let files = mv.from().file().index().abs_diff(mv.landing().file().index());
        mv.is_castle() && files == 2 && matches!(self, SanPattern::Plain(pattern) if pattern.matches(board, mv))
    }
}

impl PlainPattern {
    /// Piece, departure file and rank, `x`, target square, `=` and promotion: all but the target are optional. Parsed
    /// from the end, because only there is the meaning of a letter clear.
    fn parse(body: &str) -> Option<PlainPattern> {
        let (body, promotion) = split_promotion(body)?;
        let (body, to) = body.split_at_checked(body.len().checked_sub(2)?)?;
        let to = to.parse().ok()?;
        let mut left = body.strip_suffix(['x', ':', '-']).filter(|left| !left.is_empty()).unwrap_or(body).chars();
        // Only capitals are pieces: "b" is always the file.
        let kind = take(&mut left, |letter| PieceKind::from_letter(letter).filter(|_| letter.is_ascii_uppercase()));
        let file = take(&mut left, |letter| File::from_letter(letter).filter(|_| letter.is_ascii_lowercase()));
        let rank = take(&mut left, Rank::from_digit);
        // A full departure square identifies the piece as well as its letter would: long notation.
        let is_long = kind.is_none() && file.is_some() && rank.is_some();
        let kind = if is_long { None } else { Some(kind.unwrap_or(PieceKind::Pawn)) };
        left.as_str().is_empty().then_some(PlainPattern { kind, file, rank, to, promotion })
    }

    fn matches(&self, board: &Board, mv: Move) -> bool {
        let from = mv.from();
        mv.landing() == self.to
            && mv.promotion() == self.promotion
            && self.kind.is_none_or(|kind| board.kind_on(from) == Some(kind))
            && self.file.is_none_or(|file| from.file() == file)
            && self.rank.is_none_or(|rank| from.rank() == rank)
    }
}

/// Splits off the promotion, written `=Q`, `/Q`, `(Q)` or `Q`. None if the text ends in anything else but a square.
fn split_promotion(body: &str) -> Option<(&str, Option<PieceKind>)> {
    if body.ends_with(|last: char| last.is_ascii_digit()) {
        return Some((body, None));
    }
    let (body, is_bracketed) = body.strip_suffix(')').map_or((body, false), |body| (body, true));
    let letter = body.chars().next_back()?;
    let kind = PieceKind::from_letter(letter).filter(|kind| !matches!(kind, PieceKind::Pawn | PieceKind::King))?;
    let body = body.strip_suffix(letter)?;
    let body = if is_bracketed { body.strip_suffix('(')? } else { body.strip_suffix(['=', '/']).unwrap_or(body) };
    Some((body, Some(kind)))
}

/// Consumes the next letter if it has this meaning, and returns that.
fn take<T>(letters: &mut std::str::Chars<'_>, meaning: impl Fn(char) -> Option<T>) -> Option<T> {
    let mut ahead = letters.clone();
    let found = ahead.next().and_then(meaning)?;
    *letters = ahead;
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(fen: &str) -> Board {
        fen.parse().expect(fen)
    }

    #[test]
    fn san_of_known_moves() {
        for (fen, uci, san) in [
            (crate::fen::START, "g1f3", "Nf3"),
            ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", "O-O"),
            ("3k4/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", "O-O-O+"),
            ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "a1d1", "Rd1"),
            ("4k3/8/8/8/8/4K3/8/R6R w - - 0 1", "a1d1", "Rad1"),
            ("4k3/R7/8/8/8/4K3/8/R7 w - - 0 1", "a1a4", "R1a4"),
            ("1k6/8/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h4e1", "Qh4e1"),
            ("8/1P6/8/8/k7/8/8/K7 w - - 0 1", "b7b8q", "b8=Q"),
            ("r7/1P5k/8/8/8/8/8/K7 w - - 0 1", "b7a8n", "bxa8=N"),
            ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "d4e3", "dxe3"),
            ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8", "Ra8#"),
            // The other knight is pinned, so nothing is ambiguous.
            ("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2"),
        ] {
            let board = board(fen);
            let mv = board.parse_uci(uci).expect(uci);
            assert_eq!(board.san(mv), san);
            assert_eq!(board.parse_san(san), Ok(mv));
        }
    }

    #[test]
    fn forgiving_reading() {
        let castling = board("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
        for (text, uci) in
            [("0-0", "e1g1"), ("O-O-O!?", "e1c1"), ("Ra1-b1", "a1b1"), ("a1b1", "a1b1"), ("Rh2!", "h1h2")]
        {
            assert_eq!(castling.parse_san(text), castling.parse_uci(uci), "{text}");
        }
        for (text, uci) in [("Ke1g1", "e1g1"), ("e1-g1", "e1g1"), ("Kg1", "e1g1"), ("Kc1+", "e1c1"), ("Kf1", "e1f1")] {
            assert_eq!(castling.parse_san(text), castling.parse_uci(uci), "{text}");
        }
        // Only the king's two steps are castling, and only where castling is legal.
        for text in ["g1", "Rg1f1", "Kb1", "Kg2"] {
            assert_eq!(castling.parse_san(text), Err(MoveError::Illegal(text.into())), "{text}");
        }
        let no_rights = board("4k3/8/8/8/8/8/8/R3K2R w - - 0 1");
        assert_eq!(no_rights.parse_san("Kg1"), Err(MoveError::Illegal("Kg1".into())));
        let promoting = board("r7/1P5k/8/8/8/8/8/K7 w - - 0 1");
        for text in ["bxa8=Q", "ba8Q", "b7xa8q", "b7a8=Q+", "bxa8(Q)", "bxa8/Q"] {
            assert_eq!(promoting.parse_san(text), promoting.parse_uci("b7a8q"), "{text}");
        }
        let passing = board("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1");
        assert_eq!(passing.parse_san("dxe3 e.p."), passing.parse_uci("d4e3"));
        assert_eq!(promoting.parse_san("b8"), Err(MoveError::Illegal("b8".into())));
    }

    #[test]
    fn unusable_text() {
        let start = Board::start();
        let nonsense =
            ["", "e9", "Nf33", "é4", "N", "O-O-O-O", "e4e", "=Q", "++", "0000", "☃☃☃☃", "Gf3", "nf3", "N1gf3"];
        let signs = ["e-4", "-e4", "e4-", "N--f3", "Nx-f3", "N=f3", "e4(", "e8(Q", "e8Q)", "e8==Q"];
        for text in nonsense.into_iter().chain(signs) {
            assert_eq!(start.parse_san(text), Err(MoveError::Syntax(text.into())), "{text}");
        }
        for text in ["", "e2", "e2e9", "e7e8qq", "0000", "éee", "e2e4é", "e7e8x"] {
            assert_eq!(start.parse_uci(text), Err(MoveError::Syntax(text.into())), "{text}");
        }
        assert_eq!(start.parse_uci("e2e5"), Err(MoveError::Illegal("e2e5".into())));
        assert_eq!(start.parse_san("O-O"), Err(MoveError::Illegal("O-O".into())));
        let doubled = board("4k3/8/8/8/8/4K3/8/R6R w - - 0 1");
        assert_eq!(doubled.parse_san("Rd1"), Err(MoveError::Ambiguous("Rd1".into())));
    }

    #[test]
    fn chess960_castling_text() {
        let board = board("4k3/8/8/8/8/8/8/5KR1 w K - 0 1");
        let castle = board.parse_uci("f1g1").expect("king takes rook");
        assert!(castle.is_castle());
        assert_eq!((castle.uci(true).as_str(), castle.uci(false).as_str()), ("f1g1", "f1g1"));
        let board = self::board("4k3/8/8/8/8/8/8/5K1R w K - 0 1");
        assert!(!board.parse_uci("f1g1").expect("a king's step").is_castle());
        assert!(board.parse_uci("f1h1").expect("king takes rook").is_castle());
        let board = self::board("4k3/8/8/8/8/8/8/1K5R w K - 0 1");
        assert!(board.parse_uci("b1g1").expect("the king's target").is_castle());
        assert!(!board.is_classical_castling());
        for fen in [crate::fen::START, "4k3/8/8/8/8/8/8/1K5R w - - 0 1", "r3k3/8/8/8/8/8/8/1K5R w q - 0 1"] {
            assert!(self::board(fen).is_classical_castling(), "{fen}");
        }
        assert!(!self::board("4k3/8/8/8/8/8/8/4KR2 w F - 0 1").is_classical_castling());
    }
}
