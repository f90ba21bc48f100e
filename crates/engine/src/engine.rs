//! The engine's interface: options, a hash table that lasts, and one blocking call that searches.

use std::fmt;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use chess::{Board, Move, Position};
use nnue::{Network, NetworkError};

use crate::chances::{HAND, NETWORK, Scale};
use crate::control::Control;
use crate::eval;
use crate::handicap::{self, Handicap};
use crate::limits::Limits;
use crate::memory;
use crate::report::{Bound, Reporter};
use crate::result::{PvLine, SearchResult};
use crate::score::{self, SearchScore};
use crate::search::abdada::Abdada;
use crate::search::root::{RootMove, add_reply};
use crate::search::worker::{Counter, Memory, Shared};
use crate::tablebase::{Kbnk, Tablebases, Wdl};
use crate::threads::{on_search_stack, run};
use crate::time::{Budget, Lag};
use crate::tt::Table;

/// Settings that last from search to search.
#[derive(Clone, Debug)]
pub struct Options {
    /// How many threads search.
    pub threads: usize,
    /// How many lines are found.
    pub multi_pv: usize,
    /// Time lost between the engine and the clock, for each move.
    pub move_overhead: Duration,
    /// Nodes that count as a millisecond, if time is measured in nodes.
    pub nodes_time: Option<u64>,
    /// Play like a player of this rating.
    pub elo: Option<u16>,
    /// The seed of a weaker player's errors; if none, every game has its own.
    pub seed: Option<u64>,
    /// Probe tablebases at this remaining depth and above.
    pub syzygy_probe_depth: i32,
    /// Probe only positions with at most this many pieces.
    pub syzygy_probe_limit: usize,
    /// Whether tablebase results respect the fifty-move rule.
    pub syzygy_50_move_rule: bool,
    /// Solve king, bishop and knight against king at the root (about 60 ms once, 2.5 MB) instead of searching it.
    pub solve_endings: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            threads: 1,
            multi_pv: 1,
            move_overhead: Duration::from_millis(10),
            nodes_time: None,
            elo: None,
            seed: None,
            syzygy_probe_depth: 1,
            syzygy_probe_limit: 7,
            syzygy_50_move_rule: true,
            solve_endings: true,
        }
    }
}

/// Why the engine could not do what was asked. Nothing has changed then.
#[derive(Debug)]
#[non_exhaustive]
pub enum EngineError {
    /// There is not enough memory.
    Memory {
        /// The megabytes asked for.
        megabytes: usize,
        /// The megabytes available, if the system reports them.
        available: Option<usize>,
    },
    /// The saved hash table could not be read.
    Io(io::Error),
    /// The file is not a hash table that can be loaded.
    HashFile(&'static str),
    /// A network could not be read.
    Network {
        /// In which file.
        path: PathBuf,
        /// Why not.
        source: NetworkError,
    },
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineError::Memory { megabytes, available: None } => write!(f, "cannot get {megabytes} MB of memory"),
            EngineError::Memory { megabytes, available: Some(available) } => {
                write!(f, "cannot get {megabytes} MB of memory, only {available} MB are free")
            }
            EngineError::Io(_) => f.write_str("cannot read the hash table"),
            EngineError::HashFile(reason) => f.write_str(reason),
            EngineError::Network { path, .. } => write!(f, "cannot use the network {}", path.display()),
        }
    }
}

impl std::error::Error for EngineError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            EngineError::Io(source) => Some(source),
            EngineError::Network { source, .. } => Some(source),
            EngineError::Memory { .. } | EngineError::HashFile(_) => None,
        }
    }
}

/// A chess engine.
pub struct Engine {
    /// Settings; change them between searches.
    pub options: Options,
    table: Table,
    tablebases: Tablebases,
    network: Option<Arc<Network>>,
    memories: Vec<Memory>, // one for each thread
    /// A random number for each game: the seed of a weaker player's errors.
    game_seed: u64,
    /// The rating and the seed of the last search. If they change, what was learned must be forgotten.
    judged_as: Option<(u16, u64)>,
    /// How long threads wait for the processor on this machine.
    lag: Lag,
    /// Why threads of the last search failed.
    failures: Vec<String>,
    /// Move ordering statistics of all searches so far.
    #[cfg(feature = "stats")]
    pub stats: crate::search::stats::Stats,
}

/// The default size of the hash table, in megabytes.
const DEFAULT_HASH: usize = 16;

impl Engine {
    /// An engine with a small hash table (16 MB) and the network it was built with, if any.
    #[must_use]
    pub fn new() -> Engine {
        let table = Table::new(DEFAULT_HASH).unwrap_or_else(|error| unreachable!("{error}"));
        Engine {
            options: Options::default(),
            table,
            tablebases: Tablebases::default(),
            network: eval::embedded(),
            memories: Vec::new(),
            game_seed: random_word(),
            judged_as: None,
            lag: Lag::default(),
            failures: Vec::new(),
            #[cfg(feature = "stats")]
            stats: Default::default(),
        }
    }

    /// The nodes that were logged since this was last asked.
    #[cfg(feature = "log")]
    pub fn take_log(&mut self) -> Vec<crate::LoggedNode> {
        self.memories.iter_mut().flat_map(|memory| memory.log.take()).collect()
    }

    /// Forgets everything learned.
    pub fn new_game(&mut self) {
        self.clear_hash();
        self.forget();
        self.game_seed = random_word();
    }

    /// Forgets what the threads have learned, but keeps their memory.
    fn forget(&mut self) {
        self.memories.iter_mut().for_each(|memory| *memory = Memory::new());
    }

    /// Sets the number of threads and allocates their memory at once. If there is not enough, nothing changes.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), EngineError> {
        let more = threads.saturating_sub(self.memories.len()) as u64;
        let needed = more.saturating_mul(THREAD_MEMORY);
        if let Some(available) = memory::available().filter(|&available| needed > available) {
            let megabytes = |bytes: u64| (bytes >> 20) as usize;
            return Err(EngineError::Memory { megabytes: megabytes(needed), available: Some(megabytes(available)) });
        }
        self.options.threads = threads;
        self.make_ready();
        Ok(())
    }

    /// Allocates all the memory that the next search needs, so that it costs no thinking time.
    pub fn make_ready(&mut self) {
        self.memories.truncate(self.options.threads.max(1));
        self.memories.resize_with(self.options.threads.max(1), Memory::new);
        self.memories.iter_mut().for_each(|memory| memory.equip(self.network.as_ref()));
    }

    /// Clears the hash table only.
    pub fn clear_hash(&mut self) {
        self.table.clear(self.options.threads);
    }

    /// Resizes the hash table and clears it. If there is not enough memory, the old one stays.
    pub fn set_hash(&mut self, megabytes: usize) -> Result<(), EngineError> {
        self.table.resize(megabytes)
    }

    /// Writes the hash table.
    pub fn save_hash(&self, output: &mut dyn Write) -> io::Result<()> {
        self.table.save(output)
    }

    /// Reads a hash table, and its size, as written by [`save_hash`](Self::save_hash); `length` is that of the input.
    pub fn load_hash(&mut self, input: &mut dyn Read, length: u64) -> Result<(), EngineError> {
        self.table = Table::load(input, length)?;
        Ok(())
    }

    /// Opens the Syzygy tables in these directories, separated by `;` or, except on Windows, `:`, and closes those open
    /// before; an empty path opens none. Returns messages for the user: what was found, and which files or directories
    /// could not be used.
    pub fn set_syzygy_path(&mut self, path: &str) -> Vec<String> {
        let (tablebases, messages) = Tablebases::open(path);
        self.tablebases = tablebases;
        messages
    }

    /// The tablebases that are open.
    #[must_use]
    pub fn tablebases(&self) -> &Tablebases {
        &self.tablebases
    }

    /// The network that evaluates; without one, the hand-crafted evaluation does.
    #[must_use]
    pub fn network(&self) -> Option<&Arc<Network>> {
        self.network.as_ref()
    }

    /// Evaluates with this network from now on, or with the hand-crafted evaluation. Forgets what was learned.
    pub fn set_network(&mut self, network: Option<Arc<Network>>) {
        self.network = network;
        self.new_game();
    }

    /// Evaluates with the network in this file from now on. If it cannot be used, nothing changes.
    pub fn load_network(&mut self, path: &Path) -> Result<(), EngineError> {
        let network = Network::read(path).map_err(|source| EngineError::Network { path: path.to_owned(), source })?;
        self.set_network(Some(Arc::new(network)));
        Ok(())
    }

    /// How scores of this board are shown and what chances they mean, with the evaluation in use.
    #[must_use]
    pub fn scale(&self, board: &Board) -> Scale {
        Scale::new(if self.network.is_some() { NETWORK } else { HAND }, board)
    }

    /// Searches a position until a limit is reached or `control` stops it, and returns the result. Infinite and ponder
    /// searches return only when released, however early they are done. The size of the caller's stack does not matter.
    pub fn search(
        &mut self,
        position: &Position,
        limits: &Limits,
        control: &Control,
        reporter: &mut dyn Reporter,
    ) -> SearchResult {
        let result = on_search_stack(|| self.think(position, limits, control, reporter));
        for failure in self.failures.drain(..) {
            reporter.note(&format!("a thread of the search has failed ({failure}); the best move found so far counts"));
        }
        while let Some(problem) = self.tablebases.take_problem() {
            reporter.note(&problem);
        }
        control.wait_for_release(limits);
        result
    }

    fn think(
        &mut self,
        position: &Position,
        asked: &Limits,
        control: &Control,
        reporter: &mut dyn Reporter,
    ) -> SearchResult {
        let budget = Budget::new(asked, &self.options, &self.lag);
        let handicap = self.handicap(position);
        let (root_moves, in_tables) = self.root_moves(position, asked, handicap);
        if root_moves.is_empty() {
            let score = if position.in_check() { score::mated_in(0) } else { score::DRAW };
            return self.without_search(position, score, Vec::new());
        }
        if handicap.is_some()
            && let Some(mate) = handicap::mate_at_hand(position, &root_moves)
        {
            return self.without_search(position, score::mate_in(mate.len()), mate);
        }
        let limits = &match handicap {
            Some(handicap) => Limits {
                nodes: Some(asked.nodes.unwrap_or(u64::MAX).min(handicap.nodes)),
                depth: Some(asked.depth.unwrap_or(i32::MAX).min(handicap.depth)),
                ..asked.clone()
            },
            None => asked.clone(),
        };
        self.table.grow_older();
        self.memories.resize_with(self.options.threads.max(1), Memory::new);
        let threads = if budget.is_worth_sharing() { self.memories.len() } else { 1 };
        let tb_limit = self.tablebases.max_pieces().min(self.options.syzygy_probe_limit);
        let shared = Shared {
            table: &self.table,
            tablebases: &self.tablebases,
            // The hand-crafted evaluation can drive a lone king to the edge.
            network: self.network.as_ref().filter(|_| !handicap.is_some_and(|handicap| handicap.is_technique())),
            noise: handicap.and_then(|handicap| handicap.noise),
            tb_limit: if in_tables || handicap.is_some() { 0 } else { tb_limit },
            control,
            limits,
            options: &self.options,
            lines: self.options.multi_pv.max(if handicap.is_some() { handicap::LINES } else { 1 }),
            budget,
            lag: &self.lag,
            enough: AtomicBool::new(false),
            over: AtomicBool::new(false),
            abdada: Abdada::new(threads),
            counters: (0..threads).map(|_| Counter::default()).collect(),
            root_hits: if in_tables { root_moves.len() as u64 } else { 0 },
            scale: self.scale(position.board()),
        };
        let mut found =
            run(&shared, &mut self.memories[..threads], position, &root_moves, reporter, &mut self.failures);
        if let Some(handicap) = handicap {
            let choice = handicap.choose(&found.lines, position.key());
            found.lines[..=choice].rotate_right(1);
        }
        found.lines.truncate(self.options.multi_pv.max(1));
        add_reply(position, &mut found.lines[0].moves, &self.table);
        let result = shared.result(found.lines);
        #[cfg(feature = "stats")]
        self.stats.merge(&found.stats);
        result
    }

    /// The result of a game that is over, or of a mate that was found without search.
    fn without_search(&self, position: &Position, score: i32, moves: Vec<Move>) -> SearchResult {
        let (scale, score) = (self.scale(position.board()), SearchScore::new(score));
        let best = PvLine {
            score: scale.show(score),
            search_score: score,
            bound: Bound::Exact,
            wdl: if score.units() == score::DRAW { [0, 1000, 0] } else { scale.wdl(score) },
            depth: moves.len() as i32,
            seldepth: moves.len(),
            moves,
        };
        let nodes = best.moves.len() as u64;
        SearchResult { best, others: Vec::new(), nodes, hashfull: 0, tb_hits: 0, time: Duration::ZERO }
    }

    /// How weakly to play this position. Forgets what was learned with another rating or seed.
    fn handicap(&mut self, position: &Position) -> Option<Handicap> {
        let seed = self.options.seed.unwrap_or(self.game_seed);
        let judged_as = self.options.elo.map(|elo| (elo, seed));
        if judged_as != self.judged_as {
            self.judged_as = judged_as;
            self.clear_hash();
            self.forget();
        }
        let (elo, seed) = judged_as?;
        Some(Handicap::new(elo, seed, position.board()))
    }

    /// The moves to search, ranked by the tablebases, and whether DTZ tables ranked them.
    fn root_moves(&self, position: &Position, limits: &Limits, handicap: Option<Handicap>) -> (Vec<RootMove>, bool) {
        let legal = position.legal_moves();
        let wanted = |mv: &&Move| limits.search_moves.contains(mv);
        let chosen: Vec<Move> = legal.iter().filter(wanted).copied().collect();
        let moves = if chosen.is_empty() { legal.to_vec() } else { chosen };
        let mut root_moves: Vec<RootMove> = moves.into_iter().map(RootMove::new).collect();
        let few = position.occupied().len() <= self.options.syzygy_probe_limit;
        let rule = self.options.syzygy_50_move_rule;
        // A weaker player mates as well as any, but does not know other endings by heart.
        let is_able = handicap.is_none_or(|handicap| handicap.is_technique());
        let solved = (is_able && self.options.solve_endings).then(|| Kbnk::at_root(position, limits)).flatten();
        let ranks = solved.and_then(|kbnk| kbnk.rank_root(position, rule));
        let ranks = ranks.or_else(|| if few && is_able { self.tablebases.rank_root(position, rule) } else { None });
        let Some(ranks) = ranks else { return (root_moves, false) };
        for root_move in &mut root_moves {
            if let Some((_, rank)) = ranks.iter().find(|(mv, _)| *mv == root_move.mv) {
                root_move.tb_order = rank.order;
                root_move.tb_score = Some(match rank.outcome {
                    Wdl::Win => score::TB_WIN,
                    Wdl::CursedWin => score::DRAW + 1,
                    Wdl::Draw => score::DRAW,
                    Wdl::BlessedLoss => score::DRAW - 1,
                    Wdl::Loss => -score::TB_WIN,
                });
            }
        }
        root_moves.sort_by_key(|root_move| -root_move.tb_order);
        let by_dtz = ranks.iter().all(|(_, rank)| rank.dtz.is_some());
        (root_moves, by_dtz)
    }
}

impl Default for Engine {
    fn default() -> Engine {
        Engine::new()
    }
}

/// A number that differs from call to call and from run to run: the standard library seeds its hash maps this way.
fn random_word() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(0)
}

/// The most memory that a thread takes, in bytes: histories, corrections, accumulators, and stack in use.
const THREAD_MEMORY: u64 = 12 << 20;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Silent;

    #[derive(Default)]
    struct Notes(Vec<String>);

    impl Reporter for Notes {
        fn progress(&mut self, _: &SearchResult) {}

        fn note(&mut self, text: &str) {
            self.0.push(text.to_owned());
        }
    }

    #[test]
    fn a_thread_that_panics_loses_no_game() {
        let limits = Limits { nodes: Some(30_000), ..Limits::default() };
        let position = Position::start();
        for (threads, failing) in [(1, 0), (3, 0), (3, 1), (3, 2)] {
            let mut engine = Engine::new();
            engine.options.threads = threads;
            let (control, mut notes) = (Control::new(), Notes::default());
            control.failing.set(failing).expect("set once");
            let found = engine.search(&position, &limits, &control, &mut notes);
            assert!(found.best_move().is_some_and(|mv| position.is_playable(mv)), "{threads} {failing}");
            assert!(notes.0.len() == 1 && notes.0[0].contains("told to fail"), "{:?}", notes.0);
            let found = engine.search(&position, &limits, &Control::new(), &mut Silent);
            assert!(found.best.depth > 3, "the engine is as it was");
        }
    }

    #[test]
    fn threads_take_their_memory_when_they_are_set() {
        let mut engine = Engine::new();
        engine.set_threads(3).expect("memory for three");
        assert_eq!((engine.memories.len(), engine.options.threads), (3, 3));
        engine.new_game();
        assert_eq!(engine.memories.len(), 3, "it is kept");
        if memory::available().is_some() {
            let error = engine.set_threads(1 << 40).expect_err("a billion threads");
            assert!(error.to_string().contains("are free"), "{error}");
        }
        assert_eq!(engine.options.threads, 3);
    }
}
