//! Small charts as SVG text, without a charting library.
//!
//! A chart has its own background and follows the reader's light or dark mode, so it is readable on any page. Values
//! that are not finite are left out.

mod bar;
mod line;
mod scale;

use std::fmt::Write;

pub use bar::{Bar, BarChart};
pub use line::LineChart;
use scale::Scale;

/// Colours of the series, for light and dark mode, chosen to be distinct with impaired colour vision too.
const PALETTE: [(&str, &str); 8] = [
    ("#0b5fa5", "#6db3f2"),
    ("#b8480b", "#f2a56d"),
    ("#1a7a4c", "#6bd6a0"),
    ("#8a3fa0", "#d59be8"),
    ("#8a6d00", "#e3c64a"),
    ("#b0224f", "#f58aab"),
    ("#007a87", "#5fd0dc"),
    ("#5a5a5a", "#b8b8b8"),
];

/// Dash patterns: the next one is used each time the colours repeat.
const DASHES: [&str; 4] = ["none", "6 3", "2 3", "8 3 2 3"];

/// The approximate width of a letter in pixels, used to leave room for labels.
const LETTER: f64 = 6.6;

/// Escapes text for an HTML page.
pub fn escape(text: &str) -> String {
    let safe = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    safe.replace('"', "&quot;").replace('\'', "&#39;")
}

/// The same for a drawing: control characters, which XML forbids, become blanks.
fn escape_xml(text: &str) -> String {
    escape(&text.replace(|letter: char| letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}'), " "))
}

fn text_width(text: &str) -> f64 {
    LETTER * text.chars().count() as f64
}

/// A drawing that grows element by element.
struct Canvas {
    text: String,
}

impl Canvas {
    /// An empty drawing with its colours and its title.
    fn new(width: f64, height: f64, title: &str) -> Canvas {
        let mut text = String::new();
        let _ = writeln!(
            text,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} \
             {height:.0}\" role=\"img\" font-family=\"system-ui, sans-serif\" font-size=\"12\">"
        );
        let _ = writeln!(text, "<title>{}</title>", escape_xml(title));
        text.push_str("<style>\n.back{fill:#ffffff}.ink{fill:#1c1e21}.faint{fill:#5a6068}.grid{stroke:#dfe3e8}.axis{stroke:#5a6068}\n");
        let series = |text: &mut String, pick: fn(&(&'static str, &'static str)) -> &'static str| {
            for (index, colours) in PALETTE.iter().enumerate() {
                let colour = pick(colours);
                let _ = write!(text, ".line{index}{{stroke:{colour}}}.fill{index}{{fill:{colour}}}");
            }
            text.push('\n');
        };
        series(&mut text, |colours| colours.0);
        text.push_str("@media (prefers-color-scheme: dark){\n.back{fill:#16191d}.ink{fill:#e8eaed}.faint{fill:#a3abb5}.grid{stroke:#30363d}.axis{stroke:#a3abb5}\n");
        series(&mut text, |colours| colours.1);
        text.push_str("}\n</style>\n");
        let _ = writeln!(text, "<rect class=\"back\" width=\"{width:.0}\" height=\"{height:.0}\"/>");
        let mut canvas = Canvas { text };
        canvas.label(width / 2.0, 20.0, Anchor::Middle, "class=\"ink\" font-size=\"15\" font-weight=\"600\"", title);
        canvas
    }

    /// A line; `look` holds attributes.
    fn line(&mut self, look: &str, from: (f64, f64), to: (f64, f64)) {
        let ((x1, y1), (x2, y2)) = (from, to);
        let _ = writeln!(self.text, "<line {look} x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>");
    }

    fn rectangle(&mut self, class: &str, x: f64, y: f64, width: f64, height: f64) {
        let _ = writeln!(
            self.text,
            "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"/>"
        );
    }

    /// A text; `look` holds attributes.
    fn label(&mut self, x: f64, y: f64, anchor: Anchor, look: &str, text: &str) {
        let anchor = anchor.word();
        let text = escape_xml(text);
        let _ = writeln!(self.text, "<text {look} x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>");
    }

    fn finish(mut self) -> String {
        self.text.push_str("</svg>\n");
        self.text
    }
}

const INK: &str = "class=\"ink\"";
const FAINT: &str = "class=\"faint\"";
const GRID: &str = "class=\"grid\"";
const AXIS: &str = "class=\"axis\"";

#[derive(Clone, Copy)]
enum Anchor {
    Start,
    Middle,
    End,
}

impl Anchor {
    fn word(self) -> &'static str {
        match self {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        }
    }
}

/// A simple XML check for tests: tags are closed in order, attributes quoted, nothing left unescaped. Returns the names
/// of all elements.
#[cfg(test)]
fn elements(svg: &str) -> Vec<String> {
    let (mut open, mut names, mut rest) = (Vec::new(), Vec::new(), svg);
    while let Some(start) = rest.find('<') {
        let (before, tag) = rest.split_at(start);
        assert!(
            !before.contains('>') && open.last().is_none_or(|name| name == "style") | !before.contains('{'),
            "{before}"
        );
        for piece in before.split('&').skip(1) {
            assert!(["amp;", "lt;", "gt;", "quot;", "#39;"].iter().any(|name| piece.starts_with(name)), "{piece}");
        }
        let end = tag.find('>').expect("the tag ends");
        let inner = &tag[1..end];
        assert!(inner.matches('"').count() % 2 == 0 && !inner.contains('<'), "{inner}");
        let name: String = inner.trim_start_matches('/').chars().take_while(|c| c.is_alphanumeric()).collect();
        if inner.starts_with('/') {
            assert_eq!(open.pop().as_ref(), Some(&name));
        } else {
            names.push(name.clone());
            if !inner.ends_with('/') {
                open.push(name);
            }
        }
        rest = &tag[end + 1..];
    }
    assert!(open.is_empty() && rest.trim().is_empty(), "{open:?} {rest}");
    names
}

/// The values of an attribute in all elements of a class, for the tests.
#[cfg(test)]
fn attributes(svg: &str, class: &str, attribute: &str) -> Vec<f64> {
    let of_class = svg.lines().filter(|line| line.contains(&format!("class=\"{class}\"")));
    let value = |line: &str| line.split(&format!(" {attribute}=\"")).nth(1)?.split('"').next()?.parse().ok();
    of_class.filter_map(value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
        assert_eq!(escape_xml("a<b & \"c\">'d'\u{7}"), "a&lt;b &amp; &quot;c&quot;&gt;&#39;d&#39; ");
    }

    #[test]
    #[should_panic(expected = "left")]
    fn the_check_sees_tags_out_of_order() {
        elements("<svg><g></svg></g>");
    }
}
