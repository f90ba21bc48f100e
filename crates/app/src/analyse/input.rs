//! Reads positions from the command line, from EPD files and from games. Broken entries are reported with their place
//! and skipped.

use std::path::Path;
use std::sync::Arc;

use chess::{Board, Move, Position};
use record::epd::{self, Epd};
use toolkit::files::read_text;

use crate::people;

/// Something to analyse.
pub(super) struct Entry {
    /// Its origin: `FILE:LINE`, or empty for the command line.
    pub(super) place: String,
    /// Its name there, if it has one.
    pub(super) id: String,
    /// The start of the game. The entries of one game share its moves, since a position with its history takes much
    /// memory.
    start: Board,
    moves: Arc<[Move]>,
    /// How many of the moves lead to this position.
    plies: usize,
}

impl Entry {
    /// The position with its history.
    pub(super) fn position(&self) -> Position {
        Position::new(self.start).along(self.moves.get(..self.plies).unwrap_or_default())
    }

    /// The position as FEN.
    pub(super) fn fen(&self) -> String {
        self.position().to_string()
    }

    fn of(place: String, id: String, board: Board) -> Entry {
        Entry { place, id, start: board, moves: Arc::new([]), plies: 0 }
    }
}

/// The contents of a file: the usable entries, and the problems of the others.
#[derive(Default)]
pub(super) struct Listed {
    pub(super) entries: Vec<Entry>,
    pub(super) problems: Vec<String>,
}

/// The position of a FEN from the command line.
pub(super) fn fen(text: &str) -> anyhow::Result<Entry> {
    Ok(Entry::of(String::new(), String::new(), people::read_fen(text)?))
}

/// Every line of a file of EPDs or plain FENs. Empty lines and those that begin with `#` are skipped.
pub(super) fn epd(path: &Path) -> anyhow::Result<Listed> {
    let text = read_text(path)?;
    let mut listed = Listed::default();
    for (number, line) in epd::lines(&text) {
        let place = format!("{}:{number}", path.display());
        match Epd::parse(line) {
            Ok(epd) => listed.entries.push(Entry::of(place, epd.operand("id").unwrap_or_default().into(), epd.board)),
            // It may be a FEN that only needs repair.
            Err(reason) => match chess::fen::repair(line) {
                Ok((board, repairs)) => {
                    repairs.iter().for_each(|repair| eprintln!("stillwater: {place}: {repair}"));
                    listed.entries.push(Entry::of(place, String::new(), board));
                }
                Err(_) => listed.problems.push(format!("{place}: {reason}")),
            },
        }
    }
    Ok(listed)
}

/// Every position of the main lines of the games in a file. A game with an illegal move is skipped entirely.
pub(super) fn pgn(path: &Path) -> anyhow::Result<Listed> {
    let name = path.display();
    let text = read_text(path)?;
    let mut listed = Listed::default();
    for game in record::pgn::games(&text) {
        let replayed = game.and_then(|game| game.replay(usize::MAX).map(|played| (game, played)));
        let (game, (start, moves)) = match replayed {
            Ok(played) => played,
            Err(problem) => {
                let place = format!("{name}:{}", problem.line);
                listed.problems.push(format!("{place}: game {}: {}", problem.game, problem.reason));
                continue;
            }
        };
        let moves: Arc<[Move]> = moves.into();
        for plies in 0..=moves.len() {
            let line = plies.checked_sub(1).and_then(|ply| game.main.moves.get(ply)).map_or(game.line, |mv| mv.line);
            listed.entries.push(Entry {
                place: format!("{name}:{line}"),
                id: format!("game {}, after {plies} plies", game.number),
                start,
                moves: Arc::clone(&moves),
                plies,
            });
        }
    }
    Ok(listed)
}
