//! Prints the commands of a user interface.

use std::fmt;

use super::{Command, Go, Registration, SetOption, SetPosition, StartPosition};
use crate::words::one_line;

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Uci => f.write_str("uci"),
            Self::Debug(on) => write!(f, "debug {}", if *on { "on" } else { "off" }),
            Self::IsReady => f.write_str("isready"),
            Self::SetOption(option) => option.fmt(f),
            Self::Register(registration) => registration.fmt(f),
            Self::NewGame => f.write_str("ucinewgame"),
            Self::Position(position) => position.fmt(f),
            Self::Go(go) => go.fmt(f),
            Self::Stop => f.write_str("stop"),
            Self::PonderHit => f.write_str("ponderhit"),
            Self::Quit => f.write_str("quit"),
            Self::Display => f.write_str("d"),
            Self::Eval => f.write_str("eval"),
            Self::Bench(words) => with_words(f, "bench", words),
            Self::GenFens(words) => with_words(f, "genfens", words),
            Self::Perft(depth) => write!(f, "perft {depth}"),
            Self::Flip => f.write_str("flip"),
            Self::Help => f.write_str("help"),
            Self::Compiler => f.write_str("compiler"),
            Self::SaveHash(path) => write!(f, "savehash {}", one_line(path)),
            Self::LoadHash(path) => write!(f, "loadhash {}", one_line(path)),
            Self::ExportNet(path) => write!(f, "export_net {}", one_line(path)),
        }
    }
}

fn with_words(f: &mut fmt::Formatter<'_>, command: &str, words: &[String]) -> fmt::Result {
    f.write_str(command)?;
    words.iter().try_for_each(|word| write!(f, " {}", one_line(word)))
}

impl fmt::Display for SetOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "setoption name {}", one_line(&self.name))?;
        self.value.as_ref().map_or(Ok(()), |value| write!(f, " value {}", one_line(value)))
    }
}

impl fmt::Display for Registration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("register")?;
        match self {
            Self::Later => f.write_str(" later"),
            Self::With { name, code } => {
                name.as_ref().map_or(Ok(()), |name| write!(f, " name {}", one_line(name)))?;
                code.as_ref().map_or(Ok(()), |code| write!(f, " code {}", one_line(code)))
            }
        }
    }
}

impl fmt::Display for SetPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.start {
            StartPosition::Standard => f.write_str("position startpos")?,
            StartPosition::Fen(fen) => write!(f, "position fen {}", one_line(fen))?,
        }
        if !self.moves.is_empty() {
            f.write_str(" moves")?;
        }
        self.moves.iter().try_for_each(|mv| write!(f, " {mv}"))
    }
}

impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("go")?;
        if !self.searchmoves.is_empty() {
            f.write_str(" searchmoves")?;
        }
        self.searchmoves.iter().try_for_each(|mv| write!(f, " {mv}"))?;
        if self.ponder {
            f.write_str(" ponder")?;
        }
        for (word, number) in self.clone().numbers_mut() {
            number.map_or(Ok(()), |number| write!(f, " {word} {number}"))?;
        }
        f.write_str(if self.infinite { " infinite" } else { "" })
    }
}
