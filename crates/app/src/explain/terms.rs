//! How the evaluations see a line: the terms of the hand-crafted one, and the pieces as the network values them.

use chess::{Board, Color, Square};
use engine::chances::{HAND, NETWORK, Scale};
use engine::eval::weights::Group;
use engine::eval::{self, Explanation};
use engine::{Network, SearchScore};

use super::course::Course;
use crate::people::words;

/// Smaller changes of a term are not mentioned.
const LEAST: i32 = 8;
/// The most terms or pieces mentioned.
const MOST: usize = 5;
/// The phase value of the full middle game.
const FULL_PHASE: i32 = 24;

/// How the hand-crafted evaluation changes from the beginning to the end of a line; none if either end cannot be
/// evaluated.
pub(super) fn by_hand(course: &Course, last: &str) -> Option<String> {
    if course.start.in_check() || course.end.in_check() || !course.end.has_legal_moves() {
        return None;
    }
    let (before, after) = (eval::explain(&course.start), eval::explain(&course.end));
    let mut changes: Vec<(Group, i32)> = Group::ALL
        .into_iter()
        .map(|group| (group, term(&after, group) - term(&before, group)))
        .filter(|(_, change)| change.abs() >= LEAST)
        .collect();
    changes.sort_by_key(|&(_, change)| -change.abs());
    changes.truncate(MOST);
    let value = |explanation: &Explanation, board: &Board| {
        words::score(Scale::new(HAND, board).show(explanation.value).for_white(board.side_to_move()))
    };
    let scale = Scale::new(HAND, &course.start);
    let mut text = format!(
        "From here to {last} the evaluation written by hand, without any search, goes from {} to {}.",
        value(&before, &course.start),
        value(&after, &course.end)
    );
    if changes.is_empty() {
        text.push_str(" No term of it changes much.");
    } else {
        let items: Vec<String> =
            changes.iter().map(|&(group, change)| format!("{} {}", name(group), shown(change, &scale))).collect();
        text.push_str(&format!(" What changes most, for White: {}.", words::list(&items)));
    }
    Some(text)
}

/// The term that a quiet move improves most, compared with a pass; none if nothing changes much.
pub(super) fn most_improved(board: &Board, next: &Board) -> Option<String> {
    if next.in_check() {
        return None;
    }
    let us = board.side_to_move();
    let passed = super::facts::passed(board)?;
    let (before, after) = (eval::explain(&passed), eval::explain(next));
    let (group, change) = greatest(&before, &after, us)?;
    let shown = shown(change, &Scale::new(HAND, board));
    Some(format!("By the evaluation written by hand, it improves {} most ({shown}).", name(group)))
}

/// The terms in which the first board is most ahead of the second, for one side.
pub(super) fn compared(good: &Board, bad: &Board, us: Color, better: &str, worse: &str) -> Option<String> {
    if [good, bad].into_iter().any(|board| board.in_check() || !board.has_legal_moves()) {
        return None;
    }
    let (group, change) = greatest(&eval::explain(bad), &eval::explain(good), us)?;
    let shown = shown(change, &Scale::new(HAND, good));
    Some(format!(
        "By the evaluation written by hand, what {us} has more of at the end of the line with {better} than with {worse} is above all: {} ({shown}).",
        name(group)
    ))
}

/// The term that grows most for a side, and by how much.
fn greatest(before: &Explanation, after: &Explanation, us: Color) -> Option<(Group, i32)> {
    let sign = if us == Color::White { 1 } else { -1 };
    let changes = Group::ALL.into_iter().map(|group| (group, sign * (term(after, group) - term(before, group))));
    changes
        .filter(|(group, _)| *group != Group::Complexity)
        .max_by_key(|&(_, change)| change)
        .filter(|&(_, change)| change >= LEAST)
}

/// A term, White's minus Black's, tapered as in the evaluation.
fn term(explanation: &Explanation, group: Group) -> i32 {
    let rows = explanation.rows.iter().filter(|row| row.group == group);
    rows.map(|row| {
        let [white, black] = row.sides;
        let total = white - black;
        (total.middle() * explanation.phase + total.end() * (FULL_PHASE - explanation.phase)) / FULL_PHASE
    })
    .sum()
}

/// A part of White's evaluation, in the unit in which scores are shown.
fn shown(units: i32, scale: &Scale) -> String {
    words::score(scale.show(SearchScore::new(units)).for_white(Color::White))
}

fn name(group: Group) -> &'static str {
    match group {
        Group::Material => "material",
        Group::Squares => "squares of the pieces",
        Group::Pawns => "pawn structure",
        Group::Passed => "passed pawns",
        Group::Shelter => "shelter of the kings",
        Group::Mobility => "mobility",
        Group::Pieces => "quality of the pieces",
        Group::Threats => "threats",
        Group::Space => "space",
        Group::Danger => "attack on the kings",
        Group::Complexity => "what is left to play for",
    }
}

/// How the network values the pieces before and after a line.
pub(super) fn by_network(course: &Course, network: &Network, last: &str) -> Vec<String> {
    let before = eval::contributions(&course.start, network);
    let scale = Scale::new(NETWORK, &course.start);
    let mut sentences = Vec::new();
    for color in Color::ALL {
        let mut pieces: Vec<(i32, Square)> = Square::all()
            .filter(|&square| course.start.piece_on(square).is_some_and(|piece| piece.color() == color))
            .filter_map(|square| before.pieces.get(square.index()).copied().flatten().map(|worth| (worth, square)))
            .collect();
        let sign = if color == Color::White { -1 } else { 1 };
        pieces.sort_by_key(|&(worth, square)| (sign * worth, square.index()));
        let items: Vec<String> = pieces
            .iter()
            .take(3)
            .filter_map(|&(worth, square)| {
                let piece = course.start.piece_on(square)?;
                Some(format!("the {} on {square} ({})", words::kind(piece.kind()), shown(worth, &scale)))
            })
            .collect();
        if !items.is_empty() {
            sentences.push(format!("By the network, the pieces {color} would miss most are {}.", words::list(&items)));
        }
    }
    if course.end.has_legal_moves() {
        let after = eval::contributions(&course.end, network);
        sentences.push(format!(
            "Its value, without any search, goes from {} to {} by {last}.",
            shown(before.adjusted.units(), &scale),
            shown(after.adjusted.units(), &Scale::new(NETWORK, &course.end))
        ));
        sentences.extend(changed_pieces(course, &before, &after));
    }
    sentences
}

/// The pieces that stay in place and whose value changes most.
fn changed_pieces(course: &Course, before: &eval::Contributions, after: &eval::Contributions) -> Option<String> {
    let scale = Scale::new(NETWORK, &course.start);
    let mut changes: Vec<(i32, Square)> = Square::all()
        .filter(|&square| course.start.piece_on(square) == course.end.piece_on(square))
        .filter_map(|square| {
            let worth = |found: &eval::Contributions| found.pieces.get(square.index()).copied().flatten();
            Some((worth(after)? - worth(before)?, square))
        })
        .filter(|(change, _)| change.abs() >= LEAST)
        .collect();
    changes.sort_by_key(|&(change, square)| (-change.abs(), square.index()));
    changes.truncate(3);
    let items: Vec<String> = changes
        .iter()
        .filter_map(|&(change, square)| {
            let piece = course.start.piece_on(square)?;
            Some(format!("{} ({} for White)", words::piece(piece, square), shown(change, &scale)))
        })
        .collect();
    (!items.is_empty())
        .then(|| format!("Of the pieces that stay, these change their worth most: {}.", words::list(&items)))
}
