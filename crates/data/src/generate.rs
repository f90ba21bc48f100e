//! Plays many games in parallel: several threads play and one writes.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use anyhow::Result;

use super::selfplay::{Plan, Played, Player};
use toolkit::Tables;

/// Game numbers have 24 bits in the file.
pub(crate) const MOST_GAMES: u32 = 1 << 24;

/// The longest time between two calls of `each`.
const TICK: Duration = Duration::from_millis(500);

/// Plays games whose numbers are not in `done`, at most `most` of them if given, until `each` returns false,
/// `called_off` is set or all numbers are used. Games in progress at that point are finished and handed over. `each` is
/// also called now and then without a game.
pub fn run(
    plan: &Plan,
    tables: Option<&Tables>,
    threads: usize,
    done: &HashSet<u32>,
    most: Option<u64>,
    called_off: &AtomicBool,
    mut each: impl FnMut(Option<Played>) -> Result<bool>,
) -> Result<()> {
    let enough = AtomicBool::new(false);
    let next = AtomicU32::new(0);
    let begun = AtomicU64::new(0);
    let is_over = || enough.load(Ordering::Relaxed) || called_off.load(Ordering::Relaxed);
    let may_begin = || most.is_none_or(|most| begun.fetch_add(1, Ordering::Relaxed) < most);
    let take = || loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= MOST_GAMES || !done.contains(&number) {
            return (number < MOST_GAMES).then_some(number);
        }
    };
    let mut players = Vec::new();
    for _ in 0..threads.max(1) {
        players.push(Player::new(plan, tables)?);
    }
    let (sender, games) = mpsc::channel();
    thread::scope(|scope| {
        for mut player in players {
            let sender = sender.clone();
            let (is_over, may_begin, take) = (&is_over, &may_begin, &take);
            let play = move || {
                while !is_over()
                    && may_begin()
                    && let Some(number) = take()
                    && sender.send(player.play(number)).is_ok()
                {}
            };
            thread::Builder::new().spawn_scoped(scope, move || engine::on_search_stack(play))?;
        }
        drop(sender);
        loop {
            let game = match games.recv_timeout(TICK) {
                Ok(game) => Some(game),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            };
            match game.transpose().and_then(&mut each) {
                Ok(true) => {}
                Ok(false) => enough.store(true, Ordering::Relaxed),
                Err(error) => {
                    enough.store(true, Ordering::Relaxed);
                    return Err(error);
                }
            }
        }
    })
}
