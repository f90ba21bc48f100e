//! Reads games from a file, one at a time.

use std::fs::File;
use std::io::{BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Error, Result, bail};

use super::format::{BOARD_BYTES, END, MOVE_BYTES, Record};
use super::game::Game;

/// No real game is this long: the fifty-move rule allows fewer than twelve thousand plies. Anything longer is corrupt.
const LONGEST: usize = 20_000;
const BUFFER: usize = 1 << 20;

/// The games of a file as bytes, in order. After an error there are no more.
pub struct Records {
    input: BufReader<Box<dyn Read + Send>>,
    path: PathBuf,
    /// Where the next record begins.
    offset: u64,
    broken: bool,
}

impl Records {
    /// Opens a file.
    pub fn open(path: &Path) -> Result<Records> {
        let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
        if file.metadata().is_ok_and(|data| data.is_dir()) {
            bail!("{} is a directory", path.display());
        }
        Ok(Records::new(Box::new(file), path))
    }

    /// Reads from anything; the path is only for messages.
    #[must_use]
    pub fn new(input: Box<dyn Read + Send>, path: &Path) -> Records {
        let input = BufReader::with_capacity(BUFFER, input);
        Records { input, path: path.to_owned(), offset: 0, broken: false }
    }

    /// The offset of the next record; after an error, that of the broken one.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Reads the next record into an existing one, which saves an allocation. False at the end of the file.
    pub(crate) fn read_into(&mut self, record: &mut Record) -> Result<bool> {
        if self.broken {
            return Ok(false);
        }
        let outcome = self.try_read(record);
        match &outcome {
            Ok(true) => self.offset += record.len_in_file() as u64,
            Ok(false) => {}
            Err(_) => self.broken = true,
        }
        outcome
    }

    fn try_read(&mut self, record: &mut Record) -> Result<bool> {
        match fill(&mut self.input, &mut record.board) {
            Ok(0) => return Ok(false),
            Ok(BOARD_BYTES) => {}
            Ok(_) => return Err(self.torn()),
            Err(error) => return Err(self.unreadable(error)),
        }
        record.moves.clear();
        loop {
            let mut bytes = [0; MOVE_BYTES];
            match fill(&mut self.input, &mut bytes) {
                Ok(MOVE_BYTES) => {}
                Ok(_) => return Err(self.torn()),
                Err(error) => return Err(self.unreadable(error)),
            }
            if bytes == END {
                return Ok(true);
            }
            record.moves.push(bytes);
            if record.moves.len() > LONGEST {
                bail!("{}: the record at byte {} has no end", self.path.display(), self.offset);
            }
        }
    }

    fn torn(&self) -> Error {
        Error::new(Torn { path: self.path.clone(), offset: self.offset })
    }

    fn unreadable(&self, error: std::io::Error) -> Error {
        Error::new(error).context(format!("cannot read {}", self.path.display()))
    }
}

/// The file ends inside a record, as happens when its writer was killed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Torn {
    path: PathBuf,
    offset: u64,
}

impl std::fmt::Display for Torn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: the record at byte {} is cut off", self.path.display(), self.offset)
    }
}

impl std::error::Error for Torn {}

/// Reads until the buffer is full or the input ends.
fn fill(input: &mut impl Read, buffer: &mut [u8]) -> std::io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match input.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

impl Iterator for Records {
    type Item = Result<Record>;

    fn next(&mut self) -> Option<Result<Record>> {
        let mut record = Record { board: [0; BOARD_BYTES], moves: Vec::new() };
        match self.read_into(&mut record) {
            Ok(true) => Some(Ok(record)),
            Ok(false) => None,
            Err(error) => Some(Err(error)),
        }
    }
}

/// The games of a file, in order, every move checked. After an error there are no more.
pub struct Reader {
    records: Records,
    record: Record,
}

impl Reader {
    /// Opens a file.
    pub fn open(path: &Path) -> Result<Reader> {
        Ok(Reader::new(Records::open(path)?))
    }

    /// Decodes records.
    #[must_use]
    pub fn new(records: Records) -> Reader {
        Reader { records, record: Record { board: [0; BOARD_BYTES], moves: Vec::new() } }
    }

    /// The offset of the next game; after an error, that of the broken one.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.records.offset
    }
}

impl Iterator for Reader {
    type Item = Result<Game>;

    fn next(&mut self) -> Option<Result<Game>> {
        let begin = self.records.offset;
        match self.records.read_into(&mut self.record) {
            Ok(true) => {}
            Ok(false) => return None,
            Err(error) => return Some(Err(error)),
        }
        let game = self.record.decode();
        if game.is_err() {
            self.records.broken = true;
            self.records.offset = begin;
        }
        Some(game.with_context(|| format!("{}: the record at byte {begin} is no game", self.records.path.display())))
    }
}
