//! The clocks of a game against the engine. They start with the first move, so that no time is lost while a page loads.

use std::time::{Duration, Instant};

use chess::Color;

/// The most time a clock can hold.
pub(super) const LONGEST: Duration = Duration::from_secs(24 * 3600);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Clocks {
    left: [Duration; 2],
    increment: Duration,
    /// The side whose clock runs, and since when.
    running: Option<(Color, Instant)>,
}

impl Clocks {
    /// Clocks that show these seconds for White and Black; impossible values are clamped.
    pub(super) fn new(white: f64, black: f64, increment: f64) -> Clocks {
        let time = |seconds: f64| Duration::try_from_secs_f64(seconds).unwrap_or_default().min(LONGEST);
        Clocks { left: [white, black].map(time), increment: time(increment), running: None }
    }

    pub(super) fn increment(&self) -> Duration {
        self.increment
    }

    /// The time this side has left.
    pub(super) fn left(&self, side: Color, now: Instant) -> Duration {
        let kept = self.left.get(side.index()).copied().unwrap_or_default();
        match self.running {
            Some((runner, since)) if runner == side => kept.saturating_sub(now.saturating_duration_since(since)),
            _ => kept,
        }
    }

    pub(super) fn running(&self) -> Option<Color> {
        self.running.map(|(side, _)| side)
    }

    /// Handles a move of this side: its clock stops and the other one runs. Returns the time it has left.
    pub(super) fn press(&mut self, side: Color, now: Instant) -> Duration {
        let left = (self.left(side, now) + self.increment).min(LONGEST);
        if let Some(kept) = self.left.get_mut(side.index()) {
            *kept = left;
        }
        self.running = Some((side.other(), now));
        left
    }

    /// Stops both.
    pub(super) fn stop(&mut self, now: Instant) {
        if let Some(side) = self.running() {
            let left = self.left(side, now);
            if let Some(kept) = self.left.get_mut(side.index()) {
                *kept = left;
            }
        }
        self.running = None;
    }

    /// After a takeback the clock of the side to move runs.
    pub(super) fn turn(&mut self, side: Color, now: Instant) {
        let was_running = self.running.is_some();
        self.stop(now);
        self.running = was_running.then_some((side, now));
    }

    /// The side whose flag has fallen.
    pub(super) fn flagged(&self, now: Instant) -> Option<Color> {
        self.running().filter(|&side| self.left(side, now).is_zero())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Color::{Black, White};

    #[test]
    fn time_passes_only_for_the_side_to_move() {
        let start = Instant::now();
        let after = |seconds| start + Duration::from_secs(seconds);
        let mut clocks = Clocks::new(60.0, 30.0, 2.0);
        assert_eq!(
            (clocks.left(White, after(50)).as_secs(), clocks.flagged(after(500))),
            (60, None),
            "nobody moved yet"
        );
        assert_eq!(clocks.press(White, after(5)).as_secs(), 62);
        assert_eq!((clocks.left(White, after(15)).as_secs(), clocks.left(Black, after(15)).as_secs()), (62, 20));
        assert_eq!(clocks.press(Black, after(15)).as_secs(), 22);
        assert_eq!(clocks.running(), Some(White));
        clocks.turn(Black, after(25));
        assert_eq!((clocks.left(White, after(30)).as_secs(), clocks.left(Black, after(30)).as_secs()), (52, 17));
        assert_eq!(clocks.flagged(after(46)), None);
        assert_eq!(clocks.flagged(after(47)), Some(Black));
        clocks.stop(after(30));
        assert_eq!((clocks.flagged(after(99)), clocks.left(Black, after(99)).as_secs()), (None, 17));
    }

    #[test]
    fn absurd_times_are_bounded() {
        for seconds in [f64::NAN, f64::INFINITY, -1.0] {
            assert_eq!(Clocks::new(seconds, seconds, seconds).left(White, Instant::now()), Duration::ZERO);
        }
        assert_eq!(Clocks::new(1e9, 1.0, 1.0).left(White, Instant::now()), LONGEST);
    }
}
