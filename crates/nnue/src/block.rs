//! Numbers in blocks that fit the widest registers: all weights and accumulators are lists of these, so kernels need
//! not care about alignment or remainders.

/// Numbers in a block.
pub(crate) const LANES: usize = 32;

/// As many 16-bit numbers as one cache line holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(crate) struct Block(pub(crate) [i16; LANES]);

impl Block {
    /// All zeros.
    pub(crate) const ZERO: Block = Block([0; LANES]);
}

/// The numbers as blocks; their count must be a multiple of a block.
pub(crate) fn pack(numbers: &[i16]) -> Vec<Block> {
    let (chunks, rest) = numbers.as_chunks();
    debug_assert!(rest.is_empty());
    chunks.iter().map(|&chunk| Block(chunk)).collect()
}

/// The numbers in blocks, one after the other.
pub(crate) fn unpack(blocks: &[Block]) -> Vec<i16> {
    blocks.iter().flat_map(|block| block.0).collect()
}
