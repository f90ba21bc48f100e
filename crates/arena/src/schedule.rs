//! Which engines play each other, in which order and with which opening. All of it follows from the game's number, so a
//! match can be resumed from its games alone.

use anyhow::{Result, bail};

/// Which engines meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Every engine plays every other.
    RoundRobin,
    /// The first plays all others.
    Gauntlet,
}

/// One game to be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pairing {
    /// The number of the game, from 0.
    pub number: usize,
    /// The engines with White and Black.
    pub players: [usize; 2],
    /// The round, which decides the opening.
    pub round: usize,
}

/// All games of a match. In each round, every two engines that meet play a pair of games: the same opening with colours
/// reversed. More rounds only append games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule {
    meetings: Vec<[usize; 2]>,
    rounds: usize,
}

impl Schedule {
    /// The schedule for this many engines and rounds.
    pub fn new(engines: usize, format: Format, rounds: usize) -> Result<Schedule> {
        if engines < 2 {
            bail!("a match needs at least two engines");
        }
        let firsts = match format {
            Format::RoundRobin => engines,
            Format::Gauntlet => 1,
        };
        let meetings = (0..firsts).flat_map(|first| (first + 1..engines).map(move |second| [first, second])).collect();
        Ok(Schedule { meetings, rounds })
    }

    /// Which engines meet; the first of each two starts with White.
    pub fn meetings(&self) -> &[[usize; 2]] {
        &self.meetings
    }

    /// How many games there are.
    pub fn len(&self) -> usize {
        2 * self.meetings.len() * self.rounds
    }

    /// Whether there are no games.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The game with this number.
    pub fn game(&self, number: usize) -> Option<Pairing> {
        let (pair, reversed) = (number / 2, number % 2 == 1);
        let [first, second] = *self.meetings.get(pair % self.meetings.len())?;
        let players = if reversed { [second, first] } else { [first, second] };
        let round = pair / self.meetings.len();
        (round < self.rounds).then_some(Pairing { number, players, round })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_robin_and_gauntlet() {
        let robin = Schedule::new(3, Format::RoundRobin, 2).expect("a schedule");
        assert_eq!(robin.len(), 12);
        let players: Vec<_> = (0..6).filter_map(|number| robin.game(number)).map(|game| game.players).collect();
        assert_eq!(players, [[0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1]]);
        assert_eq!(robin.game(6).map(|game| (game.players, game.round)), Some(([0, 1], 1)));
        assert_eq!(robin.game(12), None);
        let gauntlet = Schedule::new(4, Format::Gauntlet, 5).expect("a schedule");
        assert_eq!((gauntlet.meetings(), gauntlet.len()), (&[[0, 1], [0, 2], [0, 3]][..], 30));
        assert!(Schedule::new(1, Format::Gauntlet, 1).is_err());
    }
}
