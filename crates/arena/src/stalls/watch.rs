//! The stall watch: on each core a thread sleeps for a few milliseconds, again and again, and measures how late it
//! wakes.
//!
//! On a busy machine an ordinary thread wakes late because other threads are running. So the watchers ask for real-time
//! priority: then only the machine itself or another real-time thread can delay them. Without that permission a late
//! watcher proves nothing, and a stall counts only as far as the system reports stolen time on the core.

use std::fs;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::log::{Log, StallReport};
use super::steal::stolen;
use super::{SHORTEST, Stall, StallSource};
use crate::affinity;

/// How long a watcher sleeps.
const NAP: Duration = Duration::from_millis(5);

/// How many naps a watcher without priority takes between readings of the stolen time.
const NAPS: u32 = 50;

/// How long to wait for a watcher that does not wake up.
const PATIENCE: Duration = Duration::from_secs(2);

/// Watchers on all cores. Dropping it ends them.
pub struct Watch {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
    /// The stolen time at the start.
    stolen: Option<Duration>,
    is_raised: bool,
}

struct Shared {
    /// The origin of the times below.
    begin: Instant,
    log: Mutex<Log>,
    /// When each watcher last woke up, in microseconds since `begin`.
    looked: Vec<AtomicU64>,
    done: AtomicBool,
}

impl Watch {
    /// Watches all cores this process may use.
    pub fn start() -> Result<Watch> {
        let cores = affinity::available().context("cannot watch for stalls of the machine")?;
        let shared = Arc::new(Shared {
            begin: Instant::now(),
            looked: cores.iter().map(|_| AtomicU64::new(0)).collect(),
            log: Mutex::new(Log::new(cores.clone())),
            done: AtomicBool::new(false),
        });
        let (ready, raised) = mpsc::channel();
        let mut watch = Watch { shared, threads: Vec::new(), stolen: stolen(None), is_raised: false };
        for (place, &core) in cores.iter().enumerate() {
            let (shared, ready) = (Arc::clone(&watch.shared), ready.clone());
            let thread = thread::Builder::new().name(format!("watch core {core}"));
            watch.threads.push(thread.spawn(move || shared.watch(place, core, ready))?);
        }
        drop(ready);
        watch.is_raised = raised.iter().collect::<Result<Vec<bool>>>()?.into_iter().all(|raised| raised);
        Ok(watch)
    }

    /// What weakens the evidence, if anything.
    pub fn limitation(&self) -> Option<&'static str> {
        match (self.is_raised, self.stolen) {
            (true, _) => None,
            (false, Some(_)) => Some("no real-time priority here: only time that was stolen counts as a stall"),
            (false, None) => Some("no real-time priority and no count of stolen time here: no stall can be proven"),
        }
    }

    /// What was recorded so far.
    pub fn report(&self) -> StallReport {
        let stolen = self.stolen.and_then(|before| Some(stolen(None)?.saturating_sub(before)));
        StallReport { stolen, ..self.shared.log().report }
    }
}

impl StallSource for Watch {
    fn cores(&self) -> Vec<usize> {
        self.shared.log().cores.clone()
    }

    fn stalls(&self, since: Instant, until: Instant) -> Vec<Stall> {
        let deadline = Instant::now() + PATIENCE;
        while !self.shared.has_seen(until) && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(1));
        }
        self.shared.log().overlapping(since, until)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.shared.done.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn log(&self) -> MutexGuard<'_, Log> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn has_seen(&self, moment: Instant) -> bool {
        let moment = self.microseconds(moment);
        self.looked.iter().all(|looked| looked.load(Ordering::Acquire) > moment)
    }

    fn microseconds(&self, moment: Instant) -> u64 {
        u64::try_from(moment.saturating_duration_since(self.begin).as_micros()).unwrap_or(u64::MAX)
    }

    /// Watches one core until the watch is dropped.
    fn watch(&self, place: usize, core: usize, ready: Sender<Result<bool>>) {
        let bound = affinity::bind(&[core]);
        let failed = bound.is_err();
        let is_raised = raise();
        let _ = ready.send(bound.map(|()| is_raised));
        drop(ready);
        let stolen = || stolen(Some(core)).unwrap_or_default();
        let mut pulse = Pulse::new(Instant::now(), (!is_raised).then(stolen));
        while !failed && !self.done.load(Ordering::Relaxed) {
            thread::sleep(NAP);
            let now = Instant::now();
            if let Some(from) = pulse.woke(now, stolen) {
                self.log().note(Stall { core, from, to: now });
                // Waiting for the log is not a stall.
                pulse.last = Instant::now();
            }
            if let Some(looked) = self.looked.get(place) {
                looked.store(self.microseconds(now), Ordering::Release);
            }
        }
    }
}

/// A watcher's state between two naps.
struct Pulse {
    /// When it last woke up.
    last: Instant,
    naps: u32,
    /// Without priority: the stolen time of the core at the last reading.
    stolen: Option<Duration>,
}

impl Pulse {
    fn new(now: Instant, stolen: Option<Duration>) -> Pulse {
        Pulse { last: now, naps: 0, stolen }
    }

    /// Handles a wake-up. Returns since when the core stood still, if it did.
    fn woke(&mut self, now: Instant, stolen: impl FnOnce() -> Duration) -> Option<Instant> {
        let due = self.last + NAP;
        self.last = now;
        self.naps += 1;
        let late = now.saturating_duration_since(due);
        if let Some(before) = self.stolen
            && (late >= SHORTEST || self.naps >= NAPS)
        {
            let after = stolen();
            (self.stolen, self.naps) = (Some(after), 0);
            let proven = late.min(after.saturating_sub(before));
            return (proven >= SHORTEST).then(|| now - proven);
        }
        (self.stolen.is_none() && late >= SHORTEST).then_some(due)
    }
}

/// Gives this thread real-time priority. It runs the program `chrt`, which avoids unsafe code here, and then checks the
/// result with the kernel.
fn raise() -> bool {
    let thread = fs::read_link("/proc/thread-self").ok();
    let Some(number) = thread.as_deref().and_then(|path| path.file_name()) else { return false };
    let mut command = Command::new("chrt");
    command.args(["--fifo", "--pid", "1"]).arg(number);
    let _ = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    fs::read_to_string("/proc/thread-self/stat").is_ok_and(|text| policy(&text) == Some(FIFO))
}

/// The kernel's number for the first-in, first-out policy, which preempts all ordinary threads.
const FIFO: u32 = 1;

/// The 41st field of a thread's `stat`. The second field is a name in brackets that may contain anything.
fn policy(stat: &str) -> Option<u32> {
    stat.rsplit_once(')')?.1.split_ascii_whitespace().nth(38)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn a_late_watcher_knows_since_when() {
        let start = Instant::now();
        let mut pulse = Pulse::new(start, None);
        let mut woke = |ms: u32| pulse.woke(start + MS * ms, || unreachable!("it needs no other proof"));
        assert_eq!(woke(5), None, "as it should be");
        assert_eq!(woke(14), None, "4 ms late");
        assert_eq!(woke(24), Some(start + MS * 19), "5 ms late");
        assert_eq!(woke(29), None);
        assert_eq!(woke(300), Some(start + MS * 34), "it should have woken at 34");
    }

    #[test]
    fn without_priority_only_stolen_time_counts() {
        let start = Instant::now();
        let mut pulse = Pulse::new(start, Some(MS * 1000));
        assert_eq!(pulse.woke(start + MS * 100, || MS * 1000), None, "late because others were at work");
        assert_eq!(pulse.woke(start + MS * 205, || MS * 1060), Some(start + MS * 145), "60 of 100 ms were stolen");
        assert_eq!(pulse.woke(start + MS * 300, || MS * 1060), None, "which counts once");
        assert_eq!(pulse.woke(start + MS * 330, || MS * 9000), Some(start + MS * 305), "no longer than it was late");
        // Time stolen while it woke on schedule does not count towards a later stall.
        for nap in 1..=NAPS {
            assert_eq!(pulse.woke(start + MS * (330 + 5 * nap), || MS * 9500), None);
        }
        assert_eq!(pulse.woke(start + MS * 2000, || MS * 9500), None);
    }

    #[test]
    fn the_policy_of_a_thread() {
        let fields = |policy: u32| format!("7 (a) b) S {} {policy} 0 0", vec!["0"; 37].join(" "));
        assert_eq!((policy(&fields(0)), policy(&fields(1))), (Some(0), Some(1)));
        assert_eq!(policy("7 (a) S 1"), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_watch_sees_every_moment_and_leaves_in_time() {
        let watch = Watch::start().expect("it can be started");
        assert!(!watch.cores().is_empty());
        let now = Instant::now();
        let stalls = watch.stalls(now, now + MS * 30);
        assert!(watch.shared.has_seen(now + MS * 30), "it waits until the moment has been seen");
        assert!(stalls.iter().all(|stall| stall.from < stall.to));
        let engine = fs::read_to_string("/proc/thread-self/stat").expect("a system with /proc");
        assert_eq!(policy(&engine), Some(0), "whoever starts the engines is a thread like others");
        drop(watch);
    }
}
