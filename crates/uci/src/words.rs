//! A line as a sequence of words. The unread rest is available exactly as written, since a path may contain two spaces.

/// An iterator over the words of a line.
#[derive(Clone)]
pub(crate) struct Words<'a> {
    rest: &'a str,
}

/// What separates words. A byte order mark, which some shells put before the first word, and a zero byte count as
/// space.
fn is_space(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '\u{feff}' | '\0')
}

impl<'a> Words<'a> {
    pub(crate) fn new(line: &'a str) -> Words<'a> {
        Words { rest: line.trim_matches(is_space) }
    }

    /// Everything not yet consumed, without surrounding space.
    pub(crate) fn rest(&self) -> &'a str {
        self.rest
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// The next word, without consuming it.
    pub(crate) fn peek(&self) -> Option<&'a str> {
        self.clone().next()
    }

    /// Takes words up to `end` or the end of the line, and joins them with single spaces. `end` itself is consumed too;
    /// the second value is whether it was there.
    pub(crate) fn join_until(&mut self, end: impl Fn(&str) -> bool) -> (String, bool) {
        let mut text = String::new();
        for word in self {
            if end(word) {
                return (text, true);
            }
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(word);
        }
        (text, false)
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        if self.rest.is_empty() {
            return None;
        }
        match self.rest.split_once(is_space) {
            Some((word, rest)) => {
                self.rest = rest.trim_start_matches(is_space);
                Some(word)
            }
            None => Some(std::mem::take(&mut self.rest)),
        }
    }
}

/// A text on one line: line breaks become spaces.
pub(crate) fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

/// A number, clamped to the range of the type. None if it is not a number.
pub(crate) fn number(word: &str) -> Option<i64> {
    use std::num::IntErrorKind::{NegOverflow, PosOverflow};
    match word.parse::<i64>() {
        Ok(number) => Some(number),
        Err(error) => match error.kind() {
            PosOverflow => Some(i64::MAX),
            NegOverflow => Some(i64::MIN),
            _ => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_space_parts_words() {
        let words: Vec<_> = Words::new("\u{feff} \t go\r\tdepth \u{a0} 3 \0\r\n").collect();
        assert_eq!(words, ["go", "depth", "3"]);
        let mut words = Words::new("value  C:\\two  spaces ");
        assert_eq!((words.next(), words.rest()), (Some("value"), "C:\\two  spaces"));
    }

    #[test]
    fn numbers_saturate() {
        assert_eq!(number("99999999999999999999"), Some(i64::MAX));
        assert_eq!(number("-99999999999999999999"), Some(i64::MIN));
        assert_eq!((number("-3"), number("+4"), number("3.5"), number("")), (Some(-3), Some(4), None, None));
    }
}
