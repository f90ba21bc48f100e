//! EPD, Extended Position Description: a position in four fields, then operations such as `bm Qg6; id "WAC.001";`. It
//! also reads FEN, which adds two counters to the four fields, with or without operations after it.

use std::fmt;

use chess::fen::FenError;
use chess::{Board, Move};

/// A position and its operations.
#[derive(Clone, PartialEq, Debug)]
pub struct Epd {
    /// The position. The counters are those of the line, or of the operations `hmvc` and `fmvn`.
    pub board: Board,
    operations: Vec<Operation>,
}

/// An opcode and its operands, without quotes.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Operation {
    code: String,
    operands: Vec<String>,
}

/// What is wrong with a line.
#[derive(Clone, PartialEq, Debug)]
pub enum EpdError {
    /// It has fewer than four fields.
    Incomplete,
    /// The position cannot be read or is not legal.
    Position(FenError),
    /// An operand has an opening quote but no closing one.
    OpenQuote,
}

impl fmt::Display for EpdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EpdError::Incomplete => f.write_str("the position is not complete"),
            EpdError::Position(error) => error.fmt(f),
            EpdError::OpenQuote => f.write_str("a quote is not closed"),
        }
    }
}

impl std::error::Error for EpdError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            EpdError::Position(error) => Some(error),
            _ => None,
        }
    }
}

/// The lines of a text that are neither empty nor comments (`#`), each with its number from 1.
pub fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let numbered = (1..).zip(text.trim_start_matches('\u{feff}').lines().map(str::trim));
    numbered.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

impl Epd {
    /// Reads one line.
    ///
    /// # Errors
    /// The first problem of the line.
    pub fn parse(line: &str) -> Result<Epd, EpdError> {
        let (fields, rest) = split(line);
        let operations = operations(rest)?;
        let mut epd = Epd { board: Board::start(), operations };
        let counters = fields.len().checked_sub(4).ok_or(EpdError::Incomplete)?;
        let mut fen = fields.join(" ");
        for (code, usual) in [("hmvc", "0"), ("fmvn", "1")].into_iter().skip(counters) {
            fen = format!("{fen} {}", epd.operand(code).unwrap_or(usual));
        }
        epd.board = fen.parse().map_err(EpdError::Position)?;
        Ok(epd)
    }

    /// All operands of an operation; empty if it is not there.
    #[must_use]
    pub fn operands(&self, code: &str) -> &[String] {
        self.operations.iter().find(|operation| operation.code == code).map_or(&[], |found| &found.operands)
    }

    /// The first operand of an operation.
    #[must_use]
    pub fn operand(&self, code: &str) -> Option<&str> {
        self.operands(code).first().map(String::as_str)
    }

    /// The moves of an operation such as `bm`.
    ///
    /// # Errors
    /// If one of them is not legal.
    pub fn moves(&self, code: &str) -> Result<Vec<Move>, chess::notation::MoveError> {
        // Some old suites separate moves with commas.
        let words = self.operands(code).iter().flat_map(|word| word.split(',')).filter(|word| !word.is_empty());
        words.map(|word| self.read_move(word)).collect()
    }

    /// A move in this position, in algebraic or UCI notation.
    ///
    /// # Errors
    /// If it is not a legal move here.
    pub fn read_move(&self, text: &str) -> Result<Move, chess::notation::MoveError> {
        self.board.parse_san(text).or_else(|error| self.board.parse_uci(text).map_err(|_| error))
    }
}

/// The fields of the position, four or, with the counters, six, and what follows.
fn split(line: &str) -> (Vec<&str>, &str) {
    let (mut fields, mut rest) = (Vec::new(), line.trim_start());
    while fields.len() < 6 {
        let length = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(length);
        let is_counter = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
        if word.is_empty() || (fields.len() >= 4 && !is_counter) {
            break;
        }
        fields.push(word);
        rest = behind.trim_start();
    }
    (fields, rest)
}

/// Parses operations, each ended by a semicolon. A semicolon within quotes is ordinary text, and the last one may be
/// missing.
fn operations(text: &str) -> Result<Vec<Operation>, EpdError> {
    let mut operations = Vec::new();
    let (mut words, mut word, mut is_quoted, mut is_begun) = (Vec::new(), String::new(), false, false);
    for letter in text.chars().chain([';']) {
        match letter {
            '"' => (is_quoted, is_begun) = (!is_quoted, true),
            _ if is_quoted => word.push(letter),
            ';' | ' ' | '\t' => {
                if std::mem::take(&mut is_begun) {
                    words.push(std::mem::take(&mut word));
                }
                if letter == ';' {
                    let mut words = words.drain(..);
                    operations.extend(words.next().map(|code| Operation { code, operands: words.collect() }));
                }
            }
            _ => {
                word.push(letter);
                is_begun = true;
            }
        }
    }
    if is_quoted { Err(EpdError::OpenQuote) } else { Ok(operations) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -";

    #[test]
    fn operations_of_every_kind() {
        let line =
            format!("{KIWIPETE} bm Bxa6, O-O; am e5f7; id \"a; b\"; hmvc 7; fmvn 31; c0 \"\"; noop;; c1 \"x\" y");
        let epd = Epd::parse(&line).expect("a good line");
        let names =
            |code| -> Vec<String> { epd.moves(code).expect("legal").iter().map(|&mv| epd.board.san(mv)).collect() };
        assert_eq!((names("bm"), names("am")), (vec!["Bxa6".to_owned(), "O-O".to_owned()], vec!["Nxf7".to_owned()]));
        assert_eq!((epd.operand("id"), epd.operand("c0"), epd.operand("noop")), (Some("a; b"), Some(""), None));
        assert_eq!(epd.operands("c1"), ["x", "y"]);
        assert_eq!((epd.board.halfmove_clock(), epd.board.fullmove_number()), (7, 31));
        assert!(Epd::parse(&format!("{KIWIPETE} bm Ke3;")).expect("a position").moves("bm").is_err());
    }

    #[test]
    fn counters_may_be_there_or_not() {
        for (rest, counters) in [("", (0, 1)), (" 3 9", (3, 9)), (" 3 9 id \"x\"", (3, 9)), (" 4 bm O-O", (4, 1))] {
            let board = Epd::parse(&format!("{KIWIPETE}{rest}")).expect(rest).board;
            assert_eq!((board.halfmove_clock(), board.fullmove_number()), counters, "{rest}");
        }
    }

    #[test]
    fn broken_lines() {
        assert_eq!(Epd::parse(""), Err(EpdError::Incomplete));
        assert_eq!(Epd::parse("4k3 w -"), Err(EpdError::Incomplete));
        assert_eq!(Epd::parse(&format!("{KIWIPETE} id \"x;")), Err(EpdError::OpenQuote));
        assert!(matches!(Epd::parse("4k3/8/8/8 w - -"), Err(EpdError::Position(_))));
        assert!(Epd::parse(&format!("{KIWIPETE} hmvc x;")).is_err());
    }

    #[test]
    fn lines_keep_their_numbers() {
        let text = "\u{feff}# a comment\n\n a \r\n#\nb";
        assert_eq!(lines(text).collect::<Vec<_>>(), [(3, "a"), (5, "b")]);
    }
}
