//! A session: what one tab asks for, and what is done about it. How it talks is left to `connection.rs`.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use chess::Board;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::task::spawn_blocking;

use super::Bounds;
use super::game::Game;
use super::job::{Desk, Event, Job, Purpose};
use super::message::{Activity, Ask, LevelRow, Most, PositionView, Say, Settings};
use super::pool::{Pool, Setup, Weakness};
use super::tree::Id;
use crate::levels;

const MOST_LINES: u8 = 10;
const LONGEST_PREVIEW: usize = 100;

pub(super) struct Session {
    id: u64,
    bounds: Bounds,
    game: Game,
    settings: Settings,
    analysis: bool,
    evaluating: bool,
    job: Option<Job>,
    /// How many jobs there were; what is told by any but the last one comes too late.
    jobs: u64,
    activity: Activity,
    desk: Desk,
    events: UnboundedReceiver<(u64, Event)>,
    /// What is to be said next.
    outbox: Vec<String>,
    nonsense: u32,
}

/// What a command has changed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    Nothing,
    Cursor,
    Moves,
    /// Everything that was known of positions is of another game.
    Game,
    /// How searches are run.
    Search,
}

impl Session {
    pub(super) fn new(pool: Arc<Pool>, bounds: Bounds) -> Session {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let (sender, events) = unbounded_channel();
        let settings = Settings {
            threads: 1,
            hash: bounds.hash.min(32),
            lines: 3,
            move_time: 1.0,
            analysis_time: bounds.time.as_secs_f64().min(60.0),
        };
        Session {
            id: COUNT.fetch_add(1, Ordering::Relaxed),
            bounds,
            game: Game::new(Board::start()),
            settings,
            analysis: false,
            evaluating: false,
            job: None,
            jobs: 0,
            activity: Activity::Idle,
            desk: Desk::new(pool, sender),
            events,
            outbox: Vec::new(),
            nonsense: 0,
        }
    }

    /// What is to be said now.
    pub(super) fn take_words(&mut self) -> Vec<String> {
        std::mem::take(&mut self.outbox)
    }

    /// Waits for news of what is being done for this session, and takes it in.
    pub(super) async fn listen(&mut self) {
        if let Some((number, event)) = self.events.recv().await {
            self.hear(number, event);
        }
    }

    pub(super) fn is_busy(&self) -> bool {
        self.job.is_some()
    }

    /// How many messages in a row meant nothing.
    pub(super) fn nonsense(&self) -> u32 {
        self.nonsense
    }

    fn say(&mut self, say: &Say<'_>) {
        // Our own types always become JSON.
        self.outbox.extend(serde_json::to_string(say));
    }

    /// Says that a message means nothing.
    pub(super) fn refuse(&mut self, text: &str) {
        self.nonsense += 1;
        self.say(&Say::Refused { text });
    }

    /// The first words.
    pub(super) fn greet(&mut self) {
        let most = Most {
            threads: self.bounds.threads,
            hash: self.bounds.hash,
            lines: MOST_LINES,
            time: self.bounds.time.as_secs_f64(),
        };
        let levels =
            (1..=levels::HIGHEST).filter_map(|level| Some(LevelRow { level, elo: levels::elo(level).ok()? })).collect();
        let settings = self.settings;
        self.say(&Say::Welcome { version: env!("CARGO_PKG_VERSION"), levels, most, settings });
        self.show(Change::Game);
    }

    /// Does what a message asks for, or says why not.
    pub(super) async fn obey(&mut self, text: &str) {
        let ask = match serde_json::from_str(text) {
            Ok(ask) => ask,
            Err(error) => return self.refuse(&format!("not a message: {error}")),
        };
        self.nonsense = 0;
        match self.perform(ask).await {
            Ok(change) => {
                self.employ(change);
                self.show(change);
            }
            Err(reason) => {
                self.say(&Say::Refused { text: &reason });
                // The page may have drawn the move already.
                self.say(&Say::Position(self.game.position_view()));
            }
        }
    }

    async fn perform(&mut self, ask: Ask) -> Result<Change, String> {
        match ask {
            Ask::New { chess960 } => {
                let number = chess960.unwrap_or(518);
                let start = Board::chess960(number, number).ok_or("the start positions have numbers from 0 to 959")?;
                self.replace(Game::new(start));
                return Ok(Change::Game);
            }
            Ask::Fen { fen } => {
                let board = fen.trim().parse().map_err(|error| format!("this is no position: {error}"))?;
                self.replace(Game::new(board));
                return Ok(Change::Game);
            }
            Ask::Pgn { text, index } => {
                // A long text takes its time, and other tabs must not wait for it.
                let reading = spawn_blocking(move || Game::read(&text, index));
                let (game, names, problem) = reading.await.map_err(|error| error.to_string())??;
                self.replace(game);
                if !names.is_empty() {
                    self.say(&Say::Games { names, index });
                }
                if let Some(text) = problem {
                    self.say(&Say::Note { text });
                }
                return Ok(Change::Game);
            }
            Ask::Move { text } => self.game.user_move(&text)?,
            Ask::Goto { node } => {
                self.game.go_to(node)?;
                return Ok(Change::Cursor);
            }
            Ask::TakeBack => self.game.take_back()?,
            Ask::Promote { node } => self.game.promote(node)?,
            Ask::Play { side, level } => {
                level.map(levels::elo).transpose().map_err(|error| error.to_string())?;
                self.game.begin(side.into(), level)?;
            }
            Ask::Leave => self.game.play = None,
            Ask::Resign => self.game.resign()?,
            Ask::Analyse { on } => {
                self.analysis = on;
                return Ok(Change::Nothing);
            }
            Ask::Evaluate { on } => {
                self.evaluating = on;
                return Ok(Change::Nothing);
            }
            Ask::Preview { node, moves } => {
                self.preview(node, &moves)?;
                return Ok(Change::Nothing);
            }
            Ask::Export => {}
            Ask::Settings(settings) => {
                self.settings = self.bounded(settings);
                return Ok(Change::Search);
            }
        }
        Ok(Change::Moves)
    }

    fn replace(&mut self, game: Game) {
        self.job = None;
        self.evaluating = false;
        self.game = game;
    }

    fn bounded(&self, asked: Settings) -> Settings {
        let longest = self.bounds.time.as_secs_f64();
        Settings {
            threads: asked.threads.clamp(1, self.bounds.threads),
            hash: asked.hash.clamp(1, self.bounds.hash),
            lines: asked.lines.clamp(1, MOST_LINES),
            move_time: asked.move_time.max(0.05).min(longest),
            analysis_time: asked.analysis_time.max(0.1).min(longest),
        }
    }

    fn preview(&mut self, node: Id, moves: &[String]) -> Result<(), String> {
        if !self.game.has(node) {
            return Err("this position is gone".into());
        }
        let mut position = self.game.position_at(node);
        let mut boards = Vec::new();
        for text in moves.iter().take(LONGEST_PREVIEW) {
            let mv = position.parse_uci(text).map_err(|error| error.to_string())?;
            position.play(mv);
            boards.push(PositionView::to_look_at(node, &position, mv));
        }
        self.say(&Say::Preview { node, boards });
        Ok(())
    }

    /// Gives the engine something to do, or something else, after a change.
    fn employ(&mut self, change: Change) {
        let wanted = self.wanted();
        let same = self.job.as_ref().map(|job| job.purpose) == wanted;
        // A game that changed has other positions to judge, and other settings find other things; a move that is being thought
        // about is not disturbed by either.
        let stale = match wanted {
            Some(Purpose::Evaluate) => change == Change::Moves,
            Some(Purpose::Analyse(_)) => change == Change::Search,
            _ => false,
        };
        if same && !stale {
            return;
        }
        self.keep_evaluation();
        self.job = None;
        self.activity = Activity::Idle;
        self.jobs += 1;
        let setup = Setup {
            session: self.id,
            threads: self.settings.threads.into(),
            hash: self.settings.hash as usize,
            lines: self.settings.lines.into(),
            weakness: None,
        };
        self.job = wanted.map(|purpose| match purpose {
            Purpose::Reply(node) => {
                let weakness = self
                    .game
                    .play
                    .and_then(|play| Some(Weakness { elo: levels::elo(play.level?).ok()?, seed: play.seed }));
                let time = Duration::from_secs_f64(self.settings.move_time);
                let setup = Setup { weakness, lines: 1, ..setup };
                self.desk.reply(self.jobs, node, self.game.position_at(node), setup, time)
            }
            Purpose::Analyse(node) => {
                let time = Duration::from_secs_f64(self.settings.analysis_time);
                self.desk.analyse(self.jobs, node, self.game.position_at(node), setup, time)
            }
            Purpose::Evaluate => self.desk.evaluate(self.jobs, self.game.unjudged(), Setup { lines: 1, ..setup }),
        });
    }

    /// What the engine should be doing.
    fn wanted(&self) -> Option<Purpose> {
        if let Some(play) = self.game.play.filter(|_| self.game.is_engines_turn()) {
            return Some(Purpose::Reply(play.tip));
        }
        if self.evaluating {
            return Some(Purpose::Evaluate);
        }
        (self.analysis && self.game.position().has_legal_moves()).then_some(Purpose::Analyse(self.game.cursor))
    }

    /// What an analysis has found stays known.
    fn keep_evaluation(&mut self) {
        if let Some(job) = &self.job
            && let Purpose::Analyse(node) = job.purpose
            && let Some(evaluation) = job.findings.evaluation(job.board.side_to_move())
        {
            self.game.judge(node, evaluation);
        }
    }

    fn hear(&mut self, number: u64, event: Event) {
        let Some(purpose) = self.job.as_ref().filter(|job| job.number == number).map(|job| job.purpose) else { return };
        match event {
            Event::Waiting => self.activity = Activity::Waiting,
            Event::Running => {
                self.activity = match purpose {
                    Purpose::Reply(_) => Activity::Thinking,
                    Purpose::Analyse(_) => Activity::Analysing,
                    Purpose::Evaluate => Activity::Evaluating,
                };
            }
            Event::Reply(mv) => {
                self.job = None;
                self.activity = Activity::Idle;
                match mv.ok_or_else(|| "the engine found no move".to_owned()).and_then(|mv| self.game.engine_move(mv)) {
                    Ok(()) => {
                        self.employ(Change::Moves);
                        return self.show(Change::Moves);
                    }
                    Err(text) => {
                        self.game.play = None;
                        self.say(&Say::Note { text });
                    }
                }
            }
            Event::Evaluated { node, evaluation, done, all } => {
                self.game.judge(node, evaluation);
                return self.say(&Say::Evaluated { node, evaluation, done, all });
            }
            Event::Done => {
                self.report();
                self.keep_evaluation();
                self.activity = Activity::Idle;
                if purpose == Purpose::Evaluate {
                    self.evaluating = false;
                    self.employ(Change::Nothing);
                    return self.show(Change::Moves);
                }
            }
            Event::Problem(text) => return self.say(&Say::Note { text }),
        }
        self.show(Change::Nothing);
    }

    /// Tells what an analysis has found since the last report.
    pub(super) fn report(&mut self) {
        let Some(job) = &self.job else { return };
        let Purpose::Analyse(node) = job.purpose else { return };
        if let Some(report) = job.findings.take(&job.board) {
            self.say(&Say::Analysis { node, report });
        }
    }

    fn show(&mut self, change: Change) {
        if matches!(change, Change::Moves | Change::Game) {
            self.say(&Say::Game(self.game.view()));
        }
        if matches!(change, Change::Moves | Change::Game | Change::Cursor) {
            self.say(&Say::Position(self.game.position_view()));
        }
        let status = Say::Status {
            play: self.game.play_view(),
            analysis: self.analysis,
            evaluating: self.evaluating,
            activity: self.activity,
            settings: self.settings,
        };
        self.say(&status);
    }
}
