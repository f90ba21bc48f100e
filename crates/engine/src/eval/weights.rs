//! Every weight of the evaluation, in centipawns, as a named table of (middle game, endgame) pairs.
//!
//! The tables lie end to end in one array, so the laboratory sees a vector of numbers and a list of names. The evaluation
//! never reads the array itself: it asks a `Trace` to count a weight, and so every use is on record.
//! Three groups are not simply added up: danger and complexity (see `king.rs` and `ending.rs`), and the mating drive.
//! Sizes follow what tuned hand-written evaluations agree on (Stockfish 11, Ethereal, PeSTO); the numbers are ours to tune.

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
    /// What the laboratory calls it.
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
    MATERIAL Material 6 = [(82, 112), (355, 335), (375, 360), (500, 575), (1060, 1075), (0, 0)];
    /// Two bishops or more.
    BISHOP_PAIR Material 1 = [(26, 52)];

    /// Where pawns like to stand. [own rank][files from the edge to the middle], as in all six tables of squares
    PAWN_SQUARES Squares 32 = [
        (0, 0), (0, 0), (0, 0), (0, 0),
        (-4, -4), (2, -2), (3, 2), (2, 4),
        (-8, -4), (-4, -3), (4, -2), (10, 1),
        (-6, 0), (-6, 0), (5, -4), (18, -4),
        (2, 6), (-2, 4), (0, -2), (8, -6),
        (0, 10), (-4, 8), (2, 6), (6, 2),
        (-4, 6), (0, 6), (0, 2), (-4, 2),
        (0, 0), (0, 0), (0, 0), (0, 0),
    ];
    /// Where knights like to stand.
    KNIGHT_SQUARES Squares 32 = [
        (-70, -45), (-34, -32), (-26, -20), (-22, -12),
        (-32, -30), (-20, -20), (-8, -12), (-2, 2),
        (-22, -24), (-6, -10), (6, -4), (10, 10),
        (-10, -14), (2, -2), (14, 8), (18, 18),
        (-8, -14), (6, -4), (18, 8), (22, 20),
        (-14, -22), (8, -14), (24, 0), (26, 10),
        (-35, -32), (-14, -18), (6, -14), (16, 6),
        (-95, -50), (-45, -40), (-30, -24), (-18, -12),
    ];
    /// Where bishops like to stand.
    BISHOP_SQUARES Squares 32 = [
        (-16, -22), (-2, -14), (-8, -14), (-14, -6),
        (-4, -14), (7, -8), (8, -4), (2, 2),
        (-2, -8), (8, -2), (5, 2), (6, 6),
        (-3, -6), (4, 0), (10, 4), (14, 8),
        (-6, -6), (8, 0), (8, 2), (12, 8),
        (-8, -8), (4, 2), (4, 2), (8, 6),
        (-14, -10), (-10, -4), (-2, 0), (-4, 2),
        (-22, -16), (-8, -12), (-14, -10), (-16, -8),
    ];
    /// Where rooks like to stand.
    ROOK_SQUARES Squares 32 = [
        (-12, -4), (-8, -4), (-3, -4), (4, -6),
        (-16, -4), (-8, -4), (-4, -2), (2, -2),
        (-14, 0), (-6, -2), (-2, -2), (0, -2),
        (-10, 0), (-4, 2), (-2, 0), (0, 0),
        (-8, 2), (-2, 4), (2, 2), (4, 2),
        (-6, 4), (4, 4), (6, 2), (8, 2),
        (2, 4), (8, 6), (12, 8), (14, 6),
        (-6, 8), (-4, 6), (2, 8), (4, 8),
    ];
    /// Where queens like to stand.
    QUEEN_SQUARES Squares 32 = [
        (0, -34), (-2, -28), (-2, -24), (3, -14),
        (-2, -26), (2, -16), (5, -12), (6, -4),
        (-2, -18), (3, -8), (6, -4), (3, 2),
        (1, -10), (2, 0), (4, 6), (3, 12),
        (0, -12), (4, -2), (4, 6), (2, 12),
        (-2, -16), (4, -8), (2, -4), (3, 2),
        (-4, -22), (-2, -12), (4, -10), (2, -4),
        (0, -32), (0, -24), (2, -18), (0, -14),
    ];
    /// Where kings like to stand.
    KING_SQUARES Squares 32 = [
        (26, -50), (44, -30), (16, -14), (-12, -18),
        (26, -26), (32, -6), (0, 6), (-24, 8),
        (-12, -12), (10, 8), (-26, 22), (-50, 26),
        (-30, -6), (-20, 18), (-45, 28), (-62, 30),
        (-38, -4), (-28, 22), (-58, 36), (-75, 38),
        (-48, -4), (-38, 26), (-68, 32), (-88, 34),
        (-60, -24), (-48, 4), (-75, 6), (-92, 10),
        (-72, -50), (-58, -26), (-82, -18), (-102, -16),
    ];

    /// A pawn before another of its own.
    DOUBLED Pawns 1 = [(-6, -22)];
    /// No own pawn on the files beside it. [an enemy pawn is ahead on its file; the file ahead is free of them]
    ISOLATED Pawns 2 = [(-4, -8), (-11, -18)];
    /// It cannot step forward safely, nor will another pawn support it. [as above]
    BACKWARD Pawns 2 = [(-5, -10), (-12, -20)];
    /// Beside another own pawn. [own rank]
    PHALANX Pawns 8 = [(0, 0), (4, -2), (10, 4), (14, 9), (30, 24), (56, 56), (80, 90), (0, 0)];
    /// Defended by another own pawn. [own rank]
    SUPPORTED Pawns 8 = [(0, 0), (0, 0), (12, 6), (9, 6), (16, 14), (38, 40), (70, 80), (0, 0)];

    /// No enemy pawn can stop it. [own rank]
    PASSED Passed 8 = [(0, 0), (2, 12), (2, 15), (4, 24), (24, 42), (62, 80), (110, 125), (0, 0)];
    /// The file of a passed pawn. [from the edge to the middle]
    PASSED_FILE Passed 4 = [(2, 6), (0, 3), (-5, -2), (-8, -6)];
    /// A passed pawn defended by a pawn or beside one. [own rank]
    PASSED_CONNECTED Passed 8 = [(0, 0), (0, 0), (0, 2), (2, 6), (8, 16), (18, 32), (30, 45), (0, 0)];
    /// The enemy king's distance to the square before a passed pawn, times the importance of its rank.
    PASSED_ENEMY_KING Passed 1 = [(0, 4)];
    /// The own king's distance to the square before a passed pawn, times the importance of its rank.
    PASSED_OWN_KING Passed 1 = [(0, -2)];
    /// An enemy piece stands before it. [own rank]
    PASSED_BLOCKED Passed 8 = [(0, 0), (0, -2), (0, -4), (-2, -8), (-6, -16), (-16, -28), (-24, -44), (0, 0)];
    /// Nothing hinders its way to the last rank. [own rank]
    PASSED_FREE Passed 8 = [(0, 0), (0, 2), (0, 4), (4, 12), (18, 40), (42, 82), (70, 120), (0, 0)];
    /// Its next step is safe, but not the whole way. [own rank]
    PASSED_STEP Passed 8 = [(0, 0), (0, 1), (0, 2), (2, 5), (8, 16), (18, 32), (28, 44), (0, 0)];
    /// Its next step is covered by an own piece. [own rank]
    PASSED_ESCORTED Passed 8 = [(0, 0), (0, 0), (0, 1), (2, 4), (6, 10), (14, 20), (24, 30), (0, 0)];
    /// An own rook or queen pushes it from behind; or an enemy one holds it back.
    PASSED_BEHIND Passed 2 = [(4, 14), (-6, -14)];
    /// The enemy has no pieces and its king comes too late.
    UNSTOPPABLE Passed 1 = [(0, 260)];

    /// The own pawn nearest to the king's rank on a file near the king; index 0: none. [files from the edge][own rank]
    SHELTER Shelter 32 = [
        (-6, 0), (34, -4), (38, -2), (18, 0), (12, 0), (6, 0), (6, 0), (0, 0),
        (-22, 0), (32, -4), (19, -2), (-14, 0), (-10, 0), (-6, 0), (-16, 0), (0, 0),
        (-8, 0), (32, -2), (12, 0), (-2, 0), (6, 0), (0, 0), (-12, 0), (0, 0),
        (-16, 0), (-4, 0), (-10, 0), (-16, 0), (-16, 0), (-20, 0), (-32, 0), (0, 0),
    ];
    /// The enemy pawn nearest to the king's rank on a file near the king; index 0: none. [files from the edge][own rank]
    STORM Shelter 32 = [
        (-22, 0), (50, 0), (20, 0), (-38, 0), (-20, 0), (-16, 0), (-16, 0), (0, 0),
        (-14, 0), (4, 0), (-46, 0), (-20, 0), (-14, 0), (2, 0), (-6, 0), (0, 0),
        (2, 0), (-18, 0), (-58, 0), (-14, 0), (0, 0), (6, 0), (4, 0), (0, 0),
        (4, 0), (2, 0), (-38, 0), (-3, 0), (-4, 0), (4, 0), (8, 0), (0, 0),
    ];
    /// The same, if an own pawn stands right before that enemy pawn. [own rank]
    STORM_BLOCKED Shelter 8 = [(0, 0), (0, 0), (-32, -28), (6, -8), (4, -4), (2, -2), (0, 0), (0, 0)];
    /// The file of the king. [pawns of both, without own pawns, without enemy pawns, open]
    KING_FILE Shelter 4 = [(3, -2), (-4, 3), (0, 2), (-12, 4)];
    /// No pawn at all on the king's wing.
    PAWNLESS_WING Shelter 1 = [(-8, -36)];
    /// The king's distance to the nearest own pawn.
    KING_TO_PAWN Shelter 1 = [(0, -6)];

    /// Safe squares a knight can go to.
    KNIGHT_MOBILITY Mobility 9 = [
        (-40, -52), (-26, -30), (-9, -16), (-2, -6), (4, 3), (8, 8), (13, 11), (17, 12), (20, 12),
    ];
    /// Safe squares a bishop can go to.
    BISHOP_MOBILITY Mobility 14 = [
        (-34, -48), (-20, -28), (-6, -14), (0, -4), (7, 4), (13, 12), (17, 18), (20, 21), (22, 24), (25, 26), (29, 26),
        (33, 26), (36, 28), (38, 28),
    ];
    /// Safe squares a rook can go to.
    ROOK_MOBILITY Mobility 15 = [
        (-34, -66), (-20, -38), (-13, -18), (-9, -6), (-6, 2), (-3, 8), (1, 14), (5, 18), (9, 22), (12, 27), (15, 31),
        (18, 34), (20, 36), (22, 37), (26, 36),
    ];
    /// Safe squares a queen can go to.
    QUEEN_MOBILITY Mobility 28 = [
        (-30, -60), (-24, -50), (-16, -42), (-11, -34), (-7, -26), (-4, -17), (-1, -9), (2, -2), (4, 4), (6, 9),
        (8, 13), (10, 17), (12, 20), (13, 23), (14, 26), (15, 28), (16, 30), (17, 32), (18, 34), (20, 35), (22, 36),
        (25, 36), (28, 36), (31, 36), (33, 36), (35, 36), (36, 36), (37, 36),
    ];

    /// A minor piece, defended by a pawn, where no enemy pawn can ever attack it. [knight, bishop]
    OUTPOST Pieces 2 = [(27, 18), (17, 9)];
    /// A knight that can go to such a square.
    NEAR_OUTPOST Pieces 1 = [(11, 7)];
    /// A minor piece right behind a pawn.
    BEHIND_PAWN Pieces 1 = [(7, 3)];
    /// The distance of a minor piece from its own king. [knight, bishop]
    KING_PROTECTOR Pieces 2 = [(-3, -3), (-2, -2)];
    /// Own pawns on squares of the bishop's color, times one more than the blocked pawns of the center.
    BISHOP_PAWNS Pieces 1 = [(-1, -3)];
    /// A bishop that sees two squares of the center.
    LONG_DIAGONAL Pieces 1 = [(16, 0)];
    /// A rook on a file without pawns of its own. [enemy pawns there, none]
    ROOK_FILE Pieces 2 = [(10, 6), (25, 10)];
    /// A rook on the seventh rank, with enemy pawns there or the enemy king behind them.
    ROOK_SEVENTH Pieces 1 = [(6, 24)];
    /// A rook shut in by its own king. [it may still castle, it may not]
    ROOK_TRAPPED Pieces 2 = [(-16, -4), (-40, -10)];

    /// A pawn that is safe attacks a piece. [knight, bishop, rook, queen]
    PAWN_THREAT Threats 4 = [(68, 40), (66, 48), (84, 36), (76, 30)];
    /// A knight or bishop attacks. [pawn, knight, bishop, rook, queen]
    MINOR_THREAT Threats 5 = [(3, 15), (26, 20), (32, 26), (48, 42), (42, 56)];
    /// A rook attacks. [pawn, knight, bishop, rook, queen]
    ROOK_THREAT Threats 5 = [(2, 18), (20, 28), (20, 28), (2, 16), (42, 26)];
    /// The king attacks something weakly defended.
    KING_THREAT Threats 1 = [(10, 38)];
    /// Attacked and not defended, or attacked twice and defended badly.
    HANGING Threats 1 = [(32, 18)];
    /// A pawn can step safely to where it attacks a piece.
    PUSH_THREAT Threats 1 = [(22, 18)];
    /// Squares that the enemy attacks but can hardly use.
    RESTRICTED Threats 1 = [(3, 3)];

    /// Safe squares behind the own center, times the square of the number of pieces, divided by 32.
    SPACE Space 1 = [(1, 0)];

    /// Pieces that attack squares around the enemy king. [knight, bishop, rook, queen]
    DANGER_ATTACKER Danger 4 = [(50, 40), (30, 32), (38, 10), (34, 8)];
    /// Attacks on squares around the enemy king, each counted.
    DANGER_RING Danger 1 = [(38, 28)];
    /// Squares around the king that only king or queen defend.
    DANGER_WEAK Danger 1 = [(42, 38)];
    /// The enemy can check safely. [with a knight, bishop, rook, queen]
    DANGER_CHECK Danger 4 = [(108, 105), (62, 58), (98, 92), (90, 78)];
    /// Squares from which a check would cost the piece.
    DANGER_UNSAFE_CHECK Danger 1 = [(14, 8)];
    /// Files around the king without own pawns.
    DANGER_OPEN_FILE Danger 1 = [(18, 0)];
    /// Squares of the king's third of the board that are attacked. [once more for each second attack; defended]
    DANGER_FLANK Danger 2 = [(7, 4), (-5, -2)];
    /// An own minor piece defends around the king. [knight, bishop]
    DANGER_DEFENDER Danger 2 = [(-24, -12), (-14, -8)];
    /// The attacker has no queen.
    DANGER_NO_QUEEN Danger 1 = [(-230, -240)];
    /// Counted for every attack: a few pieces near a king are no attack yet.
    DANGER_BASE Danger 1 = [(-92, -40)];

    /// Complexity: passed pawns of both sides.
    COMPLEX_PASSED Complexity 1 = [(0, 4)];
    /// Complexity: pawns of both sides.
    COMPLEX_PAWNS Complexity 1 = [(0, 5)];
    /// Complexity: how far the kings can outflank each other.
    COMPLEX_OUTFLANKING Complexity 1 = [(0, 4)];
    /// Complexity: pawns on both wings.
    COMPLEX_WINGS Complexity 1 = [(0, 10)];
    /// Complexity: nothing but pawns.
    COMPLEX_PAWN_ENDING Complexity 1 = [(0, 26)];
    /// Complexity: counted always.
    COMPLEX_BASE Complexity 1 = [(0, -55)];
}

/// What the right to move is worth.
pub const TEMPO: i32 = 16;
/// Units of danger squared that make a centipawn in the middle game; and in the endgame, not squared.
pub const DANGER_DIVISOR: (i32, i32) = (1024, 18);
/// More danger than this is no worse.
pub const DANGER_LIMIT: i32 = 1200;
/// How important the rank of a passed pawn makes the distances of the kings. [own rank]
pub const PASSED_URGENCY: [i32; 8] = [0, 0, 0, 1, 3, 6, 8, 0];
/// The mating drive: a win against a bare king that needs no pawn.
pub const KNOWN_WIN: i32 = 1500;
/// The mating drive: for each step of the lone king away from the center, and of the kings towards each other.
pub const DRIVE: (i32, i32) = (16, 14);
/// The mating drive with bishop and knight: for each step towards a corner of the bishop's color.
pub const DRIVE_TO_CORNER: i32 = 90;
