//! The state of a training run on disk, so that it can resume after an interruption.
//!
//! Everything is little-endian: magic, the settings as text (length first), the data's fingerprint, the step, the
//! epoch's loss and positions so far, the number of weights, the weights and both moments of the optimiser, the number
//! of averaged weights and, if any, their mean, and a checksum.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

const MAGIC: [u8; 8] = *b"SWTRAIN2";

/// The state of a training run.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Checkpoint {
    /// The settings, as text.
    pub settings: String,
    /// The fingerprint of the data.
    pub fingerprint: u64,
    /// Steps taken.
    pub step: u64,
    /// The sum of the losses in the epoch so far.
    pub epoch_loss: f64,
    /// The positions of the epoch so far.
    pub epoch_positions: u64,
    /// The network.
    pub values: Vec<f32>,
    /// The optimiser's mean gradients.
    pub first: Vec<f32>,
    /// The optimiser's mean squared gradients.
    pub second: Vec<f32>,
    /// The mean of the latest weights; empty if none is kept.
    pub mean: Vec<f32>,
    /// How many it averages.
    pub mean_count: u64,
}

impl Checkpoint {
    /// Writes to a temporary file first, so that a kill leaves either the old checkpoint or the new one.
    pub(crate) fn write(&self, path: &Path) -> Result<()> {
        toolkit::files::replace(path, self.to_bytes())
    }

    /// Reads a checkpoint.
    pub(crate) fn read(path: &Path) -> Result<Checkpoint> {
        let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        Checkpoint::from_bytes(&bytes).with_context(|| path.display().to_string())
    }

    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.values.len() * 12 + 1024);
        bytes.extend(MAGIC);
        bytes.extend((self.settings.len() as u64).to_le_bytes());
        bytes.extend(self.settings.as_bytes());
        let numbers = [self.fingerprint, self.step, self.epoch_loss.to_bits(), self.epoch_positions];
        bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        bytes.extend((self.values.len() as u64).to_le_bytes());
        for list in [&self.values, &self.first, &self.second] {
            bytes.extend(list.iter().flat_map(|number| number.to_le_bytes()));
        }
        bytes.extend(self.mean_count.to_le_bytes());
        bytes.extend(self.mean.iter().flat_map(|number| number.to_le_bytes()));
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Result<Checkpoint> {
        if !bytes.starts_with(&MAGIC) {
            bail!("this is no checkpoint of a training");
        }
        let Some((contents, sum)) = bytes.split_last_chunk() else { bail!("the checkpoint is cut short") };
        if u64::from_le_bytes(*sum) != checksum(contents) {
            bail!("the checkpoint is damaged or cut short");
        }
        let mut input = Input { bytes: &contents[MAGIC.len()..] };
        let length = input.number()?;
        let settings = String::from_utf8(input.take(length)?.to_vec()).context("the settings are not text")?;
        let [fingerprint, step, epoch_loss, epoch_positions] =
            [input.number()?, input.number()?, input.number()?, input.number()?];
        let count = input.number()?;
        let [values, first, second] = [input.floats(count)?, input.floats(count)?, input.floats(count)?];
        let mean_count = input.number()?;
        let mean = input.floats(if mean_count > 0 { count } else { 0 })?;
        if !input.bytes.is_empty() {
            bail!("the checkpoint goes on after its end");
        }
        let epoch_loss = f64::from_bits(epoch_loss);
        Ok(Checkpoint {
            settings,
            fingerprint,
            step,
            epoch_loss,
            epoch_positions,
            values,
            first,
            second,
            mean,
            mean_count,
        })
    }
}

/// The bytes still to be read.
struct Input<'a> {
    bytes: &'a [u8],
}

impl<'a> Input<'a> {
    fn take(&mut self, count: u64) -> Result<&'a [u8]> {
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        let (taken, rest) = self.bytes.split_at_checked(count).context("the checkpoint is cut short")?;
        self.bytes = rest;
        Ok(taken)
    }

    fn number(&mut self) -> Result<u64> {
        let taken = self.take(8)?;
        Ok(taken.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    fn floats(&mut self, count: u64) -> Result<Vec<f32>> {
        let bytes = self.take(count.saturating_mul(4))?;
        Ok(bytes.as_chunks().0.iter().map(|chunk| f32::from_le_bytes(*chunk)).collect())
    }
}

fn checksum(bytes: &[u8]) -> u64 {
    bytes.chunks(8).fold(bytes.len() as u64, |sum, chunk| {
        let word = chunk.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
        let mixed = (sum ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        mixed ^ (mixed >> 31)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checkpoint() -> Checkpoint {
        Checkpoint {
            settings: "hidden=64".into(),
            fingerprint: 7,
            step: 12,
            epoch_loss: 0.125,
            epoch_positions: 99,
            values: vec![1.0, -2.5, 3.0],
            first: vec![0.0, 1e-9, -1.0],
            second: vec![0.5, 0.25, f32::MIN_POSITIVE],
            mean: vec![1.0, -2.0, 2.5],
            mean_count: 3,
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let bytes = checkpoint().to_bytes();
        assert_eq!(Checkpoint::from_bytes(&bytes).expect("good bytes"), checkpoint());
    }

    #[test]
    fn every_damage_is_noticed() {
        let bytes = checkpoint().to_bytes();
        for length in 0..bytes.len() {
            assert!(Checkpoint::from_bytes(&bytes[..length]).is_err(), "cut at {length}");
        }
        for place in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[place] ^= 16;
            assert!(Checkpoint::from_bytes(&damaged).is_err(), "damaged at {place}");
        }
        let mut longer = bytes.clone();
        longer.push(0);
        assert!(Checkpoint::from_bytes(&longer).is_err());
    }
}
