//! The review of a game for the page. `annotate` judges the moves and the quality of play.

use std::collections::BTreeMap;

use chess::{Board, Move};
use record::pgn::Game;
use serde::Serialize;

use super::ask::Format;
use super::lines::{Evaluation, LineView};
use super::tree::Id;
use crate::annotate::judge::{loss, win_percent_of};
use crate::annotate::review::{Mark, Phase, Player, Quality, review};
use crate::annotate::think::Finding;
use crate::annotate::{html, notes};

/// How much of a better line is worth reading.
const LONGEST_LINE: usize = 12;

/// The results for the positions of a game, by node.
pub(super) type Found = BTreeMap<Id, Finding>;

/// The main line of a game: its start, and for each move the node it leads to.
pub(super) struct MainLine {
    pub(super) start: Board,
    pub(super) moves: Vec<(Id, Move)>,
}

impl MainLine {
    fn moves(&self) -> Vec<Move> {
        self.moves.iter().map(|(_, mv)| *mv).collect()
    }

    /// The results for all its positions; none if one is missing.
    fn findings(&self, found: &Found) -> Option<Vec<Finding>> {
        std::iter::once(&super::tree::ROOT)
            .chain(self.moves.iter().map(|(node, _)| node))
            .map(|node| found.get(node).cloned())
            .collect()
    }

    /// The review, if all positions have been evaluated.
    pub(super) fn review(&self, found: &Found) -> Option<ReviewView> {
        let findings = self.findings(found)?;
        let moves = self.moves();
        let review = review(&self.start, &moves, &findings);
        let mut board = self.start;
        let mut views = Vec::with_capacity(moves.len());
        for (index, &(node, mv)) in self.moves.iter().enumerate() {
            let (Some(before), Some(after)) = (findings.get(index), findings.get(index + 1)) else { break };
            let mark = review.marks.get(index).copied().flatten();
            let phase = review.phases.get(index).copied().unwrap_or(Phase::Opening);
            views.push(MoveReview::new(node, &board, mv, [before, after], mark, phase));
            board = board.after(mv);
        }
        let [white, black] = review.players;
        Some(ReviewView { white: (&white).into(), black: (&black).into(), moves: views })
    }

    /// The game with all its annotations.
    pub(super) fn report(&self, mut game: Game, found: &Found, format: Format) -> Option<String> {
        notes::annotate(&mut game, self.start, &self.moves(), &self.findings(found)?);
        Some(match format {
            Format::Pgn => game.to_string(),
            Format::Html => html::of_game(game),
        })
    }
}

#[derive(Serialize, Debug)]
pub(super) struct ReviewView {
    white: PlayerView,
    black: PlayerView,
    /// All moves of the main line.
    moves: Vec<MoveReview>,
}

#[derive(Serialize, Debug)]
struct PlayerView {
    #[serde(flatten)]
    whole: Quality,
    marks: Vec<Count>,
    phases: Vec<Part>,
}

#[derive(Serialize, Debug)]
struct Count {
    glyph: &'static str,
    name: &'static str,
    count: usize,
}

#[derive(Serialize, Debug)]
struct Part {
    name: &'static str,
    #[serde(flatten)]
    quality: Quality,
}

/// A move, its cost and the better alternative.
#[derive(Serialize, Debug)]
struct MoveReview {
    node: Id,
    phase: &'static str,
    glyph: Option<&'static str>,
    nag: Option<u8>,
    name: Option<&'static str>,
    /// The judgement as text.
    text: Option<String>,
    /// The mover's winning chances before and after it, in per cent.
    chances: [f64; 2],
    /// The cost in centipawns.
    loss: i32,
    /// The best line, if another move was played.
    best: Option<LineView>,
}

impl MoveReview {
    fn new(
        node: Id,
        board: &Board,
        mv: Move,
        [before, after]: [&Finding; 2],
        mark: Option<Mark>,
        phase: Phase,
    ) -> MoveReview {
        let side = board.side_to_move();
        let better = || LineView::new(Evaluation::of_eval(before.eval), board, &before.line, LONGEST_LINE);
        let best = before.line.first().filter(|&&best| best != mv).map(|_| better());
        let text = match mark {
            Some(Mark::Judgement(judgement)) => Some(notes::words(judgement, board, mv, [before, after])),
            _ => None,
        };
        MoveReview {
            node,
            phase: phase.name(),
            glyph: mark.map(Mark::glyph),
            nag: mark.map(Mark::nag),
            name: mark.map(Mark::name),
            text,
            chances: [before.eval, after.eval].map(|eval| win_percent_of(eval, side)),
            loss: loss(before.eval, after.eval, side),
            best,
        }
    }
}

impl From<&Player> for PlayerView {
    fn from(player: &Player) -> PlayerView {
        let marks = Mark::ALL.iter().zip(player.counts);
        let phases = Phase::ALL.iter().zip(player.phases);
        PlayerView {
            whole: player.whole,
            marks: marks.map(|(mark, count)| Count { glyph: mark.glyph(), name: mark.name(), count }).collect(),
            phases: phases.map(|(phase, quality)| Part { name: phase.name(), quality }).collect(),
        }
    }
}
