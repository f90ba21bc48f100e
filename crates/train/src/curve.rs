//! The curve of a training run: one row of numbers per epoch, as CSV and as a chart.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use toolkit::chart::LineChart;

const HEADER: &str = "epoch,step,learning_rate,wdl,training_loss,validation_loss,correlation,positions_per_second";

/// An epoch in numbers.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Row {
    /// Epochs completed.
    pub epoch: u64,
    /// Steps taken.
    pub step: u64,
    /// The learning rate at the end of the epoch.
    pub rate: f64,
    /// The weight of game results at the end of the epoch.
    pub wdl: f64,
    /// The mean training loss.
    pub training: f64,
    /// The held-out loss.
    pub validation: f64,
    /// The held-out correlation.
    pub correlation: f64,
    /// Positions a second.
    pub speed: f64,
}

impl Row {
    fn print(&self) -> String {
        let Row { epoch, step, rate, wdl, training, validation, correlation, speed } = self;
        format!("{epoch},{step},{rate:e},{wdl:.4},{training:.8},{validation:.8},{correlation:.6},{speed:.0}")
    }

    fn parse(line: &str) -> Option<Row> {
        let mut cells = line.split(',');
        let epoch = cells.next()?.parse().ok()?;
        let step = cells.next()?.parse().ok()?;
        let mut number = || cells.next()?.parse::<f64>().ok();
        let (rate, wdl, training) = (number()?, number()?, number()?);
        let (validation, correlation, speed) = (number()?, number()?, number()?);
        let row = Row { epoch, step, rate, wdl, training, validation, correlation, speed };
        cells.next().is_none().then_some(row)
    }
}

/// The curve so far and its files.
#[derive(Debug)]
pub(crate) struct Curve {
    csv: PathBuf,
    svg: PathBuf,
    rows: Vec<Row>,
}

impl Curve {
    /// The curve in a directory. Rows after the first `epochs` epochs are dropped, since those epochs will be repeated.
    pub(crate) fn open(directory: &Path, epochs: u64) -> Result<Curve> {
        let (csv, svg) = (directory.join("loss.csv"), directory.join("loss.svg"));
        let mut rows = Vec::new();
        if epochs > 0 && csv.exists() {
            let text = fs::read_to_string(&csv).with_context(|| format!("cannot read {}", csv.display()))?;
            // A row cut off by a kill is dropped like the later ones.
            rows.extend(text.lines().skip(1).filter_map(Row::parse).filter(|row| row.epoch <= epochs));
        }
        let lines = std::iter::once(HEADER.to_owned()).chain(rows.iter().map(Row::print));
        let text: String = lines.map(|line| line + "\n").collect();
        toolkit::files::replace(&csv, text)?;
        Ok(Curve { csv, svg, rows })
    }

    /// Adds an epoch and writes it to disk at once.
    pub(crate) fn add(&mut self, row: Row) -> Result<()> {
        self.rows.push(row);
        let append = || -> std::io::Result<File> {
            let mut file = OpenOptions::new().append(true).open(&self.csv)?;
            writeln!(file, "{}", row.print())?;
            Ok(file)
        };
        append().with_context(|| format!("cannot write {}", self.csv.display()))?;
        toolkit::files::replace(&self.svg, self.draw())
    }

    /// The last epoch.
    #[must_use]
    pub(crate) fn last(&self) -> Option<&Row> {
        self.rows.last()
    }

    /// How many epochs ago the held-out loss was lowest.
    #[must_use]
    pub(crate) fn epochs_since_best(&self) -> u64 {
        let best = self.rows.iter().rev().min_by(|a, b| a.validation.total_cmp(&b.validation));
        best.map_or(0, |best| self.rows.last().map_or(0, |last| last.epoch - best.epoch))
    }

    fn draw(&self) -> String {
        let line =
            |of: fn(&Row) -> f64| self.rows.iter().map(move |row| (row.epoch as f64, of(row))).collect::<Vec<_>>();
        LineChart::new("Loss", "epoch", "mean loss")
            .series("learning", line(|row| row.training))
            .series("validation", line(|row| row.validation))
            .render()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(epoch: u64) -> Row {
        let (rate, wdl, training, validation) = (1e-3, 0.25, 0.0125, 0.0135);
        Row { epoch, step: epoch * 10, rate, wdl, training, validation, correlation: 0.9, speed: 4e5 }
    }

    #[test]
    fn rows_survive_the_file() {
        assert_eq!(Row::parse(&row(3).print()), Some(row(3)));
        assert_eq!(Row::parse(HEADER), None);
        assert_eq!(Row::parse("1,10,0.001,0.25,0.01"), None);
    }

    #[test]
    fn the_best_epoch_is_the_last_of_the_best() {
        let curve = |losses: &[f64]| Curve {
            csv: PathBuf::new(),
            svg: PathBuf::new(),
            rows: losses.iter().zip(1..).map(|(&validation, epoch)| Row { validation, ..row(epoch) }).collect(),
        };
        assert_eq!(curve(&[]).epochs_since_best(), 0);
        assert_eq!(curve(&[0.3, 0.2, 0.1]).epochs_since_best(), 0);
        assert_eq!(curve(&[0.3, 0.1, 0.2, 0.2]).epochs_since_best(), 2);
        assert_eq!(curve(&[0.1, 0.2, 0.1]).epochs_since_best(), 0);
    }

    #[test]
    fn a_resumed_curve_forgets_what_will_be_repeated() {
        let directory = std::env::temp_dir().join(format!("stillwater-curve-{}", std::process::id()));
        fs::create_dir_all(&directory).expect("a directory");
        let mut curve = Curve::open(&directory, 0).expect("a new curve");
        (1..=3).for_each(|epoch| curve.add(row(epoch)).expect("a row"));
        let mut curve = Curve::open(&directory, 2).expect("the curve again");
        assert_eq!(curve.last(), Some(&row(2)));
        curve.add(Row { training: 0.5, ..row(3) }).expect("a row");
        let text = fs::read_to_string(directory.join("loss.csv")).expect("the file");
        assert_eq!(text.lines().count(), 4, "{text}");
        assert!(text.ends_with(",0.50000000,0.01350000,0.900000,400000\n"), "{text}");
        assert!(fs::read_to_string(directory.join("loss.svg")).expect("the drawing").starts_with("<svg"));
        fs::remove_dir_all(&directory).expect("the directory is removed");
    }
}
