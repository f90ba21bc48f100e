//! The table and the chart of the ladder.

use std::fmt::Write;
use std::path::Path;

use super::rungs::Rung;
use arena::report::table;
use arena::stats::Estimate;
use toolkit::chart::{Bar, BarChart};

/// A rung and its results, or why it did not play.
#[derive(Clone, Debug)]
pub(super) struct RungRow {
    pub(super) rung: &'static Rung,
    pub(super) played: Result<Played, String>,
}

/// The results of a rung's games.
#[derive(Clone, Debug)]
pub(super) struct Played {
    /// On the scale of the anchor.
    pub(super) rating: Option<Estimate>,
    pub(super) games: u64,
    /// Elo over the rung below, from their own games.
    pub(super) gain: Option<Estimate>,
}

/// The document.
pub(super) fn markdown(lines: &[RungRow], anchor: (u32, f64), games: &str, svg: Option<&Path>) -> String {
    let mut text = String::from(
        "# The roadmap as a ladder\n\nWritten by `stillwater-lab ladder`. The roadmap is a list of search techniques by the rating each is said to bring, 800 to 2600. The engine climbs it: the lowest rung has every switch off, \
         each further one turns on what the roadmap adds there.\n\n",
    );
    let _ = writeln!(
        text,
        "- *Measured*: a rating fitted to all games of neighbouring rungs, 95 % error, with rung {} fixed at {:.0}.",
        anchor.0, anchor.1
    );
    let _ = writeln!(text, "- *Gain*: Elo over the rung before, from their own games. Games: {games}.");
    text.push_str(
        "- Engines that never saw quiescence can seldom mate: below rung 1400 a game is won as soon as both sides have agreed on ten pawns \
         for five moves.\n",
    );
    if let Some(name) = svg.and_then(Path::file_name) {
        let _ = writeln!(text, "\n![Measured Elo of each rung beside the roadmap's claim]({})", name.to_string_lossy());
    }
    text.push_str("\n| rung | what is new | claimed | measured | gain | games |\n|--:|---|--:|--:|--:|--:|\n");
    for RungRow { rung, played } in lines {
        let claim = rung.claim;
        let _ = match played {
            Err(reason) => writeln!(text, "| {claim} | {} ({reason}) | {claim} | – | – | – |", rung.title),
            Ok(played) => {
                let rating = played.rating.map_or("–".into(), |r| format!("{:.0} ± {:.0}", r.value, r.error()));
                let gain = played.gain.map_or("–".into(), table::estimate);
                writeln!(text, "| {claim} | {} | {claim} | {rating} | {gain} | {} |", rung.title, played.games)
            }
        };
    }
    text
}

/// The bars, with the roadmap's claims as marks.
pub(super) fn chart(lines: &[RungRow]) -> BarChart {
    let mut chart = BarChart::new("The roadmap as a ladder", "measured Elo, 95 % whiskers");
    chart.mark_label = "what the roadmap claims".into();
    for RungRow { rung, played } in lines {
        let Some(rating) = played.as_ref().ok().and_then(|played| played.rating) else { continue };
        let mut bar = Bar::new(rung.title, rating.value, &format!("{:.0} ± {:.0}", rating.value, rating.error()));
        bar.range = Some((rating.low, rating.high));
        bar.mark = Some(f64::from(rung.claim));
        chart.bars.push(bar);
    }
    chart
}

#[cfg(test)]
mod tests {
    use super::super::rungs::RUNGS;
    use super::*;

    #[test]
    fn played_and_skipped_rungs_have_their_lines() {
        let estimate = Estimate { value: 1234.4, low: 1200.0, high: 1268.0 };
        let played = Played { rating: Some(estimate), games: 400, gain: None };
        let lines = [
            RungRow { rung: &RUNGS[0], played: Ok(played) },
            RungRow { rung: &RUNGS[1], played: Err("no reason".into()) },
        ];
        let text = markdown(&lines, (1400, 1400.0), "5000 nodes a move", Some(Path::new("x/ladder.svg")));
        assert!(text.contains("| 800 | any legal move | 800 | 1234 ± 34 | – | 400 |"), "{text}");
        assert!(text.contains("| 850 | one ply, material (no reason) | 850 | – | – | – |"), "{text}");
        assert!(text.contains("](ladder.svg)") && text.contains("rung 1400 fixed at 1400"));
        let chart = chart(&lines);
        assert_eq!((chart.bars.len(), chart.bars[0].mark), (1, Some(800.0)));
    }
}
