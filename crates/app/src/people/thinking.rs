//! One search and what it found, kept for whoever wants to show it.

use std::thread;
use std::time::Duration;

use chess::{Move, Position};
use engine::{BestMove, Bound, Control, Engine, Info, Limits, Reporter};

/// The search is recursive, and deep.
const STACK: usize = 64 << 20;

/// Does something that searches, with enough stack for it. None if there is no thread to be had.
pub(crate) fn with_stack<T: Send>(work: impl FnOnce() -> T + Send) -> anyhow::Result<T> {
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work)?;
        thread.join().map_err(|_| anyhow::anyhow!("a search has ended unexpectedly"))
    })
}

/// One of the lines that a search found.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    /// For the side to move, in the engine's units.
    pub(crate) score: i32,
    /// Whether the score is exact.
    pub(crate) bound: Bound,
    /// Chances of win, draw and loss per mille, for the side to move.
    pub(crate) wdl: [u16; 3],
    /// The iteration it comes from.
    pub(crate) depth: i32,
    /// The deepest ply looked at.
    pub(crate) seldepth: usize,
    /// The moves, legal to the end.
    pub(crate) moves: Vec<Move>,
}

/// What a search found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Findings {
    /// The best first; none if the game is over.
    pub(crate) lines: Vec<Line>,
    /// Nodes visited.
    pub(crate) nodes: u64,
    /// How long it took.
    pub(crate) time: Duration,
    /// How full the hash table is, per mille.
    pub(crate) hashfull: usize,
    /// What the engine wanted a person to know.
    pub(crate) notes: Vec<String>,
}

impl Findings {
    /// The best line.
    pub(crate) fn best(&self) -> Option<&Line> {
        self.lines.first()
    }

    /// Nodes for each second.
    pub(crate) fn speed(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-6)) as u64
    }
}

/// Somebody who is shown what is known so far, now and then.
pub(crate) trait Watcher: Send {
    /// What is known so far.
    fn look(&mut self, findings: &Findings);
}

/// Watches nothing.
impl Watcher for () {
    fn look(&mut self, _: &Findings) {}
}

/// Collects what a search tells.
struct Collector<'a, W> {
    findings: Findings,
    /// The last word on the best line, exact or not.
    latest: Option<Line>,
    watcher: &'a mut W,
}

impl<W: Watcher> Reporter for Collector<'_, W> {
    fn info(&mut self, info: &Info) {
        let findings = &mut self.findings;
        (findings.nodes, findings.time, findings.hashfull) = (info.nodes, info.time, info.hashfull);
        if info.pv.is_empty() {
            return;
        }
        let line = Line {
            score: info.score,
            bound: info.bound,
            wdl: info.wdl,
            depth: info.depth,
            seldepth: info.seldepth,
            moves: info.pv.clone(),
        };
        if info.multipv == 1 {
            self.latest = Some(line.clone());
        }
        if info.bound == Bound::Exact {
            findings.lines.truncate(info.multipv.saturating_sub(1));
            findings.lines.push(line);
            self.watcher.look(&self.findings);
        }
    }

    fn note(&mut self, text: &str) {
        self.findings.notes.push(text.to_owned());
    }
}

/// Searches, and keeps what was found.
pub(crate) fn search(
    engine: &mut Engine,
    position: &Position,
    limits: &Limits,
    control: &Control,
    watcher: &mut impl Watcher,
) -> (BestMove, Findings) {
    let mut collector = Collector { findings: Findings::default(), latest: None, watcher };
    let answer = engine.search(position, limits, control, &mut collector);
    let Collector { mut findings, latest, .. } = collector;
    findings.nodes = answer.nodes.max(findings.nodes);
    // The search ended between a move that turned out better and the proof of how much.
    let first = |line: &Line| line.moves.first().copied();
    if answer.best.is_some() && findings.best().and_then(first) != answer.best {
        findings.lines.retain(|line| first(line) != answer.best);
        let line = latest.filter(|line| first(line) == answer.best).unwrap_or_else(|| Line {
            score: answer.score,
            bound: Bound::Exact,
            wdl: engine::score::win_draw_loss(answer.score),
            depth: 1,
            seldepth: 1,
            moves: answer.best.into_iter().chain(answer.ponder).collect(),
        });
        findings.lines.insert(0, line);
    }
    (answer, findings)
}
