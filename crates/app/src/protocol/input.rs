//! Reads lines that end in CR, LF or both and may contain any bytes; their length is bounded.

use std::io::{BufRead, ErrorKind};

/// No command is this long; longer lines are not kept.
const LONGEST: usize = 4 << 20;

pub(super) enum InputLine {
    Text(String),
    TooLong,
}

/// The lines of a reader, until it ends or fails. Empty ones are skipped.
pub(super) fn lines(mut reader: impl BufRead) -> impl Iterator<Item = InputLine> {
    std::iter::from_fn(move || next(&mut reader))
}

fn next(reader: &mut impl BufRead) -> Option<InputLine> {
    let mut bytes = Vec::new();
    let mut too_long = false;
    loop {
        let buffer = match reader.fill_buf() {
            Ok(buffer) => buffer,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(_) => &[],
        };
        let at_end = buffer.is_empty();
        let line_end = buffer.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        let part = buffer.get(..line_end.unwrap_or(buffer.len())).unwrap_or(buffer);
        too_long |= bytes.len() + part.len() > LONGEST;
        if !too_long {
            bytes.extend_from_slice(part);
        }
        let used = part.len() + usize::from(line_end.is_some());
        reader.consume(used);
        if too_long && (at_end || line_end.is_some()) {
            return Some(InputLine::TooLong);
        }
        if !bytes.is_empty() && (at_end || line_end.is_some()) {
            return Some(InputLine::Text(String::from_utf8_lossy(&bytes).into_owned()));
        }
        if at_end {
            return None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Vec<String> {
        let text = |line| match line {
            InputLine::Text(text) => text,
            InputLine::TooLong => "too long".into(),
        };
        lines(std::io::BufReader::with_capacity(7, bytes)).map(text).collect()
    }

    #[test]
    fn every_kind_of_line_end() {
        assert_eq!(
            read(b"uci\nisready\r\n\n\ngo depth 3\rstop\n\rquit"),
            ["uci", "isready", "go depth 3", "stop", "quit"]
        );
        assert_eq!(read(b"\xff\xfe go\n"), ["\u{fffd}\u{fffd} go"]);
        assert!(read(b"").is_empty() && read(b"\n\r\n").is_empty());
    }

    #[test]
    fn a_line_without_end_is_not_kept() {
        let mut bytes = vec![b'x'; LONGEST + 1];
        bytes.extend_from_slice(b"\nquit\n");
        assert_eq!(read(&bytes), ["too long", "quit"]);
    }
}
