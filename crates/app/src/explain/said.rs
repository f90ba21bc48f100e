//! Sentences, each with its kind and its claim, so that the claim can be checked against a deeper search.

use chess::{Color, Move, Position};
use engine::tablebase::Wdl;
use engine::{PvLine, Score, WhiteScore};
use serde::Serialize;

use crate::people::words;

/// The kind of a sentence.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    /// The side to move, check, whether the game is over.
    Situation,
    /// What the tablebases say.
    Tables,
    /// The best move and its consequences.
    Best,
    /// How good the move in question is, compared with the best.
    Verdict,
    /// What a move does on the board: captures, checks, castles.
    Deed,
    /// Who wins what in a line.
    Material,
    /// What the opponent threatens.
    Threat,
    /// How the opponent would defend.
    Defence,
    /// What the opponent would play after a pass, without a real threat.
    Pass,
    /// The opponent has no serious threat.
    NoThreat,
    /// Every move makes things worse.
    Zugzwang,
    /// The move stops the threat.
    Prevents,
    /// The move lets the threat happen.
    Lets,
    /// The move threatens something itself.
    Prepares,
    /// What improves on the board.
    Improves,
    /// Another move, and how much worse it is.
    Other,
    /// The refutation of a bad move and what it wins.
    Refutation,
    /// What on the board makes the refutation possible.
    Cause,
    /// What a bad move misses.
    Missed,
    /// The static view of the hand-crafted evaluation or the network.
    Evaluation,
    /// How sure the network is of its value.
    Confidence,
    /// Which moves the network expects.
    Expected,
    /// A piece that can be captured profitably.
    Loose,
    /// A piece that is pinned.
    Pinned,
}

impl Kind {
    /// Whether such sentences give odds: they are right if they hold as often as they say, and not always.
    pub(super) fn gives_odds(self) -> bool {
        self == Kind::Confidence
    }
}

/// What must hold for a sentence to be true.
#[derive(Clone, Debug)]
pub(super) enum Claim {
    /// A fact of the rules, or of what an evaluation says, already tested exactly.
    Exact,
    /// The position has this score for the side to move.
    Worth(Position, Score),
    /// No move is clearly better than this one.
    Best(Position, Move),
    /// The first of these moves is worse than the second; each with its centipawns.
    Worse { position: Position, worse: (Move, i32), than: (Move, i32) },
    /// In this line and after it, this side stays ahead by what it won.
    Gain { position: Position, line: Vec<Move>, winner: Color },
    /// If the side to move passed, this reply would cost it at least a pawn or the game.
    Threat(Position, Move),
    /// If the side to move passed, this reply would save the opponent something without winning anything.
    Defence(Position, Move),
    /// A pass would cost little.
    NoThreat(Position),
    /// A pass would be better than any move.
    Zugzwang(Position),
    /// The move makes the threat clearly less valuable than a pass does.
    Stops { position: Position, mv: Move, threat: Move },
    /// After the move the threat is worth about as much as after a pass.
    Lets { position: Position, mv: Move, threat: Move },
    /// If the opponent passed after the move, this would win something.
    Prepares { position: Position, mv: Move, threat: Move },
    /// The tables give this result.
    Tables(Position, Wdl),
    /// The position is worth something between these centipawns for White; true three times out of five.
    Between { position: Position, low: i32, high: i32 },
}

/// A sentence, and the line that illustrates it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Sentence {
    pub(crate) kind: Kind,
    pub(crate) text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<Shown>,
    #[serde(skip)]
    pub(super) claim: Claim,
}

impl Sentence {
    pub(super) fn new(kind: Kind, text: impl Into<String>, claim: Claim) -> Sentence {
        Sentence { kind, text: text.into(), line: None, claim }
    }

    pub(super) fn exact(kind: Kind, text: impl Into<String>) -> Sentence {
        Sentence::new(kind, text, Claim::Exact)
    }

    pub(super) fn with_line(self, position: &Position, moves: &[Move]) -> Sentence {
        Sentence { line: Some(Shown::new(position, moves)), ..self }
    }
}

/// Moves, for people and for programs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Shown {
    /// The text with move numbers.
    pub(crate) text: String,
    pub(crate) san: Vec<String>,
    pub(crate) uci: Vec<String>,
}

impl Shown {
    fn new(position: &Position, moves: &[Move]) -> Shown {
        let (san, uci) = words::both(position, moves, !position.is_classical_castling());
        Shown { text: position.san_line(moves), san, uci }
    }
}

/// A move and its score.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Choice {
    pub(crate) san: String,
    pub(crate) uci: String,
    /// White's centipawns, unless it is mate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cp: Option<i32>,
    /// Mate in this many moves, negative if Black mates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) mate: Option<i32>,
    pub(crate) depth: i32,
    pub(crate) line: Shown,
}

impl Choice {
    /// The first move of a line; none if the line is empty.
    pub(super) fn new(position: &Position, found: &PvLine, shown: &[Move]) -> Option<Choice> {
        let &mv = found.moves.first()?;
        let (cp, mate) = match found.score.for_white(position.side_to_move()) {
            WhiteScore::Centipawns(centipawns) => (Some(centipawns), None),
            WhiteScore::Mate { winner, moves } => {
                let moves = i32::try_from(moves).unwrap_or(i32::MAX);
                (None, Some(if winner == Color::White { moves } else { -moves }))
            }
        };
        let uci = mv.uci(!position.is_classical_castling());
        Some(Choice { san: position.san(mv), uci, cp, mate, depth: found.depth, line: Shown::new(position, shown) })
    }
}
