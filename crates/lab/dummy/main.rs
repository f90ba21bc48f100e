//! A tiny UCI engine for the tests of the runner. It plays the first legal move in some order, at once, and on the fifth
//! move of a game, if an argument says so, it crashes, stalls, plays an illegal move, is late, or floods its output. With
//! `-always` behind the argument, new games do not count, and it is the fifth move of its life. It ponders when it is told to, and often
//! guesses right. With `lmp_base` lowered it always plays what is worst by its own scores.
#![forbid(unsafe_code)]

mod study;

use std::io::{self, BufRead, Write};
use std::thread::sleep;
use std::time::Duration;

use chess::{Board, Move, Position};

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let argument = arguments.first().cloned().unwrap_or_default();
    let (mode, forgets) = argument.strip_suffix("-always").map_or((argument.as_str(), true), |mode| (mode, false));
    let mut output = io::stdout();
    if let Some(answer) = study::answer(&arguments) {
        return output.write_all(answer.as_bytes());
    }
    let (mut position, mut moves, mut searches) = (Position::start(), 0_usize, 0_usize);
    let (mut pondering, mut is_careless) = (false, false);
    for line in io::stdin().lock().lines() {
        let line = line?;
        let mut words = line.split_ascii_whitespace();
        match words.next().unwrap_or_default() {
            "uci" => writeln!(
                output,
                "id name Dummy\noption name Hash type spin default 1 min 1 max 9\noption name Threads type spin default 1 min 1 max \
                 9\noption name UCI_Chess960 type check default false\n{}uciok",
                study::options()
            )?,
            "isready" => writeln!(output, "readyok")?,
            "ucinewgame" if forgets => moves = 0,
            "setoption" => is_careless |= line.ends_with("name lmp_base value 1"),
            "position" => position = read_position(&line),
            "go" if words.any(|word| word == "ponder") => pondering = true,
            word @ ("go" | "ponderhit" | "stop") if word == "go" || std::mem::take(&mut pondering) => {
                // What was thought in vain does not count.
                moves += usize::from(word != "stop");
                searches += 1;
                misbehave(mode, moves, &mut output)?;
                let best = if is_careless { worst(&position) } else { choice(&position) };
                let text = best.map_or("0000".into(), |mv| mv.uci(true));
                let score = score(&position);
                writeln!(output, "info depth 3 score cp {score} nodes {} time 1 pv {text}", 100 + searches % 7)?;
                writeln!(output, "bestmove {text}{}", expected(&position, best, searches))?;
            }
            "quit" => return Ok(()),
            _ => {}
        }
        output.flush()?;
    }
    Ok(())
}

/// The choice depends on the position alone, and yet the games are not all alike.
fn choice(position: &Position) -> Option<Move> {
    let legal = position.legal_moves();
    legal.get((position.key() >> 32) as usize % legal.len().max(1)).copied()
}

/// The score of a position for the side to move: anything, but always the same.
fn score(position: &Position) -> u64 {
    position.key() % 60
}

/// The move after which the opponent's score is best.
fn worst(position: &Position) -> Option<Move> {
    position.legal_moves().iter().copied().max_by_key(|&mv| score(&position.along(&[mv])))
}

/// The reply to expect: what another dummy would play, but every third time something else.
fn expected(position: &Position, best: Option<Move>, searches: usize) -> String {
    let Some(mv) = best else { return String::new() };
    let next = position.along(&[mv]);
    let reply = if searches.is_multiple_of(3) { next.legal_moves().first().copied() } else { choice(&next) };
    reply.map_or_else(String::new, |reply| format!(" ponder {}", reply.uci(true)))
}

fn misbehave(mode: &str, moves: usize, output: &mut impl Write) -> io::Result<()> {
    match mode {
        "slow" => sleep(Duration::from_millis(5)),
        "crash" if moves == 5 => {
            eprintln!("the dummy falls over");
            std::process::exit(3);
        }
        "illegal" if moves == 5 => writeln!(output, "bestmove a1a1")?,
        "late" if moves == 5 => sleep(Duration::from_millis(700)),
        "stall" if moves == 5 => loop {
            sleep(Duration::from_secs(1));
        },
        "flood" => {
            for number in 0..2000 {
                writeln!(output, "info depth 1 score cp {number} nodes {number} pv e2e4")?;
            }
            output.write_all(&[0xff, 0xfe, b'\n'])?;
        }
        _ => {}
    }
    output.flush()
}

fn read_position(line: &str) -> Position {
    let (setup, moves) = line.split_once(" moves ").unwrap_or((line, ""));
    let fen = setup.split_once("fen ").map(|(_, fen)| fen);
    let board = fen.and_then(|fen| fen.parse().ok()).unwrap_or_else(Board::start);
    let mut position = Position::new(board);
    for text in moves.split_ascii_whitespace() {
        if let Ok(mv) = position.parse_uci(text) {
            position.play(mv);
        }
    }
    position
}
