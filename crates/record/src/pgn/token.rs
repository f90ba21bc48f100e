//! The tokeniser of PGN.

use super::scan::{Scanner, is_blank, meter};
use crate::GameResult;

/// The longest value of a tag in bytes; the standard allows 255.
pub(super) const LONGEST_VALUE: usize = 4096;

/// How a game's tags begin.
const NEXT_GAME: &str = "[Event \"";

/// A token. The [`Tokens`] that returned it knows its position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    Tag(String, String),
    Comment(String),
    Nag(u8),
    Open,
    Close,
    /// A move and the mark after it.
    Move(&'a str, Option<u8>),
    Result(Option<GameResult>),
    /// Something that makes the rest of the game unreadable.
    Broken(&'static str),
}

/// The tokens of a text.
#[derive(Clone, Debug)]
pub(super) struct Tokens<'a> {
    scanner: Scanner<'a>,
    at: usize,
    start: usize,
    lines: (usize, usize), // an offset and how many lines begin before it
    /// No comment that begins before this offset is closed.
    unclosed: usize,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str) -> Tokens<'a> {
        Tokens { scanner: Scanner::new(text), at: 0, start: 0, lines: (0, 1), unclosed: 0 }
    }

    /// Where the last token ended.
    pub(super) fn end(&self) -> usize {
        self.at
    }

    /// The line the last token began on. Offsets only grow, so each line is counted once.
    pub(super) fn line(&mut self) -> usize {
        let (from, line) = self.lines;
        if self.start > from {
            self.lines = (self.start, line + self.scanner.count_lines(from, self.start));
        }
        self.lines.1
    }

    /// Whether there is an empty line directly before the last token.
    pub(super) fn follows_empty_line(&self) -> bool {
        self.scanner.lines_before(self.start) > 1
    }

    /// Returns the last token once more.
    pub(super) fn push_back(&mut self) {
        self.at = self.start;
    }

    /// Skips everything up to the next line that is a tag.
    pub(super) fn skip_to_tag(&mut self) {
        while self.at < self.scanner.len() && self.tag(self.at).is_none() {
            self.at = (self.scanner.line_end(self.at) + 1).min(self.scanner.len());
        }
    }

    pub(super) fn next(&mut self) -> Option<Token<'a>> {
        loop {
            self.at = self.scanner.find(self.at, |letter| !is_blank(letter));
            self.start = self.at;
            let first = self.scanner.letter(self.at)?;
            let is_line_start = self.at == 0 || self.scanner.byte(self.at - 1) == Some(b'\n');
            match first {
                '[' => match self.tag(self.at) {
                    Some((token, end)) => return Some(self.take(end, token)),
                    None => self.at += 1,
                },
                '{' => return Some(self.comment()),
                ';' => {
                    let end = self.scanner.line_end(self.at);
                    let comment = tidy(self.scanner.slice(self.at + 1, end));
                    return Some(self.take(end, Token::Comment(comment)));
                }
                '%' if is_line_start => self.at = self.scanner.line_end(self.at),
                '(' => return Some(self.take(self.at + 1, Token::Open)),
                ')' => return Some(self.take(self.at + 1, Token::Close)),
                '$' => {
                    let digits = self.at + 1;
                    self.at = self.scanner.find(digits, |letter| !letter.is_ascii_digit());
                    if let Ok(nag) = self.scanner.slice(digits, self.at).parse() {
                        return Some(Token::Nag(nag));
                    }
                }
                _ => {
                    let behind = self.at + first.len_utf8();
                    let ends = |letter: char| is_blank(letter) || "{}()[];$".contains(letter);
                    // A closing bracket or brace without an opening one is skipped alone.
                    self.at = if ends(first) { behind } else { self.scanner.find(behind, ends) };
                    if let Some(token) = word(self.scanner.slice(self.start, self.at)) {
                        return Some(token);
                    }
                }
            }
        }
    }

    fn take(&mut self, end: usize, token: Token<'a>) -> Token<'a> {
        self.at = end;
        token
    }

    /// A comment in braces. An unclosed one would swallow all later games, so it is rejected once it reaches the first
    /// tag of another game.
    fn comment(&mut self) -> Token<'a> {
        let from = self.at + 1;
        let mut line = from;
        while line >= self.unclosed {
            let end = self.scanner.find(line, |letter| matches!(letter, '\n' | '}'));
            match self.scanner.byte(end) {
                Some(b'}') => return self.take(end + 1, Token::Comment(tidy(self.scanner.slice(from, end)))),
                Some(_) => line = end + 1,
                None => line = end,
            }
            if line == end || self.scanner.slice(line, line + NEXT_GAME.len()) == NEXT_GAME {
                self.unclosed = line + 1;
            }
        }
        self.take(from, Token::Broken("a comment begins with { and never ends"))
    }

    /// `[Name "value"]` at this offset, and where it ends.
    fn tag(&mut self, at: usize) -> Option<(Token<'a>, usize)> {
        if self.scanner.byte(at) != Some(b'[') {
            return None;
        }
        let name = self.scanner.word_in_line(at + 1);
        let name_end = self.scanner.find(name, |letter| !letter.is_ascii_alphanumeric() && letter != '_');
        let quote = self.scanner.word_in_line(name_end);
        if name == name_end || self.scanner.byte(quote) != Some(b'"') {
            return None;
        }
        let closing = self.scanner.closing(quote + 1)?;
        let value = unescape(self.scanner.slice(quote + 1, closing.quote));
        let token = if value.len() > LONGEST_VALUE || name_end - name > LONGEST_VALUE {
            Token::Broken("a tag is too long")
        } else {
            Token::Tag(self.scanner.slice(name, name_end).to_owned(), value)
        };
        Some((token, closing.end))
    }
}

/// Collapses white space, since comments are rewrapped when written.
fn tidy(comment: &str) -> String {
    meter::count(comment.len());
    comment.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn unescape(value: &str) -> String {
    meter::count(value.len());
    let mut plain = String::with_capacity(value.len());
    let mut letters = value.chars().peekable();
    while let Some(letter) = letters.next() {
        let escaped = (letter == '\\').then(|| letters.next_if(|next| matches!(next, '"' | '\\'))).flatten();
        // A bare carriage return cannot be written back.
        plain.push(if letter == '\r' { ' ' } else { escaped.unwrap_or(letter) });
    }
    plain
}

/// A move, a mark or a result; none for move numbers. A token written by itself parses as the same token.
fn word(text: &str) -> Option<Token<'_>> {
    let unmarked = text.trim_end_matches(['!', '?']);
    let nag = text.get(unmarked.len()..).and_then(mark);
    let san = without_numbers(unmarked);
    if let Some(result) = GameResult::read(san) {
        return Some(Token::Result(result));
    }
    if let Some(nag) = mark(san) {
        return Some(Token::Nag(nag));
    }
    match san {
        "" | "]" | "}" | "e.p." => nag.map(Token::Nag),
        _ => Some(Token::Move(san, nag)),
    }
}

/// Removes move numbers, as in "12.e4" and "12...e5". Castling with zeros also begins with a digit.
fn without_numbers(mut text: &str) -> &str {
    loop {
        let after = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
        if after.is_empty() {
            return after;
        }
        let body = after.trim_start_matches(['.', '…']);
        if body.len() == after.len() {
            return text;
        }
        text = body;
    }
}

/// The NAG of a mark, by the standard and later programs.
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
            (r#"[White "A \"] [B \""]"#, "White", r#"A "] [B ""#),
            ("[White \"é\"]\r", "White", "é"),
        ] {
            let (found, end) = Tokens::new(text).tag(0).expect(text);
            assert_eq!(found, Token::Tag(name.into(), value.into()), "{text}");
            assert!(text[..end].ends_with(']'), "{text}");
        }
        for text in
            ["[", "[]", "[\"x\"]", "[White]", "[White \"", "[White \"x", "[White x]", "[%clk 0:01]", "[é \"x\"]"]
        {
            assert_eq!(Tokens::new(text).tag(0), None, "{text}");
        }
    }

    #[test]
    fn words_of_every_kind() {
        let text = "12.e4!? 12...e5 3… c5 13. O-O ?? $7 0-0-0 ± 5. ( ) ½-½ * $999 -- 1. ] 4.5.d4 7.N! 9.1-0 3.e.p.";
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
            Result(Some(GameResult::Draw)),
            Result(None),
            Move("--", None),
            Move("d4", None),
            Nag(146),
            Result(Some(GameResult::WhiteWins)),
        ];
        assert_eq!(found, expected);
    }
}
