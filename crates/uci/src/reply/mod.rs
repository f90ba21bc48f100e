//! The replies that an engine sends to a user interface.

mod parse;
mod print;

use crate::{OptionInfo, UciMove};

/// A line from an engine to a user interface.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Reply {
    /// `id name …`.
    IdName(String),
    /// `id author …`.
    IdAuthor(String),
    /// `option name … type …`.
    Option(OptionInfo),
    /// `uciok`.
    UciOk,
    /// `readyok`.
    ReadyOk,
    /// `copyprotection …`.
    CopyProtection(Status),
    /// `registration …`.
    Registration(Status),
    /// `info …`.
    Info(Info),
    /// `bestmove … ponder …`.
    BestMove {
        /// The move to play; none, written `(none)`, if the game is over.
        best: Option<UciMove>,
        /// The reply to ponder on.
        ponder: Option<UciMove>,
    },
}

/// How a check of copy protection or registration went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names are those of the protocol")]
pub enum Status {
    Checking,
    Ok,
    Error,
}

/// A score for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Mate in this many moves; negative if the side to move is mated, 0 if it is mated already.
    Mate(i32),
}

/// How exact a score is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Bound {
    /// The score is exact.
    #[default]
    Exact,
    /// A lower bound: `lowerbound`.
    Lower,
    /// An upper bound: `upperbound`.
    Upper,
}

/// `info …`: all fields are optional.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Info {
    /// Plies searched.
    pub depth: Option<u32>,
    /// The longest line searched, in plies.
    pub seldepth: Option<u32>,
    /// Which of several lines this is, from 1.
    pub multipv: Option<u32>,
    /// The score, and how exact it is.
    pub score: Option<(Score, Bound)>,
    /// Chances of win, draw and loss per mille.
    pub wdl: Option<[u16; 3]>,
    /// Nodes visited.
    pub nodes: Option<u64>,
    /// Nodes visited per second.
    pub nps: Option<u64>,
    /// How full the hash table is, per mille.
    pub hashfull: Option<u32>,
    /// Tablebase hits.
    pub tbhits: Option<u64>,
    /// Hits in Shredder's endgame databases.
    pub sbhits: Option<u64>,
    /// Processor load, per mille.
    pub cpuload: Option<u32>,
    /// Milliseconds since the search began.
    pub time: Option<u64>,
    /// The move being searched.
    pub currmove: Option<UciMove>,
    /// Its number, from 1.
    pub currmovenumber: Option<u32>,
    /// A move and the line that refutes it.
    pub refutation: Vec<UciMove>,
    /// The number of the processor, if there are several, and the line it is searching.
    pub currline: Option<(Option<u32>, Vec<UciMove>)>,
    /// The best line.
    pub pv: Vec<UciMove>,
    /// A text for people.
    pub string: Option<String>,
}

impl Info {
    /// A text for people.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Info {
        Info { string: Some(text.into()), ..Info::default() }
    }
}
