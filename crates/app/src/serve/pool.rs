//! A pool of a few engines for many boards.
//!
//! Each search borrows an engine and returns it. Requests are served in order; a long search is cut short when others
//! have waited for a while, and queues again. So the number of engines bounds the memory however many boards are open,
//! and no board waits forever.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use chess::Position;
use engine::{Control, Engine, Limits, Reporter, SearchResult};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::{self, JoinHandle};
use tokio::time::sleep;

/// The engine pool.
pub(super) struct Pool {
    /// Idle engines, the longest unused first. Engines are created on demand.
    idle: Mutex<Vec<Used>>,
    places: Arc<Semaphore>,
    waiting: AtomicUsize,
    /// The path of the tablebases.
    syzygy: String,
}

/// An engine, and the session it last searched for.
struct Used {
    engine: Engine,
    by: Option<(u64, Option<Weakness>)>, // session and how it played
    hash: usize,
}

/// The settings of a search.
#[derive(Clone)]
pub(super) struct Setup {
    pub(super) session: u64,
    pub(super) threads: usize,
    pub(super) hash: usize, // megabytes
    pub(super) lines: usize,
    pub(super) weakness: Option<Weakness>,
}

/// How a weaker player plays: its rating, and the seed of its errors, so that it stays the same player all game
/// whichever engine it gets.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Weakness {
    pub(super) elo: u16,
    pub(super) seed: u64,
}

/// How a search ended.
pub(super) struct Ended {
    pub(super) found: SearchResult,
    /// It was cut short because others were waiting.
    pub(super) gave_way: bool,
    /// What could not be done as requested.
    pub(super) problem: Option<String>,
}

impl Pool {
    pub(super) fn new(engines: usize, syzygy: String) -> Arc<Pool> {
        Arc::new(Pool {
            idle: Mutex::default(),
            places: Arc::new(Semaphore::new(engines)),
            waiting: AtomicUsize::new(0),
            syzygy,
        })
    }

    /// Waits for an engine.
    pub(super) async fn take(self: &Arc<Pool>, setup: Setup) -> Seat {
        let waiting = Waiting::new(&self.waiting);
        let permit = Arc::clone(&self.places).acquire_owned().await.ok();
        drop(waiting);
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        // The engine that already searched this game is best, then the longest unused one.
        let own = idle.iter().position(|used| used.by.is_some_and(|(session, _)| session == setup.session));
        let used = if idle.is_empty() { None } else { Some(idle.remove(own.unwrap_or(0))) };
        drop(idle);
        Seat { used, setup, pool: Arc::clone(self), _permit: permit }
    }

    /// Whether a new request would have to wait.
    pub(super) fn is_busy(&self) -> bool {
        self.places.available_permits() == 0
    }

    /// How long a search may continue before it gives way to those waiting; none if there are none.
    fn patience(&self) -> Option<Duration> {
        let waiting = u32::try_from(self.waiting.load(Ordering::Relaxed)).unwrap_or(u32::MAX);
        (waiting > 0).then(|| (LONGEST_TURN / waiting).max(SHORTEST_TURN))
    }
}

const LONGEST_TURN: Duration = Duration::from_secs(2);
const SHORTEST_TURN: Duration = Duration::from_millis(200);

/// Counts a waiting request, even if it is dropped.
struct Waiting<'a>(&'a AtomicUsize);

impl<'a> Waiting<'a> {
    fn new(count: &'a AtomicUsize) -> Waiting<'a> {
        count.fetch_add(1, Ordering::Relaxed);
        Waiting(count)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A borrowed engine.
pub(super) struct Seat {
    used: Option<Used>,
    setup: Setup,
    pool: Arc<Pool>,
    // Released after the engine: `drop` returns the engine before the fields are dropped.
    _permit: Option<OwnedSemaphorePermit>,
}

impl Drop for Seat {
    fn drop(&mut self) {
        // After a panic the engine is discarded; the next request creates a new one.
        if let Some(used) = self.used.take().filter(|_| !std::thread::panicking()) {
            self.pool.idle.lock().unwrap_or_else(PoisonError::into_inner).push(used);
        }
    }
}

impl Seat {
    /// Searches on a thread of its own. If this future is dropped, the search stops. `guard` is held until the search
    /// has ended and the engine is returned.
    pub(super) async fn search(
        self,
        position: Position,
        limits: Limits,
        mut reporter: impl Reporter + 'static,
        guard: impl Send + 'static,
    ) -> Option<Ended> {
        let (pool, control) = (Arc::clone(&self.pool), StopOnDrop::default());
        let (mut gave_way, mut spent) = (false, Duration::ZERO);
        let work =
            move |engine: &mut Engine, control: &Control| engine.search(&position, &limits, control, &mut reporter);
        let mut search = self.begin(&control, work, guard);
        let (found, problem) = loop {
            tokio::select! {
                result = &mut search => break result.ok()?,
                () = sleep(SHORTEST_TURN) => {
                    spent += SHORTEST_TURN;
                    if pool.patience().is_some_and(|patience| spent >= patience) {
                        gave_way = true;
                        control.0.stop();
                    }
                }
            }
        };
        Some(Ended { found, gave_way, problem })
    }

    /// Lends the engine to `work`, on a thread of its own, for any number of searches. If this future is dropped, they
    /// are called off.
    pub(super) async fn lend<T: Send + 'static>(
        self,
        work: impl FnOnce(&mut Engine, &Control) -> T + Send + 'static,
        guard: impl Send + 'static,
    ) -> Option<T> {
        let control = StopOnDrop::default();
        self.begin(&control, work, guard).await.ok().map(|(answer, _)| answer)
    }

    /// Starts work with the engine; returns its result, and what could not be done as requested.
    fn begin<T: Send + 'static>(
        mut self,
        control: &StopOnDrop,
        work: impl FnOnce(&mut Engine, &Control) -> T + Send + 'static,
        guard: impl Send + 'static,
    ) -> JoinHandle<(T, Option<String>)> {
        let control = Arc::clone(&control.0);
        task::spawn_blocking(move || {
            let (engine, problem) = self.prepare();
            let answer = work(engine, &control);
            drop(self);
            drop(guard);
            (answer, problem)
        })
    }

    /// The engine, set up as requested. State left by another game or level is cleared, so a weak level stays weak.
    fn prepare(&mut self) -> (&mut Engine, Option<String>) {
        let setup = &self.setup;
        let used = self.used.get_or_insert_with(|| {
            let mut engine = Engine::new();
            // Messages about the tables were printed when the server started.
            let _ = engine.set_syzygy_path(&self.pool.syzygy);
            Used { engine, by: None, hash: 0 }
        });
        let mut problem = None;
        if used.hash != setup.hash {
            match used.engine.set_hash(setup.hash) {
                Ok(()) => used.hash = setup.hash,
                Err(error) => problem = Some(format!("{error}; the hash table keeps its size")),
            }
        }
        used.engine.options.threads = setup.threads;
        used.engine.options.multi_pv = setup.lines;
        used.engine.options.elo = setup.weakness.map(|weakness| weakness.elo);
        used.engine.options.seed = setup.weakness.map(|weakness| weakness.seed);
        let by = Some((setup.session, setup.weakness));
        if std::mem::replace(&mut used.by, by) != by {
            used.engine.new_game();
        }
        (&mut used.engine, problem)
    }
}

#[derive(Default)]
struct StopOnDrop(Arc<Control>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}
