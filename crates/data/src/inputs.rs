//! Reads the games of several files, one file after another.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result};

use super::format::{BOARD_BYTES, Record};
use super::game::Game;
use super::reader::{Reader, Records, Torn};

/// Calls `each` for every game of every file, with the number of its file. A game cut off at the end of a file is
/// skipped; the return value lists what was skipped. Any other problem is an error.
pub fn for_each_record(paths: &[PathBuf], mut each: impl FnMut(usize, &Record) -> Result<()>) -> Result<Vec<String>> {
    let mut left_out = Vec::new();
    let mut record = Record { board: [0; BOARD_BYTES], moves: Vec::new() };
    for (index, path) in paths.iter().enumerate() {
        let mut records = Records::open(path)?;
        loop {
            let begin = records.offset();
            match records.read_into(&mut record) {
                Ok(true) => {
                    let place = || format!("{}: the record at byte {begin}", path.display());
                    each(index, &record).with_context(place)?;
                }
                Ok(false) => break,
                Err(error) if error.is::<Torn>() && begin > 0 => left_out.push(error.to_string()),
                Err(error) => return Err(error),
            }
        }
    }
    Ok(left_out)
}

/// The games of every file, one after another. A game cut off at the end of a file is added to the list of what was
/// skipped.
pub fn games_of<'a>(
    paths: &'a [PathBuf],
    left_out: &'a Mutex<Vec<String>>,
) -> impl Iterator<Item = Result<Game>> + Send + 'a {
    let mut rest = paths.iter();
    let mut reader: Option<Reader> = None;
    std::iter::from_fn(move || {
        loop {
            let Some(games) = &mut reader else {
                match Reader::open(rest.next()?) {
                    Ok(opened) => reader = Some(opened),
                    Err(error) => return Some(Err(error)),
                }
                continue;
            };
            let begin = games.offset();
            match games.next() {
                Some(Err(error)) if error.is::<Torn>() && begin > 0 => {
                    left_out.lock().unwrap_or_else(PoisonError::into_inner).push(error.to_string());
                }
                Some(game) => return Some(game),
                None => reader = None,
            }
        }
    })
}
