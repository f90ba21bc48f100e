//! The server's messages: JSON objects with a `type` field. `docs/SERVE.md` describes them.

use chess::{Board, Move, MoveList, Outcome, Position, Square};
use serde::Serialize;

use super::ask::{Format, Settings, Side};
use super::library::Facts;
use super::lines::{Evaluation, Report};
use super::review::ReviewView;
use super::tree::Id;
use crate::explain::why::Why;

/// A message from the server.
#[derive(Serialize, Debug)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Say<'a> {
    /// The first message of a session.
    Welcome {
        version: &'static str,
        levels: Vec<LevelRow>,
        most: Most,
        settings: Settings,
    },
    /// The game has changed.
    Game(GameView),
    /// The position on display.
    Position(PositionView),
    /// What the server is doing.
    Status {
        play: Option<PlayView>,
        finished: Option<FinishedView>,
        analysis: bool,
        evaluating: bool,
        activity: Activity,
        settings: Settings,
    },
    /// What a search has found so far.
    Analysis {
        node: Id,
        #[serde(flatten)]
        report: Report,
    },
    /// An evaluation for the graph.
    Evaluated {
        node: Id,
        evaluation: Evaluation,
        done: usize,
        all: usize,
    },
    /// The review of the whole game.
    Review(ReviewView),
    /// The reviewed game as a text.
    Report {
        format: Format,
        text: String,
    },
    Hint {
        node: Id,
        uci: String,
        san: String,
    },
    /// What the opponent would play; none if it has no move, or in check, where passing is impossible.
    Threat {
        node: Id,
        uci: Option<String>,
        san: Option<String>,
        evaluation: Option<Evaluation>,
    },
    /// How good the tried move was: as good as the best (`best`), good enough (`good`), or worse.
    Tried {
        node: Id,
        uci: String,
        san: String,
        verdict: &'static str,
        evaluation: Option<Evaluation>,
    },
    /// Why a move is good or bad.
    Why {
        node: Id,
        #[serde(flatten)]
        why: &'a Why,
    },
    /// What is known about a position.
    Explored {
        node: Id,
        #[serde(flatten)]
        facts: Facts,
    },
    /// How many games there are to explore.
    Collected {
        games: u32,
        left_out: u32,
        is_full: bool,
    },
    /// A book was opened.
    Book {
        moves: usize,
        positions: usize,
    },
    /// The positions along a line.
    Preview {
        node: Id,
        moves: &'a [String],
        boards: Vec<PositionView>,
    },
    /// The games of a PGN text that has several.
    Games {
        names: Vec<String>,
        index: usize,
    },
    /// Something the user should know.
    Note {
        text: String,
    },
    /// The request was rejected; nothing has changed.
    Refused {
        text: &'a str,
    },
}

/// The upper limits of the settings.
#[derive(Serialize, Clone, Copy, Debug)]
pub(super) struct Most {
    pub(super) threads: u16,
    pub(super) hash: u32,
    pub(super) lines: u8,
    pub(super) time: f64,
}

#[derive(Serialize, Debug)]
pub(super) struct LevelRow {
    pub(super) level: usize,
    pub(super) elo: u16,
}

#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub(super) enum Activity {
    Idle,
    /// All engines are in use by other boards.
    Waiting,
    Thinking,
    Analysing,
    Evaluating,
    /// A hint, a threat, a tried move or an explanation.
    Answering,
}

#[derive(Serialize, Debug)]
pub(super) struct PlayView {
    pub(super) side: Side,
    pub(super) level: Option<usize>,
    pub(super) tip: Id,
    pub(super) clock: Option<ClockView>,
}

/// The times on the clocks, in seconds.
#[derive(Serialize, Debug)]
pub(super) struct ClockView {
    pub(super) white: f64,
    pub(super) black: f64,
    pub(super) increment: f64,
    pub(super) running: Option<Side>,
}

/// A finished game against the engine.
#[derive(Serialize, Debug)]
pub(super) struct FinishedView {
    /// How it ended.
    pub(super) text: String,
    pub(super) winner: Option<Side>,
    pub(super) side: Side,
    pub(super) level: Option<usize>,
}

#[derive(Serialize, Debug)]
pub(super) struct GameView {
    pub(super) start: String,
    pub(super) chess960: bool,
    pub(super) white: String,
    pub(super) black: String,
    pub(super) result: &'static str,
    /// The evaluation of the start position.
    pub(super) evaluation: Option<Evaluation>,
    #[serde(flatten)]
    pub(super) remark: Remark,
    pub(super) moves: Vec<MoveView>,
    pub(super) pgn: String,
}

/// A node of the tree; the first child of a parent continues the main line.
#[derive(Serialize, Debug)]
pub(super) struct MoveView {
    pub(super) node: Id,
    pub(super) parent: Id,
    pub(super) san: String,
    pub(super) number: u16,
    pub(super) side: Side,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) evaluation: Option<Evaluation>,
    #[serde(flatten)]
    pub(super) remark: Remark,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) nags: Vec<u8>,
}

/// The annotations of a move.
#[derive(Serialize, Default, Debug)]
pub(super) struct Remark {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) comment: String,
    /// The mover's clock, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) clock: Option<f64>,
    /// Arrows and squares: `Ge2e4`, `Rd5`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) shapes: Vec<String>,
}

/// A position to draw, with its legal moves.
#[derive(Serialize, Debug)]
pub(super) struct PositionView {
    pub(super) node: Id,
    pub(super) fen: String,
    pub(super) turn: Side,
    /// The square of the king in check.
    pub(super) check: Option<String>,
    /// The squares of the last move, from and to.
    pub(super) last: Option<[String; 2]>,
    pub(super) legal: Vec<LegalMove>,
    pub(super) outcome: Option<String>,
    /// The opening that led here, if it has a name.
    pub(super) opening: Option<String>,
}

/// A legal move: the square of the piece, the squares it may be dropped on, and what it may promote to.
#[derive(Serialize, Debug)]
pub(super) struct LegalMove {
    pub(super) uci: String,
    pub(super) san: String,
    pub(super) from: String,
    pub(super) to: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) promotion: Option<char>,
}

impl PositionView {
    pub(super) fn new(node: Id, position: &Position, last: Option<Move>) -> PositionView {
        let board = position.board();
        PositionView {
            node,
            fen: board.to_string(),
            turn: board.side_to_move().into(),
            check: board.in_check().then(|| board.king(board.side_to_move()).to_string()),
            last: last.map(|mv| [mv.from().to_string(), mv.landing().to_string()]),
            legal: legal_moves(board),
            outcome: position.outcome().map(|outcome: Outcome| outcome.to_string()),
            opening: None,
        }
    }

    /// A position without its moves, for viewing only.
    pub(super) fn to_look_at(node: Id, position: &Position, last: Move) -> PositionView {
        PositionView { legal: Vec::new(), ..PositionView::new(node, position, Some(last)) }
    }
}

fn legal_moves(board: &Board) -> Vec<LegalMove> {
    let moves = board.legal_moves();
    moves
        .iter()
        .map(|&mv| LegalMove {
            uci: mv.uci(true),
            san: board.san(mv),
            from: mv.from().to_string(),
            to: targets(mv, &moves).iter().map(Square::to_string).collect(),
            promotion: mv.promotion().map(|kind| kind.letter()),
        })
        .collect()
}

/// The target squares that mean this move. For castling these are the rook's square, and the king's target unless it
/// means another move.
fn targets(mv: Move, moves: &MoveList) -> Vec<Square> {
    let landing = mv.landing();
    let steps = |step: &Move| !step.is_castle() && step.from() == mv.from() && step.to() == landing;
    let is_other = landing == mv.from() || landing == mv.to() || moves.iter().any(steps);
    if mv.is_castle() && !is_other { vec![landing, mv.to()] } else { vec![mv.to()] }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn castling(fen: &str) -> Vec<(String, Vec<String>)> {
        let moves = legal_moves(&fen.parse().expect(fen));
        moves.into_iter().filter(|mv| mv.san.starts_with('O')).map(|mv| (mv.san, mv.to)).collect()
    }

    #[test]
    fn castling_is_meant_by_squares_that_mean_nothing_else() {
        let of = |fen| castling(fen).into_iter().map(|(san, to)| format!("{san}:{}", to.join(","))).collect::<Vec<_>>();
        let mut classical = of("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
        classical.sort();
        assert_eq!(classical, ["O-O-O:c1,a1", "O-O:g1,h1"]);
        assert_eq!(of("4k3/8/8/8/8/8/8/5KR1 w G - 0 1"), ["O-O:g1"], "the rook stands on the king's target");
        assert_eq!(of("4k3/8/8/8/8/8/8/5K1R w H - 0 1"), ["O-O:h1"], "g1 is a plain step");
        assert_eq!(of("4k3/8/8/8/8/8/8/6KR w H - 0 1"), ["O-O:h1"], "the king stays where it is");
    }
}
