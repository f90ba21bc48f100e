//! Writes annotated games, each whole and as soon as it is done, so that a kill loses at most the game in progress.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use anyhow::ensure;
use record::pgn::{self, Game};
use toolkit::ResumeFile;

use super::Options;

/// A file or the screen, and all games written so far.
pub(super) struct Output {
    file: Option<ResumeFile>,
    done: Vec<Game>,
}

impl Output {
    /// Opens the output. With `--resume`, the finished games of an earlier run are kept.
    pub(super) fn open(options: &Options, games: &[Game]) -> anyhow::Result<Output> {
        let Some(path) = options.output.as_deref() else { return Ok(Output { file: None, done: Vec::new() }) };
        ensure!(!is_same(path, &options.games), "{}: the output would overwrite the games", path.display());
        let is_taken = fs::metadata(path).is_ok_and(|data| data.len() > 0) && !options.resume && !options.force;
        ensure!(!is_taken, "{} exists; --resume goes on with it, --force writes it anew", path.display());
        let mut file = ResumeFile::open(path, true)?;
        let (done, end) = if options.resume { taken_over(&mut file, games)? } else { (Vec::new(), 0) };
        file.keep(end)?;
        if end > 0 {
            file.add("\n\n")?;
        }
        Ok(Output { file: Some(file), done })
    }

    /// The games written so far, including those of an earlier run.
    pub(super) fn done(&self) -> &[Game] {
        &self.done
    }

    /// Writes a game; if the games go to a file, its summary goes to the screen.
    pub(super) fn add(&mut self, game: Game, summary: &str) -> anyhow::Result<()> {
        let text = format!("{game}\n");
        let mut screen = io::stdout().lock();
        match &mut self.file {
            Some(file) => {
                file.add(&text)?;
                // The screen may be closed, which is no reason to stop.
                let _ = writeln!(screen, "{summary}");
            }
            None => screen.write_all(text.as_bytes()).and_then(|()| screen.flush())?,
        }
        self.done.push(game);
        Ok(())
    }
}

/// Whether both paths lead to the same file.
fn is_same(one: &Path, other: &Path) -> bool {
    matches!((fs::canonicalize(one), fs::canonicalize(other)), (Ok(one), Ok(other)) if one == other)
}

/// The games of an earlier run, which must be the first of the input, and where the last whole one ends.
fn taken_over(file: &mut ResumeFile, games: &[Game]) -> anyhow::Result<(Vec<Game>, u64)> {
    // The program writes plain UTF-8. A kill can cut it anywhere, even inside a character; the rest is not a whole
    // game.
    let bytes = file.read()?;
    let path = file.path();
    let valid = bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    let mut done: Vec<Game> = Vec::new();
    let mut end = 0;
    // Without a line end after it, even the result may be cut off: "1/2" is one.
    let is_whole = |game: &Game| game.is_whole && valid.as_bytes().get(game.end) == Some(&b'\n');
    for game in pgn::games(valid).map_while(Result::ok).take_while(is_whole) {
        let same = games.get(done.len()).is_some_and(|other| game.replay(usize::MAX) == other.replay(usize::MAX));
        ensure!(same, "{}: game {} is not of this run; it cannot be resumed", path.display(), game.number);
        end = game.end as u64;
        done.push(game);
    }
    ensure!(end > 0 || bytes.is_empty() || looks_cut(valid), "{}: there are no games in it", path.display());
    // Numbers are those of the input, which counts broken games too.
    for (game, other) in done.iter_mut().zip(games) {
        game.number = other.number;
    }
    Ok((done, end))
}

/// Whether a text without a whole game may be the beginning of one that was being written.
fn looks_cut(text: &str) -> bool {
    text.starts_with('[') || text.trim().is_empty()
}
