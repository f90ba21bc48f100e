//! Playing a move.

use std::fmt;

use super::Board;
use crate::types::{Bitboard, Color, Move, Piece, PieceKind, Square};
use crate::zobrist;

/// Follows the pieces as moves are played: the network's accumulators, or an incremental evaluation. The rules do not
/// depend on it. `()` follows nothing.
///
/// What an observer may rely on, for each move made:
/// - All removals come before all additions, and there are at most two of each.
/// - A capture removes its victim first, then the moving piece, and adds that.
/// - A promotion removes the pawn and adds the new piece.
/// - Castling removes king and rook and adds king and rook, even if one ends where it stood.
/// - A null move and taking a move back report nothing: an observer that needs its past must keep it.
pub trait Observer {
    /// A piece left a square.
    fn removed(&mut self, piece: Piece, square: Square);
    /// A piece came to a square.
    fn added(&mut self, piece: Piece, square: Square);
}

impl Observer for () {
    #[inline]
    fn removed(&mut self, _: Piece, _: Square) {}
    #[inline]
    fn added(&mut self, _: Piece, _: Square) {}
}

/// A move that cannot be played on the board it was meant for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IllegalMove(pub Move);

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not a legal move here", self.0.uci(true))
    }
}

impl std::error::Error for IllegalMove {}

impl Board {
    /// The board after a legal move.
    #[inline]
    #[must_use]
    pub fn after(&self, mv: Move) -> Board {
        let mut next = *self;
        next.play(mv);
        next
    }

    /// Plays a legal move.
    #[inline]
    pub fn play(&mut self, mv: Move) {
        self.play_with(mv, &mut ());
    }

    /// Plays a move if it is legal; if not, nothing changes.
    pub fn try_play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        if !self.is_playable(mv) {
            return Err(IllegalMove(mv));
        }
        self.play(mv);
        Ok(())
    }

    /// Plays a legal move and reports to `observer` which pieces are removed and added.
    #[inline]
    pub fn play_with(&mut self, mv: Move, observer: &mut impl Observer) {
        let us = self.side;
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.piece_on(from) else {
            debug_assert!(false, "no piece to move on {from}");
            return;
        };
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        self.clear_en_passant();

        if mv.is_castle() {
            self.make_castle(mv, observer);
        } else {
            if mv.is_capture() {
                let square = mv.capture_square();
                if let Some(victim) = self.piece_on(square) {
                    self.remove(victim, square);
                    observer.removed(victim, square);
                }
                self.halfmove_clock = 0;
            }
            self.remove(piece, from);
            observer.removed(piece, from);
            let arriving = mv.promotion().map_or(piece, |kind| Piece::new(us, kind));
            self.put(arriving, to);
            observer.added(arriving, to);
        }

        let touched = match piece.kind() {
            PieceKind::Pawn => {
                self.halfmove_clock = 0;
                to.bitboard()
            }
            PieceKind::King => us.back_rank().bitboard() | to.bitboard(),
            _ => from.bitboard() | to.bitboard(),
        };
        self.lose_castling(touched);
        self.pass_turn();
        if mv.is_double_push() {
            self.set_en_passant(Square::from_index(to.index() ^ 8));
        }
    }

    /// Lets the side to move pass. It must not be in check.
    #[inline]
    pub fn make_null(&mut self) {
        debug_assert!(!self.in_check());
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        self.clear_en_passant();
        self.pass_turn();
    }

    /// The key of the board after a legal move, without playing it. Exact unless the move makes an en passant capture
    /// possible: good enough to prefetch a hash entry.
    #[inline]
    #[must_use]
    pub fn key_after(&self, mv: Move) -> u64 {
        let us = self.side;
        let mut key = self.key_after_null();
        let Some(piece) = self.piece_on(mv.from()) else { return key };
        let mut toggle = |piece, square| key ^= zobrist::piece(piece, square);
        toggle(piece, mv.from());
        if mv.is_castle() {
            let (side, rook) = (mv.castling_side(), Piece::new(us, PieceKind::Rook));
            toggle(piece, side.king_target(us));
            toggle(rook, mv.to());
            toggle(rook, side.rook_target(us));
        } else {
            if let Some(victim) = self.piece_on(mv.capture_square())
                && mv.is_capture()
            {
                toggle(victim, mv.capture_square());
            }
            toggle(mv.promotion().map_or(piece, |kind| Piece::new(us, kind)), mv.to());
        }
        let mut lost = mv.from().bitboard() | mv.to().bitboard();
        if piece.kind() == PieceKind::King {
            lost |= us.back_rank().bitboard();
        }
        let lost = lost & self.castling.rooks();
        if lost.any() { key ^ zobrist::castling(lost) } else { key }
    }

    /// The key of the board after a null move, without making it. Always exact.
    #[inline]
    #[must_use]
    pub fn key_after_null(&self) -> u64 {
        let key = self.key() ^ zobrist::side();
        self.en_passant.map_or(key, |square| key ^ zobrist::en_passant(square.file()))
    }

    /// In Chess960 king and rook may swap squares or stand on each other's targets: both leave before either arrives.
    #[inline(never)]
    fn make_castle(&mut self, mv: Move, observer: &mut impl Observer) {
        let us = self.side;
        let side = mv.castling_side();
        let (king, rook) = (Piece::new(us, PieceKind::King), Piece::new(us, PieceKind::Rook));
        for (piece, square) in [(king, mv.from()), (rook, mv.to())] {
            self.remove(piece, square);
            observer.removed(piece, square);
        }
        for (piece, square) in [(king, side.king_target(us)), (rook, side.rook_target(us))] {
            self.put(piece, square);
            observer.added(piece, square);
        }
    }

    #[inline]
    fn clear_en_passant(&mut self) {
        if let Some(square) = self.en_passant.take() {
            self.keys.state ^= zobrist::en_passant(square.file());
        }
    }

    /// Sets the en passant square, if the side to move can legally capture there.
    #[inline]
    pub(super) fn set_en_passant(&mut self, square: Square) {
        if self.en_passant_capturers(square).into_iter().any(|from| self.is_en_passant_legal(from, square)) {
            self.en_passant = Some(square);
            self.keys.state ^= zobrist::en_passant(square.file());
        }
    }

    #[inline]
    fn lose_castling(&mut self, touched: Bitboard) {
        let lost = self.castling.remove(touched);
        if lost.any() {
            self.keys.state ^= zobrist::castling(lost);
        }
    }

    #[inline]
    fn pass_turn(&mut self) {
        if self.side == Color::Black {
            self.fullmove_number = self.fullmove_number.saturating_add(1);
        }
        self.side = self.side.other();
        self.keys.state ^= zobrist::side();
        self.update_checks();
    }
}
