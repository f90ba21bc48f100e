//! Traces what the evaluation counts. The evaluation reads every weight through a [`Trace`]. In search the trace is
//! `()`, which compiles to nothing; for the laboratory and for people a [`Tally`] records everything. So there is one
//! source of evaluation, and what is explained or tuned is what is played.

use chess::Color;

use super::packed::S;
use super::weights::{COUNT, Table, WEIGHTS};

/// Records the weights that count.
pub(super) trait Trace {
    /// The weight with this index counts `count` times for `us`.
    fn note(&mut self, us: Color, weight: usize, count: i32);

    /// The weight at `index` of `table`, `count` times.
    #[inline(always)]
    fn count(&mut self, us: Color, table: Table, index: usize, count: i32) -> S {
        debug_assert!(index < table.len, "{}[{index}]", table.name);
        self.note(us, table.start + index, count);
        WEIGHTS[table.start + index] * count
    }

    /// The weight at `index` of `table`, once.
    #[inline(always)]
    fn once(&mut self, us: Color, table: Table, index: usize) -> S {
        debug_assert!(index < table.len, "{}[{index}]", table.name);
        self.note(us, table.start + index, 1);
        WEIGHTS[table.start + index]
    }
}

impl Trace for () {
    #[inline(always)]
    fn note(&mut self, _: Color, _: usize, _: i32) {}
}

/// Records how often every weight counts for each side.
pub(super) struct Tally {
    // [color][weight]
    pub(super) counts: [[i32; COUNT]; 2],
}

impl Tally {
    pub(super) fn new() -> Tally {
        Tally { counts: [[0; COUNT]; 2] }
    }

    /// The sum of the weights of `table` for `us`.
    pub(super) fn sum(&self, us: Color, table: Table) -> S {
        let range = table.start..table.start + table.len;
        range.fold(S::ZERO, |sum, weight| sum + WEIGHTS[weight] * self.counts[us.index()][weight])
    }
}

impl Trace for Tally {
    fn note(&mut self, us: Color, weight: usize, count: i32) {
        self.counts[us.index()][weight] += count;
    }
}
