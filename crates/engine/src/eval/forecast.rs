//! What the network expects of a search: where its value will lie, and which move it will choose.

use chess::{Board, Color, Move};
use nnue::{Network, arch};

use super::ending::lone_king;
use super::network::adjusted;
use crate::score::SearchScore;

/// The most moves that are shown, and the least probability of one.
const MOST: usize = 5;
const LEAST: f64 = 0.005;

/// A band ends here, unless the value itself lies further out. The expected result hardly changes there any more, so a
/// small step of it would be worth thousands of centipawns, or infinitely many.
const FURTHEST: i32 = 2000;

/// What the network expects of a search, as far as it has learned to say so.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Forecast {
    /// Where the value of a short search will lie. None without confidence, and where the network's value counts for
    /// nothing: in check, and against a lone king.
    pub band: Option<Band>,
    /// Every legal move with its probability, the most probable first. Empty without a policy.
    pub moves: Vec<(Move, f64)>,
}

/// A band around the network's value, from White's point of view and in the units of the search: three times out of
/// five the value of a short search (about a thousand nodes) lies within.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Band {
    /// The lower end: a fifth of the cases lie below.
    pub low: SearchScore,
    /// The network's value. It lies outside the band if the network expects a search to find more, or less.
    pub value: SearchScore,
    /// The upper end: a fifth of the cases lie above.
    pub high: SearchScore,
}

/// What the network expects of a search of this board.
#[must_use]
pub fn forecast(board: &Board, network: &Network) -> Forecast {
    let mut moves: Vec<(Move, f64)> = network.forecast().map_or_else(Vec::new, |policy| {
        let legal = board.legal_moves();
        legal.iter().copied().zip(policy.probabilities(board, &legal)).collect()
    });
    moves.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    Forecast { band: band(board, network), moves }
}

fn band(board: &Board, network: &Network) -> Option<Band> {
    let is_used = !board.in_check() && lone_king(board).is_none();
    let quantiles = network.quantiles(board).filter(|_| is_used)?;
    let value = network.evaluate(board);
    // The confidence was trained on scores of searches, so the ends are in their units already; the value is not.
    let ends = quantiles.map(|quantile| shifted(value, f64::from(quantile) / f64::from(arch::QUANTILE_ONE)));
    let white = |value: i32| SearchScore::new(if board.side_to_move() == Color::White { value } else { -value });
    // Black's low end is White's high one, and nothing keeps a network from confusing the two.
    let [one, other] = ends.map(white);
    Some(Band { low: one.min(other), value: white(adjusted(value, board)), high: one.max(other) })
}

/// The value whose expected result is this much higher.
fn shifted(value: i32, by: f64) -> i32 {
    let scale = f64::from(arch::SCALE);
    let expected = 1.0 / (1.0 + (-f64::from(value) / scale).exp());
    let result = (expected + by).clamp(f64::EPSILON, 1.0 - f64::EPSILON);
    let limit = f64::from(value).abs().max(FURTHEST.into());
    (scale * (result / (1.0 - result)).ln()).round().clamp(-limit, limit) as i32
}

impl Forecast {
    /// The few moves that the network expects most, with their probabilities.
    pub fn expected(&self) -> impl Iterator<Item = (Move, f64)> {
        self.moves.iter().copied().take(MOST).filter(|&(_, chance)| chance >= LEAST)
    }

    /// The probability of a move; none if it is not legal, or without a policy.
    #[must_use]
    pub fn chance(&self, mv: Move) -> Option<f64> {
        self.moves.iter().find(|(other, _)| *other == mv).map(|&(_, chance)| chance)
    }
}

#[cfg(test)]
mod tests {
    use nnue::arch::{CONFIDENCE_INPUTS, FEATURES, MOVES, OUTPUT_BUCKETS, QA, QB, QP, QUANTILES};
    use nnue::{Confidence, Policy, move_index};

    use super::*;

    /// A random network whose policy and confidence are biases alone: these moves of the start position have these odds where
    /// all others have one, and these are the quantiles.
    fn guided(odds: &[(&str, f64)], quantiles: [f64; 2]) -> Network {
        let mut biases = vec![0; MOVES];
        for &(mv, odds) in odds {
            let start = Board::start();
            let mv = start.parse_uci(mv).expect(mv);
            biases[move_index(&start, mv)] = (odds.ln() * f64::from(QP)).round() as i16;
        }
        let policy = Policy::new(vec![0; FEATURES * MOVES], biases).expect("a policy");
        let quantiles = quantiles.map(|quantile| (quantile * f64::from(QA * QB)).round() as i32);
        let outputs = OUTPUT_BUCKETS * QUANTILES.len();
        let confidence =
            Confidence::new(vec![0; outputs * 2 * CONFIDENCE_INPUTS], quantiles.repeat(OUTPUT_BUCKETS), [-50, 50]);
        let network = Network::random(128, 3).expect("a network");
        network.with_forecast(Some(policy)).with_confidence(Some(confidence.expect("a confidence")))
    }

    fn board(fen: &str) -> Board {
        fen.parse().expect(fen)
    }

    #[test]
    fn values_move_with_the_expected_result() {
        assert_eq!(shifted(0, 0.0), 0);
        assert_eq!(shifted(0, 0.25), 439, "400 ln 3");
        assert_eq!(shifted(439, -0.25), 0);
        assert_eq!(shifted(-150, 0.1), 12, "from 0.407 to 0.507");
        for value in [-20_000, -3000, -40, 0, 500, 2500, 20_000, i32::MAX, i32::MIN] {
            for by in [-300.0, -1.0, -0.01, 0.01, 1.0, 300.0] {
                let moved = shifted(value, by);
                assert!(moved.unsigned_abs() <= value.unsigned_abs().max(2000), "{value} by {by}: {moved}");
                assert!(
                    value.abs_diff(0) > 3000 || (moved - value).signum() * (by.signum() as i32) >= 0,
                    "{value} by {by}"
                );
            }
        }
        assert_eq!((shifted(0, 0.7), shifted(0, -0.7), shifted(2500, 0.5)), (2000, -2000, 2500));
    }

    #[test]
    fn the_band_is_whites_and_in_the_units_of_the_search() {
        let network = guided(&[], [-0.05, 0.1]);
        let start = Board::start();
        let band = forecast(&start, &network).band.expect("a confidence");
        let value = network.evaluate(&start);
        let within = |by: f64| {
            let quantile = (by * 1024.0).trunc() / 1024.0;
            SearchScore::new(shifted(value, quantile))
        };
        assert_eq!((band.low, band.high), (within(-0.05), within(0.1)));
        assert!(band.low < band.value && band.value < band.high, "{band:?}");
        assert_eq!(band.value, SearchScore::new(adjusted(value, &start)));
        // The ends are in the units of the search; only the value has yet to be adjusted, most in endings.
        let ending = board("8/5k2/3p4/8/4P3/8/5K2/8 w - - 0 1");
        let found = forecast(&ending, &network).band.expect("a confidence");
        let (low, high) =
            (shifted(network.evaluate(&ending), -51.0 / 1024.0), shifted(network.evaluate(&ending), 102.0 / 1024.0));
        assert_eq!((found.low, found.high), (SearchScore::new(low), SearchScore::new(high)));
        assert!(adjusted(low, &ending) != low, "an adjustment would show");
        // The same position with colours swapped.
        let black = forecast(&board("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1"), &network).band;
        let turned = |score: SearchScore| SearchScore::new(-score.units());
        assert_eq!(black, Some(Band { low: turned(band.high), value: turned(band.value), high: turned(band.low) }));
        let confused = forecast(&start, &guided(&[], [0.1, -0.05])).band.expect("a confidence");
        assert_eq!(confused, band, "the ends are in order even if the network's are not");
    }

    #[test]
    fn moves_come_with_their_probabilities() {
        // Of 20 moves, 18 have a weight of one: 50 in all.
        let network = guided(&[("g1f3", 8.0), ("e2e4", 24.0)], [0.0; 2]);
        let found = forecast(&Board::start(), &network);
        assert_eq!(found.moves.len(), 20);
        let shown: Vec<(String, String)> =
            found.expected().map(|(mv, chance)| (mv.uci(false), format!("{:.0}", 100.0 * chance))).collect();
        assert_eq!(shown.len(), 5);
        assert_eq!(shown[..2], [("e2e4".into(), "48".into()), ("g1f3".into(), "16".into())]);
        assert!(shown[2..].iter().all(|(_, chance)| chance == "2"), "{shown:?}");
        let chance = |mv: &str| found.chance(Board::start().parse_uci(mv).expect(mv));
        assert!((chance("a2a3").expect("legal") - 0.02).abs() < 0.001);
        let elsewhere = board("4k3/8/8/8/8/8/8/R3K3 w - - 0 1").parse_uci("a1a8").expect("legal");
        assert_eq!(found.chance(elsewhere), None);
        let sure = forecast(&Board::start(), &guided(&[("e2e4", 4000.0)], [0.0; 2]));
        assert_eq!(sure.expected().count(), 1, "nobody expects what rounds to nothing");
    }

    #[test]
    fn positions_without_moves_or_in_check_are_no_problem() {
        let network = guided(&[("e2e4", 24.0)], [-0.05, 0.1]);
        let mated = forecast(&board("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"), &network);
        assert_eq!(mated, Forecast::default());
        let stalemate = forecast(&board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), &network);
        assert_eq!(stalemate, Forecast::default(), "against a lone king, the network is not asked");
        let check = forecast(&board("4k3/8/8/8/8/8/4q3/4K3 w - - 0 1"), &network);
        assert!(check.band.is_none() && check.expected().count() == 1, "{check:?}");
    }

    #[test]
    fn a_network_that_has_learned_neither_expects_nothing() {
        let plain = Network::random(128, 3).expect("a network");
        assert_eq!(forecast(&Board::start(), &plain), Forecast::default());
        let both = guided(&[], [0.0; 2]);
        assert!(forecast(&Board::start(), &both.clone().with_forecast(None)).moves.is_empty());
        assert!(forecast(&Board::start(), &both.with_confidence(None)).band.is_none());
    }
}
