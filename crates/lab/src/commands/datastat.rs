//! `datastat`: prints statistics of files of games.

use std::fmt::Write;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use serde_json::{Value, json};

use data::statistics::{Class, LENGTH_CLASS, SCORE_BOUNDS, Statistics};
use data::{About, for_each_record};

/// The arguments of `datastat`.
#[derive(Args, Clone, Debug)]
pub(crate) struct DatastatArguments {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Print JSON instead of tables
    #[arg(long)]
    pub json: bool,
}

pub(crate) fn run(arguments: &DatastatArguments) -> Result<()> {
    let mut statistics = Statistics::default();
    let left_out = for_each_record(&arguments.files, |_, record| Ok(statistics.add(record)?))?;
    left_out.iter().for_each(|text| eprintln!("warning: {text}"));
    let abouts = arguments.files.iter().map(|file| Ok((file, About::read(file)?))).collect::<Result<Vec<_>>>()?;
    if arguments.json {
        let mut value = json(&statistics);
        value["files"] = abouts.iter().map(|(file, about)| json!({ "file": file, "about": about })).collect();
        println!("{value:#}");
    } else {
        for (file, about) in &abouts {
            let words = about.as_ref().map_or_else(|| "not described".to_owned(), About::describe);
            println!("{}: {words}", file.display());
        }
        print!("{}", table(&statistics));
    }
    Ok(())
}

fn percent(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

/// The name of a class of scores.
fn score_class(index: usize) -> String {
    let bound = |index: usize| SCORE_BOUNDS.get(index).copied();
    match (index.checked_sub(1).and_then(bound), bound(index)) {
        (None, _) => "Black mates".into(),
        (_, None) => "White mates".into(),
        (Some(-29_999), Some(above)) => format!("below {above}"),
        (Some(from), Some(30_000)) => format!("above {}", from - 1),
        (Some(from), Some(above)) => format!("{from} to {}", above - 1),
    }
}

fn table(statistics: &Statistics) -> String {
    let Statistics { games, positions, .. } = *statistics;
    let [black, draws, white] = statistics.results.map(|count| percent(count, games));
    let (duplicates, sample) = statistics.duplicates();
    let mut text = String::new();
    let _ = writeln!(text, "{games} games, {positions} positions");
    let _ = writeln!(text, "White wins {white:.1} %, draws {draws:.1} %, Black wins {black:.1} %");
    let _ = writeln!(text, "{:.1} plies a game, the longest {}", statistics.mean_length(), statistics.longest);
    let share = |count| percent(count, positions);
    let _ = writeln!(
        text,
        "in check {:.1} %, noisy {:.1} %, quiet and undecided {:.1} %",
        share(statistics.in_check),
        share(statistics.noisy),
        share(statistics.quiet)
    );
    let _ = writeln!(text, "mean absolute score {:.0}", statistics.mean_absolute_score());
    let by_sample = if sample < 1.0 { format!(", by a sample of {:.1} %", 100.0 * sample) } else { String::new() };
    let _ = writeln!(text, "duplicate positions {:.2} %{by_sample}", 100.0 * duplicates);
    let scores = statistics.scores.iter().enumerate().map(|(index, class)| (score_class(index), *class));
    classes(&mut text, "White's score", scores.collect(), positions);
    let pieces = statistics.pieces.iter().enumerate().map(|(index, class)| ((index + 2).to_string(), *class));
    classes(&mut text, "pieces", pieces.collect(), positions);
    let lengths = statistics.lengths.iter().enumerate().map(|(index, &count)| {
        let first = index * LENGTH_CLASS;
        let last =
            if index + 1 < statistics.lengths.len() { format!("to {}", first + LENGTH_CLASS - 1) } else { "on".into() };
        (format!("{first} {last}"), count)
    });
    let _ = writeln!(text, "\n{:>16} {:>12} {:>7}", "plies", "games", "share");
    for (name, count) in lengths.filter(|(_, count)| *count > 0) {
        let _ = writeln!(text, "{name:>16} {count:>12} {:>6.2}% {}", percent(count, games), bar(count, games));
    }
    text
}

fn classes(text: &mut String, title: &str, rows: Vec<(String, Class)>, whole: u64) {
    let _ = writeln!(text, "\n{title:>16} {:>12} {:>7} {:>6}", "positions", "share", "White");
    for (name, class) in rows.into_iter().filter(|(_, class)| class.count > 0) {
        let share = percent(class.count, whole);
        let bar = bar(class.count, whole);
        let _ = writeln!(text, "{name:>16} {:>12} {share:>6.2}% {:>6.3} {bar}", class.count, class.mean());
    }
}

/// A share as a bar; half the positions fill a line.
fn bar(count: u64, whole: u64) -> String {
    "#".repeat((count.saturating_mul(100) / whole.max(1)).min(60) as usize)
}

fn json(statistics: &Statistics) -> Value {
    let class = |class: &Class| json!({ "positions": class.count, "white": class.mean() });
    let [black, draws, white] = statistics.results;
    let (duplicates, sample) = statistics.duplicates();
    let scores: Vec<Value> = statistics.scores.iter().map(class).collect();
    let pieces: Vec<Value> = statistics.pieces.iter().map(class).collect();
    json!({
        "games": statistics.games, "positions": statistics.positions,
        "white_wins": white, "draws": draws, "black_wins": black,
        "longest": statistics.longest, "mean_length": statistics.mean_length(),
        "in_check": statistics.in_check, "noisy": statistics.noisy, "quiet": statistics.quiet,
        "mean_absolute_score": statistics.mean_absolute_score(),
        "duplicates": duplicates, "duplicates_sample": sample,
        "score_bounds": SCORE_BOUNDS, "scores": scores, "pieces": pieces,
        "length_class": LENGTH_CLASS, "lengths": statistics.lengths,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_have_names() {
        let names: Vec<String> = (0..=SCORE_BOUNDS.len()).map(score_class).collect();
        assert_eq!(names[..3], ["Black mates", "below -2000", "-2000 to -1001"]);
        assert_eq!(names[9], "-20 to 20");
        assert_eq!(names[17..], ["above 2000", "White mates"]);
    }
}
