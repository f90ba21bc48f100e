//! The sentences, in the order in which a teacher would say them.

use chess::{Board, Move, Outcome, Position};
use engine::PvLine;

use super::Thinker;
use super::course::Course;
use super::facts::{self, Loose};
use super::terms;
use crate::people::draw::{self, Charset};
use crate::people::words;

/// So much worse, in centipawns, has to be what comes of passing to be called a threat.
const THREAT: i32 = 100;
/// So much better has to be what comes of passing to be called zugzwang.
const ZUGZWANG: i32 = 50;
/// Captures and checks that suggest themselves but are not among the best moves: so many are looked into.
const TEMPTING: usize = 2;
/// Lines are broken here.
const WIDTH: usize = 96;

/// Explains a position, with so many other moves beside the best.
pub(super) fn explain(position: &Position, others: usize, thinker: &mut Thinker) -> String {
    let mut page = Page::default();
    for line in draw::board(position.board(), position.side_to_move(), Charset::of_locale()) {
        page.raw(&line);
    }
    page.raw("");
    if !has_choice(position, &mut page) {
        return page.text;
    }
    let found = thinker.lines(position, others + 1);
    let Some(mv) = found.best_move() else { return page.text };
    let best = &found.best;
    let course = Course::new(position, &best.moves);

    page.title("The best move");
    best_move(position, best, &course, &mut page);
    if let Some(passed) = facts::passed(position.board()) {
        page.title("What the other side wants");
        threat(position, best, passed, thinker, &mut page);
    }
    if others > 0 {
        page.title("Other moves");
        rejected(position, best, &found.others, thinker, &mut page);
    }
    page.title("Loose and pinned pieces");
    loose_and_pinned(position, &mut page);
    page.title("What changes along the line");
    changes(position, mv, &course, thinker, &mut page);
    page.text
}

/// Says how things stand: whose move it is, check, and whether the game is over.
fn has_choice(position: &Position, page: &mut Page) -> bool {
    let side = position.side_to_move();
    match position.outcome() {
        Some(Outcome::Checkmate { winner }) => page.say(&format!("{side} is checkmated: {winner} has won.")),
        Some(Outcome::Stalemate) => {
            page.say(&format!("{side} has no legal move and is not in check: stalemate, a draw."));
        }
        Some(Outcome::InsufficientMaterial) => page.say("Neither side has the pieces to mate: a draw."),
        other => {
            if other == Some(Outcome::FiftyMoves) {
                page.say("Fifty moves have passed without a capture or a pawn move: either side may claim a draw.");
            }
            page.say(&format!("{side} to move."));
            let checkers: Vec<String> = position
                .checkers()
                .into_iter()
                .filter_map(|square| position.piece_on(square).map(|piece| words::piece(piece, square)))
                .collect();
            if !checkers.is_empty() {
                page.say(&format!("{side}'s king is in check by {}.", words::list(&checkers)));
            }
            match position.count_legal_moves() {
                1 => page.say("There is only one legal move."),
                count if !checkers.is_empty() => page.say(&format!("There are {count} ways out.")),
                _ => {}
            }
            return true;
        }
    }
    false
}

fn best_move(position: &Position, best: &PvLine, course: &Course, page: &mut Page) {
    let Some(&mv) = best.moves.first() else { return };
    let side = position.side_to_move();
    page.say(&format!("{}: {}.", words::numbered(position, mv), words::meaning(best.score.for_white(side))));
    page.line(&words::line(position, &course.moves));
    for sentence in deeds(position.board(), mv) {
        page.say(&sentence);
    }
    if let Some(material) = course.material() {
        page.say(&format!("In this line {material}."));
    }
}

/// What a move does on the board, each by an exact test.
fn deeds(board: &Board, mv: Move) -> Vec<String> {
    let mut deeds = Vec::new();
    let next = board.after(mv);
    if mv.is_castle() {
        deeds.push("It castles.".to_owned());
    }
    if let Some(kind) = board.captured(mv) {
        deeds.push(format!("It takes the {} on {}.", words::kind(kind), mv.capture_square()));
    }
    if let Some(kind) = mv.promotion() {
        deeds.push(format!("It promotes to a {}.", words::kind(kind)));
    }
    match (next.in_check(), next.has_legal_moves()) {
        (true, false) => deeds.push("It is checkmate.".to_owned()),
        (true, true) => deeds.push("It gives check.".to_owned()),
        (false, false) => deeds.push("It is stalemate.".to_owned()),
        _ => {}
    }
    if !next.has_legal_moves() {
        return deeds;
    }
    deeds.extend(saved(board, &next, mv));
    deeds.extend(attacked(board, &next));
    deeds
}

/// Own pieces that could be taken with profit before the move and cannot be after it.
fn saved(board: &Board, next: &Board, mv: Move) -> Option<String> {
    let before = facts::loose(&facts::passed(board)?);
    let after = facts::loose(next);
    let is_safe = |square| after.iter().all(|loose| loose.square != square);
    let name = |loose: &Loose| {
        let to = if loose.square == mv.from() { mv.landing() } else { loose.square };
        is_safe(to).then(|| format!("the {} on {}", words::kind(loose.piece.kind()), loose.square))
    };
    let saved: Vec<String> = before.iter().filter_map(name).collect();
    let verb = if saved.len() == 1 { "hangs" } else { "hang" };
    (!saved.is_empty()).then(|| format!("After it {} no longer {verb}.", words::list(&saved)))
}

/// Enemy pieces that could be taken with profit if the enemy passed now, and could not before.
fn attacked(board: &Board, next: &Board) -> Option<String> {
    let before = facts::loose(board);
    let after = facts::loose(&facts::passed(next)?);
    let is_new = |loose: &&Loose| before.iter().all(|other| other.square != loose.square);
    let name = |loose: &Loose| format!("the {} on {}", words::kind(loose.piece.kind()), loose.square);
    let attacked: Vec<String> = after.iter().filter(is_new).map(name).collect();
    (!attacked.is_empty()).then(|| format!("It attacks {}.", words::list(&attacked)))
}

/// What would happen if the side to move passed, and what the best move does about it.
fn threat(position: &Position, best: &PvLine, passed: Board, thinker: &mut Thinker, page: &mut Page) {
    let (us, them) = (position.side_to_move(), passed.side_to_move());
    let after_pass = Position::new(passed);
    if !passed.has_legal_moves() {
        return page.say(&format!("If {us} passed, {them} would have no legal move."));
    }
    let found = thinker.lines(&after_pass, 1);
    let Some(mv) = found.best_move() else { return };
    let reply = &found.best;
    let cost = best.score.centipawns() + reply.score.centipawns();
    let line = Course::new(&after_pass, &reply.moves);
    let san = passed.san(mv);
    let meaning = words::meaning(reply.score.for_white(them));
    if reply.score.is_win() || cost >= THREAT {
        page.say(&format!("{them} threatens {san}. If {us} passed: {meaning}."));
        page.line(&words::line(&after_pass, &line.moves));
        if let Some(material) = line.material() {
            page.say(&format!("In this line {material}."));
        }
        answer_to_threat(position, best, mv, reply, thinker, page);
    } else if cost <= -ZUGZWANG {
        page.say(&format!("Zugzwang: if {us} could pass it would be better off than after any move; {meaning}."));
        page.line(&words::line(&after_pass, &line.moves));
    } else {
        page.say(&format!(
            "No big threat: if {us} passed, {them}'s best would be {san}, and {meaning}; {}.",
            match cost {
                1.. => format!("passing would cost {us} {} pawns", words::pawns(cost)),
                _ => "passing would cost nothing".to_owned(),
            }
        ));
    }
}

/// Whether the threat is still there after the best move.
fn answer_to_threat(
    position: &Position,
    best: &PvLine,
    threat: Move,
    reply: &PvLine,
    thinker: &mut Thinker,
    page: &mut Page,
) {
    let Some(&mv) = best.moves.first() else { return };
    let mut next = position.clone();
    let (move_san, them) = (position.san(mv), position.side_to_move().other());
    let threat_san = facts::passed(position.board()).map_or_else(String::new, |board| board.san(threat));
    next.play(mv);
    if !next.has_legal_moves() {
        return;
    }
    let Some(again) = next.find_move(threat.from(), threat.to(), threat.promotion()) else {
        return page.say(&format!("After {move_san} that move is not possible any more."));
    };
    let line = thinker.line_after(&next, again);
    let meaning = words::meaning(line.score.for_white(them));
    if line.score.centipawns() <= reply.score.centipawns() - THREAT {
        page.say(&format!("After {move_san} it does not work any more: {meaning}."));
        page.line(&words::line(&next, &Course::new(&next, &line.moves).moves));
    } else {
        page.say(&format!("{move_san} does not prevent {threat_san}: {meaning}."));
    }
}

/// Why not something else.
fn rejected(position: &Position, best: &PvLine, lines: &[PvLine], thinker: &mut Thinker, page: &mut Page) {
    let known: Vec<Move> = lines.iter().chain([best]).filter_map(|line| line.moves.first().copied()).collect();
    let mut all: Vec<PvLine> = lines.to_vec();
    for mv in tempting(position.board(), &known) {
        all.push(thinker.line_after(position, mv));
    }
    if all.is_empty() {
        return page.say("There are none.");
    }
    for line in &all {
        if let Some(text) = rejection(position, best, line) {
            page.item(&text);
        }
    }
}

/// What is wrong with a move, and the best reply to it.
fn rejection(position: &Position, best: &PvLine, line: &PvLine) -> Option<String> {
    let side = position.side_to_move();
    let &mv = line.moves.first()?;
    let course = Course::new(position, &line.moves);
    let name = words::numbered(position, mv);
    let score = line.score.for_white(side);
    let worse = match best.score.centipawns() - line.score.centipawns() {
        _ if best.score.is_decisive() || line.score.is_decisive() => words::meaning(score),
        worse if worse < 10 => format!("about as good, {}", words::score(score)),
        worse => format!("{} pawns worse, {}", words::pawns(worse), words::score(score)),
    };
    let next = position.board().after(mv);
    let reply = match line.moves.get(1) {
        Some(&reply) if next.is_playable(reply) => {
            format!(" The best reply is {}: {}.", next.san(reply), words::line(position, &course.moves))
        }
        _ if !next.has_legal_moves() && !next.in_check() => " It is stalemate.".to_owned(),
        _ => String::new(),
    };
    let material = course.material().map_or_else(String::new, |material| format!(" In this line {material}."));
    Some(format!("{name} ({worse}).{reply}{material}"))
}

/// Captures that do not lose material by exchange, and checks, the biggest first; those known already left out.
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

fn loose_and_pinned(position: &Position, page: &mut Page) {
    let board = position.board();
    let mut count = 0;
    for view in std::iter::once(*board).chain(facts::passed(board)) {
        for loose in facts::loose(&view) {
            count += 1;
            let turn =
                if view.side_to_move() == board.side_to_move() { "" } else { " if it were the other side's turn" };
            page.item(&format!(
                "{} can be taken with profit by {}{turn}, counting captures on {} alone.",
                words::piece(loose.piece, loose.square),
                view.san(loose.by),
                loose.square
            ));
        }
    }
    for color in [board.side_to_move(), board.side_to_move().other()] {
        for pin in facts::pins(board, color) {
            count += 1;
            let (pinner, square) = pin.pinner;
            page.item(&format!(
                "{} is pinned to its king by the {} on {square}.",
                words::piece(pin.piece, pin.square),
                words::kind(pinner.kind())
            ));
        }
    }
    if count == 0 {
        page.say("There are none.");
    }
}

fn changes(position: &Position, mv: Move, course: &Course, thinker: &Thinker, page: &mut Page) {
    let last = course.moves.last().map_or_else(
        || position.san(mv),
        |_| {
            let line = words::line(position, &course.moves);
            line.rsplit(' ').next().unwrap_or_default().to_owned()
        },
    );
    match terms::by_hand(course, &last) {
        Some(text) => page.say(&text),
        None => page.say("Positions in check, and games that are over, are not evaluated, only searched."),
    }
    if let Some(network) = thinker.engine.network() {
        for sentence in terms::by_network(course, network, &last) {
            page.say(&sentence);
        }
    }
}

/// Text in paragraphs, broken into lines.
#[derive(Default)]
struct Page {
    text: String,
}

impl Page {
    fn raw(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn title(&mut self, title: &str) {
        self.text.push_str(&format!("\n{title}\n"));
    }

    fn say(&mut self, sentence: &str) {
        self.wrapped(sentence, "  ", "  ");
    }

    fn line(&mut self, moves: &str) {
        self.wrapped(moves, "      ", "      ");
    }

    fn item(&mut self, sentence: &str) {
        self.wrapped(sentence, "  - ", "    ");
    }

    fn wrapped(&mut self, text: &str, first: &str, rest: &str) {
        let mut line = first.to_owned();
        let mut is_fresh = true;
        let mut words = text.split_whitespace();
        while let Some(word) = words.next() {
            // The number of a move stays with its move.
            let is_number = word.ends_with('.') && word.starts_with(|letter: char| letter.is_ascii_digit());
            let next = if is_number { words.next() } else { None };
            let word = next.map_or_else(|| word.to_owned(), |next| format!("{word} {next}"));
            if !is_fresh && line.chars().count() + 1 + word.chars().count() > WIDTH {
                self.raw(&line);
                line = rest.to_owned();
                is_fresh = true;
            }
            if !is_fresh {
                line.push(' ');
            }
            line.push_str(&word);
            is_fresh = false;
        }
        self.raw(&line);
    }
}
