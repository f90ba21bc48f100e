//! What the network sees of a board besides its pieces: what they do to each other. Who attacks whom, how far a piece can
//! move, how weak a king stands, which pawns are passed. Such inputs know no squares, so they are learned from few games.
//!
//! A relation belongs to a side. Each of the two views reads both sides' relations, its own and the other's, into its
//! first neurons; see [`arch`](crate::arch).

use chess::{Bitboard, Board, Color, PieceKind, Rank, Square, attacks};

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
    /// Attacked by two or more.
    twice: Bitboard,
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

    /// The same if a condition holds that cannot be foretold: without a branch.
    #[inline]
    fn push_if(&mut self, condition: bool, side: usize, relation: usize) {
        self.push(side, relation);
        self.count -= usize::from(!condition);
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
        let facts = [(defended(|reach| reach.twice), 1), (bishops | queens, 2), (rooks | queens, 4)];
        let squares = attacked(|reach| reach.twice) & (knights | bishops | rooks | queens);
        let asked = Asked { squares, black, first: TWICE as u16 };
        self.count += simd::list_facts(&facts, &asked, &mut self.list[self.count..]);
    }

    #[inline]
    fn passed(&mut self, pieces: &Pieces, structure: &Structure, reach: &[Reach; 2], kings: [Square; 2]) {
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
    fn king(&mut self, pieces: &Pieces, side: usize, king: Square, us: &Reach, them: &Reach) {
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
    fn flank(&mut self, side: usize, enemy_king: Square, us: &Reach) {
        let files = Bitboard(0x0707_0707_0707_0707 << (enemy_king.file().index().clamp(1, 6) - 1));
        let zone = files & Bitboard(if side == 0 { 0xffff_ffff_ff00_0000 } else { 0x0000_00ff_ffff_ffff });
        let sum = (us.all & zone).len() + (us.twice & zone).len();
        self.push(side, FLANK + sum.min(FLANKS - 1));
    }

    #[inline]
    fn threats(&mut self, pieces: &Pieces, side: usize, us: &Reach, them: &Reach) {
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
