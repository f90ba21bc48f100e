//! Move histories: how often each move was good, alone and after others. Each thread has its own.
//!
//! All of them follow the gravity rule, and [`HistoryEntry::update`] is the only writer: `new = old + bonus −
//! old·|bonus| / MAX`. The further a score is from zero, the harder it is to push it further, so it stays within ±MAX
//! by construction, and old results fade as new ones come in. (Stockfish of 2016 wrote `old − old·|b|/D + 32·b` with D
//! = 324 and 936: the same rule for bonuses of 32·b with MAX = 32·D.)

use chess::{Board, Color, Move, Piece, PieceKind, Square};

use super::danger::Danger;
use super::params;

/// A score within ±MAX.
#[derive(Clone, Copy, Default)]
pub(crate) struct HistoryEntry<const MAX: i32>(i16);

impl<const MAX: i32> HistoryEntry<MAX> {
    #[inline]
    pub(crate) fn get(self) -> i32 {
        i32::from(self.0)
    }

    #[inline]
    pub(crate) fn update(&mut self, bonus: i32) {
        const { assert!(MAX <= i16::MAX as i32) };
        let bonus = bonus.clamp(-MAX, MAX);
        let old = self.get();
        self.0 = (old + bonus - old * bonus.abs() / MAX) as i16;
    }
}

/// Plain statistics: quick to forget.
const PLAIN: i32 = 324 * 32;
/// Statistics of pairs of moves: slow to forget.
const PAIRED: i32 = 936 * 32;

/// A move by piece and target square: an index into tables of 12 × 64, among them those of continuation history.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PieceTo(u16);

impl PieceTo {
    pub(crate) const COUNT: usize = 12 * 64;

    #[inline]
    pub(crate) fn new(piece: Piece, to: Square) -> PieceTo {
        PieceTo((piece.index() * 64 + to.index()) as u16)
    }

    /// A move that has not been played on the board yet.
    #[inline]
    pub(crate) fn of(board: &Board, mv: Move) -> PieceTo {
        let piece = board.piece_on(mv.from()).unwrap_or(Piece::WhitePawn);
        PieceTo::new(piece, mv.to())
    }

    #[inline]
    pub(crate) fn index(self) -> usize {
        usize::from(self.0).min(Self::COUNT - 1)
    }
}

/// A table by piece and target.
type ByPieceTo<T> = [T; PieceTo::COUNT];

const PAWN_BUCKETS: usize = 512;

/// All histories of one thread.
pub(crate) struct Histories {
    piece_to: ByPieceTo<HistoryEntry<PLAIN>>,             // [piece][to]
    from_to: [[[HistoryEntry<PLAIN>; 4096]; 4]; 2],       // [side][from and to attacked][from][to]
    captures: ByPieceTo<[HistoryEntry<PLAIN>; 6]>,        // [piece][to][victim]
    countermoves: ByPieceTo<Option<Move>>,                // [piece][to] of the opponent's move
    continuation: Box<[ByPieceTo<HistoryEntry<PAIRED>>]>, // [piece][to] of the earlier move, [piece][to]
    pawns: Box<[ByPieceTo<HistoryEntry<PLAIN>>]>,         // [pawn structure][piece][to]
}

/// How many plies back continuation history looks, and the weight of each in eighths.
pub(crate) const CONTINUATION: [(usize, i32); 4] = [(1, 8), (2, 8), (4, 8), (6, 4)];

/// What the histories of a move depend on besides the move.
#[derive(Clone, Copy)]
pub(crate) struct Context {
    /// The moves of the plies in [`CONTINUATION`], none where there was no move.
    pub(super) earlier: [Option<PieceTo>; CONTINUATION.len()],
    /// The squares that the opponent attacks.
    pub(super) danger: Danger,
}

impl Histories {
    pub(crate) fn new() -> Box<Histories> {
        let empty = || [HistoryEntry::default(); PieceTo::COUNT];
        Box::new(Histories {
            piece_to: [HistoryEntry::default(); PieceTo::COUNT],
            from_to: [[[HistoryEntry::default(); 4096]; 4]; 2],
            captures: [[HistoryEntry::default(); 6]; PieceTo::COUNT],
            countermoves: [None; PieceTo::COUNT],
            continuation: (0..PieceTo::COUNT).map(|_| empty()).collect(),
            pawns: (0..PAWN_BUCKETS).map(|_| [HistoryEntry::default(); PieceTo::COUNT]).collect(),
        })
    }

    /// The score of a quiet move: the sum of all tables.
    #[inline]
    pub(crate) fn quiet(&self, board: &Board, mv: Move, context: &Context) -> i32 {
        self.quiets(board, context).score(mv)
    }

    /// The table rows that the quiet moves of a node need, found once for all of them.
    #[inline]
    pub(crate) fn quiets<'a>(&'a self, board: &'a Board, context: &Context) -> Quiets<'a> {
        Quiets {
            board,
            piece_to: &self.piece_to,
            from_to: &self.from_to[board.side_to_move().index()],
            danger: context.danger,
            pawns: &self.pawns[pawn_bucket(board)],
            continuation: self.rows(context),
        }
    }

    /// The score of a move after those that came before it.
    #[inline]
    pub(crate) fn continuation(&self, piece_to: PieceTo, context: &Context) -> i32 {
        continuation_score(&self.rows(context), piece_to)
    }

    #[inline]
    fn rows(&self, context: &Context) -> Rows<'_> {
        context.earlier.map(|earlier| earlier.map_or(&UNKNOWN, |earlier| &self.continuation[earlier.index()]))
    }

    /// The score of a capture or promotion.
    #[inline]
    pub(crate) fn capture(&self, board: &Board, mv: Move) -> i32 {
        if !params::capture_history() {
            return 0;
        }
        let victim = board.captured(mv).unwrap_or(PieceKind::Pawn);
        self.captures[PieceTo::of(board, mv).index()][victim.index()].get()
    }

    /// The move that last refuted this move of the opponent.
    #[inline]
    pub(crate) fn countermove(&self, last: Option<PieceTo>) -> Option<Move> {
        self.countermoves[last?.index()]
    }

    pub(crate) fn set_countermove(&mut self, last: Option<PieceTo>, mv: Move) {
        if let Some(last) = last {
            self.countermoves[last.index()] = Some(mv);
        }
    }

    #[inline]
    pub(crate) fn update_quiet(&mut self, board: &Board, mv: Move, context: &Context, bonus: i32) {
        let piece_to = PieceTo::of(board, mv);
        self.piece_to[piece_to.index()].update(bonus);
        self.update_from_to(board.side_to_move(), mv, &context.danger, bonus);
        self.pawns[pawn_bucket(board)][piece_to.index()].update(bonus);
        self.update_continuation(piece_to, context, bonus);
    }

    #[inline]
    pub(super) fn update_from_to(&mut self, side: Color, mv: Move, danger: &Danger, bonus: i32) {
        self.from_to[side.index()][danger.index(mv)][mv.from_to()].update(bonus);
    }

    #[inline]
    pub(crate) fn update_continuation(&mut self, piece_to: PieceTo, context: &Context, bonus: i32) {
        for earlier in context.earlier.iter().flatten() {
            self.continuation[earlier.index()][piece_to.index()].update(bonus);
        }
    }

    #[inline]
    pub(crate) fn update_capture(&mut self, board: &Board, mv: Move, bonus: i32) {
        let victim = board.captured(mv).unwrap_or(PieceKind::Pawn);
        self.captures[PieceTo::of(board, mv).index()][victim.index()].update(bonus);
    }
}

/// The continuation rows of a context, one for each earlier move.
type Rows<'a> = [&'a ByPieceTo<HistoryEntry<PAIRED>>; CONTINUATION.len()];

/// The row where there was no earlier move.
static UNKNOWN: ByPieceTo<HistoryEntry<PAIRED>> = [HistoryEntry(0); PieceTo::COUNT];

#[inline]
fn continuation_score(rows: &Rows<'_>, piece_to: PieceTo) -> i32 {
    if !params::continuation_history() {
        return 0;
    }
    rows.iter().zip(CONTINUATION).map(|(row, (_, weight))| row[piece_to.index()].get() * weight / 8).sum()
}

/// The histories of the quiet moves of one node.
pub(crate) struct Quiets<'a> {
    board: &'a Board,
    piece_to: &'a ByPieceTo<HistoryEntry<PLAIN>>,
    from_to: &'a [[HistoryEntry<PLAIN>; 4096]; 4],
    danger: Danger,
    pawns: &'a ByPieceTo<HistoryEntry<PLAIN>>,
    continuation: Rows<'a>,
}

impl Quiets<'_> {
    /// The sum of all tables for a move.
    #[inline]
    pub(crate) fn score(&self, mv: Move) -> i32 {
        let piece_to = PieceTo::of(self.board, mv);
        let mut score = 0;
        if params::piece_to_history() {
            score += self.piece_to[piece_to.index()].get();
        }
        if params::from_to_history() {
            score += self.from_to[self.danger.index(mv)][mv.from_to()].get();
        }
        if params::pawn_history() {
            score += self.pawns[piece_to.index()].get();
        }
        score + continuation_score(&self.continuation, piece_to)
    }
}

#[inline]
fn pawn_bucket(board: &Board) -> usize {
    board.pawn_key() as usize % PAWN_BUCKETS
}

/// The bonus for a move that was best in a search of this depth.
#[inline]
pub(crate) fn bonus(depth: i32) -> i32 {
    (params::history_bonus() * depth - params::history_bonus_offset()).min(params::history_bonus_max())
}

/// The malus for the moves tried before it.
#[inline]
pub(crate) fn malus(depth: i32) -> i32 {
    -(params::history_malus() * depth - params::history_malus_offset()).min(params::history_malus_max())
}

/// The bonus for a quiet move whose reduced search beat alpha, once it has been searched at full depth.
#[inline]
pub(crate) fn research_bonus(score: i32, alpha: i32, beta: i32, depth: i32) -> i32 {
    if score >= beta {
        bonus(depth)
    } else if score <= alpha {
        malus(depth)
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gravity_bounds_every_score_and_equals_the_rule_of_2016() {
        let mut entry = HistoryEntry::<PLAIN>::default();
        let mut text = 0_i32;
        let mut seed = 5_u64;
        for _ in 0..10_000 {
            seed = chess::zobrist::splitmix(seed);
            let small = (seed % 640) as i32 - 320;
            // Stockfish's rule of 2016, without its over-large bonuses.
            text = text - text * small.abs() / 324 + small * 32;
            entry.update(small * 32);
            assert!((entry.get() - text).abs() <= 40, "{} {text}", entry.get());
            text = entry.get();
            assert!(entry.get().abs() <= PLAIN);
        }
        for _ in 0..100 {
            entry.update(i32::MAX / 2);
        }
        assert_eq!(entry.get(), PLAIN);
    }

    #[test]
    fn a_move_out_of_danger_is_another_move() {
        // The knight is attacked by a pawn, or not.
        let [attacked, safe] = ["4k3/8/8/4p3/3N4/8/8/4K3 w - - 0 1", "4k3/8/8/8/3N1p2/8/8/4K3 w - - 0 1"]
            .map(|fen| fen.parse::<Board>().expect(fen));
        let mut histories = Histories::new();
        let mv = attacked.parse_uci("d4b3").expect("legal");
        let context = |board| Context { earlier: [None; CONTINUATION.len()], danger: Danger::new(board) };
        histories.update_from_to(Color::White, mv, &Danger::new(&attacked), 500);
        assert_eq!(histories.quiet(&attacked, mv, &context(&attacked)), 500);
        assert_eq!(histories.quiet(&safe, mv, &context(&safe)), 0);
    }

    #[test]
    fn bonuses_grow_with_depth_and_end() {
        assert!(bonus(1) > 0 && bonus(3) > bonus(2) && bonus(100) == params::history_bonus_max());
        assert!(malus(1) < 0 && malus(3) < malus(2));
    }
}
