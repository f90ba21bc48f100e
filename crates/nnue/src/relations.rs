//! What the network sees of a board besides its pieces: what they do to each other. Who attacks whom, how far a piece can
//! move, how weak a king stands, which pawns are passed. Such inputs know no squares, so they are learned from few games.
//!
//! A relation belongs to a side. Each of the two views reads both sides' relations, its own and the other's, into its
//! first neurons; see [`arch`](crate::arch).

use chess::{Bitboard, Board, Color, PieceKind, Square, attacks};

mod contacts;

use contacts::Finder;

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

    /// The kind of the piece on an occupied square, as its index.
    #[inline]
    fn kind_on(&self, square: Square) -> usize {
        self.kinds.iter().enumerate().map(|(kind, set)| kind * usize::from(set.has(square))).sum()
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
/// The way of a passed pawn to its last rank: whether some of its squares are occupied, attacked by the enemy, not guarded by
/// its own side, and attacked without being guarded. [rank from the second on][set of these four]
const WAY: usize = PASSED + 6 * 2 * 2 * 2;
/// The distances of the kings from the last square of a passed pawn's file, if its side has no queen. [own king][enemy king]
const RACE: usize = WAY + 6 * 16;
/// Every pawn. [rank from the second on][set of isolated, doubled, backward, opposed, defended by a pawn, beside a pawn,
/// attacked by a pawn]
const PAWN: usize = RACE + 8 * 8;
/// The king: squares next to it that only the enemy controls, and which kinds of piece could safely check it.
const KING: usize = PAWN + 6 * PAWN_SETS;
/// A file beside the king: on the edge of the board or not, how far the first own pawn ahead has gone, and how close the
/// first enemy pawn ahead is.
const SHELTER: usize = KING + NEAR_KING * 16;
/// How many squares next to the king the enemy attacks twice and its own side does not, and how many it could move to.
const SIEGE: usize = SHELTER + 2 * 4 * 5;
/// How many squares on the three files around the enemy king, in its half and the rank before, are attacked; those attacked
/// twice count twice.
const FLANK: usize = SIEGE + NEAR_KING * 9;
/// A piece that is pinned to its king. [pawn to queen][bishop to queen that pins it]
const PINNED: usize = FLANK + FLANKS;
/// A piece that uncovers an attack on the enemy king if it moves. [pawn to king][bishop to queen that would attack]
const UNCOVERS: usize = PINNED + 5 * 3;
/// A piece that is attacked twice. [knight to queen][defended twice]
const TWICE: usize = UNCOVERS + 6 * 3;
/// Pieces that are attacked by something less valuable, or attacked and not defended, and pawns that are attacked and not
/// defended: how many, up to three of each, but not none of both. [pieces][pawns]
const HANGING: usize = TWICE + 4 * 2;
/// How many enemy pieces, from one to three, a safe step of a pawn could attack.
const PUSH: usize = HANGING + 4 * 4;
/// Which of knights, bishops and rooks could safely attack the enemy queen: the set, if there is any.
const HUNT: usize = PUSH + 4;
/// A quarter of the squares that are attacked, and half of those that both sides attack.
const CONTROL: usize = HUNT + 8;
/// Squares of the own centre that no enemy pawn attacks; those behind own pawns count twice.
const SPACE: usize = CONTROL + CONTROLS * CONTROLS;
/// How many relations one side may have.
pub const RELATIONS: usize = SPACE + SPACES;

const MOVES: usize = 16;
const NEAR: usize = 4;
const CLASS_SETS: usize = 16;
const NEAR_KING: usize = 8;
const STANDINGS: usize = 3;
const SPACES: usize = 16;
const CONTROLS: usize = 16;
const FLANKS: usize = 32;
const PAWN_SETS: usize = 128;

/// The relations of a board are no more than this: five for each pawn, three for each piece; for each side five of the king,
/// eight lines on which a piece may shield it, and six others; and one more, which may be taken back.
pub const MOST: usize = 168;
const _: () = assert!(16 * 5 + 14 * 3 + 2 * (5 + 8 + 6) < MOST);

/// The relations of a board.
#[derive(Clone, Debug)]
pub struct Relations {
    list: [u16; MOST],
    count: usize,
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
            let beside = own.west() | own.east();
            let facts = [isolated, doubled, backward, opposed, reach[side], beside, reach[1 - side]];
            for square in own {
                let facts = facts.iter().rev().fold(0, |facts, set| facts << 1 | usize::from(set.has(square)));
                relations.push(side, PAWN + rank_of_pawn(square, side) * PAWN_SETS + facts);
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
        finder.passed(pieces, structure, &reach, kings);
        let contested = ((reach[0].all & reach[1].all).len() / 2).min(CONTROLS - 1);
        for side in 0..2 {
            finder.king(pieces, side, kings[side], &reach[side], &reach[1 - side]);
            finder.flank(side, kings[1 - side], &reach[side]);
            finder.threats(pieces, side, &reach[side], &reach[1 - side]);
            let controlled = (reach[side].all.len() / 4).min(CONTROLS - 1);
            finder.push(side, CONTROL + controlled * CONTROLS + contested);
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

/// The rank of a side's pawn, counted from its second.
#[inline]
fn rank_of_pawn(square: Square, side: usize) -> usize {
    (square.rank().index() ^ (7 * side)).clamp(1, 6) - 1
}

/// How many moves a king needs from one square to the other.
#[inline]
fn distance(from: Square, to: Square) -> usize {
    let files = from.file().index().abs_diff(to.file().index());
    files.max(from.rank().index().abs_diff(to.rank().index()))
}

#[cfg(test)]
mod tests;
