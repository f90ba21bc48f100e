//! The relations that need to know what every piece attacks: found anew for each board, so this is the hot part.

use chess::{Bitboard, Color, PieceKind, Rank, Square, attacks};

use super::{
    ATTACKED, CLASS_SETS, FLANK, FLANKS, HANGING, HUNT, KING, MOBILITY, MOST, MOVES, NEAR, NEAR_KING, PASSED, PINNED,
    PUSH, Pieces, RACE, SIEGE, STANDINGS, Structure, TWICE, UNCOVERS, WAY, distance, rank_of_pawn,
};
use crate::simd::{self, Asked};

/// Classes of attackers: pawns, minor pieces, rooks, and queens with the king.
const PAWNS: usize = 0;
const MINORS: usize = 1;
const ROOKS: usize = 2;
const OTHERS: usize = 3;

/// The squares that one side attacks.
#[derive(Clone, Copy, Default)]
pub(super) struct Reach {
    knights: Bitboard,
    bishops: Bitboard,
    rooks: Bitboard,
    queens: Bitboard,
    /// By class of attacker.
    by: [Bitboard; 4],
    without_king: Bitboard,
    pub(super) all: Bitboard,
    /// Attacked by two or more.
    twice: Bitboard,
}

/// Writes down relations as it finds them.
pub(super) struct Finder<'a> {
    pub(super) list: &'a mut [u16; MOST],
    // Beside the list, not in one struct with it, so that it may stay in a register.
    pub(super) count: usize,
}

// Loops run over the pieces of both sides at once: few pieces of one kind are left on a board, and the end of a short loop
// is hard to predict.
impl Finder<'_> {
    /// Adds a relation of White, or of Black if `side` is one.
    #[inline]
    pub(super) fn push(&mut self, side: usize, relation: usize) {
        if let Some(slot) = self.list.get_mut(self.count) {
            *slot = (relation * 2 + side) as u16;
            self.count += 1;
        }
    }

    /// The same if a condition holds that cannot be foretold: without a branch.
    #[inline]
    fn push_if(&mut self, condition: bool, side: usize, relation: usize) {
        self.push(side, relation);
        self.count -= usize::from(!condition);
    }

    #[inline]
    pub(super) fn mobility(&mut self, pieces: &Pieces, structure: &Structure, kings: [Square; 2]) -> [Reach; 2] {
        let occupied = pieces.colors[0] | pieces.colors[1];
        let pawns = Color::ALL.map(|color| pieces.get(color, PieceKind::Pawn));
        let by_pawns = Color::ALL.map(|color| attacks::pawns(color, pawns[color.index()]));
        let by_kings = kings.map(attacks::king);
        // By side: where its pieces can safely move, and the squares near the king they attack.
        let free = [0, 1].map(|side| !(pieces.colors[side] | by_pawns[1 - side]));
        let near = [0, 1].map(|side| by_kings[1 - side] | kings[1 - side].bitboard());
        let standing = |kind: PieceKind, side: usize, from: Square| {
            let has = |set: Bitboard| usize::from(set.has(from));
            match kind {
                // On an outpost, supported by a pawn, or neither.
                PieceKind::Knight => has(by_pawns[side]) * (2 - has(structure.chased[side])),
                // By the number of own pawns on squares of its colour.
                PieceKind::Bishop => {
                    let same = if Bitboard::LIGHT.has(from) { Bitboard::LIGHT } else { !Bitboard::LIGHT };
                    ((pawns[side] & same).len() / 2).min(2)
                }
                // On a file without pawns, without own pawns, or neither.
                PieceKind::Rook => has(structure.open[side]) * (1 + has(structure.open[1 - side])),
                _ => 0,
            }
        };
        let mut seen = [0, 1].map(|side| by_pawns[side] | by_kings[side]);
        let mut twice = Color::ALL.map(|color| {
            let (side, ahead) = (color.index(), pawns[color.index()].forward(color));
            (by_pawns[side] & by_kings[side]) | (ahead.west() & ahead.east())
        });
        let mut count = |kind: PieceKind, halve: usize, attacks: fn(Square, Bitboard) -> Bitboard| {
            let mut all = [Bitboard::EMPTY; 2];
            for from in pieces.kinds[kind.index()] {
                let side = usize::from(pieces.colors[1].has(from));
                let reached = attacks(from, occupied);
                // Both sides' sets, so that they stay in registers.
                let black = Bitboard((side as u64).wrapping_neg());
                for (side, reached) in [reached - black, reached & black].into_iter().enumerate() {
                    all[side] |= reached;
                    twice[side] |= seen[side] & reached;
                    seen[side] |= reached;
                }
                let moves = ((reached & free[side]).len() >> halve).min(MOVES - 1);
                let hits = (reached & near[side]).len().min(NEAR - 1);
                let row = (kind.index() - 1) * STANDINGS + standing(kind, side, from);
                self.push(side, MOBILITY + (row * MOVES + moves) * NEAR + hits);
            }
            all
        };
        let knights = count(PieceKind::Knight, 0, |from, _| attacks::knight(from));
        let bishops = count(PieceKind::Bishop, 0, attacks::bishop);
        let rooks = count(PieceKind::Rook, 0, attacks::rook);
        let queens = count(PieceKind::Queen, 1, attacks::queen);
        [0, 1].map(|side| {
            let (knights, bishops, rooks, queens) = (knights[side], bishops[side], rooks[side], queens[side]);
            let without_king = by_pawns[side] | knights | bishops | rooks | queens;
            let by = [by_pawns[side], knights | bishops, rooks, queens | by_kings[side]];
            Reach { knights, bishops, rooks, queens, by, without_king, all: seen[side], twice: twice[side] }
        })
    }

    #[inline]
    pub(super) fn attacked(&mut self, pieces: &Pieces, reach: &[Reach; 2]) {
        let [white, black] = pieces.colors;
        // The sets of both sides in one: where a piece is attacked by the other side, and where it is defended.
        let attacked = |of: fn(&Reach) -> Bitboard| (white & of(&reach[1])) | (black & of(&reach[0]));
        let defended = |of: fn(&Reach) -> Bitboard| (white & of(&reach[0])) | (black & of(&reach[1]));
        let (any, all) = (attacked(|reach| reach.all), defended(|reach| reach.all));
        let by_pawn = defended(|reach| reach.by[PAWNS]);
        let [_, knights, bishops, rooks, queens, kings] = pieces.kinds;
        // What each fact adds to the number of the relation.
        let facts = [
            (attacked(|reach| reach.by[PAWNS]), 3),
            (attacked(|reach| reach.by[MINORS]), 2 * 3),
            (attacked(|reach| reach.by[ROOKS]), 4 * 3),
            (attacked(|reach| reach.by[OTHERS]), 8 * 3),
            (by_pawn, 1),
            (all - by_pawn, 2),
            (knights | rooks, (CLASS_SETS * 3) as u8),
            (bishops | rooks, (2 * CLASS_SETS * 3) as u8),
            (queens, (4 * CLASS_SETS * 3) as u8),
        ];
        // A piece without attackers matters only if it is loose.
        let concerned = (any | ((white | black) - all)) - kings;
        let asked = Asked { squares: concerned, black, first: ATTACKED as u16 };
        self.count += simd::list_facts(&facts, &asked, &mut self.list[self.count..]);
        let facts = [(defended(|reach| reach.twice), 1), (bishops | queens, 2), (rooks | queens, 4)];
        let squares = attacked(|reach| reach.twice) & (knights | bishops | rooks | queens);
        let asked = Asked { squares, black, first: TWICE as u16 };
        self.count += simd::list_facts(&facts, &asked, &mut self.list[self.count..]);
    }

    #[inline]
    pub(super) fn passed(&mut self, pieces: &Pieces, structure: &Structure, reach: &[Reach; 2], kings: [Square; 2]) {
        let occupied = pieces.colors[0] | pieces.colors[1];
        let queens = pieces.kinds[PieceKind::Queen.index()];
        for square in structure.passed {
            let side = usize::from(pieces.colors[1].has(square));
            let next = if side == 0 {
                square.bitboard().forward(Color::White)
            } else {
                square.bitboard().forward(Color::Black)
            };
            let way = if side == 0 { next.filled_forward(Color::White) } else { next.filled_forward(Color::Black) };
            let rank = rank_of_pawn(square, side);
            let (us, them) = (reach[side].all, reach[1 - side].all);
            let facts = usize::from(structure.supported.has(square))
                | usize::from((occupied & next).any()) << 1
                | usize::from((them & next).any()) << 2;
            self.push(side, PASSED + rank * 8 + facts);
            let facts = usize::from((way & occupied).any())
                | usize::from((way & them).any()) << 1
                | usize::from((way - us).any()) << 2
                | usize::from((way & (them - us)).any()) << 3;
            self.push(side, WAY + rank * 16 + facts);
            if (queens & pieces.colors[side]).is_empty() {
                let last = Square::new(square.file(), if side == 0 { Rank::Eighth } else { Rank::First });
                self.push(side, RACE + distance(kings[side], last) * 8 + distance(kings[1 - side], last));
            }
        }
    }

    #[inline]
    pub(super) fn king(&mut self, pieces: &Pieces, side: usize, king: Square, us: &Reach, them: &Reach) {
        let occupied = pieces.colors[0] | pieces.colors[1];
        let lines = [attacks::rook(king, occupied), attacks::bishop(king, occupied)];
        self.shields(pieces, side, king, lines);
        let lost = (attacks::king(king) & (them.all - us.without_king)).len().min(NEAR_KING - 1);
        let safe = !(pieces.colors[1 - side] | us.all);
        let [straight, diagonal] = lines.map(|line| line & safe);
        let checks = usize::from((attacks::knight(king) & safe & them.knights).any())
            | usize::from((diagonal & them.bishops).any()) << 1
            | usize::from((straight & them.rooks).any()) << 2
            | usize::from(((straight | diagonal) & them.queens).any()) << 3;
        self.push(side, KING + lost * 16 + checks);
        let ring = attacks::king(king);
        let siege = (ring & (them.twice - us.twice)).len().min(NEAR_KING - 1);
        self.push(side, SIEGE + siege * 9 + (ring - pieces.colors[side] - them.all).len());
    }

    /// Pieces that alone stand between a king and an enemy piece that would attack it. `lines` are the squares that a rook
    /// and a bishop would attack from the king's.
    #[inline]
    fn shields(&mut self, pieces: &Pieces, side: usize, king: Square, lines: [Bitboard; 2]) {
        let occupied = pieces.colors[0] | pieces.colors[1];
        let [_, _, bishops, rooks, queens, _] = pieces.kinds;
        // What the lines from the king meet first is taken away, and then they meet the attacker.
        let [straight, diagonal] = lines;
        let behind_straight = attacks::rook(king, occupied - straight) - straight;
        let behind_diagonal = attacks::bishop(king, occupied - diagonal) - diagonal;
        let attackers = behind_straight & (rooks | queens) | behind_diagonal & (bishops | queens);
        for attacker in attackers & pieces.colors[1 - side] {
            let shield = (attacks::between(king, attacker) & occupied).first_unchecked();
            let row = pieces.kind_on(shield) * 3 + pieces.kind_on(attacker) - PieceKind::Bishop.index();
            let own = pieces.colors[side].has(shield);
            self.push(if own { side } else { 1 - side }, if own { PINNED } else { UNCOVERS } + row);
        }
    }

    #[inline]
    pub(super) fn flank(&mut self, side: usize, enemy_king: Square, us: &Reach) {
        let files = Bitboard(0x0707_0707_0707_0707 << (enemy_king.file().index().clamp(1, 6) - 1));
        let zone = files & Bitboard(if side == 0 { 0xffff_ffff_ff00_0000 } else { 0x0000_00ff_ffff_ffff });
        let sum = (us.all & zone).len() + (us.twice & zone).len();
        self.push(side, FLANK + sum.min(FLANKS - 1));
    }

    #[inline]
    pub(super) fn threats(&mut self, pieces: &Pieces, side: usize, us: &Reach, them: &Reach) {
        let (own, enemy) = (pieces.colors[side], pieces.colors[1 - side]);
        let occupied = own | enemy;
        let [pawns, knights, bishops, rooks, queens, _] = pieces.kinds;
        let by_less = (knights | bishops) & them.by[PAWNS]
            | rooks & (them.by[PAWNS] | them.by[MINORS])
            | queens & (them.by[PAWNS] | them.by[MINORS] | them.rooks);
        let bare = them.all - us.all;
        let hanging = (own & (by_less | bare)) - pawns;
        let facts = hanging.len().min(3) * 4 + (own & pawns & bare).len().min(3);
        self.push_if(facts > 0, side, HANGING + facts);
        let color = if side == 0 { Color::White } else { Color::Black };
        let third = Bitboard(if side == 0 { 0xff << 16 } else { 0xff << 40 });
        let one = (own & pawns).forward(color) - occupied;
        let two = (one & third).forward(color) - occupied;
        let safe = (one | two) - them.by[PAWNS] - bare;
        let hits = (attacks::pawns(color, safe) & (enemy - pawns)).len().min(3);
        self.push_if(hits > 0, side, PUSH + hits);
        if let Some(queen) = (enemy & queens).first() {
            let safe = !own - them.by[PAWNS] - (them.all - us.twice);
            let straight = attacks::rook(queen, occupied) & safe & us.rooks;
            let diagonal = attacks::bishop(queen, occupied) & safe & us.bishops;
            let jumps = attacks::knight(queen) & safe & us.knights;
            let facts = usize::from(jumps.any()) | usize::from(diagonal.any()) << 1 | usize::from(straight.any()) << 2;
            self.push_if(facts > 0, side, HUNT + facts);
        }
    }
}
