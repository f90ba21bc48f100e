//! The file a match writes its games to, and from which it can be resumed. There is no other state.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result, anyhow, bail};

use crate::game::Game;
use crate::pgn::{self, Header};
use crate::report::Standings;
use crate::runner::Plan;
use crate::schedule::Pairing;
use crate::summary::Summary;

/// The file of games, to which every game is added as one piece.
pub struct GamesFile {
    file: File,
    path: PathBuf,
    event: String,
}

impl GamesFile {
    /// Adds a game.
    pub fn write(&mut self, plan: &Plan, pairing: &Pairing, game: &Game) -> Result<()> {
        let limits =
            |player: usize| plan.engines.get(player).map(|engine| engine.limits.to_string()).unwrap_or_default();
        let header = Header {
            event: &self.event,
            number: pairing.number + 1,
            names: plan.names(pairing)?,
            limits: pairing.players.map(limits),
            chess960: plan.chess960,
            ended: SystemTime::now(),
        };
        let text = pgn::write_game(game, &header);
        // One write and a flush: a kill leaves whole games behind, save at worst the last.
        self.file
            .write_all(text.as_bytes())
            .and_then(|()| self.file.flush())
            .with_context(|| format!("cannot write {}", self.path.display()))
    }
}

/// Opens the file of games. To resume, the games in it are counted, and half a game at its end is cut off. Returns the
/// numbers of the games that are done.
pub fn open(
    path: &Path,
    resume: bool,
    event: &str,
    plan: &Plan,
    standings: &mut Standings,
) -> Result<(GamesFile, HashSet<usize>)> {
    let exists = fs::metadata(path).is_ok_and(|data| data.len() > 0);
    if exists && !resume {
        bail!("{} exists: use --resume to go on with its match, or another file", path.display());
    }
    let cannot = || format!("cannot open {}", path.display());
    let (done, end) = if exists { read_games(path, plan, standings)? } else { (HashSet::new(), 0) };
    let mut file = OpenOptions::new().create(true).write(true).truncate(false).open(path).with_context(cannot)?;
    file.set_len(end).and_then(|()| file.seek(SeekFrom::End(0))).with_context(cannot)?;
    if end > 0 {
        file.write_all(b"\n\n").with_context(cannot)?;
    }
    Ok((GamesFile { file, path: path.to_owned(), event: event.to_owned() }, done))
}

/// Counts the games of an earlier run; returns their numbers and where the last of them ends.
fn read_games(path: &Path, plan: &Plan, standings: &mut Standings) -> Result<(HashSet<usize>, u64)> {
    // The runner writes plain UTF-8; a kill can cut it anywhere, and what is cut is not a whole game.
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let text = match std::str::from_utf8(&bytes) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(bytes.get(..error.valid_up_to()).unwrap_or_default()).unwrap_or_default(),
    };
    let mut done = HashSet::new();
    let mut end = 0;
    for game in record::pgn::whole_games(text) {
        let number = game.tag("Round").and_then(|round| round.parse::<usize>().ok());
        let pairing = number.and_then(|number| plan.schedule.game(number.checked_sub(1)?));
        let pairing = pairing.ok_or_else(|| anyhow!("{}: it has a game that is not of this match", path.display()))?;
        let opening = plan.openings.of_round(pairing.round)?;
        let summary = Summary::of_pgn(pairing, plan.names(&pairing)?, &opening.start, &game)
            .with_context(|| format!("{}: game {} is not of this match", path.display(), pairing.number + 1))?;
        if done.insert(pairing.number) {
            standings.add(&summary);
        }
        end = game.end as u64;
    }
    Ok((done, end))
}
