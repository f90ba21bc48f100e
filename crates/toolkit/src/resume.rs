//! Files that grow record by record, and that an interrupted run can continue.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

/// An open file of records. Each record is written in a single write, so after a kill only the last one can be
/// incomplete.
#[derive(Debug)]
pub struct ResumeFile {
    file: File,
    path: PathBuf,
}

impl ResumeFile {
    /// Opens a file to continue, or creates it. A file that is not empty is refused unless `resume` is set.
    pub fn open(path: &Path, resume: bool) -> Result<ResumeFile> {
        let cannot = || format!("cannot write {}", path.display());
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let file = file.with_context(cannot)?;
        let is_empty = file.metadata().with_context(cannot)?.len() == 0;
        ensure!(resume || is_empty, "{} exists already; --resume goes on with it", path.display());
        Ok(ResumeFile { file, path: path.to_owned() })
    }

    /// Everything written before.
    pub fn read(&mut self) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let outcome = self.file.rewind().and_then(|()| self.file.read_to_end(&mut bytes));
        outcome.with_context(|| format!("cannot read {}", self.path.display()))?;
        Ok(bytes)
    }

    /// Keeps the first `length` bytes, the whole records, and cuts off the rest. New records follow them.
    pub fn keep(&mut self, length: u64) -> Result<()> {
        let outcome = self.file.set_len(length).and_then(|()| self.file.seek(SeekFrom::Start(length)));
        outcome.map(drop).with_context(|| format!("cannot write {}", self.path.display()))
    }

    /// Adds a record.
    pub fn add(&mut self, record: &str) -> Result<()> {
        let outcome = self.file.write_all(record.as_bytes());
        outcome.with_context(|| format!("cannot write {}", self.path.display()))
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_records_stay_and_half_ones_go() {
        let path = std::env::temp_dir().join(format!("toolkit-resume-{}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let mut file = ResumeFile::open(&path, false).expect("a new file");
        file.add("one\ntwo\nthr").expect("written");
        let error = ResumeFile::open(&path, false).expect_err("there is something in it");
        assert!(error.to_string().contains("--resume"), "{error}");
        let mut file = ResumeFile::open(&path, true).expect("again");
        assert_eq!(file.read().expect("bytes"), b"one\ntwo\nthr");
        file.keep(8).expect("cut");
        file.add("three\n").expect("written");
        assert_eq!(file.read().expect("bytes"), b"one\ntwo\nthree\n");
        std::fs::remove_file(&path).expect("cleaned up");
        assert!(ResumeFile::open(Path::new("/no/such/folder/file"), false).is_err());
    }
}
