//! What the program takes of the machine: memory in proportion to Hash and Threads, no time while it waits, little to start.

use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::{megabytes, ticks};
use crate::harness::Engine;

/// The limit for each thread, in megabytes, as docs/TRUST.md states it.
const THREAD: u64 = 12;

#[test]
fn memory_is_hash_and_a_constant_for_each_thread() {
    let used = |hash: u64, threads: u64| {
        let mut engine = Engine::start();
        engine.notes(&format!("setoption name Hash value {hash}\nsetoption name Threads value {threads}"));
        let before = megabytes(engine.id())?;
        engine.search("startpos", "go nodes 300000");
        let after = megabytes(engine.id())?;
        // All of it was there before the clock ran, but for what stacks and lines take.
        engine.check(after <= before + 4 + threads, &format!("{before} MB before, {after} MB after the search"));
        Some(after)
    };
    let Some(base) = used(1, 1) else { return };
    let (hash, threads) = (used(65, 1).expect("as before"), used(1, 5).expect("as before"));
    assert!((60..=70).contains(&(hash - base)), "64 MB of hash take {} MB", hash - base);
    assert!(threads - base <= 4 * THREAD, "four threads take {} MB", threads - base);
    assert!(base < 60, "the program itself takes {base} MB");
}

#[test]
fn whoever_waits_takes_no_time() {
    let mut engine = Engine::start();
    engine.send("setoption name Threads value 4");
    engine.search("startpos", "go nodes 10000");
    engine.settle();
    let Some(before) = ticks(engine.id()) else { return };
    sleep(Duration::from_millis(1500));
    let used = ticks(engine.id()).expect("as before") - before;
    engine.check(used <= 1, &format!("{used} ticks while nothing was asked"));
}

#[test]
fn it_starts_quickly() {
    let fastest = (0..8)
        .map(|_| {
            let begun = Instant::now();
            let mut engine = Engine::start();
            engine.send("uci\nisready");
            engine.until("readyok", |line| line == "readyok");
            begun.elapsed()
        })
        .min();
    // 50 ms on an idle machine; tests run on busy ones, and on builds with all checks.
    assert!(fastest.is_some_and(|time| time < Duration::from_millis(250)), "{fastest:?}");
}
