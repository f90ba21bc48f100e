//! The engine's jobs for a session: one at a time, each a task that ends when dropped.

use std::sync::Arc;
use std::time::{Duration, Instant};

use chess::{Board, Move, Position};
use engine::{Control, Engine, Limits, PvLine, Reporter, Score, Silent};
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::{self, JoinHandle};

use super::game::{Step, Walk};
use super::lines::{Evaluation, Findings};
use super::pool::{Ended, Pool, Seat, Setup};
use super::tree::Id;
use crate::annotate::praise::needs_second;
use crate::annotate::think::{Finding, limits_without};
use crate::explain::why::{self, Why};
use crate::explain::{Effort, Thinker};

/// What a job reports to its session.
pub(super) enum Event {
    /// All engines are in use.
    Waiting,
    Running,
    /// The move to play, and the engine's score of its position.
    Reply(Option<Move>, Option<Score>),
    Evaluated {
        node: Id,
        evaluation: Evaluation,
        found: Finding,
        done: usize,
        all: usize,
    },
    /// The result for a question; none if there was nothing to search.
    Answer(Errand, Option<PvLine>),
    /// Why a move after this node is good or bad; none if it was called off.
    Explained(Id, Option<Box<Why>>),
    Done,
    Problem(String),
}

/// What the jobs of a session share.
#[derive(Clone)]
pub(super) struct Desk {
    pool: Arc<Pool>,
    /// One search at a time: the next begins when the last has returned its engine, and so gets the same engine.
    turn: Arc<Semaphore>,
    events: UnboundedSender<(u64, Event)>,
}

/// The purpose of a job.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    /// Find the engine's move after this node.
    Reply(Id),
    Analyse(Id),
    /// Evaluate all positions of the main line.
    Evaluate,
    /// Answer the question with this number.
    Errand(u64),
}

/// A question that a short search answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Errand {
    Hint(Id),
    /// What the opponent would play after this node if it were its turn.
    Threat(Id),
    /// The value of this move there.
    Try(Id, Move),
    /// Why this move is good or bad there.
    Why(Id, Move),
}

impl Errand {
    pub(super) fn node(self) -> Id {
        match self {
            Errand::Hint(node) | Errand::Threat(node) | Errand::Try(node, _) | Errand::Why(node, _) => node,
        }
    }

    /// The position to search for the answer, if there is one.
    fn position(self, position: &Position) -> Option<Position> {
        let mut asked = match self {
            Errand::Threat(_) if position.in_check() => return None,
            // A position after a pass never occurred, so it has no history of repetitions.
            Errand::Threat(_) => {
                let mut board = *position.board();
                board.make_null();
                Position::new(board)
            }
            Errand::Hint(_) | Errand::Try(..) | Errand::Why(..) => position.clone(),
        };
        if let Errand::Try(_, mv) = self {
            asked.play(mv);
        }
        asked.has_legal_moves().then_some(asked)
    }
}

/// A running job.
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

/// Enough to see what is going on, little enough to evaluate a long game within a minute.
const NODES_TO_EVALUATE: u64 = 120_000;
const TIME_TO_EVALUATE: Duration = Duration::from_secs(2);
/// The time to answer a question: the user is waiting.
const TIME_TO_ANSWER: Duration = Duration::from_millis(700);
/// The time for ranking the moves in an explanation; a few more questions follow, each with a quarter of it.
const TIME_TO_EXPLAIN: Duration = Duration::from_millis(1200);

impl Desk {
    pub(super) fn new(pool: Arc<Pool>, events: UnboundedSender<(u64, Event)>) -> Desk {
        Desk { pool, turn: Arc::new(Semaphore::new(1)), events }
    }

    pub(super) fn reply(&self, number: u64, node: Id, position: Position, setup: Setup, limits: Limits) -> Job {
        let (desk, board) = (self.clone(), *position.board());
        let task = task::spawn(async move {
            let found = desk.search(number, position, setup, limits, None).await.map(|ended| ended.found);
            let score = found.as_ref().map(|found| found.best.score);
            desk.tell(number, Event::Reply(found.and_then(|found| found.best_move()), score));
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
                // This includes the time it waited, so it gets less search than asked for, but no analysis runs
                // forever.
                left = left.saturating_sub(begun.elapsed());
                kept.pause(&found);
                if left.is_zero() {
                    break;
                }
            }
            desk.tell(number, Event::Done);
        });
        Job { number, purpose: Purpose::Analyse(node), board, findings, task }
    }

    /// Evaluates positions one after another, the last first, as `annotate` does. Only the position being searched is
    /// in memory with its history.
    pub(super) fn evaluate(&self, number: u64, walk: Walk, setup: Setup) -> Job {
        let desk = self.clone();
        let task = task::spawn(async move {
            let all = walk.steps.iter().filter(|step| step.wanted).count();
            let (mut position, mut done, mut next) = (Position::new(walk.start), 0, None);
            walk.steps.iter().filter_map(|step| step.mv).for_each(|mv| position.play(mv));
            for &Step { node, mv, wanted } in walk.steps.iter().rev() {
                if wanted && let Some((found, evaluation)) = desk.judge(number, &position, [mv, next], &setup).await {
                    done += 1;
                    desk.tell(number, Event::Evaluated { node, evaluation, found, done, all });
                }
                next = mv;
                if mv.is_some() {
                    position.unmake();
                }
            }
            desk.tell(number, Event::Done);
        });
        Job { number, purpose: Purpose::Evaluate, board: Board::start(), findings: Findings::default(), task }
    }

    /// Evaluates a position, given the move that led to it and the one played in it.
    async fn judge(
        &self,
        number: u64,
        position: &Position,
        [previous, next]: [Option<Move>; 2],
        setup: &Setup,
    ) -> Option<(Finding, Evaluation)> {
        if let Some(found) = Finding::of_outcome(position, next.is_none()) {
            let evaluation = Evaluation::of_end(found.eval);
            return Some((found, evaluation));
        }
        let side = position.side_to_move();
        let limits = Limits { nodes: Some(NODES_TO_EVALUATE), move_time: Some(TIME_TO_EVALUATE), ..Limits::default() };
        let best = self.search(number, position.clone(), setup.clone(), limits.clone(), None).await?.found.best;
        let mut found = Finding::of(&best, side);
        if let Some(mv) = next.filter(|&mv| needs_second(position, mv, previous, &found)) {
            let limits = limits_without(position, mv, &limits);
            let others = self.search(number, position.clone(), setup.clone(), limits, None).await?;
            found.second = Some(Finding::of(&others.found.best, side).eval);
        }
        Some((found, Evaluation::of(&best, side)))
    }

    /// Answers a question about a position.
    pub(super) fn errand(&self, number: u64, errand: Errand, place: u64, position: &Position, setup: Setup) -> Job {
        let (desk, board, asked) = (self.clone(), *position.board(), errand.position(position));
        let position = position.clone();
        let task = task::spawn(async move {
            if let Errand::Why(node, mv) = errand {
                let why = desk.explain(number, position, mv, setup).await;
                return desk.tell(number, Event::Explained(node, why.map(Box::new)));
            }
            let found = match asked {
                Some(position) => {
                    let limits = Limits { move_time: Some(TIME_TO_ANSWER), ..Limits::default() };
                    desk.search(number, position, setup, limits, None).await.map(|ended| ended.found.best)
                }
                None => None,
            };
            desk.tell(number, Event::Answer(errand, found));
        });
        Job { number, purpose: Purpose::Errand(place), board, findings: Findings::default(), task }
    }

    /// Explains why a move is good or bad.
    async fn explain(&self, number: u64, position: Position, mv: Move, setup: Setup) -> Option<Why> {
        let seat = self.seat(number, setup).await?;
        let ask = move |engine: &mut Engine, control: &Control| {
            let mut thinker = Thinker::new(engine, Effort::Time(TIME_TO_EXPLAIN), control);
            why::why(&position, mv, &mut thinker)
        };
        seat.0.lend(ask, seat.1).await?
    }

    /// Waits for an engine, and for this session's turn.
    async fn seat(&self, number: u64, setup: Setup) -> Option<(Seat, OwnedSemaphorePermit)> {
        let turn = Arc::clone(&self.turn).acquire_owned().await.ok()?;
        if self.pool.is_busy() {
            self.tell(number, Event::Waiting);
        }
        let seat = self.pool.take(setup).await;
        self.tell(number, Event::Running);
        Some((seat, turn))
    }

    async fn search(
        &self,
        number: u64,
        position: Position,
        setup: Setup,
        limits: Limits,
        findings: Option<Findings>,
    ) -> Option<Ended> {
        let (seat, turn) = self.seat(number, setup).await?;
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
        // If the receiver is gone, the session has ended and this task is about to.
        let _ = self.events.send((number, event));
    }
}
