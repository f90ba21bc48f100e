//! Knights, bishops, rooks and queens: mobility and good squares. One pass over each kind computes the attacks of every
//! piece once and keeps them in the field for the terms that follow.

use chess::{Bitboard, Color, PieceKind, Rank, attacks};

use super::field::Field;
use super::packed::S;
use super::pawns::{OUTPOST_RANKS, PawnEntry};
use super::sets::{CENTER, CENTER_FILES, distance, own_rank, seen_by};
use super::trace::Trace;
use super::weights::{
    BEHIND_PAWN, BISHOP_MOBILITY, BISHOP_PAIR, BISHOP_PAWNS, KING_PROTECTOR, KNIGHT_MOBILITY, LONG_DIAGONAL,
    NEAR_OUTPOST, OUTPOST, QUEEN_MOBILITY, ROOK_FILE, ROOK_MOBILITY, ROOK_SEVENTH, ROOK_TRAPPED,
};

/// Everything about the pieces of `us`.
#[inline(always)]
pub(super) fn evaluate(field: &mut Field<'_>, us: Color, pawns: &PawnEntry, trace: &mut impl Trace) -> S {
    minors(field, us, pawns, trace) + rooks(field, us, trace) + queens(field, us, trace)
}

#[inline(always)]
fn minors(field: &mut Field<'_>, us: Color, pawns: &PawnEntry, trace: &mut impl Trace) -> S {
    let mut score = S::ZERO;
    let board = field.board;
    let ring = field.side(!us).ring;
    let all_pawns = board.kind(PieceKind::Pawn);
    let through = field.occupied ^ board.kind(PieceKind::Queen);
    let ours = board.color(us);
    let side = &mut field.sides[us.index()];
    let outposts = seen_by(us, OUTPOST_RANKS) & (side.by(PieceKind::Pawn) - pawns.reach[(!us).index()]);
    let knights = board.pieces(us, PieceKind::Knight);
    let bishops = board.pieces(us, PieceKind::Bishop);

    for square in knights {
        let attacked = attacks::knight(square);
        side.add(PieceKind::Knight, attacked, ring);
        score += trace.once(us, KNIGHT_MOBILITY, (attacked & side.area).len());
        score += trace.count(us, KING_PROTECTOR, 0, distance(square, side.king));
        if (attacked & (outposts - ours)).any() && !outposts.has(square) {
            score += trace.once(us, NEAR_OUTPOST, 0);
        }
    }
    for square in bishops {
        let attacked = attacks::bishop(square, through);
        side.add(PieceKind::Bishop, attacked, ring);
        score += trace.once(us, BISHOP_MOBILITY, (attacked & side.area).len());
        score += trace.count(us, KING_PROTECTOR, 1, distance(square, side.king));
        let same_color = if Bitboard::LIGHT.has(square) { Bitboard::LIGHT } else { !Bitboard::LIGHT };
        let blocked = side.pawns & field.occupied.forward(!us) & CENTER_FILES;
        let bad = (side.pawns & same_color).len() * (1 + blocked.len());
        score += trace.count(us, BISHOP_PAWNS, 0, bad as i32);
        if (attacks::bishop(square, all_pawns) & CENTER).is_several() {
            score += trace.once(us, LONG_DIAGONAL, 0);
        }
    }
    score += trace.count(us, OUTPOST, 0, (knights & outposts).len() as i32);
    score += trace.count(us, OUTPOST, 1, (bishops & outposts).len() as i32);
    score += trace.count(us, BEHIND_PAWN, 0, ((knights | bishops) & all_pawns.forward(!us)).len() as i32);
    if bishops.is_several() {
        score += trace.once(us, BISHOP_PAIR, 0);
    }
    score
}

#[inline(always)]
fn rooks(field: &mut Field<'_>, us: Color, trace: &mut impl Trace) -> S {
    let mut score = S::ZERO;
    let board = field.board;
    let rooks = board.pieces(us, PieceKind::Rook);
    let through = field.occupied ^ board.kind(PieceKind::Queen) ^ rooks;
    let (ring, enemy_pawns, enemy_king) = (field.side(!us).ring, field.side(!us).pawns, field.side(!us).king);
    let side = &mut field.sides[us.index()];
    let seventh = seen_by(us, Rank::Seventh.bitboard());

    for square in rooks {
        let attacked = attacks::rook(square, through);
        side.add(PieceKind::Rook, attacked, ring);
        let mobility = (attacked & side.area).len();
        score += trace.once(us, ROOK_MOBILITY, mobility);
        let file = square.file().bitboard();
        if (file & side.pawns).is_empty() {
            score += trace.once(us, ROOK_FILE, usize::from((file & enemy_pawns).is_empty()));
        } else if mobility <= 3 {
            // Shut in: the king stands between this rook and the center.
            let (king, rook) = (side.king.file(), square.file());
            if (king.index() < 4) == (rook < king) {
                let may_not = usize::from(board.castling().of(us).is_empty());
                score += trace.once(us, ROOK_TRAPPED, may_not);
            }
        }
    }
    let on_seventh = rooks & seventh;
    if on_seventh.any() && ((enemy_pawns & seventh).any() || own_rank(us, enemy_king) == 7) {
        score += trace.count(us, ROOK_SEVENTH, 0, on_seventh.len() as i32);
    }
    score
}

#[inline(always)]
fn queens(field: &mut Field<'_>, us: Color, trace: &mut impl Trace) -> S {
    let mut score = S::ZERO;
    let ring = field.side(!us).ring;
    let side = &mut field.sides[us.index()];
    for square in field.board.pieces(us, PieceKind::Queen) {
        let attacked = attacks::queen(square, field.occupied);
        side.add(PieceKind::Queen, attacked, ring);
        score += trace.once(us, QUEEN_MOBILITY, (attacked & side.area).len());
    }
    score
}
