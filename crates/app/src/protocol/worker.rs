//! The worker: owns the engine and executes queued tasks, one after another.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, anyhow};
use chess::{Board, Position};
use engine::{Control, Engine, Limits, Network};
use toolkit::files::{self, Draft};
use uci::{Reply, SetOption};

use super::options::{self, Settings};
use super::output::Output;
use super::report::Lines;
use super::show;
use crate::{bench, genfens};

/// A task that takes time, or must come after one that does. The owner count of a task's [`Control`] shows whether the
/// task is still pending.
pub(super) enum Task {
    /// Print this once everything before is done.
    Say(Vec<String>),
    Ready,
    NewGame,
    SetOption(SetOption),
    Search {
        position: Box<Position>,
        limits: Box<Limits>,
        control: Arc<Control>,
    },
    /// Answer that there is no move, when an answer is due.
    NoSearch {
        note: String,
        limits: Box<Limits>,
        control: Arc<Control>,
    },
    Count {
        board: Box<Board>,
        depth: u32,
        control: Arc<Control>,
    },
    Bench {
        options: bench::Options,
        control: Arc<Control>,
    },
    /// Explain the evaluation of this board.
    Explain(Box<Board>),
    Openings {
        options: genfens::Options,
        control: Arc<Control>,
    },
    SaveHash(String),
    LoadHash(String),
    ExportNet(String),
    /// Signal that everything before is done.
    Signal(Sender<()>),
}

/// The network in use, for inspection while the engine is busy.
#[derive(Clone, Default)]
pub(super) struct NetworkInUse(Arc<Mutex<Option<Arc<Network>>>>);

impl NetworkInUse {
    pub(super) fn get(&self) -> Option<Arc<Network>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set(&self, network: Option<Arc<Network>>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = network;
    }
}

pub(super) struct EngineThread {
    engine: Engine,
    settings: Settings,
    output: Output,
    in_use: NetworkInUse,
}

impl EngineThread {
    pub(super) fn new(output: Output, in_use: NetworkInUse) -> EngineThread {
        let engine = Engine::new();
        if let Some(fault) = engine::eval::embedded_fault() {
            output.note(format!(
                "the network built in cannot be used: {fault}; the evaluation is the one written by hand"
            ));
        }
        in_use.set(engine.network().cloned());
        EngineThread { engine, settings: Settings::default(), output, in_use }
    }

    /// Works until all senders of tasks are gone.
    pub(super) fn work(mut self, tasks: &Receiver<Task>) {
        for task in tasks {
            // Whatever went wrong, the next task may be a move in a game.
            if catch_unwind(AssertUnwindSafe(|| self.perform(task))).is_err() {
                self.output.complain("a command has failed; what it was doing is lost");
            }
        }
    }

    fn perform(&mut self, task: Task) {
        match task {
            Task::Say(lines) => self.output.lines(lines),
            Task::Ready => {
                self.engine.make_ready();
                self.output.line(Reply::ReadyOk);
            }
            Task::NewGame => self.engine.new_game(),
            Task::SetOption(option) => {
                options::set(&option, &mut self.engine, &mut self.settings, &self.output);
                self.in_use.set(self.engine.network().cloned());
            }
            Task::Search { position, limits, control } => self.search(&position, &limits, control),
            Task::NoSearch { note, limits, control } => {
                control.wait_for_release(&limits);
                drop(control);
                self.output.note(note);
                Lines::new(self.output.clone(), &self.settings, &Board::start()).best_move(None, None);
            }
            Task::Count { board, depth, control } => self.count(&board, depth, &control),
            Task::Bench { options, control } => {
                let output = self.output.clone();
                let network = self.engine.network().cloned();
                if let Err(error) = bench::measure(&options, network, &control, &mut |line| output.line(line)) {
                    self.output.complain(format!("bench: {error:#}"));
                }
            }
            Task::Explain(board) => {
                let network = self.engine.network().map(Arc::as_ref);
                self.output.lines(show::evaluation(&board, network).lines());
            }
            Task::ExportNet(path) => self.tell("export_net", &path, self.export_net(Path::new(&path))),
            Task::Openings { options, control } => {
                let output = self.output.clone();
                if let Err(error) = genfens::generate(&options, &control, &mut |line| output.line(line)) {
                    self.output.complain(format!("genfens: {error:#}"));
                }
            }
            Task::SaveHash(path) => self.tell("savehash", &path, self.save_hash(Path::new(&path))),
            Task::LoadHash(path) => {
                let outcome = self.load_hash(Path::new(&path));
                self.tell("loadhash", &path, outcome);
            }
            // It does no harm if the waiting side is gone.
            Task::Signal(waiting) => drop(waiting.send(())),
        }
    }

    fn search(&mut self, position: &Position, limits: &Limits, control: Arc<Control>) {
        let mut lines = Lines::new(self.output.clone(), &self.settings, position);
        if let Some(mv) = self.settings.book.answer(position, limits) {
            self.output.note("this move is from the book");
            drop(control);
            return lines.best_move(Some(mv), None);
        }
        let found = self.engine.search(position, limits, &control, &mut lines);
        // When the answer is read, the search must already count as done.
        drop(control);
        lines.answer(&found);
    }

    fn count(&self, board: &Board, depth: u32, control: &Control) {
        let mut total = 0;
        let mut lines = Vec::new();
        for &mv in &board.legal_moves() {
            let Some(count) = counting_below(&board.after(mv), depth.saturating_sub(1), control) else {
                return self.output.note("perft was stopped");
            };
            total += count;
            lines.push(format!("{}: {count}", mv.uci(self.settings.writes_chess960(board))));
        }
        if depth == 0 {
            (total, lines) = (1, Vec::new());
        } else {
            lines.push(String::new());
        }
        lines.push(format!("Nodes searched: {total}"));
        self.output.lines(lines);
    }

    fn save_hash(&self, path: &Path) -> anyhow::Result<()> {
        let mut draft = Draft::new(path)?;
        self.engine.save_hash(&mut draft).with_context(|| format!("cannot write {}", path.display()))?;
        draft.finish()
    }

    fn load_hash(&mut self, path: &Path) -> anyhow::Result<()> {
        let (mut file, length) = files::open(path)?;
        self.engine.load_hash(&mut file, length).with_context(|| path.display().to_string())
    }

    fn export_net(&self, path: &Path) -> anyhow::Result<()> {
        let none = || anyhow!("there is no network, the evaluation is written by hand");
        files::replace(path, self.engine.network().ok_or_else(none)?.to_bytes())
    }

    fn tell(&self, command: &str, path: &str, outcome: anyhow::Result<()>) {
        match outcome {
            Ok(()) => self.output.note(format!("{command}: {path}: done")),
            Err(error) => self.output.complain(format!("{command}: {error:#}")),
        }
    }
}

/// Perft that can be stopped; none if it was. The last plies are counted in one go, which takes almost no time.
fn counting_below(board: &Board, depth: u32, control: &Control) -> Option<u64> {
    const IN_ONE_GO: u32 = 3;
    if control.is_stopped() {
        return None;
    }
    if depth <= IN_ONE_GO {
        return Some(chess::perft::perft(board, depth));
    }
    board.legal_moves().iter().map(|&mv| counting_below(&board.after(mv), depth - 1, control)).sum()
}
