//! Time management: a soft bound, checked between iterations, and a hard bound that no search exceeds.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crate::engine::Options;
use crate::limits::Limits;
use crate::search::params;

/// The time budget of one search.
#[derive(Clone, Debug)]
pub(crate) struct Budget {
    start: Instant,
    soft: Option<Duration>,
    hard: Option<Duration>,
    /// Nodes that count as a millisecond, if time is measured in nodes.
    nodes_time: Option<u64>,
}

/// Without moves to go, plan for this many more.
const HORIZON: f64 = 22.0;
/// Milliseconds held in reserve, plus this many times the machine's lag.
const RESERVE: f64 = 60.0;
const RESERVE_LAGS: f64 = 8.0;
/// A search that should take less than this is over before further threads are of use.
const WORTH_SHARING: Duration = Duration::from_millis(8);

/// How long the machine keeps a thread waiting for the processor: the longest pause between two checks of the clock,
/// slowly forgotten. Next to nothing on an idle machine; with more threads than cores, answers may come this late.
#[derive(Debug, Default)]
pub(crate) struct Lag(AtomicU64); // microseconds

impl Lag {
    /// Records the time between two checks of the clock by one thread.
    pub(crate) fn observe(&self, pause: Duration) {
        self.0.fetch_max(pause.as_micros().min(u128::from(Lag::MOST)) as u64, Relaxed);
    }

    /// Called when a search begins: what was observed before counts a little less. Returns the lag in milliseconds.
    fn recall(&self) -> f64 {
        let faded = self.0.load(Relaxed) * 31 / 32;
        self.0.store(faded, Relaxed);
        faded as f64 / 1000.0
    }

    /// Longer pauses count as this much: the machine may have been asleep.
    const MOST: u64 = 50_000;
}

impl Budget {
    pub(crate) fn new(limits: &Limits, options: &Options, lag: &Lag) -> Budget {
        let lag = lag.recall();
        let start = limits.since.unwrap_or_else(Instant::now);
        let mut budget = Budget { start, soft: None, hard: None, nodes_time: options.nodes_time };
        if let Some(time) = limits.move_time {
            let usable = time.saturating_sub(options.move_overhead.min(time / 2)).max(Duration::from_millis(1));
            budget.hard = Some(usable);
        }
        if let Some(clock) = limits.clock {
            let millis = |duration: Duration| duration.as_secs_f64() * 1000.0;
            let remaining = (millis(clock.remaining) - millis(options.move_overhead) - 2.0 * lag).max(1.0);
            let increment = millis(clock.increment);
            let scale = f64::from(params::time_optimum()) / 100.0;
            let (soft, cap) = match clock.moves_to_go.filter(|&moves| moves > 0) {
                Some(moves) => {
                    // Reserve the overhead of the moves still to come.
                    let later = f64::from(moves.min(50) - 1) * millis(options.move_overhead);
                    let usable = (remaining - later).max(remaining / 4.0);
                    let share = usable / f64::from(moves.min(50)) + 0.7 * increment;
                    (0.9 * share, if moves == 1 { 0.85 } else { 0.6 })
                }
                None => {
                    // Spend the increment only while there is a reserve, and build it up again when it is gone: a busy
                    // machine may take the processor away for longer than a whole move should last.
                    let reserve = (0.5 * remaining).min(RESERVE + RESERVE_LAGS * lag);
                    let share = 0.85 * ((remaining - 4.0 * lag) / (10.0 * increment).max(1.0)).clamp(0.1, 1.0);
                    ((remaining - reserve) / HORIZON + share * increment, 0.2 + 0.35 * (remaining / 1000.0).min(1.0))
                }
            };
            let hard = (4.5 * soft).min(cap * remaining).max(1.0);
            let soft = (scale * soft).min(hard);
            let of = |millis: f64| Duration::from_secs_f64(millis / 1000.0);
            budget.soft = Some(of(soft));
            budget.hard = Some(budget.hard.map_or(of(hard), |other| other.min(of(hard))));
        }
        budget
    }

    /// Time since the search began, in nodes if it is measured that way.
    #[inline]
    pub(crate) fn elapsed(&self, nodes: u64) -> Duration {
        match self.nodes_time {
            Some(rate) => Duration::from_micros(nodes.saturating_mul(1000) / rate.max(1)),
            None => self.start.elapsed(),
        }
    }

    /// Wall-clock time since the search began.
    pub(crate) fn wall_time(&self) -> Duration {
        self.start.elapsed()
    }

    pub(crate) fn is_hard_over(&self, nodes: u64) -> bool {
        self.hard.is_some_and(|hard| self.elapsed(nodes) >= hard)
    }

    /// Whether another iteration is not worth starting.
    pub(crate) fn is_soft_over(&self, nodes: u64, trend: &Trend) -> bool {
        self.soft.is_some_and(|soft| self.elapsed(nodes) >= soft.mul_f64(trend.factor()))
    }

    /// Whether the search may take at least this long.
    pub(crate) fn is_ample(&self, time: Duration) -> bool {
        self.soft.or(self.hard).is_none_or(|bound| bound >= time)
    }

    /// Whether there is time for more than one thread: helpers have to be started, and waited for in the end.
    pub(crate) fn is_worth_sharing(&self) -> bool {
        self.soft.or(self.hard).is_none_or(|bound| bound >= WORTH_SHARING)
    }

    pub(crate) fn has_clock(&self) -> bool {
        self.soft.is_some()
    }
}

/// How the search is going: whether more or less time is well spent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trend {
    /// Iterations since the best move last changed.
    pub(crate) stability: u32,
    /// The share of all nodes that went into the best move.
    pub(crate) best_share: f64,
    /// How far the score fell since earlier iterations.
    pub(crate) fall: i32,
    /// Whether there is only one move.
    pub(crate) forced: bool,
}

impl Trend {
    /// The factor for the soft bound.
    fn factor(&self) -> f64 {
        if self.forced {
            return 0.1;
        }
        let stability = [1.55, 1.25, 1.1, 1.0, 0.92, 0.86, 0.82][self.stability.min(6) as usize];
        let share = (1.65 - self.best_share).clamp(0.55, 1.6) * 1.1;
        let fall = (1.0 + f64::from(self.fall) / 120.0).clamp(0.85, 1.5);
        stability * share * fall
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Clock;

    fn budget(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> (f64, f64) {
        budget_with_lag(remaining, increment, moves_to_go, &Lag::default())
    }

    fn budget_with_lag(remaining: u64, increment: u64, moves_to_go: Option<u32>, lag: &Lag) -> (f64, f64) {
        let clock = Clock {
            remaining: Duration::from_millis(remaining),
            increment: Duration::from_millis(increment),
            moves_to_go,
        };
        let budget = Budget::new(&Limits { clock: Some(clock), ..Limits::default() }, &Options::default(), lag);
        let millis = |bound: Option<Duration>| bound.expect("a bound").as_secs_f64() * 1000.0;
        (millis(budget.soft), millis(budget.hard))
    }

    #[test]
    fn no_clock_is_ever_overdrawn() {
        for remaining in [0, 1, 5, 20, 100, 1000, 60_000] {
            for increment in [0, 10, 1000] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(1000)] {
                    let (soft, hard) = budget(remaining, increment, moves_to_go);
                    assert!(soft > 0.0 && soft <= hard, "{remaining} {increment} {moves_to_go:?}: {soft} {hard}");
                    assert!(hard <= (remaining as f64).max(1.0), "{remaining} {increment} {moves_to_go:?}: {hard}");
                }
            }
        }
    }

    #[test]
    fn more_time_and_fewer_moves_give_more() {
        assert!(budget(60_000, 0, None).0 > budget(10_000, 0, None).0);
        assert!(budget(10_000, 500, None).0 > budget(10_000, 0, None).0);
        assert!(budget(10_000, 0, Some(5)).0 > budget(10_000, 0, Some(20)).0);
    }

    #[test]
    fn a_clock_that_is_nearly_empty_is_filled_up_again() {
        for remaining in [20, 50, 100] {
            let (soft, hard) = budget(remaining, 10, None);
            assert!(soft < 10.0 && hard < 0.3 * remaining as f64, "{remaining}: {soft} {hard}");
        }
    }

    #[test]
    fn a_machine_that_lets_threads_wait_is_given_a_wider_berth_until_it_is_forgotten() {
        let lag = Lag::default();
        let calm = budget_with_lag(300, 3, None, &lag);
        lag.observe(Duration::from_millis(12));
        lag.observe(Duration::from_millis(1));
        let busy = budget_with_lag(300, 3, None, &lag);
        assert!(busy.0 < 0.8 * calm.0 && busy.1 < calm.1, "{busy:?} {calm:?}");
        assert!(budget_with_lag(30, 3, None, &lag).1 < 5.0, "next to nothing is left to be late with");
        let later = (0..300).map(|_| budget_with_lag(300, 3, None, &lag)).last().expect("some");
        assert!(later.0 > 0.98 * calm.0, "{later:?} {calm:?}");
        lag.observe(Duration::from_secs(3600));
        assert!(budget_with_lag(300, 3, None, &lag).0 > 0.0, "the machine was asleep");
    }

    #[test]
    fn trends_pull_the_right_way() {
        let calm = Trend { stability: 5, best_share: 0.6, fall: 0, forced: false };
        assert!(Trend { stability: 0, ..calm }.factor() > calm.factor());
        assert!(Trend { best_share: 0.95, ..calm }.factor() < calm.factor());
        assert!(Trend { fall: 60, ..calm }.factor() > calm.factor());
        assert!(Trend { forced: true, ..calm }.factor() < 0.2);
    }
}
