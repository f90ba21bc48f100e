//! What the tests share: random games, and the program.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use chess::{Board, Position};
use data::{Game, GameResult, Reader};
use toolkit::{Rng, Variety};

use crate::common::Room;

impl Room {
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// A file with these games.
    pub(crate) fn file(&self, name: &str, games: &[Game]) -> PathBuf {
        fs::write(self.path(name), bytes(games)).expect("a file");
        self.path(name)
    }

    /// The program with a subcommand, in the room.
    pub(crate) fn command(&self, words: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_stillwater-lab"));
        command.args(words.split_whitespace()).current_dir(&self.0);
        command
    }

    pub(crate) fn run(&self, words: &str) -> Output {
        let output = self.command(words).output().expect("the laboratory runs");
        assert!(output.status.success(), "{words}: {}", String::from_utf8_lossy(&output.stderr));
        output
    }

    /// Runs what must fail and returns what it says.
    pub(crate) fn fail(&self, words: &str) -> String {
        let output = self.command(words).output().expect("the laboratory runs");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{words}: {text}");
        assert!(!text.contains("panicked"), "{text}");
        text
    }

    pub(crate) fn games(&self, name: &str) -> Vec<Game> {
        let games: Result<_, _> = Reader::open(&self.path(name)).expect("a file").collect();
        games.unwrap_or_else(|error| panic!("{name}: {error:#}"))
    }
}

pub(crate) fn bytes(games: &[Game]) -> Vec<u8> {
    let mut bytes = Vec::new();
    games.iter().for_each(|game| game.write_into(&mut bytes));
    bytes
}

/// A game of random moves with random scores.
pub(crate) fn random_game(start: Board, number: u32, longest: usize, rng: &mut Rng) -> Game {
    let mut position = Position::new(start);
    let mut moves = Vec::new();
    while position.outcome().is_none() && moves.len() < longest {
        let legal = position.legal_moves();
        // Castling, promotions and en passant are rare; take them when they are there.
        let special = legal.iter().find(|mv| mv.is_castle() || mv.is_en_passant());
        let promotions: Vec<_> = legal.iter().filter(|mv| mv.is_promotion()).collect();
        let any = legal[rng.below(legal.len())];
        let mv = *special.or_else(|| promotions.get(rng.below(promotions.len())).copied()).unwrap_or(&any);
        moves.push((mv, rng.bits() as i16));
        position.play(mv);
    }
    let result = GameResult::of_white_half_points(rng.below(3) as u8).expect("a result");
    Game { start, result, number, moves }
}

/// Random games from classical, Chess960 and double Chess960 starts.
pub(crate) fn random_games(count: u32, longest: usize, seed: u64) -> Vec<Game> {
    let mut rng = Rng::new(seed);
    let starts = [Variety::Standard, Variety::Chess960, Variety::Double960].into_iter().cycle();
    let game = |(number, start): (u32, Variety)| {
        let start = start.pick(&mut rng).expect("a start position");
        random_game(start, number * 40_009 % (1 << 24), longest, &mut rng)
    };
    (0..count).zip(starts).map(game).collect()
}
