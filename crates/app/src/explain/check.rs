//! The truth check: compares what `explain` says about many positions with a deeper search and with the tablebases,
//! separately for each kind of sentence. The positions come from self-play with random mistakes and from random
//! endings.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::sync::atomic::{AtomicBool, Ordering};

use chess::{Color, Move, Position};
use engine::tablebase::Wdl;
use engine::{Control, Engine, Limits, PvLine, Score, Silent};
use toolkit::{Rng, Variety, random_walk};

use super::course::{Course, balance};
use super::reasons::{bounded, passed};
use super::report::{self, Scope};
use super::said::{Claim, Kind, Sentence};
use super::thinker::{Effort, Thinker};
use super::why::why;
use crate::annotate::judge::{Eval, win_percent};

/// How many times the nodes of the original search the deeper search gets.
const DEEPER: u64 = 4;
/// Nodes per move in the games that the positions come from.
const GAME_NODES: u64 = 1_000;
/// One move in this many is random.
const RANDOM_MOVE: usize = 6;
/// One position in `EVERY` of a game is used; one position in `ENDING` is a random ending.
const EVERY: usize = 9;
const ENDING: usize = 6;

/// How many sentences of a kind there were, and how many were true.
#[derive(Default)]
struct Tally {
    said: usize,
    checked: usize,
    held: usize,
}

/// Explains this many positions, or fewer if stopped, and reports what share of the sentences is true. `failed`
/// receives the false ones.
pub(super) fn run(
    mut engine: Engine,
    nodes: u64,
    (positions, seed): (usize, u64),
    stopped: &AtomicBool,
    failed: &mut dyn FnMut(&Position, &Sentence),
) -> String {
    let mut rng = Rng::new(seed);
    let mut tallies: BTreeMap<Kind, Tally> = BTreeMap::new();
    let control = Control::new();
    let mut source = Source { queue: Vec::new() };
    let mut done = 0;
    for index in 0..positions {
        if stopped.load(Ordering::Relaxed) {
            break;
        }
        let position = source.next(&mut engine, &mut rng);
        let mut thinker = Thinker::new(&mut engine, Effort::Nodes(nodes), &control);
        let sentences = if index.is_multiple_of(2) {
            let found = report::explain(&position, Scope { others: 3, details: false }, &mut thinker);
            found.map(|found| found.sections.into_iter().flat_map(|section| section.sentences).collect())
        } else {
            let moves = position.legal_moves();
            moves.get(rng.below(moves.len())).and_then(|&mv| why(&position, mv, &mut thinker)).map(|why| why.sentences)
        };
        let sentences: Vec<Sentence> = sentences.unwrap_or_default();
        engine.new_game();
        let mut deep = Deep { engine: &mut engine, nodes: nodes * DEEPER, known: HashMap::new() };
        for sentence in sentences {
            let tally = tallies.entry(sentence.kind).or_default();
            tally.said += 1;
            if let Some(holds) = deep.holds(&sentence.claim) {
                tally.checked += 1;
                tally.held += usize::from(holds);
                if !holds && !sentence.kind.gives_odds() {
                    failed(&position, &sentence);
                }
            }
        }
        done += 1;
    }
    table(&tallies, done)
}

fn table(tallies: &BTreeMap<Kind, Tally>, positions: usize) -> String {
    let mut text = format!(
        "{positions} positions\n\n| kind of sentence | said | checked by search | held | share |\n|---|---|---|---|---|\n"
    );
    let mut sum = Tally::default();
    let share = |tally: &Tally| match tally.checked {
        0 => "exact".to_owned(),
        checked => format!("{:.1} %", 100.0 * tally.held as f64 / checked as f64),
    };
    for (kind, tally) in tallies {
        let name = format!("{kind:?}").to_lowercase();
        let _ = writeln!(text, "| {name} | {} | {} | {} | {} |", tally.said, tally.checked, tally.held, share(tally));
        sum.said += tally.said;
        if !kind.gives_odds() {
            sum.checked += tally.checked;
            sum.held += tally.held;
        }
    }
    let _ = writeln!(text, "| all | {} | {} | {} | {} |", sum.said, sum.checked, sum.held, share(&sum));
    text
}

/// The source of positions.
struct Source {
    queue: Vec<Position>,
}

impl Source {
    fn next(&mut self, engine: &mut Engine, rng: &mut Rng) -> Position {
        loop {
            if rng.below(ENDING) == 0
                && let Some(board) = Variety::Endgame.pick(rng)
                && Position::new(board).outcome().is_none()
            {
                return Position::new(board);
            }
            if let Some(position) = self.queue.pop() {
                return position;
            }
            self.play(engine, rng);
        }
    }

    /// Plays a game and keeps some of its positions.
    fn play(&mut self, engine: &mut Engine, rng: &mut Rng) {
        let Some(board) = random_walk(chess::Board::start(), 4 + rng.below(6), rng) else { return };
        let mut position = Position::new(board);
        let limits = Limits { nodes: Some(GAME_NODES), ..Limits::default() };
        engine.new_game();
        for ply in 0..160 {
            if position.outcome().is_some() {
                return;
            }
            if ply % EVERY == rng.below(EVERY) {
                self.queue.push(position.clone());
            }
            let moves = position.legal_moves();
            let chosen = match rng.below(RANDOM_MOVE) {
                0 => moves.get(rng.below(moves.len())).copied(),
                _ => engine.search(&position, &limits, &Control::new(), &mut Silent).best_move(),
            };
            let Some(mv) = chosen else { return };
            position.play(mv);
        }
    }
}

/// A deeper search that caches its results.
struct Deep<'a> {
    engine: &'a mut Engine,
    nodes: u64,
    known: HashMap<u64, PvLine>,
}

impl Deep<'_> {
    fn line(&mut self, position: &Position) -> PvLine {
        let key = position.key();
        if let Some(line) = self.known.get(&key) {
            return line.clone();
        }
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        let line = self.engine.search(position, &limits, &Control::new(), &mut Silent).best;
        self.known.insert(key, line.clone());
        line
    }

    /// The value of a position for the side to move.
    fn value(&mut self, position: &Position) -> i32 {
        bounded(&self.line(position))
    }

    /// The value of a move for the side that plays it.
    fn after(&mut self, position: &Position, mv: Move) -> i32 {
        -self.value(&position.along(&[mv]))
    }

    fn tables(&self, position: &Position) -> Option<Vec<(Move, Wdl)>> {
        let ranks = self.engine.tablebases().rank_root(position, true)?;
        Some(ranks.into_iter().map(|(mv, rank)| (mv, rank.outcome)).collect())
    }

    /// Whether a claim is true; none for a fact of the rules, which needs no search.
    fn holds(&mut self, claim: &Claim) -> Option<bool> {
        Some(match claim {
            Claim::Exact => return None,
            Claim::Worth(position, said) => self.is_worth(position, *said),
            Claim::Best(position, mv) => {
                let by_tables = self.tables(position).is_none_or(|ranks| {
                    let of = |mv: Move| ranks.iter().find(|(other, _)| *other == mv).map(|(_, wdl)| *wdl);
                    of(*mv) == ranks.iter().map(|(_, wdl)| *wdl).max()
                });
                by_tables && percent(self.value(position)) - percent(self.after(position, *mv)) < 5.0
            }
            Claim::Worse { position, worse, than } => {
                let found = (self.after(position, worse.0), self.after(position, than.0));
                let said = (worse.1, than.1);
                let [by, was] = [found, said].map(|(worse, than)| than - worse);
                let [by_chance, was_chance] = [found, said].map(|(worse, than)| percent(than) - percent(worse));
                // The text says "about". A bad move may be even worse than stated; two equally good moves may not
                // differ.
                (by - was).abs() <= 75 || (by_chance - was_chance).abs() <= 7.5 || (was >= 100 && by >= was)
            }
            Claim::Gain { position, line, winner } => {
                let course = Course::new(position, line);
                let end = position.along(&course.moves);
                let further = self.line(&end);
                let last = Course::new(&end, &further.moves).end;
                let mates =
                    matches!(further.score, Score::Mate(moves) if (moves > 0) == (end.side_to_move() == *winner));
                mates || balance(&course.start, &last, *winner) >= 100
            }
            Claim::Threat(position, mv) => self.cost(position, Some(*mv))? >= 75,
            Claim::Defence(position, mv) => self.cost(position, Some(*mv))? >= 75 && self.value(position) >= 75,
            Claim::NoThreat(position) => self.cost(position, None)? <= 120,
            Claim::Zugzwang(position) => self.cost(position, None)? <= -25,
            Claim::Stops { position, mv, threat } => self.lost(position, *mv, *threat)? >= 60,
            Claim::Lets { position, mv, threat } => {
                let next = position.along(&[*mv]);
                self.lost(position, *mv, *threat)? <= 100 || self.line(&next.along(&[*threat])).score < Score::Mate(0)
            }
            Claim::Prepares { position, mv, threat } => {
                let after_pass = passed(&position.along(&[*mv]))?;
                self.after(&after_pass, *threat) - self.after(position, *mv) >= 75
                    || self.line(&after_pass.along(&[*threat])).score < Score::Centipawns(-1500)
            }
            Claim::Between { position, low, high } => {
                let found = bounded(&self.line(position));
                let found = if position.side_to_move() == Color::White { found } else { -found };
                let [low, high] = [*low, *high].map(|end| end.clamp(-1500, 1500));
                (low..=high).contains(&found)
            }
            Claim::Tables(position, wdl) => {
                self.tables(position).is_some_and(|ranks| ranks.iter().map(|(_, wdl)| *wdl).max() == Some(*wdl))
            }
        })
    }

    /// Whether the wording for this score is right.
    fn is_worth(&mut self, position: &Position, said: Score) -> bool {
        let line = self.line(position);
        let sign = |score: Score| score.centipawns().signum();
        match said {
            Score::Mate(_) => matches!(line.score, Score::Mate(_)) && sign(line.score) == sign(said),
            _ if said.is_decisive() => line.score.is_decisive() && sign(line.score) == sign(said),
            _ => {
                let (said, found) = (said.centipawns().clamp(-1500, 1500), bounded(&line));
                let is_close = (said - found).abs() <= 50 || (percent(said) - percent(found)).abs() <= 5.0;
                let is_won = said.abs() >= 200 && said.signum() == found.signum() && found.abs() >= 150;
                is_close || is_won || class(said) == class(found)
            }
        }
    }

    /// What a pass costs, if the opponent replies with this move, or with its best move.
    fn cost(&mut self, position: &Position, mv: Option<Move>) -> Option<i32> {
        let after_pass = passed(position)?;
        let theirs = match mv {
            Some(mv) => self.after(&after_pass, mv),
            None => self.value(&after_pass),
        };
        Some(self.value(position) + theirs)
    }

    /// By how much the move reduces the value of a threat, compared with a pass.
    fn lost(&mut self, position: &Position, mv: Move, threat: Move) -> Option<i32> {
        let after_pass = passed(position)?;
        let before = after_pass.find_move(threat.from(), threat.to(), threat.promotion())?;
        Some(self.after(&after_pass, before) - self.after(&position.along(&[mv]), threat))
    }
}

fn percent(centipawns: i32) -> f64 {
    win_percent(Eval::Centipawns(centipawns))
}

/// The class of a score, matching the wording in [`words::meaning`](crate::people::words::meaning).
fn class(centipawns: i32) -> i32 {
    centipawns.signum()
        * match centipawns.abs() {
            0..25 => 0,
            25..80 => 1,
            80..200 => 2,
            _ => 3,
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A few positions, to see that the check runs and finds most sentences true; `explain --check` does thousands.
    #[test]
    fn most_of_what_is_said_holds() {
        let mut failures = 0;
        let text = run(Engine::new(), 8_000, (12, 17), &AtomicBool::new(false), &mut |_, _| failures += 1);
        assert!(text.starts_with("12 positions") && text.contains("| best | "), "{text}");
        assert!(failures <= 12, "{text}");
    }

    #[test]
    fn false_claims_are_found_out() {
        let position = |fen: &str| Position::new(fen.parse().expect(fen));
        let mut engine = Engine::new();
        let mut deep = Deep { engine: &mut engine, nodes: 20_000, known: HashMap::new() };
        // White mates with Ra8.
        let mate = position("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1");
        let mv = |san: &str| mate.parse_san(san).expect(san);
        assert_eq!(deep.holds(&Claim::Best(mate.clone(), mv("Ra8#"))), Some(true));
        assert_eq!(deep.holds(&Claim::Best(mate.clone(), mv("Ra7"))), Some(false));
        assert_eq!(deep.holds(&Claim::Worth(mate.clone(), Score::Mate(1))), Some(true));
        assert_eq!(deep.holds(&Claim::Worth(mate.clone(), Score::Centipawns(-300))), Some(false));
        assert_eq!(deep.holds(&Claim::NoThreat(mate.clone())), Some(false), "a pass lets the king out");
        let worse = Claim::Worse { position: mate.clone(), worse: (mv("Ra8#"), 0), than: (mv("Ra7"), 300) };
        assert_eq!(deep.holds(&worse), Some(false));
        // Black threatens mate on g2, and Kf1 does nothing about it.
        let threat = position("6k1/8/8/8/8/5pq1/8/R6K w - - 0 1");
        let reply = passed(&threat).expect("no check").parse_san("Qg2#").expect("legal");
        assert_eq!(deep.holds(&Claim::Threat(threat, reply)), Some(true));
        assert_eq!(deep.holds(&Claim::Exact), None);
        // Black to move is a queen up, whatever White thinks of it.
        let lost = position("3qk3/8/8/8/8/8/8/4K3 b - - 0 1");
        let mut between = |low, high| deep.holds(&Claim::Between { position: lost.clone(), low, high });
        assert_eq!(
            (between(-3000, -400), between(400, 3000), between(-100, 100)),
            (Some(true), Some(false), Some(false))
        );
    }

    #[test]
    fn odds_are_counted_but_are_no_part_of_the_share_that_is_true() {
        let tally = |said, checked, held| Tally { said, checked, held };
        let tallies = BTreeMap::from([(Kind::Best, tally(4, 4, 4)), (Kind::Confidence, tally(5, 5, 3))]);
        let text = table(&tallies, 4);
        assert!(text.contains("| confidence | 5 | 5 | 3 | 60.0 % |"), "{text}");
        assert!(text.ends_with("| all | 9 | 4 | 4 | 100.0 % |\n"), "{text}");
    }
}
