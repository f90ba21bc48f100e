//! A cursor over a text that finds where tag values end.
//!
//! A lookahead may be repeated from a later place: when a bracket turns out not to begin a tag, the search goes on at
//! the next one. So the results are cached, and no part of the text is scanned more than a few times.

/// The text being scanned.
#[derive(Clone, Debug)]
pub(super) struct Scanner<'a> {
    text: &'a str,
    closings: [Known; 3],
}

/// Where a tag's value ends: the offset of the closing quote, and the offset after the closing bracket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Closing {
    pub(super) quote: usize,
    pub(super) end: usize,
}

/// The first closing of a kind at or after `from`. There is none before `until`.
#[derive(Clone, Copy, Default, Debug)]
struct Known {
    from: usize,
    until: usize,
    found: Option<Closing>,
}

/// A quote and bracket, with the evidence on whether the value ends there.
#[derive(Clone, Copy)]
struct Candidate {
    /// There is a backslash before the quote.
    is_escaped: bool,
    /// After the bracket the line ends or another tag begins.
    is_last: bool,
}

/// Values should write a quote as `\"` and a backslash as `\\`, but many do not. The closing quote is, in order of
/// preference: an unescaped quote followed by the end of the line or another tag; any unescaped quote; any quote
/// followed like that.
const WANTED: [fn(Candidate) -> bool; 3] = [
    |candidate| candidate.is_last && !candidate.is_escaped,
    |candidate| !candidate.is_escaped,
    |candidate| candidate.is_last,
];

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str) -> Scanner<'a> {
        Scanner { text, closings: [Known::default(); 3] }
    }

    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    pub(super) fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    pub(super) fn letter(&self, at: usize) -> Option<char> {
        self.text.get(at..)?.chars().next()
    }

    pub(super) fn slice(&self, from: usize, to: usize) -> &'a str {
        self.text.get(from..to).unwrap_or_default()
    }

    /// The first place at or after `from` with such a character; the end of the text if there is none.
    pub(super) fn find(&self, from: usize, is_wanted: impl Fn(char) -> bool) -> usize {
        let rest = self.text.get(from..).unwrap_or_default();
        let length = rest.find(is_wanted).unwrap_or(rest.len());
        meter::count(length + 1);
        from + length
    }

    pub(super) fn line_end(&self, from: usize) -> usize {
        self.find(from, |letter| letter == '\n')
    }

    /// The first place on this line that is not blank.
    pub(super) fn word_in_line(&self, from: usize) -> usize {
        self.find(from, |letter| letter == '\n' || !is_blank(letter))
    }

    /// How many line ends there are between two places.
    pub(super) fn count_lines(&self, from: usize, to: usize) -> usize {
        let passed = self.slice(from, to);
        meter::count(passed.len());
        passed.bytes().filter(|&byte| byte == b'\n').count()
    }

    /// How many line ends there are in the blanks directly before a place.
    pub(super) fn lines_before(&self, at: usize) -> usize {
        let before = self.slice(0, at);
        self.count_lines(before.trim_end_matches(is_blank).len(), at)
    }

    /// Where the value of a tag that begins at `from` ends, if it ends on its line.
    pub(super) fn closing(&mut self, from: usize) -> Option<Closing> {
        for (kind, is_wanted) in WANTED.into_iter().enumerate() {
            let known = self.closings.get(kind).copied().filter(|known| (known.from..=known.until).contains(&from));
            let known = known.unwrap_or_else(|| self.look_for_closing(from, is_wanted));
            if let Some(memory) = self.closings.get_mut(kind) {
                *memory = known;
            }
            if known.found.is_some() {
                return known.found;
            }
        }
        None
    }

    /// Scans for the next quote that closes a value in the wanted way. The scan begins after a quote, so whether a
    /// quote is escaped does not depend on where it began.
    fn look_for_closing(&self, from: usize, is_wanted: impl Fn(Candidate) -> bool) -> Known {
        let (mut at, mut is_escaped) = (from, false);
        loop {
            let next = self.find(at, |letter| matches!(letter, '\n' | '"' | '\\'));
            is_escaped &= next == at;
            match self.byte(next) {
                Some(b'\\') => is_escaped = !is_escaped,
                Some(b'"') => {
                    let bracket = self.word_in_line(next + 1);
                    if self.byte(bracket) == Some(b']') {
                        let behind = self.byte(self.word_in_line(bracket + 1));
                        let is_last = matches!(behind, None | Some(b'\n' | b'['));
                        if is_wanted(Candidate { is_escaped, is_last }) {
                            return Known { from, until: next, found: Some(Closing { quote: next, end: bracket + 1 }) };
                        }
                    }
                    is_escaped = false;
                }
                _ => return Known { from, until: next, found: None },
            }
            at = next + 1;
        }
    }
}

/// White space, or the byte order mark that some programs put at the start of a file and others leave inside when they
/// join files.
pub(super) fn is_blank(letter: char) -> bool {
    letter.is_whitespace() || letter == '\u{feff}'
}

/// Counts how many bytes were scanned, for tests.
pub(super) mod meter {
    #[cfg(test)]
    std::thread_local! {
        static BYTES: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
    }

    #[cfg(test)]
    pub(in crate::pgn) fn count(bytes: usize) {
        BYTES.set(BYTES.get() + bytes);
    }

    #[cfg(not(test))]
    pub(in crate::pgn) fn count(_: usize) {}

    /// The count since the last call.
    #[cfg(test)]
    pub(in crate::pgn) fn take() -> usize {
        BYTES.take()
    }
}
