//! The game as PGN, appended to a file and brought up to date after every move, so that a kill loses nothing.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use anyhow::Context;
use chess::{Board, Move};
use record::pgn::{Game, Line};
use record::{GameResult, date};

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
        Ok(Record { start, names, date: date::today(), to })
    }

    /// Writes the game as it stands over what was written of it before. Only its end differs, so even a kill in the middle leaves
    /// the moves before.
    pub(super) fn save(&mut self, moves: &[Move], result: Option<GameResult>) -> anyhow::Result<()> {
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

    fn text(&self, moves: &[Move], result: Option<GameResult>) -> String {
        let [white, black] = &self.names;
        let mut game = Game::default();
        let pairs = [("Event", "Game against Stillwater"), ("Site", "?"), ("Date", self.date.as_str()), ("Round", "-")];
        for (name, value) in pairs.into_iter().chain([("White", white.as_str()), ("Black", black.as_str())]) {
            game.set_tag(name, value);
        }
        game.set_result(result);
        game.set_start(&self.start);
        game.main = Line::new(self.start, moves);
        format!("{game}\n")
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
