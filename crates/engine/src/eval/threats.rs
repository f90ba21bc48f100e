//! Threats: what may be won in the next move or two; and space, the room to prepare such moves. Telling firmly from
//! weakly defended pieces is Stockfish's idea.

use chess::{Bitboard, Color, PieceKind, Rank, attacks};

use super::field::Field;
use super::packed::S;
use super::sets::{CENTER_FILES, seen_by};
use super::trace::Trace;
use super::weights::{HANGING, KING_THREAT, MINOR_THREAT, PAWN_THREAT, PUSH_THREAT, RESTRICTED, ROOK_THREAT, SPACE};

const PIECES: [PieceKind; 4] = [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];

/// What `us` threatens.
#[inline(always)]
pub(super) fn evaluate(field: &Field<'_>, us: Color, trace: &mut impl Trace) -> S {
    let mut score = S::ZERO;
    let (side, enemy) = (field.side(us), field.side(!us));
    let board = field.board;
    let theirs = board.color(!us);
    let their_pieces = theirs - board.kind(PieceKind::Pawn) - board.kind(PieceKind::King);

    // Firmly defended: by a pawn, or twice against one attacker.
    let firm = enemy.by(PieceKind::Pawn) | (enemy.twice - side.twice);
    let weak = (theirs - firm) & side.all;
    let worth_a_minor = (their_pieces & firm) | weak;

    let by_minors = (side.by(PieceKind::Knight) | side.by(PieceKind::Bishop)) & worth_a_minor;
    let by_rooks = side.by(PieceKind::Rook) & weak;
    if (by_minors | by_rooks).any() {
        for (index, kind) in PieceKind::ALL.into_iter().take(5).enumerate() {
            let victims = board.kind(kind);
            score += trace.count(us, MINOR_THREAT, index, (by_minors & victims).len() as i32);
            score += trace.count(us, ROOK_THREAT, index, (by_rooks & victims).len() as i32);
        }
    }
    if (weak & side.by(PieceKind::King)).any() {
        score += trace.once(us, KING_THREAT, 0);
    }
    let hanging = weak & (!enemy.all | (their_pieces & side.twice));
    score += trace.count(us, HANGING, 0, hanging.len() as i32);
    let restricted = enemy.all & (side.all - firm);
    score += trace.count(us, RESTRICTED, 0, restricted.len() as i32);

    // Pawns: those on the board first, then those that could safely step forward.
    let safe = side.all | !enemy.all;
    let by_pawns = attacks::pawns(us, side.pawns & safe) & their_pieces;
    if by_pawns.any() {
        for (index, kind) in PIECES.into_iter().enumerate() {
            score += trace.count(us, PAWN_THREAT, index, (by_pawns & board.kind(kind)).len() as i32);
        }
    }
    let empty = !field.occupied;
    let one_step = side.pawns.forward(us) & empty;
    let two_steps = (one_step & seen_by(us, Rank::Third.bitboard())).forward(us) & empty;
    let steps = (one_step | two_steps) & (safe - enemy.by(PieceKind::Pawn));
    let by_pushes = attacks::pawns(us, steps) & (their_pieces - side.by(PieceKind::Pawn));
    score + trace.count(us, PUSH_THREAT, 0, by_pushes.len() as i32)
}

/// How much room `us` has behind its center; worth counting while there are many pieces to use it.
#[inline(always)]
pub(super) fn space(field: &Field<'_>, us: Color, trace: &mut impl Trace) -> S {
    const HOME: Bitboard = Bitboard(Rank::Second.bitboard().0 | Rank::Third.bitboard().0 | Rank::Fourth.bitboard().0);
    let (side, enemy) = (field.side(us), field.side(!us));
    let safe = (CENTER_FILES & seen_by(us, HOME)) - side.pawns - enemy.by(PieceKind::Pawn);
    let behind_one = side.pawns | side.pawns.forward(!us);
    let behind = behind_one | behind_one.forward(!us).forward(!us);
    let room = safe.len() + (safe & (behind - enemy.all)).len();
    let pieces = field.board.color(us).len() as i32 - 2;
    trace.count(us, SPACE, 0, room as i32 * pieces * pieces / 32)
}
