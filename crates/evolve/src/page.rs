//! The loop's display in a browser: one static page, rewritten after every stage, without scripts or external
//! resources.

use std::fmt::Write;
use std::path::Path;

use anyhow::Result;
use toolkit::chart::LineChart;

use crate::lineage::Generation;
use crate::state::State;

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}\
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #8884}\
code{font-size:.85em;word-break:break-all}svg{max-width:100%;height:auto}\
@media(prefers-color-scheme:dark){body{background:#16181c;color:#e6e6e6}}";

/// Writes `index.html` in the loop's directory.
pub(crate) fn write(directory: &Path, done: &[Generation], now: &State) -> Result<()> {
    toolkit::files::replace(&directory.join("index.html"), render(done, now))
}

pub(crate) fn render(done: &[Generation], now: &State) -> String {
    let mut text = String::new();
    let _ = write!(
        text,
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>Stillwater: generations</title><style>{STYLE}</style><h1>Generations</h1>\
         <p>Generation {}: {}.</p>",
        now.generation,
        now.stage.name()
    );
    if done.is_empty() {
        text.push_str("<p>No generation is complete yet.</p></html>\n");
        return text;
    }
    text.push_str(&strength(done));
    text.push_str(&losses(done));
    text.push_str(&volume(done));
    text.push_str(&table(done));
    text.push_str("</html>\n");
    text
}

/// The champion's strength: each promotion adds the Elo of its match.
fn strength(done: &[Generation]) -> String {
    let mut sum = 0.0;
    let mut champion = vec![(0.0, 0.0)];
    let mut candidates = Vec::new();
    for generation in done {
        let number = f64::from(generation.generation);
        let elo = generation.elo().map(|(elo, _)| elo);
        if let Some(elo) = elo {
            candidates.push((number, sum + elo));
        }
        if generation.promoted {
            sum += elo.unwrap_or(0.0);
        }
        champion.push((number, sum));
    }
    LineChart::new("Strength", "generation", "Elo above the first network")
        .series("champion", champion)
        .series("candidates", candidates)
        .render()
}

fn losses(done: &[Generation]) -> String {
    let recent = done.iter().skip(done.len().saturating_sub(8)).filter(|generation| !generation.loss.is_empty());
    recent
        .fold(LineChart::new("Held-out loss", "epoch", "loss"), |chart, generation| {
            let points = generation.loss.iter().enumerate().map(|(epoch, &loss)| (epoch as f64 + 1.0, loss));
            chart.series(&format!("generation {}", generation.generation), points)
        })
        .render()
}

fn volume(done: &[Generation]) -> String {
    let mut sum = 0;
    let positions: Vec<(f64, f64)> = done
        .iter()
        .map(|generation| {
            sum += generation.positions;
            (f64::from(generation.generation), sum as f64 / 1e6)
        })
        .collect();
    let draws =
        done.iter().filter_map(|generation| Some((f64::from(generation.generation), 100.0 * generation.draws?)));
    let volume = LineChart::new("Data", "generation", "million positions").series("all generations", positions);
    let draws = LineChart::new("Draws", "generation", "percent of the games").series("self-play", draws);
    volume.render() + &draws.render()
}

fn table(done: &[Generation]) -> String {
    let mut text =
        "<h2>Lineage</h2><table><tr><th>Generation<th>Positions<th>Fixed nodes<th>Clock<th>Hours<th>Verdict".to_owned();
    for generation in done.iter().rev() {
        let [nodes, clock] = generation.scores();
        let hours = generation.seconds.iter().sum::<f64>() / 3600.0;
        let verdict = generation.verdict();
        let _ = write!(
            text,
            "<tr><td>{}<td>{}<td>{nodes}<td>{clock}<td>{hours:.1}<td>{verdict}",
            generation.generation, generation.positions,
        );
    }
    text.push_str("</table><h2>Commands of the newest generation</h2>");
    for command in done.last().into_iter().flat_map(|generation| &generation.commands) {
        let _ = write!(text, "<p><code>stillwater-lab {}</code>", escape(command));
    }
    text
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
