//! The PGN file a match writes its games to and can be resumed from. No other state is kept.

use std::collections::HashSet;
use std::path::Path;
use std::time::SystemTime;

use anyhow::{Context, Result, anyhow};
use toolkit::ResumeFile;

use crate::game::Game;
use crate::pgn::{self, Header};
use crate::report::Standings;
use crate::runner::Plan;
use crate::schedule::Pairing;
use crate::summary::Summary;

/// The games file. Each game is appended in a single write.
pub struct GamesFile {
    file: ResumeFile,
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
        self.file.add(&pgn::write_game(game, &header))
    }
}

/// Opens the games file. To resume, it counts the games already there and cuts off an incomplete game at the end.
/// Returns the numbers of the finished games.
pub fn open(
    path: &Path,
    resume: bool,
    event: &str,
    plan: &Plan,
    standings: &mut Standings,
) -> Result<(GamesFile, HashSet<usize>)> {
    let mut file = ResumeFile::open(path, resume)?;
    let (done, end) = read_games(&mut file, plan, standings)?;
    file.keep(end)?;
    if end > 0 {
        file.add("\n\n")?;
    }
    Ok((GamesFile { file, event: event.to_owned() }, done))
}

/// Counts the games of an earlier run; returns their numbers and the offset where the last of them ends.
fn read_games(file: &mut ResumeFile, plan: &Plan, standings: &mut Standings) -> Result<(HashSet<usize>, u64)> {
    // The runner writes plain UTF-8. A kill can cut it anywhere, even inside a character; the rest is not a whole game.
    let bytes = file.read()?;
    let text = bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    let path = file.path();
    let mut done = HashSet::new();
    let mut end = 0;
    for game in record::pgn::whole_games(text) {
        let number = game.tag("Round").and_then(|round| round.parse::<usize>().ok());
        let pairing = number.and_then(|number| plan.schedule.game(number.checked_sub(1)?));
        let pairing = pairing.ok_or_else(|| anyhow!("{}: it has a game that is not of this match", path.display()))?;
        let opening = plan.openings.of_round(pairing.round)?;
        let summary = Summary::of_pgn(pairing, plan.names(&pairing)?, &opening.start, &game)
            .with_context(|| format!("{}: game {} is not of this match", path.display(), pairing.number + 1))?;
        if summary.is_void || done.insert(pairing.number) {
            standings.add(&summary);
        }
        end = game.end as u64;
    }
    Ok((done, end))
}
