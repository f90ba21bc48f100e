//! One position of the game, without its history: where the pieces stand, who moves, what is still allowed.
//!
//! `Board` is plain data and cheap to copy, so copy-make is all the undo there is. Every move updates checkers and
//! pins, because generation, legality and search all start from them. Invariants, kept by validation and `play`: one
//! king each, the side that just moved is not in check, and an en passant square is set only if a capture there is
//! legal.

mod checks;
mod legal;
mod make;
mod see;
mod start;
mod validate;

pub use checks::CheckInfo;
pub use make::{IllegalMove, Observer};
pub use see::SEE_VALUES;
pub use validate::{IllegalBoard, Setup};

use crate::attacks;
use crate::types::{Bitboard, CastlingRights, Color, File, Move, Piece, PieceKind, Square};
use crate::zobrist;

/// The state of the game at one moment.
///
/// ```
/// use stillwater_chess::{Board, Color, PieceKind, Square};
///
/// let board: Board = "4k3/8/8/8/8/8/4P3/4K2R w K - 0 1".parse()?;
/// assert_eq!(board.kind_on(Square::H1), Some(PieceKind::Rook));
/// assert_eq!(board.king(Color::Black), Square::E8);
/// let captures_and_promotions = board.legal_moves().iter().filter(|mv| mv.is_noisy()).count();
/// assert_eq!((board.legal_moves().len(), captures_and_promotions), (16, 0));
/// # Ok::<(), stillwater_chess::fen::FenError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Board {
    kinds: [Bitboard; 6],
    colors: [Bitboard; 2],
    squares: [Option<Piece>; 64],
    checkers: Bitboard,
    pinned: Bitboard,
    keys: Keys,
    castling: CastlingRights,
    side: Color,
    en_passant: Option<Square>,
    halfmove_clock: u16,
    fullmove_number: u16,
}

/// The Zobrist keys. Each piece belongs to exactly one of the three parts, so the full key is simply their XOR.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Keys {
    parts: [u64; 3], // pawns of both sides, White's pieces, Black's pieces
    minors: u64,
    state: u64, // side to move, castling, en passant
}

impl Keys {
    const PAWNS: usize = 0;

    #[inline]
    fn toggle(&mut self, piece: Piece, square: Square) {
        let word = zobrist::piece(piece, square);
        let part = match piece.kind() {
            PieceKind::Pawn => Keys::PAWNS,
            _ => 1 + piece.color().index(),
        };
        self.parts[part] ^= word;
        if matches!(piece.kind(), PieceKind::Knight | PieceKind::Bishop) {
            self.minors ^= word;
        }
    }
}

impl Board {
    /// The start position.
    #[must_use]
    pub fn start() -> Board {
        Board::chess960(518, 518).unwrap_or_else(|| unreachable!("518 is the number of the classical start position"))
    }

    /// The pieces of this kind, of both sides.
    #[inline]
    #[must_use]
    pub fn kind(&self, kind: PieceKind) -> Bitboard {
        self.kinds[kind.index()]
    }

    /// The pieces of this side.
    #[inline]
    #[must_use]
    pub fn color(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// The pieces of this side and kind.
    #[inline]
    #[must_use]
    pub fn pieces(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.color(color) & self.kind(kind)
    }

    /// All occupied squares.
    #[inline]
    #[must_use]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// The bishops and queens of either side.
    #[inline]
    #[must_use]
    pub fn diagonal_sliders(&self) -> Bitboard {
        self.kind(PieceKind::Bishop) | self.kind(PieceKind::Queen)
    }

    /// The rooks and queens of either side.
    #[inline]
    #[must_use]
    pub fn straight_sliders(&self) -> Bitboard {
        self.kind(PieceKind::Rook) | self.kind(PieceKind::Queen)
    }

    /// The piece on a square.
    #[inline]
    #[must_use]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.squares[square.index()]
    }

    /// The kind of the piece on a square.
    #[inline]
    #[must_use]
    pub fn kind_on(&self, square: Square) -> Option<PieceKind> {
        self.piece_on(square).map(Piece::kind)
    }

    /// The square of this side's king.
    #[inline]
    #[must_use]
    pub fn king(&self, color: Color) -> Square {
        self.pieces(color, PieceKind::King).first_unchecked()
    }

    /// The side to move.
    #[inline]
    #[must_use]
    pub fn side_to_move(&self) -> Color {
        self.side
    }

    /// The castling rights.
    #[inline]
    #[must_use]
    pub fn castling(&self) -> CastlingRights {
        self.castling
    }

    /// Whether every castling right is one of classical chess: the king on the e-file, the rook in a corner. Then
    /// castling can be written as the king's two steps without ambiguity; see [`Move::uci`].
    #[must_use]
    pub fn is_classical_castling(&self) -> bool {
        let corners = File::A.bitboard() | File::H.bitboard();
        Color::ALL.into_iter().all(|color| {
            let rooks = self.castling.of(color);
            rooks.is_empty() || (self.king(color).file() == File::E && (rooks - corners).is_empty())
        })
    }

    /// The square of a legal en passant capture, if there is one.
    #[inline]
    #[must_use]
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Plies since the last capture or pawn move. It stops at its largest value.
    #[inline]
    #[must_use]
    pub fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// The number of the move about to be played, from 1. It stops at its largest value.
    #[inline]
    #[must_use]
    pub fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    /// The pieces that give check.
    #[inline]
    #[must_use]
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Whether the side to move is in check.
    #[inline]
    #[must_use]
    pub fn in_check(&self) -> bool {
        self.checkers.any()
    }

    /// The pinned pieces of the side to move.
    #[inline]
    #[must_use]
    pub fn pinned(&self) -> Bitboard {
        self.pinned
    }

    /// The key of the whole position: equal for positions with the same pieces, side to move, castling rights and legal
    /// en passant capture, whatever the move counters.
    #[inline]
    #[must_use]
    pub fn key(&self) -> u64 {
        let [pawns, white, black] = self.keys.parts;
        pawns ^ white ^ black ^ self.keys.state
    }

    /// The key of the pawns of both sides.
    #[inline]
    #[must_use]
    pub fn pawn_key(&self) -> u64 {
        self.keys.parts[Keys::PAWNS]
    }

    /// The key of the knights and bishops of both sides.
    #[inline]
    #[must_use]
    pub fn minor_key(&self) -> u64 {
        self.keys.minors
    }

    /// The key of one side's pieces other than pawns, king included.
    #[inline]
    #[must_use]
    pub fn non_pawn_key(&self, color: Color) -> u64 {
        self.keys.parts[1 + color.index()]
    }

    /// Whether the side has a piece besides king and pawns: without one, zugzwang is a danger.
    #[inline]
    #[must_use]
    pub fn has_non_pawns(&self, color: Color) -> bool {
        (self.color(color) - self.kind(PieceKind::Pawn) - self.kind(PieceKind::King)).any()
    }

    /// The piece a move captures.
    #[inline]
    #[must_use]
    pub fn captured(&self, mv: Move) -> Option<PieceKind> {
        if mv.is_capture() { self.kind_on(mv.capture_square()) } else { None }
    }

    /// Whether neither side can ever mate: bare kings, a lone knight, or bishops all on squares of one color.
    #[must_use]
    pub fn is_insufficient_material(&self) -> bool {
        let kings = self.kind(PieceKind::King);
        let bishops = self.kind(PieceKind::Bishop);
        match self.occupied() - kings {
            rest if rest == bishops => (bishops & Bitboard::LIGHT).is_empty() || (bishops - Bitboard::LIGHT).is_empty(),
            rest => rest == self.kind(PieceKind::Knight) && rest.len() == 1,
        }
    }

    /// The pieces of both sides that attack `square`, given the occupied squares.
    #[inline]
    #[must_use]
    pub fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        (attacks::pawn(Color::White, square) & self.pieces(Color::Black, PieceKind::Pawn))
            | (attacks::pawn(Color::Black, square) & self.pieces(Color::White, PieceKind::Pawn))
            | (attacks::knight(square) & self.kind(PieceKind::Knight))
            | (attacks::king(square) & self.kind(PieceKind::King))
            | self.sliders_to(square, occupied)
    }

    /// The sliders of both sides that attack `square`, given the occupied squares.
    #[inline]
    #[must_use]
    pub fn sliders_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        (attacks::bishop(square, occupied) & self.diagonal_sliders())
            | (attacks::rook(square, occupied) & self.straight_sliders())
    }

    /// All squares that `color` attacks, given the occupied squares.
    #[inline]
    #[must_use]
    pub fn attacked_by(&self, color: Color, occupied: Bitboard) -> Bitboard {
        let ours = self.color(color);
        let mut attacked = attacks::pawns(color, ours & self.kind(PieceKind::Pawn)) | attacks::king(self.king(color));
        for from in ours & self.kind(PieceKind::Knight) {
            attacked |= attacks::knight(from);
        }
        for from in ours & self.diagonal_sliders() {
            attacked |= attacks::bishop(from, occupied);
        }
        for from in ours & self.straight_sliders() {
            attacked |= attacks::rook(from, occupied);
        }
        attacked
    }

    #[inline]
    fn toggle(&mut self, piece: Piece, square: Square) {
        self.kinds[piece.kind().index()] ^= square.bitboard();
        self.colors[piece.color().index()] ^= square.bitboard();
        self.keys.toggle(piece, square);
    }

    #[inline]
    fn put(&mut self, piece: Piece, square: Square) {
        self.toggle(piece, square);
        self.squares[square.index()] = Some(piece);
    }

    #[inline]
    fn remove(&mut self, piece: Piece, square: Square) {
        self.toggle(piece, square);
        self.squares[square.index()] = None;
    }

    /// Computes checkers and pins for the side to move.
    #[inline]
    fn update_checks(&mut self) {
        let us = self.side;
        let king = self.king(us);
        let theirs = self.color(us.other());
        let occupied = self.occupied();
        let leapers = (attacks::pawn(us, king) & self.kind(PieceKind::Pawn))
            | (attacks::knight(king) & self.kind(PieceKind::Knight));
        let (sliders, blockers) = self.aim_at(king, theirs, occupied);
        self.checkers = (leapers & theirs) | sliders;
        self.pinned = blockers & self.color(us);
    }

    /// The sliders among `attackers` that attack `target`, and every piece that alone blocks one of them.
    #[inline]
    fn aim_at(&self, target: Square, attackers: Bitboard, occupied: Bitboard) -> (Bitboard, Bitboard) {
        let aligned = (attacks::bishop_rays(target) & self.diagonal_sliders())
            | (attacks::rook_rays(target) & self.straight_sliders());
        let (mut direct, mut blockers) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for slider in aligned & attackers {
            let obstacles = attacks::between(target, slider) & occupied;
            if obstacles.is_empty() {
                direct |= slider.bitboard();
            } else if !obstacles.is_several() {
                blockers |= obstacles;
            }
        }
        (direct, blockers)
    }
}
