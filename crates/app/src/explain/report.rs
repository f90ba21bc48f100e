//! Explains a position: the sentences, in the order a teacher would say them.

use std::sync::Arc;

use chess::{Board, Move, Outcome, Position};
use engine::PvLine;
use serde::Serialize;

use super::course::Course;
use super::facts;
use super::forecast::{Forecast, ForecastView};
use super::reasons::{self, bounded, compared};
use super::said::{Choice, Claim, Kind, Sentence};
use super::terms;
use super::thinker::Thinker;
use super::why::table_sentence;
use crate::people::words;

/// How many tempting captures and checks outside the best moves are searched, and how much worse one must be to be
/// mentioned.
const TEMPTING: usize = 2;
const CLEARLY_WORSE: i32 = 100;

/// The explanation of a position.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Explanation {
    pub(crate) fen: String,
    /// The best move; none if the game is over.
    pub(crate) best: Option<Choice>,
    pub(crate) others: Vec<Choice>,
    /// What the network expects, if it has learned to say so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) forecast: Option<ForecastView>,
    pub(crate) sections: Vec<Section>,
}

/// Sentences under a title.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Section {
    pub(crate) title: Option<&'static str>,
    pub(crate) sentences: Vec<Sentence>,
    #[serde(skip)]
    pub(super) is_list: bool,
}

/// How much to say.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scope {
    /// Moves besides the best.
    pub(crate) others: usize,
    /// Whether to include the evaluations of the line and of the pieces.
    pub(crate) details: bool,
}

/// Explains a position. None if the search was called off.
pub(crate) fn explain(position: &Position, scope: Scope, thinker: &mut Thinker<'_>) -> Option<Explanation> {
    let mut explanation = Explanation {
        fen: position.board().to_string(),
        best: None,
        others: Vec::new(),
        forecast: None,
        sections: Vec::new(),
    };
    let (mut situation, is_over) = situation(position);
    situation.extend(table_sentence(position, thinker).filter(|_| !is_over));
    explanation.add(None, false, situation);
    if is_over {
        return Some(explanation);
    }
    let found = thinker.rank(position, scope.others + 1);
    let best = &found.best;
    let &mv = best.moves.first()?;
    let course = Course::new(position, &best.moves);
    explanation.best = Choice::new(position, best, &course.moves);
    let threat = reasons::threat(position, best, thinker);
    let (threat, threat_sentence) = threat.map_or((None, None), |(threat, sentence)| (Some(threat), sentence));

    let side = position.side_to_move();
    let text = format!("{}: {}.", position.san_line(&[mv]), words::meaning(best.score.for_white(side)));
    let claim = Claim::Best(position.clone(), mv);
    let mut said = vec![Sentence::new(Kind::Best, text, claim).with_line(position, &course.moves)];
    said.extend(reasons::reasons(position, best, threat.as_ref(), thinker));
    explanation.add("The best move", false, said);
    explanation.add("What the other side wants", false, threat_sentence.into_iter().collect());
    if scope.others > 0 {
        let others = others(position, best, &found.others, thinker);
        explanation.others = others.iter().filter_map(|(choice, _)| choice.clone()).collect();
        explanation.add("Other moves", true, others.into_iter().map(|(_, sentence)| sentence).collect());
    }
    explanation.add("Loose and pinned pieces", true, loose_and_pinned(position));
    let forecast = Forecast::new(position, thinker.network().map(Arc::as_ref));
    explanation.forecast = forecast.view();
    explanation.add("What the network expects", false, forecast.sentences(mv));
    if scope.details {
        explanation.add("What the evaluations say, without any search", false, details(position, mv, &course, thinker));
    }
    (!thinker.is_stopped()).then_some(explanation)
}

impl Explanation {
    /// Adds a section unless it is empty.
    fn add(&mut self, title: impl Into<Option<&'static str>>, is_list: bool, sentences: Vec<Sentence>) {
        if !sentences.is_empty() {
            self.sections.push(Section { title: title.into(), sentences, is_list });
        }
    }
}

/// The situation: the side to move, check, and whether the game is over.
fn situation(position: &Position) -> (Vec<Sentence>, bool) {
    let side = position.side_to_move();
    let mut said = Vec::new();
    let mut say = |text: String| said.push(Sentence::exact(Kind::Situation, text));
    match position.outcome() {
        Some(Outcome::Checkmate { winner }) => say(format!("{side} is checkmated: {winner} has won.")),
        Some(Outcome::Stalemate) => say(format!("{side} has no legal move and is not in check: stalemate, a draw.")),
        Some(Outcome::InsufficientMaterial) => say("Neither side has the pieces to mate: a draw.".to_owned()),
        other => {
            if other == Some(Outcome::FiftyMoves) {
                say("Fifty moves have passed without a capture or a pawn move: either side may claim a draw."
                    .to_owned());
            }
            say(format!("{side} to move."));
            let checkers: Vec<String> = position
                .checkers()
                .into_iter()
                .filter_map(|square| position.piece_on(square).map(|piece| words::piece(piece, square)))
                .collect();
            if !checkers.is_empty() {
                say(format!("{side}'s king is in check by {}.", words::list(&checkers)));
            }
            match position.count_legal_moves() {
                1 => say("There is only one legal move.".to_owned()),
                count if !checkers.is_empty() => say(format!("There are {count} ways out.")),
                _ => {}
            }
            return (said, false);
        }
    }
    (said, true)
}

/// Why other moves are worse.
fn others(
    position: &Position,
    best: &PvLine,
    lines: &[PvLine],
    thinker: &mut Thinker<'_>,
) -> Vec<(Option<Choice>, Sentence)> {
    let known: Vec<Move> = lines.iter().chain([best]).filter_map(|line| line.moves.first().copied()).collect();
    let mut all: Vec<PvLine> = lines.to_vec();
    for mv in tempting(position.board(), &known) {
        let line = thinker.line_after(position, mv);
        if bounded(best) - bounded(&line) >= CLEARLY_WORSE {
            all.push(line);
        }
    }
    all.iter()
        .filter_map(|line| {
            let course = Course::new(position, &line.moves).confirm(position, thinker);
            Some((Choice::new(position, line, &course.moves), other(position, best, line, &course)?))
        })
        .collect()
}

/// Why a move is worse.
fn other(position: &Position, best: &PvLine, line: &PvLine, course: &Course) -> Option<Sentence> {
    let side = position.side_to_move();
    let &mv = line.moves.first()?;
    let (words, claim) = compared(position, line, best);
    let mut text = format!("{}: {words}.", position.san_line(&[mv]));
    let next = position.board().after(mv);
    if !next.has_legal_moves() && !next.in_check() {
        text.push_str(" It is stalemate.");
    } else if let Some(gain) = course.gain_of(side.other()).filter(|_| bounded(best) - bounded(line) >= CLEARLY_WORSE) {
        text.push_str(&format!(" {} {}.", gain.winner, gain.text));
    }
    Some(Sentence::new(Kind::Other, text, claim).with_line(position, &course.moves))
}

/// Captures that do not lose material in the exchange, and checks, the biggest first; known moves are left out.
fn tempting(board: &Board, known: &[Move]) -> Vec<Move> {
    let info = board.check_info();
    let mut moves: Vec<(i32, Move)> = board
        .legal_moves()
        .iter()
        .copied()
        .filter(|mv| !known.contains(mv))
        .filter_map(|mv| match board.captured(mv) {
            Some(kind) if board.see_ge(mv, 0) => Some((facts::worth(kind), mv)),
            None if board.gives_check(mv, &info) && board.see_ge(mv, 0) => Some((0, mv)),
            _ => None,
        })
        .collect();
    moves.sort_by_key(|&(worth, mv)| (-worth, mv.bits()));
    moves.into_iter().take(TEMPTING).map(|(_, mv)| mv).collect()
}

fn loose_and_pinned(position: &Position) -> Vec<Sentence> {
    let board = position.board();
    let mut said = Vec::new();
    for view in std::iter::once(*board).chain(facts::passed(board)) {
        let turn = if view.side_to_move() == board.side_to_move() { "" } else { ", if it were the other side's turn" };
        for loose in facts::loose(&view) {
            let text = format!(
                "{} can be taken with profit by {}{turn}, counting captures on {} alone.",
                words::piece(loose.piece, loose.square),
                view.san(loose.by),
                loose.square
            );
            said.push(Sentence::exact(Kind::Loose, text));
        }
    }
    for color in [board.side_to_move(), board.side_to_move().other()] {
        for pin in facts::pins(board, color) {
            let (pinner, square) = pin.pinner;
            let text = format!(
                "{} is pinned to its king by the {} on {square}.",
                words::piece(pin.piece, pin.square),
                words::kind(pinner.kind())
            );
            said.push(Sentence::exact(Kind::Pinned, text));
        }
    }
    said
}

fn details(position: &Position, mv: Move, course: &Course, thinker: &Thinker<'_>) -> Vec<Sentence> {
    let last = course.moves.last().map_or_else(
        || position.san(mv),
        |_| {
            let line = position.san_line(&course.moves);
            line.rsplit(' ').next().unwrap_or_default().to_owned()
        },
    );
    let mut texts: Vec<String> = vec![terms::by_hand(course, &last).unwrap_or_else(|| {
        "Positions in check, and games that are over, are not evaluated, only searched.".to_owned()
    })];
    if let Some(network) = thinker.network() {
        texts.extend(terms::by_network(course, network, &last));
    }
    texts.into_iter().map(|text| Sentence::exact(Kind::Evaluation, text)).collect()
}
