//! The commands that a user interface sends to an engine.

mod parse;
mod print;

use crate::{ParseError, UciMove};

/// A line from a user interface to an engine. The last group is not in the protocol but is common among engines.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Command {
    /// `uci`: identify yourself and list your options.
    Uci,
    /// `debug on` or `debug off`.
    Debug(bool),
    /// `isready`: answer when everything before is done, or at once during a search.
    IsReady,
    /// `setoption name … value …`.
    SetOption(SetOption),
    /// `register …`.
    Register(Registration),
    /// `ucinewgame`: the next position belongs to another game.
    NewGame,
    /// `position …`.
    Position(SetPosition),
    /// `go …`: search.
    Go(Go),
    /// `stop`: end the search and answer.
    Stop,
    /// `ponderhit`: the expected move was played.
    PonderHit,
    /// `quit`: end the program.
    Quit,
    /// `d`: show the board.
    Display,
    /// `eval`: explain the evaluation of the board.
    Eval,
    /// `bench …`: search fixed positions; the words after it are kept as they are.
    Bench(Vec<String>),
    /// `genfens …`: openings for self-play, as OpenBench requests them; the words after it are kept as they are.
    GenFens(Vec<String>),
    /// `perft N`: the same as `go perft N`.
    Perft(u32),
    /// `flip`: look at the board from the other side.
    Flip,
    /// `help`.
    Help,
    /// `compiler`: report the build.
    Compiler,
    /// `savehash PATH`: write the hash table to a file.
    SaveHash(String),
    /// `loadhash PATH`: read it back.
    LoadHash(String),
    /// `export_net PATH`: write the network to a file.
    ExportNet(String),
}

/// A command, and the parts of its line that could not be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parsed {
    /// The command.
    pub command: Command,
    /// The parts that could not be parsed.
    pub problems: Vec<ParseError>,
}

impl Command {
    /// Parses a line as an engine should: it keeps what it understands and reports the rest. A line is an error only if
    /// nothing can be done with it, or if doing half of it would be wrong, as with a gap in a move list.
    pub fn read(line: &str) -> Result<Parsed, ParseError> {
        parse::command(line)
    }
}

/// `setoption name NAME value VALUE`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SetOption {
    /// The name, its words separated by single spaces. Case does not matter.
    pub name: String,
    /// The value as it was written; none for a button.
    pub value: Option<String>,
}

/// `register later` or `register name … code …`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Registration {
    /// Not now.
    Later,
    /// With a name and a code, either of which may be missing.
    With {
        /// The name of the user.
        name: Option<String>,
        /// The code.
        code: Option<String>,
    },
}

/// `position … moves …`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SetPosition {
    /// Where the game begins.
    pub start: StartPosition,
    /// The moves played since.
    pub moves: Vec<UciMove>,
}

/// Where a game begins.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum StartPosition {
    /// The standard start position.
    #[default]
    Standard,
    /// A FEN, its fields separated by single spaces. It is not checked here.
    Fen(String),
}

/// `go …`: the limits of a search. Times are in milliseconds and may be negative: some interfaces send the remaining
/// time of a clock that ran out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[expect(missing_docs, reason = "the names are those of the protocol")]
pub struct Go {
    /// Search only these moves; if empty, all.
    pub searchmoves: Vec<UciMove>,
    pub ponder: bool,
    pub wtime: Option<i64>,
    pub btime: Option<i64>,
    pub winc: Option<i64>,
    pub binc: Option<i64>,
    pub movestogo: Option<i64>,
    pub depth: Option<i64>,
    pub nodes: Option<i64>,
    pub mate: Option<i64>,
    pub movetime: Option<i64>,
    pub infinite: bool,
    /// Count moves instead of searching.
    pub perft: Option<i64>,
}

impl Go {
    /// The numeric fields with the words that introduce them, in the order of the protocol.
    pub(crate) fn numbers_mut(&mut self) -> [(&'static str, &mut Option<i64>); 10] {
        [
            ("wtime", &mut self.wtime),
            ("btime", &mut self.btime),
            ("winc", &mut self.winc),
            ("binc", &mut self.binc),
            ("movestogo", &mut self.movestogo),
            ("depth", &mut self.depth),
            ("nodes", &mut self.nodes),
            ("mate", &mut self.mate),
            ("movetime", &mut self.movetime),
            ("perft", &mut self.perft),
        ]
    }

    /// The word as the protocol spells it, and the field it fills.
    pub(crate) fn number_mut(&mut self, word: &str) -> Option<(&'static str, &mut Option<i64>)> {
        self.numbers_mut().into_iter().find(|(name, _)| *name == word)
    }
}
