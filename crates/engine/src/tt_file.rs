//! The saved hash table: a header, the clusters, and a checksum, so that nothing but a hash table is ever loaded.

use std::io::{self, BufReader, Read, Write};
use std::sync::atomic::Ordering::Relaxed;

use chess::zobrist::splitmix;

use crate::engine::EngineError;
use crate::tt::{Cluster, Table};

const MAGIC: [u8; 8] = *b"SWHASH\x00\x01";
const CLUSTER_SIZE: usize = 30;

/// Identifies the Zobrist keys of this build: with other keys, entries would belong to the wrong positions.
fn fingerprint() -> u64 {
    chess::Board::start().key()
}

fn mix(sum: u64, bytes: &[u8]) -> u64 {
    bytes.chunks(8).fold(sum, |sum, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        splitmix(sum ^ u64::from_le_bytes(word))
    })
}

impl Table {
    /// Writes the table.
    pub(crate) fn save(&self, output: &mut dyn Write) -> io::Result<()> {
        output.write_all(&MAGIC)?;
        output.write_all(&fingerprint().to_le_bytes())?;
        output.write_all(&(self.clusters().len() as u64).to_le_bytes())?;
        let mut sum = 0;
        for cluster in self.clusters() {
            let bytes = to_bytes(cluster);
            sum = mix(sum, &bytes);
            output.write_all(&bytes)?;
        }
        output.write_all(&sum.to_le_bytes())
    }

    /// Reads a table that [`save`](Self::save) wrote; `length` is that of the whole input.
    pub(crate) fn load(input: &mut dyn Read, length: u64) -> Result<Table, EngineError> {
        let wrong = EngineError::HashFile;
        let mut input = BufReader::with_capacity(1 << 16, input);
        let mut word = || -> Result<[u8; 8], EngineError> {
            let mut bytes = [0; 8];
            input.read_exact(&mut bytes).map_err(|_| wrong("the file is too short for a hash table"))?;
            Ok(bytes)
        };
        if word()? != MAGIC {
            return Err(wrong("not a hash table of this version of Stillwater"));
        }
        if u64::from_le_bytes(word()?) != fingerprint() {
            return Err(wrong("the hash table was written by another version of Stillwater"));
        }
        let count = u64::from_le_bytes(word()?);
        if count == 0 || count.checked_mul(CLUSTER_SIZE as u64).and_then(|size| size.checked_add(32)) != Some(length) {
            return Err(wrong("the file is not as long as it says"));
        }
        let mut table = Table::with_clusters(count as usize)?;
        let mut sum = 0;
        for cluster in table.clusters_mut() {
            let mut bytes = [0; CLUSTER_SIZE];
            input.read_exact(&mut bytes).map_err(EngineError::Io)?;
            sum = mix(sum, &bytes);
            *cluster = from_bytes(&bytes);
        }
        let mut bytes = [0; 8];
        input.read_exact(&mut bytes).map_err(EngineError::Io)?;
        if u64::from_le_bytes(bytes) != sum {
            return Err(wrong("the checksum is wrong: the file is damaged"));
        }
        Ok(table)
    }
}

fn to_bytes(cluster: &Cluster) -> [u8; CLUSTER_SIZE] {
    let mut bytes = [0; CLUSTER_SIZE];
    for (place, word) in bytes[..24].chunks_exact_mut(8).zip(&cluster.words) {
        place.copy_from_slice(&word.load(Relaxed).to_le_bytes());
    }
    for (place, eval) in bytes[24..].chunks_exact_mut(2).zip(&cluster.evals) {
        place.copy_from_slice(&eval.load(Relaxed).to_le_bytes());
    }
    bytes
}

fn from_bytes(bytes: &[u8; CLUSTER_SIZE]) -> Cluster {
    let cluster = Cluster::default();
    for (place, word) in bytes[..24].chunks_exact(8).zip(&cluster.words) {
        word.store(u64::from_le_bytes(place.try_into().unwrap_or_default()), Relaxed);
    }
    for (place, eval) in bytes[24..].chunks_exact(2).zip(&cluster.evals) {
        eval.store(u16::from_le_bytes(place.try_into().unwrap_or_default()), Relaxed);
    }
    cluster
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Spread;
    use crate::tt::Entry;

    #[test]
    fn a_saved_table_comes_back_and_a_damaged_one_does_not() {
        let table = Table::new(1).expect("a megabyte");
        for index in 1..5000 {
            let entry =
                Entry { mv: None, score: 12, eval: -5, depth: 7, bound: None, pv: false, spread: Spread::UNKNOWN };
            table.store(splitmix(index), 0, entry);
        }
        let mut good = Vec::new();
        table.save(&mut good).expect("saved");
        let load = |bytes: &[u8]| Table::load(&mut &*bytes, bytes.len() as u64);
        let loaded = load(&good).expect("loaded");
        for index in 1..5000 {
            assert_eq!(loaded.probe(splitmix(index), 0, 0), table.probe(splitmix(index), 0, 0));
        }
        let reason = |bytes: &[u8]| load(bytes).err().expect("refused").to_string();
        let mut damaged = good.clone();
        damaged[5000] ^= 1;
        assert!(reason(&damaged).contains("damaged"));
        assert!(reason(&good[..good.len() - 1]).contains("not as long"));
        assert!(reason(b"short").contains("too short"));
        assert!(reason(&[0; 64]).contains("not a hash table"));
        let mut foreign = good.clone();
        foreign[8] ^= 1;
        assert!(reason(&foreign).contains("another version"));
        // A file that grows shorter while it is read.
        assert!(Table::load(&mut &good[..9000], good.len() as u64).is_err());
    }
}
