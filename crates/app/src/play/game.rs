//! A game in the terminal: whose turn it is, what the user typed, what the engine replies, and how the game ends.

use std::io::{BufRead, Read, Write};
use std::time::{Duration, Instant};

use ::record::GameResult;
use chess::notation::MoveError;
use chess::{Board, Color, Move, Position};
use engine::{Clock, Control, Engine, Limits, Score, Silent};

use super::record::Scoresheet;
use crate::annotate::think::mover;
use crate::people::draw::{self, Charset};
use crate::people::{time, words};

/// Nodes for a hint, which uses full strength.
const HINT_NODES: u64 = 200_000;
/// No command is this long.
const LONGEST_LINE: u64 = 4096;
/// The engine accepts a draw if its score is at most this.
const DRAWISH: Score = Score::Centipawns(0);

pub(super) const HELP: &str = "\
Type a move as e4, Nf3, O-O or e2e4, or one of these:
  hint     what the engine would play in your place, at full strength
  back     take back your last move and the answer
  board    draw the board           flip     from the other side
  moves    list the legal moves     fen      the position as FEN
  draw     offer a draw             resign   give up
  help     this text                quit     leave the game as it is";

/// The settings of a game.
pub(super) struct Settings {
    /// The user's colour.
    pub(super) person: Color,
    /// The engine's time per move, unless there are clocks.
    pub(super) time: Duration,
    /// The initial time of each side, and the increment.
    pub(super) clock: Option<(Duration, Duration)>,
    pub(super) charset: Charset,
    /// Whether the board is drawn in colours.
    pub(super) colours: bool,
    /// Whether a user is typing and needs prompts.
    pub(super) prompts: bool,
}

pub(super) struct Game {
    start: Board,
    position: Position,
    moves: Vec<Move>,
    engine: Engine,
    record: Scoresheet,
    settings: Settings,
    view: Color,
    /// The engine's score of its last position, for draw offers.
    last_score: Option<Score>,
    /// The time left on the clocks of White and Black.
    left: [Duration; 2],
    /// When the side to move began to think.
    since: Instant,
}

/// What happens after an input.
enum Flow {
    /// It is still the user's turn.
    Ask,
    /// The position has changed.
    Next,
    /// The game is over, with this result and reason.
    Over(GameResult, String),
    /// The user has left.
    Left,
}

impl Game {
    pub(super) fn new(start: Board, engine: Engine, record: Scoresheet, settings: Settings) -> Game {
        let view = settings.person;
        let left = [settings.clock.map_or(Duration::ZERO, |(base, _)| base); 2];
        Game {
            start,
            position: Position::new(start),
            moves: Vec::new(),
            engine,
            record,
            settings,
            view,
            last_score: None,
            left,
            since: Instant::now(),
        }
    }

    /// Plays until the game is over or the input ends.
    pub(super) fn play(&mut self, input: &mut impl BufRead, out: &mut impl Write) -> anyhow::Result<()> {
        writeln!(out, "You play {}. help lists what you can type.", self.settings.person)?;
        self.draw(out)?;
        self.keep(None, out)?;
        self.since = Instant::now();
        loop {
            if let Some(outcome) = self.position.outcome() {
                return self.end(GameResult::of_winner(outcome.winner()), &outcome.to_string(), out);
            }
            let flow = if self.position.side_to_move() == self.settings.person {
                self.ask(input, out)?
            } else {
                self.answer(out)?
            };
            match flow {
                Flow::Ask | Flow::Next => {}
                Flow::Over(result, reason) => return self.end(result, &reason, out),
                Flow::Left => {
                    writeln!(out, "You have left the game.{}", self.record.whereabouts())?;
                    return self.show_if_lost(None, out);
                }
            }
        }
    }

    fn end(&mut self, result: GameResult, reason: &str, out: &mut impl Write) -> anyhow::Result<()> {
        self.keep(Some(result), out)?;
        writeln!(out, "The game is over: {reason}. {result}{}", self.record.whereabouts())?;
        self.show_if_lost(Some(result), out)
    }

    /// Writes the game to its file. If that fails, the game goes on and is printed at the end.
    fn keep(&mut self, result: Option<GameResult>, out: &mut impl Write) -> anyhow::Result<()> {
        if let Err(error) = self.record.save(&self.moves, result) {
            self.record.give_up();
            writeln!(out, "{error:#}. The game goes on; you will see it as PGN in the end.")?;
        }
        Ok(())
    }

    fn show_if_lost(&self, result: Option<GameResult>, out: &mut impl Write) -> anyhow::Result<()> {
        match self.record.lost(&self.moves, result) {
            Some(text) => Ok(write!(out, "\n{text}")?),
            None => Ok(()),
        }
    }

    fn draw(&self, out: &mut impl Write) -> anyhow::Result<()> {
        writeln!(out)?;
        let (board, charset) = (self.position.board(), self.settings.charset);
        let lines = if self.settings.colours {
            draw::coloured(board, self.view, charset, self.moves.last().copied())
        } else {
            draw::board(board, self.view, charset)
        };
        for line in lines {
            writeln!(out, "{line}")?;
        }
        if self.settings.clock.is_some() {
            let [white, black] = self.left.map(time::shown);
            writeln!(out, "\n     White {white}   Black {black}")?;
        }
        writeln!(out)?;
        Ok(())
    }

    /// Handles one line from the user.
    fn ask(&mut self, input: &mut impl BufRead, out: &mut impl Write) -> anyhow::Result<Flow> {
        if self.settings.prompts {
            let check = if self.position.in_check() { "check! " } else { "" };
            write!(out, "{check}your move> ")?;
        }
        out.flush()?;
        let mut bytes = Vec::new();
        let length = input.take(LONGEST_LINE).read_until(b'\n', &mut bytes)?;
        if length == 0 {
            if self.settings.prompts {
                writeln!(out)?;
            }
            return Ok(Flow::Left);
        }
        let text = String::from_utf8_lossy(&bytes);
        self.obey(text.trim(), out)
    }

    fn obey(&mut self, text: &str, out: &mut impl Write) -> anyhow::Result<Flow> {
        match text.to_ascii_lowercase().as_str() {
            "" => {}
            "help" | "?" => writeln!(out, "{HELP}")?,
            "board" => self.draw(out)?,
            "flip" => {
                self.view = self.view.other();
                self.draw(out)?;
            }
            "fen" => writeln!(out, "{}", self.position.board())?,
            "moves" => {
                let mut moves: Vec<_> = self.position.legal_moves().iter().map(|&mv| self.position.san(mv)).collect();
                moves.sort_unstable();
                writeln!(out, "{}", moves.join(" "))?;
            }
            "hint" => self.hint(out)?,
            "back" | "undo" | "takeback" => return self.take_back(out),
            "draw" => return self.offer(out),
            "resign" => {
                let (person, winner) = (self.settings.person, self.settings.person.other());
                let result = GameResult::of_winner(Some(winner));
                return Ok(Flow::Over(result, format!("{winner} wins, {person} resigns")));
            }
            "quit" | "exit" => return Ok(Flow::Left),
            _ => return self.try_move(text, out),
        }
        Ok(Flow::Ask)
    }

    fn try_move(&mut self, text: &str, out: &mut impl Write) -> anyhow::Result<Flow> {
        match self.read_move(text) {
            Ok(mv) => self.make(mv, out),
            Err(error) => {
                writeln!(out, "{error}; moves lists the legal ones, help everything else.")?;
                Ok(Flow::Ask)
            }
        }
    }

    /// A move in SAN or UCI notation; the letter of a piece may be lower case, unless that means a pawn.
    fn read_move(&self, text: &str) -> Result<Move, MoveError> {
        let mut letters = text.chars();
        let capital: String =
            letters.next().map(|letter| letter.to_ascii_uppercase()).into_iter().chain(letters).collect();
        let position = &self.position;
        let other = || position.parse_uci(text).or_else(|_| position.parse_san(&capital)).ok();
        position.parse_san(text).or_else(|error| other().ok_or(error))
    }

    /// Plays a move, unless the mover's time has run out.
    fn make(&mut self, mv: Move, out: &mut impl Write) -> anyhow::Result<Flow> {
        let side = self.position.side_to_move();
        if let (Some((_, increment)), Some(left)) = (self.settings.clock, self.left.get_mut(side.index())) {
            let Some(rest) = left.checked_sub(self.since.elapsed()) else {
                *left = Duration::ZERO;
                let winner = side.other();
                return Ok(Flow::Over(GameResult::of_winner(Some(winner)), format!("{winner} wins on time")));
            };
            *left = rest + increment;
        }
        self.position.play(mv);
        self.moves.push(mv);
        self.keep(None, out)?;
        self.since = Instant::now();
        Ok(Flow::Next)
    }

    /// Takes moves back to the user's last turn.
    fn take_back(&mut self, out: &mut impl Write) -> anyhow::Result<Flow> {
        let mut left = self.moves.len();
        let person = self.settings.person;
        let first = self.start.side_to_move();
        let Some(ply) = (0..left).rev().find(|&ply| mover(first, ply) == person) else {
            writeln!(out, "There is no move of yours to take back.")?;
            return Ok(Flow::Ask);
        };
        while left > ply {
            self.position.unmake();
            self.moves.pop();
            left -= 1;
        }
        self.keep(None, out)?;
        writeln!(out, "Taken back.")?;
        self.draw(out)?;
        Ok(Flow::Ask)
    }

    /// Plays the engine's move.
    fn answer(&mut self, out: &mut impl Write) -> anyhow::Result<Flow> {
        let remaining = self.left.get(self.position.side_to_move().index()).copied().unwrap_or_default();
        let limits = match self.settings.clock {
            Some((_, increment)) => {
                Limits { clock: Some(Clock { remaining, increment, moves_to_go: None }), ..Limits::default() }
            }
            None => Limits { move_time: Some(self.settings.time), ..Limits::default() },
        };
        let found = self.engine.search(&self.position, &limits, &Control::new(), &mut Silent);
        let Some(mv) = found.best_move() else { return Ok(Flow::Next) };
        self.last_score = Some(found.best.score);
        let text = self.position.san_line(&[mv]);
        let flow = self.make(mv, out)?;
        if matches!(flow, Flow::Next) {
            writeln!(out, "{text}")?;
            self.draw(out)?;
        }
        Ok(flow)
    }

    /// Shows what the engine would play at full strength.
    fn hint(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        let mut adviser = Engine::new();
        let limits = Limits { nodes: Some(HINT_NODES), move_time: Some(2 * self.settings.time), ..Limits::default() };
        let best = adviser.search(&self.position, &limits, &Control::new(), &mut Silent).best;
        let line = best.moves.get(..best.moves.len().min(5)).unwrap_or_default();
        let meaning = words::meaning(best.score.for_white(self.position.side_to_move()));
        writeln!(out, "{}; {meaning}.", self.position.san_line(line))?;
        Ok(())
    }

    /// Handles a draw offer: the engine accepts if it has nothing to play for.
    fn offer(&mut self, out: &mut impl Write) -> anyhow::Result<Flow> {
        if self.last_score.is_some_and(|score| score <= DRAWISH) {
            return Ok(Flow::Over(GameResult::Draw, "draw by agreement".into()));
        }
        writeln!(out, "The engine would rather play on.")?;
        Ok(Flow::Ask)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_cannot_be_written_does_not_end_the_game() {
        let path = std::env::temp_dir().join(format!("stillwater-unwritable-{}", std::process::id()));
        std::fs::write(&path, "").expect("written");
        let start = Board::start();
        let mut engine = Engine::new();
        engine.options.elo = Some(800);
        let settings = Settings {
            person: Color::White,
            time: Duration::from_millis(10),
            clock: None,
            charset: Charset::Ascii,
            colours: false,
            prompts: false,
        };
        let mut game = Game::new(start, engine, Scoresheet::unwritable(&path, start), settings);
        let mut out = Vec::new();
        game.play(&mut &b"e4\nresign\n"[..], &mut out).expect("the game goes on");
        let _ = std::fs::remove_file(&path);
        let text = String::from_utf8_lossy(&out);
        assert_eq!(text.matches("The game goes on").count(), 1, "{text}");
        assert!(text.contains("White resigns") && text.contains("\n1. e4 "), "shown in the end: {text}");
    }
}
