//! Putting the games of some files into one: in their order, or shuffled.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::format::Record;
use super::inputs::for_each_record;
use toolkit::Rng;

/// What went into a file.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Moved {
    /// How many games.
    pub games: u64,
    /// How many positions.
    pub positions: u64,
    /// What was left out, in words.
    pub left_out: Vec<String>,
}

impl Moved {
    fn count(&mut self, record: &Record) {
        self.games += 1;
        self.positions += record.moves.len() as u64;
    }
}

/// A file that bears its name only when it is complete.
struct Draft {
    output: BufWriter<File>,
    draft: PathBuf,
    path: PathBuf,
    bytes: Vec<u8>,
}

impl Draft {
    fn create(path: &Path) -> Result<Draft> {
        if path.exists() {
            bail!("{} exists already", path.display());
        }
        let draft = beside(path, "part");
        let file = File::create(&draft).with_context(|| format!("cannot write {}", draft.display()))?;
        Ok(Draft { output: BufWriter::with_capacity(1 << 20, file), draft, path: path.to_owned(), bytes: Vec::new() })
    }

    fn add(&mut self, record: &Record) -> Result<()> {
        self.bytes.clear();
        record.write_into(&mut self.bytes);
        self.output.write_all(&self.bytes).with_context(|| format!("cannot write {}", self.draft.display()))
    }

    fn finish(mut self) -> Result<()> {
        self.output
            .flush()
            .and_then(|()| self.output.get_ref().sync_data())
            .and_then(|()| fs::rename(&self.draft, &self.path))
            .with_context(|| format!("cannot write {}", self.path.display()))
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // It is gone already if it was finished.
        let _ = fs::remove_file(&self.draft);
    }
}

/// A path for a file that helps to make another one.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    PathBuf::from(name)
}

/// Writes all games of some files to a new one, in order. Each is looked into: an illegal one ends it all.
pub fn merge(inputs: &[PathBuf], output: &Path) -> Result<Moved> {
    let mut draft = Draft::create(output)?;
    let mut moved = Moved::default();
    moved.left_out = for_each_record(inputs, |_, record| {
        record.walk(|_, _, _| ())?;
        moved.count(record);
        draft.add(record)
    })?;
    draft.finish()?;
    Ok(moved)
}

/// Writes all games of some files to a new one, every order being equally likely. At most about `memory` bytes of games are held
/// at a time: what does not fit is first dealt at random into as many heaps on disk as are needed, and each heap is then shuffled.
pub fn shuffle(inputs: &[PathBuf], output: &Path, seed: u64, memory: u64) -> Result<Moved> {
    let mut draft = Draft::create(output)?;
    let mut rng = Rng::new(seed);
    let mut moved = Moved::default();
    let mut size = 0;
    for path in inputs {
        size += fs::metadata(path).with_context(|| format!("cannot open {}", path.display()))?.len();
    }
    let heaps = size.div_ceil(memory.max(1)).max(1);
    if heaps == 1 {
        let mut records = Vec::new();
        moved.left_out = gather(inputs, &mut records)?;
        deal_out(&mut records, &mut rng, &mut draft, &mut moved)?;
    } else {
        if heaps > MOST_HEAPS {
            bail!("too little memory: {heaps} heaps would be needed, {MOST_HEAPS} is the most");
        }
        let mut drafts = Vec::new();
        for index in 0..heaps {
            drafts.push(Draft::create(&beside(output, &format!("heap{index}")))?);
        }
        moved.left_out = for_each_record(inputs, |_, record| {
            let heap = rng.below(drafts.len());
            drafts.get_mut(heap).map_or(Ok(()), |draft| draft.add(record))
        })?;
        for mut heap in drafts {
            heap.output.flush().with_context(|| format!("cannot write {}", heap.draft.display()))?;
            let mut records = Vec::new();
            gather(std::slice::from_ref(&heap.draft), &mut records)?;
            deal_out(&mut records, &mut rng, &mut draft, &mut moved)?;
        }
    }
    draft.finish()?;
    Ok(moved)
}

/// More files than this may not be open.
const MOST_HEAPS: u64 = 500;

fn gather(paths: &[PathBuf], records: &mut Vec<Record>) -> Result<Vec<String>> {
    for_each_record(paths, |_, record| {
        records.push(record.clone());
        Ok(())
    })
}

fn deal_out(records: &mut [Record], rng: &mut Rng, draft: &mut Draft, moved: &mut Moved) -> Result<()> {
    rng.shuffle(records);
    for record in records {
        moved.count(record);
        draft.add(record)?;
    }
    Ok(())
}
