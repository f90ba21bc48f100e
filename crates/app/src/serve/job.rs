//! What the engine does for a session: one thing at a time, each a task of its own that ends when it is dropped.

use std::sync::Arc;
use std::time::{Duration, Instant};

use chess::{Board, Move, Position};
use engine::{Limits, Reporter, Silent};
use tokio::sync::Semaphore;
use tokio::sync::mpsc::UnboundedSender;
use tokio::task::{self, JoinHandle};

use super::game::{Step, Walk};
use super::lines::{Evaluation, Findings};
use super::pool::{Ended, Pool, Setup};
use super::tree::Id;

/// What a task tells its session.
pub(super) enum Event {
    /// All engines are taken.
    Waiting,
    Running,
    /// The move to play.
    Reply(Option<Move>),
    Evaluated {
        node: Id,
        evaluation: Evaluation,
        done: usize,
        all: usize,
    },
    Done,
    Problem(String),
}

/// What a session's tasks need.
#[derive(Clone)]
pub(super) struct Desk {
    pool: Arc<Pool>,
    /// One search at a time: the next one begins when the one before has given its engine back, and so finds the same engine.
    turn: Arc<Semaphore>,
    events: UnboundedSender<(u64, Event)>,
}

/// What a task is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    /// Find the engine's move after this node.
    Reply(Id),
    Analyse(Id),
    /// Judge all positions of the main line.
    Evaluate,
}

/// A running task.
pub(super) struct Job {
    pub(super) number: u64,
    pub(super) purpose: Purpose,
    pub(super) board: Board,
    pub(super) findings: Findings,
    task: JoinHandle<()>,
}

impl Drop for Job {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Enough to see what is going on, little enough to judge a long game within a minute.
const NODES_TO_EVALUATE: u64 = 120_000;
const TIME_TO_EVALUATE: Duration = Duration::from_secs(2);

impl Desk {
    pub(super) fn new(pool: Arc<Pool>, events: UnboundedSender<(u64, Event)>) -> Desk {
        Desk { pool, turn: Arc::new(Semaphore::new(1)), events }
    }

    pub(super) fn reply(&self, number: u64, node: Id, position: Position, setup: Setup, time: Duration) -> Job {
        let (desk, board) = (self.clone(), *position.board());
        let limits = Limits { move_time: Some(time), ..Limits::default() };
        let task = task::spawn(async move {
            let ended = desk.search(number, position, setup, limits, None).await;
            desk.tell(number, Event::Reply(ended.and_then(|ended| ended.found.best_move())));
        });
        Job { number, purpose: Purpose::Reply(node), board, findings: Findings::default(), task }
    }

    pub(super) fn analyse(&self, number: u64, node: Id, position: Position, setup: Setup, time: Duration) -> Job {
        let (desk, board, findings) = (self.clone(), *position.board(), Findings::default());
        let kept = findings.clone();
        let task = task::spawn(async move {
            let mut left = time;
            loop {
                let limits = Limits { move_time: Some(left), ..Limits::default() };
                let begun = Instant::now();
                let ended = desk.search(number, position.clone(), setup.clone(), limits, Some(kept.clone())).await;
                let Some(Ended { gave_way, found, .. }) = ended else { break };
                kept.clone().progress(&found);
                if !gave_way {
                    break;
                }
                // It has been waiting, too, so this is more than it had; but nobody analyses for ever.
                left = left.saturating_sub(begun.elapsed());
                kept.pause(begun.elapsed(), found.nodes);
                if left.is_zero() {
                    break;
                }
            }
            desk.tell(number, Event::Done);
        });
        Job { number, purpose: Purpose::Analyse(node), board, findings, task }
    }

    /// Judges positions one after the other. Only the one that is searched is in memory with its past.
    pub(super) fn evaluate(&self, number: u64, walk: Walk, setup: Setup) -> Job {
        let desk = self.clone();
        let task = task::spawn(async move {
            let all = walk.steps.iter().filter(|step| step.wanted).count();
            let (mut position, mut done) = (Position::new(walk.start), 0);
            for Step { node, mv, wanted } in walk.steps {
                if let Some(mv) = mv {
                    position.play(mv);
                }
                if !wanted {
                    continue;
                }
                let side = position.side_to_move();
                let limits =
                    Limits { nodes: Some(NODES_TO_EVALUATE), move_time: Some(TIME_TO_EVALUATE), ..Limits::default() };
                let ended = desk.search(number, position.clone(), setup.clone(), limits, None).await;
                done += 1;
                if let Some(evaluation) = ended.map(|ended| Evaluation::of(&ended.found.best, side)) {
                    desk.tell(number, Event::Evaluated { node, evaluation, done, all });
                }
            }
            desk.tell(number, Event::Done);
        });
        Job { number, purpose: Purpose::Evaluate, board: Board::start(), findings: Findings::default(), task }
    }

    async fn search(
        &self,
        number: u64,
        position: Position,
        setup: Setup,
        limits: Limits,
        findings: Option<Findings>,
    ) -> Option<Ended> {
        let turn = Arc::clone(&self.turn).acquire_owned().await.ok()?;
        if self.pool.is_busy() {
            self.tell(number, Event::Waiting);
        }
        let seat = self.pool.take(setup).await;
        self.tell(number, Event::Running);
        let mut ended = match findings {
            Some(findings) => seat.search(position, limits, findings, turn).await,
            None => seat.search(position, limits, Silent, turn).await,
        };
        if let Some(problem) = ended.as_mut().and_then(|ended| ended.problem.take()) {
            self.tell(number, Event::Problem(problem));
        }
        ended
    }

    fn tell(&self, number: u64, event: Event) {
        // If nobody listens any more, the session has ended and this task is about to.
        let _ = self.events.send((number, event));
    }
}
