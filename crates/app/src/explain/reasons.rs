//! The reasons for a move: what it does on the board, what it prevents, what it prepares and what it improves.

use chess::{Board, Move, Position};
use engine::{PvLine, Score};

use super::course::Course;
use super::facts;
use super::improve;
use super::said::{Claim, Kind, Sentence};
use super::thinker::Thinker;
use crate::people::words;

/// If a pass costs at least this many centipawns, there is a threat.
const THREAT: i32 = 150;
/// If a pass costs less than this, there is no threat.
const NO_THREAT: i32 = 40;
/// It is zugzwang if a pass gains at least this much, for a side that is not ahead by this much anyway.
const ZUGZWANG: i32 = 75;
/// A move that reduces a threat's value by `ANSWERED` stops it; one that reduces it by less than `UNANSWERED` does not.
const ANSWERED: i32 = 120;
const UNANSWERED: i32 = 30;
/// Moves that differ by less than this are equally good.
const EQUAL: i32 = 25;
/// Beyond this, differences mean nothing to people.
const CEILING: i32 = 1500;

/// Capped centipawns, which can be compared and subtracted: a mate is not a hundred times a win.
pub(super) fn bounded(line: &PvLine) -> i32 {
    line.score.centipawns().clamp(-CEILING, CEILING)
}

/// From here on a side is winning, and the exact lead matters little.
const WINNING: i32 = 300;
/// From here on a pawn more or less is no longer a threat.
const DECIDED: i32 = 800;

/// Compares a line with a better one, in words that end a sentence: "about half a pawn worse (-0.10)". Also returns the
/// claim.
pub(super) fn compared(position: &Position, line: &PvLine, better: &PvLine) -> (String, Claim) {
    let (score, side) = (line.score.for_white(position.side_to_move()), position.side_to_move());
    let number = words::score(score);
    let (worse, best) = (bounded(line), bounded(better));
    let exact = (String::new(), Claim::Exact);
    let [Some(&mv), Some(&than)] = [line, better].map(|line| line.moves.first()) else { return exact };
    let claim = Claim::Worse { position: position.clone(), worse: (mv, worse), than: (than, best) };
    let next = position.along(&[mv]);
    let worth = Claim::Worth(next, reversed(line.score));
    if better.score.is_decisive() && matches!(line.score, Score::Centipawns(-1..=1)) {
        (format!("the game is drawn ({number})"), worth)
    } else if line.score.is_decisive() || better.score.is_decisive() {
        (words::meaning(score), worth)
    } else if worse >= WINNING {
        (format!("{side} is winning too ({number})"), worth)
    } else if best <= -WINNING {
        (format!("{side} is losing too ({number})"), worth)
    } else if best - worse < EQUAL {
        (format!("about as good ({number})"), claim)
    } else {
        (format!("{} worse ({number})", words::about_pawns(best - worse)), claim)
    }
}

/// The same score from the other side's point of view.
pub(super) fn reversed(score: Score) -> Score {
    match score {
        Score::Centipawns(centipawns) => Score::Centipawns(-centipawns),
        Score::Mate(moves) => Score::Mate(-moves),
    }
}

/// What the opponent would do if it could move now.
pub(super) struct Threat {
    pub(super) mv: Move,
    /// Its line after the pass, with its score.
    line: PvLine,
    pub(super) is_real: bool,
}

/// The position after a pass; none in check, or if the opponent would then have no move.
pub(super) fn passed(position: &Position) -> Option<Position> {
    let mut next = position.clone();
    (!position.in_check()).then(|| next.make_null())?;
    next.has_legal_moves().then_some(next)
}

/// What would happen if the side to move passed, with a sentence about it. `best` is its best line without a pass.
pub(super) fn threat(
    position: &Position,
    best: &PvLine,
    thinker: &mut Thinker<'_>,
) -> Option<(Threat, Option<Sentence>)> {
    let after_pass = passed(position)?;
    let (us, them) = (position.side_to_move(), after_pass.side_to_move());
    let line = thinker.rank(&after_pass, 1).best;
    let &mv = line.moves.first()?;
    let cost = bounded(best) + bounded(&line);
    let course = Course::new(&after_pass, &line.moves).confirm(&after_pass, thinker);
    let san = after_pass.san(mv);
    let say = |kind, text: String, claim| Sentence::new(kind, text, claim).with_line(&after_pass, &course.moves);
    let mates = matches!(line.score, Score::Mate(1..));
    let won = course.gain_of(them).filter(|_| cost >= THREAT && bounded(best).abs() < DECIDED);
    let is_real = (mates && cost > 0) || won.is_some();
    let claim = Claim::Threat(position.clone(), mv);
    let sentence = if is_real {
        Some(match (line.score, won) {
            (Score::Mate(1), _) => say(Kind::Threat, format!("{them} threatens {san}."), claim),
            (Score::Mate(moves), _) => {
                say(Kind::Threat, format!("{them} threatens {san}, with mate in {moves}."), claim)
            }
            (_, Some(gain)) => say(Kind::Threat, format!("{them} threatens {san}, which {}.", gain.text), claim),
            _ => return None,
        })
    } else if cost <= -ZUGZWANG && bounded(best) < ZUGZWANG {
        let text =
            format!("Zugzwang: {us} would rather pass than move; {}.", words::meaning(line.score.for_white(them)));
        Some(say(Kind::Zugzwang, text, Claim::Zugzwang(position.clone())))
    } else if bounded(best).abs() >= DECIDED || cost <= -ZUGZWANG {
        // In a decided position, the cost or gain of a pass is not interesting.
        None
    } else if cost < NO_THREAT {
        Some(Sentence::new(Kind::NoThreat, format!("{them} has no serious threat."), Claim::NoThreat(position.clone())))
    } else if cost >= THREAT
        && (THREAT..DECIDED).contains(&bounded(best))
        && bounded(&line) < THREAT
        && course.gain().is_none()
    {
        let text = format!("If {us} passed, {them} would defend with {san}.");
        Some(say(Kind::Defence, text, Claim::Defence(position.clone(), mv)))
    } else {
        let text = format!("If {us} passed, {them} would play {san}: {}.", words::meaning(line.score.for_white(them)));
        Some(say(Kind::Pass, text, Claim::Worth(after_pass.clone(), line.score)))
    };
    Some((Threat { mv, line, is_real }, sentence))
}

/// Says that after the move `san` a reply fails, or at least gains less.
pub(super) fn fails(san: &str, next: &Position, answer: Move, line: &PvLine, course: &Course) -> String {
    let (them, answer) = (next.side_to_move(), next.san(answer));
    match course.gain_of(them.other()).filter(|_| bounded(line) < 0) {
        Some(gain) => format!("After {san}, {answer} fails: {} {}.", them.other(), gain.text),
        None => format!("After {san}, {answer} brings less: {}.", words::meaning(line.score.for_white(them))),
    }
}

/// Whether the move stops a threat.
pub(super) fn answer(position: &Position, mv: Move, threat: &Threat, thinker: &mut Thinker<'_>) -> Option<Sentence> {
    if !threat.is_real {
        return None;
    }
    let next = position.along(&[mv]);
    if !next.has_legal_moves() {
        return None;
    }
    let mut after_pass = position.clone();
    after_pass.make_null();
    let (san, threat_san) = (position.san(mv), after_pass.san(threat.mv));
    let Some(again) = next.find_move(threat.mv.from(), threat.mv.to(), threat.mv.promotion()) else {
        let text = format!("After {san}, {threat_san} is not possible any more.");
        return Some(Sentence::exact(Kind::Prevents, text));
    };
    let line = thinker.line_with(&next, again);
    let lost = bounded(&threat.line) - bounded(&line);
    let still_mates = matches!(line.score, Score::Mate(1..));
    if lost >= ANSWERED {
        let course = Course::new(&next, &line.moves).confirm(&next, thinker);
        let text = fails(&san, &next, again, &line, &course);
        let claim = Claim::Stops { position: position.clone(), mv, threat: again };
        Some(Sentence::new(Kind::Prevents, text, claim).with_line(&next, &course.moves))
    } else if lost <= UNANSWERED || still_mates {
        let claim = Claim::Lets { position: position.clone(), mv, threat: again };
        Some(Sentence::new(Kind::Lets, format!("{san} does not prevent {threat_san}."), claim))
    } else {
        None
    }
}

/// The pieces that the move forks, if any.
pub(super) fn forked(board: &Board, mv: Move) -> Option<String> {
    let fork = facts::fork(board, mv);
    let names = fork.iter().map(|(piece, square)| format!("the {} on {square}", words::kind(piece.kind())));
    (!fork.is_empty()).then(|| words::list(&names.collect::<Vec<_>>()))
}

/// What the move does on the board, by exact tests.
pub(super) fn deeds(board: &Board, mv: Move) -> Option<Sentence> {
    let next = board.after(mv);
    let mut deeds = Vec::new();
    if mv.is_castle() {
        deeds.push("castles".to_owned());
    }
    if let Some(kind) = board.captured(mv) {
        deeds.push(format!("takes the {} on {}", words::kind(kind), mv.capture_square()));
    }
    if let Some(kind) = mv.promotion() {
        deeds.push(format!("promotes to a {}", words::kind(kind)));
    }
    match (next.in_check(), next.has_legal_moves()) {
        (true, false) => deeds.push("is checkmate".to_owned()),
        (true, true) => deeds.push("gives check".to_owned()),
        (false, false) => deeds.push("is stalemate".to_owned()),
        _ => {}
    }
    if let Some(fork) = forked(board, mv).filter(|_| next.has_legal_moves()) {
        deeds.push(format!("attacks {fork} at once"));
    }
    (!deeds.is_empty()).then(|| Sentence::exact(Kind::Deed, format!("It {}.", words::list(&deeds))))
}

/// Who wins what in a line. If the score disagrees, it is a sacrifice.
pub(super) fn material(position: &Position, line: &PvLine, course: &Course) -> Option<Sentence> {
    let gain = course.gain()?;
    let us = position.side_to_move();
    let ahead = if bounded(line) >= 0 { us } else { us.other() };
    let text = if gain.winner == ahead || bounded(line).abs() < NO_THREAT {
        format!("In this line {} {}.", gain.winner, gain.text)
    } else {
        format!("In this line {} {}, but {}.", gain.winner, gain.text, words::meaning(line.score.for_white(us)))
    };
    let claim = Claim::Gain { position: position.clone(), line: line.moves.clone(), winner: gain.winner };
    Some(Sentence::new(Kind::Material, text, claim))
}

/// What the move would win next if the opponent did nothing.
pub(super) fn prepares(position: &Position, line: &PvLine, thinker: &mut Thinker<'_>) -> Option<Sentence> {
    let &mv = line.moves.first()?;
    let us = position.side_to_move();
    let next = position.along(&[mv]);
    if next.has_legal_moves() && line.score.is_win() {
        return None; // The line says more than any threat.
    }
    let after_pass = passed(&next)?;
    let follow = thinker.rank(&after_pass, 1).best;
    let &threat = follow.moves.first()?;
    let course = Course::new(&after_pass, &follow.moves).confirm(&after_pass, thinker);
    let gain = bounded(&follow) - bounded(line);
    let san = after_pass.san(threat);
    let text = match (follow.score, course.gain_of(us)) {
        (Score::Mate(1), _) => format!("It threatens {san}."),
        (Score::Mate(moves @ 2..), _) => format!("It threatens {san}, with mate in {moves}."),
        (_, Some(won)) if gain >= THREAT && bounded(line).abs() < DECIDED => {
            format!("It threatens {san}, which {}.", won.text)
        }
        _ => return None,
    };
    let claim = Claim::Prepares { position: position.clone(), mv, threat };
    Some(Sentence::new(Kind::Prepares, text, claim).with_line(&after_pass, &course.moves))
}

/// All reasons for a move, the most important first. The opponent's threat is already known, if there is one.
pub(super) fn reasons(
    position: &Position,
    line: &PvLine,
    threat: Option<&Threat>,
    thinker: &mut Thinker<'_>,
) -> Vec<Sentence> {
    let Some(&mv) = line.moves.first() else { return Vec::new() };
    let course = Course::new(position, &line.moves).confirm(position, thinker);
    let mut said: Vec<Sentence> = deeds(position.board(), mv).into_iter().collect();
    said.extend(material(position, line, &course));
    if !position.board().after(mv).has_legal_moves() {
        return said;
    }
    said.extend(prepares(position, line, thinker));
    if let Some(threat) = threat {
        said.extend(answer(position, mv, threat, thinker));
    }
    if mv.is_quiet() {
        // A quiet move without any other reason gets one more sentence on what it improves.
        let is_explained = said.iter().any(|sentence| !matches!(sentence.kind, Kind::Lets | Kind::Deed));
        said.extend(improve::improvements(position.board(), mv, if is_explained { 1 } else { 2 }));
    }
    said
}
