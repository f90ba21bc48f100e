//! Builds the HTML page of the report.

use std::cmp::Reverse;
use std::fmt::Write;

use chess::{Board, Color, Move};
use record::GameResult;
use record::pgn::{Game, TextMove};

use super::super::judge::{Eval, Judgement, win_percent_of};
use super::super::notes::{counts, signed, value};
use super::super::think::mover;
use super::graph::{Point, graph};
use super::{board, escape};

/// The most turning points that get a board; more would bury the reader.
const MOST_BOARDS: usize = 12;

/// The report on annotated games.
pub(super) fn page(games: &[Game]) -> String {
    let mut text = format!(
        "<!DOCTYPE html>\n<html lang='en'>\n<head>\n<meta charset='utf-8'>\n<meta name='viewport' \
         content='width=device-width, initial-scale=1'>\n<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n{}",
        games.first().map_or_else(String::new, |game| escape(&heading(game))),
        include_str!("style.css"),
        board::definitions()
    );
    if games.len() > 1 {
        text.push_str("<nav><ol>\n");
        for game in games {
            let _ = writeln!(text, "<li><a href='#game-{}'>{}</a></li>", game.number, escape(&heading(game)));
        }
        text.push_str("</ol></nav>\n");
    }
    games.iter().for_each(|game| text.push_str(&section(game)));
    text.push_str(
        "<footer>Annotated by Stillwater. Judgements and accuracy follow the formulas of \
         <a href='https://lichess.org/page/accuracy'>Lichess</a>.</footer>\n</body>\n</html>\n",
    );
    text
}

fn heading(game: &Game) -> String {
    let [white, black] = ["White", "Black"].map(|name| game.tag(name).unwrap_or(name));
    format!("{white} – {black}, {}", GameResult::text(game.result).replace("1/2", "½").replace('-', "–"))
}

fn section(game: &Game) -> String {
    let mut text = format!("<section id='game-{}'>\n<h1>{}</h1>\n", game.number, escape(&heading(game)));
    let facts = ["Event", "Site", "Date", "Opening"].into_iter().filter_map(|name| game.tag(name));
    let facts = facts.filter(|value| !value.is_empty() && !value.starts_with('?'));
    // If only the year of a date is known, only the year is shown.
    let facts: Vec<String> = facts.map(|value| escape(&value.replace(".??", ""))).collect();
    let _ = writeln!(text, "<p class='facts'>{}</p>", facts.join(" · "));
    let Ok((start, moves)) = game.replay(usize::MAX) else { return text + "</section>\n" };
    let first = start.side_to_move();
    text.push_str(&players(game, first));
    let plies = Ply::all(game, start, &moves);
    let worst = worst(&plies);
    let anchor = |index: usize| worst.contains(&index).then(|| format!("game-{}-ply-{}", game.number, index + 1));
    let points = plies.iter().enumerate().map(|(index, ply)| Point {
        eval: ply.eval,
        judgement: ply.judgement,
        label: ply.label(),
        number: (ply.mover == Color::White).then_some(ply.number),
        anchor: anchor(index),
    });
    text.push_str(&graph(&points.collect::<Vec<_>>()));
    text.push_str(&turning_points(&plies, &worst, &anchor));
    text.push_str(&move_list(&plies, &anchor));
    text.push_str("</section>\n");
    text
}

fn players(game: &Game, first: Color) -> String {
    let mut text = String::from(
        "<div class='wide'><table class='players'><tr><th></th><th>accuracy</th><th><span class='long'>average </span>loss</th>",
    );
    for judgement in Judgement::ALL {
        let (class, name, glyph) = (judgement.name().to_lowercase(), judgement.plural(), judgement.glyph());
        let _ = write!(
            text,
            "<th class='{class}'><span class='long'>{name}</span><abbr class='short' title='{name}'>{glyph}</abbr></th>"
        );
    }
    text.push_str("</tr>\n");
    for (name, counts) in ["White", "Black"].into_iter().zip(counts(game, first)) {
        let accuracy =
            game.tag(&format!("{name}Accuracy")).map_or("–".to_owned(), |percent| format!("{} %", escape(percent)));
        let loss = game.tag(&format!("{name}ACPL")).map_or("–".to_owned(), escape);
        let player = escape(game.tag(name).unwrap_or(name));
        let _ = write!(text, "<tr><th>{player}</th><td>{accuracy}</td><td>{loss}</td>");
        for count in counts {
            let _ = write!(text, "<td>{count}</td>");
        }
        text.push_str("</tr>\n");
    }
    text.push_str("</table></div>\n");
    text
}

/// A move with everything shown about it.
struct Ply<'a> {
    text: &'a TextMove,
    before: Board,
    mv: Move,
    mover: Color,
    number: u16,
    eval: Option<Eval>,
    judgement: Option<Judgement>,
    /// The winning chances the mover lost, in per cent.
    loss: f64,
}

impl Ply<'_> {
    fn all<'a>(game: &'a Game, start: Board, moves: &[Move]) -> Vec<Ply<'a>> {
        let mut board = start;
        let mut last = None;
        let mut plies = Vec::new();
        for (index, (text, &mv)) in game.moves().iter().zip(moves).enumerate() {
            let mover = mover(start.side_to_move(), index);
            let eval = value(text);
            let percents = [last, eval].map(|eval: Option<Eval>| eval.map_or(50.0, |eval| win_percent_of(eval, mover)));
            let judgement = text.nags.iter().find_map(|&nag| Judgement::of_nag(nag));
            let number = board.fullmove_number();
            let [before, after] = percents;
            plies.push(Ply { text, before: board, mv, mover, number, eval, judgement, loss: before - after });
            last = eval.or(last);
            board = board.after(mv);
        }
        plies
    }

    fn label(&self) -> String {
        let dots = if self.mover == Color::White { "." } else { "..." };
        format!("{}{dots} {}", self.number, self.text.san)
    }

    fn glyph(&self) -> &'static str {
        self.judgement.map_or("", Judgement::glyph)
    }

    /// The better line, if there is one.
    fn better(&self) -> Option<&record::pgn::Line> {
        self.text.variations.first().filter(|_| self.judgement.is_some())
    }
}

/// The most costly moves, in the order of the game.
fn worst(plies: &[Ply<'_>]) -> Vec<usize> {
    let mut worst: Vec<usize> = (0..plies.len()).collect();
    let judged = |index: &usize| plies.get(*index).is_some_and(|ply| ply.judgement.is_some());
    worst.retain(judged);
    worst.sort_by_key(|&index| plies.get(index).map(|ply| Reverse((ply.judgement, (ply.loss * 100.0) as i64))));
    worst.truncate(MOST_BOARDS);
    worst.sort_unstable();
    worst
}

/// The turning points, each with the board before the move.
fn turning_points(plies: &[Ply<'_>], worst: &[usize], anchor: &dyn Fn(usize) -> Option<String>) -> String {
    if worst.is_empty() {
        return String::new();
    }
    let mut text = String::from("<h2>Turning points</h2>\n<div class='boards'>\n");
    for (&index, ply) in worst.iter().filter_map(|index| Some((index, plies.get(*index)?))) {
        let better = ply.better().and_then(|line| ply.before.parse_san(&line.moves.first()?.san).ok());
        let arrows: Vec<(Move, &str)> = [(Some(ply.mv), "played"), (better, "best")]
            .into_iter()
            .filter_map(|(mv, class)| Some((mv?, class)))
            .collect();
        let title = format!("Before {}", ply.label());
        let class = ply.judgement.map_or("", Judgement::name).to_lowercase();
        let _ = write!(
            text,
            "<figure id='{}'>{}<figcaption><b class='{class}'>{}{}</b> {}",
            anchor(index).unwrap_or_default(),
            board::board(&ply.before, ply.mover, &arrows, &title),
            escape(&ply.label()),
            ply.glyph(),
            ply.eval.map(signed).unwrap_or_default()
        );
        if let Some(line) = ply.better() {
            let worth =
                line.moves.first().and_then(value).map(|eval| format!(" ({})", signed(eval))).unwrap_or_default();
            let _ = write!(text, "<br>Better: {}{worth}", escape(&line_text(line, ply)));
        }
        let words =
            ply.text.comments.iter().find(|comment| ply.judgement.is_some_and(|j| comment.starts_with(j.name())));
        if let Some(words) = words {
            let _ = write!(text, "<br>{}", escape(words));
        }
        text.push_str("</figcaption></figure>\n");
    }
    text.push_str("</div>\n");
    text
}

/// A line of moves with their numbers.
fn line_text(line: &record::pgn::Line, ply: &Ply<'_>) -> String {
    let mut words = Vec::new();
    let mut color = ply.mover;
    let mut number = ply.number;
    for (index, mv) in line.moves.iter().enumerate() {
        if color == Color::White {
            words.push(format!("{number}."));
        } else if index == 0 {
            words.push(format!("{number}..."));
        }
        words.push(mv.san.clone());
        number = number.saturating_add(u16::from(color == Color::Black));
        color = color.other();
    }
    words.join(" ")
}

/// All moves, two to a row, with their values; moves with a board link to it.
fn move_list(plies: &[Ply<'_>], anchor: &dyn Fn(usize) -> Option<String>) -> String {
    let mut text = String::from("<h2>Moves</h2>\n<div class='moves'>\n");
    for (index, ply) in plies.iter().enumerate() {
        if ply.mover == Color::White {
            let _ = write!(text, "<span class='number'>{}.</span>", ply.number);
        } else if index == 0 {
            let _ = write!(text, "<span class='number'>{}.</span><span class='move'>…</span>", ply.number);
        }
        let class = ply.judgement.map_or("", Judgement::name).to_lowercase();
        let eval = ply.eval.map(|eval| format!(" <small>{}</small>", signed(eval))).unwrap_or_default();
        let name = format!("{}{}", escape(&ply.text.san), ply.glyph());
        let name = anchor(index).map_or_else(|| name.clone(), |id| format!("<a href='#{id}'>{name}</a>"));
        let _ = writeln!(text, "<span class='move {class}'>{name}{eval}</span>");
    }
    text.push_str("</div>\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str = "[White \"<b>A</b>\"]\n[Black \"B\"]\n[WhiteAccuracy \"12.5\"]\n[WhiteACPL \"44\"]\n\n1. f3 {[%eval -0.50]} e5 {[%eval -0.40]} 2. g4 $4 \
        {[%eval #-1]} (2. e4 {[%eval -0.4]} Nf6) Qh4# 0-1";

    #[test]
    fn a_page_has_everything_and_trusts_nothing() {
        let games: Vec<Game> = record::pgn::games(GAME).flatten().collect();
        let text = page(&games);
        assert!(text.contains("<h1>&lt;b&gt;A&lt;/b&gt; – B, 0–1</h1>"), "{text}");
        assert!(!text.contains("<b>A</b>"));
        assert!(text.contains("<td>12.5 %</td><td>44</td><td>0</td><td>0</td><td>1</td>"), "{text}");
        assert!(text.contains("<b class='blunder'>2. g4??</b> #-1<br>Better: 2. e4 Nf6 (-0.40)"), "{text}");
        assert_eq!(text.matches("<figure id='game-1-ply-3'>").count(), 1);
        assert_eq!(text.matches("<a href='#game-1-ply-3'>").count(), 2, "from the graph and from the moves: {text}");
        assert!(text.contains("class='played'") && text.contains("class='best'"));
        assert!(text.contains("<span class='move '>Qh4#</span>"), "{text}");
        assert!(!text.contains("<nav>"));
        assert_eq!(page(&[games.clone(), games].concat()).matches("<a href='#game-1'>").count(), 2);
    }

    #[test]
    fn games_without_moves_or_values_do_no_harm() {
        for text in [
            "[White \"A\"]\n\n*",
            "1. e4 e5 *",
            "1. e4 e4 *",
            "[FEN \"4k3/8/8/8/8/8/8/4K2R b K - 0 7\"]\n\n7... Ke7 8. O-O *",
        ] {
            let games: Vec<Game> = record::pgn::games(text).flatten().collect();
            assert!(page(&games).ends_with("</html>\n"), "{text}");
        }
        assert!(page(&[]).ends_with("</html>\n"));
    }
}
