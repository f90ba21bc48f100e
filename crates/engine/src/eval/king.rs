//! Danger to the king. Each attacker, weak square and possible check adds units of danger, and danger grows with the
//! square of its units: one piece near the king is nothing, three are a mating attack. This is the non-linear heart of
//! the evaluation.

use chess::{Bitboard, Color, PieceKind, attacks};

use super::field::Field;
use super::packed::S;
use super::pawns::PawnEntry;
use super::sets::seen_by;
use super::trace::Trace;
use super::weights::{
    DANGER_ATTACKER, DANGER_BASE, DANGER_CHECK, DANGER_DEFENDER, DANGER_DIVISOR, DANGER_FLANK, DANGER_LIMIT,
    DANGER_NO_QUEEN, DANGER_OPEN_FILE, DANGER_RING, DANGER_UNSAFE_CHECK, DANGER_WEAK,
};

/// The three or four files around a king on each file.
static FLANKS: [Bitboard; 8] = {
    const QUEEN_SIDE: u64 = 0x0f0f_0f0f_0f0f_0f0f;
    const MIDDLE: u64 = 0x3c3c_3c3c_3c3c_3c3c;
    const KING_SIDE: u64 = 0xf0f0_f0f0_f0f0_f0f0;
    [
        Bitboard(QUEEN_SIDE & QUEEN_SIDE >> 1),
        Bitboard(QUEEN_SIDE),
        Bitboard(QUEEN_SIDE),
        Bitboard(MIDDLE),
        Bitboard(MIDDLE),
        Bitboard(KING_SIDE),
        Bitboard(KING_SIDE),
        Bitboard(KING_SIDE & KING_SIDE << 1),
    ]
};
/// The half of the board that White defends, and one rank more.
const CAMP: Bitboard = Bitboard(0x0000_00ff_ffff_ffff);

/// What the attack of `us` on the other king is worth.
#[inline(always)]
pub(super) fn attack(field: &Field<'_>, us: Color, pawns: &PawnEntry, trace: &mut impl Trace) -> S {
    // One attacker without a queen, or none at all, never mates: most positions end here.
    let attackers: i32 = field.side(us).attackers.iter().sum();
    let queen = field.board.pieces(us, PieceKind::Queen).any();
    if attackers + i32::from(queen) < 2 {
        return S::ZERO;
    }
    let units = units(field, us, pawns, trace);
    value(units.middle(), units.end())
}

/// The value of this many units of danger.
#[inline]
pub(super) fn value(middle: i32, end: i32) -> S {
    let (middle, end) = (middle.clamp(0, DANGER_LIMIT), end.clamp(0, DANGER_LIMIT));
    S::new(middle * middle / DANGER_DIVISOR.0, end / DANGER_DIVISOR.1)
}

#[inline(always)]
fn units(field: &Field<'_>, us: Color, pawns: &PawnEntry, trace: &mut impl Trace) -> S {
    let (side, enemy) = (field.side(us), field.side(!us));
    let mut units = trace.once(us, DANGER_BASE, 0);
    for kind in 0..4 {
        units += trace.count(us, DANGER_ATTACKER, kind, side.attackers[kind]);
    }
    units += trace.count(us, DANGER_RING, 0, side.ring_attacks);
    if field.board.pieces(us, PieceKind::Queen).is_empty() {
        units += trace.once(us, DANGER_NO_QUEEN, 0);
    }

    // Weak: attacked, defended at most once, and then by king or queen only.
    let firm = enemy.all - (enemy.by(PieceKind::King) | enemy.by(PieceKind::Queen));
    let weak = side.all - enemy.twice - firm;
    units += trace.count(us, DANGER_WEAK, 0, (weak & enemy.ring).len() as i32);

    let (safe_kinds, unsafe_squares) = checks(field, us, weak);
    for (kind, &safe) in safe_kinds.iter().enumerate() {
        units += trace.count(us, DANGER_CHECK, kind, i32::from(safe));
    }
    units += trace.count(us, DANGER_UNSAFE_CHECK, 0, unsafe_squares.len() as i32);

    let flank = FLANKS[enemy.king.file().index()] & seen_by(!us, CAMP);
    let pressed = (flank & side.all).len() + (flank & side.twice).len();
    units += trace.count(us, DANGER_FLANK, 0, pressed as i32);
    units += trace.count(us, DANGER_FLANK, 1, (flank & enemy.all).len() as i32);
    for (index, kind) in [PieceKind::Knight, PieceKind::Bishop].into_iter().enumerate() {
        let defends = (enemy.by(kind) & enemy.by(PieceKind::King)).any();
        units += trace.count(us, DANGER_DEFENDER, index, i32::from(defends));
    }
    units + trace.count(us, DANGER_OPEN_FILE, 0, i32::from(pawns.open_files[(!us).index()]))
}

/// Which kinds of piece can check safely (knight, bishop, rook, queen), and from where a check would lose the piece.
#[inline(always)]
fn checks(field: &Field<'_>, us: Color, weak: Bitboard) -> ([bool; 4], Bitboard) {
    let (side, enemy) = (field.side(us), field.side(!us));
    let safe = (!enemy.all | (weak & side.twice)) - field.board.color(us);
    // The queen beside its king will not stop a check for long, so checks pass through it.
    let occupied = field.occupied - field.board.pieces(!us, PieceKind::Queen);
    let straight = attacks::rook(enemy.king, occupied);
    let diagonal = attacks::bishop(enemy.king, occupied);

    let knight_checks = attacks::knight(enemy.king) & side.by(PieceKind::Knight);
    let bishop_checks = diagonal & side.by(PieceKind::Bishop);
    let rook_checks = straight & side.by(PieceKind::Rook);
    // A queen's check counts where no lesser piece could give it and no queen would be traded.
    let queen_safe = safe - enemy.by(PieceKind::Queen);
    let queen_checks = (straight | diagonal) & side.by(PieceKind::Queen) & (queen_safe - (rook_checks & safe));

    let safe_kinds =
        [(knight_checks & safe).any(), (bishop_checks & safe).any(), (rook_checks & safe).any(), queen_checks.any()];
    let own = field.board.color(us);
    (safe_kinds, (knight_checks | bishop_checks | rook_checks) - safe - own)
}
