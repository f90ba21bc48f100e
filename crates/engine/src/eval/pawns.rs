//! Pawns, and what depends on pawns and kings alone: structure, passed pawns as such, king shelter. Pawns seldom move,
//! so all this is computed once and kept in a small table owned by the search thread.

use chess::{Bitboard, Board, Color, File, PieceKind, Rank, Square, attacks};

use super::packed::S;
use super::sets::{QUEEN_WING, ahead, beside, distance, edge_distance, fill_files, own_rank, seen_by};
use super::trace::Trace;
use super::weights::{
    BACKWARD, DOUBLED, ISOLATED, KING_FILE, KING_TO_PAWN, PASSED, PASSED_CONNECTED, PASSED_ENEMY_KING, PASSED_FILE,
    PASSED_OWN_KING, PASSED_URGENCY, PAWNLESS_WING, PHALANX, SHELTER, STORM, STORM_BLOCKED, SUPPORTED,
};

/// What is known about an arrangement of pawns and kings.
#[derive(Clone, Copy)]
pub(super) struct PawnEntry {
    key: u64,
    /// The passed pawns of both sides.
    pub(super) passed: Bitboard,
    /// The squares that the pawns of a side attack now or may attack later. [color]
    pub(super) reach: [Bitboard; 2],
    /// White's minus Black's.
    pub(super) score: S,
    /// Files around the king without own pawns. [color]
    pub(super) open_files: [u8; 2],
}

impl PawnEntry {
    const NONE: PawnEntry =
        PawnEntry { key: !0, passed: Bitboard::EMPTY, reach: [Bitboard::EMPTY; 2], score: S::ZERO, open_files: [0; 2] };

    /// Evaluates the pawns and kings of a board.
    pub(super) fn new(board: &Board, trace: &mut impl Trace) -> PawnEntry {
        let mut entry = PawnEntry { key: PawnTable::key(board), ..PawnEntry::NONE };
        let white = entry.add(board, Color::White, trace);
        let black = entry.add(board, Color::Black, trace);
        entry.score = white - black;
        entry
    }

    fn add(&mut self, board: &Board, us: Color, trace: &mut impl Trace) -> S {
        let pawns = board.kind(PieceKind::Pawn);
        let (ours, theirs) = (pawns & board.color(us), pawns & board.color(!us));
        self.reach[us.index()] = beside(ahead(us, ours));

        // Passed: no enemy pawn ahead on its own or a neighboring file, and no own pawn before it.
        let their_front = ahead(!us, theirs);
        let passed = ours - (their_front | beside(their_front)) - ahead(!us, ours);
        self.passed |= passed;

        let open_files = &mut self.open_files[us.index()];
        structure(us, ours, theirs, trace)
            + passed_pawns(board, us, passed, ours, trace)
            + shelter(board.king(us), us, ours, theirs, open_files, trace)
    }
}

fn structure(us: Color, ours: Bitboard, theirs: Bitboard, trace: &mut impl Trace) -> S {
    let mut score = S::ZERO;
    let opposed = ours & ahead(!us, theirs);
    let files_beside = beside(fill_files(ours));
    let isolated = ours - files_beside;
    // Backward: all neighbors are ahead of it, and an enemy pawn guards or fills the square it would step to.
    let stops = theirs | attacks::pawns(!us, theirs);
    let covered = beside(ours.filled_forward(us));
    let backward = (ours - isolated - covered) & stops.forward(!us);
    let doubled = ours & ahead(us, ours);
    let supported = ours & attacks::pawns(us, ours);
    let phalanx = ours & beside(ours);

    score += trace.count(us, DOUBLED, 0, (doubled - supported).len() as i32);
    for (table, weak) in [(ISOLATED, isolated), (BACKWARD, backward)] {
        score += trace.count(us, table, 0, (weak & opposed).len() as i32);
        score += trace.count(us, table, 1, (weak - opposed).len() as i32);
    }
    for (table, connected) in [(PHALANX, phalanx), (SUPPORTED, supported)] {
        for square in connected {
            score += trace.once(us, table, own_rank(us, square));
        }
    }
    score
}

fn passed_pawns(board: &Board, us: Color, passed: Bitboard, ours: Bitboard, trace: &mut impl Trace) -> S {
    let mut score = S::ZERO;
    let connected = beside(ours) | attacks::pawns(us, ours);
    for square in passed {
        let rank = own_rank(us, square);
        score += trace.once(us, PASSED, rank);
        score += trace.once(us, PASSED_FILE, edge_distance(square.file().index()));
        if connected.has(square) {
            score += trace.once(us, PASSED_CONNECTED, rank);
        }
        let (next, urgency) = (square.offset(us.forward()), PASSED_URGENCY[rank]);
        if urgency > 0 {
            let [own, enemy] = [us, !us].map(|side| distance(board.king(side), next).min(5));
            score += trace.count(us, PASSED_ENEMY_KING, 0, enemy * urgency);
            score += trace.count(us, PASSED_OWN_KING, 0, own * urgency);
        }
    }
    score
}

/// How well the pawns shelter the king, and how far the enemy's pawns have advanced.
fn shelter(
    king: Square,
    us: Color,
    ours: Bitboard,
    theirs: Bitboard,
    open_files: &mut u8,
    trace: &mut impl Trace,
) -> S {
    let mut score = S::ZERO;
    let not_behind = king.rank().bitboard().filled_forward(us);
    let center = king.file().index().clamp(1, 6);
    for file in center - 1..=center + 1 {
        let mask = File::from_index(file).bitboard();
        let nearest = |pawns: Bitboard| {
            let seen = seen_by(us, pawns & mask & not_behind);
            seen.first().map_or(0, |square| square.rank().index())
        };
        let (own, enemy) = (nearest(ours), nearest(theirs));
        let row = edge_distance(file) * 8;
        score += trace.once(us, SHELTER, row + own);
        score += if own > 0 && enemy == own + 1 {
            trace.once(us, STORM_BLOCKED, enemy)
        } else {
            trace.once(us, STORM, row + enemy)
        };
        *open_files += u8::from((ours & mask).is_empty());
    }

    let file = king.file().bitboard();
    let openness = usize::from((ours & file).is_empty()) + 2 * usize::from((theirs & file).is_empty());
    score += trace.once(us, KING_FILE, openness);
    let wing = if QUEEN_WING.has(king) { QUEEN_WING } else { !QUEEN_WING };
    if ((ours | theirs) & (wing | File::D.bitboard() | File::E.bitboard())).is_empty() {
        score += trace.once(us, PAWNLESS_WING, 0);
    }
    let steps = ours.into_iter().map(|pawn| distance(king, pawn)).min().unwrap_or(0);
    score + trace.count(us, KING_TO_PAWN, 0, steps)
}

/// Caches arrangements of pawns and kings.
pub(super) struct PawnTable {
    entries: Box<[PawnEntry]>,
}

impl PawnTable {
    const SIZE: usize = 1 << 13;

    pub(super) fn new() -> PawnTable {
        PawnTable { entries: vec![PawnEntry::NONE; PawnTable::SIZE].into_boxed_slice() }
    }

    pub(super) fn clear(&mut self) {
        self.entries.fill(PawnEntry::NONE);
    }

    /// The entry of a board, from the cache if possible.
    #[inline]
    pub(super) fn probe(&mut self, board: &Board) -> PawnEntry {
        let key = PawnTable::key(board);
        let slot = &mut self.entries[key as usize % PawnTable::SIZE];
        if slot.key != key {
            *slot = PawnEntry::new(board, &mut ());
        }
        *slot
    }

    /// The key of pawns and kings together. The factors are odd and arbitrary.
    #[inline]
    fn key(board: &Board) -> u64 {
        let kings = board.king(Color::White).index() * 64 + board.king(Color::Black).index();
        board.pawn_key() ^ (kings as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// The ranks on which an outpost is worth having, for White.
pub(super) const OUTPOST_RANKS: Bitboard =
    Bitboard(Rank::Fourth.bitboard().0 | Rank::Fifth.bitboard().0 | Rank::Sixth.bitboard().0);
