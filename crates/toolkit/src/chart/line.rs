//! Line charts: several named lines over the same axes.

use std::fmt::Write;

use super::{AXIS, Anchor, Canvas, DASHES, FAINT, GRID, INK, PALETTE, Scale, escape_xml, text_width};

const PLOT: (f64, f64) = (620.0, 360.0);
const TOP: f64 = 36.0;
const LEFT: f64 = 70.0;
const BOTTOM: f64 = 48.0;
const LEGEND_ROW: f64 = 18.0;

/// A chart of several named lines over the same axes.
#[derive(Clone, Debug, Default)]
pub struct LineChart {
    /// The title above the chart.
    title: String,
    /// The label of the horizontal axis.
    x_label: String,
    /// The label of the vertical axis.
    y_label: String,
    series: Vec<(String, Vec<(f64, f64)>)>,
}

impl LineChart {
    /// A chart without lines.
    pub fn new(title: &str, x_label: &str, y_label: &str) -> LineChart {
        LineChart { title: title.into(), x_label: x_label.into(), y_label: y_label.into(), ..LineChart::default() }
    }

    /// Adds a line through the points in the given order. A point that cannot be drawn interrupts the line.
    #[must_use]
    pub fn series(mut self, name: &str, points: impl IntoIterator<Item = (f64, f64)>) -> LineChart {
        self.series.push((name.into(), points.into_iter().collect()));
        self
    }

    /// The chart as SVG.
    pub fn render(&self) -> String {
        let names = self.series.iter().map(|(name, _)| text_width(name)).fold(0.0, f64::max);
        let height = (TOP + PLOT.1 + BOTTOM).max(TOP + LEGEND_ROW * self.series.len() as f64 + 12.0);
        let mut canvas = Canvas::new(LEFT + PLOT.0 + 54.0 + names, height, &self.title);
        let points = || self.series.iter().flat_map(|(_, points)| points);
        let x = Scale::new(points().map(|point| point.0), (LEFT, LEFT + PLOT.0));
        let y = Scale::new(points().map(|point| point.1), (TOP + PLOT.1, TOP));
        self.axes(&mut canvas, &x, &y);
        for (index, (name, points)) in self.series.iter().enumerate() {
            let (colour, dash) = style(index);
            curve(&mut canvas, &pieces(points, &x, &y), colour, dash, name);
            let row = TOP + 8.0 + LEGEND_ROW * index as f64;
            let start = LEFT + PLOT.0 + 16.0;
            let mark = format!("class=\"line{colour}\" stroke-width=\"2\" stroke-dasharray=\"{dash}\"");
            canvas.line(&mark, (start, row), (start + 24.0, row));
            canvas.label(start + 30.0, row + 4.0, Anchor::Start, INK, name);
        }
        canvas.finish()
    }

    fn axes(&self, canvas: &mut Canvas, x: &Scale, y: &Scale) {
        let (right, bottom) = (LEFT + PLOT.0, TOP + PLOT.1);
        for (value, text) in y.ticks() {
            let Some(pixel) = y.pixel(value) else { continue };
            canvas.line(GRID, (LEFT, pixel), (right, pixel));
            canvas.label(LEFT - 8.0, pixel + 4.0, Anchor::End, FAINT, &text);
        }
        for (value, text) in x.ticks() {
            let Some(pixel) = x.pixel(value) else { continue };
            canvas.line(GRID, (pixel, TOP), (pixel, bottom));
            canvas.label(pixel, bottom + 18.0, Anchor::Middle, FAINT, &text);
        }
        canvas.line(AXIS, (LEFT, TOP), (LEFT, bottom));
        canvas.line(AXIS, (LEFT, bottom), (right, bottom));
        canvas.label(LEFT + PLOT.0 / 2.0, bottom + 38.0, Anchor::Middle, INK, &self.x_label);
        let middle = TOP + PLOT.1 / 2.0;
        let turned = format!("{INK} transform=\"rotate(-90 16 {middle:.1})\"");
        canvas.label(16.0, middle, Anchor::Middle, &turned, &self.y_label);
    }
}

/// The colour and the dashes of a line.
fn style(index: usize) -> (usize, &'static str) {
    let dash = DASHES.get(index / PALETTE.len() % DASHES.len()).unwrap_or(&"none");
    (index % PALETTE.len(), dash)
}

/// The points in pixels, split where one cannot be drawn.
fn pieces(points: &[(f64, f64)], x: &Scale, y: &Scale) -> Vec<Vec<(f64, f64)>> {
    let mut pieces = vec![Vec::new()];
    for &(horizontal, vertical) in points {
        match (x.pixel(horizontal), y.pixel(vertical)) {
            (Some(horizontal), Some(vertical)) => {
                if let Some(piece) = pieces.last_mut() {
                    piece.push((horizontal, vertical));
                }
            }
            _ => pieces.push(Vec::new()),
        }
    }
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

fn curve(canvas: &mut Canvas, pieces: &[Vec<(f64, f64)>], colour: usize, dash: &str, name: &str) {
    for piece in pieces {
        if let [(x, y)] = piece[..] {
            // A lone point would be invisible as a line.
            let _ = writeln!(canvas.text, "<circle class=\"fill{colour}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.5\"/>");
            continue;
        }
        let points: Vec<String> = piece.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(
            canvas.text,
            "<polyline class=\"line{colour}\" fill=\"none\" stroke-width=\"1.8\" stroke-linejoin=\"round\" \
             stroke-dasharray=\"{dash}\" points=\"{}\"><title>{}</title></polyline>",
            points.join(" "),
            escape_xml(name)
        );
    }
}

#[cfg(test)]
mod tests {
    use super::super::elements;
    use super::*;

    /// The points of all lines.
    fn drawn(svg: &str) -> Vec<Vec<(f64, f64)>> {
        let number = |text: &str| text.parse::<f64>().expect("a number");
        let point = |text: &str| text.split_once(',').map(|(x, y)| (number(x), number(y))).expect("a point");
        let points = |line: &str| line.split(" points=\"").nth(1)?.split('"').next().map(str::to_owned);
        let lines = svg.lines().filter(|line| line.starts_with("<polyline")).filter_map(points);
        lines.map(|points| points.split(' ').map(point).collect()).collect()
    }

    #[test]
    fn points_land_where_the_axes_say() {
        let chart = LineChart::new("Loss & more", "epoch", "loss <x>")
            .series("training", [(0.0, 100.0), (5.0, 50.0), (10.0, 0.0)])
            .series("\"validation\"", [(0.0, 0.0), (10.0, 100.0)]);
        let svg = chart.render();
        let names = elements(&svg);
        assert_eq!(names.iter().filter(|name| *name == "polyline").count(), 2);
        let (right, bottom) = (LEFT + PLOT.0, TOP + PLOT.1);
        let middle = (LEFT + PLOT.0 / 2.0, TOP + PLOT.1 / 2.0);
        assert_eq!(drawn(&svg)[0], [(LEFT, TOP), middle, (right, bottom)]);
        assert_eq!(drawn(&svg)[1], [(LEFT, bottom), (right, TOP)]);
        assert!(svg.contains("Loss &amp; more") && svg.contains("loss &lt;x&gt;") && svg.contains(">training<"));
        assert!(svg.contains("prefers-color-scheme: dark"));
    }

    #[test]
    fn gaps() {
        let nan = f64::NAN;
        let points = [(0.0, 0.0), (1.0, 50.0), (2.0, nan), (3.0, 100.0), (4.0, nan), (5.0, 50.0), (6.0, 100.0)];
        let svg = LineChart::new("", "", "").series("a", points).render();
        elements(&svg);
        let lines = drawn(&svg);
        assert_eq!(lines.len(), 2, "what is no number interrupts the line");
        assert_eq!(lines[0][1].1, TOP + PLOT.1 / 2.0);
        assert_eq!(svg.matches("<circle").count(), 1, "the lone point between them");
        elements(&LineChart::new("empty", "x", "y").render());
    }

    #[test]
    fn many_series_can_be_told_apart() {
        let styles: std::collections::HashSet<_> = (0..32).map(style).collect();
        assert_eq!(styles.len(), 32);
        let chart = (0..60).fold(LineChart::new("", "", ""), |chart, n| chart.series(&n.to_string(), [(0.0, 1.0)]));
        assert_eq!(chart.render().matches("<circle").count(), 60);
    }
}
