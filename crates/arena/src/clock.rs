//! Time controls, clocks and the other limits of a search.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context, Error, Result, bail};
use chess::Color;
use uci::Go;

/// A time control: `[moves/]time[+increment]`, times in seconds or `minutes:seconds`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TimeControl {
    /// The time for the game, or for the session if there are sessions.
    pub base: Duration,
    /// The time added after each move.
    pub increment: Duration,
    /// The number of moves in a session.
    pub moves: Option<u32>,
}

impl FromStr for TimeControl {
    type Err = Error;

    fn from_str(text: &str) -> Result<TimeControl> {
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => {
                let moves: u32 = moves.parse().with_context(|| format!("\"{moves}\" is not a number of moves"))?;
                if moves == 0 {
                    bail!("a session needs at least one move");
                }
                (Some(moves), rest)
            }
            None => (None, text),
        };
        let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let control = TimeControl { base: seconds(base)?, increment: seconds(increment)?, moves };
        if control.base.is_zero() && control.increment.is_zero() {
            bail!("\"{text}\" leaves no time to think");
        }
        Ok(control)
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.base.as_secs_f64())?;
        if !self.increment.is_zero() {
            write!(f, "+{}", self.increment.as_secs_f64())?;
        }
        Ok(())
    }
}

/// A time such as `2`, `0.02` or `1:30`, as seconds.
pub(crate) fn seconds(text: &str) -> Result<Duration> {
    let (minutes, seconds) = text.split_once(':').unwrap_or(("0", text));
    let number = |text: &str| text.parse::<f64>().with_context(|| format!("\"{text}\" is not a time in seconds"));
    let total = number(minutes)? * 60.0 + number(seconds)?;
    Duration::try_from_secs_f64(total).with_context(|| format!("\"{text}\" is not a time in seconds"))
}

/// What ends an engine's search. The first limit reached counts.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Limits {
    /// A clock.
    pub clock: Option<TimeControl>,
    /// Nodes per move.
    pub nodes: Option<u64>,
    /// Depth per move.
    pub depth: Option<u32>,
    /// A fixed time per move.
    pub move_time: Option<Duration>,
    /// How far over its time a move may be and still count.
    pub margin: Option<Duration>,
}

impl Limits {
    /// How far over its time a move may be. With a fixed time per move an engine is expected to use all of it and will
    /// be a little late, so the default is generous; on a clock it is zero.
    pub(crate) fn margin(&self) -> Duration {
        let default = if self.move_time.is_some() { Duration::from_millis(100) } else { Duration::ZERO };
        self.margin.unwrap_or(default)
    }

    /// Whether any limit would end a search.
    pub(crate) fn is_bounded(&self) -> bool {
        self.clock.is_some() || self.nodes.is_some() || self.depth.is_some() || self.move_time.is_some()
    }
}

impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.clock.map(|clock| clock.to_string()),
            self.move_time.map(|time| format!("{}/move", time.as_secs_f64())),
            self.nodes.map(|nodes| format!("nodes {nodes}")),
            self.depth.map(|depth| format!("depth {depth}")),
        ];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
    }
}

/// One player's clock; the player may have none.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    limits: Limits,
    left: Duration,
    moves_to_go: u32,
}

impl Clock {
    /// The clock at the beginning of a game.
    pub(crate) fn new(limits: &Limits) -> Clock {
        let control = limits.clock;
        Clock {
            limits: limits.clone(),
            left: control.map_or(Duration::ZERO, |control| control.base + first_increment(control)),
            moves_to_go: control.and_then(|control| control.moves).unwrap_or(0),
        }
    }

    /// The longest a move may take without losing on time.
    pub(crate) fn allowance(&self) -> Option<Duration> {
        let clock = self.limits.clock.map(|_| self.left);
        let least = match (clock, self.limits.move_time) {
            (Some(clock), Some(fixed)) => Some(clock.min(fixed)),
            (clock, fixed) => clock.or(fixed),
        };
        least.map(|time| time + self.limits.margin())
    }

    /// Subtracts the time of a move from the clock. False if the flag fell.
    #[must_use]
    pub(crate) fn spend(&mut self, time: Duration) -> bool {
        let in_time = self.allowance().is_none_or(|allowance| time <= allowance);
        if let Some(control) = self.limits.clock {
            self.left = self.left.saturating_sub(time) + control.increment;
            if let Some(moves) = control.moves {
                self.moves_to_go = self.moves_to_go.saturating_sub(1);
                if self.moves_to_go == 0 {
                    self.moves_to_go = moves;
                    self.left += control.base;
                }
            }
        }
        in_time
    }

    fn increment(&self) -> i64 {
        self.limits.clock.map_or(0, |control| milliseconds(control.increment))
    }
}

/// With no base time, the first move gets one increment.
fn first_increment(control: TimeControl) -> Duration {
    if control.base.is_zero() { control.increment } else { Duration::ZERO }
}

/// The `go` command for the side to move. A side without a clock is reported to have as much time as the other.
pub(crate) fn go(clocks: &[Clock; 2], us: Color) -> Go {
    let [white, black] = clocks;
    let own = if us == Color::White { white } else { black };
    let Limits { move_time, nodes, depth, .. } = own.limits;
    let mut go = Go {
        movetime: move_time.map(|time| milliseconds(time).max(1)),
        nodes: nodes.map(|nodes| i64::try_from(nodes).unwrap_or(i64::MAX)),
        depth: depth.map(i64::from),
        ..Go::default()
    };
    if own.limits.clock.is_some() {
        let [white, black] = [white, black].map(|clock| if clock.limits.clock.is_some() { clock } else { own });
        // Engines do unpredictable things when told that they have no time at all.
        let [wtime, btime] = [white, black].map(|clock| Some(milliseconds(clock.left).max(1)));
        let [winc, binc] = [white, black].map(|clock| Some(clock.increment()));
        let movestogo = Some(i64::from(own.moves_to_go)).filter(|&moves| moves > 0);
        go = Go { wtime, btime, winc, binc, movestogo, ..go };
    }
    go
}

fn milliseconds(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(clock: &str) -> Limits {
        Limits { clock: Some(clock.parse().expect(clock)), ..Limits::default() }
    }

    #[test]
    fn time_controls_are_read_and_written() {
        for (text, base, increment, moves) in [
            ("2+0.02", 2000, 20, None),
            ("40/60", 60_000, 0, Some(40)),
            ("40/1:30+0.5", 90_000, 500, Some(40)),
            ("0+1", 0, 1000, None),
        ] {
            let control: TimeControl = text.parse().expect(text);
            assert_eq!(control.base.as_millis(), base, "{text}");
            assert_eq!(control.increment.as_millis(), increment, "{text}");
            assert_eq!(control.moves, moves, "{text}");
            assert_eq!(control.to_string().parse::<TimeControl>().expect("its own text"), control);
        }
        for text in ["", "x", "0", "-1", "1+-1", "0/5", "40/", "nan", "inf", "1e300"] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_clock_runs_down_and_is_refilled() {
        let ms = Duration::from_millis;
        let mut clock = Clock::new(&limits("2/1+0.1"));
        assert!(clock.spend(ms(300)));
        assert_eq!((clock.left, clock.moves_to_go), (ms(800), 1));
        assert!(clock.spend(ms(800)), "all of the time may be used");
        assert_eq!((clock.left, clock.moves_to_go), (ms(1100), 2), "a new session begins");
        assert!(!clock.spend(ms(1101)));
    }

    #[test]
    fn the_margin_forgives_but_is_not_added() {
        let ms = Duration::from_millis;
        let mut clock = Clock::new(&Limits { margin: Some(ms(50)), ..limits("1") });
        assert!(clock.spend(ms(1050)));
        assert_eq!(clock.left, Duration::ZERO);
        assert_eq!(clock.allowance(), Some(ms(50)));
        let fixed = Limits { move_time: Some(ms(100)), ..Limits::default() };
        assert_eq!(Clock::new(&fixed).allowance(), Some(ms(200)));
        assert_eq!(Clock::new(&Limits { nodes: Some(5), ..Limits::default() }).allowance(), None);
    }

    #[test]
    fn go_commands() {
        let clocks = [Clock::new(&limits("40/60+0.6")), Clock::new(&Limits { nodes: Some(500), ..Limits::default() })];
        let text = |clocks: &[Clock; 2], us| uci::Command::Go(go(clocks, us)).to_string();
        assert_eq!(text(&clocks, Color::White), "go wtime 60000 btime 60000 winc 600 binc 600 movestogo 40");
        assert_eq!(text(&clocks, Color::Black), "go nodes 500");
        let both = Limits { depth: Some(9), move_time: Some(Duration::from_millis(1500)), ..Limits::default() };
        assert_eq!(text(&[Clock::new(&both), Clock::new(&both)], Color::White), "go depth 9 movetime 1500");
    }
}
