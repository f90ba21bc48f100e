//! Comments and the commands in them: `[%eval 0.25,18]`, `[%clk 0:05:00]`, `[%cal Ge2e4]`, `[%csl Rd5]`. A comment
//! consists of its commands and the remaining text; anything that cannot be parsed is kept as it is.

use std::fmt;
use std::time::Duration;

use chess::{Color, Square};

/// The value of a position from White's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Eval {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// This side mates in this many moves; 0 if it has mated.
    Mate(Color, u32),
}

/// A colour of arrows and squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names say it all")]
pub enum Paint {
    Green,
    Red,
    Yellow,
    Blue,
}

/// A command in a comment, for programs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// `%eval`: the value of the position after the move, and the search depth if given.
    Eval(Eval, Option<u32>),
    /// `%clk`: the time the mover has left.
    Clock(Duration),
    /// `%cal`: arrows from square to square.
    Arrows(Vec<(Paint, Square, Square)>),
    /// `%csl`: painted squares.
    Squares(Vec<(Paint, Square)>),
    /// Any other command, with everything between the brackets.
    Other(String),
}

/// A comment, split into commands and text.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Comment {
    /// The commands, in order.
    pub commands: Vec<Command>,
    /// The text for people, with white space collapsed.
    pub text: String,
}

impl Comment {
    /// Parses a comment.
    #[must_use]
    pub fn parse(comment: &str) -> Comment {
        let (mut commands, mut words) = (Vec::new(), Vec::new());
        let mut rest = comment;
        while let Some((before, inside, after)) = next_command(rest) {
            words.extend(before.split_whitespace());
            commands.push(Command::parse(inside));
            rest = after;
        }
        words.extend(rest.split_whitespace());
        Comment { commands, text: words.join(" ") }
    }

    /// The first evaluation among the commands.
    #[must_use]
    pub fn eval(&self) -> Option<Eval> {
        self.commands.iter().find_map(|command| match command {
            Command::Eval(eval, _) => Some(*eval),
            _ => None,
        })
    }
}

/// Splits a text at its first command: before it, between its brackets, and after it.
fn next_command(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once("[%")?;
    let (inside, after) = rest.split_once(']')?;
    Some((before, inside, after))
}

/// The commands first, then the text.
impl fmt::Display for Comment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, command) in self.commands.iter().enumerate() {
            write!(f, "{}{command}", if index > 0 { " " } else { "" })?;
        }
        let gap = if self.commands.is_empty() || self.text.is_empty() { "" } else { " " };
        write!(f, "{gap}{}", self.text)
    }
}

impl Command {
    /// Parses what is between `[%` and `]`.
    fn parse(inside: &str) -> Command {
        let words = || inside.split_whitespace();
        let understood = || {
            let (name, operand) = inside.trim().split_once(char::is_whitespace)?;
            match name {
                "eval" => parse_eval(operand.trim()),
                "clk" => parse_clock(operand.trim()).map(Command::Clock),
                "cal" => list(operand, arrow).map(Command::Arrows),
                "csl" => list(operand, painted).map(Command::Squares),
                _ => None,
            }
        };
        understood().unwrap_or_else(|| Command::Other(words().collect::<Vec<_>>().join(" ")))
    }
}

/// A comma-separated list, all of whose items must parse.
fn list<T>(text: &str, item: impl Fn(&str) -> Option<T>) -> Option<Vec<T>> {
    text.split(',').map(|text| item(text.trim())).collect()
}

fn parse_eval(text: &str) -> Option<Command> {
    let (value, depth) = match text.split_once(',') {
        Some((value, depth)) => (value.trim(), Some(depth.trim().parse().ok()?)),
        None => (text, None),
    };
    if let Some(moves) = value.strip_prefix('#') {
        let winner = if moves.starts_with('-') { Color::Black } else { Color::White };
        let moves = moves.strip_prefix(['-', '+']).unwrap_or(moves);
        let is_number = moves.bytes().all(|byte| byte.is_ascii_digit());
        let moves = is_number.then(|| moves.parse().ok()).flatten()?;
        return Some(Command::Eval(Eval::Mate(winner, moves), depth));
    }
    let pawns: f64 = value.parse().ok().filter(|pawns: &f64| pawns.is_finite())?;
    // Beyond a thousand pawns it only means "won".
    let centipawns = (pawns.clamp(-1000.0, 1000.0) * 100.0).round() as i32;
    Some(Command::Eval(Eval::Centipawns(centipawns), depth))
}

/// `1:02:03`, optionally with a fraction of a second.
fn parse_clock(text: &str) -> Option<Duration> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let numbers: Vec<u64> = whole.split(':').map(|word| word.parse().ok()).collect::<Option<_>>()?;
    let &[hours, minutes, seconds] = numbers.as_slice() else { return None };
    let is_fraction = (1..=3).contains(&fraction.len()) && fraction.bytes().all(|byte| byte.is_ascii_digit());
    let millis: u64 = format!("{fraction:0<3}").parse().ok().filter(|_| is_fraction)?;
    let sane = hours < 10_000 && minutes < 60 && seconds < 60;
    sane.then(|| Duration::from_millis(((hours * 60 + minutes) * 60 + seconds) * 1000 + millis))
}

fn paint(text: &str) -> Option<(Paint, &str)> {
    let mut letters = text.chars();
    let paint = match letters.next()? {
        'G' => Paint::Green,
        'R' => Paint::Red,
        'Y' => Paint::Yellow,
        'B' => Paint::Blue,
        _ => return None,
    };
    Some((paint, letters.as_str()))
}

fn arrow(text: &str) -> Option<(Paint, Square, Square)> {
    let (paint, squares) = paint(text)?;
    let (from, to) = squares.split_at_checked(2)?;
    Some((paint, from.parse().ok()?, to.parse().ok()?))
}

fn painted(text: &str) -> Option<(Paint, Square)> {
    let (paint, square) = paint(text)?;
    Some((paint, square.parse().ok()?))
}

/// The form used after `%eval`.
impl fmt::Display for Eval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Eval::Centipawns(value) => write!(f, "{:.2}", f64::from(*value) / 100.0),
            Eval::Mate(Color::White, moves) => write!(f, "#{moves}"),
            Eval::Mate(Color::Black, moves) => write!(f, "#-{moves}"),
        }
    }
}

impl fmt::Display for Paint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Paint::Green => "G",
            Paint::Red => "R",
            Paint::Yellow => "Y",
            Paint::Blue => "B",
        })
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Eval(eval, None) => write!(f, "[%eval {eval}]"),
            Command::Eval(eval, Some(depth)) => write!(f, "[%eval {eval},{depth}]"),
            Command::Clock(time) => {
                let (seconds, millis) = (time.as_secs(), time.subsec_millis());
                let [hours, minutes, seconds] = [seconds / 3600, seconds / 60 % 60, seconds % 60];
                let fraction = if millis > 0 { format!(".{millis:03}") } else { String::new() };
                write!(f, "[%clk {hours}:{minutes:02}:{seconds:02}{}]", fraction.trim_end_matches('0'))
            }
            Command::Arrows(arrows) => {
                let arrows: Vec<_> = arrows.iter().map(|(paint, from, to)| format!("{paint}{from}{to}")).collect();
                write!(f, "[%cal {}]", arrows.join(","))
            }
            Command::Squares(squares) => {
                let squares: Vec<_> = squares.iter().map(|(paint, square)| format!("{paint}{square}")).collect();
                write!(f, "[%csl {}]", squares.join(","))
            }
            Command::Other(inside) => write!(f, "[%{inside}]"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_there_and_back() {
        let mate = |winner, moves| Command::Eval(Eval::Mate(winner, moves), None);
        for (text, command) in [
            ("[%eval 0.17]", Command::Eval(Eval::Centipawns(17), None)),
            ("[%eval -1.05,18]", Command::Eval(Eval::Centipawns(-105), Some(18))),
            ("[%eval #3]", mate(Color::White, 3)),
            ("[%eval #-12]", mate(Color::Black, 12)),
            ("[%clk 0:05:00]", Command::Clock(Duration::from_secs(300))),
            ("[%clk 1:02:03.4]", Command::Clock(Duration::from_millis(3_723_400))),
            (
                "[%cal Ge2e4,Rd1d8]",
                Command::Arrows(vec![(Paint::Green, Square::E2, Square::E4), (Paint::Red, Square::D1, Square::D8)]),
            ),
            ("[%csl Yd4,Ba1]", Command::Squares(vec![(Paint::Yellow, Square::D4), (Paint::Blue, Square::A1)])),
            ("[%emt 0:00:03]", Command::Other("emt 0:00:03".into())),
        ] {
            assert_eq!(Comment::parse(text).commands.as_slice(), std::slice::from_ref(&command), "{text}");
            assert_eq!(command.to_string(), text);
        }
    }

    #[test]
    fn what_is_not_understood_stays() {
        for text in [
            "[%eval x]",
            "[%eval nan]",
            "[%eval #]",
            "[%eval #--3]",
            "[%eval 1,x]",
            "[%clk 5:00]",
            "[%clk 0:61:00]",
            "[%clk 0:00:01.]",
            "[%cal Xe2e4]",
            "[%cal Ge2]",
            "[%cal Ge2é]",
            "[%csl Gz9]",
            "[%csl]",
            "[%]",
            "[%eval]",
        ] {
            let comment = Comment::parse(text);
            assert!(matches!(comment.commands.as_slice(), [Command::Other(_)]), "{text}: {comment:?}");
            assert_eq!(comment.to_string(), text);
            assert_eq!(comment.eval(), None);
        }
        assert_eq!(Comment::parse("a [%eval 0.2 never closed").to_string(), "a [%eval 0.2 never closed");
    }

    #[test]
    fn words_and_commands_part() {
        let comment = Comment::parse("a good  [%eval 0.3,9] move [%clk 0:01:00]");
        assert_eq!((comment.text.as_str(), comment.eval()), ("a good move", Some(Eval::Centipawns(30))));
        assert_eq!(comment.to_string(), "[%eval 0.30,9] [%clk 0:01:00] a good move");
        assert_eq!(Comment::parse(""), Comment::default());
        assert_eq!(Comment::parse("[%eval 99999]").eval(), Some(Eval::Centipawns(100_000)));
    }
}
