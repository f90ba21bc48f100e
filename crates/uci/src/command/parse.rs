//! Parses the commands of a user interface.

use std::str::FromStr;

use super::{Command, Go, Parsed, Registration, SetOption, SetPosition, StartPosition};
use crate::words::{Words, number};
use crate::{ParseError, UciMove};

/// Strict: a line with an unusable part is an error.
impl FromStr for Command {
    type Err = ParseError;

    fn from_str(line: &str) -> Result<Command, ParseError> {
        let Parsed { command, problems } = command(line)?;
        problems.into_iter().next().map_or(Ok(command), Err)
    }
}

type Problems = Vec<ParseError>;

pub(super) fn command(line: &str) -> Result<Parsed, ParseError> {
    let mut words = Words::new(line);
    if words.is_empty() {
        return Err(ParseError::Empty);
    }
    let mut problems = Problems::new();
    let mut rest = words.clone();
    // The extra commands are checked on the first word only: prose may well contain a "d" or a "help".
    if let Some(word) = rest.next()
        && let Some(command) = extra(word, &mut rest)?
    {
        return Ok(Parsed { command, problems });
    }
    while let Some(word) = words.next() {
        if let Some(command) = standard(word, &mut words, &mut problems)? {
            return Ok(Parsed { command, problems });
        }
    }
    Err(ParseError::Unknown(line.trim().into()))
}

fn standard(word: &str, words: &mut Words<'_>, problems: &mut Problems) -> Result<Option<Command>, ParseError> {
    Ok(Some(match word {
        "uci" => Command::Uci,
        "debug" => Command::Debug(switch(words)?),
        "isready" => Command::IsReady,
        "setoption" => Command::SetOption(set_option(words)?),
        "register" => Command::Register(registration(words)),
        "ucinewgame" => Command::NewGame,
        "position" => Command::Position(set_position(words)?),
        "go" => Command::Go(go(words, problems)),
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit,
        "quit" => Command::Quit,
        _ => return Ok(None),
    }))
}

fn extra(word: &str, words: &mut Words<'_>) -> Result<Option<Command>, ParseError> {
    let path = |after| match words.rest() {
        "" => Err(ParseError::Missing { after, what: "the path of a file" }),
        path => Ok(path.to_owned()),
    };
    Ok(Some(match word {
        "d" => Command::Display,
        "eval" => Command::Eval,
        "bench" => Command::Bench(words.map(str::to_owned).collect()),
        "genfens" => Command::GenFens(words.map(str::to_owned).collect()),
        "perft" => Command::Perft(depth(words)?),
        "flip" => Command::Flip,
        "help" | "--help" | "?" => Command::Help,
        "compiler" => Command::Compiler,
        "savehash" => Command::SaveHash(path("savehash")?),
        "loadhash" => Command::LoadHash(path("loadhash")?),
        "export_net" => Command::ExportNet(path("export_net")?),
        _ => return Ok(None),
    }))
}

fn switch(words: &mut Words<'_>) -> Result<bool, ParseError> {
    words
        .find_map(|word| match word.to_ascii_lowercase().as_str() {
            "on" => Some(true),
            "off" => Some(false),
            _ => None,
        })
        .ok_or(ParseError::Missing { after: "debug", what: "on or off" })
}

fn depth(words: &mut Words<'_>) -> Result<u32, ParseError> {
    let after = "perft";
    let word = words.next().ok_or(ParseError::Missing { after, what: "a depth" })?;
    word.parse().map_err(|_| ParseError::Number { after, found: word.into() })
}

/// The word `name` may be missing, and the value is everything after the first `value`.
fn set_option(words: &mut Words<'_>) -> Result<SetOption, ParseError> {
    if words.peek() == Some("name") {
        words.next();
    }
    let (name, has_value) = words.join_until(|word| word == "value");
    if name.is_empty() {
        return Err(ParseError::Missing { after: "setoption", what: "the name of an option" });
    }
    Ok(SetOption { name, value: has_value.then(|| words.rest().to_owned()) })
}

fn registration(words: &mut Words<'_>) -> Registration {
    let (mut name, mut code) = (None, None);
    while let Some(word) = words.next() {
        let (field, other) = match word {
            "name" => (&mut name, "code"),
            "code" => (&mut code, "name"),
            _ => continue,
        };
        let mut text = String::new();
        while let Some(part) = words.peek().filter(|&part| part != other) {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(part);
            words.next();
        }
        *field = Some(text).filter(|text| !text.is_empty());
    }
    if name.is_none() && code.is_none() { Registration::Later } else { Registration::With { name, code } }
}

/// Strict: a game with a missing word would be another game.
fn set_position(words: &mut Words<'_>) -> Result<SetPosition, ParseError> {
    let missing = ParseError::Missing { after: "position", what: "startpos or fen" };
    let start = match words.next().ok_or(missing)? {
        "startpos" => match words.next() {
            None | Some("moves") => StartPosition::Standard,
            Some(word) => return Err(ParseError::Word { within: "position", found: word.into() }),
        },
        "fen" => StartPosition::Fen(words.join_until(|word| word == "moves").0),
        // People leave out the word "fen".
        board if board.contains('/') => {
            let (rest, _) = words.join_until(|word| word == "moves");
            StartPosition::Fen(format!("{board} {rest}").trim_end().to_owned())
        }
        word => return Err(ParseError::Word { within: "position", found: word.into() }),
    };
    if start == StartPosition::Fen(String::new()) {
        return Err(ParseError::Missing { after: "position fen", what: "a FEN" });
    }
    Ok(SetPosition { start, moves: words.map(str::parse).collect::<Result<_, _>>()? })
}

/// Words may come in any order and some may be wrong. The search must start anyway, since the interface waits for an
/// answer.
fn go(words: &mut Words<'_>, problems: &mut Problems) -> Go {
    let mut go = Go::default();
    while let Some(word) = words.next() {
        match word {
            "ponder" => go.ponder = true,
            "infinite" => go.infinite = true,
            "searchmoves" => search_moves(words, &mut go.searchmoves, problems),
            _ => match go.number_mut(word) {
                Some((name, field)) => {
                    if let Some(number) = number_after(name, words, problems) {
                        *field = Some(number);
                    }
                }
                None => problems.push(ParseError::Word { within: "go", found: word.into() }),
            },
        }
    }
    go
}

fn is_go_word(word: &str) -> bool {
    matches!(word, "ponder" | "infinite" | "searchmoves") || Go::default().number_mut(word).is_some()
}

/// The number that follows, if there is one. If another word of `go` follows, it is not consumed.
fn number_after(after: &'static str, words: &mut Words<'_>, problems: &mut Problems) -> Option<i64> {
    let Some(word) = words.peek().filter(|word| !is_go_word(word)) else {
        problems.push(ParseError::Missing { after, what: "a number" });
        return None;
    };
    words.next();
    let number = number(word);
    if number.is_none() {
        problems.push(ParseError::Number { after, found: word.into() });
    }
    number
}

fn search_moves(words: &mut Words<'_>, moves: &mut Vec<UciMove>, problems: &mut Problems) {
    while let Some(word) = words.peek().filter(|word| !is_go_word(word)) {
        words.next();
        match word.parse() {
            Ok(mv) => moves.push(mv),
            // Some harmless clients send it for "no move at all".
            Err(_) if word == "0000" => {}
            Err(error) => problems.push(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Command {
        Command::read(line).expect(line).command
    }

    fn problem(line: &str) -> String {
        line.parse::<Command>().expect_err(line).to_string()
    }

    #[test]
    fn unknown_words_and_odd_space_are_skipped() {
        assert_eq!(read("joho debug on"), Command::Debug(true));
        assert_eq!(read("\t  debug \t  \t\toff\t  \r"), Command::Debug(false));
        assert_eq!(read("\u{feff}uci"), Command::Uci);
        assert_eq!(read("please go infinite").to_string(), "go infinite");
        assert_eq!(Command::read(" \t\r\n"), Err(ParseError::Empty));
        assert_eq!(problem("show me d or help"), "unknown command \"show me d or help\"");
    }

    #[test]
    fn go_in_any_order() {
        for (line, same) in [
            ("go", "go"),
            ("go infinite searchmoves e2e4 d2d4", "go searchmoves e2e4 d2d4 infinite"),
            ("go searchmoves e2e4 d2d4 depth 3 ponder", "go searchmoves e2e4 d2d4 ponder depth 3"),
            ("go binc 3 btime 2 winc 1 wtime -5", "go wtime -5 btime 2 winc 1 binc 3"),
            ("go nodes 99999999999999999999", "go nodes 9223372036854775807"),
            ("go searchmoves 0000 depth 1", "go depth 1"),
            ("go searchmoves depth 1 searchmoves a2a3", "go searchmoves a2a3 depth 1"),
            ("go perft 5", "go perft 5"),
        ] {
            assert_eq!(line.parse::<Command>().map(|go| go.to_string()).as_deref(), Ok(same), "{line}");
        }
    }

    #[test]
    fn a_bad_part_does_not_spoil_the_rest() {
        for (line, rest, reason) in [
            ("go wtime btime 100", "go btime 100", "wtime needs a number"),
            ("go depth 3.5 nodes 7", "go nodes 7", "depth needs a number, not \"3.5\""),
            ("go searchmoves e2e4 e2x4", "go searchmoves e2e4", "\"e2x4\" does not look like a move"),
            ("go quickly depth 2", "go depth 2", "go does not know the word \"quickly\""),
            ("go movetime", "go", "movetime needs a number"),
        ] {
            let Parsed { command, problems } = Command::read(line).expect(line);
            assert_eq!(command.to_string(), rest);
            assert_eq!(problems.iter().map(ToString::to_string).collect::<Vec<_>>(), [reason]);
        }
    }

    #[test]
    fn positions() {
        for (line, same) in [
            ("position startpos moves", "position startpos"),
            ("position   startpos  moves  e2e4\te7e5 ", "position startpos moves e2e4 e7e5"),
            ("position fen 4k3/8/8/8/8/8/8/4K3  w -  - moves", "position fen 4k3/8/8/8/8/8/8/4K3 w - -"),
            ("position 4k3/8/8/8/8/8/8/4K3 w - - 0 1", "position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        ] {
            assert_eq!(read(line).to_string(), same);
        }
        assert_eq!(problem("position"), "position needs startpos or fen");
        assert_eq!(problem("position fen moves e2e4"), "position fen needs a FEN");
        assert_eq!(problem("position start"), "position does not know the word \"start\"");
        assert_eq!(problem("position startpos e2e4"), "position does not know the word \"e2e4\"");
        assert_eq!(problem("position startpos moves e2e4 castle"), "\"castle\" does not look like a move");
    }

    #[test]
    fn options() {
        let option = |name: &str, value: Option<&str>| {
            Command::SetOption(SetOption { name: name.into(), value: value.map(str::to_owned) })
        };
        assert_eq!(read("setoption name Clear   Hash"), option("Clear Hash", None));
        assert_eq!(read("setoption name Path value  /a  b/c "), option("Path", Some("/a  b/c")));
        assert_eq!(read("setoption Hash value 3"), option("Hash", Some("3")));
        assert_eq!(read("setoption name Path value"), option("Path", Some("")));
        assert_eq!(problem("setoption name value 3"), "setoption needs the name of an option");
    }

    #[test]
    fn registration_in_all_forms() {
        let with = |name: Option<&str>, code: Option<&str>| {
            Command::Register(Registration::With { name: name.map(Into::into), code: code.map(Into::into) })
        };
        assert_eq!(read("register later"), Command::Register(Registration::Later));
        assert_eq!(read("register"), Command::Register(Registration::Later));
        assert_eq!(read("register name Stefan MK code 435"), with(Some("Stefan MK"), Some("435")));
        assert_eq!(read("register code 1 2"), with(None, Some("1 2")));
    }

    #[test]
    fn extras() {
        assert_eq!(read("bench 8 16 1").to_string(), "bench 8 16 1");
        assert_eq!(read("genfens 5 seed 3 book None").to_string(), "genfens 5 seed 3 book None");
        assert_eq!(read("savehash /tmp/my  table"), Command::SaveHash("/tmp/my  table".into()));
        assert_eq!(problem("loadhash"), "loadhash needs the path of a file");
        assert_eq!(read("export_net my net.nnue"), Command::ExportNet("my net.nnue".into()));
        assert_eq!(problem("export_net"), "export_net needs the path of a file");
        assert_eq!(problem("perft -1"), "perft needs a number, not \"-1\"");
        assert_eq!(problem("perft"), "perft needs a depth");
    }

    #[test]
    fn a_long_line_is_quoted_in_part() {
        let message = problem(&"☃\u{7}".repeat(40_000));
        assert!(message.chars().count() < 120 && !message.contains('\u{7}'), "{message}");
    }
}
