//! Checks what an engine reports against the rules of chess and against its earlier reports. A false report does not
//! cost the game: it is a warning, counted in the tables and written beside the move in the PGN.

use chess::{Color, Outcome, Position};
use uci::{Bound, Score};

use super::listener::{PvInfo, Said};
use super::player::Thought;

/// The prefix of a warning in a move comment.
pub(crate) const MARK: &str = "warning: ";

/// The mates announced in a game, so that each can be checked against the one before.
#[derive(Default)]
pub(crate) struct Announcements {
    /// By colour: the side that will be mated, according to that colour's last search.
    loser: [Option<Color>; 2],
}

impl Announcements {
    /// Records what `side` reports with its last move, and returns a warning if it contradicts what either side
    /// reported a move earlier. An announced mate is forced: the side that announced it cannot be mated a move later.
    pub(crate) fn contradiction(&mut self, side: Color, said: &Said) -> Option<String> {
        let loser = match said.score {
            Some(Score::Mate(moves)) if said.is_exact() => Some(if moves > 0 { side.other() } else { side }),
            _ => None,
        };
        let before = [(side, self.loser[side.index()]), (side.other(), self.loser[side.other().index()])];
        self.loser[side.index()] = loser;
        // A side that expects to be mated may be saved by a mistake; a side that announced mate cannot be mated.
        let broken =
            before.into_iter().find(|&(speaker, earlier)| earlier == Some(speaker.other()) && loser == Some(speaker));
        broken.map(|(speaker, _)| {
            let who = if speaker == side { "the engine" } else { "the opponent" };
            format!("{who} announced a mate a move ago, now it is the one who is mated")
        })
    }
}

/// Everything that is wrong in what an engine reported about a position before it gave a legal move.
pub(crate) fn warnings(position: &Position, thought: &Thought) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut replay = position.clone();
    for line in &thought.lines {
        if let Some(text) = complaint(&mut replay, line)
            && !found.contains(&text)
        {
            found.push(text);
        }
    }
    // The last line may have failed low. Then the move may also match the last line that did not.
    let firsts = thought.lines.iter().rev().filter(|line| line.number == 1);
    let mut last = firsts.clone().take(1).chain(firsts.filter(|line| line.bound != Bound::Upper).take(1));
    if let Ok(best) = thought.legal_move(position)
        && let Some(first) = last.clone().next().and_then(|line| line.moves.first())
        && last.all(|line| line.moves.first().is_none_or(|first| first.on(position) != Some(best)))
    {
        found.push(format!("the move is not the first of the last line, {first}"));
    }
    found
}

/// What is wrong with a line, if anything. The position is restored before it returns.
fn complaint(position: &mut Position, line: &PvInfo) -> Option<String> {
    let mut made = 0;
    let mut over = None;
    let mut wrong = None;
    for text in &line.moves {
        if let Some(outcome) = over {
            wrong = Some(format!("the line goes on with {text} after the end of the game ({outcome})"));
            break;
        }
        let Some(mv) = text.on(position) else {
            wrong = Some(format!("{text}, move {} of the line, is illegal", made + 1));
            break;
        };
        position.play(mv);
        made += 1;
        over = position.outcome();
    }
    if wrong.is_none()
        && !line.moves.is_empty()
        && let (Score::Mate(moves), Bound::Exact) = (line.score, line.bound)
    {
        let plies = moves.unsigned_abs().saturating_mul(2) - u32::from(moves > 0);
        if made != plies {
            wrong = Some(format!("the line to mate in {moves} has {made} plies, not {plies}"));
        } else if !matches!(over, Some(Outcome::Checkmate { .. })) {
            wrong = Some(format!("the line to mate in {moves} does not end in mate"));
        }
    }
    for _ in 0..made {
        position.unmake();
    }
    wrong
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::listener::answer_of;

    /// The warnings for an engine that prints these lines in this position.
    fn heard(fen: &str, lines: &[&str]) -> Vec<String> {
        let thought = Thought::new(answer_of(lines), Instant::now(), false);
        warnings(&Position::new(fen.parse().expect(fen)), &thought)
    }

    const MATE_IN_TWO: &str = "7k/8/8/8/8/8/R7/1R5K w - - 0 1";

    #[test]
    fn honest_words_pass() {
        let lines = [
            "info depth 1 score cp 500 pv a2a7",
            "info depth 4 score mate 2 pv a2a7 h8g8 b1b8",
            "info depth 4 multipv 2 score cp 500 pv b1b7 h8g8",
            "info depth 5 score mate 2 upperbound pv b1b7",
            "bestmove a2a7",
        ];
        assert_eq!(heard(MATE_IN_TWO, &lines), Vec::<String>::new());
        let mated = ["info depth 3 score mate -1 pv h8g8 b1b8", "bestmove h8g8"];
        assert_eq!(heard("7k/R7/8/8/8/8/8/1R5K b - - 0 1", &mated), Vec::<String>::new());
    }

    #[test]
    fn what_does_not_hold_is_named() {
        for (lines, words) in [
            (["info score cp 3 pv a2a7 h8h6", "bestmove a2a7"], "h8h6, move 2 of the line, is illegal"),
            (["info score cp 3 pv b1b7", "bestmove a2a7"], "not the first of the last line, b1b7"),
            (["info score mate 3 pv a2a7 h8g8 b1b8", "bestmove a2a7"], "has 3 plies, not 5"),
            (["info score mate 2 pv a2a7", "bestmove a2a7"], "has 1 plies, not 3"),
            (["info score mate 2 pv a2a7 h8g8 b1b7", "bestmove a2a7"], "does not end in mate"),
            (["info score cp 9 pv a2a7 h8g8 b1b8 g8g7", "bestmove a2a7"], "after the end of the game (White mates)"),
        ] {
            let found = heard(MATE_IN_TWO, &lines);
            assert!(found.len() == 1 && found[0].contains(words), "{found:?} {words}");
        }
        let fifty = heard("7k/8/8/8/8/8/R7/1R5K w - - 99 80", &["info score cp 0 pv a2a7 h8g8", "bestmove a2a7"]);
        assert!(fifty.len() == 1 && fifty[0].contains("after the end of the game"), "{fifty:?}");
    }

    #[test]
    fn mates_may_not_contradict_each_other() {
        let said = |text: &str| answer_of(&[&format!("info depth 1 score {text}"), "bestmove e2e4"]).said;
        let contradictions = |words: &[&str]| {
            let mut announcements = Announcements::default();
            let sides = [Color::White, Color::Black].into_iter().cycle();
            words
                .iter()
                .zip(sides)
                .filter(|(word, side)| announcements.contradiction(*side, &said(word)).is_some())
                .count()
        };
        assert_eq!(contradictions(&["mate 3", "mate -2", "mate 2", "mate -1", "mate 1"]), 0);
        assert_eq!(contradictions(&["mate 3", "cp -900", "cp 900", "mate 4"]), 0, "a mate may be forgotten");
        assert_eq!(contradictions(&["mate -3", "cp 0", "mate 3"]), 0, "the opponent may have missed it");
        assert_eq!(contradictions(&["mate 3", "mate 3"]), 1);
        assert_eq!(contradictions(&["mate 3", "cp -900", "mate -2"]), 1);
        assert_eq!(contradictions(&["mate 3 lowerbound", "mate 3"]), 0, "a bound announces nothing");
    }
}
