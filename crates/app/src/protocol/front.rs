//! The front end: parses commands, answers immediate ones at once, and queues the rest.

use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use chess::{Board, Move, Position, fen};
use engine::{Control, Limits};
use uci::{Command, Go, Info, ParseError, Parsed, Reply, SetOption, SetPosition, StartPosition};

use super::limits::limits;
use super::output::Output;
use super::worker::{EngineThread, NetworkInUse, Task};
use super::{options, show};
use crate::{bench, genfens};

/// `quit` gives up on a search that was stopped and has not answered for this long; it should never happen.
const PATIENCE: Duration = Duration::from_secs(3);
/// No real game goes this long without a capture or pawn move, and the counter needs a bound.
const LONGEST_WALK: u16 = 60_000;

/// What happens after a command.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    On,
    Quit,
    /// The worker is gone.
    Broken,
}

pub(super) struct Front {
    output: Output,
    tasks: Sender<Task>,
    worker: JoinHandle<()>,
    position: Position,
    /// Why the last `position` was refused, if it was. Until another comes there is nothing to search: the earlier
    /// position is not the one the interface has in mind.
    refused: Option<String>,
    network: NetworkInUse,
    running: Vec<Running>,
    /// Whether something was queued after the last of these.
    more_to_do: bool,
    debug: bool,
}

/// A queued or running task that can be stopped.
struct Running {
    control: Arc<Control>,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Ends by itself.
    Bounded,
    /// Ends only on command.
    Unbounded,
    /// Perft, bench or genfens: ends by itself and, unlike a search, is not cut short by later commands.
    Count,
}

impl Running {
    /// The worker drops its reference to the control when it is done.
    fn is_on(&self) -> bool {
        Arc::strong_count(&self.control) > 1
    }
}

impl Front {
    pub(super) fn new(output: Output) -> anyhow::Result<Front> {
        let (tasks, queue) = mpsc::channel();
        let network = NetworkInUse::default();
        let (lines, in_use) = (output.clone(), network.clone());
        let work = move || EngineThread::new(lines, in_use).work(&queue);
        let worker = thread::Builder::new().name("worker".into()).spawn(move || engine::on_search_stack(work))?;
        Ok(Front {
            output,
            tasks,
            worker,
            position: Position::start(),
            refused: None,
            network,
            running: Vec::new(),
            more_to_do: false,
            debug: false,
        })
    }

    /// Executes a line.
    pub(super) fn obey(&mut self, line: &str) -> Flow {
        self.output.received(line);
        if self.debug {
            self.output.note(format!("received \"{}\"", uci::excerpt(line)));
        }
        self.running.retain(Running::is_on);
        match Command::read(line) {
            Ok(Parsed { command: Command::Go(go), problems }) => self.go(&go, &problems),
            Ok(Parsed { command, .. }) => self.perform(command),
            Err(ParseError::Empty) => Flow::On,
            Err(error @ ParseError::Unknown(_)) => self.complain(format!("{error}; type help for a list")),
            Err(error) if line.split_whitespace().next() == Some("position") => self.refuse_position(error.to_string()),
            Err(error) => self.complain(error.to_string()),
        }
    }

    fn perform(&mut self, command: Command) -> Flow {
        match command {
            Command::Uci => self.introduce(),
            Command::Debug(on) => self.debug = on,
            // At once during a search; otherwise when everything before is done.
            Command::IsReady if self.is_busy() => self.output.line(Reply::ReadyOk),
            Command::IsReady => return self.queue(Task::Ready),
            Command::SetOption(option) => return self.set_option(option),
            Command::NewGame => return self.after_search(Task::NewGame),
            Command::Position(position) => return self.set_position(&position),
            Command::Go(go) => return self.go(&go, &[]),
            Command::Stop => self.running.iter().for_each(|task| task.control.stop()),
            Command::PonderHit => self.running.iter().for_each(|task| task.control.ponder_hit()),
            Command::Quit => return Flow::Quit,
            Command::Display => return self.say(show::board(&self.position)),
            Command::Eval => return self.explain(),
            Command::Help => return self.say(show::HELP.into()),
            Command::Compiler => return self.say(show::compiler()),
            Command::Bench(words) => return self.bench(&words),
            Command::GenFens(words) => return self.openings(&words),
            Command::Perft(depth) => return self.count(depth),
            Command::Flip => return self.flip(),
            Command::SaveHash(path) => return self.after_search(Task::SaveHash(path)),
            Command::LoadHash(path) => return self.after_search(Task::LoadHash(path)),
            Command::ExportNet(path) => return self.after_search(Task::ExportNet(path)),
            // No registration is needed.
            Command::Register(_) => {}
            _ => return self.complain("that command is not known here".into()),
        }
        Flow::On
    }

    /// Reports, in turn, why something was not done.
    pub(super) fn refuse(&mut self, reason: &str) -> Flow {
        self.complain(reason.into())
    }

    /// Waits for everything that ends by itself.
    pub(super) fn wait(&mut self) {
        self.running.retain(Running::is_on);
        if self.running.iter().all(|task| task.kind != Kind::Unbounded) {
            let (signal, done) = mpsc::channel();
            if self.send(Task::Signal(signal)) == Flow::On {
                let _ = done.recv();
            }
        }
    }

    /// Ends when the queue is done; a running search is stopped.
    pub(super) fn finish(mut self) {
        self.halt();
        drop(self.tasks);
        let _ = self.worker.join();
    }

    /// The same, but gives up on a search that does not stop. Commands that came before `quit` are carried out, however
    /// long they take: otherwise a hash table being saved, or the end of a script, would be lost.
    pub(super) fn quit(mut self) {
        self.running.retain(Running::is_on);
        if self.running.iter().any(|task| task.kind == Kind::Count) {
            return self.finish();
        }
        self.halt();
        let (signal, done) = mpsc::channel();
        if self.send(Task::Signal(signal)) != Flow::On {
            return;
        }
        while done.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
            self.running.retain(Running::is_on);
            if !self.running.is_empty() {
                return;
            }
        }
    }

    fn introduce(&self) {
        let first = [
            Reply::IdName(format!("Stillwater {}", env!("CARGO_PKG_VERSION"))),
            Reply::IdAuthor("the Stillwater developers".into()),
        ];
        self.output.lines(first.into_iter().chain(options::declared().map(Reply::Option)).chain([Reply::UciOk]));
    }

    fn set_option(&mut self, option: SetOption) -> Flow {
        self.halt();
        // The log must begin with the very next line, not when the worker gets to it.
        if let Some(path) = options::log_file(&option)
            && let Err(error) = self.output.log_to(&path)
        {
            return self.complain_in_turn(format!("option Debug Log File: {path}: {error}"));
        }
        self.queue(Task::SetOption(option))
    }

    fn set_position(&mut self, command: &SetPosition) -> Flow {
        self.halt();
        match position(command) {
            Ok((position, notes)) => {
                self.position = position;
                self.refused = None;
                if notes.is_empty() { Flow::On } else { self.complain_in_turn(notes.join("; ")) }
            }
            Err(reason) => self.refuse_position(reason),
        }
    }

    /// Refuses a position and forgets the earlier one, whose search result would be taken for the new one's.
    fn refuse_position(&mut self, reason: String) -> Flow {
        self.halt();
        let text = format!("ERROR: {reason}; there is no position to search until one can be used");
        self.refused = Some(reason);
        self.complain_in_turn(text)
    }

    fn flip(&mut self) -> Flow {
        self.halt();
        match show::flipped(&self.position) {
            Ok(board) => {
                self.position = Position::new(board);
                Flow::On
            }
            Err(error) => self.complain_in_turn(error.to_string()),
        }
    }

    fn go(&mut self, go: &Go, problems: &[ParseError]) -> Flow {
        if let Some(depth) = go.perft {
            return self.count(u32::try_from(depth.max(0)).unwrap_or(u32::MAX));
        }
        self.halt();
        if let Some(reason) = &self.refused {
            let note = format!("ERROR: no move, because the last position was refused: {reason}");
            let limits = limits(go, &self.position, Vec::new(), !problems.is_empty());
            let control = self.begin(kind(&limits));
            return self.send(Task::NoSearch { note, limits: Box::new(limits), control });
        }
        let mut notes: Vec<String> = problems.iter().map(ToString::to_string).collect();
        let moves = search_moves(go, &self.position, &mut notes);
        let limits = limits(go, &self.position, moves, !problems.is_empty());
        if !notes.is_empty() {
            self.complain_in_turn(notes.join("; "));
        }
        let control = self.begin(kind(&limits));
        self.send(Task::Search { position: Box::new(self.position.clone()), limits: Box::new(limits), control })
    }

    fn count(&mut self, depth: u32) -> Flow {
        self.halt();
        if let Some(reason) = &self.refused {
            return self
                .complain_in_turn(format!("ERROR: nothing to count, because the last position was refused: {reason}"));
        }
        let control = self.begin(Kind::Count);
        self.send(Task::Count { board: Box::new(*self.position.board()), depth, control })
    }

    fn bench(&mut self, words: &[String]) -> Flow {
        self.halt();
        let options = bench::Options::from_words(words);
        self.count_with("bench", options, |options, control| Task::Bench { options, control })
    }

    /// Queues a task that ends by itself, if its arguments are valid.
    fn count_with<T>(
        &mut self,
        name: &str,
        options: anyhow::Result<T>,
        task: impl FnOnce(T, Arc<Control>) -> Task,
    ) -> Flow {
        match options {
            Ok(options) => {
                let control = self.begin(Kind::Count);
                self.send(task(options, control))
            }
            Err(error) => self.complain_in_turn(format!("{name}: {error:#}")),
        }
    }

    /// Explains the evaluation: at once during a search, with the network in use; otherwise in turn, since a change of
    /// network may be queued.
    fn explain(&mut self) -> Flow {
        if self.is_busy() {
            return self.say(show::evaluation(&self.position, self.network.get().as_deref()));
        }
        self.queue(Task::Explain(Box::new(*self.position.board())))
    }

    fn openings(&mut self, words: &[String]) -> Flow {
        self.halt();
        let options = genfens::Options::from_words(words);
        self.count_with("genfens", options, |options, control| Task::Openings { options, control })
    }

    /// The control of a task about to be queued. From now on the task can be stopped, even before it starts.
    fn begin(&mut self, kind: Kind) -> Arc<Control> {
        let control = Arc::new(Control::new());
        self.running.push(Running { control: Arc::clone(&control), kind });
        self.more_to_do = false;
        control
    }

    /// Stops every search; its answer comes before anything queued from now on.
    fn halt(&mut self) {
        self.running.iter().filter(|task| task.kind != Kind::Count).for_each(|task| task.control.stop());
    }

    /// Whether a search is running that was not stopped and has nothing queued behind it. Then output is immediate;
    /// otherwise it waits for its turn, which comes soon.
    fn is_busy(&self) -> bool {
        let last = self.running.last();
        !self.more_to_do && last.is_some_and(|task| task.is_on() && !task.control.is_stopped())
    }

    fn after_search(&mut self, task: Task) -> Flow {
        self.halt();
        self.queue(task)
    }

    /// Prints a text: at once during a search, otherwise in turn.
    fn say(&mut self, text: String) -> Flow {
        if self.is_busy() {
            self.output.lines(text.lines());
            return Flow::On;
        }
        self.queue(Task::Say(text.lines().map(str::to_owned).collect()))
    }

    /// The same for a complaint.
    fn complain(&mut self, text: String) -> Flow {
        self.output.mark();
        self.say(Reply::Info(Info::text(text)).to_string())
    }

    /// Queues a complaint after the answer of the search that it stopped.
    fn complain_in_turn(&mut self, text: String) -> Flow {
        self.output.mark();
        self.queue(Task::Say(vec![Reply::Info(Info::text(text)).to_string()]))
    }

    fn queue(&mut self, task: Task) -> Flow {
        self.more_to_do = true;
        self.send(task)
    }

    fn send(&self, task: Task) -> Flow {
        if self.tasks.send(task).is_ok() { Flow::On } else { Flow::Broken }
    }
}

fn kind(limits: &Limits) -> Kind {
    if limits.infinite || limits.ponder { Kind::Unbounded } else { Kind::Bounded }
}

/// The position, and what had to be repaired.
fn position(command: &SetPosition) -> Result<(Position, Vec<String>), String> {
    let (board, repairs) = match &command.start {
        StartPosition::Standard => (Board::start(), Vec::new()),
        StartPosition::Fen(fen) => fen::repair(fen).map_err(|error| format!("the FEN is not usable: {error}"))?,
    };
    let mut position = Position::new(board);
    for (index, text) in command.moves.iter().enumerate() {
        let mv = text.on(&position).ok_or_else(|| format!("move {} of the list, {text}, is not legal", index + 1))?;
        if position.halfmove_clock() >= LONGEST_WALK {
            return Err("the game has gone on for too long".into());
        }
        position.play(mv);
    }
    Ok((position, repairs.iter().map(ToString::to_string).collect()))
}

/// The legal ones among the moves to search; if none is left, all moves.
fn search_moves(go: &Go, board: &Board, notes: &mut Vec<String>) -> Vec<Move> {
    let mut moves = Vec::new();
    for text in &go.searchmoves {
        match text.on(board) {
            Some(mv) if moves.contains(&mv) => {}
            Some(mv) => moves.push(mv),
            None => notes.push(format!("searchmoves: {text} is not legal here")),
        }
    }
    moves
}
