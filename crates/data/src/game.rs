//! A game with a score for every position.

use chess::{Board, Move};
pub use record::GameResult;

use super::format::{self, END};

/// A whole game.
#[derive(Clone, PartialEq, Debug)]
pub struct Game {
    /// The start position, after the random opening moves.
    pub start: Board,
    /// How it ended.
    pub result: GameResult,
    /// Its number in the run that made it; 24 bits.
    pub number: u32,
    /// For every position the move played and its score for White, in centipawns or as one of the engine's mate and
    /// tablebase scores.
    pub moves: Vec<(Move, i16)>,
}

/// A position of a game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sample {
    /// The position.
    pub board: Board,
    /// The move played.
    pub mv: Move,
    /// The score for White.
    pub score: i16,
}

impl Game {
    /// Every position with a score, in order. The final position, in which no move was played, has none.
    pub fn positions(&self) -> impl Iterator<Item = Sample> {
        self.moves.iter().scan(self.start, |board, &(mv, score)| {
            let sample = Sample { board: *board, mv, score };
            board.play(mv);
            Some(sample)
        })
    }

    /// Appends the bytes of the game.
    pub fn write_into(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&format::pack(&self.start, self.result, self.number));
        for &(mv, score) in &self.moves {
            bytes.extend_from_slice(&format::encode_move(mv).to_le_bytes());
            bytes.extend_from_slice(&score.to_le_bytes());
        }
        bytes.extend_from_slice(&END);
    }
}
