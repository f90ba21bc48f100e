//! Wraps text between words.

/// Wraps text to lines of at most this width, unless a word is longer. The first line begins with `first`, the others
/// with `rest`. A move number stays with its move.
pub(crate) fn words(text: &str, first: &str, rest: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = first.to_owned();
    let mut is_fresh = true;
    let mut words = text.split_whitespace();
    while let Some(word) = words.next() {
        let is_number = word.ends_with('.') && word.starts_with(|letter: char| letter.is_ascii_digit());
        let next = if is_number { words.next() } else { None };
        let word = next.map_or_else(|| word.to_owned(), |next| format!("{word} {next}"));
        if !is_fresh && line.chars().count() + 1 + word.chars().count() > width {
            lines.push(std::mem::replace(&mut line, rest.to_owned()));
            is_fresh = true;
        }
        if !is_fresh {
            line.push(' ');
        }
        line.push_str(&word);
        is_fresh = false;
    }
    lines.push(line);
    lines
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn lines_break_between_words_and_never_after_a_number() {
        assert_eq!(words("1. e4 e5 2. Nf3", "+0.35  ", "       ", 15), ["+0.35  1. e4 e5", "       2. Nf3"]);
        assert_eq!(words("1. e4 e5 2. Nf3", "", "", 11), ["1. e4 e5", "2. Nf3"]);
        assert_eq!(words("", "a", "b", 10), ["a"]);
        assert_eq!(words("incomprehensible", "", "", 5), ["incomprehensible"], "a word is never broken");
    }
}
