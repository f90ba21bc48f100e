//! The game as PGN, appended to a file and updated after every move, so that a kill loses nothing.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use chess::{Board, Move};
use record::pgn::{Game, Line};
use record::{GameResult, date};

/// The record of the game, and its file if there is one.
pub(super) struct Scoresheet {
    start: Board,
    names: [String; 2],
    date: String,
    clock: Option<(Duration, Duration)>,
    to: Option<Target>,
    /// The file could not be written, so the game must be printed at the end.
    is_lost: bool,
}

struct Target {
    file: File,
    name: String,
    /// Where in the file this game begins.
    offset: u64,
}

impl Scoresheet {
    pub(super) fn open(
        path: Option<&Path>,
        start: Board,
        names: [String; 2],
        clock: Option<(Duration, Duration)>,
    ) -> anyhow::Result<Scoresheet> {
        let to = path.map(Target::open).transpose()?;
        Ok(Scoresheet { start, names, date: date::today(), clock, to, is_lost: false })
    }

    /// Keeps the game in memory only, because its file can no longer be written.
    pub(super) fn give_up(&mut self) {
        self.is_lost = self.to.take().is_some();
    }

    /// The game as text, if its file could not be written.
    pub(super) fn lost(&self, moves: &[Move], result: Option<GameResult>) -> Option<String> {
        self.is_lost.then(|| self.text(moves, result))
    }

    /// Writes the current game over its earlier version in the file. Only the end differs, so even a kill during the
    /// write leaves the earlier moves.
    pub(super) fn save(&mut self, moves: &[Move], result: Option<GameResult>) -> anyhow::Result<()> {
        let text = if self.to.is_some() { self.text(moves, result) } else { String::new() };
        let Some(Target { file, name, offset }) = &mut self.to else { return Ok(()) };
        let mut write = || {
            file.seek(SeekFrom::Start(*offset))?;
            file.write_all(text.as_bytes())?;
            file.set_len(*offset + text.len() as u64)
        };
        write().with_context(|| format!("cannot write {name}"))
    }

    /// A sentence that says where the game is saved, if anywhere.
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
        if let Some((base, increment)) = self.clock {
            game.set_tag("TimeControl", &format!("{}+{}", base.as_secs_f64(), increment.as_secs_f64()));
        }
        game.set_result(result);
        game.set_start(&self.start);
        game.main = Line::new(self.start, moves);
        format!("{game}\n")
    }
}

#[cfg(test)]
impl Scoresheet {
    /// A game whose file can be opened but not written.
    pub(super) fn unwritable(path: &Path, start: Board) -> Scoresheet {
        let file = File::open(path).expect("a file to read");
        let to = Some(Target { file, name: path.display().to_string(), offset: 0 });
        Scoresheet { start, names: ["A".into(), "B".into()], date: date::today(), clock: None, to, is_lost: false }
    }
}

impl Target {
    /// Opens a file to append to. If the last game lacks an empty line after it, one is added.
    fn open(path: &Path) -> anyhow::Result<Target> {
        let name = path.display().to_string();
        let open = || -> std::io::Result<(File, u64)> {
            let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
            let length = file.seek(SeekFrom::End(0))?;
            let mut tail = String::new();
            file.seek(SeekFrom::Start(length.saturating_sub(2)))?;
            // If the end is not text, there is no empty line either.
            let _ = (&mut file).take(2).read_to_string(&mut tail);
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
