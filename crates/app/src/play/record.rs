//! The game as PGN, appended to a file and brought up to date after every move, so that a kill loses nothing.

use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context;
use chess::{Board, Color, Move, Position};

/// Where the game is kept, if anywhere.
pub(super) struct Record {
    start: Board,
    names: [String; 2],
    date: String,
    to: Option<Target>,
}

struct Target {
    file: File,
    name: String,
    /// Where in the file this game begins.
    offset: u64,
}

impl Record {
    pub(super) fn open(path: Option<&Path>, start: Board, names: [String; 2]) -> anyhow::Result<Record> {
        let to = path.map(Target::open).transpose()?;
        Ok(Record { start, names, date: today(), to })
    }

    /// Writes the game as it stands over what was written of it before. Only its end differs, so even a kill in the middle leaves
    /// the moves before.
    pub(super) fn save(&mut self, moves: &[Move], result: &str) -> anyhow::Result<()> {
        let text = if self.to.is_some() { self.text(moves, result) } else { String::new() };
        let Some(Target { file, name, offset }) = &mut self.to else { return Ok(()) };
        let write = || {
            file.seek(SeekFrom::Start(*offset))?;
            file.write_all(text.as_bytes())?;
            file.set_len(*offset + text.len() as u64)
        };
        let mut write = write;
        write().with_context(|| format!("cannot write {name}"))
    }

    /// A sentence that says where the game is, if it is anywhere.
    pub(super) fn whereabouts(&self) -> String {
        self.to.as_ref().map_or_else(String::new, |target| format!(" It is kept in {}.", target.name))
    }

    fn text(&self, moves: &[Move], result: &str) -> String {
        let [white, black] = &self.names;
        let mut text = String::new();
        let mut tags = vec![
            ("Event", "Game against Stillwater".to_owned()),
            ("Site", "?".to_owned()),
            ("Date", self.date.clone()),
            ("Round", "-".to_owned()),
            ("White", white.clone()),
            ("Black", black.clone()),
            ("Result", result.to_owned()),
        ];
        if self.start != Board::start() {
            if !self.start.is_classical_castling() {
                tags.push(("Variant", "Chess960".to_owned()));
            }
            tags.extend([("SetUp", "1".to_owned()), ("FEN", self.start.to_string())]);
        }
        for (name, value) in tags {
            let _ = writeln!(text, "[{name} \"{}\"]", value.replace('\\', "\\\\").replace('"', "\\\""));
        }
        text.push('\n');
        text.push_str(&wrapped(&words(self.start, moves, result)));
        text.push_str("\n\n");
        text
    }
}

impl Target {
    /// Opens a file to append to. A game that another program left without an empty line behind it gets one.
    fn open(path: &Path) -> anyhow::Result<Target> {
        let name = path.display().to_string();
        let open = || -> std::io::Result<(File, u64)> {
            let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
            let length = file.seek(SeekFrom::End(0))?;
            let mut tail = String::new();
            file.seek(SeekFrom::Start(length.saturating_sub(2)))?;
            // What is no text ends with no empty line either.
            let _ = file.read_to_string(&mut tail);
            let gap = match tail.as_str() {
                "" if length == 0 => "",
                "\n\n" => "",
                tail if tail.ends_with('\n') => "\n",
                _ => "\n\n",
            };
            file.seek(SeekFrom::Start(length))?;
            file.write_all(gap.as_bytes())?;
            Ok((file, length + gap.len() as u64))
        };
        let (file, offset) = open().with_context(|| format!("cannot write {name}"))?;
        Ok(Target { file, name, offset })
    }
}

/// Numbers, moves and result.
fn words(start: Board, moves: &[Move], result: &str) -> Vec<String> {
    let mut position = Position::new(start);
    let mut words = Vec::new();
    for (index, &mv) in moves.iter().enumerate() {
        let number = position.fullmove_number();
        match position.side_to_move() {
            Color::White => words.push(format!("{number}.")),
            Color::Black if index == 0 => words.push(format!("{number}...")),
            Color::Black => {}
        }
        words.push(position.san(mv));
        position.play(mv);
    }
    words.push(result.to_owned());
    words
}

/// Words in lines of less than eighty characters, as the standard wants.
fn wrapped(words: &[String]) -> String {
    let (mut text, mut column) = (String::new(), 0);
    for word in words {
        if column > 0 {
            let breaks = column + 1 + word.len() >= 80;
            text.push(if breaks { '\n' } else { ' ' });
            column = if breaks { 0 } else { column + 1 };
        }
        text.push_str(word);
        column += word.len();
    }
    text
}

/// The date as PGN writes it, in universal time.
fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let [year, month, day] = civil((seconds / 86_400) as i64);
    format!("{year:04}.{month:02}.{day:02}")
}

/// Year, month and day of a day counted from 1 January 1970, by counting the days of years and months.
fn civil(mut days: i64) -> [i64; 3] {
    let is_leap = |year: i64| (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    let mut year = 1970;
    while days >= 365 + i64::from(is_leap(year)) {
        days -= 365 + i64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + i64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    [year, month, days + 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        assert_eq!(civil(0), [1970, 1, 1]);
        assert_eq!(civil(59), [1970, 3, 1]);
        assert_eq!(civil(11_016), [2000, 2, 29]);
        assert_eq!(civil(20_819), [2027, 1, 1]);
    }

    #[test]
    fn lines_are_short() {
        let words: Vec<String> = (0..200).map(|n| format!("w{n}")).collect();
        let text = wrapped(&words);
        assert!(text.lines().all(|line| line.len() < 80));
        assert_eq!(text.split_whitespace().collect::<Vec<_>>(), words);
    }
}
