//! The file in which a long measurement keeps its results: JSON, one record per line, each written in a single write.
//! After a kill, only the last record can be incomplete.

use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::Value;
use toolkit::ResumeFile;

/// An open journal.
pub(crate) struct Journal {
    file: ResumeFile,
    records: Vec<Value>,
}

impl Journal {
    /// Opens a journal. Its first record, `header`, describes the conditions; only a measurement with the same
    /// conditions can be resumed.
    pub(crate) fn open(path: &Path, header: &Value, resume: bool) -> Result<Journal> {
        let mut file = ResumeFile::open(path, resume)?;
        let (records, end) = read(&mut file)?;
        file.keep(end)?;
        let mut journal = Journal { file, records };
        match journal.records.first() {
            None => journal.write(header.clone())?,
            Some(found) => compare(found, header).with_context(|| format!("cannot resume {}", path.display()))?,
        }
        Ok(journal)
    }

    /// All records except the header.
    pub(crate) fn records(&self) -> &[Value] {
        self.records.get(1..).unwrap_or_default()
    }

    /// The records of a row.
    pub(crate) fn of_row<'a>(&'a self, row: &'a str) -> impl Iterator<Item = &'a Value> {
        self.records().iter().filter(move |record| record["row"] == row)
    }

    /// Adds a record.
    pub(crate) fn write(&mut self, record: Value) -> Result<()> {
        self.file.add(&format!("{record}\n"))?;
        self.records.push(record);
        Ok(())
    }
}

/// All whole records, and the offset where the last of them ends.
fn read(file: &mut ResumeFile) -> Result<(Vec<Value>, u64)> {
    let bytes = file.read()?;
    let (mut records, mut end) = (Vec::new(), 0);
    for (number, line) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
        let whole = line.ends_with(b"\n");
        match serde_json::from_slice(line) {
            Ok(record) if whole => records.push(record),
            // A kill can cut off only the last line.
            _ if !whole => break,
            _ => bail!("{}: line {} is not a record of a measurement", file.path().display(), number + 1),
        }
        end += line.len() as u64;
    }
    Ok((records, end))
}

/// Names what differs between two headers.
pub(crate) fn compare(found: &Value, wanted: &Value) -> Result<()> {
    let keys = wanted.as_object().into_iter().chain(found.as_object()).flat_map(|object| object.keys());
    match keys.into_iter().find(|key| found[key.as_str()] != wanted[key.as_str()]) {
        Some(key) => bail!("{key} was {} and is now {}", found[key.as_str()], wanted[key.as_str()]),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

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
