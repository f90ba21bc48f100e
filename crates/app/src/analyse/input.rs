//! Positions from the command line, from EPD files and from games. What is broken is reported with its place and left out.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, ensure};
use chess::{Board, Move, Position};

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
        let mut position = Position::new(self.start);
        for &mv in self.moves.iter().take(self.plies) {
            position.play(mv);
        }
        position
    }

    /// The position as FEN.
    pub(super) fn fen(&self) -> String {
        let mut board = self.start;
        for &mv in self.moves.iter().take(self.plies) {
            board = board.after(mv);
        }
        board.to_string()
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
    let board: Board = text.parse().with_context(|| format!("cannot use the position \"{text}\""))?;
    Ok(Entry::of(String::new(), String::new(), board))
}

/// Every line of an EPD file, or one of plain FENs. Empty lines and those that begin with `#` are passed over.
pub(super) fn epd(path: &Path) -> anyhow::Result<Listed> {
    let bytes = read(path)?;
    let text = String::from_utf8_lossy(&bytes);
    let mut listed = Listed::default();
    for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let place = format!("{}:{}", path.display(), index + 1);
        match epd_line(line) {
            Ok((board, id)) => listed.entries.push(Entry::of(place, id, board)),
            Err(reason) => listed.problems.push(format!("{place}: {reason}")),
        }
    }
    Ok(listed)
}

/// A board and the value of the operation `id`, if there is one.
fn epd_line(line: &str) -> Result<(Board, String), chess::fen::FenError> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_number = |index: usize| words.get(index).is_some_and(|word| word.parse::<u32>().is_ok());
    // The counters of a FEN may be there or not; operations begin with a letter.
    let fields = if is_number(4) && is_number(5) { 6 } else { words.len().min(4) };
    let (fen, _) = words.split_at_checked(fields).unwrap_or((&words, &[]));
    let board = fen.join(" ").parse()?;
    let id = line.split_once(" id \"").and_then(|(_, rest)| rest.split_once('"')).map_or("", |(id, _)| id);
    Ok((board, id.to_owned()))
}

/// A file that must be text.
fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    ensure!(!bytes.contains(&0), "{}: this is not a text file", path.display());
    Ok(bytes)
}

/// Every position of the main lines of the games in a file. A game with a move that is not legal is left out whole.
pub(super) fn pgn(path: &Path) -> anyhow::Result<Listed> {
    let name = path.display();
    let bytes = fs::read(path).with_context(|| format!("cannot read {name}"))?;
    let text = record::pgn::decode(&bytes).with_context(|| name.to_string())?;
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
