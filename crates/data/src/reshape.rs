//! Combines several files of games into one, in order or shuffled.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::format::Record;
use super::inputs::for_each_record;
use toolkit::Rng;
use toolkit::files::Draft;

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

/// A new file of games.
struct NewFile {
    draft: Draft,
    bytes: Vec<u8>,
}

impl NewFile {
    fn create(path: &Path) -> Result<NewFile> {
        if path.exists() {
            bail!("{} exists already", path.display());
        }
        Ok(NewFile { draft: Draft::new(path)?, bytes: Vec::new() })
    }

    fn add(&mut self, record: &Record) -> Result<()> {
        self.bytes.clear();
        record.write_into(&mut self.bytes);
        self.draft.write_all(&self.bytes).with_context(|| format!("cannot write {}", self.draft.path().display()))
    }
}

/// Writes all games of some files to a new one, in order. Every game is decoded, and an illegal one is an error.
pub fn merge(inputs: &[PathBuf], output: &Path) -> Result<Moved> {
    let mut draft = NewFile::create(output)?;
    let mut moved = Moved::default();
    moved.left_out = for_each_record(inputs, |_, record| {
        record.walk(|_, _, _| ())?;
        moved.count(record);
        draft.add(record)
    })?;
    draft.draft.finish()?;
    Ok(moved)
}

/// Writes all games of some files to a new one in a uniformly random order. Every game is decoded and an illegal one is
/// an error, so that a flipped bit never reaches the trainer. It holds at most about `memory` bytes of games at a time:
/// if there are more, it first deals them at random into heaps on disk and then shuffles each heap.
pub fn shuffle(inputs: &[PathBuf], output: &Path, seed: u64, memory: u64) -> Result<Moved> {
    let mut draft = NewFile::create(output)?;
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
            drafts.push(NewFile::create(&output.with_added_extension(format!("heap{index}")))?);
        }
        moved.left_out = for_each_record(inputs, |_, record| {
            record.walk(|_, _, _| ())?;
            let heap = rng.below(drafts.len());
            drafts.get_mut(heap).map_or(Ok(()), |draft| draft.add(record))
        })?;
        for mut heap in drafts {
            heap.draft.flush().with_context(|| format!("cannot write {}", heap.draft.path().display()))?;
            let mut records = Vec::new();
            gather(&[heap.draft.path().to_owned()], &mut records)?;
            deal_out(&mut records, &mut rng, &mut draft, &mut moved)?;
        }
    }
    draft.draft.finish()?;
    Ok(moved)
}

/// The most files to have open at once.
const MOST_HEAPS: u64 = 500;

fn gather(paths: &[PathBuf], records: &mut Vec<Record>) -> Result<Vec<String>> {
    for_each_record(paths, |_, record| {
        record.walk(|_, _, _| ())?;
        records.push(record.clone());
        Ok(())
    })
}

fn deal_out(records: &mut [Record], rng: &mut Rng, draft: &mut NewFile, moved: &mut Moved) -> Result<()> {
    rng.shuffle(records);
    for record in records {
        moved.count(record);
        draft.add(record)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use chess::Board;

    use super::*;
    use crate::{GameResult, encode_move, pack};

    #[test]
    fn a_game_with_a_flipped_bit_is_not_shuffled() {
        let folder = std::env::temp_dir().join(format!("lab-shuffle-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let (input, output) = (folder.join("in"), folder.join("out"));
        let board = Board::start();
        let [low, high] = encode_move(board.parse_uci("e2e4").expect("legal")).to_le_bytes();
        let record = Record { board: pack(&board, GameResult::Draw, 0), moves: vec![[low, high, 0, 0]] };
        let mut good = Vec::new();
        record.write_into(&mut good);
        // Once in memory, and once in heaps on disk.
        for memory in [1 << 20, 8] {
            let shuffled = |bytes: &[u8]| {
                fs::write(&input, bytes).expect("written");
                let _ = fs::remove_file(&output);
                shuffle(std::slice::from_ref(&input), &output, 1, memory)
            };
            assert_eq!(shuffled(&good).expect("a game").games, 1);
            for place in [9, 32, 33] {
                let mut bad = good.clone();
                bad[place] ^= 4;
                assert!(shuffled(&bad).is_err(), "byte {place}");
                assert!(!output.exists(), "nothing is left behind");
            }
        }
        fs::remove_dir_all(&folder).expect("cleaned up");
    }
}
