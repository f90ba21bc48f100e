//! A text that is walked through, and where in it the values of tags end.
//!
//! Whatever looks ahead may be asked for again from a later place: a bracket that turns out to begin no tag is followed by
//! the next one. So what was found ahead is remembered, and no part of the text is walked through more than a few times.

/// A text.
#[derive(Clone, Debug)]
pub(super) struct Scanner<'a> {
    text: &'a str,
    closings: [Known; 3],
}

/// Where a tag's value ends: the offset of the closing quote, and of what follows the bracket behind it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Closing {
    pub(super) quote: usize,
    pub(super) end: usize,
}

/// The first closing of a kind at or behind `from`. There is none before `until`.
#[derive(Clone, Copy, Default, Debug)]
struct Known {
    from: usize,
    until: usize,
    found: Option<Closing>,
}

/// A quote and bracket, and what makes it more or less likely that the value ends there.
#[derive(Clone, Copy)]
struct Candidate {
    /// A backslash stands before the quote.
    is_escaped: bool,
    /// Behind the bracket the line ends or another tag begins.
    is_last: bool,
}

/// Values should have `\"` for a quote and `\\` for a backslash, but many have both as they are. What closes a value is, in
/// this order: a quote without a backslash that is followed by the end of the line or another tag; any without a backslash;
/// any that is so followed.
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

    /// The first place at or behind `from` where such a letter stands; the end of the text if there is none.
    pub(super) fn find(&self, from: usize, is_wanted: impl Fn(char) -> bool) -> usize {
        let rest = self.text.get(from..).unwrap_or_default();
        let length = rest.find(is_wanted).unwrap_or(rest.len());
        meter::count(length + 1);
        from + length
    }

    pub(super) fn line_end(&self, from: usize) -> usize {
        self.find(from, |letter| letter == '\n')
    }

    /// The first place that is not blank; line ends are not passed over.
    pub(super) fn word_in_line(&self, from: usize) -> usize {
        self.find(from, |letter| letter == '\n' || !is_blank(letter))
    }

    /// How many lines end between two places.
    pub(super) fn count_lines(&self, from: usize, to: usize) -> usize {
        let passed = self.slice(from, to);
        meter::count(passed.len());
        passed.bytes().filter(|&byte| byte == b'\n').count()
    }

    /// How many lines end in the blanks directly before a place.
    pub(super) fn lines_before(&self, at: usize) -> usize {
        let before = self.slice(0, at);
        self.count_lines(before.trim_end_matches(is_blank).len(), at)
    }

    /// Where the value of a tag that begins at `from` ends, if its line ends it.
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

    /// Walks to the next quote that closes a value in the wanted way. The walk begins behind a quote, so whether a quote is
    /// escaped does not depend on where it began.
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

/// White space, or the mark that some programs begin a file with, and others keep where they join files.
pub(super) fn is_blank(letter: char) -> bool {
    letter.is_whitespace() || letter == '\u{feff}'
}

/// Counts, in tests, how many bytes were looked at.
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

    /// The count since it was last taken.
    #[cfg(test)]
    pub(in crate::pgn) fn take() -> usize {
        BYTES.take()
    }
}
