//! A session: handles the requests of one tab. `connection.rs` does the communication, `work.rs` manages the engine's
//! jobs.

mod work;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use chess::{Board, Move};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::task::spawn_blocking;

use super::Bounds;
use super::ask::{Ask, Format, Settings};
use super::clock::Clocks;
use super::explorer::Collection;
use super::game::{Game, read_move};
use super::job::{Desk, Errand, Event, Job};
use super::library::{Library, OwnGames};
use super::message::{Activity, LevelRow, Most, PositionView, Say};
use super::pool::Pool;
use super::review::Found;
use super::shelf::Shelf;
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
    /// The results for the positions of the game, for its review.
    found: Found,
    /// A question with its number, to be answered before anything else.
    errand: Option<(Errand, u64)>,
    library: Arc<Library>,
    own_games: Option<OwnGames>,
    own_book: Option<Shelf>,
    job: Option<Job>,
    /// The number of jobs so far; events of any but the last one are outdated.
    jobs: u64,
    activity: Activity,
    desk: Desk,
    events: UnboundedReceiver<(u64, Event)>,
    /// The messages to send next.
    outbox: Vec<String>,
    nonsense: u32,
}

/// What a request has changed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    Nothing,
    Cursor,
    Moves,
    /// The game was replaced, so all results are for another one.
    Game,
    /// The search settings.
    Search,
}

impl Session {
    pub(super) fn new(pool: Arc<Pool>, library: Arc<Library>, bounds: Bounds) -> Session {
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
            found: Found::new(),
            errand: None,
            library,
            own_games: None,
            own_book: None,
            job: None,
            jobs: 0,
            activity: Activity::Idle,
            desk: Desk::new(pool, sender),
            events,
            outbox: Vec::new(),
            nonsense: 0,
        }
    }

    /// Takes the messages to send now.
    pub(super) fn take_words(&mut self) -> Vec<String> {
        std::mem::take(&mut self.outbox)
    }

    /// Waits for an event of this session's job and handles it.
    pub(super) async fn listen(&mut self) {
        if let Some((number, event)) = self.events.recv().await {
            self.hear(number, event);
        }
    }

    pub(super) fn is_busy(&self) -> bool {
        self.job.is_some()
    }

    /// How many invalid messages came in a row.
    pub(super) fn nonsense(&self) -> u32 {
        self.nonsense
    }

    fn say(&mut self, say: &Say<'_>) {
        // Our own types can always be serialised.
        self.outbox.extend(serde_json::to_string(say));
    }

    /// Reports an invalid message.
    pub(super) fn refuse(&mut self, text: &str) {
        self.nonsense += 1;
        self.say(&Say::Refused { text });
    }

    /// Sends the first message.
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

    /// Executes a request, or reports why not.
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
                let found = chess::fen::repair(fen.trim());
                let (board, repairs) = found.map_err(|error| format!("this is no position: {error}"))?;
                self.replace(Game::new(board));
                if !repairs.is_empty() {
                    let repairs: Vec<String> = repairs.iter().map(ToString::to_string).collect();
                    self.say(&Say::Note { text: repairs.join("; ") });
                }
                return Ok(Change::Game);
            }
            Ask::Pgn { text, index } => {
                // A long text takes time, and other tabs must not wait for it.
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
            Ask::Goto { node } => return self.game.go_to(node).map(|()| Change::Cursor),
            Ask::TakeBack => self.game.take_back()?,
            Ask::Promote { node } => self.game.promote(node)?,
            Ask::Play { side, level, clock } => {
                level.map(levels::elo).transpose().map_err(|error| error.to_string())?;
                let clocks = clock.map(|times| Clocks::new(times.white, times.black, times.increment));
                self.game.begin(side.into(), level, clocks)?;
            }
            Ask::Leave => self.game.play = None,
            Ask::Resign => self.game.resign()?,
            Ask::Draw => {
                if !self.game.offer_draw()? {
                    self.say(&Say::Note { text: "Stillwater would rather play on.".into() });
                    return Ok(Change::Nothing);
                }
            }
            Ask::Annotate { node, comment, nags, shapes } => {
                self.game.annotate(node, comment.as_deref(), nags, shapes.as_deref())?;
                self.say(&Say::Game(self.game.view()));
                return Ok(Change::Nothing);
            }
            Ask::Hint { node } => return self.ask(node, Errand::Hint(node)),
            Ask::Threat { node } => return self.ask(node, Errand::Threat(node)),
            Ask::Try { node, text } => return self.try_move(node, &text),
            Ask::Why { node, text } => return self.ask(node, Errand::Why(node, self.read_move(node, &text)?)),
            Ask::Report { format } => return self.report_game(format),
            Ask::Explore { node } => return self.explore(node).await,
            Ask::Book { hex, first, last } => return self.take_book(&hex, first, last),
            Ask::Collect { text, first } => return self.collect(text, first).await,
            Ask::Analyse { on } => {
                self.analysis = on;
                return Ok(Change::Nothing);
            }
            Ask::Evaluate { on } => {
                self.evaluating = on;
                return Ok(Change::Nothing);
            }
            Ask::Preview { node, moves } => return self.preview(node, &moves),
            Ask::Export => {}
            Ask::Settings(settings) => {
                self.settings = self.bounded(settings);
                return Ok(Change::Search);
            }
        }
        Ok(Change::Moves)
    }

    /// Queues a question about a node, to be answered by a short search.
    fn ask(&mut self, node: Id, errand: Errand) -> Result<Change, String> {
        self.game.check(node)?;
        let number = self.errand.map_or(0, |(_, number)| number) + self.jobs + 1;
        self.errand = Some((errand, number));
        Ok(Change::Nothing)
    }

    fn read_move(&self, node: Id, text: &str) -> Result<Move, String> {
        read_move(&self.game.find(node)?, text)
    }

    /// Tries a move in a reviewed game, for a user looking for the better move.
    fn try_move(&mut self, node: Id, text: &str) -> Result<Change, String> {
        let mv = self.read_move(node, text)?;
        let found = self.found.get(&node).ok_or("review the game first")?;
        if found.line.first() != Some(&mv) {
            return self.ask(node, Errand::Try(node, mv));
        }
        let (uci, san, verdict) = (mv.uci(true), self.game.find(node)?.san(mv), "best");
        let evaluation = super::lines::Evaluation::of_eval(found.eval);
        self.say(&Say::Tried { node, uci, san, verdict, evaluation });
        Ok(Change::Nothing)
    }

    /// Sends the reviewed game as a text.
    fn report_game(&mut self, format: Format) -> Result<Change, String> {
        let text = self.game.main_line().report(self.game.record(), &self.found, format);
        let text = text.ok_or("review the game first")?;
        self.say(&Say::Report { format, text });
        Ok(Change::Nothing)
    }

    /// Sends what books, games and tables contain about a position. Files are read, and other tabs must not wait for
    /// that.
    async fn explore(&mut self, node: Id) -> Result<Change, String> {
        let (position, library) = (self.game.find(node)?, Arc::clone(&self.library));
        let own = self.own_games.clone();
        let book = self.own_book.as_ref().and_then(Shelf::book);
        let looking = spawn_blocking(move || library.facts(&position, own.as_ref(), book.as_deref()));
        let facts = looking.await.map_err(|error| error.to_string())?;
        self.say(&Say::Explored { node, facts });
        Ok(Change::Nothing)
    }

    /// Receives a part of a book.
    fn take_book(&mut self, hex: &str, first: bool, last: bool) -> Result<Change, String> {
        if first {
            self.own_book = None;
        }
        let shelf = self.own_book.get_or_insert_with(|| Shelf::new(Arc::clone(&self.library.room)));
        let found = shelf.add(hex).and_then(|()| if last { shelf.finish().map(Some) } else { Ok(None) });
        match found {
            Ok(Some(book)) => self.say(&Say::Book { moves: book.len(), positions: book.positions() }),
            Ok(None) => {}
            Err(reason) => {
                self.own_book = None;
                return Err(reason);
            }
        }
        Ok(Change::Nothing)
    }

    /// Adds games to the explorer.
    async fn collect(&mut self, text: String, first: bool) -> Result<Change, String> {
        if first {
            self.own_games = None;
        }
        let room = &self.library.room;
        let games = self.own_games.get_or_insert_with(|| Arc::new(Mutex::new(Collection::new(Arc::clone(room)))));
        let games = Arc::clone(games);
        let adding = spawn_blocking(move || {
            let mut games = games.lock().unwrap_or_else(PoisonError::into_inner);
            games.add(&text);
            Say::Collected { games: games.games, left_out: games.left_out, is_full: games.is_full }
        });
        let told = adding.await.map_err(|error| error.to_string())?;
        self.say(&told);
        Ok(Change::Nothing)
    }

    /// Handles what happens without a request: a flag that falls.
    pub(super) fn tick(&mut self) {
        if self.game.look_at_clocks() {
            self.employ(Change::Moves);
            self.show(Change::Moves);
        }
    }

    fn replace(&mut self, game: Game) {
        self.job = None;
        self.errand = None;
        self.found.clear();
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

    fn preview(&mut self, node: Id, moves: &[String]) -> Result<Change, String> {
        let mut position = self.game.find(node)?;
        let mut boards = Vec::new();
        for text in moves.iter().take(LONGEST_PREVIEW) {
            let mv = position.parse_uci(text).map_err(|error| error.to_string())?;
            position.play(mv);
            boards.push(PositionView::to_look_at(node, &position, mv));
        }
        self.say(&Say::Preview { node, moves, boards });
        Ok(Change::Nothing)
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
            finished: self.game.finished_view(),
            analysis: self.analysis,
            evaluating: self.evaluating,
            activity: self.activity,
            settings: self.settings,
        };
        self.say(&status);
    }
}
