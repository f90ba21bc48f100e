//! The connection between the network and the search: the embedded network, the adjustment of its values, and their
//! explanation for people.

use std::fmt;
use std::sync::{Arc, LazyLock};

use chess::{Bitboard, Board, Color, File, Move, PieceKind, Rank, Square};
use nnue::{Network, NetworkError, arch};

use super::LIMIT;
use super::forecast::{Forecast, forecast};
use crate::score::SearchScore;
use crate::search::params;

/// Read once per program, since it never changes.
static NETWORK: LazyLock<Result<Arc<Network>, NetworkError>> =
    LazyLock::new(|| Network::from_bytes(BYTES).map(Arc::new));

/// The embedded network, if there is one.
#[must_use]
pub fn embedded() -> Option<Arc<Network>> {
    NETWORK.as_ref().ok().cloned()
}

/// Why the embedded network cannot be used, if there is one that cannot.
#[must_use]
pub fn embedded_fault() -> Option<&'static NetworkError> {
    if cfg!(embedded_network) { NETWORK.as_ref().err() } else { None }
}

#[cfg(embedded_network)]
const BYTES: &[u8] = include_bytes!(env!("STILLWATER_NETWORK"));
#[cfg(not(embedded_network))]
const BYTES: &[u8] = &[];

/// Units of material: the more is left, the more a lead is worth. [kind]
const MATERIAL: [i32; 6] = [0, 3, 3, 5, 9, 0];

/// The network's value as the search uses it: a lead is worth more while there are pieces to use it, so the side ahead
/// trades pawns rather than pieces.
#[inline]
pub(crate) fn adjusted(value: i32, board: &Board) -> i32 {
    (value.clamp(-LIMIT, LIMIT) * factor(board) / 1024).clamp(-LIMIT, LIMIT)
}

/// The network's value that the search would use as this score: the adjustment by material, undone.
#[must_use]
pub fn unadjusted(score: i32, board: &Board) -> i32 {
    score.clamp(-LIMIT, LIMIT) * 1024 / factor(board)
}

/// How much of the network's value counts, in 1/1024.
#[inline]
fn factor(board: &Board) -> i32 {
    let worth = |kind: PieceKind| board.kind(kind).len() as i32 * MATERIAL[kind.index()];
    let material: i32 =
        [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen].map(worth).iter().sum();
    params::net_scale_base() + params::net_scale_material() * material
}

/// The network's value of a position, and what each piece adds to it. All values are from White's point of view.
#[derive(Clone, Debug)]
pub struct Contributions {
    /// A description of the network.
    pub network: String,
    /// The value of each set of output weights.
    pub buckets: [i32; arch::OUTPUT_BUCKETS],
    /// The set in use.
    pub bucket: usize,
    /// What the value would lose without the piece; none for kings and empty squares. By square.
    pub pieces: [Option<i32>; 64],
    /// The value adjusted by material, as the search uses it with a half-move clock of zero.
    pub adjusted: SearchScore,
    /// What the network expects of a search.
    pub forecast: Forecast,
    board: Board,
}

/// Explains the network's value of a position piece by piece.
#[must_use]
pub fn contributions(board: &Board, network: &Network) -> Contributions {
    let white = |value: i32| if board.side_to_move() == Color::White { value } else { -value };
    let bucket = arch::output_bucket(board.occupied().len());
    let buckets = std::array::from_fn(|bucket| white(network.evaluate_in(board, Bitboard::EMPTY, bucket)));
    let value = network.evaluate(board);
    let pieces = std::array::from_fn(|index| {
        let square = Square::from_index(index);
        let is_shown = board.kind_on(square).is_some_and(|kind| kind != PieceKind::King);
        is_shown.then(|| {
            let others = arch::output_bucket(board.occupied().len() - 1);
            white(value - network.evaluate_in(board, square.bitboard(), others))
        })
    });
    Contributions {
        network: format!("{} ({} neurons a side)", network.description(), network.hidden()),
        buckets,
        bucket,
        pieces,
        adjusted: SearchScore::new(white(adjusted(value, board))),
        forecast: forecast(board, network),
        board: *board,
    }
}

impl fmt::Display for Contributions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const RULE: &str = "  +-------+-------+-------+-------+-------+-------+-------+-------+";
        writeln!(f, "Network: {}", self.network)?;
        writeln!(f, "What each piece adds to the value, in the units of the search, for White:")?;
        writeln!(f, "{RULE}")?;
        for rank in Rank::ALL.into_iter().rev() {
            let squares = File::ALL.map(|file| Square::new(file, rank));
            let letters = squares.map(|square| self.board.piece_on(square).map_or(' ', |piece| piece.letter()));
            let worths = squares.map(|square| self.pieces[square.index()].map_or(String::new(), |v| format!("{v:+}")));
            writeln!(f, "{} |{}", rank.digit(), letters.map(|letter| format!("   {letter}   |")).concat())?;
            writeln!(f, "  |{}", worths.map(|worth| format!("{worth:^7}|")).concat())?;
            writeln!(f, "{RULE}")?;
        }
        writeln!(f, "      a       b       c       d       e       f       g       h")?;
        writeln!(f)?;
        let buckets: Vec<String> = self.buckets.iter().map(|value| format!("{value:+}")).collect();
        writeln!(f, "Value by output bucket: {}", buckets.join(" "))?;
        let pieces = self.board.occupied().len();
        let value = self.buckets[self.bucket];
        writeln!(f, "Bucket {} for {pieces} pieces: {value:+} for White", self.bucket)?;
        write!(f, "Adjusted by material: {:+} for White", self.adjusted.units())?;
        if let Some(band) = self.forecast.band {
            let (low, high) = (band.low.units(), band.high.units());
            write!(f, "\nConfidence: between {low:+} and {high:+} for White three times out of five")?;
        }
        let moves: Vec<String> = self.forecast.expected().map(|(mv, chance)| self.expected(mv, chance)).collect();
        if moves.is_empty() { Ok(()) } else { write!(f, "\nExpected moves: {}", moves.join(", ")) }
    }
}

impl Contributions {
    fn expected(&self, mv: Move, chance: f64) -> String {
        format!("{} {:.0} %", mv.uci(!self.board.is_classical_castling()), 100.0 * chance)
    }
}

#[cfg(test)]
mod tests {
    use super::super::forecast::Band;
    use super::*;
    use crate::score;

    #[test]
    fn the_embedded_network_can_be_used() {
        assert!(embedded_fault().is_none(), "{:?}", embedded_fault());
        assert_eq!(embedded().is_some(), cfg!(embedded_network));
    }

    #[test]
    fn adjusted_values_keep_their_sign_and_their_distance_from_proven_scores() {
        let start = Board::start();
        let few: Board = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".parse().expect("a board");
        for value in [0, 1, -1, 100, -250, 5000, i32::MAX, i32::MIN] {
            for board in [&start, &few] {
                let adjusted = adjusted(value, board);
                assert!(adjusted.signum() * value.signum() >= 0 && adjusted.abs() < score::MAX_EVAL);
            }
        }
        assert!([-900, 3, 250].into_iter().all(|value| (unadjusted(adjusted(value, &few), &few) - value).abs() <= 2));
        assert!(adjusted(400, &start) > adjusted(400, &few), "pieces make a lead worth more");
        assert!((900..=1150).contains(&adjusted(1024, &start)), "with all pieces the value is about the network's own");
    }

    #[test]
    fn contributions_are_differences() {
        let network = Network::random(128, 3).expect("a network");
        let board: Board = "4k3/3p4/8/8/8/8/4P3/4K2R b K - 0 1".parse().expect("a board");
        let shown = contributions(&board, &network);
        assert_eq!(shown.pieces.iter().flatten().count(), 3);
        assert_eq!(-shown.buckets[shown.bucket], network.evaluate(&board));
        let without: Board = "4k3/3p4/8/8/8/8/4P3/4K3 b - - 0 1".parse().expect("a board");
        let expected = -network.evaluate(&board) + network.evaluate(&without);
        assert_eq!(shown.pieces[Square::H1.index()], Some(expected));
        let text = shown.to_string();
        assert!(text.contains("128 neurons") && text.contains(&format!("{expected:+}")), "{text}");
        assert!(text.lines().last().is_some_and(|line| line.starts_with("Adjusted by material")), "{text}");
    }

    #[test]
    fn what_the_network_expects_is_shown() {
        let network = Network::random(128, 3).expect("a network");
        let start = Board::start();
        let mut shown = contributions(&start, &network);
        let plain = shown.to_string();
        let [low, value, high] = [-12, 30, 85].map(SearchScore::new);
        shown.forecast.band = Some(Band { low, value, high });
        let confident = format!("{plain}\nConfidence: between -12 and +85 for White three times out of five");
        assert_eq!(shown.to_string(), confident);
        let mv = |text: &str| start.parse_uci(text).expect(text);
        shown.forecast.moves = vec![(mv("e2e4"), 0.312), (mv("d2d4"), 0.238), (mv("a2a3"), 0.001)];
        assert_eq!(shown.to_string(), format!("{confident}\nExpected moves: e2e4 31 %, d2d4 24 %"));
        let castling: Board = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse().expect("a board");
        let mut shown = contributions(&castling, &network);
        let mv = castling.parse_uci("e1g1").expect("legal");
        shown.forecast.moves = vec![(mv, 1.0)];
        assert!(shown.to_string().ends_with("Expected moves: e1g1 100 %"), "{shown}");
    }
}
