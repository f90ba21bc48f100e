//! Detects when the machine stood still, and decides whether that is why a move came late. When the host of a virtual
//! machine takes its processors away, the chess clocks run on but no engine can answer.
//!
//! The standard is proof, not excuse. A busy machine is no excuse, since an engine has to live with its own threads. So
//! `watch` puts a real-time thread on each core, and only a stall of all cores of a game at once counts.

mod log;
mod steal;
mod watch;

use std::time::{Duration, Instant};

pub use log::StallReport;
pub use watch::Watch;

/// Anything shorter is not called a stall.
pub const SHORTEST: Duration = Duration::from_millis(5);

/// The move must come this soon after the stall. An engine that ran for longer had time to check the clock, so the
/// delay is its own fault.
const REACTION: Duration = Duration::from_millis(20);

/// A span of time in which one core stood still.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stall {
    /// The core.
    pub core: usize,
    /// The earliest time at which it is known to have stood still.
    pub from: Instant,
    /// When it ran again.
    pub to: Instant,
}

/// A source of recorded stalls.
pub trait StallSource: Send + Sync {
    /// The cores that are watched.
    fn cores(&self) -> Vec<usize>;

    /// All stalls that overlap this span of time. Waits until the watchers have seen the whole span.
    fn stalls(&self, since: Instant, until: Instant) -> Vec<Stall>;
}

/// How late a move came, and how long the machine stood still during it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Lateness {
    /// From the fall of the flag to the arrival of the move.
    pub by: Duration,
    /// The longest stall of all cores at once.
    pub machine: Duration,
    /// The longest stall of a single core.
    pub core: Duration,
    /// Whether the stall of the machine explains the delay.
    pub excused: bool,
}

impl Lateness {
    /// A late move on a machine without a watch.
    pub(crate) fn unwatched(by: Duration) -> Lateness {
        Lateness { by, ..Lateness::default() }
    }

    /// Judges a move that was requested at `start`, had to arrive by `flag` and arrived at `answer`, given the stalls
    /// of the game's cores. A stall of all cores at once excuses it if the stall is at least as long as the delay and
    /// the move followed it promptly: without the stall, the move would have been in time.
    pub(crate) fn judge(stalls: &[Stall], cores: &[usize], start: Instant, flag: Instant, answer: Instant) -> Lateness {
        let by = answer.saturating_duration_since(flag);
        let within = |from: Instant, to: Instant| to.min(answer).saturating_duration_since(from.max(start));
        let own = stalls.iter().filter(|stall| cores.contains(&stall.core));
        let core = own.map(|stall| within(stall.from, stall.to)).max().unwrap_or_default();
        let common = common(stalls, cores);
        let machine = common.iter().map(|&(from, to)| within(from, to)).max().unwrap_or_default();
        let excused =
            common.iter().any(|&(from, to)| within(from, to) >= by && answer.saturating_duration_since(to) <= REACTION);
        Lateness { by, machine, core, excused: excused && !by.is_zero() }
    }

    /// A remark on stalls, to append to the reason of a time forfeit.
    pub(crate) fn remark(&self) -> String {
        match (self.machine, self.core) {
            (Duration::ZERO, Duration::ZERO) => String::new(),
            (Duration::ZERO, core) => format!("; a core stood still for {:.1} ms", milliseconds(core)),
            (machine, _) => format!("; the machine stood still for {:.1} ms", milliseconds(machine)),
        }
    }
}

pub(crate) fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// The spans of time in which all the given cores stood still at once.
fn common(stalls: &[Stall], cores: &[usize]) -> Vec<(Instant, Instant)> {
    let of_core =
        |core: usize| stalls.iter().filter(move |stall| stall.core == core).map(|stall| (stall.from, stall.to));
    let Some((&first, others)) = cores.split_first() else { return Vec::new() };
    others.iter().fold(of_core(first).collect(), |times: Vec<_>, &core| {
        let meet = |&(from, to): &(Instant, Instant)| {
            of_core(core).map(move |other| (from.max(other.0), to.min(other.1))).filter(|(from, to)| from < to)
        };
        times.iter().flat_map(meet).collect()
    })
}

/// The stall source a game consults, and the cores it asks about.
#[derive(Clone, Copy)]
pub(crate) struct Witness<'a> {
    /// The source of stalls.
    pub source: &'a dyn StallSource,
    /// The cores the game is bound to; none if it may use all.
    pub cores: Option<&'a [usize]>,
    /// Whether a stall may still void the game; the number of replays is limited.
    pub may_void: bool,
}

impl Witness<'_> {
    /// Judges a move that came too late.
    pub(crate) fn judge(&self, start: Instant, flag: Instant, answer: Instant) -> Lateness {
        let all = self.source.cores();
        let stalls = self.source.stalls(start, answer);
        let lateness = Lateness::judge(&stalls, self.cores.unwrap_or(&all), start, flag, answer);
        Lateness { excused: lateness.excused && self.may_void, ..lateness }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Stalls as core, begin and end in milliseconds after the `go`; the flag falls after 100 ms.
    fn judge(stalls: &[(usize, u64, u64)], cores: &[usize], answer: u64) -> Lateness {
        // Start in the future: an `Instant` cannot go back before the clock's own beginning.
        let start = Instant::now() + Duration::from_secs(1);
        let at = |ms: u64| start + Duration::from_millis(ms);
        let stalls: Vec<_> =
            stalls.iter().map(|&(core, from, to)| Stall { core, from: at(from), to: at(to) }).collect();
        Lateness::judge(&stalls, cores, start, at(100), at(answer))
    }

    #[test]
    fn only_a_stall_that_explains_it_excuses_a_late_move() {
        let both = |from, to| [(0, from, to), (1, from, to)];
        for (stalls, answer, excused, why) in [
            (both(60, 180), 185, true, "the machine stood still while the flag fell"),
            (both(40, 98), 102, true, "it stood still until there was no time left"),
            (both(60, 180), 240, false, "the engine ran for 60 ms more"),
            (both(0, 60), 110, false, "the engine had 40 ms left"),
            (both(110, 130), 135, false, "it is shorter than the move is late"),
            (both(200, 300), 150, false, "it came after the move"),
        ] {
            assert_eq!(judge(&stalls, &[0, 1], answer).excused, excused, "{why}");
        }
        assert!(!judge(&[], &[0, 1], 150).excused && !judge(&both(60, 180), &[], 185).excused);
    }

    #[test]
    fn all_cores_of_the_game_must_stand_still_at_once() {
        let stalls = [(0, 60, 180), (1, 170, 182)];
        let found = judge(&stalls, &[0, 1], 185);
        assert_eq!((found.excused, found.machine.as_millis(), found.core.as_millis()), (false, 10, 120));
        assert_eq!(found.remark(), "; the machine stood still for 10.0 ms");
        assert!(judge(&stalls, &[0], 185).excused, "the game has this core alone");
        assert!(!judge(&stalls, &[1], 185).excused);
        let single = judge(&[(0, 60, 180)], &[0, 1], 185);
        assert_eq!(single.remark(), "; a core stood still for 120.0 ms");
        assert!(!single.excused, "the engine may have been on the other");
        assert_eq!(judge(&[(2, 60, 180)], &[0, 1], 185).remark(), "", "not its core");
    }

    #[test]
    fn a_stall_counts_as_far_as_it_overlaps_the_move() {
        let start = Instant::now() + Duration::from_secs(1);
        let ms = Duration::from_millis;
        let stall = Stall { core: 0, from: start - ms(500), to: start + ms(8) };
        let found = Lateness::judge(&[stall], &[0], start, start + ms(2), start + ms(12));
        assert_eq!((found.machine, found.excused), (ms(8), false), "10 ms late, 8 of them for a reason");
        let found = Lateness::judge(&[stall], &[0], start, start + ms(3), start + ms(10));
        assert!(found.excused, "7 ms late");
    }
}
