//! Plays one game between two engines, from the opening to the result, including time forfeits, crashes and illegal
//! moves.

use std::time::Duration;

use chess::{Board, Color, Move, Outcome, Position};
use uci::{Score, SetPosition, StartPosition, UciMove};

use super::adjudicate::{Judge, Rules, Ruling};
use super::clock::{Clock, Limits, go};
use super::listener::Said;
use super::opening::Opening;
use super::player::{Failure, Player, Thought};
use super::scrutiny::{self, Announcements};
use super::stalls::{Lateness, Witness, milliseconds};
use toolkit::Tables;

/// One move with what the engine reported about it.
#[derive(Clone, Debug)]
pub struct Ply {
    /// The move.
    pub mv: Move,
    /// The engine's last report; none for a move of the opening.
    pub(crate) said: Option<Said>,
    /// The time it took.
    pub time: Duration,
    /// Claims of the engine that turned out to be wrong.
    pub(crate) warnings: Vec<String>,
}

/// Why a game ended.
#[derive(Clone, PartialEq, Debug)]
pub enum Cause {
    /// By the rules of chess.
    Rules(Outcome),
    /// By the rules of the match, with the reason.
    Adjudication(&'static str),
    /// The loser's flag fell, by this much.
    TimeLoss(Lateness),
    /// A flag fell because the machine stood still: no side loses, and the game is played again.
    Void(Color, Lateness),
    /// The loser's move was not legal.
    IllegalMove(String),
    /// The loser's process ended.
    Crash(String),
    /// The loser stopped answering.
    Stall,
}

/// A game that was played.
#[derive(Clone, Debug)]
pub struct Game {
    /// Where it began.
    pub start: Board,
    /// Its moves, those of the opening first.
    pub plies: Vec<Ply>,
    /// The winner; none for a draw.
    pub winner: Option<Color>,
    /// Why it ended.
    pub cause: Cause,
}

/// What both players and the match agree on before a game.
pub(crate) struct Terms<'a> {
    /// The opening.
    pub opening: &'a Opening,
    /// Limits of White and Black.
    pub limits: [&'a Limits; 2],
    /// Adjudication.
    pub rules: Rules,
    /// Adjudication by tablebases.
    pub tables: Option<&'a Tables>,
    /// Whether castling is written king-takes-rook.
    pub chess960: bool,
    /// How long an engine without a clock may stay silent.
    pub patience: Duration,
    /// Whether engines think in the opponent's time.
    pub ponder: bool,
    /// The record of the machine's stalls, if they are watched.
    pub witness: Option<Witness<'a>>,
}

/// The `Termination` tag of a game that does not count.
pub(crate) const VOID: &str = "void";

/// How long an engine may still take to move once its time is over, before it counts as dead.
const GRACE: Duration = Duration::from_secs(5);

/// Plays one game. Returns none only if the match is called off.
pub(crate) fn play(players: [&mut Player; 2], terms: &Terms<'_>) -> Option<Game> {
    let mut record = GameSoFar::new(terms);
    let [white, black] = players;
    for (player, side) in [(&mut *white, Color::White), (&mut *black, Color::Black)] {
        if let Err(failure) = player.new_game() {
            return record.failed(side, failure);
        }
    }
    let mut clocks = terms.limits.map(Clock::new);
    let mut judge = Judge::new(terms.rules);
    let mut announcements = Announcements::default();
    loop {
        let side = record.position.side_to_move();
        let player = if side == Color::White { &mut *white } else { &mut *black };
        let clock = &clocks[side.index()];
        // The wait is a little longer than the allowance, so that the flag is seen to fall.
        let patience = clock.allowance().map_or(terms.patience, |time| time + Duration::from_millis(50));
        let thought = match player.think(&record.command, go(&clocks, side), patience, GRACE) {
            Ok(thought) => thought,
            Err(failure) => return record.failed(side, failure),
        };
        // An engine that overran its node or depth limit would have gone on thinking.
        if thought.stopped && clock.allowance().is_none() {
            return Some(record.lost(side, Cause::Stall));
        }
        let allowance = clock.allowance();
        let in_time = clocks[side.index()].spend(thought.time);
        let mv = match thought.legal_move(&record.position) {
            Ok(mv) => mv,
            Err(text) => return Some(record.lost(side, Cause::IllegalMove(text))),
        };
        if !in_time {
            return Some(record.late(side, lateness(&thought, allowance.unwrap_or_default(), terms.witness)));
        }
        let move_number = u32::from(record.position.fullmove_number());
        let mut warnings = scrutiny::warnings(&record.position, &thought);
        warnings.extend(announcements.contradiction(side, &thought.said));
        record.make(Ply { mv, said: Some(thought.said), time: thought.time, warnings });
        if let Some(outcome) = record.position.outcome() {
            return Some(record.end(outcome.winner(), Cause::Rules(outcome)));
        }
        let irreversible = record.position.halfmove_clock() == 0;
        let known = terms.tables.and_then(|tables| tables.winner(&record.position));
        let verdict = known.map(|winner| Ruling { winner, reason: "adjudication: tablebase" });
        let verdict = verdict.or_else(|| judge.watch(side, thought.said.score, irreversible, move_number));
        if let Some(verdict) = verdict {
            return Some(record.end(verdict.winner, Cause::Adjudication(verdict.reason)));
        }
        if let Some(expected) = thought.ponder.filter(|_| terms.ponder).and_then(|reply| reply.on(&record.position)) {
            let mut command = record.command.clone();
            command.moves.push(UciMove::new(expected, terms.chess960));
            let player = if side == Color::White { &mut *white } else { &mut *black };
            if let Err(failure) = player.ponder(&command, go(&clocks, side)) {
                return record.failed(side, failure);
            }
        }
    }
}

/// How late a move came, and whether a stall of the machine explains it.
fn lateness(thought: &Thought, allowance: Duration, witness: Option<Witness<'_>>) -> Lateness {
    let (flag, answer) = (thought.start + allowance, thought.start + thought.time);
    match witness {
        Some(witness) => witness.judge(thought.start, flag, answer),
        None => Lateness::unwatched(answer.saturating_duration_since(flag)),
    }
}

/// The game so far, in the forms that the engines and the record need.
struct GameSoFar {
    start: Board,
    position: Position,
    plies: Vec<Ply>,
    /// The same as a command for the engines.
    command: SetPosition,
    chess960: bool,
}

impl GameSoFar {
    fn new(terms: &Terms<'_>) -> GameSoFar {
        let start = terms.opening.start;
        let start_position = if start == Board::start() && !terms.chess960 {
            StartPosition::Standard
        } else {
            start_position(&start, terms.chess960)
        };
        let command = SetPosition { start: start_position, moves: Vec::new() };
        let position = Position::new(start);
        let mut record = GameSoFar { start, position, plies: Vec::new(), command, chess960: terms.chess960 };
        for &mv in &terms.opening.moves {
            record.make(Ply { mv, said: None, time: Duration::ZERO, warnings: Vec::new() });
        }
        record
    }

    fn make(&mut self, ply: Ply) {
        self.command.moves.push(UciMove::new(ply.mv, self.chess960));
        self.position.play(ply.mv);
        self.plies.push(ply);
    }

    fn end(self, winner: Option<Color>, cause: Cause) -> Game {
        Game { start: self.start, plies: self.plies, winner, cause }
    }

    fn lost(self, loser: Color, cause: Cause) -> Game {
        self.end(Some(loser.other()), cause)
    }

    fn late(self, side: Color, late: Lateness) -> Game {
        if late.excused { self.end(None, Cause::Void(side, late)) } else { self.lost(side, Cause::TimeLoss(late)) }
    }

    fn failed(self, side: Color, failure: Failure) -> Option<Game> {
        match failure {
            Failure::CalledOff => None,
            Failure::Stall => Some(self.lost(side, Cause::Stall)),
            Failure::Crash(words) => Some(self.lost(side, Cause::Crash(words))),
        }
    }
}

impl Cause {
    /// The value of the `Termination` tag of a PGN.
    pub fn tag(&self) -> &'static str {
        match self {
            Cause::Rules(_) => "normal",
            Cause::Adjudication(_) => "adjudication",
            Cause::TimeLoss(_) => "time forfeit",
            Cause::Void(..) => VOID,
            Cause::IllegalMove(_) => "illegal move",
            Cause::Crash(_) => "abandoned",
            Cause::Stall => "stall",
        }
    }

    /// The reason in words.
    pub fn describe(&self, winner: Option<Color>) -> String {
        let name = |side: Color| if side == Color::White { "White" } else { "Black" };
        let loser = winner.map(|winner| name(winner.other())).unwrap_or_default();
        match self {
            Cause::Rules(outcome) => outcome.to_string(),
            Cause::Adjudication(reason) => (*reason).to_owned(),
            Cause::TimeLoss(late) => {
                format!("{loser} loses on time, {:.1} ms late{}", milliseconds(late.by), late.remark())
            }
            Cause::Void(side, late) => {
                format!("void: {} is {:.1} ms late{}", name(*side), milliseconds(late.by), late.remark())
            }
            Cause::IllegalMove(text) => format!("{loser} plays an illegal move: {text}"),
            Cause::Crash(words) => format!("{loser} crashes: {words}"),
            Cause::Stall => format!("{loser} stalls"),
        }
    }

    /// Whether the game does not count and is played again.
    pub fn is_void(&self) -> bool {
        matches!(self, Cause::Void(..))
    }

    /// Whether the loser's process has to be replaced. One that plays illegal moves may be in a bad state, so it is
    /// replaced too.
    pub(crate) fn needs_restart(&self) -> bool {
        matches!(self, Cause::Crash(_) | Cause::Stall | Cause::IllegalMove(_))
    }
}

/// A position as sent to engines.
pub(crate) fn start_position(board: &Board, chess960: bool) -> StartPosition {
    StartPosition::Fen(if chess960 { board.shredder_fen().to_string() } else { board.to_string() })
}

/// A score in the style of PGN comments: pawns, or the plies to mate.
pub(crate) fn score_text(score: Score) -> String {
    match score {
        Score::Centipawns(value) => format!("{:+.2}", f64::from(value) / 100.0),
        Score::Mate(moves) if moves > 0 => format!("+M{}", moves.saturating_mul(2).saturating_sub(1)),
        Score::Mate(moves) => format!("-M{}", moves.unsigned_abs().saturating_mul(2)),
    }
}
