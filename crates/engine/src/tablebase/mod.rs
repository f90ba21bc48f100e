//! Tablebases: the value of every ending with few pieces, so that nothing has to be searched. They are Syzygy tables,
//! read from files, and one that is computed when needed: king, bishop and knight against king (`kbnk`).
//!
//! There are two kinds of Syzygy table. WDL tables (`.rtbw`) say who wins and serve the search; DTZ tables (`.rtbz`)
//! give the number of plies to the next capture, pawn move or mate and serve the root, where progress must be made. The
//! crate `shakmaty-syzygy` reads the files; this module converts boards, ranks root moves, and makes sure that a
//! missing or damaged file never costs the game: a probe that fails is `None`, and [`Tablebases::take_problem`] says
//! why.

mod files;
mod kbnk;
mod root;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use chess::{Board, PieceKind};
use shakmaty::{ByColor, ByRole, CastlingMode, Chess, FromSetup};
use shakmaty_syzygy::{Dtz, MaybeRounded, Metric, ProbeError, SyzygyError, Tablebase};

pub(crate) use kbnk::Kbnk;
pub use root::RootRank;

/// What a position is worth with best play, for the side to move. Greater is better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Wdl {
    /// Lost.
    Loss,
    /// Lost, but drawn if the fifty-move rule counts.
    BlessedLoss,
    /// Drawn.
    Draw,
    /// Won, but drawn if the fifty-move rule counts.
    CursedWin,
    /// Won.
    Win,
}

impl Wdl {
    /// The same position from the other side.
    #[must_use]
    pub fn reversed(self) -> Wdl {
        match self {
            Wdl::Loss => Wdl::Win,
            Wdl::BlessedLoss => Wdl::CursedWin,
            Wdl::Draw => Wdl::Draw,
            Wdl::CursedWin => Wdl::BlessedLoss,
            Wdl::Win => Wdl::Loss,
        }
    }

    /// The value without the fifty-move rule: cursed wins are wins.
    #[must_use]
    pub fn without_50_move_rule(self) -> Wdl {
        match self {
            Wdl::BlessedLoss => Wdl::Loss,
            Wdl::CursedWin => Wdl::Win,
            other => other,
        }
    }
}

/// The open tables, shared by all threads; the default has none.
pub struct Tablebases {
    tables: Tablebase<Chess>,
    /// Positions with more pieces are not probed. Starts with the largest table and drops below a damaged one.
    limit: AtomicUsize,
    /// Where each table is, by its file name.
    paths: HashMap<String, PathBuf>,
    missing_told: AtomicBool,
    problems: Mutex<Problems>,
}

/// What went wrong while probing, each problem once.
#[derive(Default)]
struct Problems {
    found: Vec<String>,
    taken: usize,
}

impl Default for Tablebases {
    fn default() -> Tablebases {
        Tablebases {
            tables: Tablebase::with_filesystem(Arc::new(files::Files)),
            limit: AtomicUsize::new(0),
            paths: HashMap::new(),
            missing_told: AtomicBool::new(false),
            problems: Mutex::default(),
        }
    }
}

impl fmt::Debug for Tablebases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tablebases(up to {} pieces)", self.max_pieces())
    }
}

impl Tablebases {
    /// The tables in the directories of `path`, which are separated by `;` or, except on Windows, `:`. An empty path
    /// and `<empty>` mean none. Also returns messages for the user: what was found and what was not.
    #[must_use]
    pub fn open(path: &str) -> (Tablebases, Vec<String>) {
        let mut tablebases = Tablebases::default();
        let directories = files::directories(path);
        if directories.is_empty() {
            return (tablebases, Vec::new());
        }
        let mut messages = Vec::new();
        let found = files::add_all(&mut tablebases.tables, &directories, &mut messages);
        messages.push(found.to_string());
        tablebases.limit = AtomicUsize::new(found.max_pieces);
        tablebases.paths = found.paths;
        (tablebases, messages)
    }

    /// The largest number of pieces, kings included, that can be probed; 0 if there are no tables.
    #[inline]
    #[must_use]
    pub fn max_pieces(&self) -> usize {
        self.limit.load(Ordering::Relaxed)
    }

    /// Whether a probe can succeed: few enough pieces and no castling rights, which the tables do not cover.
    #[inline]
    #[must_use]
    pub fn covers(&self, board: &Board) -> bool {
        board.occupied().len() <= self.max_pieces() && board.castling().rooks().is_empty()
    }

    /// Who wins, if a table has the answer. It assumes a half-move clock of zero; the caller checks that.
    #[must_use]
    pub fn probe_wdl(&self, board: &Board) -> Option<Wdl> {
        if !self.covers(board) {
            return None;
        }
        let position = convert(board)?;
        match self.tables.probe_wdl_after_zeroing(&position) {
            Ok(wdl) => Some(wdl.into()),
            Err(error) => self.note(&error),
        }
    }

    /// The plies to the next capture, pawn move or mate; negative for the losing side.
    fn probe_dtz(&self, board: &Board) -> Option<MaybeRounded<Dtz>> {
        let position = convert(board)?;
        self.tables.probe_dtz(&position).map_or_else(|error| self.note(&error), Some)
    }

    /// A problem found while probing that the user should know. Each is reported once.
    #[must_use]
    pub fn take_problem(&self) -> Option<String> {
        let mut problems = self.problems.lock().unwrap_or_else(PoisonError::into_inner);
        let problem = problems.found.get(problems.taken).cloned();
        problems.taken += usize::from(problem.is_some());
        problem
    }

    #[cold]
    fn note<T>(&self, error: &SyzygyError) -> Option<T> {
        match error {
            // Sets are often incomplete, and a search probes millions of times: one example has to do.
            SyzygyError::MissingTable { metric, material } => {
                if !self.missing_told.swap(true, Ordering::Relaxed) {
                    let name = files::file_name(material, *metric);
                    self.tell(format!("tablebase {name} not found: endings that need it are searched"));
                }
            }
            SyzygyError::ProbeFailed { metric, material, error } => {
                let name = files::file_name(material, *metric);
                let name = self.paths.get(&name).map_or(name, |path| path.display().to_string());
                let reason = match &**error {
                    ProbeError::Read { error } => format!("cannot be read ({error})"),
                    ProbeError::Magic { .. } => "is no Syzygy table".to_owned(),
                    ProbeError::CorruptedTable { .. } => "is damaged".to_owned(),
                };
                // The reader would open the file again at every probe, which is too slow for search; and since larger
                // endings lead into smaller ones, most probes above would fail too.
                if *metric == Metric::Wdl {
                    let pieces = files::pieces(material);
                    self.limit.fetch_min(pieces - 1, Ordering::Relaxed);
                    self.tell(format!("tablebase {name} {reason}: endings of {pieces} pieces and more are searched"));
                } else {
                    self.tell(format!("tablebase {name} {reason}: its endings are ranked without it"));
                }
            }
            SyzygyError::Castling | SyzygyError::TooManyPieces => {}
        }
        None
    }

    fn tell(&self, problem: String) {
        let mut problems = self.problems.lock().unwrap_or_else(PoisonError::into_inner);
        if !problems.found.contains(&problem) {
            problems.found.push(problem);
        }
    }
}

impl From<shakmaty_syzygy::Wdl> for Wdl {
    fn from(wdl: shakmaty_syzygy::Wdl) -> Wdl {
        match wdl {
            shakmaty_syzygy::Wdl::Loss => Wdl::Loss,
            shakmaty_syzygy::Wdl::BlessedLoss => Wdl::BlessedLoss,
            shakmaty_syzygy::Wdl::Draw => Wdl::Draw,
            shakmaty_syzygy::Wdl::CursedWin => Wdl::CursedWin,
            shakmaty_syzygy::Wdl::Win => Wdl::Win,
        }
    }
}

/// The board in the form of the table reader. Move counters do not matter to it.
fn convert(board: &Board) -> Option<Chess> {
    let kind = |kind: PieceKind| shakmaty::Bitboard(board.kind(kind).0);
    let color = |color: chess::Color| shakmaty::Bitboard(board.color(color).0);
    let roles = ByRole {
        pawn: kind(PieceKind::Pawn),
        knight: kind(PieceKind::Knight),
        bishop: kind(PieceKind::Bishop),
        rook: kind(PieceKind::Rook),
        queen: kind(PieceKind::Queen),
        king: kind(PieceKind::King),
    };
    let colors = ByColor { white: color(chess::Color::White), black: color(chess::Color::Black) };
    let setup = shakmaty::Setup {
        board: shakmaty::Board::try_from_bitboards(roles, colors).ok()?,
        turn: shakmaty::Color::from_white(board.side_to_move() == chess::Color::White),
        ep_square: board.en_passant().map(|square| shakmaty::Square::new(square.index() as u32)),
        ..shakmaty::Setup::empty()
    };
    // Positions that no game can reach, such as checks by two knights, may still be set up, and tables cover them.
    match Chess::from_setup(setup, CastlingMode::Standard) {
        Ok(position) => Some(position),
        Err(error) => error.ignore_impossible_check().ok(),
    }
}
