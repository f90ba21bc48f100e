//! A small, forgiving PGN reader. It is our own because the runner needs two things that readers usually hide: the comments
//! behind the moves, and where in the file the last whole game ends, since a killed match may leave half a game behind.

use chess::{Board, Position};

/// A move as text, and the comment behind it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct PgnMove {
    /// The move in standard algebraic notation, not yet verified.
    pub san: String,
    /// The text in braces after it; several comments are joined.
    pub comment: String,
}

/// A game as it stands in a file.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct PgnGame {
    /// Names and values of the tags, in order.
    pub tags: Vec<(String, String)>,
    /// The moves of the main line.
    pub moves: Vec<PgnMove>,
    /// The result behind the moves: `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
    /// The offset of the first byte after the game.
    pub end: usize,
}

impl PgnGame {
    /// The value of a tag, whatever the case of its name.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// The board the game starts from.
    pub fn start(&self) -> Result<Board, chess::fen::FenError> {
        self.tag("FEN").map_or_else(|| Ok(Board::start()), str::parse)
    }

    /// What White scored in half points, if the game is decided.
    #[must_use]
    pub fn white_half_points(&self) -> Option<u8> {
        match self.result.as_str() {
            "1-0" => Some(2),
            "0-1" => Some(0),
            "1/2-1/2" => Some(1),
            _ => None,
        }
    }

    /// Plays the moves through, as far as they are legal.
    #[must_use]
    pub fn replay(&self, most: usize) -> Option<(Board, Vec<chess::Move>)> {
        let start = self.start().ok()?;
        let mut position = Position::new(start);
        let mut moves = Vec::new();
        for text in self.moves.iter().take(most) {
            let mv = position.parse_san(&text.san).ok()?;
            position.make(mv, &mut ());
            moves.push(mv);
        }
        Some((start, moves))
    }
}

/// All whole games of a text. What follows the last one, or cannot be understood, is passed over.
#[must_use]
pub fn parse(text: &str) -> Vec<PgnGame> {
    let mut games = Vec::new();
    let mut game = PgnGame::default();
    let mut reader = Reader { text, at: 0 };
    while let Some(token) = reader.next_token() {
        match token {
            Token::Tag(name, value) => {
                // A tag after moves begins the next game, even if the last one lacks its result.
                if !game.moves.is_empty() {
                    game = PgnGame::default();
                }
                game.tags.push((name, value));
            }
            Token::Comment(comment) => {
                if let Some(mv) = game.moves.last_mut() {
                    if !mv.comment.is_empty() {
                        mv.comment.push(' ');
                    }
                    mv.comment.push_str(comment.trim());
                }
            }
            Token::Result(result) => {
                game.result = result.to_owned();
                game.end = reader.at;
                games.push(std::mem::take(&mut game));
            }
            Token::Word(word) => game.moves.push(PgnMove { san: word.to_owned(), comment: String::new() }),
        }
    }
    games
}

enum Token<'a> {
    Tag(String, String),
    Comment(&'a str),
    Word(&'a str),
    Result(&'a str),
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Moves on to just behind the next `mark` and returns what lies before it; none if there is no such mark.
    fn until(&mut self, mark: char) -> Option<&'a str> {
        let rest = self.rest();
        let length = rest.find(mark)?;
        self.at += length + mark.len_utf8();
        rest.get(..length)
    }

    fn next_token(&mut self) -> Option<Token<'a>> {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start();
            let at_line_start = self.at == 0 || rest.len() > trimmed.len();
            self.at += rest.len() - trimmed.len();
            let first = trimmed.chars().next()?;
            match first {
                '[' => match self.tag() {
                    Some(tag) => return Some(tag),
                    None => self.at += 1,
                },
                '{' => {
                    self.at += 1;
                    return self.until('}').map(Token::Comment);
                }
                ';' => drop(self.until('\n')?),
                '%' if at_line_start => drop(self.until('\n')?),
                '(' => self.skip_variation()?,
                _ => {
                    let ends = |letter: char| letter.is_whitespace() || "{}()[];".contains(letter);
                    let length = trimmed.find(ends).unwrap_or(trimmed.len()).max(first.len_utf8());
                    self.at += length;
                    if let Some(token) = word(trimmed.get(..length).unwrap_or_default()) {
                        return Some(token);
                    }
                }
            }
        }
    }

    /// `[Name "value"]`, with `\"` and `\\` inside the value.
    fn tag(&mut self) -> Option<Token<'a>> {
        let body = self.rest().strip_prefix('[')?;
        let (name, quoted) = body.split_once('"')?;
        if name.contains([']', '\n']) {
            return None;
        }
        let (mut value, mut letters) = (String::new(), quoted.char_indices());
        loop {
            match letters.next()? {
                (_, '\\') => value.push(letters.next()?.1),
                (length, '"') => {
                    let rest = quoted.get(length..)?;
                    self.at = self.text.len() - rest.len() + rest.find(']')? + 1;
                    return Some(Token::Tag(name.trim().to_owned(), value));
                }
                (_, '\n') => return None,
                (_, letter) => value.push(letter),
            }
        }
    }

    /// Passes over a variation with everything inside it.
    fn skip_variation(&mut self) -> Option<()> {
        let mut depth = 0;
        loop {
            let letter = self.rest().chars().next()?;
            self.at += letter.len_utf8();
            match letter {
                '(' => depth += 1,
                ')' if depth == 1 => return Some(()),
                ')' => depth -= 1,
                '{' => drop(self.until('}')?),
                _ => {}
            }
        }
    }
}

/// A move or a result; nothing for move numbers and annotation glyphs.
fn word(text: &str) -> Option<Token<'_>> {
    if matches!(text, "1-0" | "0-1" | "1/2-1/2" | "*") {
        return Some(Token::Result(text));
    }
    // "12.e4" and "12...e5" carry their number with them; castling with zeros begins with a digit, too.
    let number = text.len() - text.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
    let after = text.get(number..).unwrap_or_default();
    let body = if after.starts_with('.') || after.is_empty() { after.trim_start_matches('.') } else { text };
    (body.len() >= 2 && !body.starts_with(['$', '!', '?', ')', '}', ']'])).then_some(Token::Word(body))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAMES: &str = "\u{feff}[Event \"a \\\"b\\\" ]c\"]\n[White \"A\"]\n[Black \"B\"]\n\n{before} 1. e4 {+0.30/12 0.1s} e5 $1 (1... c5 2. Nf3 \
        (2. c3 {a ) b})) 2.Nf3 ; rest of line 3. Nc3\nNc6 3. Bb5 a6 {x} {y} 4.O-O! *\n\n[White \"C\"]\n1-0\n\n[White \"D\"]\n\n1. d4 1/2-1/2\n% escape e4\n[White \"E\"]\n\n1. e4 e";

    #[test]
    fn games_are_read() {
        let games = parse(GAMES);
        assert_eq!(games.len(), 3, "half a game is none");
        assert_eq!(games[0].tag("white"), Some("A"));
        assert_eq!(games[0].tag("Event"), Some("a \"b\" ]c"));
        let sans: Vec<_> = games[0].moves.iter().map(|mv| mv.san.as_str()).collect();
        assert_eq!(sans, ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "O-O!"]);
        assert_eq!((games[0].moves[0].comment.as_str(), games[0].moves[5].comment.as_str()), ("+0.30/12 0.1s", "x y"));
        assert_eq!(games.iter().map(PgnGame::white_half_points).collect::<Vec<_>>(), [None, Some(2), Some(1)]);
        assert!(GAMES[..games[2].end].ends_with("1. d4 1/2-1/2"));
    }

    #[test]
    fn nothing_makes_the_reader_fall() {
        for end in 0..GAMES.len() {
            if GAMES.is_char_boundary(end) {
                let _ = parse(&GAMES[..end]);
                let _ = parse(&GAMES[end..]);
            }
        }
        for text in ["[", "[x \"", "{", "(", "(((", "[a \"b\\", "é{é}é(é)é[é \"é\"]é*", ")]}", "1.", "...", "$"]
        {
            let _ = parse(text);
        }
    }

    #[test]
    fn replaying() {
        let game = &parse("[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n1. O-O Ke7 2. Rf7+ *")[0];
        let (start, moves) = game.replay(2).expect("legal moves");
        assert_eq!((start.king(chess::Color::White), moves.len()), (chess::Square::E1, 2));
        assert!(parse("1. e5 *")[0].replay(9).is_none());
    }
}
