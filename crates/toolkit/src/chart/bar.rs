//! Bar charts: horizontal bars with error whiskers.

use std::fmt::Write;

use super::{AXIS, Anchor, Canvas, FAINT, GRID, INK, Scale, text_width};

const ROW: f64 = 22.0;
const THICK: f64 = 12.0;
const TOP: f64 = 36.0;
const PLOT: f64 = 460.0;

/// One bar.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// Its label.
    pub label: String,
    /// Its length.
    pub value: f64,
    /// The ends of its whisker; an infinite end is drawn to the edge.
    pub range: Option<(f64, f64)>,
    /// A second value, shown as a mark over the bar.
    pub mark: Option<f64>,
    /// The text at its end.
    pub note: String,
}

impl Bar {
    /// A bar without whisker or mark.
    pub fn new(label: &str, value: f64, note: &str) -> Bar {
        Bar { label: label.into(), value, range: None, mark: None, note: note.into() }
    }
}

/// A chart of bars from top to bottom.
#[derive(Clone, Debug, Default)]
pub struct BarChart {
    /// The title above the chart.
    pub title: String,
    /// The label of the horizontal axis.
    pub x_label: String,
    /// What the marks mean; empty if there are none.
    pub mark_label: String,
    /// Where bars begin; it is always visible.
    pub origin: f64,
    /// The bars.
    pub bars: Vec<Bar>,
}

impl BarChart {
    /// A chart without bars; its origin is zero.
    pub fn new(title: &str, x_label: &str) -> BarChart {
        BarChart { title: title.into(), x_label: x_label.into(), ..BarChart::default() }
    }

    /// The chart as SVG.
    pub fn render(&self) -> String {
        let widest = |of: fn(&Bar) -> &str| self.bars.iter().map(|bar| text_width(of(bar))).fold(0.0, f64::max);
        let left = 16.0 + widest(|bar| &bar.label) + 8.0;
        let right = left + PLOT;
        let notes = right + 10.0;
        let bottom = TOP + ROW * self.bars.len() as f64 + 6.0;
        let mut canvas = Canvas::new(notes + widest(|bar| &bar.note) + 12.0, bottom + 52.0, &self.title);
        let scale = Scale::new(self.values(), (left, right));
        for (value, text) in scale.ticks() {
            let Some(pixel) = scale.pixel(value) else { continue };
            canvas.line(GRID, (pixel, TOP - 4.0), (pixel, bottom));
            canvas.label(pixel, bottom + 16.0, Anchor::Middle, FAINT, &text);
        }
        for (index, bar) in self.bars.iter().enumerate() {
            let middle = TOP + ROW * (index as f64 + 0.5);
            self.bar(&mut canvas, bar, &scale, middle);
            canvas.label(left - 8.0, middle + 4.0, Anchor::End, INK, &bar.label);
            canvas.label(notes, middle + 4.0, Anchor::Start, FAINT, &bar.note);
        }
        if let Some(zero) = scale.pixel(self.origin) {
            canvas.line(AXIS, (zero, TOP - 4.0), (zero, bottom));
        }
        let legend = match self.mark_label.as_str() {
            "" => self.x_label.clone(),
            mark => format!("{}   (◆ {mark})", self.x_label),
        };
        canvas.label(f64::midpoint(left, right), bottom + 38.0, Anchor::Middle, INK, &legend);
        canvas.finish()
    }

    /// All values that must be visible.
    fn values(&self) -> impl Iterator<Item = f64> {
        let of_bar = |bar: &Bar| {
            let (low, high) = bar.range.unwrap_or((bar.value, bar.value));
            [bar.value, low, high, bar.mark.unwrap_or(bar.value)]
        };
        self.bars.iter().flat_map(of_bar).chain([self.origin])
    }

    fn bar(&self, canvas: &mut Canvas, bar: &Bar, scale: &Scale, middle: f64) {
        if let (Some(zero), Some(end)) = (scale.pixel(self.origin), scale.pixel(bar.value)) {
            let class = if bar.value >= self.origin { "fill0" } else { "fill1" };
            canvas.rectangle(class, zero.min(end), middle - THICK / 2.0, (end - zero).abs(), THICK);
        }
        if let Some((low, high)) = bar.range
            && let (Some(low), Some(high)) = (scale.edge_pixel(low), scale.edge_pixel(high))
        {
            canvas.line(AXIS, (low, middle), (high, middle));
            for end in [low, high] {
                canvas.line(AXIS, (end, middle - 4.0), (end, middle + 4.0));
            }
        }
        if let Some(mark) = bar.mark.and_then(|mark| scale.pixel(mark)) {
            let _ = writeln!(
                canvas.text,
                "<path class=\"fill5\" d=\"M{mark:.1} {:.1} l5 5 l-5 5 l-5 -5 z\"/>",
                middle - 5.0
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{attributes, elements};
    use super::*;

    fn chart() -> BarChart {
        let mut chart = BarChart::new("What each is worth", "Elo");
        chart.bars.push(Bar { range: Some((-100.0, -50.0)), ..Bar::new("null move", -75.0, "−75 ± 25") });
        chart.bars.push(Bar::new("a < b", 25.0, "+25"));
        chart
    }

    #[test]
    fn bars_have_the_length_of_their_values() {
        let svg = chart().render();
        elements(&svg);
        let (loss, gain) = (attributes(&svg, "fill1", "width")[0], attributes(&svg, "fill0", "width")[0]);
        assert!((loss / gain - 3.0).abs() < 0.01, "{loss} {gain}");
        let (start, end) = (attributes(&svg, "fill1", "x")[0], attributes(&svg, "fill0", "x")[0]);
        assert!((start + loss - end).abs() < 0.11, "both begin at zero");
        let whisker: Vec<f64> = attributes(&svg, "axis", "x1");
        assert!((whisker[0] - (end - 4.0 / 3.0 * loss)).abs() < 0.2, "{whisker:?}");
        assert!(svg.contains("a &lt; b") && svg.contains("−75 ± 25"));
    }

    #[test]
    fn what_cannot_be_drawn_is_left_out() {
        let mut chart = chart();
        chart.origin = 10.0;
        chart.mark_label = "claimed".into();
        chart.bars[1].mark = Some(12.0);
        chart.bars.push(Bar { range: Some((-20.0, f64::INFINITY)), ..Bar::new("open", f64::NAN, "?") });
        let svg = chart.render();
        elements(&svg);
        assert_eq!(svg.matches("<path").count(), 1);
        assert_eq!(attributes(&svg, "fill0", "width").len() + attributes(&svg, "fill1", "width").len(), 2);
        assert!(svg.contains("◆ claimed"));
        elements(&BarChart::new("nothing", "").render());
    }
}
