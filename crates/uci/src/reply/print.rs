//! Prints the replies of an engine.

use std::fmt;

use super::{Bound, Info, Reply, Score, Status};
use crate::UciMove;
use crate::words::one_line;

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::IdName(name) => write!(f, "id name {}", one_line(name)),
            Self::IdAuthor(author) => write!(f, "id author {}", one_line(author)),
            Self::Option(option) => option.fmt(f),
            Self::UciOk => f.write_str("uciok"),
            Self::ReadyOk => f.write_str("readyok"),
            Self::CopyProtection(status) => write!(f, "copyprotection {status}"),
            Self::Registration(status) => write!(f, "registration {status}"),
            Self::Info(info) => info.fmt(f),
            Self::BestMove { best, ponder } => {
                match best {
                    Some(best) => write!(f, "bestmove {best}")?,
                    None => f.write_str("bestmove (none)")?,
                }
                ponder.map_or(Ok(()), |ponder| write!(f, " ponder {ponder}"))
            }
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Checking => "checking",
            Self::Ok => "ok",
            Self::Error => "error",
        })
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Centipawns(score) => write!(f, "cp {score}"),
            Self::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}

/// The order is that of well-known engines. A text comes last, since it takes the rest of the line.
impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("info")?;
        field(f, "depth", self.depth)?;
        field(f, "seldepth", self.seldepth)?;
        field(f, "multipv", self.multipv)?;
        if let Some((score, bound)) = self.score {
            write!(f, " score {score}")?;
            f.write_str(match bound {
                Bound::Exact => "",
                Bound::Lower => " lowerbound",
                Bound::Upper => " upperbound",
            })?;
        }
        if let Some([win, draw, loss]) = self.wdl {
            write!(f, " wdl {win} {draw} {loss}")?;
        }
        field(f, "nodes", self.nodes)?;
        field(f, "nps", self.nps)?;
        field(f, "hashfull", self.hashfull)?;
        field(f, "tbhits", self.tbhits)?;
        field(f, "sbhits", self.sbhits)?;
        field(f, "cpuload", self.cpuload)?;
        field(f, "time", self.time)?;
        field(f, "currmove", self.currmove)?;
        field(f, "currmovenumber", self.currmovenumber)?;
        line(f, "refutation", &self.refutation)?;
        if let Some((processor, moves)) = &self.currline {
            f.write_str(" currline")?;
            processor.map_or(Ok(()), |number| write!(f, " {number}"))?;
            moves.iter().try_for_each(|mv| write!(f, " {mv}"))?;
        }
        line(f, "pv", &self.pv)?;
        field(f, "string", self.string.as_deref().map(one_line))
    }
}

fn field(f: &mut fmt::Formatter<'_>, name: &str, value: Option<impl fmt::Display>) -> fmt::Result {
    value.map_or(Ok(()), |value| write!(f, " {name} {value}"))
}

fn line(f: &mut fmt::Formatter<'_>, name: &str, moves: &[UciMove]) -> fmt::Result {
    if moves.is_empty() {
        return Ok(());
    }
    write!(f, " {name}")?;
    moves.iter().try_for_each(|mv| write!(f, " {mv}"))
}
