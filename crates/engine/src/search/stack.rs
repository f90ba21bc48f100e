//! The search stack, which holds what the search keeps for each ply of the current line; and the pool of moves.

use chess::{Move, Sink};

use super::correction::LastMoves;
use super::danger::Danger;
use super::guide::Spread;
use super::history::{CONTINUATION, Context, PieceTo};
use crate::eval::Psq;
use crate::score::{self, MAX_PLY};

/// The data of one ply.
#[derive(Clone, Copy)]
pub(crate) struct Frame {
    /// The move being searched; none for a null move.
    pub(crate) mv: Option<Move>,
    /// Its index into continuation history.
    pub(crate) piece_to: Option<PieceTo>,
    /// The move that a singular search leaves out.
    pub(crate) excluded: Option<Move>,
    /// Killer moves: quiet moves that cut off at this ply before, the latest first.
    pub(crate) killers: [Option<Move>; 2],
    /// A quiet move that led to mate at this ply before.
    pub(crate) mate_killer: Option<Move>,
    /// The corrected evaluation, or `score::NONE` in check.
    pub(crate) static_eval: i32,
    /// The size of the correction: how far the search has found the evaluation wrong in similar positions.
    pub(crate) doubt: i32,
    /// How far the evaluation may be off, by the network's own account.
    pub(crate) spread: Spread,
    /// The squares that the opponent attacks, where moves are searched.
    pub(super) danger: Danger,
    /// The reduction of the move being searched, in plies.
    pub(crate) reduction: i32,
    /// Material and piece-square sums here.
    pub(crate) psq: Psq,
    /// Whether the position is or was on a principal variation.
    pub(crate) tt_pv: bool,
    /// How often nodes at this ply failed high: if often, their parent fails low.
    pub(crate) cutoffs: u32,
    /// Double extensions on the line so far.
    pub(crate) double_extensions: i32,
}

impl Frame {
    fn empty() -> Frame {
        Frame {
            mv: None,
            piece_to: None,
            excluded: None,
            killers: [None; 2],
            mate_killer: None,
            static_eval: score::NONE,
            doubt: 0,
            spread: Spread::UNKNOWN,
            danger: Danger::default(),
            reduction: 0,
            psq: Psq::default(),
            tt_pv: false,
            cutoffs: 0,
            double_extensions: 0,
        }
    }
}

/// Frames before the root, so that looking back stays in range.
const BEFORE: usize = 6;
/// Frames after the deepest ply, so that looking ahead does.
const AFTER: usize = 4;

pub(crate) struct Stack(Box<[Frame; BEFORE + MAX_PLY + AFTER]>);

impl Stack {
    pub(crate) fn new() -> Stack {
        Stack(Box::new([Frame::empty(); BEFORE + MAX_PLY + AFTER]))
    }

    pub(crate) fn clear(&mut self) {
        self.0.fill(Frame::empty());
    }

    /// The frame of a ply.
    #[inline]
    pub(crate) fn at(&self, ply: usize) -> &Frame {
        &self.0[ply + BEFORE]
    }

    #[inline]
    pub(crate) fn at_mut(&mut self, ply: usize) -> &mut Frame {
        &mut self.0[ply + BEFORE]
    }

    /// Enters a node: clears what belongs to its children, and inherits what belongs to its line.
    #[inline]
    pub(crate) fn enter(&mut self, ply: usize) {
        self.at_mut(ply + 1).killers = [None; 2];
        self.at_mut(ply + 2).cutoffs = 0;
        self.at_mut(ply).double_extensions = self.before(ply, 1).double_extensions;
    }

    /// The frame `plies` before a ply, at most six.
    #[inline]
    pub(crate) fn before(&self, ply: usize, plies: usize) -> &Frame {
        &self.0[ply + BEFORE - plies]
    }

    /// The context of the moves of a ply, for the histories.
    #[inline]
    pub(crate) fn context(&self, ply: usize) -> Context {
        let earlier = CONTINUATION.map(|(plies, _)| self.before(ply, plies).piece_to);
        Context { earlier, danger: self.at(ply).danger }
    }

    /// Whether the static evaluation is better than two plies ago (or four, if that was in check).
    pub(crate) fn is_improving(&self, ply: usize) -> bool {
        let now = self.at(ply).static_eval;
        for plies in [2, 4] {
            let earlier = self.before(ply, plies).static_eval;
            if earlier != score::NONE {
                return now > earlier;
            }
        }
        true
    }

    /// The static evaluation plus that of the opponent a ply ago: how much better the side to move stands than the
    /// opponent thought. None if either was in check.
    #[inline]
    pub(crate) fn swing(&self, ply: usize) -> Option<i32> {
        let (now, before) = (self.at(ply).static_eval, self.before(ply, 1).static_eval);
        (now != score::NONE && before != score::NONE).then(|| now + before)
    }

    /// The last two moves before a ply.
    #[inline]
    pub(crate) fn last_moves(&self, ply: usize) -> LastMoves {
        [self.before(ply, 1).piece_to, self.before(ply, 2).piece_to]
    }
}

/// A principal variation.
#[derive(Clone)]
pub(crate) struct PvLine {
    moves: [Option<Move>; MAX_PLY],
    len: usize,
}

impl PvLine {
    pub(crate) const fn new() -> PvLine {
        PvLine { moves: [None; MAX_PLY], len: 0 }
    }

    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    pub(crate) fn moves(&self) -> impl Iterator<Item = Move> {
        self.moves[..self.len].iter().copied().flatten()
    }
}

/// The principal variations of all plies: each is the best move of its ply followed by the line of the next.
pub(crate) struct PvTable(Vec<PvLine>);

impl PvTable {
    pub(crate) fn new() -> PvTable {
        PvTable(vec![PvLine::new(); MAX_PLY + 2])
    }

    #[inline]
    pub(crate) fn clear(&mut self, ply: usize) {
        self.0[ply].clear();
    }

    pub(crate) fn at(&self, ply: usize) -> &PvLine {
        &self.0[ply]
    }

    /// The best move at a ply is `mv`, followed by the next ply's line.
    pub(crate) fn set(&mut self, ply: usize, mv: Move) {
        let (here, below) = self.0.split_at_mut(ply + 1);
        let (line, next) = (&mut here[ply], &below[0]);
        let len = next.len.min(MAX_PLY - 1);
        line.moves[0] = Some(mv);
        line.moves[1..=len].copy_from_slice(&next.moves[..len]);
        line.len = len + 1;
    }
}

/// A move with the score it is ordered by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scored {
    pub(crate) mv: Move,
    /// What the policy thinks of a quiet move, above the mean of the node's quiet moves.
    pub(crate) policy: i16,
    pub(crate) score: i32,
}

/// The moves of all nodes on the current line, one after the other. A node's picker uses the end and gives it back, so
/// no node allocates and nothing is filled in advance.
pub(crate) struct MovePool(pub(crate) Vec<Scored>);

impl MovePool {
    pub(crate) fn new() -> MovePool {
        MovePool(Vec::with_capacity(MAX_PLY * 64))
    }
}

impl Sink for MovePool {
    #[inline]
    fn push(&mut self, mv: Move) {
        self.0.push(Scored { mv, policy: 0, score: 0 });
    }
}
