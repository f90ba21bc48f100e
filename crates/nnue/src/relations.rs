//! What the network sees of a board besides its pieces: what they do to each other. Who attacks whom, how far a piece can
//! move, how weak a king stands, which pawns are passed. Such inputs know no squares, so they are learned from few games.
//!
//! A relation belongs to a side. Each of the two views reads both sides' relations, its own and the other's, into its
//! first neurons; see [`arch`](crate::arch).

use chess::{Bitboard, Board, Color, PieceKind, Square, attacks};

use crate::simd::{self, Asked};

/// The pieces of a board, as sets of squares.
#[derive(Clone, Copy, Debug)]
pub struct Pieces {
    colors: [Bitboard; 2],
    kinds: [Bitboard; 6],
}

impl Pieces {
    /// The pieces of a board.
    #[inline]
    #[must_use]
    pub fn of(board: &Board) -> Pieces {
        Pieces {
            colors: Color::ALL.map(|color| board.color(color)),
            kinds: PieceKind::ALL.map(|kind| board.kind(kind)),
        }
    }

    /// A set of pieces; each side must have a king.
    #[must_use]
    pub fn new(list: impl Iterator<Item = (chess::Piece, Square)>) -> Pieces {
        let mut pieces = Pieces { colors: [Bitboard::EMPTY; 2], kinds: [Bitboard::EMPTY; 6] };
        for (piece, square) in list {
            pieces.colors[piece.color().index()] |= square.bitboard();
            pieces.kinds[piece.kind().index()] |= square.bitboard();
        }
        pieces
    }

    /// The same without the pieces on these squares.
    #[must_use]
    pub fn without(self, squares: Bitboard) -> Pieces {
        Pieces { colors: self.colors.map(|set| set - squares), kinds: self.kinds.map(|set| set - squares) }
    }

    #[inline]
    fn get(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.colors[color.index()] & self.kinds[kind.index()]
    }
}

// Where the relations of each group begin.

/// How well a piece stands, how many squares it can safely move to, and how many of those next to the enemy king it
/// attacks. [knight to queen][standing][squares][squares near the king]
const MOBILITY: usize = 0;
/// A piece that is attacked: its kind, which classes of pieces attack it, and how it is defended. Without attackers, it is
/// loose. [pawn to queen][set of classes][not, by a pawn, by a piece]
const ATTACKED: usize = MOBILITY + 4 * STANDINGS * MOVES * NEAR;
/// A passed pawn. [rank from the second on][supported][stopped][its next square is attacked]
const PASSED: usize = ATTACKED + 5 * CLASS_SETS * 3;
/// Any other pawn that is weak: set of isolated, doubled, backward, opposed.
const WEAK: usize = PASSED + 6 * 2 * 2 * 2;
/// The king: squares next to it that only the enemy controls, and which kinds of piece could safely check it.
const KING: usize = WEAK + 16;
/// A file beside the king: on the edge of the board or not, how far the first own pawn ahead has gone, and how close the
/// first enemy pawn ahead is.
const SHELTER: usize = KING + NEAR_KING * 16;
/// Squares of the own centre that no enemy pawn attacks; those behind own pawns count twice.
const SPACE: usize = SHELTER + 2 * 4 * 5;
/// How many relations one side may have.
pub const RELATIONS: usize = SPACE + SPACES;

const MOVES: usize = 16;
const NEAR: usize = 4;
const CLASS_SETS: usize = 16;
const NEAR_KING: usize = 8;
const STANDINGS: usize = 3;
const SPACES: usize = 16;

/// The relations of a board are no more than this: two for each piece but the kings, and five for each king.
pub const MOST: usize = 72;
const _: () = assert!(30 * 2 + 2 * 5 <= MOST);

/// The relations of a board.
#[derive(Clone, Debug)]
pub struct Relations {
    list: [u16; MOST],
    count: usize,
}

/// Classes of attackers: pawns, minor pieces, rooks, and queens with the king.
const PAWNS: usize = 0;
const MINORS: usize = 1;
const ROOKS: usize = 2;
const OTHERS: usize = 3;

/// The squares that one side attacks.
#[derive(Clone, Copy, Default)]
struct Reach {
    knights: Bitboard,
    bishops: Bitboard,
    rooks: Bitboard,
    queens: Bitboard,
    /// By class of attacker.
    by: [Bitboard; 4],
    without_king: Bitboard,
    all: Bitboard,
}

impl Relations {
    /// The relations of these pieces.
    #[must_use]
    pub fn of(pieces: &Pieces) -> Relations {
        let (mut relations, structure) = Relations::of_structure(pieces);
        let contacts = Relations::of_contacts(pieces, &structure);
        contacts.iter().for_each(|(color, relation)| relations.push(color.index(), relation));
        relations
    }

    /// Those that depend on pawns and kings alone, and what the others need to know of the pawns.
    #[must_use]
    pub(crate) fn of_structure(pieces: &Pieces) -> (Relations, Structure) {
        let mut relations = Relations { list: [0; MOST], count: 0 };
        let pawns = Color::ALL.map(|color| pieces.get(color, PieceKind::Pawn));
        let reach = Color::ALL.map(|color| attacks::pawns(color, pawns[color.index()]));
        let files = pawns.map(|set| set.filled_forward(Color::White).filled_forward(Color::Black));
        let mut structure = Structure {
            passed: Bitboard::EMPTY,
            supported: Bitboard::EMPTY,
            chased: Color::ALL.map(|color| reach[color.other().index()].filled_forward(color.other())),
            open: files.map(|files| !files),
        };
        for color in Color::ALL {
            let side = color.index();
            let (own, enemy) = (pawns[side], pawns[1 - side]);
            // The squares that have a pawn of this set in front of them.
            let behind = |set: Bitboard| set.forward(color.other()).filled_forward(color.other());
            let opposed = own & behind(enemy);
            let passed = own - behind(enemy | enemy.west() | enemy.east());
            let isolated = own - files[side].west() - files[side].east();
            let doubled = own & behind(own);
            let supported = own & (reach[side] | own.west() | own.east());
            // The square in front of it is attacked by a pawn.
            let backward = (own - supported) & reach[1 - side].forward(color.other());
            for square in (isolated | doubled | backward) - passed {
                let has = |set: Bitboard| usize::from(set.has(square));
                let facts = has(isolated) | has(doubled) << 1 | has(backward) << 2 | has(opposed) << 3;
                relations.push(side, WEAK + facts);
            }
            structure.passed |= passed;
            structure.supported |= supported;
            relations.shelter(color, pieces.get(color, PieceKind::King).first_unchecked(), own, enemy);
            let centre = match color {
                Color::White => Bitboard(0x0000_0000_3c3c_3c00),
                Color::Black => Bitboard(0x003c_3c3c_0000_0000),
            };
            let safe = centre - own - reach[1 - side];
            let doubly = safe & own.filled_forward(color.other());
            relations.push(side, SPACE + (safe.len() + doubly.len()).min(SPACES - 1));
        }
        (relations, structure)
    }

    /// All others.
    #[inline]
    #[must_use]
    pub(crate) fn of_contacts(pieces: &Pieces, structure: &Structure) -> Relations {
        let mut list = [0; MOST];
        let mut finder = Finder { list: &mut list, count: 0 };
        let kings = Color::ALL.map(|color| pieces.get(color, PieceKind::King).first_unchecked());
        let reach = finder.mobility(pieces, structure, kings);
        finder.attacked(pieces, &reach);
        finder.passed(pieces, structure, &reach);
        for side in 0..2 {
            finder.king(pieces, side, kings[side], &reach[side], &reach[1 - side]);
        }
        let count = finder.count;
        Relations { list, count }
    }

    /// Each relation: the side it belongs to, and which one it is, below [`RELATIONS`].
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = (Color, usize)> {
        self.list[..self.count].iter().map(|&packed| {
            let color = if packed & 1 == 0 { Color::White } else { Color::Black };
            (color, usize::from(packed >> 1))
        })
    }

    /// Each relation as twice its number, plus one if it is Black's.
    #[inline]
    #[must_use]
    pub fn packed(&self) -> &[u16] {
        &self.list[..self.count]
    }

    fn push(&mut self, side: usize, relation: usize) {
        let mut finder = Finder { list: &mut self.list, count: self.count };
        finder.push(side, relation);
        self.count = finder.count;
    }

    /// Three files, those next to the edge for a king on the edge.
    fn shelter(&mut self, color: Color, king: Square, own: Bitboard, enemy: Bitboard) {
        let (file, rank) = (king.file().index().clamp(1, 6), king.rank().index());
        let ahead = Bitboard(0xff << (8 * rank)).filled_forward(color);
        // The distance of the first pawn of a set ahead on a file, or eight.
        let first = |set: Bitboard| match (set & ahead, color) {
            (set, _) if set.is_empty() => 8,
            (set, Color::White) => set.0.trailing_zeros() as usize / 8 - rank,
            (set, Color::Black) => rank - (63 - set.0.leading_zeros() as usize) / 8,
        };
        for at in file - 1..=file + 1 {
            let line = Bitboard(0x0101_0101_0101_0101 << at);
            // Our pawn at most one, two ranks ahead, or further, or none; theirs at most one to three, or further, or none.
            let ours = [0, 0, 1, 2, 2, 2, 2, 2, 3][first(own & line)];
            let theirs = [0, 0, 1, 2, 3, 3, 3, 3, 4][first(enemy & line)];
            self.push(color.index(), SHELTER + (usize::from(at == 0 || at == 7) * 4 + ours) * 5 + theirs);
        }
    }
}

/// What the pieces need to know of the pawns.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Structure {
    /// Passed pawns, and pawns beside or behind another, of both sides.
    passed: Bitboard,
    supported: Bitboard,
    /// By side: squares that enemy pawns attack or might attack one day, and files without own pawns.
    chased: [Bitboard; 2],
    open: [Bitboard; 2],
}

/// Writes down relations as it finds them.
struct Finder<'a> {
    list: &'a mut [u16; MOST],
    // Beside the list, not in one struct with it, so that it may stay in a register.
    count: usize,
}

// Loops run over the pieces of both sides at once: few pieces of one kind are left on a board, and the end of a short loop
// is hard to predict.
impl Finder<'_> {
    /// Adds a relation of White, or of Black if `side` is one.
    #[inline]
    fn push(&mut self, side: usize, relation: usize) {
        if let Some(slot) = self.list.get_mut(self.count) {
            *slot = (relation * 2 + side) as u16;
            self.count += 1;
        }
    }

    #[inline]
    fn mobility(&mut self, pieces: &Pieces, structure: &Structure, kings: [Square; 2]) -> [Reach; 2] {
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
        let mut count = |kind: PieceKind, halve: usize, attacks: fn(Square, Bitboard) -> Bitboard| {
            let mut all = [Bitboard::EMPTY; 2];
            for from in pieces.kinds[kind.index()] {
                let side = usize::from(pieces.colors[1].has(from));
                let reached = attacks(from, occupied);
                all[side] |= reached;
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
            Reach { knights, bishops, rooks, queens, by, without_king, all: without_king | by_kings[side] }
        })
    }

    #[inline]
    fn attacked(&mut self, pieces: &Pieces, reach: &[Reach; 2]) {
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
    }

    #[inline]
    fn passed(&mut self, pieces: &Pieces, structure: &Structure, reach: &[Reach; 2]) {
        for square in structure.passed {
            let side = usize::from(pieces.colors[1].has(square));
            let next = if side == 0 {
                square.bitboard().forward(Color::White)
            } else {
                square.bitboard().forward(Color::Black)
            };
            // From the second rank to the seventh.
            let rank = (square.rank().index() ^ (7 * side)).clamp(1, 6) - 1;
            let facts = usize::from(structure.supported.has(square))
                | usize::from(((pieces.colors[0] | pieces.colors[1]) & next).any()) << 1
                | usize::from((reach[1 - side].all & next).any()) << 2;
            self.push(side, PASSED + rank * 8 + facts);
        }
    }

    #[inline]
    fn king(&mut self, pieces: &Pieces, side: usize, king: Square, us: &Reach, them: &Reach) {
        let occupied = pieces.colors[0] | pieces.colors[1];
        let lost = (attacks::king(king) & (them.all - us.without_king)).len().min(NEAR_KING - 1);
        let safe = !(pieces.colors[1 - side] | us.all);
        let (straight, diagonal) = (attacks::rook(king, occupied) & safe, attacks::bishop(king, occupied) & safe);
        let checks = usize::from((attacks::knight(king) & safe & them.knights).any())
            | usize::from((diagonal & them.bishops).any()) << 1
            | usize::from((straight & them.rooks).any()) << 2
            | usize::from(((straight | diagonal) & them.queens).any()) << 3;
        self.push(side, KING + lost * 16 + checks);
    }
}

#[cfg(test)]
mod tests;
