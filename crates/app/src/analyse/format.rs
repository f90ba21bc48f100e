//! Formats the analysis of a position as text for people, JSON or CSV.
//!
//! JSON and CSV records begin with fields that identify the position, always formatted the same way, so that an output
//! file can be checked against its input before it is resumed.

use std::fmt::Write;

use chess::{Color, Move, Position};
use engine::{Bound, PvLine, Score, SearchResult};

use super::input::Entry;
use crate::people::{draw, words, wrap};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Format {
    Text,
    Json,
    Csv,
}

/// The first line of a file of comma-separated values.
const CSV_HEADER: &str =
    "index,fen,place,id,best,san,score_cp,mate,win,draw,loss,depth,seldepth,nodes,time_ms,line,outcome";

impl Format {
    /// The line before the first record.
    pub(super) fn header(self) -> Option<&'static str> {
        (self == Format::Csv).then_some(CSV_HEADER)
    }

    /// The beginning of an entry's record; its number counts from 1.
    pub(super) fn beginning(self, entry: &Entry, number: usize) -> String {
        match self {
            Format::Text => String::new(),
            Format::Json => format!("{{\"index\":{number},\"fen\":{},", quoted(&entry.fen())),
            Format::Csv => format!("{number},{},", field(&entry.fen())),
        }
    }

    /// The record of an entry, including its line end.
    pub(super) fn record(self, entry: &Entry, number: usize, found: &SearchResult) -> String {
        let position = entry.position();
        let beginning = self.beginning(entry, number);
        match self {
            Format::Text => text(entry, &position, found),
            Format::Json => beginning + &json(entry, &position, found) + "\n",
            Format::Csv => csv(beginning, entry, &position, found),
        }
    }
}

/// A text as a JSON string.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn uci(position: &Position, mv: Move) -> String {
    mv.uci(!position.is_classical_castling())
}

/// The outcome, if the game is already over.
fn outcome(position: &Position) -> Option<String> {
    position.outcome().map(|outcome| outcome.to_string())
}

/// The lines of play; none if the game is over.
fn lines(found: &SearchResult) -> impl Iterator<Item = &PvLine> {
    found.lines().filter(|line| !line.moves.is_empty())
}

fn json(entry: &Entry, position: &Position, found: &SearchResult) -> String {
    let mut text = format!("\"place\":{},\"id\":{},", quoted(&entry.place), quoted(&entry.id));
    match found.best_move() {
        Some(mv) => {
            let _ = write!(text, "\"best\":\"{}\",\"san\":{},", uci(position, mv), quoted(&position.san(mv)));
        }
        None => text.push_str("\"best\":null,\"san\":null,"),
    }
    let (depth, seldepth) = (found.best.depth, found.best.seldepth);
    let lines: Vec<String> = lines(found).map(|line| json_line(position, line)).collect();
    let outcome = outcome(position).map_or_else(|| "null".into(), |outcome| quoted(&outcome));
    let _ = write!(
        text,
        "\"depth\":{depth},\"seldepth\":{seldepth},\"nodes\":{},\"time_ms\":{},\"lines\":[{}],\"outcome\":{outcome}}}",
        found.nodes,
        found.time.as_millis(),
        lines.join(",")
    );
    text
}

fn json_line(position: &Position, line: &PvLine) -> String {
    let score = match line.score {
        Score::Centipawns(centipawns) => format!("{{\"cp\":{centipawns}}}"),
        Score::Mate(moves) => format!("{{\"mate\":{moves}}}"),
    };
    let [win, draw, loss] = line.wdl;
    let bound = match line.bound {
        Bound::Exact => "exact",
        Bound::Lower => "lower",
        Bound::Upper => "upper",
    };
    let (sans, codes) = words::both(position, &line.moves, !position.is_classical_castling());
    let [moves, sans] = [codes, sans].map(serde_json::Value::from);
    format!(
        "{{\"score\":{score},\"bound\":\"{bound}\",\"wdl\":[{win},{draw},{loss}],\"moves\":{moves},\"san\":{sans}}}"
    )
}

/// A CSV field, quoted if necessary.
fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

/// One row with the best move and its line, however many lines were requested.
fn csv(beginning: String, entry: &Entry, position: &Position, found: &SearchResult) -> String {
    let mut fields = vec![field(&entry.place), field(&entry.id)];
    let line = &found.best;
    match found.best_move() {
        Some(mv) => {
            let (centipawns, mate) = match line.score {
                Score::Centipawns(centipawns) => (centipawns.to_string(), String::new()),
                Score::Mate(moves) => (String::new(), moves.to_string()),
            };
            fields.extend([uci(position, mv), position.san(mv), centipawns, mate]);
            fields.extend(line.wdl.map(|chance| chance.to_string()));
            fields.extend([line.depth.to_string(), line.seldepth.to_string()]);
        }
        None => fields.extend(std::iter::repeat_n(String::new(), 9)),
    }
    fields.extend([found.nodes.to_string(), found.time.as_millis().to_string()]);
    fields.push(field(&position.san_line(&line.moves)));
    fields.push(outcome(position).unwrap_or_default());
    format!("{beginning}{}\n", fields.join(","))
}

fn text(entry: &Entry, position: &Position, found: &SearchResult) -> String {
    let mut text = entry.fen();
    if !entry.place.is_empty() || !entry.id.is_empty() {
        let id = if entry.id.is_empty() { String::new() } else { format!(" ({})", entry.id) };
        text = format!("{}{id}\n{text}", entry.place);
    }
    text.push('\n');
    for line in summary(position, found, usize::MAX) {
        let _ = writeln!(text, "  {line}");
    }
    text.push('\n');
    text
}

/// The result in a few lines for people, wrapped at this width.
pub(super) fn summary(position: &Position, found: &SearchResult, width: usize) -> Vec<String> {
    let side = position.side_to_move();
    let mut lines = Vec::new();
    if let Some(outcome) = outcome(position) {
        lines.push(format!("The game is over: {outcome}."));
    }
    let Some(mv) = found.best_move() else { return lines };
    let (best, san) = (&found.best, position.san(mv));
    lines.push(format!("{side} to move. Best is {san}: {}.", words::meaning(best.score.for_white(side))));
    lines.push(draw::bar(best.wdl, side, 24, draw::Charset::of_locale()));
    for line in found.lines() {
        let score = score_text(line, side);
        lines.extend(wrap::words(&position.san_line(&line.moves), &score, &" ".repeat(score.len()), width));
    }
    lines.push(format!(
        "depth {}/{}, {} nodes in {:.2} s, {} a second",
        best.depth,
        best.seldepth,
        words::count(found.nodes),
        found.time.as_secs_f64(),
        words::count(found.nps())
    ));
    lines
}

/// The score of a line, which it begins with.
fn score_text(line: &PvLine, side: Color) -> String {
    let bound = match (line.bound, side) {
        (Bound::Exact, _) => "",
        (Bound::Lower, Color::White) | (Bound::Upper, Color::Black) => " or more",
        _ => " or less",
    };
    format!("{:>7}{bound}  ", words::score(line.score.for_white(side)))
}
