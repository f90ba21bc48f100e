//! Positions in the form the fit needs: how often each weight occurs, packed, and the target.

use std::thread;

use chess::{Board, Color, Move};
use engine::SearchScore;
use engine::eval::{Coefficients, coefficients};

use super::games::ScoredGame;
use super::quiet::Quiescence;

/// Which positions are suitable for the fit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Filter {
    /// How many plies at the start of a game are skipped.
    pub first_ply: u32,
    /// The largest score that is kept.
    pub largest_score: i32,
    /// The most that captures may change the evaluation.
    pub unrest: i32,
}

impl Filter {
    /// Whether a position may be used, as far as can be decided without a search.
    fn admits(&self, board: &Board, mv: Move, score: i16) -> bool {
        let ply = 2 * (u32::from(board.fullmove_number()) - 1) + board.side_to_move().index() as u32;
        ply >= self.first_ply
            && !board.in_check()
            && mv.is_quiet()
            && !SearchScore::from(score).is_decisive()
            && i32::from(score).abs() <= self.largest_score
    }
}

/// Everything about a position except the counts of its weights.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Head {
    /// The start of its counts in the common list.
    pub(super) start: usize,
    /// How many counts there are: linear, White's danger, Black's danger, complexity.
    pub(super) lengths: [u8; 4],
    /// The share of the middle game.
    pub(super) phase: f32,
    /// The scale factor of the blended score.
    pub(super) scale: f32,
    /// Added after blending.
    pub(super) drive: f32,
    /// 1 if White is to move, else -1.
    pub(super) side: f32,
    /// White's result: 0, ½ or 1.
    pub(super) result: f32,
    /// The search score in White's centipawns.
    pub(super) score: f32,
}

/// Many positions.
#[derive(Clone, Default, Debug)]
pub struct Positions {
    pub(super) heads: Vec<Head>,
    /// The index of a weight, and how often it occurs.
    pub(super) counts: Vec<(u16, i16)>,
}

impl Positions {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// Collects the positions of games that pass the filter, on `threads` threads; their order does not depend on the
    /// number of threads.
    #[must_use]
    pub fn gather(games: &[ScoredGame], filter: Filter, threads: usize) -> Positions {
        let share = games.len().div_ceil(threads.max(1)).max(1);
        thread::scope(|scope| {
            let parts: Vec<_> = games
                .chunks(share)
                .map(|games| {
                    scope.spawn(move || {
                        let (mut positions, mut quiescence) = (Positions::default(), Quiescence::new());
                        games.iter().for_each(|game| positions.add_game(game, filter, &mut quiescence));
                        positions
                    })
                })
                .collect();
            let mut all = Positions::default();
            for part in parts {
                match part.join() {
                    Ok(part) => all.append(part),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            all
        })
    }

    fn add_game(&mut self, game: &ScoredGame, filter: Filter, quiescence: &mut Quiescence) {
        let mut board = game.start;
        for &(mv, score) in &game.moves {
            let score = score.filter(|&score| filter.admits(&board, mv, score));
            if let Some(score) = score.filter(|_| quiescence.unrest(&board) <= filter.unrest) {
                self.add(&coefficients(&board), board.side_to_move(), game.result.white_points(), score);
            }
            board.play(mv);
        }
    }

    pub(super) fn add(&mut self, found: &Coefficients, side: Color, result: f32, score: i16) {
        let start = self.counts.len();
        let lists = [&found.linear, &found.danger[0], &found.danger[1], &found.complexity];
        for &(index, count) in lists.into_iter().flatten() {
            self.counts.push((index as u16, count as i16));
        }
        self.heads.push(Head {
            start,
            // A position has about sixty counts, far fewer than fit in a byte.
            lengths: lists.map(|list| u8::try_from(list.len()).unwrap_or(u8::MAX)),
            phase: found.phase as f32 / 24.0,
            scale: found.scale as f32 / 64.0,
            drive: found.mop_up as f32,
            side: if side == Color::White { 1.0 } else { -1.0 },
            result,
            score: score.into(),
        });
    }

    fn append(&mut self, other: Positions) {
        let offset = self.counts.len();
        self.counts.extend(other.counts);
        self.heads.extend(other.heads.into_iter().map(|head| Head { start: head.start + offset, ..head }));
    }

    /// The four lists of a position's counts.
    pub(super) fn lists(&self, head: &Head) -> [&[(u16, i16)]; 4] {
        let mut start = head.start;
        head.lengths.map(|length| {
            let list = self.counts.get(start..start + usize::from(length)).unwrap_or_default();
            start += usize::from(length);
            list
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use data::GameResult;

    #[test]
    fn only_quiet_positions_with_scores_are_taken() {
        let start: Board = "4k3/pp6/8/3q4/8/8/PP6/3RK3 w - - 0 20".parse().expect("a board");
        let mut board = start;
        let mut moves = Vec::new();
        for (text, score) in [
            ("e1f2", Some(500)),     // its rook hangs: captures would change the value
            ("d5d1", Some(-900)),    // a capture
            ("f2g3", Some(-900)),    // this one is taken
            ("d1d3", None),          // no score
            ("g3h4", Some(-950)),    // in check
            ("d3d8", Some(-31_950)), // mate is seen
        ] {
            let mv = board.parse_uci(text).expect(text);
            moves.push((mv, score));
            board.play(mv);
        }
        let game = ScoredGame { start, result: GameResult::BlackWins, moves };
        let filter = Filter { first_ply: 16, largest_score: 2000, unrest: 50 };
        let games = [game.clone()];
        let one = Positions::gather(&games, filter, 1);
        assert_eq!(one.len(), 1);
        assert_eq!((one.heads[0].score, one.heads[0].result, one.heads[0].side), (-900.0, 0.0, 1.0));
        assert!(Positions::gather(&games, Filter { first_ply: 60, ..filter }, 1).is_empty());
        assert!(Positions::gather(&games, Filter { largest_score: 800, ..filter }, 1).is_empty());
        let three = Positions::gather(&[game.clone(), game.clone(), game], filter, 2);
        assert_eq!((three.len(), three.counts.len()), (3, 3 * one.counts.len()));
        assert_eq!(three.lists(&three.heads[2]), one.lists(&one.heads[0]));
    }
}
