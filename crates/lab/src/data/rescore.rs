//! New scores for old games: the engine as it is now searches every position again. Moves and results stay.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Error, Result, anyhow, bail};
use chess::{Color, Position};
use engine::{Control, Engine, Limits, Silent};

use super::game::Game;
use super::judge_by::JudgeBy;
use super::reader::Reader;
use super::selfplay::in_file;
use super::writer::Writer;

/// What every position gets.
#[derive(Clone, Debug)]
pub struct Effort {
    /// No iteration begins after so many nodes.
    pub soft_nodes: u64,
    /// No search visits more nodes.
    pub hard_nodes: u64,
    /// The size of the hash table in megabytes.
    pub hash: usize,
    /// What evaluates.
    pub judge_by: JudgeBy,
}

/// Games in work for each thread, at most: what a kill can lose besides those that run.
const WINDOW: usize = 2;
const TICK: Duration = Duration::from_millis(500);
/// The search is recursive, and deep.
const STACK: usize = 16 << 20;

/// Searches all positions of a game again.
fn rescore(engine: &mut Engine, effort: &Effort, game: &mut Game) {
    let limits = Limits { soft_nodes: Some(effort.soft_nodes), nodes: Some(effort.hard_nodes), ..Limits::default() };
    let control = Control::new(false);
    engine.new_game();
    let mut position = Position::new(game.start);
    for (mv, score) in &mut game.moves {
        let found = engine.search(&position, &limits, &control, &mut Silent).score;
        *score = in_file(if position.side_to_move() == Color::White { found } else { -found });
        position.make(*mv, &mut ());
    }
}

/// How many games of the file are those of the input, in order; an error if one is not.
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

/// Games on their way to the threads, in order, and never too many at a time.
struct Feed<'a> {
    queue: Mutex<Queue>,
    room: Condvar,
    most: u64,
    called_off: &'a AtomicBool,
}

struct Queue {
    games: Reader,
    /// The number of the next game.
    next: u64,
    /// How many games are written.
    written: u64,
    failed: Option<Error>,
}

impl Feed<'_> {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_over(&self) -> bool {
        self.called_off.load(Ordering::Relaxed)
    }

    /// The next game with its number; waits until there is room for it.
    fn take(&self) -> Option<(u64, Game)> {
        let mut queue = self.lock();
        while queue.next >= queue.written + self.most && !self.is_over() {
            queue = self.room.wait_timeout(queue, TICK).unwrap_or_else(PoisonError::into_inner).0;
        }
        if self.is_over() || queue.failed.is_some() {
            return None;
        }
        match queue.games.next()? {
            Ok(game) => {
                queue.next += 1;
                Some((queue.next - 1, game))
            }
            Err(error) => {
                queue.failed = Some(error);
                None
            }
        }
    }

    fn wrote(&self, written: u64) {
        self.lock().written = written;
        self.room.notify_all();
    }
}

/// Rescores the games of a file after the first `done` and adds them to another, in their order. `tick` is told every game, and called now
/// and then without one.
pub fn run(
    input: &Path,
    (writer, done): (&mut Writer, u64),
    effort: &Effort,
    threads: usize,
    called_off: &AtomicBool,
    tick: impl FnMut(Option<&Game>),
) -> Result<()> {
    let mut games = Reader::open(input)?;
    for _ in 0..done {
        games.next().transpose()?;
    }
    let threads = threads.max(1);
    let queue = Mutex::new(Queue { games, next: done, written: done, failed: None });
    let feed = Feed { queue, room: Condvar::new(), most: (threads * WINDOW) as u64, called_off };
    let (sender, finished) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..threads {
            let mut engine = effort.judge_by.engine();
            engine.set_hash(effort.hash).map_err(|error| anyhow!("{error}"))?;
            let (sender, feed) = (sender.clone(), &feed);
            thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || {
                while let Some((index, mut game)) = feed.take() {
                    rescore(&mut engine, effort, &mut game);
                    if sender.send((index, game)).is_err() {
                        return;
                    }
                }
            })?;
        }
        drop(sender);
        let outcome = write_in_order(writer, done, &finished, &feed, tick);
        if outcome.is_err() {
            called_off.store(true, Ordering::Relaxed);
        }
        outcome
    })?;
    let failed = feed.queue.into_inner().unwrap_or_else(PoisonError::into_inner).failed;
    failed.map_or(Ok(()), Err).context("the games from here on were left out")
}

fn write_in_order(
    writer: &mut Writer,
    mut next: u64,
    finished: &Receiver<(u64, Game)>,
    feed: &Feed<'_>,
    mut tick: impl FnMut(Option<&Game>),
) -> Result<()> {
    let mut waiting = BTreeMap::new();
    loop {
        match finished.recv_timeout(TICK) {
            Ok((index, game)) => drop(waiting.insert(index, game)),
            Err(RecvTimeoutError::Timeout) => tick(None),
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
        while let Some(game) = waiting.remove(&next) {
            writer.add(&game)?;
            next += 1;
            tick(Some(&game));
        }
        feed.wrote(next);
    }
}
