//! Legal move generation.
//!
//! The one idea: the generator does not produce moves but *sets of targets*, and hands them to a sink. One sink pushes
//! a move for each target into a list, another only counts them, so search and bulk-counting perft share this code. All
//! moves are legal: pinned pieces stay on their line, and in check every target captures the checker or blocks it.

use crate::attacks;
use crate::board::{Board, CheckInfo};
use crate::types::{Bitboard, Move, MoveKind, MoveList, PieceKind, Rank, Square};

/// Receives the moves that the generator finds. A list need only take one move at a time; a sink that can do better
/// with a whole set of targets, such as a counter, overrides the other methods.
pub trait Sink {
    /// Takes one move.
    fn push(&mut self, mv: Move);

    /// A piece other than a pawn may move from `from` to each of `quiets`, and capture on each of `captures`.
    #[inline]
    fn piece(&mut self, from: Square, quiets: Bitboard, captures: Bitboard) {
        for to in captures {
            self.push(Move::new(from, to, MoveKind::Capture));
        }
        for to in quiets {
            self.push(Move::new(from, to, MoveKind::Quiet));
        }
    }

    /// A pawn may move to each of `targets`, from the square `step` numbers before it.
    #[inline]
    fn pawns(&mut self, targets: Bitboard, step: i8, kind: MoveKind) {
        for to in targets {
            self.push(Move::new(to.offset(-step), to, kind));
        }
    }

    /// A pawn may move to each of `targets`, from the square `step` numbers before it, and promote.
    #[inline]
    fn promotions(&mut self, targets: Bitboard, step: i8, capture: bool) {
        for to in targets {
            for kind in [PieceKind::Queen, PieceKind::Knight, PieceKind::Rook, PieceKind::Bishop] {
                self.push(Move::new(to.offset(-step), to, MoveKind::promotion(kind, capture)));
            }
        }
    }

    /// One move that belongs to no set: castling or en passant.
    #[inline]
    fn special(&mut self, mv: Move) {
        self.push(mv);
    }
}

impl Sink for MoveList {
    #[inline]
    fn push(&mut self, mv: Move) {
        MoveList::push(self, mv);
    }
}

/// A sink that only counts.
#[derive(Default)]
struct Counter(usize);

impl Sink for Counter {
    #[inline]
    fn push(&mut self, _: Move) {
        self.0 += 1;
    }

    #[inline]
    fn piece(&mut self, _: Square, quiets: Bitboard, captures: Bitboard) {
        self.0 += (quiets | captures).len();
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, _: i8, _: MoveKind) {
        self.0 += targets.len();
    }

    #[inline]
    fn promotions(&mut self, targets: Bitboard, _: i8, _: bool) {
        self.0 += 4 * targets.len();
    }
}

impl Board {
    /// All legal moves.
    #[must_use]
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate_all(&mut list);
        list
    }

    /// How many legal moves there are.
    #[must_use]
    pub fn count_legal_moves(&self) -> usize {
        let mut counter = Counter::default();
        self.generate_all(&mut counter);
        counter.0
    }

    /// Whether there is any legal move.
    #[must_use]
    pub fn has_legal_moves(&self) -> bool {
        self.count_legal_moves() > 0
    }

    /// All legal moves.
    #[inline]
    pub fn generate_all(&self, sink: &mut impl Sink) {
        self.generate::<true, true>(sink);
    }

    /// The legal captures and promotions.
    #[inline]
    pub fn generate_noisy(&self, sink: &mut impl Sink) {
        self.generate::<true, false>(sink);
    }

    /// The legal moves that neither capture nor promote.
    #[inline]
    pub fn generate_quiet(&self, sink: &mut impl Sink) {
        self.generate::<false, true>(sink);
    }

    /// All legal moves of a side in check.
    #[inline]
    pub fn generate_evasions(&self, sink: &mut impl Sink) {
        debug_assert!(self.in_check());
        self.generate::<true, true>(sink);
    }

    /// The legal quiet moves that give check, for a side not in check itself; `info` is this board's.
    pub fn generate_quiet_checks(&self, info: &CheckInfo, sink: &mut impl Sink) {
        debug_assert!(!self.in_check());
        let ours = self.color(self.side_to_move());
        let king = self.king(self.side_to_move());
        let empty = !self.occupied();
        for kind in PieceKind::ALL {
            for from in self.kind(kind) & ours {
                let mut targets = info.squares(kind);
                if info.discoverers().has(from) {
                    targets |= !attacks::line(info.king, from);
                }
                if self.pinned().has(from) {
                    targets &= attacks::line(king, from);
                }
                targets &= empty;
                match kind {
                    _ if targets.is_empty() => {}
                    PieceKind::Pawn => self.pawn_moves::<false, true>(from.bitboard(), targets, sink),
                    PieceKind::King => {
                        sink.piece(from, self.safe_for_king(attacks::king(from) & targets), Bitboard::EMPTY)
                    }
                    _ => {
                        let attacked = attacks::of(kind, self.side_to_move(), from, self.occupied());
                        sink.piece(from, attacked & targets, Bitboard::EMPTY);
                    }
                }
            }
        }
        for rook in self.castling().of(self.side_to_move()) {
            let mv = Move::new(king, rook, MoveKind::Castle);
            if self.is_castling_way_free(king, rook) && self.is_castling_safe(king, rook) && self.gives_check(mv, info)
            {
                sink.special(mv);
            }
        }
    }

    #[inline]
    fn generate<const NOISY: bool, const QUIET: bool>(&self, sink: &mut impl Sink) {
        let us = self.side_to_move();
        let king = self.king(us);
        let occupied = self.occupied();
        let ours = self.color(us);
        let enemies = if NOISY { self.color(us.other()) } else { Bitboard::EMPTY };
        let empty = if QUIET { !occupied } else { Bitboard::EMPTY };

        if !self.checkers().is_several() {
            let allowed = self.evasion_targets();
            let (quiets, captures) = (empty & allowed, enemies & allowed);
            let pinned = self.pinned();
            let free = ours - pinned;

            let pawns = self.kind(PieceKind::Pawn);
            self.pawn_moves::<NOISY, QUIET>(pawns & free, allowed, sink);
            for from in pawns & pinned {
                self.pawn_moves::<NOISY, QUIET>(from.bitboard(), allowed & attacks::line(king, from), sink);
            }
            if NOISY && let Some(to) = self.en_passant() {
                for from in self.en_passant_capturers(to) {
                    if self.is_en_passant_legal(from, to) {
                        sink.special(Move::new(from, to, MoveKind::EnPassant));
                    }
                }
            }

            for from in self.kind(PieceKind::Knight) & free {
                let targets = attacks::knight(from);
                sink.piece(from, targets & quiets, targets & captures);
            }
            for from in self.diagonal_sliders() & free {
                let targets = attacks::bishop(from, occupied);
                sink.piece(from, targets & quiets, targets & captures);
            }
            for from in self.straight_sliders() & free {
                let targets = attacks::rook(from, occupied);
                sink.piece(from, targets & quiets, targets & captures);
            }
            for from in self.diagonal_sliders() & pinned {
                let targets = attacks::bishop(from, occupied) & attacks::line(king, from);
                sink.piece(from, targets & quiets, targets & captures);
            }
            for from in self.straight_sliders() & pinned {
                let targets = attacks::rook(from, occupied) & attacks::line(king, from);
                sink.piece(from, targets & quiets, targets & captures);
            }

            if QUIET && self.checkers().is_empty() {
                for rook in self.castling().of(us) {
                    if self.is_castling_way_free(king, rook) && self.is_castling_safe(king, rook) {
                        sink.special(Move::new(king, rook, MoveKind::Castle));
                    }
                }
            }
        }

        let targets = attacks::king(king) & (empty | enemies);
        if targets.any() {
            let safe = self.safe_for_king(targets);
            sink.piece(king, safe & empty, safe & enemies);
        }
    }

    /// The squares of `targets` on which the king of the side to move would not be in check.
    #[inline]
    fn safe_for_king(&self, targets: Bitboard) -> Bitboard {
        if targets.is_empty() {
            return targets;
        }
        let us = self.side_to_move();
        // Sliders see through the king: it cannot hide behind itself.
        targets - self.attacked_by(us.other(), self.occupied() ^ self.king(us).bitboard())
    }

    /// The moves of a set of pawns that end on `allowed`, except en passant.
    #[inline]
    fn pawn_moves<const NOISY: bool, const QUIET: bool>(
        &self,
        pawns: Bitboard,
        allowed: Bitboard,
        sink: &mut impl Sink,
    ) {
        let us = self.side_to_move();
        let step = us.forward();
        let last_rank = Rank::Eighth.relative_to(us).bitboard();
        let ahead = pawns.forward(us);
        let single = ahead - self.occupied();

        if QUIET {
            let double = (single & Rank::Third.relative_to(us).bitboard()).forward(us) - self.occupied();
            sink.pawns((single & allowed) - last_rank, step, MoveKind::Quiet);
            sink.pawns(double & allowed, 2 * step, MoveKind::DoublePush);
        }
        if NOISY {
            let victims = self.color(us.other()) & allowed;
            let (west, east) = (ahead.west() & victims, ahead.east() & victims);
            sink.pawns(west - last_rank, step - 1, MoveKind::Capture);
            sink.pawns(east - last_rank, step + 1, MoveKind::Capture);
            if (ahead & last_rank).any() {
                sink.promotions(west & last_rank, step - 1, true);
                sink.promotions(east & last_rank, step + 1, true);
                sink.promotions(single & allowed & last_rank, step, false);
            }
        }
    }
}
