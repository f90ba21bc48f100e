//! Judges a whole game: every move, and how well each side played in each phase. `annotate` writes the result into the
//! game; the page of `serve` shows it.

use chess::{Board, Color, Move, PieceKind, Rank};
use serde::Serialize;

use super::judge::{Eval, Judgement, game_accuracy, judge, loss};
use super::praise::{Praise, praise};
use super::think::{Finding, mover};

/// The judgement of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mark {
    Praise(Praise),
    Judgement(Judgement),
}

impl Mark {
    pub(crate) const ALL: [Mark; 5] = [
        Mark::Praise(Praise::Brilliant),
        Mark::Praise(Praise::Good),
        Mark::Judgement(Judgement::Inaccuracy),
        Mark::Judgement(Judgement::Mistake),
        Mark::Judgement(Judgement::Blunder),
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Mark::Praise(praise) => praise.name(),
            Mark::Judgement(judgement) => judgement.name(),
        }
    }

    pub(crate) fn nag(self) -> u8 {
        match self {
            Mark::Praise(praise) => praise.nag(),
            Mark::Judgement(judgement) => judgement.nag(),
        }
    }

    pub(crate) fn glyph(self) -> &'static str {
        match self {
            Mark::Praise(praise) => praise.glyph(),
            Mark::Judgement(judgement) => judgement.glyph(),
        }
    }
}

/// A phase of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Phase {
    Opening,
    Middlegame,
    Endgame,
}

impl Phase {
    pub(crate) const ALL: [Phase; 3] = [Phase::Opening, Phase::Middlegame, Phase::Endgame];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Phase::Opening => "opening",
            Phase::Middlegame => "middlegame",
            Phase::Endgame => "endgame",
        }
    }
}

/// How well a side played, in a whole game or in a phase.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize)]
pub(crate) struct Quality {
    pub(crate) moves: usize,
    /// From 0 to 100; none without moves.
    pub(crate) accuracy: Option<f64>,
    /// Average centipawn loss.
    pub(crate) loss: Option<f64>,
}

/// One side's performance in a game.
#[derive(Clone, PartialEq, Default, Debug)]
pub(crate) struct Player {
    pub(crate) whole: Quality,
    /// By phase, in the order of [`Phase::ALL`].
    pub(crate) phases: [Quality; 3],
    /// How many moves got each mark, in the order of [`Mark::ALL`].
    pub(crate) counts: [usize; 5],
}

#[derive(Clone, PartialEq, Default, Debug)]
pub(crate) struct Review {
    /// One for each move.
    pub(crate) marks: Vec<Option<Mark>>,
    pub(crate) phases: Vec<Phase>,
    /// White and Black.
    pub(crate) players: [Player; 2],
}

/// Judges a game. `findings` has one entry per position, so one more than there are moves.
pub(crate) fn review(start: &Board, moves: &[Move], findings: &[Finding]) -> Review {
    let first = start.side_to_move();
    let mut review = Review { phases: phases(start, moves), ..Review::default() };
    let mut board = *start;
    for (ply, (&mv, pair)) in moves.iter().zip(findings.windows(2)).enumerate() {
        let [before, after] = pair else { break };
        let mark = mark(&board, mv, before, after);
        review.marks.push(mark);
        let counts = review.players.get_mut(mover(first, ply).index()).map(|player| &mut player.counts);
        let place = mark.and_then(|mark| Mark::ALL.iter().position(|&other| other == mark));
        if let Some(count) = counts.zip(place).and_then(|(counts, place)| counts.get_mut(place)) {
            *count += 1;
        }
        board = board.after(mv);
    }
    let evals: Vec<Eval> = findings.iter().map(|finding| finding.eval).collect();
    for side in Color::ALL {
        let Some(player) = review.players.get_mut(side.index()) else { continue };
        player.whole = quality(&evals, first, side);
        for (phase, part) in Phase::ALL.into_iter().zip(&mut player.phases) {
            let from = review.phases.iter().take_while(|&&other| other != phase).count();
            let length = review.phases.iter().filter(|&&other| other == phase).count();
            if length > 0 {
                let evals = evals.get(from..=from + length).unwrap_or_default();
                *part = quality(evals, mover(first, from), side);
            }
        }
    }
    review
}

/// The mark of a move. The best move is never bad, even if the search changed its mind afterwards.
pub(crate) fn mark(board: &Board, mv: Move, before: &Finding, after: &Finding) -> Option<Mark> {
    if before.line.first() == Some(&mv) {
        return praise(board, mv, before, after).map(Mark::Praise);
    }
    judge(before.eval, after.eval, board.side_to_move()).map(Mark::Judgement)
}

fn quality(evals: &[Eval], first: Color, side: Color) -> Quality {
    let losses: Vec<i32> = evals
        .windows(2)
        .enumerate()
        .filter(|(ply, _)| mover(first, *ply) == side)
        .filter_map(|(_, pair)| Some(loss(*pair.first()?, *pair.get(1)?, side)))
        .collect();
    let average = f64::from(losses.iter().sum::<i32>()) / losses.len().max(1) as f64;
    let accuracy = game_accuracy(evals, first).get(side.index()).copied().flatten();
    Quality { moves: losses.len(), accuracy, loss: (!losses.is_empty()).then_some(average) }
}

/// The phase each move belongs to. As in Lichess's divider, the middlegame begins when pieces have been exchanged or
/// have left the back ranks, and the endgame when at most six pieces other than kings and pawns are left.
fn phases(start: &Board, moves: &[Move]) -> Vec<Phase> {
    let mut board = *start;
    let mut phase = Phase::Opening;
    let mut found = Vec::with_capacity(moves.len());
    for &mv in moves {
        let kinds = [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];
        let pieces: usize = kinds.into_iter().map(|kind| board.kind(kind).len()).sum();
        let has_left = |color: Color, rank: Rank| (board.color(color) & rank.bitboard()).len() < 4;
        if pieces <= 6 {
            phase = Phase::Endgame;
        } else if phase == Phase::Opening
            && (pieces <= 10 || has_left(Color::White, Rank::First) || has_left(Color::Black, Rank::Eighth))
        {
            phase = Phase::Middlegame;
        }
        found.push(phase);
        board = board.after(mv);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::think::fools_mate;
    use super::*;

    fn game(text: &str) -> record::pgn::Game {
        record::pgn::games(text).next().expect("a game").expect("a good one")
    }

    #[test]
    fn every_part_of_a_game_is_judged() {
        let (start, moves, findings) = fools_mate(&game("1. f3 e5 2. g4 Qh4# 0-1"));
        let review = review(&start, &moves, &findings);
        assert_eq!(review.marks, [None, None, Some(Mark::Judgement(Judgement::Blunder)), None]);
        let [white, black] = &review.players;
        assert_eq!((white.counts, black.counts), ([0, 0, 0, 0, 1], [0; 5]));
        assert_eq!((white.whole.moves, white.whole.loss), (2, Some((70.0 + 950.0) / 2.0)));
        assert_eq!((black.whole.loss, black.whole.accuracy), (Some(0.0), Some(100.0)));
        assert_eq!((white.phases[0], white.phases[1].moves), (white.whole, 0));
    }

    #[test]
    fn phases_follow_the_pieces() {
        let phases = |text: &str| {
            let (start, moves) = game(text).replay(999).expect("legal");
            phases(&start, &moves)
        };
        let berlin = "1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 4. O-O Nxe4 5. d4 Nd6 6. Bxc6 dxc6 7. dxe5 Nf5 8. Qxd8+ Kxd8 *";
        assert_eq!(phases(berlin)[..8], [Phase::Opening; 8]);
        assert_eq!(phases("[FEN \"4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1\"]\n\n1. e4 Ke7 *"), [Phase::Endgame; 2]);
    }
}
