//! Parses the replies of an engine. Engines vary and many are careless: fields that cannot be parsed are left out, and
//! lines that are not replies are errors for the caller to ignore.

use std::str::FromStr;

use super::{Bound, Info, Reply, Score, Status};
use crate::option::declared_text;
use crate::words::{Words, number};
use crate::{OptionInfo, OptionKind, ParseError, UciMove};

impl FromStr for Reply {
    type Err = ParseError;

    fn from_str(line: &str) -> Result<Reply, ParseError> {
        let mut words = Words::new(line);
        Ok(match words.next().ok_or(ParseError::Empty)? {
            "id" => match words.next() {
                Some("name") => Reply::IdName(words.rest().into()),
                Some("author") => Reply::IdAuthor(words.rest().into()),
                _ => return Err(ParseError::Missing { after: "id", what: "name or author" }),
            },
            "uciok" => Reply::UciOk,
            "readyok" => Reply::ReadyOk,
            "copyprotection" => Reply::CopyProtection(status("copyprotection", &mut words)?),
            "registration" => Reply::Registration(status("registration", &mut words)?),
            "option" => Reply::Option(option(&mut words)?),
            "info" => Reply::Info(info(&mut words)),
            "bestmove" => best_move(&mut words)?,
            _ => return Err(ParseError::Unknown(line.trim().into())),
        })
    }
}

fn status(after: &'static str, words: &mut Words<'_>) -> Result<Status, ParseError> {
    match words.next() {
        Some("checking") => Ok(Status::Checking),
        Some("ok") => Ok(Status::Ok),
        Some("error") => Ok(Status::Error),
        _ => Err(ParseError::Missing { after, what: "checking, ok or error" }),
    }
}

/// Nothing after `bestmove` means that there is no move. Anything that does not look like a move is an error that keeps
/// the text, so that a match runner can report it.
fn best_move(words: &mut Words<'_>) -> Result<Reply, ParseError> {
    let best = match words.next() {
        None | Some("(none)" | "none" | "0000" | "NULL") => None,
        Some(word) => Some(word.parse()?),
    };
    let ponder = match (words.next(), words.next()) {
        (Some("ponder"), Some(word)) => word.parse().ok(),
        _ => None,
    };
    Ok(Reply::BestMove { best, ponder })
}

/// Only the name is required. The type may be wrong or missing: the option exists all the same, and the user who sets
/// it knows its values. An unknown type counts as a string, which takes any text.
fn option(words: &mut Words<'_>) -> Result<OptionInfo, ParseError> {
    let has_name = words.any(|word| word == "name");
    let (name, _) = words.join_until(|word| word == "type");
    if !has_name || name.is_empty() {
        return Err(ParseError::Missing { after: "option", what: "a name" });
    }
    let kind = match words.next() {
        Some("check") => OptionKind::Check { default: words.any(|word| word == "true") },
        Some("spin") => spin(words),
        Some("combo") => combo(words),
        Some("button") => OptionKind::Button,
        _ => {
            if words.peek() == Some("default") {
                words.next();
            }
            OptionKind::String { default: declared_text(words.rest()) }
        }
    };
    Ok(OptionInfo { name, kind })
}

/// A missing range becomes the widest possible, a missing default the number in it nearest to zero.
fn spin(words: &mut Words<'_>) -> OptionKind {
    let (mut default, mut min, mut max) = (None, None, None);
    while let Some(word) = words.next() {
        let field = match word {
            "default" => &mut default,
            "min" => &mut min,
            "max" => &mut max,
            _ => continue,
        };
        if let Some(number) = words.peek().and_then(number) {
            words.next();
            *field = Some(number);
        }
    }
    let (min, max) = (min.unwrap_or(i64::MIN), max.unwrap_or(i64::MAX));
    OptionKind::Spin { default: default.unwrap_or(0.min(max).max(min)), min, max }
}

/// `default` and each `var` may have several words; a value ends where the next of these keywords begins.
fn combo(words: &mut Words<'_>) -> OptionKind {
    let (mut default, mut vars) = (String::new(), Vec::new());
    let mut next = words.next();
    while let Some(key) = next {
        let mut value = String::new();
        next = None;
        for word in words.by_ref() {
            if matches!(word, "var" | "default") {
                next = Some(word);
                break;
            }
            if !value.is_empty() {
                value.push(' ');
            }
            value.push_str(word);
        }
        match key {
            "default" => default = value,
            "var" => vars.push(value),
            _ => {}
        }
    }
    OptionKind::Combo { default, vars }
}

fn info(words: &mut Words<'_>) -> Info {
    let mut info = Info::default();
    while let Some(word) = words.next() {
        match word {
            "depth" => info.depth = value(words),
            "seldepth" => info.seldepth = value(words),
            "multipv" => info.multipv = value(words),
            "score" => info.score = score(words),
            "lowerbound" => info.score = info.score.map(|(score, _)| (score, Bound::Lower)),
            "upperbound" => info.score = info.score.map(|(score, _)| (score, Bound::Upper)),
            "wdl" => info.wdl = chances(words),
            "nodes" => info.nodes = value(words),
            "nps" => info.nps = value(words),
            "hashfull" => info.hashfull = value(words),
            "tbhits" => info.tbhits = value(words),
            "sbhits" => info.sbhits = value(words),
            "cpuload" => info.cpuload = value(words),
            "time" => info.time = value(words),
            "currmove" => info.currmove = value(words),
            "currmovenumber" => info.currmovenumber = value(words),
            "refutation" => info.refutation = moves(words),
            "currline" => {
                let processor = value(words);
                info.currline = Some((processor, moves(words)));
            }
            "pv" => info.pv = moves(words),
            "string" => {
                info.string = Some(words.rest().into());
                return info;
            }
            _ => {}
        }
    }
    info
}

/// The next word, if it parses as this type; otherwise it is not consumed.
fn value<T: FromStr>(words: &mut Words<'_>) -> Option<T> {
    let value = words.peek()?.parse().ok();
    if value.is_some() {
        words.next();
    }
    value
}

fn score(words: &mut Words<'_>) -> Option<(Score, Bound)> {
    let kind = words.next()?;
    let number = value(words)?;
    match kind {
        "cp" => Some((Score::Centipawns(number), Bound::Exact)),
        "mate" => Some((Score::Mate(number), Bound::Exact)),
        _ => None,
    }
}

fn chances(words: &mut Words<'_>) -> Option<[u16; 3]> {
    Some([value(words)?, value(words)?, value(words)?])
}

/// The moves that follow, up to the first word that is not a move.
fn moves(words: &mut Words<'_>) -> Vec<UciMove> {
    std::iter::from_fn(|| value(words)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Reply {
        line.parse().expect(line)
    }

    #[test]
    fn lines_of_real_engines() {
        for line in [
            "id name Stockfish 15.1",
            "id author the Stockfish developers (see AUTHORS file)",
            "option name Debug Log File type string default <empty>",
            "option name Threads type spin default 1 min 1 max 1024",
            "option name Clear Hash type button",
            "option name UCI_Chess960 type check default false",
            "option name Use tablebases type combo default Only root var Never var Only root",
            "option name UCI_EngineAbout type string default Shredder by Stefan Meyer-Kahlen, see www.shredderchess.com",
            "uciok",
            "readyok",
            "registration error",
            "copyprotection ok",
            "info depth 24 seldepth 31 multipv 1 score cp 28 wdl 72 917 11 nodes 2212344 nps 1020343 hashfull 733 tbhits 0 time 2168 pv e2e4 e7e5",
            "info depth 9 score mate -3 upperbound nodes 7",
            "info depth 12 currmove e2e4 currmovenumber 1",
            "info refutation d1h5 g6h5",
            "info currline 2 d1h5 g6h5",
            "info string NNUE evaluation using nn-ad9b42354671.nnue enabled",
            "bestmove e2e4 ponder e7e5",
            "bestmove (none)",
        ] {
            assert_eq!(read(line).to_string(), line);
        }
    }

    #[test]
    fn carelessness_is_survived() {
        let Reply::Info(info) =
            read("info  depth 3.5 score cp 12  time 1.2 nodes 77 foo bar string  two  words score cp 9")
        else {
            panic!("an info line")
        };
        assert_eq!((info.depth, info.time, info.nodes), (None, None, Some(77)));
        assert_eq!(info.score, Some((Score::Centipawns(12), Bound::Exact)));
        assert_eq!(info.string.as_deref(), Some("two  words score cp 9"));
        assert_eq!(read("info score cp 5 pv e2e4 lowerbound").to_string(), "info score cp 5 lowerbound pv e2e4");
        for line in ["bestmove 0000", "bestmove (none)", "bestmove", "bestmove NULL ponder e7e5"] {
            assert!(matches!(read(line), Reply::BestMove { best: None, .. }), "{line}");
        }
        for (line, same) in [
            ("bestmove e7e8Q ponder (none)", "bestmove e7e8q"),
            ("bestmove e2e4 and so on", "bestmove e2e4"),
            ("bestmove e2e4 ponder", "bestmove e2e4"),
            ("info score cp 5 upperbound nodes -7 nps 1e6 pv", "info score cp 5 upperbound"),
            ("info score mate pv e2e4 O-O", "info pv e2e4"),
            ("info depth score cp 5", "info score cp 5"),
            ("option  name  Clear  Hash  type  button  ", "option name Clear Hash type button"),
            (
                "option please name Hash type spin default 16 min",
                "option name Hash type spin default 16 min -9223372036854775808 max 9223372036854775807",
            ),
            ("option name Hash type spin default many min 1 max 9", "option name Hash type spin default 1 min 1 max 9"),
            ("option name Hash type slider default 3", "option name Hash type string default 3"),
            ("option name Path type string", "option name Path type string default <empty>"),
            ("option name Hash", "option name Hash type string default <empty>"),
        ] {
            assert_eq!(read(line).to_string(), same, "{line}");
        }
        for (line, reason) in [
            ("", "the line is empty"),
            ("Stockfish 15.1 by the Stockfish developers", "unknown command"),
            ("bestmove e2", "\"e2\" does not look like a move"),
            ("bestmove O-O-O ponder e7e5", "\"O-O-O\" does not look like a move"),
            ("option type check default true", "option needs a name"),
            ("option name type button", "option needs a name"),
            ("id", "id needs name or author"),
        ] {
            let error = line.parse::<Reply>().expect_err(line).to_string();
            assert!(error.starts_with(reason), "{line}: {error}");
        }
    }
}
