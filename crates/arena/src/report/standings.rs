//! The score of a match, updated game by game.

use std::collections::HashMap;

use crate::stalls::StallReport;
use crate::stats::{Games, Pairs};
use crate::summary::{Effort, Fault, Summary};

/// Two engines that play each other.
#[derive(Clone, Debug, Default)]
pub struct Duel {
    /// The engines; all counts are from the point of view of the first.
    pub players: [usize; 2],
    /// Losses, draws and wins of the first.
    pub games: Games,
    /// Pairs of games, by the points of the first.
    pub pairs: Pairs,
    /// Half points of the first in pairs with only one finished game, by the number of the pair.
    open: HashMap<usize, u8>,
}

impl Duel {
    fn add(&mut self, summary: &Summary) {
        let is_white = summary.pairing.players[0] == self.players[0];
        let points = if is_white { summary.white_half_points } else { 2 - summary.white_half_points.min(2) };
        count(&mut self.games.0, points);
        let pair = summary.pairing.number / 2;
        match self.open.remove(&pair) {
            Some(other) => count(&mut self.pairs.0, points + other),
            None => drop(self.open.insert(pair, points)),
        }
    }
}

fn count(counts: &mut [u64], index: u8) {
    if let Some(count) = counts.get_mut(usize::from(index)) {
        *count += 1;
    }
}

/// One engine over all its games.
#[derive(Clone, Debug, Default)]
pub struct Total {
    /// Losses, draws, wins.
    pub games: Games,
    /// Pairs by points.
    pub pairs: Pairs,
    /// Moves, time, depth and nodes.
    pub effort: Effort,
    /// Time forfeits.
    pub time_losses: u64,
    /// Crashes.
    pub crashes: u64,
    /// Stalls.
    pub stalls: u64,
    /// Illegal moves.
    pub illegal_moves: u64,
}

impl Total {
    fn add_fault(&mut self, fault: Fault) {
        match fault {
            Fault::TimeLoss => self.time_losses += 1,
            Fault::IllegalMove => self.illegal_moves += 1,
            Fault::Crash => self.crashes += 1,
            Fault::Stall => self.stalls += 1,
        }
    }
}

/// The score of a match.
#[derive(Clone, Debug)]
pub struct Standings {
    /// Names of the engines.
    pub names: Vec<String>,
    /// All pairs of engines that meet.
    pub duels: Vec<Duel>,
    /// By engine: its effort and its faults; its games are in the duels.
    totals: Vec<Total>,
    /// How many games are finished.
    pub played: usize,
    /// How many games were void because the machine stood still; they were played again.
    pub void: usize,
    /// How often the machine stood still, if that was watched.
    pub stalls: Option<StallReport>,
}

impl Standings {
    /// The score before the first game.
    pub fn new(names: Vec<String>, meetings: &[[usize; 2]]) -> Standings {
        let duels = meetings.iter().map(|&players| Duel { players, ..Duel::default() }).collect();
        Standings { totals: vec![Total::default(); names.len()], names, duels, played: 0, void: 0, stalls: None }
    }

    /// Counts a game.
    pub fn add(&mut self, summary: &Summary) {
        if summary.is_void {
            self.void += 1;
            return;
        }
        self.played += 1;
        let [white, black] = summary.pairing.players;
        let met = |duel: &&mut Duel| duel.players == [white, black] || duel.players == [black, white];
        if let Some(duel) = self.duels.iter_mut().find(met) {
            duel.add(summary);
        }
        for (side, player) in [white, black].into_iter().enumerate() {
            let Some(total) = self.totals.get_mut(player) else { continue };
            total.effort.absorb(&summary.effort[side]);
            let lost = summary.white_half_points == if side == 0 { 0 } else { 2 };
            if let Some(fault) = summary.fault.filter(|_| lost) {
                total.add_fault(fault);
            }
        }
    }

    /// Everything about one engine.
    pub fn total(&self, engine: usize) -> Total {
        let mut total = self.totals.get(engine).cloned().unwrap_or_default();
        for duel in &self.duels {
            if duel.players[0] == engine {
                total.games.absorb(&duel.games);
                total.pairs.absorb(&duel.pairs);
            } else if duel.players[1] == engine {
                total.games.absorb(&duel.games.reversed());
                total.pairs.absorb(&duel.pairs.reversed());
            }
        }
        total
    }

    /// How many games were lost by a fault and not on the board.
    pub fn faults(&self) -> u64 {
        let faults = |total: &Total| total.time_losses + total.crashes + total.stalls + total.illegal_moves;
        self.totals.iter().map(faults).sum()
    }

    /// The engines, best score first.
    pub fn ranking(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        let score = |engine: usize| self.total(engine).games.mean();
        order.sort_by(|&a, &b| score(b).total_cmp(&score(a)));
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::{Format, Schedule};

    #[test]
    fn pairs_are_put_together_in_any_order() {
        let schedule = Schedule::new(3, Format::Gauntlet, 2).expect("a schedule");
        let mut standings = Standings::new(vec!["A".into(), "B".into(), "C".into()], schedule.meetings());
        // White's half points by game: A beats B twice; A and C each win with White; then A loses to B and draws with
        // B.
        for (number, points) in [(3, 2), (0, 2), (2, 2), (1, 0), (5, 1), (4, 0)] {
            let pairing = schedule.game(number).expect("a game");
            let fault = (number == 4).then_some(Fault::TimeLoss);
            let summary =
                Summary { pairing, white_half_points: points, fault, is_void: false, effort: [Effort::default(); 2] };
            standings.add(&Summary { is_void: true, ..summary.clone() });
            standings.add(&summary);
        }
        assert_eq!((standings.played, standings.void), (6, 6), "void games are counted apart, and nowhere else");
        assert_eq!(standings.duels[0].games.0, [1, 1, 2]);
        assert_eq!(standings.duels[0].pairs.0, [0, 1, 0, 0, 1]);
        assert_eq!(standings.duels[1].pairs.0, [0, 0, 1, 0, 0]);
        let (first, second) = (standings.total(0), standings.total(1));
        assert_eq!((first.games.0, first.pairs.0), ([2, 1, 3], [0, 1, 1, 0, 1]));
        assert_eq!((first.time_losses, second.time_losses), (1, 0));
        assert_eq!(second.pairs.0, [1, 0, 0, 1, 0]);
        assert_eq!(standings.ranking(), [0, 2, 1]);
    }
}
