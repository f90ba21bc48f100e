//! What search knows of each ply of the line it is on, and the pool of moves it chooses from.

use chess::{Move, Sink};

use super::correction::LastMoves;
use super::danger::Danger;
use super::history::{CONTINUATION, Context, PieceTo};
use crate::eval::Psq;
use crate::score::{self, MAX_PLY};

/// The memory of one ply.
#[derive(Clone, Copy)]
pub(crate) struct Frame {
    /// The move being searched; none for a null move.
    pub(crate) mv: Option<Move>,
    /// Its handle into continuation history.
    pub(crate) piece_to: Option<PieceTo>,
    /// The move that singular search leaves out.
    pub(crate) excluded: Option<Move>,
    /// Quiet moves that cut off at this ply before, the latest first.
    pub(crate) killers: [Option<Move>; 2],
    /// A quiet move that mated at this ply before.
    pub(crate) mate_killer: Option<Move>,
    /// The corrected evaluation, or `score::NONE` in check.
    pub(crate) static_eval: i32,
    /// How far search has found the evaluation wrong in positions like this one: the size of the correction.
    pub(crate) doubt: i32,
    /// What the opponent attacks, where moves are searched.
    pub(super) danger: Danger,
    /// By how many plies the search below the move is reduced.
    pub(crate) reduction: i32,
    /// Material and piece-square sums here.
    pub(crate) psq: Psq,
    /// Whether the position is or was on a principal variation.
    pub(crate) tt_pv: bool,
    /// How often children cut off: many mean that this node fails low quickly.
    pub(crate) cutoffs: u32,
    /// Double extensions on the way here.
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
            danger: Danger::default(),
            reduction: 0,
            psq: Psq::default(),
            tt_pv: false,
            cutoffs: 0,
            double_extensions: 0,
        }
    }
}

/// Frames before the root, so that looking back never falls off.
const BEFORE: usize = 6;
/// Frames after the deepest ply, so that looking ahead never does.
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

    /// A node begins: what belongs to its children is new, what belongs to its line is handed down.
    #[inline]
    pub(crate) fn enter(&mut self, ply: usize) {
        self.at_mut(ply + 1).killers = [None; 2];
        self.at_mut(ply + 2).cutoffs = 0;
        self.at_mut(ply).double_extensions = self.before(ply, 1).double_extensions;
    }

    /// The frame `plies` before a ply; at most six.
    #[inline]
    pub(crate) fn before(&self, ply: usize, plies: usize) -> &Frame {
        &self.0[ply + BEFORE - plies]
    }

    /// What surrounds the moves of a ply.
    #[inline]
    pub(crate) fn context(&self, ply: usize) -> Context {
        let earlier = CONTINUATION.map(|(plies, _)| self.before(ply, plies).piece_to);
        Context { earlier, danger: self.at(ply).danger }
    }

    /// Whether the evaluation is better than it was two (or, from check, four) plies ago.
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

    /// The evaluation here and that of the opponent a move ago, added: how much better things stand than the opponent thought. None
    /// if one of the two was in check.
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

/// The principal variations of all plies: that of a ply is its move and then that of the next ply.
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
    pub(crate) score: i32,
}

/// All moves of all nodes on the current line, one after the other: a node's picker uses the end and gives it back. No node
/// allocates, and nothing is ever filled in advance.
pub(crate) struct MovePool(pub(crate) Vec<Scored>);

impl MovePool {
    pub(crate) fn new() -> MovePool {
        MovePool(Vec::with_capacity(MAX_PLY * 64))
    }
}

impl Sink for MovePool {
    #[inline]
    fn push(&mut self, mv: Move) {
        self.0.push(Scored { mv, score: 0 });
    }
}
