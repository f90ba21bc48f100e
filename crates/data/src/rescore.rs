//! Gives old games new scores: the current engine searches every position again. Moves and results stay.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use anyhow::{Result, anyhow, bail};
use chess::Position;
use engine::{Control, Engine, Limits, SearchResult, Silent};

use super::game::Game;
use super::judge_by::JudgeBy;
use super::reader::Reader;
use super::selfplay::in_file;
use super::writer::Writer;
use toolkit::in_order;

/// How much work each position gets.
#[derive(Clone, Debug)]
pub struct Effort {
    /// Begin no iteration after this many nodes.
    pub soft_nodes: u64,
    /// The most nodes a search visits.
    pub hard_nodes: u64,
    /// The size of the hash table in megabytes.
    pub hash: usize,
    /// The evaluation.
    pub judge_by: JudgeBy,
}

impl Effort {
    /// An effort of this many nodes with the network of that name (see [`JudgeBy::named`]). The hard limit is eight
    /// times the soft one unless given.
    pub fn new(soft_nodes: u64, hard_nodes: Option<u64>, hash: usize, network: Option<&Path>) -> Result<Effort> {
        let hard_nodes = hard_nodes.unwrap_or(soft_nodes.saturating_mul(8));
        if soft_nodes == 0 || hard_nodes < soft_nodes {
            bail!("nodes must be at least 1, and hard nodes at least as many");
        }
        Ok(Effort { soft_nodes, hard_nodes, hash, judge_by: JudgeBy::named(network)? })
    }

    /// An engine set up for this effort.
    pub fn engine(&self) -> Result<Engine> {
        let mut engine = self.judge_by.engine();
        engine.set_hash(self.hash).map_err(|error| anyhow!("{error}"))?;
        Ok(engine)
    }

    /// Searches a position.
    pub fn search(&self, engine: &mut Engine, position: &Position) -> SearchResult {
        let limits = Limits { soft_nodes: Some(self.soft_nodes), nodes: Some(self.hard_nodes), ..Limits::default() };
        engine.search(position, &limits, &Control::new(), &mut Silent)
    }
}

/// Searches all positions of a game again.
fn rescore(engine: &mut Engine, effort: &Effort, game: &mut Game) {
    engine.new_game();
    let mut position = Position::new(game.start);
    for (mv, score) in &mut game.moves {
        let found = effort.search(engine, &position).best.search_score;
        *score = in_file(found.for_white(position.side_to_move()));
        position.play(*mv);
    }
}

/// How many games at the start of the input are already in the output; an error if a game there differs.
pub fn count_done(input: &Path, output: &Path) -> Result<u64> {
    let mut done = 0;
    let mut games = Reader::open(input)?;
    for game in Reader::open(output)? {
        let new = game?;
        let old = games
            .next()
            .transpose()?
            .ok_or_else(|| anyhow!("{} has more games than {}", output.display(), input.display()))?;
        let is_same = new.start == old.start && new.result == old.result && new.moves.len() == old.moves.len();
        if !is_same || new.moves.iter().zip(&old.moves).any(|(new, old)| new.0 != old.0) {
            bail!("game {} of {} is not that of {}", done + 1, output.display(), input.display());
        }
        done += 1;
    }
    Ok(done)
}

/// Rescores the games of a file after the first `done` and appends them to another, in order. `tick` is called for
/// every game, and now and then without one.
pub fn run(
    input: &Path,
    (writer, done): (&mut Writer, u64),
    effort: &Effort,
    threads: usize,
    called_off: &AtomicBool,
    mut tick: impl FnMut(Option<&Game>),
) -> Result<()> {
    let mut games = Reader::open(input)?;
    for _ in 0..done {
        games.next().transpose()?;
    }
    let worker = |_| {
        let mut engine = effort.engine()?;
        Ok(move |_: u64, mut game: Game| {
            engine::on_search_stack(|| rescore(&mut engine, effort, &mut game));
            game
        })
    };
    let workers = (0..threads.max(1)).map(worker).collect::<Result<Vec<_>>>()?;
    in_order(games, done, workers, called_off, |game| {
        game.iter().try_for_each(|game| writer.add(game))?;
        tick(game.as_ref());
        Ok(())
    })
}
