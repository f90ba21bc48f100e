//! Turns the parameters of `go` into search limits. Clocks that ran out, are missing or make no sense become clocks
//! that yield a legal move quickly.

use std::time::{Duration, Instant};

use chess::{Board, Color, Move};
use engine::{Clock, Limits};
use uci::Go;

/// Long enough for any search, short enough that nothing overflows.
const LONGEST: i64 = 365 * 24 * 60 * 60 * 1000;
/// The assumed time of an unknown clock, in milliseconds.
const UNKNOWN: i64 = 100;

/// The limits of a search whose time counts from now, whatever has to be done before it begins. `spoiled` means that a
/// part of the command could not be parsed. Then an unlimited search is not what was meant, and a short one answers in
/// case the interface is waiting.
pub(super) fn limits(go: &Go, board: &Board, search_moves: Vec<Move>, spoiled: bool) -> Limits {
    let mut limits = Limits {
        depth: go.depth.map(|depth| depth.clamp(1, engine::MAX_PLY as i64) as i32),
        nodes: go.nodes.map(|nodes| nodes.max(1) as u64),
        mate: go.mate.map(|moves| moves.clamp(1, engine::MAX_PLY as i64) as i32),
        move_time: go.movetime.map(milliseconds),
        clock: clock(go, board.side_to_move()),
        infinite: go.infinite,
        ponder: go.ponder,
        since: Some(Instant::now()),
        search_moves,
        ..Limits::default()
    };
    let has_end = limits.depth.is_some()
        || limits.nodes.is_some()
        || limits.mate.is_some()
        || limits.move_time.is_some()
        || limits.clock.is_some();
    if !has_end && !limits.infinite && !limits.ponder {
        if spoiled {
            limits.move_time = Some(milliseconds(UNKNOWN));
        } else {
            limits.infinite = true;
        }
    }
    limits
}

/// A time of zero or less becomes the shortest possible one.
fn milliseconds(number: i64) -> Duration {
    Duration::from_millis(number.clamp(1, LONGEST) as u64)
}

/// The clock of the side to move. If its time is missing, the other side's is the best guess, then the increment.
fn clock(go: &Go, side: Color) -> Option<Clock> {
    let (own, other) = match side {
        Color::White => ((go.wtime, go.winc), (go.btime, go.binc)),
        Color::Black => ((go.btime, go.binc), (go.wtime, go.winc)),
    };
    let any = [own.0, own.1, other.0, other.1, go.movestogo].iter().any(Option::is_some);
    any.then(|| Clock {
        remaining: milliseconds(own.0.or(other.0).or(own.1).or(other.1).unwrap_or(UNKNOWN)),
        increment: Duration::from_millis(own.1.unwrap_or(0).clamp(0, LONGEST) as u64),
        moves_to_go: go.movestogo.filter(|&moves| moves > 0).map(|moves| u32::try_from(moves).unwrap_or(u32::MAX)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use uci::{Command, Parsed};

    fn of(line: &str) -> Limits {
        let Ok(Parsed { command: Command::Go(go), problems }) = Command::read(line) else { panic!("{line}") };
        limits(&go, &Board::start(), Vec::new(), !problems.is_empty())
    }

    fn clock_of(line: &str) -> (u64, u64, Option<u32>) {
        let clock = of(line).clock.expect(line);
        (clock.remaining.as_millis() as u64, clock.increment.as_millis() as u64, clock.moves_to_go)
    }

    #[test]
    fn strange_clocks_become_sane_ones() {
        for (line, expected) in [
            ("go wtime 1000 btime 7 winc 20 binc 8", (1000, 20, None)),
            ("go wtime 1000 btime 7 movestogo 4", (1000, 0, Some(4))),
            ("go wtime 0 btime 0", (1, 0, None)),
            ("go wtime -500 btime 3000 winc -5", (1, 0, None)),
            ("go btime 3000", (3000, 0, None)),
            ("go btime 3000 winc 10", (3000, 10, None)),
            ("go winc 50", (50, 50, None)),
            ("go binc 50", (50, 0, None)),
            ("go wtime 100 movestogo 0", (100, 0, None)),
            ("go movestogo 3", (100, 0, Some(3))),
            ("go movestogo 99999999999", (100, 0, Some(u32::MAX))),
            ("go wtime 99999999999999999999", (LONGEST as u64, 0, None)),
        ] {
            assert_eq!(clock_of(line), expected, "{line}");
        }
    }

    #[test]
    fn every_other_limit_is_at_least_one() {
        assert_eq!(of("go movetime 0").move_time, Some(Duration::from_millis(1)));
        assert_eq!(of("go movetime -8").move_time, Some(Duration::from_millis(1)));
        let all = of("go depth 0 nodes -1 mate 0");
        assert_eq!((all.depth, all.nodes, all.mate), (Some(1), Some(1), Some(1)));
        assert_eq!(of("go depth 9999999").depth, Some(engine::MAX_PLY as i32));
    }

    #[test]
    fn no_limit_means_until_stopped() {
        assert!(of("go").infinite && of("go infinite").infinite && of("go infinite depth 3").infinite);
        assert!(!of("go depth 3").infinite && !of("go ponder").infinite && !of("go binc 1").infinite);
        // Unless there was a limit that could not be parsed.
        let spoiled = of("go depth three");
        assert!(!spoiled.infinite && spoiled.move_time.is_some());
    }
}
