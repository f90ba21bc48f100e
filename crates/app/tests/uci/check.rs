//! What clients demand of every answer: the rules by which fastchess warns, lila draws its lines and python-chess complains.

use chess::{Outcome, Position};
use uci::{Bound, Info, Score};

use crate::harness::{Answer, position};

/// Checks an answer to `go` in the position of this `position` command.
#[track_caller]
pub(crate) fn check(text: &str, answer: &Answer) {
    check_all_but_depths(text, answer);
    check_depths(text, answer.exact(1).filter_map(|info| info.depth).collect());
}

/// The same for several threads: if another than the first is believed in the end, its line is told last, and may be less deep.
#[track_caller]
pub(crate) fn check_voted(text: &str, answer: &Answer) {
    check_all_but_depths(text, answer);
    let mut depths: Vec<u32> = answer.exact(1).filter_map(|info| info.depth).collect();
    if let [.., before, last] = depths.as_slice()
        && last < before
    {
        depths.pop();
    }
    check_depths(text, depths);
}

#[track_caller]
pub(crate) fn check_all_but_depths(text: &str, answer: &Answer) {
    let root = position(text);
    let lines: Vec<&Info> = answer.infos.iter().filter(|info| info.score.is_some()).collect();
    assert!(!lines.is_empty(), "{text}: no line with a score");
    for info in &lines {
        check_line(&root, info);
    }
    let best = answer.best.unwrap_or_else(|| panic!("{text}: no move"));
    assert!(best.on(&root).is_some(), "{text}: {best} is not legal");
    let last = lines.iter().rfind(|info| info.multipv == Some(1)).unwrap_or_else(|| panic!("{text}: no main line"));
    assert_eq!(last.pv.first(), Some(&best), "{text}: the answer is not the first move of the last line");
    if let Some(expected) = last.pv.get(1) {
        assert_eq!(answer.ponder.as_ref(), Some(expected), "{text}: the reply is not the second move of the last line");
    }
}

/// Every completed depth is told, from 1 on.
#[track_caller]
fn check_depths(text: &str, mut depths: Vec<u32>) {
    // The last line may be told once more at the end, with the final counts.
    depths.dedup();
    let expected: Vec<u32> = (1..=depths.len() as u32).collect();
    assert_eq!(depths, expected, "{text}");
}

/// The line has all that is needed, its moves are legal, and it ends where the game does.
#[track_caller]
fn check_line(root: &Position, info: &Info) {
    let complete = info.depth.is_some()
        && info.seldepth.is_some()
        && info.multipv.is_some()
        && info.nodes.is_some()
        && info.nps.is_some()
        && info.hashfull.is_some()
        && info.tbhits.is_some()
        && info.time.is_some()
        && !info.pv.is_empty();
    assert!(complete, "something is missing: {info}");
    assert!(info.hashfull.is_some_and(|permille| permille <= 1000), "{info}");
    let mut position = root.clone();
    for mv in &info.pv {
        let over = position.outcome().filter(|outcome| *outcome != Outcome::InsufficientMaterial);
        assert!(position.plies() == root.plies() || over.is_none(), "the game is over before {mv}: {info}");
        let mv = mv.on(&position).unwrap_or_else(|| panic!("{mv} is not legal: {info}"));
        position.play(mv);
    }
    if let Some((Score::Mate(moves), Bound::Exact)) = info.score {
        let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
        assert_eq!(info.pv.len() as i32, plies, "a mate of another length: {info}");
        assert!(matches!(position.outcome(), Some(Outcome::Checkmate { .. })), "no mate at the end: {info}");
    }
}
