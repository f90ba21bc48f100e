//! Writes the findings into the game: values, marks, better lines, and the totals in the tags.

use chess::{Board, Color, Move};
use record::pgn::{Command, Comment, Game, Line, TextMove};

use super::judge::{Eval, Judgement, win_percent_of};
use super::openings;
use super::review::{Mark, mark, review};
use super::think::{Finding, mover};

/// The longest better line shown: beyond this, a line explains little.
const LONGEST_LINE: usize = 10;
/// NAGs for the quality of a move, from `!` to `?!`.
const MOVE_MARKS: std::ops::RangeInclusive<u8> = 1..=6;

/// Annotates a game. Existing annotations stay, except for values and, on moves judged bad, marks.
pub(crate) fn annotate(game: &mut Game, start: Board, moves: &[Move], findings: &[Finding]) {
    let mut board = start;
    for (ply, (text, &mv)) in game.main.moves.iter_mut().zip(moves).enumerate() {
        let (Some(before), Some(after)) = (findings.get(ply), findings.get(ply + 1)) else { break };
        // This also normalises the text: check signs, castling with zeros, long notation.
        text.san = board.san(mv);
        write_value(text, after.eval);
        match mark(&board, mv, before, after) {
            Some(Mark::Judgement(judgement)) => write_judgement(text, judgement, &board, before, after),
            // Existing marks take precedence over our praise.
            Some(Mark::Praise(praise)) if !text.nags.iter().any(|nag| MOVE_MARKS.contains(nag)) => {
                text.nags.insert(0, praise.nag());
            }
            _ => {}
        }
        board = board.after(mv);
    }
    write_tags(game, start, moves, findings);
}

/// `[%eval 0.25]`, in front of other commands or in a comment of its own. It replaces an older one; a mate on the board
/// needs none.
fn write_value(text: &mut TextMove, eval: Eval) {
    for comment in &mut text.comments {
        let mut parts = Comment::parse(comment);
        if parts.eval().is_some() {
            parts.commands.retain(|command| !matches!(command, Command::Eval(..)));
            *comment = parts.to_string();
        }
    }
    text.comments.retain(|comment| !comment.is_empty());
    if matches!(eval, Eval::Mate(_, 0)) {
        return;
    }
    let value = command(eval);
    match text.comments.first_mut().filter(|comment| comment.starts_with("[%")) {
        Some(comment) => *comment = format!("{value} {comment}"),
        None => text.comments.insert(0, value),
    }
}

fn command(eval: Eval) -> String {
    Command::Eval(eval, None).to_string()
}

/// The value after a move, if there is one.
pub(super) fn value(text: &TextMove) -> Option<Eval> {
    text.comments.iter().find_map(|comment| Comment::parse(comment).eval())
}

fn write_judgement(text: &mut TextMove, judgement: Judgement, board: &Board, before: &Finding, after: &Finding) {
    text.nags.retain(|nag| !MOVE_MARKS.contains(nag));
    text.nags.insert(0, judgement.nag());
    let Ok(mv) = board.parse_san(&text.san) else { return };
    let comment = words(judgement, board, mv, [before, after]);
    if !text.comments.contains(&comment) {
        text.comments.push(comment);
    }
    let variation = variation(board, before);
    let is_same = |other: &Line| other.moves.iter().map(|mv| &mv.san).eq(variation.moves.iter().map(|mv| &mv.san));
    if !text.variations.iter().any(is_same) {
        text.variations.insert(0, variation);
    }
}

/// The judgement of a move in a sentence: what it allows or misses, or else what it costs.
pub(crate) fn words(judgement: Judgement, board: &Board, mv: Move, [before, after]: [&Finding; 2]) -> String {
    let side = board.side_to_move();
    let better = before.line.first().map(|&mv| board.san(mv)).unwrap_or_default();
    let reply = after.line.first().map(|&reply| board.after(mv).san(reply)).unwrap_or_default();
    let name = judgement.name();
    match (before.eval, after.eval) {
        (_, Eval::Mate(winner, 1)) if winner != side => format!("{name}: allows {reply}. {better} was better."),
        (_, Eval::Mate(winner, moves)) if winner != side => {
            format!("{name}: allows mate in {moves}, with {reply}. {better} was better.")
        }
        (Eval::Mate(winner, 1), _) if winner == side => format!("{name}: misses {better}."),
        (Eval::Mate(winner, moves), _) if winner == side => format!("{name}: misses mate in {moves}, with {better}."),
        _ => {
            let [had, has] = [before.eval, after.eval].map(|eval| win_percent_of(eval, side).round());
            if had == has {
                return format!("{name}: from {} to {}. {better} was better.", signed(before.eval), signed(after.eval));
            }
            format!("{name}: chances of winning from {had:.0} % to {has:.0} %. {better} was better.")
        }
    }
}

/// A value for people, with its sign.
pub(crate) fn signed(eval: Eval) -> String {
    match eval {
        Eval::Centipawns(centipawns) => format!("{:+.2}", f64::from(centipawns) / 100.0),
        Eval::Mate(..) => eval.to_string(),
    }
}

fn variation(board: &Board, finding: &Finding) -> Line {
    let mut line = Line::new(*board, finding.line.get(..LONGEST_LINE).unwrap_or(&finding.line));
    if let Some(first) = line.moves.first_mut().filter(|_| !matches!(finding.eval, Eval::Mate(_, 0))) {
        first.comments.push(command(finding.eval));
    }
    line
}

fn write_tags(game: &mut Game, start: Board, moves: &[Move], findings: &[Finding]) {
    if game.tag("Annotator").is_none_or(|name| name.is_empty() || name == "?") {
        game.set_tag("Annotator", concat!("Stillwater ", env!("CARGO_PKG_VERSION")));
    }
    if game.tag("FEN").is_none()
        && game.tag("Opening").is_none_or(|name| name.is_empty() || name == "?")
        && let Some(opening) = openings::find(moves)
    {
        if game.tag("ECO").is_none_or(|code| code.is_empty() || code == "?") {
            game.set_tag("ECO", opening.eco);
        }
        game.set_tag("Opening", opening.name);
    }
    let players = review(&start, moves, findings).players;
    for (name, player) in ["White", "Black"].into_iter().zip(players) {
        if let Some(accuracy) = player.whole.accuracy {
            game.set_tag(&format!("{name}Accuracy"), &format!("{accuracy:.1}"));
        }
        // ACPL: average centipawn loss.
        if let Some(loss) = player.whole.loss {
            game.set_tag(&format!("{name}ACPL"), &format!("{loss:.0}"));
        }
    }
}

/// How many bad moves of each kind White and Black made, in the order of [`Judgement::ALL`].
pub(super) fn counts(game: &Game, first: Color) -> [[usize; 3]; 2] {
    let mut counts = [[0; 3]; 2];
    for (ply, text) in game.moves().iter().enumerate() {
        let judgement = text.nags.iter().find_map(|&nag| Judgement::of_nag(nag));
        let row = counts.get_mut(mover(first, ply).index());
        if let Some(count) = judgement.and_then(|judgement| row?.get_mut(judgement as usize)) {
            *count += 1;
        }
    }
    counts
}

/// A one-line summary for the terminal.
pub(super) fn summary(game: &Game, first: Color) -> String {
    let player = |index: usize, name: &str, accuracy: &str| {
        let counts = counts(game, first);
        let faults: Vec<String> = Judgement::ALL
            .iter()
            .zip(counts.get(index).into_iter().flatten())
            .map(|(judgement, count)| match count {
                1 => format!("1 {}", judgement.name().to_lowercase()),
                _ => format!("{count} {}", judgement.plural()),
            })
            .collect();
        let loss = game.tag(&format!("{name}ACPL")).map(|loss| format!(", average loss {loss}")).unwrap_or_default();
        let accuracy =
            game.tag(accuracy).map_or_else(|| "no moves".to_owned(), |percent| format!("accuracy {percent} %{loss}"));
        format!("{}: {accuracy}, {}", game.tag(name).unwrap_or(name), faults.join(", "))
    };
    let players = [player(0, "White", "WhiteAccuracy"), player(1, "Black", "BlackAccuracy")];
    format!("game {}: {}", game.number, players.join("; "))
}

#[cfg(test)]
mod tests {
    use super::super::think::fools_mate;
    use super::*;

    #[test]
    fn values_find_their_place() {
        let with = |comments: &[&str]| {
            let mut text =
                TextMove { comments: comments.iter().map(ToString::to_string).collect(), ..TextMove::default() };
            write_value(&mut text, Eval::Centipawns(25));
            assert_eq!(value(&text), Some(Eval::Centipawns(25)));
            text.comments
        };
        assert_eq!(with(&[]), ["[%eval 0.25]"]);
        assert_eq!(with(&["[%eval -3.2]"]), ["[%eval 0.25]"]);
        assert_eq!(with(&["[%clk 0:05:00]"]), ["[%eval 0.25] [%clk 0:05:00]"]);
        assert_eq!(with(&["[%clk 0:05:00] [%eval 1.0,12]"]), ["[%eval 0.25] [%clk 0:05:00]"]);
        assert_eq!(with(&["good [%eval 1.0] move"]), ["[%eval 0.25]", "good move"]);
        assert_eq!(with(&["a human's thought"]), ["[%eval 0.25]", "a human's thought"]);
        assert_eq!(with(&["[%eval never closed"]), ["[%eval 0.25] [%eval never closed"]);
    }

    #[test]
    fn a_blunder_gets_all_that_belongs_to_it() {
        let text = "1. f3 {[%clk 0:01:00]} e5 2. g4 $1 Qh4# 0-1";
        let mut game = record::pgn::games(text).next().expect("a game").expect("a good one");
        let (start, moves, findings) = fools_mate(&game);
        annotate(&mut game, start, &moves, &findings);
        let written = game.to_string();
        let lines: Vec<&str> = written.lines().collect();
        assert!(lines[0].starts_with("[Annotator \"Stillwater "), "{written}");
        assert!(lines[1..6].iter().any(|line| line.starts_with("[WhiteAccuracy \"")), "{written}");
        let moves_text = lines.iter().skip_while(|line| !line.is_empty()).copied().collect::<Vec<_>>().join(" ");
        assert_eq!(
            moves_text.trim(),
            "1. f3 {[%eval -0.50] [%clk 0:01:00]} 1... e5 {[%eval -0.50]} 2. g4 $4 {[%eval #-1]} \
             {Blunder: allows Qh4#. e4 was better.} (2. e4 {[%eval -0.50]}) 2... Qh4# 0-1"
        );
        assert_eq!(counts(&game, Color::White), [[0, 0, 1], [0, 0, 0]]);
        let once = game.to_string();
        annotate(&mut game, start, &moves, &findings);
        assert_eq!(game.to_string(), once, "twice is as good as once");
        assert!(
            summary(&game, Color::White).contains("1 blunder; Black: accuracy 100.0 %, average loss 0"),
            "{}",
            summary(&game, Color::White)
        );
    }
}
