//! Judges moves by Lichess's measures: winning chances from centipawns, the names for losing some of them, and
//! accuracy. The formulas are published at <https://lichess.org/page/accuracy> and in the source of lila (`Advice` and
//! `AccuracyPercent`); thanks to the people of Lichess.

use chess::Color;
use engine::WhiteScore;
pub(crate) use record::pgn::Eval;

use super::think::mover;

/// Evaluations are capped at this many centipawns, and a mate counts as much.
const CEILING: i32 = 1000;

/// A score in the form that PGN files store.
pub(crate) fn eval_of(score: WhiteScore) -> Eval {
    match score {
        WhiteScore::Centipawns(centipawns) => Eval::Centipawns(centipawns),
        WhiteScore::Mate { winner, moves } => Eval::Mate(winner, moves),
    }
}

/// White's winning chances in per cent.
pub(crate) fn win_percent(eval: Eval) -> f64 {
    50.0 + 50.0 * winning_chances(bounded(eval))
}

/// Centipawns for White, capped.
fn bounded(eval: Eval) -> i32 {
    match eval {
        Eval::Centipawns(value) => value.clamp(-CEILING, CEILING),
        Eval::Mate(Color::White, _) => CEILING,
        Eval::Mate(Color::Black, _) => -CEILING,
    }
}

/// How many centipawns a move cost; zero if it gained.
pub(crate) fn loss(before: Eval, after: Eval, mover: Color) -> i32 {
    let cost = bounded(before) - bounded(after);
    if mover == Color::White { cost.max(0) } else { (-cost).max(0) }
}

/// The winning chances of either side in per cent.
pub(crate) fn win_percent_of(eval: Eval, side: Color) -> f64 {
    if side == Color::White { win_percent(eval) } else { 100.0 - win_percent(eval) }
}

/// Winning chances from −1, certainly lost, to 1, certainly won.
fn winning_chances(centipawns: i32) -> f64 {
    2.0 / (1.0 + (-0.003_682_08 * f64::from(centipawns)).exp()) - 1.0
}

/// The kinds of bad moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Judgement {
    Inaccuracy,
    Mistake,
    Blunder,
}

impl Judgement {
    pub(crate) const ALL: [Judgement; 3] = [Judgement::Inaccuracy, Judgement::Mistake, Judgement::Blunder];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Judgement::Inaccuracy => "Inaccuracy",
            Judgement::Mistake => "Mistake",
            Judgement::Blunder => "Blunder",
        }
    }

    /// The plural of the name.
    pub(crate) fn plural(self) -> &'static str {
        match self {
            Judgement::Inaccuracy => "inaccuracies",
            Judgement::Mistake => "mistakes",
            Judgement::Blunder => "blunders",
        }
    }

    pub(crate) fn nag(self) -> u8 {
        match self {
            Judgement::Inaccuracy => 6,
            Judgement::Mistake => 2,
            Judgement::Blunder => 4,
        }
    }

    pub(crate) fn glyph(self) -> &'static str {
        match self {
            Judgement::Inaccuracy => "?!",
            Judgement::Mistake => "?",
            Judgement::Blunder => "??",
        }
    }

    pub(crate) fn of_nag(nag: u8) -> Option<Judgement> {
        Judgement::ALL.into_iter().find(|judgement| judgement.nag() == nag)
    }
}

/// Judges a move of `mover` by the values before and after it. Lichess measures the loss of winning chances on a scale
/// from −1 to 1; its thresholds are 0.1, 0.2 and 0.3, which are 5, 10 and 15 per cent here. Moves that allow or miss a
/// mate are judged by the remaining evaluation.
pub(crate) fn judge(before: Eval, after: Eval, mover: Color) -> Option<Judgement> {
    let own = |centipawns: i32| if mover == Color::White { centipawns } else { -centipawns };
    match (before, after) {
        (Eval::Centipawns(before), Eval::Centipawns(after)) => {
            let loss = winning_chances(own(before)) - winning_chances(own(after));
            let limits = [(0.3, Judgement::Blunder), (0.2, Judgement::Mistake), (0.1, Judgement::Inaccuracy)];
            limits.into_iter().find(|(limit, _)| loss >= *limit).map(|(_, judgement)| judgement)
        }
        (Eval::Centipawns(before), Eval::Mate(winner, _)) if winner != mover => Some(grade(-own(before))),
        (Eval::Mate(winner, _), Eval::Centipawns(after)) if winner == mover => Some(grade(own(after))),
        (Eval::Mate(winner, _), Eval::Mate(other, _)) if winner == mover && other != mover => Some(Judgement::Blunder),
        _ => None,
    }
}

/// How bad it is to allow or miss a mate, given how far ahead the side with the mate is anyway.
fn grade(ahead: i32) -> Judgement {
    match ahead {
        1000.. => Judgement::Inaccuracy,
        701.. => Judgement::Mistake,
        _ => Judgement::Blunder,
    }
}

/// How much of the winning chances a move kept, from 0 to 100.
pub(crate) fn move_accuracy(before: f64, after: f64) -> f64 {
    if after >= before {
        return 100.0;
    }
    let raw = 103.166_810_071_164_9 * (-0.043_544_153_867_539_51 * (before - after)).exp() - 3.166_924_740_191_411;
    (raw + 1.0).clamp(0.0, 100.0)
}

/// The accuracy of White and Black over a game: the average of a weighted mean, in which moves in volatile phases count
/// more, and the harmonic mean, which a single bad move pulls down. `evals` begins with the position before the first
/// move.
pub(crate) fn game_accuracy(evals: &[Eval], first: Color) -> [Option<f64>; 2] {
    let percents: Vec<f64> = evals.iter().map(|&eval| win_percent(eval)).collect();
    let size = (percents.len().saturating_sub(1) / 10).clamp(2, 8);
    let mut moves: [Vec<(f64, f64)>; 2] = Default::default();
    for (index, pair) in percents.windows(2).enumerate() {
        let &[before, after] = pair else { continue };
        let mover = mover(first, index);
        let own = |percent: f64| if mover == Color::White { percent } else { 100.0 - percent };
        // The first moves have no full window that ends with them, so they share the first full one.
        let start = (index + 2).saturating_sub(size);
        let window = percents.get(start..(start + size).min(percents.len())).unwrap_or_default();
        let weight = deviation(window).clamp(0.5, 12.0);
        if let Some(list) = moves.get_mut(mover.index()) {
            list.push((move_accuracy(own(before), own(after)), weight));
        }
    }
    moves.map(|moves| {
        let total: f64 = moves.iter().map(|(_, weight)| weight).sum();
        let weighted = moves.iter().map(|(accuracy, weight)| accuracy * weight).sum::<f64>() / total;
        let harmonic = moves.len() as f64 / moves.iter().map(|(accuracy, _)| 1.0 / accuracy.max(1.0)).sum::<f64>();
        (!moves.is_empty()).then_some(f64::midpoint(weighted, harmonic))
    })
}

fn deviation(values: &[f64]) -> f64 {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use Color::{Black, White};
    use Eval::{Centipawns, Mate};

    #[test]
    fn winning_chances_are_those_published() {
        for (centipawns, percent) in [(0, 50.0), (100, 59.1), (-100, 40.9), (300, 75.1), (1000, 97.5), (5000, 97.5)] {
            assert!((win_percent(Centipawns(centipawns)) - percent).abs() < 0.06, "{centipawns}");
        }
        assert_eq!(win_percent(Mate(White, 3)), win_percent(Centipawns(1000)));
        assert!((win_percent_of(Mate(Black, 1), Black) - 97.5).abs() < 0.1);
    }

    #[test]
    fn judgements() {
        for (before, after, mover, expected) in [
            (Centipawns(20), Centipawns(-20), White, None),
            (Centipawns(20), Centipawns(-40), White, Some(Judgement::Inaccuracy)),
            (Centipawns(20), Centipawns(-100), White, Some(Judgement::Mistake)),
            (Centipawns(20), Centipawns(-200), White, Some(Judgement::Blunder)),
            (Centipawns(-20), Centipawns(200), Black, Some(Judgement::Blunder)),
            (Centipawns(20), Centipawns(-200), Black, None),
            (Centipawns(900), Centipawns(800), White, None),
            (Centipawns(0), Mate(Black, 2), White, Some(Judgement::Blunder)),
            (Centipawns(-800), Mate(Black, 2), White, Some(Judgement::Mistake)),
            (Centipawns(-1500), Mate(Black, 2), White, Some(Judgement::Inaccuracy)),
            (Mate(Black, 2), Centipawns(-1500), Black, Some(Judgement::Inaccuracy)),
            (Mate(Black, 2), Centipawns(0), Black, Some(Judgement::Blunder)),
            (Mate(White, 2), Mate(Black, 5), White, Some(Judgement::Blunder)),
            (Mate(White, 2), Mate(White, 5), White, None),
            (Mate(Black, 2), Mate(Black, 1), White, None),
            (Centipawns(100), Mate(White, 1), White, None),
        ] {
            assert_eq!(judge(before, after, mover), expected, "{before} {after} {mover}");
        }
    }

    #[test]
    fn accuracy_of_moves_and_games() {
        assert_eq!(move_accuracy(50.0, 60.0), 100.0);
        assert!((move_accuracy(50.0, 45.0) - 80.8).abs() < 0.1);
        assert!(move_accuracy(100.0, 0.0) < 0.5);
        let even = vec![Centipawns(15); 21];
        assert_eq!(game_accuracy(&even, White), [Some(100.0), Some(100.0)]);
        let mut evals = even.clone();
        evals[11..].fill(Centipawns(-500)); // White's sixth move
        let [white, black] = game_accuracy(&evals, White).map(|accuracy| accuracy.expect("moves"));
        assert!(white < 85.0 && black > 99.0, "{white} {black}");
        assert!(game_accuracy(&evals, Black)[1].expect("moves") > 99.0, "it was Black's move, and a good one");
        assert_eq!(game_accuracy(&even[..2], Black), [None, Some(100.0)]);
        assert_eq!(game_accuracy(&even[..1], White), [None, None]);
    }

    #[test]
    fn scores_become_values() {
        assert_eq!(eval_of(WhiteScore::Mate { winner: Black, moves: 2 }), Mate(Black, 2));
        assert_eq!(eval_of(WhiteScore::Centipawns(-33)), Centipawns(-33));
    }
}
