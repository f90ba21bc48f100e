//! Appends games to a file, each whole or not at all.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::game::{Game, GameResult};
use super::reader::{Reader, Torn};

/// A file that games are added to.
pub struct Writer {
    file: File,
    path: PathBuf,
    bytes: Vec<u8>,
}

/// What a file already held.
#[derive(Clone, Default, Debug)]
pub struct Found {
    /// How many games.
    pub games: u64,
    /// How many positions in them.
    pub positions: u64,
    /// How many games ended with each result. [code of the result]
    pub results: [u64; 3],
    /// The numbers of the games.
    pub numbers: HashSet<u32>,
    /// How many bytes of an incomplete game were cut off at the end.
    pub cut: u64,
}

impl Found {
    /// Counts a game.
    pub fn add(&mut self, game: &Game) {
        self.count(game.result, game.moves.len() as u64);
        self.numbers.insert(game.number);
    }

    /// Counts a game by its result and length.
    pub fn count(&mut self, result: GameResult, positions: u64) {
        self.games += 1;
        self.positions += positions;
        self.results[result as usize] += 1;
    }
}

impl Writer {
    /// Creates a file, which must not exist yet or be empty.
    pub fn create(path: &Path) -> Result<Writer> {
        if fs::metadata(path).is_ok_and(|data| data.len() > 0) {
            bail!("{} exists: use --resume to go on with it, or another file", path.display());
        }
        Writer::open(path, 0)
    }

    /// Opens a file to append to. A kill can leave at most an incomplete record at the end, which is cut off; anything
    /// else that is wrong is an error and leaves the file unchanged.
    pub fn resume(path: &Path) -> Result<(Writer, Found)> {
        let mut found = Found::default();
        let Ok(data) = fs::metadata(path) else { return Ok((Writer::open(path, 0)?, found)) };
        let mut games = Reader::open(path)?;
        for game in games.by_ref() {
            match game {
                Ok(game) => found.add(&game),
                Err(error) if error.is::<Torn>() && (found.games > 0 || data.len() < SHORTEST) => break,
                Err(error) => return Err(error.context("this is not a file to go on with")),
            }
        }
        found.cut = data.len().saturating_sub(games.offset());
        Ok((Writer::open(path, games.offset())?, found))
    }

    fn open(path: &Path, end: u64) -> Result<Writer> {
        let cannot = || format!("cannot open {}", path.display());
        let mut file = OpenOptions::new().create(true).write(true).truncate(false).open(path).with_context(cannot)?;
        file.set_len(end).and_then(|()| file.seek(SeekFrom::End(0))).with_context(cannot)?;
        Ok(Writer { file, path: path.to_owned(), bytes: Vec::new() })
    }

    /// Adds a game in one write.
    pub fn add(&mut self, game: &Game) -> Result<()> {
        self.bytes.clear();
        game.write_into(&mut self.bytes);
        self.file.write_all(&self.bytes).with_context(|| format!("cannot write {}", self.path.display()))
    }

    /// Makes sure that everything is on disk.
    pub fn sync(&self) -> Result<()> {
        self.file.sync_data().with_context(|| format!("cannot write {}", self.path.display()))
    }
}

/// A shorter file may be the incomplete beginning of its only record. A longer file without a whole game is something
/// else.
const SHORTEST: u64 = 4096;
