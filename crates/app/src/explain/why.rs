//! Explains why a move is good or bad: the reply and what it wins, what the better move does, and how they compare.

use std::sync::Arc;

use chess::{Move, Position};
use engine::{PvLine, Score};
use serde::Serialize;

use super::course::{Course, balance};
use super::facts::{self, Cause};
use super::forecast::{Forecast, ForecastView};
use super::reasons::{self, bounded, compared, reversed};
use super::said::{Choice, Claim, Kind, Sentence};
use super::terms;
use super::thinker::Thinker;
use crate::annotate::judge::{self, Judgement};
use crate::people::words;

/// If the next best move loses this much more of the winning chances, the best is the only good one.
const ONLY: f64 = 15.0;

/// The explanation of a move.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Why {
    /// The position before the move.
    pub(crate) fen: String,
    /// The move in question.
    pub(crate) chosen: Choice,
    /// The best move, possibly the same.
    pub(crate) best: Choice,
    pub(crate) is_best: bool,
    /// `inaccuracy`, `mistake` or `blunder`, by Lichess's thresholds.
    pub(crate) judgement: Option<&'static str>,
    /// The winning chances the move gives away, in per cent.
    pub(crate) loss: f64,
    /// What the network expected before the move, if it has learned to say so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) forecast: Option<ForecastView>,
    pub(crate) sentences: Vec<Sentence>,
}

/// The two lines to compare.
struct Pair<'a> {
    position: &'a Position,
    played: PvLine,
    best: PvLine,
    /// The second-best line, if there is one.
    second: Option<PvLine>,
}

/// Explains why a legal move is good or bad. None if the search was called off.
pub(crate) fn why(position: &Position, mv: Move, thinker: &mut Thinker<'_>) -> Option<Why> {
    let found = thinker.rank(position, 2);
    let (mut best, mut second) = (found.best, found.others.into_iter().next());
    let ranked = [Some(&best), second.as_ref()].into_iter().flatten().find(|line| line.moves.first() == Some(&mv));
    let played = match ranked {
        Some(line) => line.clone(),
        None => thinker.line_with(position, mv),
    };
    // A closer search may find that the move is the best after all.
    if best.moves.first() != Some(&mv) && played.score > best.score {
        second = Some(std::mem::replace(&mut best, played.clone()));
    }
    let is_best = best.moves.first() == Some(&mv);
    let side = position.side_to_move();
    let [had, has] = [&best, &played].map(|line| judge::eval_of(line.score.for_white(side)));
    let judgement = if is_best { None } else { judge::judge(had, has, side) };
    let loss = (judge::win_percent_of(had, side) - judge::win_percent_of(has, side)).max(0.0);
    let pair = Pair { position, played, best, second };
    let mut sentences: Vec<Sentence> = table_sentence(position, thinker).into_iter().collect();
    match judgement {
        None => pair.praise(is_best, thinker, &mut sentences),
        Some(judgement) => pair.blame(judgement, thinker, &mut sentences),
    }
    let forecast = Forecast::new(position, thinker.network().map(Arc::as_ref));
    sentences.extend(forecast.of_move(mv));
    let forecast = forecast.view();
    let choice = |line: &PvLine| Choice::new(position, line, &Course::new(position, &line.moves).moves);
    let (chosen, best) = (choice(&pair.played)?, choice(&pair.best)?);
    let judgement = judgement.map(|judgement| match judgement {
        Judgement::Inaccuracy => "inaccuracy",
        Judgement::Mistake => "mistake",
        Judgement::Blunder => "blunder",
    });
    let fen = position.board().to_string();
    (!thinker.is_stopped()).then_some(Why { fen, chosen, best, is_best, judgement, loss, forecast, sentences })
}

/// What the tablebases say of the position.
pub(super) fn table_sentence(position: &Position, thinker: &Thinker<'_>) -> Option<Sentence> {
    use engine::tablebase::Wdl;
    let us = position.side_to_move();
    let wdl = thinker.tables(position)?;
    let text = match wdl {
        Wdl::Win => format!("By the tablebases {us} wins."),
        Wdl::Loss => format!("By the tablebases {us} loses."),
        Wdl::Draw => "By the tablebases this is a draw.".to_owned(),
        Wdl::CursedWin => format!("By the tablebases {us} would win, but the fifty-move rule makes it a draw."),
        Wdl::BlessedLoss => format!("By the tablebases {us} would lose, but the fifty-move rule makes it a draw."),
    };
    Some(Sentence::new(Kind::Tables, text, Claim::Tables(position.clone(), wdl)))
}

impl Pair<'_> {
    fn meaning(&self, line: &PvLine) -> String {
        words::meaning(line.score.for_white(self.position.side_to_move()))
    }

    fn san(&self, line: &PvLine) -> String {
        line.moves.first().map(|&mv| self.position.san(mv)).unwrap_or_default()
    }

    /// Explains a move without fault.
    fn praise(&self, is_best: bool, thinker: &mut Thinker<'_>, said: &mut Vec<Sentence>) {
        let (san, meaning) = (self.san(&self.played), self.meaning(&self.played));
        let shown = Course::new(self.position, &self.played.moves).moves;
        let verdict = if is_best {
            let Some(&mv) = self.best.moves.first() else { return };
            let name = if self.position.count_legal_moves() == 1 {
                "the only legal move"
            } else if self.is_only_good() {
                "the only good move"
            } else {
                "the best move"
            };
            let claim = Claim::Best(self.position.clone(), mv);
            Sentence::new(Kind::Verdict, format!("{san} is {name}: {meaning}."), claim)
        } else {
            let (text, claim) = compared(self.position, &self.played, &self.best);
            let text = format!("{san} is no mistake. Compared with the best move, {}: {text}.", self.san(&self.best));
            Sentence::new(Kind::Verdict, text, claim)
        };
        said.push(verdict.with_line(self.position, &shown));
        let threat = reasons::threat(self.position, &self.best, thinker);
        let (threat, sentence) = threat.map_or((None, None), |(threat, sentence)| (Some(threat), sentence));
        said.extend(sentence.filter(|_| threat.as_ref().is_some_and(|threat| threat.is_real)));
        said.extend(reasons::reasons(self.position, &self.played, threat.as_ref(), thinker));
        if let Some(second) = self.second.as_ref().filter(|_| is_best) {
            said.push(self.other(second));
        } else if !is_best {
            let text = format!("The best move is {}: {}.", self.san(&self.best), self.meaning(&self.best));
            let Some(&mv) = self.best.moves.first() else { return };
            let course = Course::new(self.position, &self.best.moves);
            let claim = Claim::Best(self.position.clone(), mv);
            said.push(Sentence::new(Kind::Best, text, claim).with_line(self.position, &course.moves));
        }
    }

    fn is_only_good(&self) -> bool {
        let side = self.position.side_to_move();
        let percent = |line: &PvLine| judge::win_percent_of(judge::eval_of(line.score.for_white(side)), side);
        self.second.as_ref().is_some_and(|second| percent(&self.best) - percent(second) >= ONLY)
    }

    /// The next best move.
    fn other(&self, second: &PvLine) -> Sentence {
        let (text, claim) = compared(self.position, second, &self.best);
        let text = format!("The next best is {}: {text}.", self.san(second));
        let course = Course::new(self.position, &second.moves);
        Sentence::new(Kind::Other, text, claim).with_line(self.position, &course.moves)
    }

    /// Explains a move that gives something away.
    fn blame(&self, judgement: Judgement, thinker: &mut Thinker<'_>, said: &mut Vec<Sentence>) {
        let (san, better) = (self.san(&self.played), self.san(&self.best));
        let article = if judgement == Judgement::Inaccuracy { "an" } else { "a" };
        let verdict = format!(
            "{san} is {article} {}. After {better}, {}; after {san}, {}.",
            judgement.name().to_lowercase(),
            self.meaning(&self.best),
            self.meaning(&self.played)
        );
        let scored = |line: &PvLine| line.moves.first().map(|&mv| (mv, bounded(line)));
        let (Some(worse), Some(than)) = (scored(&self.played), scored(&self.best)) else { return };
        let claim = Claim::Worse { position: self.position.clone(), worse, than };
        said.push(Sentence::new(Kind::Verdict, verdict, claim));
        let [bad, good] = [&self.played, &self.best]
            .map(|line| Course::new(self.position, &line.moves).confirm(self.position, thinker));
        let answered = self.refutation(&bad, &good, said);
        let missed = self.missed(&bad, &good, said);
        if !answered
            && !missed
            && let Some(text) = terms::compared(&good.end, &bad.end, self.position.side_to_move(), &better, &san)
        {
            said.push(Sentence::exact(Kind::Evaluation, text));
        }
        if !missed && let Some(&mv) = self.best.moves.first() {
            let claim = Claim::Best(self.position.clone(), mv);
            let text = format!("Better is {better}.");
            said.push(Sentence::new(Kind::Best, text, claim).with_line(self.position, &good.moves));
            said.extend(self.after_better(mv, thinker));
            said.extend(reasons::reasons(self.position, &self.best, None, thinker));
        }
    }

    /// Adds the reply and what it wins; returns whether it wins anything.
    fn refutation(&self, bad: &Course, good: &Course, said: &mut Vec<Sentence>) -> bool {
        let [mv, answer] = [self.played.moves.first(), self.played.moves.get(1)].map(|mv| mv.copied());
        let (Some(mv), Some(answer)) = (mv, answer) else { return false };
        let them = self.position.side_to_move().other();
        let next = self.position.along(&[mv]);
        let san = next.san(answer);
        // What the better move loses as well is not this move's fault.
        let wins_more = balance(&bad.start, &bad.end, them) >= balance(&good.start, &good.end, them) + 100;
        let reply = Claim::Worth(next.clone(), reversed(self.played.score));
        let (text, claim, wins) = match (self.played.score, bad.gain_of(them).filter(|_| wins_more)) {
            (Score::Mate(-1), _) => (format!("It allows {san}."), reply, true),
            (Score::Mate(moves @ ..0), _) => (format!("{them} answers {san} and mates in {}.", -moves), reply, true),
            (_, Some(gain)) => {
                let claim =
                    Claim::Gain { position: self.position.clone(), line: self.played.moves.clone(), winner: them };
                (format!("{them} answers {san} and {}.", gain.text), claim, true)
            }
            _ => (format!("The best answer is {san}."), Claim::Best(next.clone(), answer), false),
        };
        said.push(Sentence::new(Kind::Refutation, text, claim).with_line(self.position, &bad.moves));
        said.extend(cause(self.position, mv, answer).map(|text| Sentence::exact(Kind::Cause, text)));
        wins
    }

    /// Adds what the better move would have won; returns whether there is anything.
    fn missed(&self, bad: &Course, good: &Course, said: &mut Vec<Sentence>) -> bool {
        let us = self.position.side_to_move();
        let better = self.san(&self.best);
        let wins_more = balance(&good.start, &good.end, us) >= balance(&bad.start, &bad.end, us) + 100;
        let Some(&mv) = self.best.moves.first() else { return false };
        let best = Claim::Best(self.position.clone(), mv);
        let (text, claim) = match (self.best.score, good.gain_of(us).filter(|_| wins_more)) {
            (Score::Mate(1), _) => (format!("It misses {better}."), best),
            (Score::Mate(moves @ 2..), _) => (format!("It misses {better}, with mate in {moves}."), best),
            (_, Some(gain)) => {
                let claim = Claim::Gain { position: self.position.clone(), line: self.best.moves.clone(), winner: us };
                (format!("It misses {better}, which {}.", gain.text), claim)
            }
            _ => return false,
        };
        said.push(Sentence::new(Kind::Missed, text, claim).with_line(self.position, &good.moves));
        true
    }

    /// Whether the refutation of the bad move still works after the better one.
    fn after_better(&self, better: Move, thinker: &mut Thinker<'_>) -> Option<Sentence> {
        let (&mv, &answer) = (self.played.moves.first()?, self.played.moves.get(1)?);
        let (bad, good) = (self.position.along(&[mv]), self.position.along(&[better]));
        let (answer_san, better_san) = (bad.san(answer), self.position.san(better));
        let Some(again) = good.find_move(answer.from(), answer.to(), answer.promotion()) else {
            return Some(Sentence::exact(Kind::Prevents, format!("After {better_san}, {answer_san} is not possible.")));
        };
        let line = thinker.line_with(&good, again);
        let lost = -bounded(&self.played) - bounded(&line);
        if lost < 120 {
            return None;
        }
        let course = Course::new(&good, &line.moves).confirm(&good, thinker);
        let text = reasons::fails(&better_san, &good, again, &line, &course);
        let claim = Claim::Worth(good.along(&[again]), reversed(line.score));
        Some(Sentence::new(Kind::Prevents, text, claim).with_line(&good, &course.moves))
    }
}

/// What on the board makes a reply possible, by exact tests.
fn cause(position: &Position, mv: Move, answer: Move) -> Option<String> {
    let board = position.board();
    let next = board.after(mv);
    let mover = board.kind_on(mv.from()).map(words::kind)?;
    if let Some(cause) = facts::cause(board, mv, answer) {
        let square = answer.capture_square();
        let target = next.kind_on(square).map(words::kind)?;
        return Some(match cause {
            Cause::Exposed => format!("On {square} the {target} can be taken."),
            Cause::Ignored => {
                format!("The {target} on {square} was attacked already, and {} does nothing about it.", board.san(mv))
            }
            Cause::Abandoned => format!("The {mover} no longer protects the {target} on {square}."),
        });
    }
    reasons::forked(&next, answer).map(|fork| format!("{} attacks {fork} at once.", next.san(answer)))
}
