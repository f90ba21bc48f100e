//! The file in which a long measurement keeps what it has found: JSON, one record a line, each written as one piece. A kill
//! leaves whole records behind, save at worst the last.

use std::fs::{self, File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::Value;

/// An open journal.
pub(crate) struct Journal {
    file: File,
    path: PathBuf,
    records: Vec<Value>,
}

impl Journal {
    /// Opens a journal. Its first record, `header`, says how the measurement is made: only one made in the same way can be
    /// resumed.
    pub(crate) fn open(path: &Path, header: &Value, resume: bool) -> Result<Journal> {
        let exists = fs::metadata(path).is_ok_and(|data| data.len() > 0);
        if exists && !resume {
            bail!("{} exists: use --resume to go on with its measurement, or another file", path.display());
        }
        let cannot = || format!("cannot open {}", path.display());
        let (records, end) = if exists { read(path)? } else { (Vec::new(), 0) };
        let mut file = OpenOptions::new().create(true).write(true).truncate(false).open(path).with_context(cannot)?;
        file.set_len(end).and_then(|()| file.seek(SeekFrom::End(0))).with_context(cannot)?;
        let mut journal = Journal { file, path: path.to_owned(), records };
        match journal.records.first() {
            None => journal.write(header.clone())?,
            Some(found) => compare(found, header).with_context(|| format!("cannot resume {}", path.display()))?,
        }
        Ok(journal)
    }

    /// Everything that was ever written, the header apart.
    #[must_use]
    pub(crate) fn records(&self) -> &[Value] {
        self.records.get(1..).unwrap_or_default()
    }

    /// The records of a row.
    pub(crate) fn of_row<'a>(&'a self, row: &'a str) -> impl Iterator<Item = &'a Value> {
        self.records().iter().filter(move |record| record["row"] == row)
    }

    /// Adds a record.
    pub(crate) fn write(&mut self, record: Value) -> Result<()> {
        self.file
            .write_all(format!("{record}\n").as_bytes())
            .and_then(|()| self.file.flush())
            .with_context(|| format!("cannot write {}", self.path.display()))?;
        self.records.push(record);
        Ok(())
    }
}

/// All whole records, and where the last of them ends.
fn read(path: &Path) -> Result<(Vec<Value>, u64)> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let (mut records, mut end) = (Vec::new(), 0);
    for (number, line) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
        let whole = line.ends_with(b"\n");
        match serde_json::from_slice(line) {
            Ok(record) if whole => records.push(record),
            // The last line may have been cut by a kill; no other can.
            _ if !whole => break,
            _ => bail!("{}: line {} is not a record of a measurement", path.display(), number + 1),
        }
        end += line.len() as u64;
    }
    Ok((records, end))
}

/// Names what differs between two headers.
fn compare(found: &Value, wanted: &Value) -> Result<()> {
    let keys = wanted.as_object().into_iter().chain(found.as_object()).flat_map(|object| object.keys());
    match keys.into_iter().find(|key| found[key.as_str()] != wanted[key.as_str()]) {
        Some(key) => bail!("{key} was {} and is now {}", found[key.as_str()], wanted[key.as_str()]),
        None => Ok(()),
    }
}

/// Whether [`replace_file`] will be able to write a file: worth knowing before hours of games, not after.
pub(crate) fn check_place(path: &Path) -> Result<()> {
    let new = unfinished(path)?;
    OpenOptions::new()
        .create(true)
        .append(true)
        .open(&new)
        .and_then(|_| fs::remove_file(&new))
        .with_context(|| format!("cannot write {}", path.display()))
}

/// Where a file is written before it takes its name.
fn unfinished(path: &Path) -> Result<PathBuf> {
    let mut name = path.file_name().with_context(|| format!("{} is no file", path.display()))?.to_owned();
    name.push(".new");
    Ok(path.with_file_name(name))
}

/// Writes a file so that a kill leaves the old one or the new one, never half of either.
pub(crate) fn replace_file(path: &Path, text: &str) -> Result<()> {
    let new = unfinished(path)?;
    fs::write(&new, text)
        .and_then(|()| fs::rename(&new, path))
        .with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_cut_record_is_forgotten_and_the_rest_resumed() {
        let path = std::env::temp_dir().join(format!("lab-journal-{}", std::process::id()));
        let _ = fs::remove_file(&path);
        let header = json!({ "command": "test", "nodes": 5000 });
        let mut journal = Journal::open(&path, &header, false).expect("a new journal");
        journal.write(json!({ "row": "a", "game": 0 })).expect("a record");
        journal.write(json!({ "row": "b", "game": 0 })).expect("a record");
        drop(journal);
        assert!(Journal::open(&path, &header, false).is_err(), "nothing is overwritten");

        let whole = fs::read_to_string(&path).expect("a file");
        fs::write(&path, format!("{whole}{{\"row\":\"a\",\"ga")).expect("a file");
        let mut journal = Journal::open(&path, &header, true).expect("the journal again");
        assert_eq!((journal.records().len(), journal.of_row("a").count()), (2, 1));
        journal.write(json!({ "row": "a", "game": 1 })).expect("a record");
        drop(journal);
        assert_eq!(fs::read_to_string(&path).expect("a file"), format!("{whole}{{\"game\":1,\"row\":\"a\"}}\n"));

        let other = json!({ "command": "test", "nodes": 9000 });
        let error = format!("{:#}", Journal::open(&path, &other, true).err().expect("another measurement"));
        assert!(error.contains("nodes was 5000 and is now 9000"), "{error}");
        fs::write(&path, "no json\n{}\n").expect("a file");
        assert!(Journal::open(&path, &header, true).is_err(), "a foreign file is left alone");
        let _ = fs::remove_file(&path);
    }
}
