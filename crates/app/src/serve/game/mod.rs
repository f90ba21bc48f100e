//! The game of a session: its moves and variations, the position on display, and the game against the engine.

use std::time::Instant;

use chess::{Board, Color, Move, Position};
use record::{GameResult, date};

use super::clock::Clocks;
use super::lines::Evaluation;
use super::message::{ClockView, FinishedView, GameView, MoveView, PlayView, PositionView};
use super::review::{Found, MainLine};
use super::tree::{Id, ROOT, Tree};
use super::{pgn, remark};
use crate::annotate::openings;
use crate::annotate::think::mover;
use crate::people;

pub(super) struct Game {
    tree: Tree,
    /// The node on display.
    pub(super) cursor: Id,
    tags: Vec<(String, String)>,
    result: Option<GameResult>,
    pub(super) play: Option<Play>,
    /// The last finished game against the engine.
    finished: Option<Finished>,
}

/// How a game against the engine ended.
struct Finished {
    play: Play,
    text: String,
    winner: Option<Color>,
}

/// A game against the engine.
#[derive(Clone, Copy)]
pub(super) struct Play {
    pub(super) side: Color,
    pub(super) level: Option<usize>,
    /// The last position played, and the one the game began with, beyond which nothing can be taken back.
    pub(super) tip: Id,
    from: Id,
    /// The seed of a weaker engine's errors.
    pub(super) seed: u64,
    pub(super) clocks: Option<Clocks>,
    /// The engine's score when it last moved, in centipawns.
    pub(super) opinion: Option<i32>,
}

/// The engine accepts a draw if its score is at most this, in centipawns, and the opening is over.
const DRAWISH: i32 = 12;
const EARLIEST_DRAW: usize = 30; // plies
/// The most bytes of comments, as much as one message can bring.
const MOST_COMMENTS: usize = 1 << 20;

/// A line to step through.
pub(super) struct Walk {
    pub(super) start: Board,
    pub(super) steps: Vec<Step>,
}

/// A move, the node it leads to, and whether that node is to be judged.
#[derive(Clone, Copy)]
pub(super) struct Step {
    pub(super) node: Id,
    pub(super) mv: Option<Move>,
    pub(super) wanted: bool,
}

impl Game {
    pub(super) fn new(start: Board) -> Game {
        Game { tree: Tree::new(start), cursor: ROOT, tags: Vec::new(), result: None, play: None, finished: None }
    }

    /// The game at this index of a PGN text, the names of all its games if there are several, and any problem with it.
    pub(super) fn read(text: &str, index: usize) -> Result<(Game, Vec<String>, Option<String>), String> {
        let found = pgn::read(text, index)?;
        let tags = found.game.tags.into_iter().map(|tag| (tag.name, tag.value)).collect();
        let game = Game { tree: found.tree, cursor: ROOT, tags, result: found.game.result, play: None, finished: None };
        Ok((game, found.names, found.problem))
    }

    pub(super) fn position(&self) -> Position {
        self.tree.position(self.cursor)
    }

    pub(super) fn position_at(&self, node: Id) -> Position {
        self.tree.position(node)
    }

    pub(super) fn has(&self, node: Id) -> bool {
        self.tree.has(node)
    }

    /// Rejects a node that no longer exists.
    pub(super) fn check(&self, node: Id) -> Result<(), String> {
        if self.has(node) { Ok(()) } else { Err("this position is gone".into()) }
    }

    /// The position of a node, if it still exists.
    pub(super) fn find(&self, node: Id) -> Result<Position, String> {
        self.check(node).map(|()| self.position_at(node))
    }

    /// The main line, with the positions that still have no result.
    pub(super) fn unjudged(&self, found: &Found) -> Walk {
        let steps =
            self.tree.steps().into_iter().map(|(node, mv)| Step { node, mv, wanted: !found.contains_key(&node) });
        Walk { start: *self.tree.start(), steps: steps.collect() }
    }

    pub(super) fn main_line(&self) -> MainLine {
        let moves = self.tree.steps().into_iter().filter_map(|(node, mv)| Some((node, mv?))).collect();
        MainLine { start: *self.tree.start(), moves }
    }

    /// Stores an evaluation, unless a deeper one is there already.
    pub(super) fn judge(&mut self, node: Id, evaluation: Evaluation) {
        if let Some(node) = self.tree.get_mut(node)
            && node.evaluation.is_none_or(|old| old.depth <= evaluation.depth)
        {
            node.evaluation = Some(evaluation);
        }
    }

    pub(super) fn go_to(&mut self, node: Id) -> Result<(), String> {
        self.check(node)?;
        self.cursor = node;
        Ok(())
    }

    /// Plays the user's move, in any notation.
    pub(super) fn user_move(&mut self, text: &str) -> Result<(), String> {
        let position = self.position();
        if !position.has_legal_moves()
            && let Some(outcome) = position.outcome()
        {
            return Err(format!("the game is over: {outcome}"));
        }
        if let Some(play) = self.play {
            if self.cursor != play.tip {
                return Err("this is not the latest position; go to the end of the game, or take moves back".into());
            }
            if position.side_to_move() != play.side {
                return Err("it is the engine's turn".into());
            }
        }
        self.make(self.cursor, &position, read_move(&position, text)?)
    }

    /// Plays the engine's move. If the user is viewing another position, the view stays there.
    pub(super) fn engine_move(&mut self, mv: Move) -> Result<(), String> {
        let Some(play) = self.play else { return Ok(()) };
        let position = self.tree.position(play.tip);
        self.make(play.tip, &position, mv)
    }

    fn make(&mut self, from: Id, position: &Position, mv: Move) -> Result<(), String> {
        let next = self.tree.play(from, position.board(), mv)?;
        if self.cursor == from {
            self.cursor = next;
        }
        let Some(play) = &mut self.play else { return Ok(()) };
        play.tip = next;
        if let Some(clocks) = &mut play.clocks {
            let left = clocks.press(position.side_to_move(), Instant::now());
            if let Some(node) = self.tree.get_mut(next) {
                remark::set_clock(&mut node.comments, left);
            }
        }
        self.tree.promote(next);
        if let Some(outcome) = position.along(&[mv]).outcome() {
            self.finish(outcome.winner(), outcome.to_string());
        }
        Ok(())
    }

    /// Ends the game against the engine.
    fn finish(&mut self, winner: Option<Color>, text: String) {
        let Some(mut play) = self.play.take() else { return };
        if let Some(clocks) = &mut play.clocks {
            clocks.stop(Instant::now());
        }
        self.result = Some(GameResult::of_winner(winner));
        self.finished = Some(Finished { play, text, winner });
    }

    /// Ends the game if a flag has fallen; returns whether one had.
    pub(super) fn look_at_clocks(&mut self) -> bool {
        let Some(play) = self.play else { return false };
        let Some(loser) = play.clocks.and_then(|clocks| clocks.flagged(Instant::now())) else { return false };
        // A lone king cannot win, even on time. The user may be looking at another position.
        let alone = self.position_at(play.tip).color(loser.other()).len() == 1;
        let winner = (!alone).then_some(loser.other());
        let reason = if alone { ", but the other side has only its king" } else { "" };
        self.finish(winner, format!("{loser} has no time left{reason}"));
        true
    }

    /// Takes back the user's last move and what followed it; outside a game, the move that led here.
    pub(super) fn take_back(&mut self) -> Result<(), String> {
        let nothing = || "there is nothing to take back".to_owned();
        let Some(play) = self.play else {
            if self.cursor == ROOT {
                return Err(nothing());
            }
            self.cursor = self.tree.remove(self.cursor);
            return Ok(());
        };
        let path = self.tree.path(play.tip);
        let begun = self.tree.path(play.from).len();
        let first = self.tree.start().side_to_move();
        let kept = (begun..path.len()).rev().find(|&plies| mover(first, plies) == play.side).ok_or_else(nothing)?;
        let tip = path.get(kept).map_or(play.tip, |&gone| self.tree.remove(gone));
        let mut clocks = play.clocks;
        if let Some(clocks) = &mut clocks {
            clocks.turn(play.side, Instant::now());
        }
        self.play = Some(Play { tip, clocks, ..play });
        self.cursor = tip;
        self.result = None;
        Ok(())
    }

    pub(super) fn promote(&mut self, node: Id) -> Result<(), String> {
        self.check(node)?;
        self.tree.promote(node);
        Ok(())
    }

    /// Starts a game from the position on display.
    pub(super) fn begin(&mut self, side: Color, level: Option<usize>, clocks: Option<Clocks>) -> Result<(), String> {
        if let Some(outcome) = self.position().outcome() {
            return Err(format!("the game is over: {outcome}"));
        }
        let (tip, seed) = (self.cursor, people::random_word());
        self.play = Some(Play { side, level, tip, from: tip, seed, clocks, opinion: None });
        self.result = None;
        self.finished = None;
        let engine = level.map_or_else(|| "Stillwater".to_owned(), |level| format!("Stillwater level {level}"));
        let names = if side == Color::White { ["You", engine.as_str()] } else { [engine.as_str(), "You"] };
        let pairs = [("Event", "Casual game"), ("Date", &date::today()), ("White", names[0]), ("Black", names[1])];
        self.tags = pairs.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        Ok(())
    }

    /// The user resigns.
    pub(super) fn resign(&mut self) -> Result<(), String> {
        let Some(play) = self.play else { return Err("no game is being played".into()) };
        self.finish(Some(play.side.other()), format!("{} resigns", play.side));
        Ok(())
    }

    /// The user offers a draw; returns whether the engine accepts.
    pub(super) fn offer_draw(&mut self) -> Result<bool, String> {
        let Some(play) = self.play else { return Err("no game is being played".into()) };
        let takes =
            play.opinion.is_some_and(|opinion| opinion <= DRAWISH) && self.tree.path(play.tip).len() >= EARLIEST_DRAW;
        if takes {
            self.finish(None, "draw agreed".into());
        }
        Ok(takes)
    }

    /// Sets the comment, marks and drawings of a move.
    pub(super) fn annotate(
        &mut self,
        node: Id,
        words: Option<&str>,
        nags: Option<Vec<u8>>,
        shapes: Option<&[String]>,
    ) -> Result<(), String> {
        if self.tree.comment_bytes() > MOST_COMMENTS {
            return Err(format!("a game can have no more than {} MB of comments here", MOST_COMMENTS >> 20));
        }
        let node = self.tree.get_mut(node).ok_or("this position is gone")?;
        if let Some(words) = words {
            remark::set_words(&mut node.comments, words)?;
        }
        if let Some(shapes) = shapes {
            remark::set_shapes(&mut node.comments, shapes)?;
        }
        if let Some(mut nags) = nags {
            nags.truncate(8);
            node.nags = nags;
        }
        Ok(())
    }

    /// Whether it is the engine's turn in its game.
    pub(super) fn is_engines_turn(&self) -> bool {
        self.play.is_some_and(|play| {
            let position = self.tree.position(play.tip);
            position.side_to_move() != play.side && position.outcome().is_none()
        })
    }

    pub(super) fn play_view(&self) -> Option<PlayView> {
        self.play.map(|play| PlayView {
            side: play.side.into(),
            level: play.level,
            tip: play.tip,
            clock: play.clocks.map(|clocks| {
                let left = |side| clocks.left(side, Instant::now()).as_secs_f64();
                let (white, black) = (left(Color::White), left(Color::Black));
                let increment = clocks.increment().as_secs_f64();
                ClockView { white, black, increment, running: clocks.running().map(Into::into) }
            }),
        })
    }

    pub(super) fn finished_view(&self) -> Option<FinishedView> {
        let Finished { play, text, winner } = self.finished.as_ref()?;
        Some(FinishedView {
            text: text.clone(),
            winner: winner.map(Into::into),
            side: play.side.into(),
            level: play.level,
        })
    }

    pub(super) fn position_view(&self) -> PositionView {
        let last = self.tree.get(self.cursor).and_then(|node| node.mv);
        PositionView { opening: self.opening(), ..PositionView::new(self.cursor, &self.position(), last) }
    }

    /// The opening that led to the position on display: its code and name.
    fn opening(&self) -> Option<String> {
        let path = self.tree.path(self.cursor);
        let moves: Vec<Move> = path.into_iter().filter_map(|id| self.tree.get(id)?.mv).collect();
        let found = (*self.tree.start() == Board::start()).then(|| openings::find(&moves)).flatten()?;
        Some(format!("{} {}", found.eco, found.name))
    }

    pub(super) fn record(&self) -> record::pgn::Game {
        pgn::write(&self.tree, &self.tags, self.result)
    }

    pub(super) fn view(&self) -> GameView {
        let tag = |name: &str| {
            let found = self.tags.iter().find(|(tag, _)| tag.eq_ignore_ascii_case(name));
            found.map(|(_, value)| value.clone()).filter(|value| value != "?").unwrap_or_default()
        };
        let start = self.tree.start();
        let root = self.tree.get(ROOT);
        GameView {
            start: start.to_string(),
            chess960: !start.is_classical_castling(),
            white: tag("White"),
            black: tag("Black"),
            result: GameResult::text(self.result),
            evaluation: root.and_then(|node| node.evaluation),
            remark: root.map(|node| remark::read(&node.comments)).unwrap_or_default(),
            moves: self.move_views(),
            pgn: self.record().to_string(),
        }
    }

    /// All moves, ordered so that parents come before children and main lines before variations.
    fn move_views(&self) -> Vec<MoveView> {
        let start = self.tree.start();
        let first = 2 * u32::from(start.fullmove_number()) + u32::from(start.side_to_move() == Color::Black);
        let mut views = Vec::new();
        let mut open = vec![(ROOT, first)];
        while let Some((id, ply)) = open.pop() {
            let Some(node) = self.tree.get(id) else { continue };
            if id != ROOT {
                views.push(MoveView {
                    node: id,
                    parent: node.parent,
                    san: node.san.clone(),
                    number: u16::try_from((ply - 1) / 2).unwrap_or(u16::MAX),
                    side: if (ply - 1).is_multiple_of(2) { Color::White } else { Color::Black }.into(),
                    evaluation: node.evaluation,
                    remark: remark::read(&node.comments),
                    nags: node.nags.clone(),
                });
            }
            open.extend(node.children.iter().rev().map(|&child| (child, ply + 1)));
        }
        views
    }
}

/// Parses a legal move in any notation.
pub(super) fn read_move(position: &Position, text: &str) -> Result<Move, String> {
    let text = text.trim();
    let mv = position.parse_uci(text).or_else(|_| position.parse_san(text));
    mv.map_err(|error| error.to_string().chars().take(200).collect())
}

#[cfg(test)]
mod tests;
