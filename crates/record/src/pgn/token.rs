//! The words of PGN.

/// A word and where it begins is known to the [`Tokens`] that gave it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    Tag(String, String),
    Comment(String),
    Nag(u8),
    Open,
    Close,
    /// A move and the mark behind it.
    Move(&'a str, Option<u8>),
    Result(&'static str),
    /// What makes the rest of the game unreadable.
    Broken(&'static str),
}

/// Walks through a text.
#[derive(Clone, Debug)]
pub(super) struct Tokens<'a> {
    text: &'a str,
    at: usize,
    start: usize,
    lines: (usize, usize), // an offset and how many lines begin before it
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str) -> Tokens<'a> {
        Tokens { text, at: 0, start: 0, lines: (0, 1) }
    }

    /// Where the last word ended.
    pub(super) fn end(&self) -> usize {
        self.at
    }

    /// The line the last word began on. Asked for places that never go back, so each line is counted once.
    pub(super) fn line(&mut self) -> usize {
        let (from, line) = self.lines;
        if self.start > from {
            let passed = self.text.as_bytes().get(from..self.start).unwrap_or_default();
            self.lines = (self.start, line + passed.iter().filter(|&&byte| byte == b'\n').count());
        }
        self.lines.1
    }

    /// Whether an empty line stands directly before the last word.
    pub(super) fn follows_empty_line(&self) -> bool {
        let before = self.text.get(..self.start).unwrap_or_default();
        let space = before.get(before.trim_end().len()..).unwrap_or_default();
        space.bytes().filter(|&byte| byte == b'\n').count() > 1
    }

    /// Gives the last word once more.
    pub(super) fn push_back(&mut self) {
        self.at = self.start;
    }

    /// Passes over everything up to the next line that is a tag.
    pub(super) fn skip_to_tag(&mut self) {
        while tag(self.rest()).is_none() {
            let Some(length) = self.rest().find("\n[") else {
                self.at = self.text.len();
                return;
            };
            self.at += length + 1;
        }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) fn next(&mut self) -> Option<Token<'a>> {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start_matches(|letter: char| letter.is_whitespace() || letter == '\u{feff}');
            self.at += rest.len() - trimmed.len();
            self.start = self.at;
            let first = trimmed.chars().next()?;
            let at_line_start = self.at == 0 || self.text.as_bytes().get(self.at - 1) == Some(&b'\n');
            match first {
                '[' => match tag(trimmed) {
                    Some((name, value, length)) => {
                        self.at += length;
                        return Some(Token::Tag(name, value));
                    }
                    None => self.at += 1,
                },
                '{' => return Some(self.comment(trimmed)),
                ';' => {
                    let line = trimmed.lines().next().unwrap_or_default();
                    self.at += line.len();
                    return Some(Token::Comment(tidy(line.get(1..).unwrap_or_default())));
                }
                '%' if at_line_start => self.at += trimmed.lines().next().unwrap_or_default().len(),
                '(' => return Some(self.take(1, Token::Open)),
                ')' => return Some(self.take(1, Token::Close)),
                '$' => {
                    let digits = trimmed.bytes().skip(1).take_while(u8::is_ascii_digit).count();
                    self.at += 1 + digits;
                    if let Some(nag) = trimmed.get(1..=digits).and_then(|digits| digits.parse().ok()) {
                        return Some(Token::Nag(nag));
                    }
                }
                _ => {
                    let ends = |letter: char| letter.is_whitespace() || "{}()[];$".contains(letter);
                    let length = trimmed.find(ends).unwrap_or(trimmed.len()).max(first.len_utf8());
                    self.at += length;
                    if let Some(token) = word(trimmed.get(..length).unwrap_or_default()) {
                        return Some(token);
                    }
                }
            }
        }
    }

    fn take(&mut self, length: usize, token: Token<'a>) -> Token<'a> {
        self.at += length;
        token
    }

    /// A comment in braces. One that is never closed would swallow all games behind it, so it is not believed once it has
    /// reached the first tag of another game.
    fn comment(&mut self, trimmed: &'a str) -> Token<'a> {
        let body = trimmed.find('}').and_then(|length| trimmed.get(1..length));
        match body.filter(|body| !body.contains("\n[Event \"")) {
            Some(body) => {
                self.at += body.len() + 2;
                Token::Comment(tidy(body))
            }
            None => self.take(1, Token::Broken("a comment begins with { and never ends")),
        }
    }
}

/// White space made single, since lines are broken anew when a comment is written.
fn tidy(comment: &str) -> String {
    comment.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `[Name "value"]` at the beginning of a text, and its length. Values should have `\"` for a quote and `\\` for a backslash,
/// but many have quotes and backslashes as they are: what closes the value is the first `"]` that ends the line or is followed
/// by another tag; only if there is none, the first that is not escaped.
fn tag(text: &str) -> Option<(String, String, usize)> {
    let line = text.lines().next()?;
    let inner = line.strip_prefix('[')?.trim_start();
    let name_length = inner.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').filter(|&n| n > 0)?;
    let (name, rest) = inner.split_at_checked(name_length)?;
    let quoted = rest.trim_start().strip_prefix('"')?;
    let (mut fallback, mut is_escaped) = (None, false);
    let mut closing = None;
    for (place, letter) in quoted.char_indices() {
        if letter == '"' {
            let after = quoted.get(place + 1..)?;
            if let Some(behind) = after.trim_start().strip_prefix(']') {
                let found = (place, line.len() - behind.len());
                let next = behind.trim_start();
                if next.is_empty() || next.starts_with('[') {
                    closing = Some(found);
                    break;
                }
                fallback = fallback.or((!is_escaped).then_some(found));
            }
        }
        is_escaped = letter == '\\' && !is_escaped;
    }
    let (place, length) = closing.or(fallback)?;
    Some((name.to_owned(), unescape(quoted.get(..place)?), length))
}

fn unescape(value: &str) -> String {
    let mut plain = String::with_capacity(value.len());
    let mut letters = value.chars().peekable();
    while let Some(letter) = letters.next() {
        let escaped = (letter == '\\').then(|| letters.next_if(|next| matches!(next, '"' | '\\'))).flatten();
        plain.push(escaped.unwrap_or(letter));
    }
    plain
}

/// A move, a mark or a result; nothing for move numbers.
fn word(text: &str) -> Option<Token<'_>> {
    match text {
        "1-0" => return Some(Token::Result("1-0")),
        "0-1" => return Some(Token::Result("0-1")),
        "1/2-1/2" | "1/2" | "½-½" => return Some(Token::Result("1/2-1/2")),
        "*" => return Some(Token::Result("*")),
        "e.p." => return None,
        _ => {}
    }
    if let Some(nag) = mark(text) {
        return Some(Token::Nag(nag));
    }
    // "12.e4" and "12...e5" carry their number with them; castling with zeros begins with a digit, too.
    let after = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let is_number = after.is_empty() || after.starts_with(['.', '…']);
    let body = if is_number { after.trim_start_matches(['.', '…']) } else { text };
    let san = body.trim_end_matches(['!', '?']);
    let nag = body.get(san.len()..).and_then(mark);
    match (san, nag) {
        ("" | "]" | "}", nag) => nag.map(Token::Nag),
        _ => Some(Token::Move(san, nag)),
    }
}

/// The number of a mark, as the standard and the programs after it have given them.
fn mark(text: &str) -> Option<u8> {
    Some(match text {
        "!" => 1,
        "?" => 2,
        "!!" => 3,
        "??" => 4,
        "!?" => 5,
        "?!" => 6,
        "=" => 10,
        "∞" => 13,
        "+=" | "+/=" | "⩲" => 14,
        "=+" | "=/+" | "⩱" => 15,
        "+/-" | "±" => 16,
        "-/+" | "∓" => 17,
        "+-" => 18,
        "-+" => 19,
        "N" => 146,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_of_every_kind() {
        for (text, name, value) in [
            (r#"[Event "plain"]"#, "Event", "plain"),
            (r#"[Event "a \"b\" ]c"]"#, "Event", "a \"b\" ]c"),
            (r#"[ Site"Club "Victory""] "#, "Site", "Club \"Victory\""),
            (r#"[Event "Tournament \"]"#, "Event", "Tournament \\"),
            (r#"[A_1 "C:\games\x"]"#, "A_1", r"C:\games\x"),
            (r#"[White ""][Black "B"]"#, "White", ""),
            (r#"[White "A"] 1. e4"#, "White", "A"),
            ("[White \"é\"]\r", "White", "é"),
        ] {
            let (found_name, found_value, length) = tag(text).expect(text);
            assert_eq!((found_name.as_str(), found_value.as_str()), (name, value), "{text}");
            assert!(text[..length].ends_with(']'), "{text}");
        }
        for text in
            ["[", "[]", "[\"x\"]", "[White]", "[White \"", "[White \"x", "[White x]", "[%clk 0:01]", "[é \"x\"]"]
        {
            assert_eq!(tag(text), None, "{text}");
        }
    }

    #[test]
    fn words_of_every_kind() {
        let text = "12.e4!? 12...e5 3… c5 13. O-O ?? $7 0-0-0 ± 5. ( ) ½-½ * $999 -- 1. ]";
        let mut tokens = Tokens::new(text);
        let mut found = Vec::new();
        while let Some(token) = tokens.next() {
            found.push(token);
        }
        use Token::{Close, Move, Nag, Open, Result};
        let expected = [
            Move("e4", Some(5)),
            Move("e5", None),
            Move("c5", None),
            Move("O-O", None),
            Nag(4),
            Nag(7),
            Move("0-0-0", None),
            Nag(16),
            Open,
            Close,
            Result("1/2-1/2"),
            Result("*"),
            Move("--", None),
        ];
        assert_eq!(found, expected);
    }
}
