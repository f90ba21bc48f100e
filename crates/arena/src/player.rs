//! An engine as a player: starts it, sets its options, asks it for moves and ponders.

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, bail};
use chess::{Board, Move};
use uci::{Command, Go, OptionInfo, Reply, SetOption, SetPosition, UciMove};

use super::listener::{Answer, Event, PvInfo, Said, Step};
use super::process::Process;
use super::spec::EngineSpec;

/// How long an engine may take to start up; large tables and slow disks need time.
const GREETING: Duration = Duration::from_secs(40);

/// How often a waiting runner checks whether the match was called off.
const GLANCE: Duration = Duration::from_millis(250);

/// The option with which most engines clear their hash tables.
const CLEAR_HASH: &str = "Clear Hash";

/// A move as it came from an engine.
#[derive(Clone, Debug)]
pub struct Thought {
    /// The move, not yet verified; if it does not look like a move, the text the engine sent.
    best: Result<UciMove, String>,
    /// The reply it expects, not yet verified.
    pub(crate) ponder: Option<UciMove>,
    /// The engine's last report on its search.
    pub(crate) said: Said,
    /// The best moves along the way.
    pub(crate) trail: Vec<Step>,
    /// The lines of play it reported, in order.
    pub(crate) lines: VecDeque<PvInfo>,
    /// When the `go` was sent.
    pub start: Instant,
    /// From the `go` to the arrival of the move.
    pub time: Duration,
    /// Whether it came only after a `stop`.
    pub stopped: bool,
}

impl Thought {
    /// The answer to a `go` sent at `start`.
    pub(crate) fn new(answer: Answer, start: Instant, stopped: bool) -> Thought {
        let Answer { at, best, ponder, said, trail, lines } = answer;
        Thought { best, ponder, said, trail, lines, start, time: at.saturating_duration_since(start), stopped }
    }

    /// The move if it is legal, else the text the engine sent.
    pub(crate) fn legal_move(&self, board: &Board) -> Result<Move, String> {
        let best = self.best.clone()?;
        best.on(board).ok_or_else(|| best.to_string())
    }
}

/// Why an engine gave no move.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Failure {
    /// The process is gone; its last error output.
    Crash(String),
    /// It does not answer.
    Stall,
    /// The match was called off; the engine is not at fault.
    CalledOff,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Crash(words) => write!(f, "the engine is gone ({words})"),
            Failure::Stall => f.write_str("the engine does not answer"),
            Failure::CalledOff => f.write_str("the match was called off"),
        }
    }
}

/// A running engine with its options set.
pub(crate) struct Player {
    process: Process,
    called_off: Arc<AtomicBool>,
    /// Requested options that the engine does not have.
    pub(crate) unknown_options: Vec<String>,
    /// Whether it has a button that clears its hash table.
    can_clear_hash: bool,
    /// The opponent's move it is pondering on.
    pondering: Option<UciMove>,
}

impl Player {
    /// Starts an engine and sets its options.
    pub(crate) fn start(spec: &EngineSpec, chess960: bool, called_off: Arc<AtomicBool>) -> Result<Player> {
        let process = Process::start(spec.command())?;
        let mut player =
            Player { process, called_off, unknown_options: Vec::new(), can_clear_hash: false, pondering: None };
        player.greet(spec, chess960).map_err(|failure| anyhow!("{}: {failure}", spec.name))?;
        if chess960 && player.unknown_options.iter().any(|name| name == "UCI_Chess960") {
            bail!("{} does not play Chess960", spec.name);
        }
        Ok(player)
    }

    fn greet(&mut self, spec: &EngineSpec, chess960: bool) -> Result<(), Failure> {
        self.send(&Command::Uci)?;
        let mut known: Vec<OptionInfo> = Vec::new();
        let deadline = Instant::now() + GREETING;
        loop {
            match self.wait(deadline)? {
                Event::Reply(Reply::Option(option)) => known.push(option),
                Event::Reply(Reply::UciOk) => break,
                _ => {}
            }
        }
        self.can_clear_hash = known.iter().any(|option| option.name == CLEAR_HASH);
        let variant = chess960.then(|| ("UCI_Chess960".to_owned(), "true".to_owned()));
        for (name, value) in spec.options.iter().chain(&variant) {
            match known.iter().find(|option| option.is_named(name)) {
                Some(option) => {
                    let value = Some(value.clone()).filter(|value| !value.is_empty());
                    self.send(&Command::SetOption(SetOption { name: option.name.clone(), value }))?;
                }
                None => self.unknown_options.push(name.clone()),
            }
        }
        self.synchronise()
    }

    /// Tells the engine that a new game begins and waits until it is ready.
    pub(crate) fn new_game(&mut self) -> Result<(), Failure> {
        self.stop_pondering()?;
        self.send(&Command::NewGame)?;
        self.synchronise()
    }

    /// Makes the engine forget everything, as for a new game, and clears its hash table where that is a separate
    /// command.
    pub(crate) fn forget(&mut self) -> Result<(), Failure> {
        if self.can_clear_hash {
            self.send(&Command::SetOption(SetOption { name: CLEAR_HASH.into(), value: None }))?;
        }
        self.new_game()
    }

    fn synchronise(&mut self) -> Result<(), Failure> {
        self.send(&Command::IsReady)?;
        let deadline = Instant::now() + GREETING;
        while self.wait(deadline)? != Event::Reply(Reply::ReadyOk) {}
        Ok(())
    }

    /// Makes the engine ponder on a position whose last move is the reply it expects.
    pub(crate) fn ponder(&mut self, position: &SetPosition, go: Go) -> Result<(), Failure> {
        self.send(&Command::Position(position.clone()))?;
        self.send(&Command::Go(Go { ponder: true, ..go }))?;
        self.pondering = position.moves.last().copied();
        Ok(())
    }

    /// Ends a ponder search whose move was not played, and discards its result.
    fn stop_pondering(&mut self) -> Result<(), Failure> {
        if self.pondering.take().is_some() {
            self.send(&Command::Stop)?;
            let deadline = Instant::now() + GREETING;
            while !matches!(self.wait(deadline)?, Event::Answer(_)) {}
        }
        Ok(())
    }

    /// Asks for a move. An engine silent for longer than `patience` gets a `stop`; if no move follows within `grace`,
    /// it has stalled.
    pub(crate) fn think(
        &mut self,
        position: &SetPosition,
        go: Go,
        patience: Duration,
        grace: Duration,
    ) -> Result<Thought, Failure> {
        let expected = self.pondering.is_some() && self.pondering == position.moves.last().copied();
        let go = if expected {
            self.pondering = None;
            Command::PonderHit
        } else {
            self.stop_pondering()?;
            self.send(&Command::Position(position.clone()))?;
            Command::Go(go)
        };
        // The clock starts before the command is written, so the engine is charged for the write, which is the runner's
        // overhead. It stops when the reader's thread wakes, before this thread does.
        let start = Instant::now();
        self.send(&go)?;
        let mut deadline = start + patience;
        let mut stopped = false;
        loop {
            match self.wait(deadline) {
                Ok(Event::Answer(answer)) => return Ok(Thought::new(answer, start, stopped)),
                Ok(_) => {}
                Err(Failure::Stall) if !stopped => {
                    stopped = true;
                    self.send(&Command::Stop)?;
                    deadline = Instant::now() + grace;
                }
                Err(failure) => return Err(failure),
            }
        }
    }

    /// Asks the engine to quit.
    pub(crate) fn quit(mut self) {
        self.process.quit(Duration::from_millis(500));
    }

    fn send(&mut self, command: &Command) -> Result<(), Failure> {
        self.process.send(command).map_err(|_| Failure::Crash(self.process.obituary()))
    }

    fn wait(&mut self, deadline: Instant) -> Result<Event, Failure> {
        loop {
            if self.called_off.load(Ordering::Relaxed) {
                return Err(Failure::CalledOff);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.process.next_event(left.min(GLANCE)) {
                Some(Event::Closed) => return Err(Failure::Crash(self.process.obituary())),
                Some(event) => return Ok(event),
                None if left.is_zero() => return Err(Failure::Stall),
                None => {}
            }
        }
    }
}
