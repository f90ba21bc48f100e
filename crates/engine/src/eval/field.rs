//! The attack maps that all terms share, computed once.

use chess::{Bitboard, Board, Color, PieceKind, Rank, Square, attacks};

use super::sets::seen_by;

/// What one side attacks.
#[derive(Clone, Copy)]
pub(super) struct Side {
    pub(super) king: Square,
    pub(super) pawns: Bitboard,
    /// Attacked squares by kind of attacker, the pawn first. Bishops and rooks see through queens, rooks through rooks.
    pub(super) by: [Bitboard; 6],
    /// All attacked squares.
    pub(super) all: Bitboard,
    /// Squares attacked twice or more.
    pub(super) twice: Bitboard,
    /// The squares around this side's king that the other side aims at.
    pub(super) ring: Bitboard,
    /// Squares where mobility counts.
    pub(super) area: Bitboard,
    /// Own pieces that attack the other king's ring. [knight, bishop, rook, queen]
    pub(super) attackers: [i32; 4],
    /// Attacks on squares of the other king's ring, each counted.
    pub(super) ring_attacks: i32,
}

/// A board with the attacks of both sides.
pub(super) struct Field<'a> {
    pub(super) board: &'a Board,
    pub(super) occupied: Bitboard,
    pub(super) sides: [Side; 2],
}

impl<'a> Field<'a> {
    /// The field with the attacks of kings and pawns; the pieces add theirs later.
    #[inline(always)]
    pub(super) fn new(board: &'a Board) -> Field<'a> {
        let white = Side::new(board, Color::White);
        let black = Side::new(board, Color::Black);
        Field { board, occupied: board.occupied(), sides: [white, black] }
    }

    #[inline(always)]
    pub(super) fn side(&self, color: Color) -> &Side {
        &self.sides[color.index()]
    }
}

impl Side {
    #[inline(always)]
    fn new(board: &Board, us: Color) -> Side {
        let king = board.king(us);
        let pawns = board.pieces(us, PieceKind::Pawn);
        let by_king = attacks::king(king);
        let by_pawns = attacks::pawns(us, pawns);
        let ahead = pawns.forward(us);
        let both_pawns = ahead.west() & ahead.east();
        // Pawns that cannot move or have not moved far only block their pieces.
        const LOW: Bitboard = Bitboard(Rank::Second.bitboard().0 | Rank::Third.bitboard().0);
        let stuck = pawns & (seen_by(us, LOW) | board.occupied().forward(!us));
        let enemy_pawns = attacks::pawns(!us, board.pieces(!us, PieceKind::Pawn));
        let mut by = [Bitboard::EMPTY; 6];
        by[PieceKind::Pawn.index()] = by_pawns;
        by[PieceKind::King.index()] = by_king;
        Side {
            king,
            pawns,
            by,
            all: by_king | by_pawns,
            twice: (by_king & by_pawns) | both_pawns,
            ring: ring(king) - both_pawns,
            area: !(stuck | king.bitboard() | enemy_pawns),
            attackers: [0; 4],
            ring_attacks: 0,
        }
    }

    #[inline(always)]
    pub(super) fn by(&self, kind: PieceKind) -> Bitboard {
        self.by[kind.index()]
    }

    /// Adds the attacks of one piece.
    #[inline(always)]
    pub(super) fn add(&mut self, kind: PieceKind, attacked: Bitboard, enemy_ring: Bitboard) {
        self.by[kind.index()] |= attacked;
        self.twice |= self.all & attacked;
        self.all |= attacked;
        let aimed = attacked & enemy_ring;
        self.attackers[kind.index() - 1] += i32::from(aimed.any());
        self.ring_attacks += aimed.len() as i32;
    }
}

/// The nine squares around a king; a king at the edge counts as if it stood a step inside, where attacks come from.
#[inline(always)]
fn ring(king: Square) -> Bitboard {
    let (file, rank) = (king.index() & 7, king.index() >> 3);
    let inside = Square::from_index(rank.clamp(1, 6) * 8 + file.clamp(1, 6));
    attacks::king(inside) | inside.bitboard()
}
