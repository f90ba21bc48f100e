//! The transposition table: the results of earlier searches, shared by all threads without locks.
//!
//! A cluster is 32 bytes, half a cache line: three entries of one 64-bit word each, and their static evaluations. An
//! entry is read and written as one word, so no thread ever sees half of one. Only an evaluation may belong to another
//! entry for a moment, which does little harm. Word: tag 16 · move 16 · score 16 · depth 8 · age 5, PV 1, bound 2.

use std::sync::atomic::{AtomicU16, AtomicU64, Ordering::Relaxed};
use std::thread;

use chess::{Move, Position, zobrist};

use crate::engine::EngineError;
use crate::memory;
use crate::report::Bound;
use crate::score;
use crate::search::{Spread, params};

const ENTRIES: usize = 3;
const AGES: u8 = 32;
/// Depths are stored with this added, so that quiescence and bare evaluations fit.
const DEPTH_OFFSET: i32 = 8;

/// The depth of a quiescence entry.
pub(crate) const QUIESCENCE: i32 = 0;
/// The depth of an entry that holds only an evaluation.
pub(crate) const EVALUATION: i32 = -2;

#[derive(Default)]
#[repr(C, align(32))]
pub(crate) struct Cluster {
    pub(crate) words: [AtomicU64; ENTRIES],
    pub(crate) evals: [AtomicU16; ENTRIES],
    /// Five bits for each entry: how far its evaluation may be off. Not saved with the table.
    spreads: AtomicU16,
}

const CLUSTERS_PER_MEGABYTE: usize = (1 << 20) / size_of::<Cluster>();

/// What is known of a position: a copy of what the table holds, or what a node stores in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) mv: Option<Move>,
    /// As seen from the node, or `score::NONE`.
    pub(crate) score: i32,
    /// The raw static evaluation, or `score::NONE`.
    pub(crate) eval: i32,
    pub(crate) depth: i32,
    pub(crate) bound: Option<Bound>,
    pub(crate) pv: bool,
    /// How far the evaluation may be off.
    pub(crate) spread: Spread,
}

impl Entry {
    /// An entry that holds a static evaluation and nothing else.
    #[inline]
    pub(crate) fn of_evaluation(eval: i32, pv: bool) -> Entry {
        Entry { mv: None, score: score::NONE, eval, depth: EVALUATION, bound: None, pv, spread: Spread::UNKNOWN }
    }

    /// Whether the score can replace a search with this window.
    #[inline]
    pub(crate) fn proves(&self, alpha: i32, beta: i32) -> bool {
        match self.bound {
            Some(Bound::Exact) => true,
            Some(Bound::Lower) => self.score >= beta,
            Some(Bound::Upper) => self.score <= alpha,
            None => false,
        }
    }

    /// Whether the score is a better estimate than `eval`: exact, a lower bound above it or an upper bound below it.
    #[inline]
    pub(crate) fn corrects(&self, eval: i32) -> bool {
        match self.bound {
            Some(Bound::Exact) => true,
            Some(Bound::Lower) => self.score > eval,
            Some(Bound::Upper) => self.score < eval,
            None => false,
        }
    }
}

pub(crate) struct Table {
    clusters: Vec<Cluster>,
    age: u8,
}

/// An entry as stored, but for its evaluation.
#[derive(Clone, Copy)]
struct Word(u64);

impl Word {
    fn tag(self) -> u16 {
        self.0 as u16
    }

    fn mv(self) -> Option<Move> {
        Move::from_bits((self.0 >> 16) as u16)
    }

    fn score(self) -> i32 {
        i32::from((self.0 >> 32) as u16 as i16)
    }

    fn depth(self) -> i32 {
        i32::from((self.0 >> 48) as u8) - DEPTH_OFFSET
    }

    fn age(self) -> u8 {
        (self.0 >> 59) as u8
    }

    fn pv(self) -> bool {
        self.0 >> 58 & 1 != 0
    }

    fn bound(self) -> Option<Bound> {
        match self.0 >> 56 & 3 {
            1 => Some(Bound::Upper),
            2 => Some(Bound::Lower),
            3 => Some(Bound::Exact),
            _ => None,
        }
    }

    fn is_empty(self) -> bool {
        self.0 == 0
    }

    fn new(tag: u16, entry: &Entry, score: i32, age: u8) -> Word {
        let bound = match entry.bound {
            None => 0,
            Some(Bound::Upper) => 1,
            Some(Bound::Lower) => 2,
            Some(Bound::Exact) => 3,
        };
        let depth = (entry.depth + DEPTH_OFFSET).clamp(1, 255) as u64;
        Word(
            u64::from(tag)
                | u64::from(entry.mv.map_or(0, Move::bits)) << 16
                | u64::from(score as i16 as u16) << 32
                | depth << 48
                | (bound | u64::from(entry.pv) << 2 | u64::from(age) << 3) << 56,
        )
    }

    /// How much the entry is worth keeping: shallow and old ones are worth least.
    fn worth(self, age: u8) -> i32 {
        let years = (age + AGES - self.age()) % AGES;
        self.depth() - 4 * i32::from(years)
    }
}

/// The key under which a position is stored. Positions with a high half-move clock get keys of their own, so that a
/// score found far from the fifty-move limit is not trusted near it.
#[inline]
pub(crate) fn key(position: &Position) -> u64 {
    key_at(position.key(), position.halfmove_clock())
}

/// The key under which a position is stored, from its own key and its half-move clock.
#[inline]
pub(crate) fn key_at(key: u64, clock: u16) -> u64 {
    if clock < 14 { key } else { key ^ zobrist::splitmix(u64::from(clock - 14) / 8) }
}

/// The size of this many clusters.
fn bytes(clusters: usize) -> u64 {
    (clusters as u64).saturating_mul(size_of::<Cluster>() as u64)
}

impl Cluster {
    fn clear(&self) {
        self.words.iter().for_each(|word| word.store(0, Relaxed));
        self.evals.iter().for_each(|eval| eval.store(0, Relaxed));
        self.spreads.store(0, Relaxed);
    }

    #[inline]
    fn spread(&self, index: usize) -> Spread {
        if params::confidence() { spread_in(self.spreads.load(Relaxed), index) } else { Spread::UNKNOWN }
    }

    /// Two threads that write at once may mix up the spreads of their entries, which does little harm.
    #[inline]
    fn set_spread(&self, index: usize, spread: Spread) {
        if params::confidence() {
            self.spreads.store(with_spread(self.spreads.load(Relaxed), index, spread), Relaxed);
        }
    }
}

/// The spread of an entry, from those of its cluster.
#[inline]
fn spread_in(spreads: u16, index: usize) -> Spread {
    Spread::from_bits((spreads >> (Spread::BITS * index)) as u8)
}

/// The spreads of a cluster with another one for this entry.
#[inline]
fn with_spread(spreads: u16, index: usize, spread: Spread) -> u16 {
    let place = Spread::BITS * index;
    spreads & !(Spread::MASK << place) | u16::from(spread.bits()) << place
}

impl Table {
    pub(crate) fn new(megabytes: usize) -> Result<Table, EngineError> {
        Table::with_clusters(megabytes.max(1).saturating_mul(CLUSTERS_PER_MEGABYTE))
    }

    /// Resizes the table and clears it. Without enough memory the old one stays, or, if it had to make room for the new
    /// one, a table of one cluster. Old and new need not fit at once.
    pub(crate) fn resize(&mut self, megabytes: usize) -> Result<(), EngineError> {
        let count = megabytes.max(1).saturating_mul(CLUSTERS_PER_MEGABYTE);
        let (held, free) = (bytes(self.clusters.len()), memory::available());
        if free.is_some_and(|free| bytes(count) > free && bytes(count) <= free.saturating_add(held)) {
            // If the memory cannot be had after all, a small table remains.
            *self = Table::with_clusters(1)?;
        }
        *self = Table::with_clusters(count)?;
        Ok(())
    }

    /// An empty table with this many clusters.
    pub(crate) fn with_clusters(count: usize) -> Result<Table, EngineError> {
        let free = memory::available();
        let refused = || EngineError::Memory {
            megabytes: count / CLUSTERS_PER_MEGABYTE,
            available: free.map(|free| (free >> 20) as usize),
        };
        if free.is_some_and(|free| bytes(count) > free) {
            return Err(refused());
        }
        let mut clusters = memory::room_for(count).ok_or_else(refused)?;
        clusters.resize_with(count, Cluster::default);
        Ok(Table { clusters, age: 0 })
    }

    /// Clears the table; each thread clears a part.
    pub(crate) fn clear(&mut self, threads: usize) {
        self.age = 0;
        let part = self.clusters.len().div_ceil(threads.max(1)).max(1);
        thread::scope(|scope| {
            for chunk in self.clusters.chunks(part) {
                let clear = || chunk.iter().for_each(Cluster::clear);
                // If the system has no thread left, this one does the work.
                if thread::Builder::new().spawn_scoped(scope, clear).is_err() {
                    clear();
                }
            }
        });
    }

    /// A new search begins: existing entries grow older.
    pub(crate) fn grow_older(&mut self) {
        self.age = (self.age + 1) % AGES;
    }

    pub(crate) fn clusters(&self) -> &[Cluster] {
        &self.clusters
    }

    pub(crate) fn clusters_mut(&mut self) -> &mut [Cluster] {
        &mut self.clusters
    }

    #[inline]
    fn cluster(&self, key: u64) -> &Cluster {
        &self.clusters[((u128::from(key) * self.clusters.len() as u128) >> 64) as usize]
    }

    /// Prefetches a position's cluster.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        memory::prefetch(self.cluster(key));
    }

    /// The entry of a position, with its score adjusted to `ply` and the half-move clock.
    #[inline]
    pub(crate) fn probe(&self, key: u64, ply: usize, halfmove_clock: u16) -> Option<Entry> {
        if !params::hash_table() {
            return None;
        }
        let cluster = self.cluster(key);
        for (index, (word, eval)) in cluster.words.iter().zip(&cluster.evals).enumerate() {
            let word = Word(word.load(Relaxed));
            if word.tag() == key as u16 && !word.is_empty() {
                return Some(Entry {
                    mv: word.mv(),
                    score: from_table(word.score(), ply, halfmove_clock),
                    eval: i32::from(eval.load(Relaxed) as i16),
                    depth: word.depth(),
                    bound: word.bound(),
                    pv: word.pv(),
                    spread: cluster.spread(index),
                });
            }
        }
        None
    }

    /// Stores the result of a search `ply` plies from the root, unless a better one is there.
    #[inline]
    pub(crate) fn store(&self, key: u64, ply: usize, mut entry: Entry) {
        let cluster = self.cluster(key);
        let tag = key as u16;
        let mut slot = 0;
        let mut least = i32::MAX;
        for (index, word) in cluster.words.iter().enumerate() {
            let word = Word(word.load(Relaxed));
            if word.tag() == tag || word.is_empty() {
                slot = index;
                break;
            }
            if word.worth(self.age) < least {
                (slot, least) = (index, word.worth(self.age));
            }
        }
        let old = Word(cluster.words[slot].load(Relaxed));
        let same = old.tag() == tag && !old.is_empty();
        if same {
            entry.mv = entry.mv.or(old.mv());
            let is_better = entry.bound == Some(Bound::Exact)
                || old.age() != self.age
                || entry.depth + 4 + 2 * i32::from(entry.pv) > old.depth();
            if !is_better {
                return;
            }
        }
        let word = Word::new(tag, &entry, to_table(entry.score, ply), self.age);
        cluster.words[slot].store(word.0, Relaxed);
        cluster.evals[slot].store(entry.eval as i16 as u16, Relaxed);
        cluster.set_spread(slot, entry.spread);
    }

    /// How full the table is with entries of this search, per mille, by a sample.
    pub(crate) fn hashfull(&self) -> usize {
        let sample = &self.clusters[..self.clusters.len().min(1000)];
        let full = sample.iter().flat_map(|cluster| &cluster.words).filter(|word| {
            let word = Word(word.load(Relaxed));
            !word.is_empty() && word.age() == self.age
        });
        full.count() * 1000 / (sample.len() * ENTRIES).max(1)
    }
}

/// Mate and tablebase scores count from the root in search, and from the position itself in the table.
fn to_table(score: i32, ply: usize) -> i32 {
    match score {
        score::NONE => score,
        _ if score::is_win(score) => score + ply as i32,
        _ if score::is_loss(score) => score - ply as i32,
        _ => score,
    }
}

/// A mate beyond the fifty-move limit may never come: such a score is only trusted as a good evaluation.
fn from_table(stored: i32, ply: usize, halfmove_clock: u16) -> i32 {
    let until_draw = 100 - i32::from(halfmove_clock);
    let ply = ply as i32;
    match stored {
        score::NONE => stored,
        _ if score::is_win(stored) => {
            let distance = if score::is_mate(stored) { score::MATE - stored } else { score::TB_WIN - stored };
            if distance > until_draw { score::MAX_EVAL } else { stored - ply }
        }
        _ if score::is_loss(stored) => {
            let distance = if score::is_mate(stored) { score::MATE + stored } else { score::TB_WIN + stored };
            if distance > until_draw { -score::MAX_EVAL } else { stored + ply }
        }
        _ => stored,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::{MoveKind, Square};

    fn entry(depth: i32, score: i32) -> Entry {
        let mv = Some(Move::new(Square::E2, Square::E4, MoveKind::DoublePush));
        Entry { mv, score, eval: -77, depth, bound: Some(Bound::Lower), pv: true, spread: Spread::UNKNOWN }
    }

    #[test]
    fn the_spreads_of_a_cluster_stay_apart() {
        let spreads = [7, 30, 1].map(Spread::from_bits);
        let all = spreads.iter().enumerate().fold(u16::MAX, |all, (index, spread)| with_spread(all, index, *spread));
        assert_eq!([0, 1, 2].map(|index| spread_in(all, index)), spreads);
        let changed = with_spread(all, 1, Spread::UNKNOWN);
        assert_eq!([0, 1, 2].map(|index| spread_in(changed, index)), [spreads[0], Spread::UNKNOWN, spreads[2]]);
    }

    #[test]
    fn what_is_stored_is_found() {
        let table = Table::new(1).expect("a megabyte");
        let key = 0x1234_5678_9abc_def0;
        assert_eq!(table.probe(key, 0, 0), None);
        for depth in [EVALUATION, QUIESCENCE, 1, 17, 240] {
            for value in [0, -33, 1500, score::mate_in(9), score::mated_in(12), score::TB_WIN - 7, score::NONE] {
                let table = Table::new(1).expect("a megabyte");
                let written = entry(depth, value);
                table.store(key, 5, written);
                let hit = table.probe(key, 5, 0).expect("an entry");
                assert_eq!((hit.mv, hit.score, hit.eval, hit.depth), (written.mv, value, -77, depth));
                assert_eq!((hit.bound, hit.pv), (Some(Bound::Lower), true));
            }
        }
    }

    #[test]
    fn mates_move_with_the_ply_and_respect_the_fifty_move_limit() {
        let table = Table::new(1).expect("a megabyte");
        table.store(99, 4, entry(8, score::mate_in(10)));
        assert_eq!(table.probe(99, 2, 0).map(|hit| hit.score), Some(score::mate_in(8)));
        assert_eq!(table.probe(99, 2, 95).map(|hit| hit.score), Some(score::MAX_EVAL));
        table.store(99, 4, entry(12, score::mated_in(10)));
        assert_eq!(table.probe(99, 0, 0).map(|hit| hit.score), Some(score::mated_in(6)));
        assert_eq!(table.probe(99, 0, 97).map(|hit| hit.score), Some(-score::MAX_EVAL));
    }

    #[test]
    fn deep_entries_outlive_shallow_ones_and_age_out() {
        let mut table = Table::new(1).expect("a megabyte");
        let keys: Vec<u64> = (1..=4).collect(); // one cluster, four tags
        table.store(keys[0], 0, entry(20, 1));
        table.store(keys[1], 0, entry(3, 2));
        table.store(keys[2], 0, entry(9, 3));
        table.store(keys[3], 0, entry(5, 4));
        assert!(table.probe(keys[1], 0, 0).is_none(), "the shallowest leaves");
        assert!(table.probe(keys[0], 0, 0).is_some() && table.probe(keys[3], 0, 0).is_some());
        for _ in 0..8 {
            table.grow_older();
        }
        table.store(keys[3], 0, entry(1, 5));
        table.store(keys[2], 0, entry(1, 5));
        table.store(keys[1], 0, entry(1, 6));
        assert!(table.probe(keys[0], 0, 0).is_none(), "the old one leaves, deep as it was");
    }

    #[test]
    fn a_move_is_kept_when_the_new_entry_has_none() {
        let table = Table::new(1).expect("a megabyte");
        table.store(7, 0, entry(4, 10));
        table.store(7, 0, Entry { mv: None, ..entry(6, 20) });
        let hit = table.probe(7, 0, 0).expect("an entry");
        assert_eq!((hit.mv, hit.score), (entry(4, 10).mv, 20));
    }

    #[test]
    fn clear_and_hashfull() {
        let mut table = Table::new(1).expect("a megabyte");
        for index in 0..20_000_u64 {
            table.store(zobrist::splitmix(index), 0, entry(1, 1));
        }
        assert!(table.hashfull() > 100);
        table.clear(2);
        assert_eq!(table.hashfull(), 0);
    }

    #[test]
    fn memory_that_cannot_be_had_changes_nothing() {
        let mut table = Table::new(1).expect("a megabyte");
        table.store(7, 0, entry(4, 10));
        assert!(table.resize(usize::MAX >> 21).is_err());
        assert!(table.probe(7, 0, 0).is_some());
    }
}
