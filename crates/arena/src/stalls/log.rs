//! What the watchers recorded: the latest stalls of each core, and counts of all stalls.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::{SHORTEST, Stall, common};

/// How many stalls are kept for each core. Only a recent stall can excuse a move, so older ones can go.
const KEPT: usize = 10_000;

/// How often a machine stood still.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct StallReport {
    /// Stalls of all cores at once.
    pub machine: u64,
    /// The longest of them.
    pub machine_longest: Duration,
    /// Stalls of single cores, including those of all cores.
    pub cores: u64,
    /// The longest of them.
    pub core_longest: Duration,
    /// The stolen time the system reports, if it does.
    pub stolen: Option<Duration>,
}

/// The stalls of some cores.
#[derive(Debug)]
pub(super) struct Log {
    pub(super) cores: Vec<usize>,
    recent: Vec<VecDeque<Stall>>,
    pub(super) report: StallReport,
}

impl Log {
    pub(super) fn new(cores: Vec<usize>) -> Log {
        Log { recent: vec![VecDeque::new(); cores.len()], cores, report: StallReport::default() }
    }

    /// Records a stall. A stall of all cores is counted when its last part arrives.
    pub(super) fn note(&mut self, stall: Stall) {
        let Some(place) = self.cores.iter().position(|&core| core == stall.core) else { return };
        let length = stall.to.saturating_duration_since(stall.from);
        self.report.cores += 1;
        self.report.core_longest = self.report.core_longest.max(length);
        let mut overlapping = self.overlapping(stall.from, stall.to);
        overlapping.retain(|other| other.core != stall.core);
        overlapping.push(stall);
        for (from, to) in common(&overlapping, &self.cores) {
            let length = to.saturating_duration_since(from);
            if length >= SHORTEST {
                self.report.machine += 1;
                self.report.machine_longest = self.report.machine_longest.max(length);
            }
        }
        if let Some(recent) = self.recent.get_mut(place) {
            if recent.len() == KEPT {
                recent.pop_front();
            }
            recent.push_back(stall);
        }
    }

    /// All recorded stalls that overlap this span of time.
    pub(super) fn overlapping(&self, since: Instant, until: Instant) -> Vec<Stall> {
        let newest_first = |recent: &VecDeque<Stall>| {
            let late = recent.iter().rev().skip_while(|stall| stall.from >= until).copied();
            late.take_while(|stall| stall.to > since).collect::<Vec<_>>()
        };
        self.recent.iter().flat_map(newest_first).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stalls_are_kept_found_and_counted() {
        let start = Instant::now();
        let at = |ms: u64| start + Duration::from_millis(ms);
        let stall = |core, from, to| Stall { core, from: at(from), to: at(to) };
        let mut log = Log::new(vec![3, 5]);
        for noted in [stall(3, 100, 120), stall(3, 200, 500), stall(5, 90, 103), stall(5, 230, 507), stall(9, 1, 1000)]
        {
            log.note(noted);
        }
        // From 100 to 103 both stood still as well, but that is too short to count.
        let ms = Duration::from_millis;
        assert_eq!((log.report.machine, log.report.machine_longest), (1, ms(270)));
        assert_eq!((log.report.cores, log.report.core_longest), (4, ms(300)));
        assert_eq!(log.overlapping(at(110), at(230)), [stall(3, 200, 500), stall(3, 100, 120)]);
        assert_eq!(log.overlapping(at(507), at(900)), []);
        for number in 0..2 * KEPT as u64 {
            log.note(stall(5, 1000 + 20 * number, 1010 + 20 * number));
        }
        assert_eq!(log.overlapping(at(0), at(1_000_000)).len(), KEPT + 2);
    }
}
