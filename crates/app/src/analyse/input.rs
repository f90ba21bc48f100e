//! Positions from the command line, from EPD files and from games. What is broken is reported with its place and left out.

use std::path::Path;
use std::sync::Arc;

use chess::{Board, Move, Position};
use record::epd::{self, Epd};
use toolkit::files::read_text;

use crate::people;

/// Something to analyse.
pub(super) struct Entry {
    /// Where it comes from: `FILE:LINE`, or nothing if from the command line.
    pub(super) place: String,
    /// What it is called there, if anything.
    pub(super) id: String,
    /// Where the game begins; many entries of one game share its moves, for positions with their past take much memory.
    start: Board,
    moves: Arc<[Move]>,
    /// How many of the moves are played.
    plies: usize,
}

impl Entry {
    /// The position with its past.
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

/// What a file holds: what can be used, and what is wrong with the rest.
#[derive(Default)]
pub(super) struct Listed {
    pub(super) entries: Vec<Entry>,
    pub(super) problems: Vec<String>,
}

/// The position of a FEN on the command line.
pub(super) fn fen(text: &str) -> anyhow::Result<Entry> {
    Ok(Entry::of(String::new(), String::new(), people::read_fen(text)?))
}

/// Every line of an EPD file, or one of plain FENs. Empty lines and those that begin with `#` are passed over.
pub(super) fn epd(path: &Path) -> anyhow::Result<Listed> {
    let text = read_text(path)?;
    let mut listed = Listed::default();
    for (number, line) in epd::lines(&text) {
        let place = format!("{}:{number}", path.display());
        match Epd::parse(line) {
            Ok(epd) => listed.entries.push(Entry::of(place, epd.operand("id").unwrap_or_default().into(), epd.board)),
            // Perhaps it is a FEN that only needs a repair.
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

/// Every position of the main lines of the games in a file. A game with a move that is not legal is left out whole.
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
