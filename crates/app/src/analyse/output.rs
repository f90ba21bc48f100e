//! Where records go: to the screen, or to a file that can be gone on with after a kill.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::Path;

use anyhow::{Context, bail, ensure};

use super::format::Format;
use super::input::Entry;

pub(super) struct Output {
    to: To,
    format: Format,
    resume: bool,
}

enum To {
    Screen,
    File(File, String),
}

impl Output {
    /// Opens the output. A file that is there already is not written over unless it is gone on with.
    pub(super) fn open(path: Option<&Path>, resume: bool, format: Format) -> anyhow::Result<Output> {
        let Some(path) = path else { return Ok(Output { to: To::Screen, format, resume: false }) };
        let name = path.display().to_string();
        let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let file = opened.with_context(|| format!("cannot write {name}"))?;
        let length = file.metadata().with_context(|| format!("cannot read {name}"))?.len();
        ensure!(resume || length == 0, "{name} is there already; --resume goes on with it");
        Ok(Output { to: To::File(file, name), format, resume })
    }

    /// How many entries, from the first, have their record already. Half a record at the end is cut off. Writes the header if it is
    /// missing.
    pub(super) fn count_done(&mut self, entries: &[Entry]) -> anyhow::Result<usize> {
        let mut done = 0;
        let mut has_header = self.format.header().is_none();
        if let To::File(file, name) = &mut self.to
            && self.resume
        {
            let mut whole = 0;
            let mut reader = BufReader::new(&*file);
            let mut line = Vec::new();
            while reader.read_until(b'\n', &mut line).with_context(|| format!("cannot read {name}"))? > 0 {
                if line.last() != Some(&b'\n') {
                    break;
                }
                let text = String::from_utf8_lossy(&line);
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
                line.clear();
            }
            file.set_len(whole).and_then(|()| file.seek(SeekFrom::Start(whole)).map(drop))?;
        }
        if !has_header && let Some(header) = self.format.header() {
            self.write(&format!("{header}\n"))?;
        }
        Ok(done)
    }

    /// Writes a record in one piece, at once.
    pub(super) fn write(&mut self, record: &str) -> anyhow::Result<()> {
        match &mut self.to {
            To::Screen => {
                let mut out = io::stdout().lock();
                out.write_all(record.as_bytes())?;
                out.flush()?;
            }
            To::File(file, name) => {
                file.write_all(record.as_bytes()).with_context(|| format!("cannot write {name}"))?;
            }
        }
        Ok(())
    }

    /// Whether records go where a person watches, so that a progress bar would be in their way.
    pub(super) fn is_screen(&self) -> bool {
        matches!(self.to, To::Screen)
    }
}
