//! Every weight of the evaluation, in centipawns, as a named table of (middle game, endgame) pairs.
//!
//! The tables lie end to end in one array, so the laboratory sees a vector of numbers and a list of names. The
//! evaluation never reads the array itself: it asks a `Trace` to count a weight, so every use can be recorded. Three
//! groups are not simply added up: danger and complexity (see `king.rs` and `ending.rs`), and mop-up. The sizes follow
//! tuned hand-crafted evaluations (Stockfish 11, Ethereal, PeSTO); the numbers are our own.

use super::packed::S;

/// The terms of the evaluation, as a person reads them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names say it all")]
pub enum Group {
    Material,
    Squares,
    Pawns,
    Passed,
    Shelter,
    Mobility,
    Pieces,
    Threats,
    Space,
    /// Units of danger to the enemy king; squared before they count.
    Danger,
    /// How much there is to play for in an ending; moves the endgame score, but never past zero.
    Complexity,
}

impl Group {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Group; 11] = [
        Group::Material,
        Group::Squares,
        Group::Pawns,
        Group::Passed,
        Group::Shelter,
        Group::Mobility,
        Group::Pieces,
        Group::Threats,
        Group::Space,
        Group::Danger,
        Group::Complexity,
    ];

    /// Whether the weights of this group are simply multiplied by their counts and added up.
    #[must_use]
    pub const fn is_linear(self) -> bool {
        !matches!(self, Group::Danger | Group::Complexity)
    }
}

/// A named row of weights within [`WEIGHTS`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Table {
    /// Its name in the laboratory.
    pub name: &'static str,
    /// The term it belongs to.
    pub group: Group,
    /// The index of its first weight.
    pub start: usize,
    /// How many weights it holds.
    pub len: usize,
}

macro_rules! tables {
    ($($(#[$doc:meta])* $name:ident $group:ident $len:literal = $values:expr;)*) => {
        tables!(@offsets 0; $($(#[$doc])* $name $group $len;)*);

        /// How many weights there are.
        pub const COUNT: usize = 0 $(+ $len)*;

        /// All tables, in the order of their weights.
        pub const TABLES: &[Table] = &[$($name),*];

        /// All weights.
        pub static WEIGHTS: [S; COUNT] = {
            let mut all = [S::ZERO; COUNT];
            $({
                const VALUES: [(i32, i32); $len] = $values;
                let mut index = 0;
                while index < $len {
                    all[$name.start + index] = S::new(VALUES[index].0, VALUES[index].1);
                    index += 1;
                }
            })*
            all
        };
    };
    (@offsets $start:expr; $(#[$doc:meta])* $name:ident $group:ident $len:literal; $($rest:tt)*) => {
        $(#[$doc])*
        pub const $name: Table = Table { name: stringify!($name), group: Group::$group, start: $start, len: $len };
        tables!(@offsets $start + $len; $($rest)*);
    };
    (@offsets $start:expr;) => {};
}

tables! {
    /// What a piece is worth. [kind, the pawn first; the king counts nothing]
    MATERIAL Material 6 = [(74, 116), (335, 355), (359, 376), (449, 623), (1048, 1087), (0, 0)];
    /// Two bishops or more.
    BISHOP_PAIR Material 1 = [(10, 52)];

    /// Where pawns like to stand. [own rank][files from the edge to the middle], as in all six tables of squares
    PAWN_SQUARES Squares 32 = [
        (0, 0), (0, 0), (0, 0), (0, 0),
        (-14, 1), (1, -1), (-1, -1), (-3, 8),
        (-12, -4), (-7, -5), (1, -8), (6, 3),
        (-6, -3), (-11, -7), (3, -10), (13, -8),
        (-4, 12), (5, -2), (0, 3), (13, -9),
        (3, 14), (5, 4), (-2, 16), (20, 2),
        (7, -5), (-10, -1), (4, 11), (1, 20),
        (0, 0), (0, 0), (0, 0), (0, 0),
    ];
    /// Where knights like to stand.
    KNIGHT_SQUARES Squares 32 = [
        (-65, -43), (-37, -26), (-22, -26), (-27, -11),
        (-29, -28), (-12, -13), (-7, -21), (-9, -4),
        (-17, -20), (-4, -10), (-2, -6), (-1, 7),
        (5, -11), (1, -2), (10, 10), (5, 14),
        (-3, -6), (5, -4), (9, 13), (16, 14),
        (-14, -13), (11, -14), (22, -4), (21, 9),
        (-29, -27), (-12, -12), (10, -11), (18, 4),
        (-97, -51), (-43, -34), (-39, -24), (-18, -18),
    ];
    /// Where bishops like to stand.
    BISHOP_SQUARES Squares 32 = [
        (-8, -14), (-3, -14), (-21, -9), (-12, -8),
        (2, -20), (5, -16), (8, -6), (-4, -3),
        (1, -5), (11, -1), (2, 2), (1, 11),
        (9, -12), (8, -4), (8, 2), (7, 8),
        (4, -6), (4, 1), (6, 0), (16, 8),
        (-2, 0), (-3, 1), (8, -7), (12, 6),
        (-14, -5), (-18, -4), (-6, 0), (-11, 8),
        (-32, -12), (-8, -8), (-14, -3), (-17, 1),
    ];
    /// Where rooks like to stand.
    ROOK_SQUARES Squares 32 = [
        (-12, -11), (-9, -14), (-5, -7), (4, -14),
        (-23, -6), (-6, -7), (-7, -2), (-10, -4),
        (-28, 1), (-5, 2), (-16, -1), (-3, -7),
        (-17, 4), (-10, 7), (-10, 3), (-6, 0),
        (-9, 19), (0, 17), (3, 15), (4, 3),
        (-4, 15), (11, 9), (10, 10), (11, 5),
        (7, 3), (-5, 5), (10, 0), (17, -5),
        (3, 6), (1, 12), (7, 17), (2, 14),
    ];
    /// Where queens like to stand.
    QUEEN_SQUARES Squares 32 = [
        (-5, -35), (-11, -29), (-10, -35), (0, -39),
        (-2, -27), (-5, -24), (8, -29), (-1, -15),
        (-4, -17), (8, -13), (2, -5), (-6, 2),
        (5, -4), (4, -1), (-3, 5), (-5, 22),
        (-1, -9), (5, 10), (8, 6), (0, 16),
        (2, -10), (13, 1), (0, -3), (5, 8),
        (-1, -18), (-8, -10), (11, -3), (6, 7),
        (3, -30), (8, -20), (7, -14), (2, -13),
    ];
    /// Where kings like to stand.
    KING_SQUARES Squares 32 = [
        (24, -50), (35, -30), (14, -20), (-6, -28),
        (21, -23), (23, -13), (-2, -3), (-34, 3),
        (-10, -9), (9, 2), (-29, 14), (-41, 17),
        (-31, -11), (-21, 15), (-43, 21), (-62, 36),
        (-37, 2), (-27, 20), (-56, 38), (-72, 42),
        (-46, 9), (-38, 27), (-64, 40), (-84, 40),
        (-60, -25), (-45, 9), (-73, 20), (-89, 16),
        (-75, -66), (-56, -19), (-80, -14), (-100, -10),
    ];

    /// A pawn in front of another of its own.
    DOUBLED Pawns 1 = [(-6, -21)];
    /// No own pawn on the files beside it. [an enemy pawn is ahead on its file; the file ahead is free of them]
    ISOLATED Pawns 2 = [(-3, -9), (-11, -15)];
    /// It cannot step forward safely, nor will another pawn support it. [as above]
    BACKWARD Pawns 2 = [(0, -7), (-11, -17)];
    /// Beside another own pawn. [own rank]
    PHALANX Pawns 8 = [(0, 0), (4, 1), (7, 3), (9, 12), (21, 29), (53, 52), (80, 91), (0, 0)];
    /// Defended by another own pawn. [own rank]
    SUPPORTED Pawns 8 = [(0, 0), (0, 0), (14, 9), (12, 8), (17, 20), (31, 41), (74, 81), (0, 0)];

    /// No enemy pawn can stop it. [own rank]
    PASSED Passed 8 = [(0, 0), (-10, 10), (-1, 10), (2, 31), (27, 41), (57, 74), (120, 134), (0, 0)];
    /// The file of a passed pawn. [from the edge to the middle]
    PASSED_FILE Passed 4 = [(1, 6), (1, 6), (-6, -3), (-17, -7)];
    /// A passed pawn defended by a pawn or beside one. [own rank]
    PASSED_CONNECTED Passed 8 = [(0, 0), (11, -7), (11, -6), (2, -3), (4, 4), (33, 23), (34, 46), (0, 0)];
    /// The enemy king's distance to the square before a passed pawn, times the importance of its rank.
    PASSED_ENEMY_KING Passed 1 = [(-1, 6)];
    /// The own king's distance to the square before a passed pawn, times the importance of its rank.
    PASSED_OWN_KING Passed 1 = [(0, -4)];
    /// An enemy piece stands before it. [own rank]
    PASSED_BLOCKED Passed 8 = [(0, 0), (-8, -7), (0, -10), (-7, -2), (-2, -8), (-11, -14), (-29, -36), (0, 0)];
    /// Nothing hinders its way to the last rank. [own rank]
    PASSED_FREE Passed 8 = [(0, 0), (-1, 8), (-3, 2), (-4, 23), (13, 38), (43, 76), (77, 120), (0, 0)];
    /// Its next step is safe, but not the whole way. [own rank]
    PASSED_STEP Passed 8 = [(0, 0), (4, -3), (-7, 2), (9, 1), (9, 12), (12, 25), (28, 44), (0, 0)];
    /// Its next step is covered by an own piece. [own rank]
    PASSED_ESCORTED Passed 8 = [(0, 0), (9, 7), (-4, 16), (2, 14), (6, 12), (20, 24), (38, 59), (0, 0)];
    /// An own rook or queen pushes it from behind; or an enemy one holds it back.
    PASSED_BEHIND Passed 2 = [(-2, 23), (-7, -43)];
    /// The enemy has no pieces and its king comes too late.
    UNSTOPPABLE Passed 1 = [(0, 252)];

    /// The own pawn nearest to the king's rank on a file near the king; index 0: none. [files from the edge][own rank]
    SHELTER Shelter 32 = [
        (-15, 8), (30, -14), (29, -7), (17, -9), (2, -1), (15, 9), (11, 7), (0, 0),
        (-24, 6), (24, -6), (16, -10), (-13, 2), (-20, -3), (1, -2), (-16, 4), (0, 0),
        (-4, 0), (29, 2), (8, 1), (1, -1), (3, -5), (-1, -7), (-9, 8), (0, 0),
        (-7, -3), (1, 6), (0, -4), (-10, -4), (-12, -4), (-23, 2), (-28, 13), (0, 0),
    ];
    /// The enemy pawn nearest to the king's rank on a file near the king; index 0: none. [files from edge][own rank]
    STORM Shelter 32 = [
        (-22, -6), (51, 3), (14, 7), (-33, 13), (-9, -4), (-13, -2), (-18, 9), (0, 0),
        (-16, 1), (6, -1), (-42, 17), (-14, 6), (-13, 5), (-1, -5), (-8, -1), (0, 0),
        (1, 4), (-17, -1), (-57, -3), (-15, 7), (2, 0), (4, -3), (3, -3), (0, 0),
        (-2, 1), (2, 1), (-41, -3), (-9, -1), (-6, -5), (2, -1), (-2, 2), (0, 0),
    ];
    /// The same, if an own pawn stands right before that enemy pawn. [own rank]
    STORM_BLOCKED Shelter 8 = [(0, 0), (0, 0), (-23, -37), (5, -13), (7, -8), (6, -11), (-1, -8), (0, 0)];
    /// The file of the king. [pawns of both, without own pawns, without enemy pawns, open]
    KING_FILE Shelter 4 = [(7, 5), (-2, 3), (2, 5), (-19, -5)];
    /// No pawn at all on the king's wing.
    PAWNLESS_WING Shelter 1 = [(-8, -66)];
    /// The king's distance to the nearest own pawn.
    KING_TO_PAWN Shelter 1 = [(0, -6)];

    /// Safe squares a knight can go to.
    KNIGHT_MOBILITY Mobility 9 = [
        (-39, -51), (-14, -37), (-9, -13), (-3, 0), (0, 8), (4, 12), (7, 15), (9, 16), (11, 11),
    ];
    /// Safe squares a bishop can go to.
    BISHOP_MOBILITY Mobility 14 = [
        (-20, -51), (-14, -19), (-1, -5), (2, 4), (7, 13), (10, 17), (10, 22), (14, 23), (16, 22), (21, 22), (21, 20),
        (31, 18), (29, 26), (39, 22),
    ];
    /// Safe squares a rook can go to.
    ROOK_MOBILITY Mobility 15 = [
        (-27, -64), (-9, -33), (-2, -12), (-4, 3), (-7, 6), (-8, 13), (-6, 18), (-3, 18), (1, 25), (-1, 30), (3, 33),
        (9, 34), (10, 37), (12, 40), (22, 36),
    ];
    /// Safe squares a queen can go to.
    QUEEN_MOBILITY Mobility 28 = [
        (-30, -60), (-22, -50), (-11, -43), (-3, -35), (0, -29), (-1, -23), (1, -14), (1, -10), (3, 11), (4, 10),
        (6, 14), (7, 24), (9, 29), (10, 29), (11, 28), (13, 32), (14, 34), (13, 37), (10, 34), (21, 37), (21, 35),
        (25, 34), (28, 36), (29, 32), (32, 35), (34, 33), (35, 35), (36, 34),
    ];

    /// A minor piece, defended by a pawn, where no enemy pawn can ever attack it. [knight, bishop]
    OUTPOST Pieces 2 = [(25, 10), (27, 8)];
    /// A knight that can go to such a square.
    NEAR_OUTPOST Pieces 1 = [(16, 13)];
    /// A minor piece right behind a pawn.
    BEHIND_PAWN Pieces 1 = [(3, 7)];
    /// The distance of a minor piece from its own king. [knight, bishop]
    KING_PROTECTOR Pieces 2 = [(-4, 1), (-3, -1)];
    /// Own pawns on squares of the bishop's color, times one more than the blocked pawns of the center.
    BISHOP_PAWNS Pieces 1 = [(-1, -3)];
    /// A bishop that sees two squares of the center.
    LONG_DIAGONAL Pieces 1 = [(15, 8)];
    /// A rook on a file without pawns of its own. [enemy pawns there, none]
    ROOK_FILE Pieces 2 = [(9, 4), (22, 3)];
    /// A rook on the seventh rank, with enemy pawns there or the enemy king behind them.
    ROOK_SEVENTH Pieces 1 = [(-2, 16)];
    /// A rook shut in by its own king. [it may still castle, it may not]
    ROOK_TRAPPED Pieces 2 = [(2, 2), (-35, -9)];

    /// A pawn that is safe attacks a piece. [knight, bishop, rook, queen]
    PAWN_THREAT Threats 4 = [(62, 37), (56, 46), (82, 30), (63, 27)];
    /// A knight or bishop attacks. [pawn, knight, bishop, rook, queen]
    MINOR_THREAT Threats 5 = [(4, 19), (21, 25), (35, 27), (49, 23), (39, 50)];
    /// A rook attacks. [pawn, knight, bishop, rook, queen]
    ROOK_THREAT Threats 5 = [(9, 17), (20, 29), (23, 27), (4, 17), (40, 18)];
    /// The king attacks something weakly defended.
    KING_THREAT Threats 1 = [(16, 27)];
    /// Attacked and not defended, or attacked twice and defended badly.
    HANGING Threats 1 = [(14, 21)];
    /// A pawn can step safely to where it attacks a piece.
    PUSH_THREAT Threats 1 = [(17, 16)];
    /// Squares that the enemy attacks but can hardly use.
    RESTRICTED Threats 1 = [(4, 0)];

    /// Safe squares behind the own center, times the square of the number of pieces, divided by 32.
    SPACE Space 1 = [(1, -1)];

    /// Pieces that attack squares around the enemy king. [knight, bishop, rook, queen]
    DANGER_ATTACKER Danger 4 = [(52, 79), (24, 125), (32, 76), (18, 57)];
    /// Attacks on squares around the enemy king, each counted.
    DANGER_RING Danger 1 = [(17, -16)];
    /// Squares around the king that only king or queen defend.
    DANGER_WEAK Danger 1 = [(34, 0)];
    /// The enemy can check safely. [with a knight, bishop, rook, queen]
    DANGER_CHECK Danger 4 = [(123, 213), (59, 332), (135, 237), (116, 363)];
    /// Squares from which a check would cost the piece.
    DANGER_UNSAFE_CHECK Danger 1 = [(31, -3)];
    /// Files around the king without own pawns.
    DANGER_OPEN_FILE Danger 1 = [(34, -81)];
    /// Squares of the king's third of the board that are attacked. [once more for each second attack; defended]
    DANGER_FLANK Danger 2 = [(10, 0), (-7, 17)];
    /// An own minor piece defends around the king. [knight, bishop]
    DANGER_DEFENDER Danger 2 = [(-18, -69), (-5, 66)];
    /// The attacker has no queen.
    DANGER_NO_QUEEN Danger 1 = [(-242, -321)];
    /// Counted for every attack: a few pieces near a king are no attack yet.
    DANGER_BASE Danger 1 = [(-53, 15)];

    /// Complexity: passed pawns of both sides.
    COMPLEX_PASSED Complexity 1 = [(0, 6)];
    /// Complexity: pawns of both sides.
    COMPLEX_PAWNS Complexity 1 = [(0, 4)];
    /// Complexity: how far the kings can outflank each other.
    COMPLEX_OUTFLANKING Complexity 1 = [(0, 2)];
    /// Complexity: pawns on both wings.
    COMPLEX_WINGS Complexity 1 = [(0, 25)];
    /// Complexity: nothing but pawns.
    COMPLEX_PAWN_ENDING Complexity 1 = [(0, 43)];
    /// Complexity: counted always.
    COMPLEX_BASE Complexity 1 = [(0, -54)];
}

/// What the right to move is worth.
pub const TEMPO: i32 = 14;
/// Danger per centipawn: squared units in the middle game, plain units in the endgame.
pub const DANGER_DIVISOR: (i32, i32) = (1024, 18);
/// Danger beyond this counts no more.
pub const DANGER_LIMIT: i32 = 1200;
/// How much the rank of a passed pawn multiplies the distances of the kings. [own rank]
pub const PASSED_URGENCY: [i32; 8] = [0, 0, 0, 1, 3, 6, 8, 0];
/// Mop-up: a win against a bare king that does not need a pawn.
pub const KNOWN_WIN: i32 = 1500;
/// King and pawn against king, won: less than any win that does not need a pawn.
pub const KNOWN_PROMOTION: i32 = 700;
/// Mop-up: for each step of the lone king away from the center, and of the kings towards each other.
pub const MOP_UP: (i32, i32) = (16, 28);
/// Mop-up with bishop and knight: for each step towards a corner of the bishop's color, for its square, for each step
/// of the kings towards each other, and of the own king away from the center.
pub const MOP_UP_CORNER: (i32, i32, i32, i32) = (60, 20, 70, -30);
/// Mop-up: the cost of each square that the lone king can still reach within two steps.
pub const MOP_UP_ROOM: i32 = 18;
