//! `assess`: measures how well static evaluations, without search, predict search scores and game results.
//!
//! A match decides which network is better, but needs hundreds of games for what a few thousand deeply searched
//! positions show at once. `assess` does not replace a match: play depends on more than the mean error.

use std::fmt::Write;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use chess::{Board, Color};
use clap::Args;
use engine::Network;
use engine::eval::{Evaluator, Psq};
use nnue::arch::{OUTPUT_BUCKETS, SCALE, output_bucket};

use data::{JudgeBy, for_each_record};
use train::{Filter, sigmoid};

/// The arguments of `assess`.
#[derive(Args, Clone, Debug)]
pub(crate) struct AssessArguments {
    /// Games whose scores are trusted, such as those of a deep `rescore`
    #[arg(required = true, value_name = "GAMES")]
    pub files: Vec<PathBuf>,
    /// A network, or `<none>` for the hand-crafted evaluation; may be given several times. Without it, the engine's own
    /// network and the hand-crafted evaluation
    #[arg(long, value_name = "FILE")]
    pub network: Vec<PathBuf>,
    /// Also the error against the scores by the number of pieces on the board, as the network's output buckets have it
    #[arg(long)]
    pub by_pieces: bool,
}

/// The range of scale factors to try for each evaluation, in percent.
const STRETCHES: std::ops::RangeInclusive<i32> = 50..=300;

/// A position with its score and result, for the side to move.
struct Known {
    board: Board,
    score: f64,
    result: f64,
}

pub(crate) fn run(arguments: &AssessArguments) -> Result<()> {
    let judges = judges(&arguments.network)?;
    let known = gather(&arguments.files)?;
    ensure!(!known.is_empty(), "there is no quiet position in the games");
    println!("{} quiet positions; root of the mean squared error of the expected result, in percent", known.len());
    println!("{:>8} {:>8} {:>9} {:>7}  evaluation", "score", "result", "stretch", "plain");
    let found: Vec<_> = judges.iter().map(|(name, judge)| (name, assess(&known, judge))).collect();
    found.iter().for_each(|(name, assessment)| println!("{}", assessment.line(name)));
    if arguments.by_pieces {
        println!("\nerror against the scores by the number of pieces");
        println!("{}", pieces_line());
        found.iter().for_each(|(name, assessment)| println!("{}", assessment.pieces_line(name)));
    }
    Ok(())
}

/// The head of the table by pieces: the fewest pieces of each output bucket.
fn pieces_line() -> String {
    let fewest = |bucket: usize| (2..=32).find(|&pieces| output_bucket(pieces) == bucket).unwrap_or_default();
    let columns = (0..OUTPUT_BUCKETS).map(|bucket| format!("{:>6}+", fewest(bucket)));
    columns.collect::<String>() + "  evaluation"
}

fn judges(names: &[PathBuf]) -> Result<Vec<(String, JudgeBy)>> {
    if names.is_empty() {
        return Ok(vec![("built in".to_owned(), JudgeBy::Usual), ("by hand".to_owned(), JudgeBy::Hand)]);
    }
    names.iter().map(|name| Ok((name.display().to_string(), JudgeBy::named(Some(name))?))).collect()
}

fn gather(files: &[PathBuf]) -> Result<Vec<Known>> {
    let filter = Filter::default();
    let mut known = Vec::new();
    let left_out = for_each_record(files, |_, record| {
        let result = record.result()?;
        record.walk(|board, mv, white_score| {
            if filter.reason(board, mv, white_score).is_none() {
                let (score, result) = (f64::from(white_score), f64::from(result as u8) / 2.0);
                let (score, result) = match board.side_to_move() {
                    Color::White => (score, result),
                    Color::Black => (-score, 1.0 - result),
                };
                known.push(Known { board: *board, score, result });
            }
        })?;
        Ok(())
    })
    .context("cannot read the games")?;
    left_out.iter().for_each(|text| eprintln!("warning: {text}"));
    Ok(known)
}

/// The result for one evaluation.
#[derive(Clone, Copy, Debug)]
struct Assessment {
    /// The error against the scores of the games, at the best stretch.
    score_error: f64,
    /// The error against the results, likewise.
    result_error: f64,
    /// The factor, in percent, that brings its values closest to the scores.
    stretch: i32,
    /// The error against the scores, unscaled.
    plain_error: f64,
    /// The error against the scores at that stretch, by output bucket; none without positions.
    by_pieces: [Option<f64>; OUTPUT_BUCKETS],
}

impl Assessment {
    fn line(&self, name: &str) -> String {
        let mut text = String::new();
        let percent = |error: f64| 100.0 * error;
        let _ = write!(text, "{:>8.3} {:>8.3}", percent(self.score_error), percent(self.result_error));
        let _ = write!(text, " {:>7} % {:>7.3}  {name}", self.stretch, percent(self.plain_error));
        text
    }

    fn pieces_line(&self, name: &str) -> String {
        let column =
            |error: Option<f64>| error.map_or("      –".to_owned(), |error| format!("{:>7.2}", 100.0 * error));
        self.by_pieces.map(column).concat() + "  " + name
    }
}

fn assess(known: &[Known], judge: &JudgeBy) -> Assessment {
    let engine = judge.engine();
    let mut hand = Evaluator::new();
    let values: Vec<f64> = known.iter().map(|known| value(&known.board, engine.network(), &mut hand)).collect();
    let square = |stretch: i32, known: &Known, value: f64, truth: &dyn Fn(&Known) -> f64| {
        (expected(value * f64::from(stretch) / 100.0) - truth(known)).powi(2)
    };
    let error = |stretch: i32, truth: &dyn Fn(&Known) -> f64| {
        let squares = known.iter().zip(&values).map(|(known, &value)| square(stretch, known, value, truth));
        (squares.sum::<f64>() / known.len() as f64).sqrt()
    };
    let best = |truth: &dyn Fn(&Known) -> f64| {
        let tried = STRETCHES.step_by(2).map(|stretch| (stretch, error(stretch, truth)));
        tried.min_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((100, f64::NAN))
    };
    let by_score = |known: &Known| expected(known.score);
    let (stretch, score_error) = best(&by_score);
    let (_, result_error) = best(&|known: &Known| known.result);
    let by_pieces = std::array::from_fn(|bucket| {
        let inside =
            known.iter().zip(&values).filter(|(known, _)| output_bucket(known.board.occupied().len()) == bucket);
        let squares: Vec<f64> = inside.map(|(known, &value)| square(stretch, known, value, &by_score)).collect();
        (!squares.is_empty()).then(|| (squares.iter().sum::<f64>() / squares.len() as f64).sqrt())
    });
    Assessment { score_error, result_error, stretch, plain_error: error(100, &by_score), by_pieces }
}

fn value(board: &Board, network: Option<&std::sync::Arc<Network>>, hand: &mut Evaluator) -> f64 {
    f64::from(match network {
        Some(network) => network.evaluate(board),
        None => hand.evaluate(board, Psq::new(board)),
    })
}

/// The expected result for a score.
fn expected(score: f64) -> f64 {
    f64::from(sigmoid(score as f32 / SCALE as f32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_evaluation_that_is_right_but_for_its_scale_has_no_error_once_stretched() {
        let mut hand = Evaluator::new();
        let known: Vec<Known> = ["4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "r3k3/8/8/2p5/8/8/4P3/4K2R b K - 0 1"]
            .map(|fen| {
                let board: Board = fen.parse().expect(fen);
                let score = 0.8 * value(&board, None, &mut hand);
                Known { board, score, result: 0.5 }
            })
            .into();
        let found = assess(&known, &JudgeBy::Hand);
        assert_eq!(found.stretch, 80);
        assert!(found.score_error < 1e-6 && found.plain_error > 1e-3 && found.result_error > 1e-3, "{found:?}");
        assert!(found.line("x").contains("80 %"));
        // The boards have three and six pieces.
        let (few, many) = found.by_pieces.split_at(2);
        assert!(few.iter().all(|error| error.is_some_and(|error| error < 1e-6)) && many == [None; 6], "{found:?}");
        assert_eq!(found.pieces_line("x").split_whitespace().next(), Some("0.00"));
        assert!(
            pieces_line().starts_with("     2+     6+    10+") && pieces_line().contains(" 30+ "),
            "{}",
            pieces_line()
        );
    }
}
