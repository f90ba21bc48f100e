//! The annotations of a move: text, clock, arrows and squares, read from PGN comments and written into them.

use std::time::Duration;

use record::pgn::{Command, Comment};

use super::message::Remark;

/// Longer comments are rejected.
const LONGEST: usize = 4000;
/// More arrows and squares than this would be illegible.
const MOST_SHAPES: usize = 64;

/// The annotations in a node's comments.
pub(super) fn read(comments: &[String]) -> Remark {
    let mut remark = Remark::default();
    for text in comments {
        let comment = Comment::parse(text);
        if !comment.text.is_empty() {
            remark.comment = [remark.comment.as_str(), &comment.text].join(" ").trim().to_owned();
        }
        for command in comment.commands {
            match command {
                Command::Clock(time) => remark.clock = Some(time.as_secs_f64()),
                Command::Arrows(_) | Command::Squares(_) => remark.shapes.extend(shapes(&command)),
                _ => {}
            }
        }
    }
    remark
}

/// The items of `[%cal Ge2e4,Rd1d8]`.
fn shapes(command: &Command) -> Vec<String> {
    let text = command.to_string();
    let list = text.trim_start_matches("[%").trim_end_matches(']').split_once(' ').map_or("", |(_, list)| list);
    list.split(',').map(str::to_owned).collect()
}

/// Replaces the text; commands stay.
pub(super) fn set_words(comments: &mut Vec<String>, words: &str) -> Result<(), String> {
    if words.len() > LONGEST {
        return Err(format!("a comment can have no more than {LONGEST} letters"));
    }
    // Text that looks like a command would become one.
    let text = words.replace("[%", "[ %").split_whitespace().collect::<Vec<_>>().join(" ");
    put(comments, commands(comments), text);
    Ok(())
}

/// Replaces the arrows and squares.
pub(super) fn set_shapes(comments: &mut Vec<String>, shapes: &[String]) -> Result<(), String> {
    if shapes.len() > MOST_SHAPES {
        return Err(format!("a position can have no more than {MOST_SHAPES} arrows and squares"));
    }
    let mut drawn = Vec::new();
    for (name, length) in [("csl", 3), ("cal", 5)] {
        let list: Vec<&str> = shapes.iter().map(String::as_str).filter(|shape| shape.len() == length).collect();
        if !list.is_empty() {
            drawn.extend(Comment::parse(&format!("[%{name} {}]", list.join(","))).commands);
        }
    }
    let understood: usize = drawn
        .iter()
        .map(|command| match command {
            Command::Arrows(list) => list.len(),
            Command::Squares(list) => list.len(),
            _ => 0,
        })
        .sum();
    if understood != shapes.len() {
        return Err("arrows are written as Ge2e4, squares as Rd5, in G, R, Y or B".into());
    }
    let is_drawn = |command: &Command| matches!(command, Command::Arrows(_) | Command::Squares(_));
    edit(comments, |command| !is_drawn(command), drawn);
    Ok(())
}

/// Records the mover's clock.
pub(super) fn set_clock(comments: &mut Vec<String>, left: Duration) {
    // Other programs' files use whole seconds.
    let whole = Duration::from_secs(left.as_secs());
    edit(comments, |command| !matches!(command, Command::Clock(_)), vec![Command::Clock(whole)]);
}

fn commands(comments: &[String]) -> Vec<Command> {
    comments.iter().flat_map(|text| Comment::parse(text).commands).collect()
}

fn edit(comments: &mut Vec<String>, keep: impl Fn(&Command) -> bool, added: Vec<Command>) {
    let words: Vec<String> = comments.iter().map(|text| Comment::parse(text).text).collect();
    let mut commands = commands(comments);
    commands.retain(keep);
    commands.extend(added);
    put(comments, commands, words.join(" ").trim().to_owned());
}

/// Replaces all comments by one.
fn put(comments: &mut Vec<String>, commands: Vec<Command>, text: String) {
    let comment = Comment { commands, text };
    comments.clear();
    if comment != Comment::default() {
        comments.push(comment.to_string());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_taken_apart_and_put_together() {
        let mut comments =
            vec!["[%clk 0:01:05] fine".to_owned(), "[%cal Ge2e4,Rd1d8] [%csl Yd5] [%foo bar]".to_owned()];
        let remark = read(&comments);
        assert_eq!((remark.comment.as_str(), remark.clock), ("fine", Some(65.0)));
        assert_eq!(remark.shapes, ["Ge2e4", "Rd1d8", "Yd5"]);
        set_words(&mut comments, " better {so} [%x ").expect("short");
        assert_eq!(read(&comments).comment, "better {so} [ %x");
        assert_eq!(read(&comments).shapes.len(), 3);
        set_shapes(&mut comments, &["Ra1a8".to_owned()]).expect("an arrow");
        set_clock(&mut comments, Duration::from_millis(9999));
        assert_eq!(comments, ["[%foo bar] [%cal Ra1a8] [%clk 0:00:09] better {so} [ %x"]);
        set_shapes(&mut comments, &[]).expect("none");
        set_words(&mut comments, "").expect("none");
        assert_eq!(comments, ["[%foo bar] [%clk 0:00:09]"]);
        for bad in ["Xe2e4", "Ge2e9", "e4", "Gd5]x", ""] {
            assert!(set_shapes(&mut comments, &[bad.to_owned()]).is_err(), "{bad}");
        }
        assert!(set_words(&mut comments, &"x".repeat(5000)).is_err());
    }
}
