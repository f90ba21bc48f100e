//! A board with its history, for repetitions, draws and taking moves back.

use std::fmt;
use std::ops::Deref;

use crate::attacks;
use crate::board::{Board, IllegalMove, Observer};
use crate::cuckoo;
use crate::types::{Color, Move};

/// How a game ended, or which draw can be claimed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names say it all")]
pub enum Outcome {
    Checkmate { winner: Color },
    Stalemate,
    InsufficientMaterial,
    FiftyMoves,
    ThreefoldRepetition,
}

impl Outcome {
    /// The winner, if there is one.
    #[must_use]
    pub fn winner(self) -> Option<Color> {
        match self {
            Outcome::Checkmate { winner } => Some(winner),
            _ => None,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Checkmate { winner } => write!(f, "{winner} mates"),
            Outcome::Stalemate => f.write_str("draw by stalemate"),
            Outcome::InsufficientMaterial => f.write_str("draw by insufficient material"),
            Outcome::FiftyMoves => f.write_str("draw by the fifty-move rule"),
            Outcome::ThreefoldRepetition => f.write_str("draw by threefold repetition"),
        }
    }
}

/// A game so far. It dereferences to its current [`Board`].
///
/// ```
/// use stillwater_chess::{Outcome, Position};
///
/// let mut game = Position::start();
/// let e4 = game.parse_san("e4")?;
/// game.try_play(e4)?;
/// assert!(game.try_play(e4).is_err(), "the pawn has left, and it is Black's turn");
/// for text in ["Nf6", "Nf3", "Ng8", "Ng1", "Nf6", "Nf3", "Ng8", "Ng1"] {
///     let mv = game.parse_san(text)?;
///     game.play(mv);
/// }
/// assert_eq!(game.outcome(), Some(Outcome::ThreefoldRepetition));
/// game.unmake();
/// assert_eq!((game.outcome(), game.plies()), (None, 8));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Position {
    board: Board,
    /// How many plies back a position can equal this one: those since the last capture, pawn move or null move.
    reversible: usize,
    keys: Vec<u64>,            // of all earlier boards, oldest first
    past: Vec<(Board, usize)>, // those boards with their `reversible`
}

impl Deref for Position {
    type Target = Board;
    #[inline]
    fn deref(&self) -> &Board {
        &self.board
    }
}

impl Position {
    /// A game that starts from `board`.
    #[must_use]
    pub fn new(board: Board) -> Position {
        Position { board, reversible: 0, keys: Vec::with_capacity(512), past: Vec::with_capacity(512) }
    }

    /// A game that starts from the start position.
    #[must_use]
    pub fn start() -> Position {
        Position::new(Board::start())
    }

    /// The current board.
    #[inline]
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The board before the last move (or null move), if there was one.
    #[inline]
    #[must_use]
    pub fn previous(&self) -> Option<&Board> {
        self.past.last().map(|(board, _)| board)
    }

    /// How many moves have been made.
    #[inline]
    #[must_use]
    pub fn plies(&self) -> usize {
        self.past.len()
    }

    /// Plays a legal move.
    #[inline]
    pub fn play(&mut self, mv: Move) {
        self.play_with(mv, &mut ());
    }

    /// The position after these legal moves.
    #[must_use]
    pub fn along(&self, moves: &[Move]) -> Position {
        let mut next = self.clone();
        moves.iter().for_each(|&mv| next.play(mv));
        next
    }

    /// Plays a move if it is legal; if not, nothing changes.
    pub fn try_play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        if !self.board.is_playable(mv) {
            return Err(IllegalMove(mv));
        }
        self.play(mv);
        Ok(())
    }

    /// Plays a legal move; `observer` sees which pieces are removed and added.
    #[inline]
    pub fn play_with(&mut self, mv: Move, observer: &mut impl Observer) {
        self.remember();
        self.board.play_with(mv, observer);
        // The clock saturates instead of wrapping, so it is zero only after a capture or pawn move.
        self.reversible = if self.board.halfmove_clock() == 0 { 0 } else { self.reversible + 1 };
    }

    /// Lets the side to move pass. It must not be in check.
    #[inline]
    pub fn make_null(&mut self) {
        self.remember();
        self.board.make_null();
        self.reversible = 0;
    }

    /// Takes the last move (or null move) back. There must be one.
    #[inline]
    pub fn unmake(&mut self) {
        debug_assert!(!self.past.is_empty(), "no move to take back");
        if let Some((board, reversible)) = self.past.pop() {
            self.board = board;
            self.reversible = reversible;
            self.keys.pop();
        }
    }

    #[inline]
    fn remember(&mut self) {
        self.keys.push(self.board.key());
        self.past.push((self.board, self.reversible));
    }

    /// The key of the board `plies` plies ago, from 1.
    #[inline]
    fn key_before(&self, plies: usize) -> u64 {
        self.keys[self.keys.len() - plies]
    }

    /// Whether the search may call the position drawn `ply` plies after its root: by the fifty-move rule, insufficient
    /// material, or repetition. One earlier occurrence after the root is enough, since a side that can repeat once can
    /// do so again; of positions before the root two are needed, as in the rules.
    #[must_use]
    pub fn is_draw(&self, ply: usize) -> bool {
        self.is_repetition(ply) || self.is_fifty_moves() || self.is_insufficient_material()
    }

    /// The repetition part of [`is_draw`](Self::is_draw). With a `ply` of 0 it is the rule of the game: threefold.
    #[must_use]
    pub fn is_repetition(&self, ply: usize) -> bool {
        let key = self.key();
        let mut seen_in_game = false;
        for back in (4..=self.reversible).step_by(2) {
            if self.key_before(back) == key && (back < ply || std::mem::replace(&mut seen_in_game, true)) {
                return true;
            }
        }
        false
    }

    /// Whether the side to move, `ply` plies after the root, has a move after which
    /// [`is_repetition`](Self::is_repetition) of `ply + 1` is true. No move is generated to find out, and the answer is
    /// as reliable as the keys: a move that leads to a position of the game is legal, since that position was.
    #[must_use]
    pub fn upcoming_repetition(&self, ply: usize) -> bool {
        let key = self.key();
        (3..=self.reversible).step_by(2).any(|back| {
            let earlier = self.key_before(back);
            cuckoo::find(key ^ earlier).is_some_and(|(from, to)| {
                let mover = self.piece_on(from).or_else(|| self.piece_on(to));
                mover.is_some_and(|piece| piece.color() == self.side_to_move())
                    && (attacks::between(from, to) & self.occupied()).is_empty()
                    && (back < ply
                        || (back + 4..=self.reversible).step_by(2).any(|more| self.key_before(more) == earlier))
            })
        })
    }

    /// Whether each side has made fifty moves without a capture or pawn move, and the last of them did not mate.
    #[must_use]
    pub fn is_fifty_moves(&self) -> bool {
        self.halfmove_clock() >= 100 && (!self.in_check() || self.has_legal_moves())
    }

    /// How the game ended, if it did. Draws count as soon as a player could claim them.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        if !self.has_legal_moves() {
            let winner = self.side_to_move().other();
            return Some(if self.in_check() { Outcome::Checkmate { winner } } else { Outcome::Stalemate });
        }
        if self.is_insufficient_material() {
            Some(Outcome::InsufficientMaterial)
        } else if self.is_fifty_moves() {
            Some(Outcome::FiftyMoves)
        } else if self.is_repetition(0) {
            Some(Outcome::ThreefoldRepetition)
        } else {
            None
        }
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({} after {} plies)", self.board, self.plies())
    }
}
