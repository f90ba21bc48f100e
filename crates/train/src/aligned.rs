//! A list of floats that starts on a cache line. A row that straddles two lines costs two loads instead of one, and the
//! first layer does little but load rows.

use std::ops::{Deref, DerefMut};

/// Bytes in a cache line, and in the widest vector register.
const LINE: usize = 64;

/// A list of numbers of fixed length that starts on a cache line.
#[derive(Debug)]
pub struct Aligned {
    store: Vec<f32>,
    start: usize,
    len: usize,
}

impl Aligned {
    /// A list of zeros.
    #[must_use]
    pub fn zeros(len: usize) -> Aligned {
        let spare = LINE / size_of::<f32>();
        let store = vec![0.0; len + spare];
        // In theory the offset may be unknown; then the list is merely slower.
        let start = store.as_ptr().align_offset(LINE).min(spare);
        Aligned { store, start, len }
    }
}

impl Clone for Aligned {
    fn clone(&self) -> Aligned {
        // The copy has another address, so its offset differs too.
        let mut copy = Aligned::zeros(self.len);
        copy.copy_from_slice(self);
        copy
    }
}

impl Deref for Aligned {
    type Target = [f32];

    fn deref(&self) -> &[f32] {
        &self.store[self.start..self.start + self.len]
    }
}

impl DerefMut for Aligned {
    fn deref_mut(&mut self) -> &mut [f32] {
        &mut self.store[self.start..self.start + self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_equal_and_aligned_too() {
        for len in [0, 1, 63, 64, 1000] {
            let mut list = Aligned::zeros(len);
            list.iter_mut().enumerate().for_each(|(index, number)| *number = index as f32);
            let copy = list.clone();
            assert_eq!((&*copy, copy.len()), (&*list, len));
            assert_eq!((list.as_ptr() as usize % LINE, copy.as_ptr() as usize % LINE), (0, 0));
        }
    }
}
