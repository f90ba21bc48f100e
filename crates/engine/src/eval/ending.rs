//! Endings: how much there is to play for, which advantages win nothing, and how to mate a lone king. These parts are
//! not sums of weights; they scale or adjust the sum of the other terms.

use chess::{Bitboard, Board, Color, File, PieceKind, Square, attacks};

use super::field::Field;
use super::kpk;
use super::pawns::PawnEntry;
use super::sets::{QUEEN_WING, distance, file_distance, own_rank, rank_distance};
use super::trace::Trace;
use super::weights::{
    COMPLEX_BASE, COMPLEX_OUTFLANKING, COMPLEX_PASSED, COMPLEX_PAWN_ENDING, COMPLEX_PAWNS, COMPLEX_WINGS,
    KNOWN_PROMOTION, KNOWN_WIN, MOP_UP, MOP_UP_CORNER, MOP_UP_ROOM,
};

/// The scale factor of a position in which the whole advantage counts.
pub(super) const FULL_SCALE: i32 = 64;

/// What the complexity of the position adds to the endgame score `end`, White's minus Black's: simple positions are
/// drawn more often, so the advantage shrinks, but it never changes hands. The idea is Stockfish's.
#[inline(always)]
pub(super) fn complexity(field: &Field<'_>, pawns: &PawnEntry, end: i32, trace: &mut impl Trace) -> i32 {
    let board = field.board;
    let all = board.kind(PieceKind::Pawn);
    let [white, black] = [field.side(Color::White).king, field.side(Color::Black).king];
    let wings = (all & QUEEN_WING).any() && (all - QUEEN_WING).any();
    let pieces = board.occupied() - all - board.kind(PieceKind::King);
    let mut add = |table, count| trace.count(Color::White, table, 0, count).end();
    let total = add(COMPLEX_BASE, 1)
        + add(COMPLEX_PASSED, pawns.passed.len() as i32)
        + add(COMPLEX_PAWNS, all.len() as i32)
        + add(COMPLEX_OUTFLANKING, file_distance(white, black) - rank_distance(white, black))
        + add(COMPLEX_WINGS, i32::from(wings))
        + add(COMPLEX_PAWN_ENDING, i32::from(pieces.is_empty()));
    end.signum() * total.max(-end.abs())
}

/// How much of the score counts, in 64ths, if `strong` is ahead.
#[inline(always)]
pub(super) fn scale(board: &Board, strong: Color) -> i32 {
    let pawns = board.pieces(strong, PieceKind::Pawn);
    if pawns.is_empty() {
        return scale_without_pawns(board, strong);
    }
    let weak = !strong;
    let bishops = board.kind(PieceKind::Bishop);
    let pieces = board.occupied() - board.kind(PieceKind::Pawn) - board.kind(PieceKind::King);
    let light = bishops & Bitboard::LIGHT;
    let opposite = bishops.len() == 2
        && !light.is_several()
        && light.any()
        && (bishops & board.color(strong)).any()
        && (bishops & board.color(weak)).any();
    if opposite && pieces == bishops {
        // A single passed pawn can be blocked for good; two that are far apart cannot.
        return 20 + 4 * (pawns.len() as i32).min(6);
    }
    if is_wrong_corner(board, strong, pawns, pieces) {
        return 0;
    }
    let few = 38 + if opposite { 4 } else { 8 } * pawns.len() as i32;
    if is_level_rook_ending(board, strong, pieces) { few.min(36) } else { few.min(FULL_SCALE) }
}

/// The worth of one side's pieces in rounded centipawns, good enough to tell which advantages mate.
fn worth(board: &Board, us: Color) -> i32 {
    let count = |kind| board.pieces(us, kind).len() as i32;
    325 * (count(PieceKind::Knight) + count(PieceKind::Bishop))
        + 500 * count(PieceKind::Rook)
        + 950 * count(PieceKind::Queen)
}

/// Without pawns, an extra minor piece does not win; two knights alone cannot even force mate.
#[cold]
fn scale_without_pawns(board: &Board, strong: Color) -> i32 {
    let (ours, theirs) = (worth(board, strong), worth(board, !strong));
    let knights = board.pieces(strong, PieceKind::Knight);
    if ours < 500 || (ours == 650 && knights.len() == 2) {
        0
    } else if ours - theirs > 330 {
        FULL_SCALE
    } else if theirs <= 330 {
        4
    } else {
        14
    }
}

/// Whether only rook pawns are left, the bishop, if any, does not control the corner, and the enemy king does.
fn is_wrong_corner(board: &Board, strong: Color, pawns: Bitboard, pieces: Bitboard) -> bool {
    let bishops = pieces & board.color(strong);
    if bishops != board.pieces(strong, PieceKind::Bishop) || (pieces - bishops).any() {
        return false;
    }
    [File::A, File::H].into_iter().any(|file| {
        let corner = Square::new(file, (!strong).back_rank());
        let colors = if Bitboard::LIGHT.has(corner) { Bitboard::LIGHT } else { !Bitboard::LIGHT };
        let king = board.king(!strong);
        (pawns - file.bitboard()).is_empty()
            && (bishops & colors).is_empty()
            && distance(king, corner) <= 1
            // Without a bishop the attacking king may get there first; with the defender in the corner it never does.
            && (bishops.any() || distance(board.king(strong), corner) > 1)
    })
}

/// One rook each, at most one extra pawn, all on one wing, and the defending king in front of them: usually drawn.
fn is_level_rook_ending(board: &Board, strong: Color, pieces: Bitboard) -> bool {
    if pieces.len() != 2 || pieces != board.kind(PieceKind::Rook) || !(pieces & board.color(strong)).any() {
        return false;
    }
    if (pieces - board.color(strong)).is_empty() {
        return false;
    }
    let pawns = board.kind(PieceKind::Pawn);
    let ours = pawns & board.color(strong);
    let edge = ours.len() as i32 - (pawns - ours).len() as i32;
    let one_wing = (pawns & QUEEN_WING).is_empty() || (pawns - QUEEN_WING).is_empty();
    let king = board.king(!strong);
    let lead = ours.into_iter().map(|pawn| own_rank(strong, pawn)).max().unwrap_or(0);
    let near = ours.into_iter().all(|pawn| file_distance(pawn, king) <= 3);
    edge <= 1 && one_wing && near && own_rank(strong, king) > lead
}

/// The value for the side to move where one side has only its king: networks learn little of it, since games are
/// adjudicated earlier. None if both sides have more, or if only one of several pawns can win.
#[inline(always)]
pub(crate) fn lone_king(board: &Board) -> Option<i32> {
    let strong = match [Color::White, Color::Black].map(|color| board.color(color).len()) {
        [_, 1] => Color::White,
        [1, _] => Color::Black,
        _ => return None,
    };
    let value = value_against_lone_king(board, strong)?;
    Some(if board.side_to_move() == strong { value } else { -value })
}

#[cold]
fn value_against_lone_king(board: &Board, strong: Color) -> Option<i32> {
    let pawns = board.pieces(strong, PieceKind::Pawn);
    if can_mate(board, strong) {
        let promotion: i32 = pawns.into_iter().map(|pawn| 60 + 20 * own_rank(strong, pawn) as i32).sum();
        return Some(worth(board, strong) + promotion + mop_up_of(board, strong) - room(board, strong) * MOP_UP_ROOM);
    }
    if pawns.is_empty() {
        return Some(0);
    }
    let pawn = pawns.first().filter(|_| board.color(strong).len() == 2)?;
    let won = kpk::is_won(strong, board.king(strong), pawn, board.king(!strong), board.side_to_move());
    Some(if won { KNOWN_PROMOTION + 20 * own_rank(strong, pawn) as i32 } else { 0 })
}

/// What White gains, or Black if negative, by driving a lone king to where it can be mated.
#[inline(always)]
pub(super) fn mop_up(board: &Board, ahead: Color) -> i32 {
    let weak = !ahead;
    if (board.pieces(weak, PieceKind::Pawn)).any() || board.color(weak).len() > 2 {
        return 0;
    }
    let bonus = mop_up_of(board, ahead);
    if ahead == Color::White { bonus } else { -bonus }
}

#[cold]
fn mop_up_of(board: &Board, strong: Color) -> i32 {
    let (ours, theirs) = (worth(board, strong), worth(board, !strong));
    if ours - theirs < 450 || (ours < 950 && !can_mate(board, strong)) {
        return 0;
    }
    let (king, own_king) = (board.king(!strong), board.king(strong));
    let near = 7 - distance(king, own_king);
    let bishops = board.pieces(strong, PieceKind::Bishop);
    let knights = board.pieces(strong, PieceKind::Knight);
    let minors_only = bishops.len() == 1 && knights.len() == 1 && board.color(strong).len() == 3;
    let driven = if minors_only {
        // Steps away from the diagonal that joins the two wrong corners; the nearest right corner is seven away.
        let (file, rank) = (king.index() as i32 & 7, king.index() as i32 >> 3);
        let light = (bishops & Bitboard::LIGHT).any();
        let steps = if light { (rank - file).abs() } else { (7 - rank - file).abs() };
        let (step, square, nearer, outward) = MOP_UP_CORNER;
        steps * step + steps * steps * square + near * nearer + from_center(own_king) * outward
    } else {
        from_center(king) * MOP_UP.0 + near * MOP_UP.1
    };
    let known = if board.color(!strong).len() == 1 { KNOWN_WIN } else { 0 };
    known + driven
}

/// How many squares the lone king can step to, and how many more from there.
fn room(board: &Board, strong: Color) -> i32 {
    let king = board.king(!strong);
    // It does not shield the squares behind it.
    let occupied = board.occupied() - king.bitboard();
    let held = board.color(strong).into_iter().fold(Bitboard::EMPTY, |held, square| {
        let kind = board.kind_on(square).unwrap_or(PieceKind::Pawn);
        held | attacks::of(kind, strong, square, occupied)
    });
    let free = attacks::king(king) - held;
    let next = free.into_iter().fold(free, |all, square| all | attacks::king(square)) - held;
    next.len() as i32
}

/// Whether the pieces of `us` mate a bare king: a rook, a queen, both bishops, bishop and knight, three knights.
fn can_mate(board: &Board, us: Color) -> bool {
    let bishops = board.pieces(us, PieceKind::Bishop);
    let knights = board.pieces(us, PieceKind::Knight);
    let both = (bishops & Bitboard::LIGHT).any() && (bishops - Bitboard::LIGHT).any();
    (board.straight_sliders() & board.color(us)).any() || both || (bishops.any() && knights.any()) || knights.len() > 2
}

/// Steps from the four squares of the center: 0 there, 6 in a corner.
fn from_center(square: Square) -> i32 {
    let off = |line: usize| (line as i32 - 4).max(3 - line as i32);
    off(square.index() & 7) + off(square.index() >> 3)
}
