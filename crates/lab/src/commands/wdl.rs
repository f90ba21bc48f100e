//! `wdl`: fits a model of win, draw and loss chances to games, and prints it as the engine's constants.

use std::fmt::Write;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use clap::Args;
use engine::chances::{Model, material};

use data::for_each_record;
use train::Outcomes;

/// The arguments of `wdl`.
#[derive(Args, Clone, Debug)]
pub(crate) struct WdlArguments {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Leave out positions scored higher than this, in the engine's own units
    #[arg(long, default_value_t = 2000, value_name = "SCORE")]
    pub most: i32,
    /// The name of the constant
    #[arg(long, default_value = "NETWORK", value_name = "NAME")]
    pub name: String,
}

/// With fewer positions the model's eight coefficients cannot be fitted.
const LEAST: u64 = 10_000;

pub(crate) fn run(arguments: &WdlArguments) -> Result<()> {
    let mut outcomes = Outcomes::default();
    let left_out = for_each_record(&arguments.files, |_, record| {
        let result = record.result()?;
        // White's half points: 0 is a loss.
        let for_white = 2 - result as usize;
        record.walk(|board, _, score| {
            let score = i32::from(score);
            if score.abs() <= arguments.most {
                outcomes.add(material(board), score, for_white);
            }
        })?;
        Ok(())
    })?;
    left_out.iter().for_each(|text| eprintln!("warning: {text}"));
    let positions = outcomes.total();
    ensure!(positions >= LEAST, "{positions} positions are too few, at least {LEAST} are needed");
    let model = outcomes.fit().context("the games do not tell a curve")?;
    print!("{}", text(&model, &outcomes, &arguments.name));
    Ok(())
}

fn text(model: &Model, outcomes: &Outcomes, name: &str) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "// {} positions, loss {:.5}", outcomes.total(), outcomes.loss(model));
    for material in [78, 58, 40, 25, 12] {
        let (half, width) = model.curve(material);
        let _ = writeln!(text, "// material {material}: half of the games are won at {half:.0}, width {width:.0}");
    }
    let numbers = |numbers: &[f64; 4]| numbers.map(|number| format!("{number:.3}")).join(", ");
    let _ = writeln!(
        text,
        "pub const {name}: Model =\n    Model {{ half: [{}], width: [{}] }};",
        numbers(&model.half),
        numbers(&model.width)
    );
    text
}
