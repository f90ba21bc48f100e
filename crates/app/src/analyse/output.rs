//! Writes records to the screen, or to a file that can be resumed after a kill.

use std::io::{self, Write};
use std::path::Path;

use anyhow::{bail, ensure};
use toolkit::ResumeFile;

use super::format::Format;
use super::input::Entry;

pub(super) struct Output {
    /// None for the screen.
    file: Option<ResumeFile>,
    format: Format,
}

impl Output {
    /// Opens the output. An existing file is not overwritten; it can only be resumed.
    pub(super) fn open(path: Option<&Path>, resume: bool, format: Format) -> anyhow::Result<Output> {
        let file = path.map(|path| ResumeFile::open(path, resume)).transpose()?;
        Ok(Output { file, format })
    }

    /// How many entries, from the first, already have a record. An incomplete record at the end is cut off. Writes the
    /// header if it is missing.
    pub(super) fn count_done(&mut self, entries: &[Entry]) -> anyhow::Result<usize> {
        let mut done = 0;
        let mut has_header = self.format.header().is_none();
        if let Some(file) = &mut self.file {
            let (bytes, mut whole) = (file.read()?, 0);
            let name = file.path().display();
            for line in bytes.split_inclusive(|&byte| byte == b'\n').filter(|line| line.ends_with(b"\n")) {
                let text = String::from_utf8_lossy(line);
                if !has_header {
                    has_header = Some(text.trim_end()) == self.format.header();
                    ensure!(has_header, "{name}:1: this file was not written with the same format");
                } else if let Some(entry) = entries.get(done) {
                    let same = text.starts_with(&self.format.beginning(entry, done + 1));
                    ensure!(same, "{name}: record {} is not of the same input; --resume cannot go on", done + 1);
                    done += 1;
                } else {
                    bail!("{name}: there are more records in it than positions in the input");
                }
                whole += line.len() as u64;
            }
            file.keep(whole)?;
        }
        if !has_header && let Some(header) = self.format.header() {
            self.write(&format!("{header}\n"))?;
        }
        Ok(done)
    }

    /// Writes a record at once, in a single write.
    pub(super) fn write(&mut self, record: &str) -> anyhow::Result<()> {
        if let Some(file) = &mut self.file {
            return file.add(record);
        }
        let mut out = io::stdout().lock();
        out.write_all(record.as_bytes())?;
        Ok(out.flush()?)
    }

    /// Whether records go to the terminal, where a progress bar would be in the way.
    pub(super) fn is_screen(&self) -> bool {
        self.file.is_none()
    }
}
