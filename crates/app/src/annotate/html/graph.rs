//! Draws the course of a game: White's winning chances after every move.

use std::fmt::Write;

use super::super::judge::{Eval, Judgement, win_percent};

const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 160.0;

/// A point of the graph.
pub(super) struct Point {
    /// The value of the position after the move, if known.
    pub(super) eval: Option<Eval>,
    /// The judgement of the move, if it was bad.
    pub(super) judgement: Option<Judgement>,
    /// The move with its number.
    pub(super) label: String,
    /// The number of a move of White.
    pub(super) number: Option<u16>,
    /// The anchor of the move's board on the page, if it has one.
    pub(super) anchor: Option<String>,
}

/// Space below the graph for the move numbers.
const AXIS: f64 = 26.0;

/// Draws the graph; empty if there is nothing to draw.
pub(super) fn graph(points: &[Point]) -> String {
    let step = WIDTH / points.len().saturating_sub(1).max(1) as f64;
    let mut height = HEIGHT / 2.0;
    let places: Vec<(f64, f64)> = points
        .iter()
        .enumerate()
        .map(|(index, point)| {
            // A move without a value, such as one after a mate, keeps the last one.
            height = point.eval.map_or(height, |eval| HEIGHT * (1.0 - win_percent(eval) / 100.0));
            (index as f64 * step, height)
        })
        .collect();
    if places.len() < 2 {
        return String::new();
    }
    let line: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let line = line.join(" ");
    let mut text = format!(
        "<svg class='graph' viewBox='0 0 {WIDTH} {whole}' role='img' aria-label=\"White's chances of winning after every move\">\
         <rect width='{WIDTH}' height='{HEIGHT}' class='black-side'/>\
         <polygon points='0,{HEIGHT} {line} {WIDTH},{HEIGHT}' class='white-side'/>\
         <line x1='0' y1='{middle}' x2='{WIDTH}' y2='{middle}' class='middle'/><polyline points='{line}'/>",
        middle = HEIGHT / 2.0,
        whole = HEIGHT + AXIS
    );
    text.push_str(&axes(points, step));
    for (point, (x, y)) in points.iter().zip(&places) {
        let Some(judgement) = point.judgement else { continue };
        let value = point.eval.map(|eval| format!(" {eval}")).unwrap_or_default();
        let class = judgement.name().to_lowercase();
        let label = super::escape(&format!("{}{}{value}", point.label, judgement.glyph()));
        let dot = format!("<circle cx='{x:.1}' cy='{y:.1}' r='6' class='{class}'><title>{label}</title></circle>");
        match &point.anchor {
            Some(id) => text.push_str(&format!("<a href='#{id}'>{dot}</a>")),
            None => text.push_str(&dot),
        }
    }
    text.push_str("</svg>\n");
    text
}

/// Labels the height and some of the move numbers.
fn axes(points: &[Point], step: f64) -> String {
    let mut text = format!(
        "<g class='axis'><text x='4' y='20' class='above'>White wins</text><text x='4' y='{:.0}'>Black wins</text>\
         <text x='{:.0}' y='{:.0}' text-anchor='end'>50 %</text>",
        HEIGHT - 6.0,
        WIDTH - 4.0,
        HEIGHT / 2.0 - 4.0
    );
    let every = if points.len() > 40 { 10 } else { 5 };
    for (index, point) in points.iter().enumerate() {
        if let Some(number) = point.number.filter(|number| number.is_multiple_of(every)) {
            let _ = write!(
                text,
                "<text x='{:.1}' y='{:.0}' text-anchor='middle'>{number}</text>",
                index as f64 * step,
                HEIGHT + AXIS - 6.0
            );
        }
    }
    text + "</g>"
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Color;

    #[test]
    fn points_lie_where_they_should() {
        let point = |eval, judgement| Point {
            eval,
            judgement,
            label: "1. e4".into(),
            number: Some(10),
            anchor: Some("p".into()),
        };
        let text = graph(&[
            point(Some(Eval::Centipawns(0)), None),
            point(Some(Eval::Mate(Color::Black, 2)), Some(Judgement::Blunder)),
            point(None, None),
        ]);
        assert!(text.contains("points='0.0,80.0 400.0,156.1 800.0,156.1'"), "{text}");
        assert!(text.contains("class='blunder'><title>1. e4?? #-2</title>"), "{text}");
        assert!(text.contains("<a href='#p'><circle") && text.contains(">White wins<"), "{text}");
        assert!(text.contains("text-anchor='middle'>10</text>"), "{text}");
        assert_eq!(graph(&[point(None, None)]), "");
        assert_eq!(graph(&[]), "");
    }
}
