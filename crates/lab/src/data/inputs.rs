//! Going through the games of several files, one after the other.

use std::path::PathBuf;

use anyhow::{Context, Result};

use super::format::{BOARD_BYTES, Record};
use super::reader::{Records, Torn};

/// Calls `each` for every game of every file, with the number of its file. A game cut off at the end of a file is left out; what
/// was left out is told by the answer. Anything else that is wrong is an error.
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
