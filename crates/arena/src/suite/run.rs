//! Gives the problems of a suite to an engine, several processes at a time. The engine forgets everything between
//! positions, so the order of the lines does not matter and results are reproducible.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::Duration;

use anyhow::{Result, bail};
use uci::SetPosition;

use super::epd::Problem;
use super::judge::Answer;
use crate::clock::{Clock, go};
use crate::game::start_position;
use crate::player::{Failure, Player};
use crate::spec::EngineSpec;

/// How long an engine may take to move after `stop` before it counts as dead.
const GRACE: Duration = Duration::from_secs(2);

/// How far over its fixed time an engine may think before it gets a `stop`.
const TARDINESS: Duration = Duration::from_millis(500);

/// What stays the same from problem to problem.
pub struct Examination<'a> {
    /// The engine; its limits hold for each position.
    pub engine: &'a EngineSpec,
    /// Whether castling is written king-takes-rook.
    pub chess960: bool,
    /// How long an engine without a fixed time may think.
    pub patience: Duration,
    /// Processes at a time.
    pub concurrency: usize,
}

impl Examination<'_> {
    /// Starts the engine once to check that it runs. Returns warnings.
    pub fn check(&self, called_off: &Arc<AtomicBool>) -> Result<Vec<String>> {
        if self.engine.limits.clock.is_some() {
            bail!("{} has a clock: a suite needs nodes=, time= or depth=", self.engine.name);
        }
        let player = Player::start(self.engine, self.chess960, Arc::clone(called_off))?;
        let unknown = player.unknown_options.iter();
        let warnings = unknown.map(|option| format!("{} has no option {option}", self.engine.name)).collect();
        player.quit();
        Ok(warnings)
    }

    /// Gives all problems to the engine and hands each answer to `take`, with the number of its problem. An examination
    /// that is called off ends without error.
    pub fn run(
        &self,
        problems: &[Problem],
        called_off: &Arc<AtomicBool>,
        mut take: impl FnMut(usize, Answer),
    ) -> Result<()> {
        let next = AtomicUsize::new(0);
        let (sender, receiver) = mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..self.concurrency.clamp(1, problems.len().max(1)) {
                let worker = Examiner { examination: self, called_off: Arc::clone(called_off), player: None };
                let (next, sender) = (&next, sender.clone());
                scope.spawn(move || worker.work(problems, next, &sender));
            }
            drop(sender);
            for answered in receiver {
                match answered {
                    Ok((number, answer)) => take(number, answer),
                    Err(error) => {
                        // The other workers must stop too, or the scope would wait for them.
                        called_off.store(true, Ordering::Relaxed);
                        return Err(error);
                    }
                }
            }
            Ok(())
        })
    }
}

struct Examiner<'a> {
    examination: &'a Examination<'a>,
    called_off: Arc<AtomicBool>,
    /// The engine, if it is running.
    player: Option<Player>,
}

impl Examiner<'_> {
    fn work(mut self, problems: &[Problem], next: &AtomicUsize, sender: &Sender<Result<(usize, Answer)>>) {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(problem) = problems.get(number) else { break };
            let answered = match self.solve(problem) {
                Ok(Some(answer)) => Ok((number, answer)),
                Ok(None) => return,
                // An engine that was just starting when the run was called off did not fail.
                Err(_) if self.called_off.load(Ordering::Relaxed) => return,
                Err(error) => Err(error),
            };
            let failed = answered.is_err();
            if sender.send(answered).is_err() || failed {
                return;
            }
        }
        if let Some(player) = self.player {
            player.quit();
        }
    }

    /// The engine's answer; none if the examination was called off.
    fn solve(&mut self, problem: &Problem) -> Result<Option<Answer>> {
        let mut player = match self.player.take() {
            Some(player) => player,
            None => Player::start(self.examination.engine, self.examination.chess960, Arc::clone(&self.called_off))?,
        };
        match self.ask(&mut player, problem) {
            Ok(answer) => {
                // An engine that had to be stopped or played an illegal move may be in a bad state: the next problem
                // gets a new process.
                if !matches!(answer.verdict, super::Verdict::Fault(_)) && !self.examination.engine.restart {
                    self.player = Some(player);
                }
                Ok(Some(answer))
            }
            Err(Failure::CalledOff) => Ok(None),
            Err(failure) => Ok(Some(Answer::fault(failure.to_string()))),
        }
    }

    fn ask(&self, player: &mut Player, problem: &Problem) -> Result<Answer, Failure> {
        let limits = &self.examination.engine.limits;
        player.forget()?;
        let start = start_position(&problem.board, self.examination.chess960);
        let position = SetPosition { start, moves: Vec::new() };
        let clocks = [Clock::new(limits), Clock::new(limits)];
        let patience = limits.move_time.map_or(self.examination.patience, |time| time + limits.margin() + TARDINESS);
        let thought = player.think(&position, go(&clocks, problem.board.side_to_move()), patience, GRACE)?;
        if thought.stopped && limits.move_time.is_none() {
            let words = format!("no move within {} seconds", patience.as_secs_f64());
            return Ok(Answer { time: thought.time, nodes: thought.said.nodes, ..Answer::fault(words) });
        }
        Ok(Answer::new(problem, &thought))
    }
}
