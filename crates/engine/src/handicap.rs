//! Playing weaker on purpose, in a human way: the player sees less, judges less well what it sees, and among moves that
//! look alike does not always choose the best.
//!
//! The errors follow from the position and from a seed that lasts for a game. So a player who overrates a pawn
//! structure does so for the whole game, and the same question gets the same answer. What matters most is left to no
//! chance: mates in one and two are played, and a lone king is mated as the full engine would do it.

use chess::zobrist::splitmix;
use chess::{Board, Color, Move, MoveList, Position};

use crate::result::PvLine;
use crate::score;
use crate::search::mate::{self, Allowance};
use crate::search::root::RootMove;

/// The weakest and the strongest rating available.
pub const ELO_RANGE: std::ops::RangeInclusive<u16> = 800..=2850;

/// How many lines a handicapped player compares.
pub(crate) const LINES: usize = 4;

/// What a player of a rating can do. Between two rows everything is interpolated, nodes on a logarithmic scale. To fit
/// the ratings again, play the levels against each other and change the numbers of this table; docs/LEVELS.md says how.
const TABLE: [Row; 10] = [
    Row { elo: 800, depth: 1, nodes: 120, noise: 210.0, error: 175.0, margin: 350.0 },
    Row { elo: 1000, depth: 1, nodes: 160, noise: 150.0, error: 122.0, margin: 250.0 },
    Row { elo: 1200, depth: 3, nodes: 350, noise: 105.0, error: 80.0, margin: 165.0 },
    Row { elo: 1400, depth: 5, nodes: 980, noise: 73.0, error: 52.0, margin: 107.0 },
    Row { elo: 1600, depth: 6, nodes: 1_950, noise: 57.0, error: 40.0, margin: 83.0 },
    Row { elo: 1800, depth: 7, nodes: 3_300, noise: 47.0, error: 32.0, margin: 68.0 },
    Row { elo: 2000, depth: 8, nodes: 6_500, noise: 36.0, error: 24.0, margin: 52.0 },
    Row { elo: 2200, depth: 10, nodes: 12_000, noise: 27.0, error: 18.0, margin: 40.0 },
    Row { elo: 2500, depth: 13, nodes: 26_000, noise: 18.0, error: 12.0, margin: 28.0 },
    Row { elo: 2850, depth: 40, nodes: 200_000, noise: 2.0, error: 1.0, margin: 4.0 },
];

/// One row of the table.
#[derive(Clone, Copy, Debug)]
struct Row {
    elo: u16,
    /// The deepest iteration.
    depth: i32,
    /// Nodes for each move.
    nodes: u64,
    /// The standard deviation of an evaluation's error, in centipawns.
    noise: f64,
    /// The standard deviation of the error in comparing finished lines, in centipawns.
    error: f64,
    /// Lines worse than the best by more than this are seen to be worse.
    margin: f64,
}

/// Against a lone king the search gets this many nodes, whatever the rating: enough for every basic mate.
const MATING_NODES: u64 = 30_000;
/// The node limit for the proof of a mate in one or two.
const PROOF_NODES: u64 = 30_000;

/// What a player of some rating may do in a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Handicap {
    /// The deepest iteration.
    pub(crate) depth: i32,
    /// Nodes for each move.
    pub(crate) nodes: u64,
    /// How evaluations err; not at all against a lone king.
    pub(crate) noise: Option<Noise>,
    error: f64,
    margin: f64,
    seed: u64,
}

impl Handicap {
    /// The handicap of a player of this rating in this position of the game with this seed.
    pub(crate) fn new(elo: u16, seed: u64, board: &Board) -> Handicap {
        let Row { depth, nodes, noise, error, margin, .. } = row(elo);
        if is_bare(board, board.side_to_move().other()) {
            let nodes = nodes.max(MATING_NODES);
            return Handicap { depth: i32::MAX, nodes, noise: None, error: 0.0, margin: 0.0, seed };
        }
        let noise = Some(Noise { seed, spread: noise }).filter(|noise| noise.spread > 0.0);
        Handicap { depth, nodes, noise, error, margin, seed }
    }

    /// Whether the position is won by technique alone, which no player forgets.
    pub(crate) fn is_technique(&self) -> bool {
        self.depth == i32::MAX
    }

    /// The index of the line to play.
    pub(crate) fn choose(&self, lines: &[PvLine], key: u64) -> usize {
        let units = |line: &PvLine| line.search_score.units();
        let Some(best) = lines.first().map(units) else { return 0 };
        if score::is_decisive(best) {
            return 0;
        }
        let judged = |line: &PvLine| {
            let mv = line.moves.first().map_or(0, |mv| u64::from(mv.bits()));
            let word = splitmix(self.seed ^ key ^ splitmix(mv));
            f64::from(units(line)) + self.error * normal(word)
        };
        let worst = best - self.margin as i32;
        let plausible = lines.iter().take(LINES).enumerate().filter(|(_, line)| units(line) >= worst);
        let judged = plausible.map(|(index, line)| (index, judged(line)));
        judged.max_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(index, _)| index)
    }
}

/// A row of the table, or what lies between two.
fn row(elo: u16) -> Row {
    let [.., last] = TABLE;
    let between = TABLE.windows(2).find(|pair| elo < pair[1].elo);
    let Some(&[low, high]) = between.and_then(|pair| <&[Row; 2]>::try_from(pair).ok()) else { return last };
    let share = f64::from(elo.saturating_sub(low.elo)) / f64::from(high.elo - low.elo);
    let mix = |low: f64, high: f64| low + share * (high - low);
    Row {
        elo,
        depth: mix(f64::from(low.depth), f64::from(high.depth)).round() as i32,
        nodes: mix((low.nodes as f64).ln(), (high.nodes as f64).ln()).exp().round() as u64,
        noise: mix(low.noise, high.noise),
        error: mix(low.error, high.error),
        margin: mix(low.margin, high.margin),
    }
}

/// Whether `color` has nothing but its king.
fn is_bare(board: &Board, color: Color) -> bool {
    board.color(color).len() == 1
}

/// A mate in one or two, which every player sees, if one of these moves begins it.
pub(crate) fn mate_at_hand(position: &Position, moves: &[RootMove]) -> Option<Vec<Move>> {
    let mut list = MoveList::new();
    moves.iter().for_each(|root_move| list.push(root_move.mv));
    let mut nodes = Allowance { limit: PROOF_NODES, used: 0 };
    let find = |length| mate::find(position.board(), &list, length, &mut nodes).ok().flatten();
    [1, 2].into_iter().find_map(find)
}

/// The evaluation errors of a weak player: one for each pawn structure and one for each side's set of pieces. A line
/// that keeps the structure keeps its error, so the player has opinions rather than moods.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Noise {
    seed: u64,
    spread: f64,
}

impl Noise {
    /// What is added to the evaluation of the side to move.
    pub(crate) fn of(&self, board: &Board) -> i32 {
        let opinion = |key: u64| normal(splitmix(self.seed ^ key));
        let pieces = |color: Color| opinion(board.non_pawn_key(color));
        let white = opinion(board.pawn_key()) + pieces(Color::White) - pieces(Color::Black);
        // Three independent errors: their sum is wider by the square root of three.
        let value = (self.spread * white / 3_f64.sqrt()).round() as i32;
        if board.side_to_move() == Color::White { value } else { -value }
    }
}

/// A nearly normally distributed number from a random word: the sum of its bytes.
pub(crate) fn normal(word: u64) -> f64 {
    let sum: i32 = word.to_le_bytes().into_iter().map(i32::from).sum();
    (f64::from(sum) - 8.0 * 127.5) / (8.0_f64 * 256.0 * 256.0 / 12.0).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Control, Engine, Limits, Score, Silent};

    #[test]
    fn stronger_players_see_more_and_err_less() {
        assert_eq!((TABLE[0].elo, TABLE[TABLE.len() - 1].elo), (*ELO_RANGE.start(), *ELO_RANGE.end()));
        let rows: Vec<Row> = ELO_RANGE.step_by(25).map(row).collect();
        for pair in rows.windows(2) {
            assert!(pair[0].nodes < pair[1].nodes && pair[0].depth <= pair[1].depth, "{pair:?}");
            assert!(pair[0].noise > pair[1].noise && pair[0].error > pair[1].error && pair[0].margin > pair[1].margin);
        }
        assert_eq!(row(0).nodes, TABLE[0].nodes);
        assert_eq!(row(u16::MAX).nodes, TABLE[TABLE.len() - 1].nodes);
    }

    #[test]
    fn errors_are_centred_and_as_wide_as_said() {
        let numbers: Vec<f64> = (0..20_000).map(|n| normal(splitmix(n))).collect();
        let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
        let variance = numbers.iter().map(|n| n * n).sum::<f64>() / numbers.len() as f64;
        assert!(mean.abs() < 0.03 && (variance - 1.0).abs() < 0.05, "{mean} {variance}");
        let noise = |seed| f64::from(Noise { seed, spread: 100.0 }.of(&Board::start()));
        let spread = ((0..2000).map(|seed| noise(seed) * noise(seed)).sum::<f64>() / 2000.0).sqrt();
        assert!((90.0..110.0).contains(&spread), "{spread}");
    }

    fn weak(elo: u16, seed: u64) -> Engine {
        let mut engine = Engine::new();
        engine.options.elo = Some(elo);
        engine.options.seed = Some(seed);
        engine
    }

    #[test]
    fn the_same_game_gets_the_same_answers_and_another_game_others() {
        let position = Position::start();
        let ask = |engine: &mut Engine| {
            engine.search(&position, &Limits::default(), &Control::new(), &mut Silent).best_move().expect("a move")
        };
        let answers: Vec<_> = (0..24).map(|seed| ask(&mut weak(800, seed))).collect();
        assert!((0..24).all(|seed| ask(&mut weak(800, seed)) == answers[seed as usize]));
        assert!(answers.iter().any(|mv| *mv != answers[0]), "{answers:?}");
    }

    #[test]
    fn short_mates_are_played_by_everybody() {
        for fen in ["6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"] {
            let position = Position::new(fen.parse().expect(fen));
            for seed in 0..10 {
                let found = weak(800, seed).search(&position, &Limits::default(), &Control::new(), &mut Silent);
                assert!(matches!(found.best.score, Score::Mate(1 | 2)), "{fen} {seed} {found:?}");
            }
        }
    }

    /// Lets a weak player play against the lone king's best defence.
    fn mates(fen: &str, player: Engine) -> bool {
        let mut position = Position::new(fen.parse().expect(fen));
        let defence = Limits { nodes: Some(40_000), ..Limits::default() };
        let mut sides = [(player, Limits::default()), (Engine::new(), defence)];
        while position.outcome().is_none() {
            let (engine, limits) = &mut sides[position.plies() % 2];
            let found = engine.search(&position, limits, &Control::new(), &mut Silent);
            position.play(found.best_move().expect("a move"));
        }
        matches!(position.outcome(), Some(chess::Outcome::Checkmate { winner: Color::White }))
    }

    #[test]
    fn basic_mates_are_not_failed() {
        const ROOK: &str = "8/8/8/3k4/8/8/8/KR6 w - - 0 1";
        let others = ["8/8/3k4/8/8/8/8/KQ6 w - - 0 1", "8/8/3k4/8/8/8/2BB4/K7 w - - 0 1"];
        for (seed, fen) in others.into_iter().chain([ROOK]).enumerate() {
            assert!(mates(fen, weak(800, seed as u64)), "{fen}");
        }
        // Not even with an untrained network.
        let mut ignorant = weak(1500, 1);
        ignorant.set_network(Some(std::sync::Arc::new(crate::Network::random(128, 1).expect("a network"))));
        assert!(mates(ROOK, ignorant));
    }
}
