//! What a score is worth: the chances of win, draw and loss, fitted to the engine's own games. The same score means more when
//! little material is left, so both numbers of the curve depend on it. The form is that of Stockfish's model.

use chess::{Board, PieceKind};

use crate::score;

/// Two logistic curves, one for winning and one for losing, mirror images of each other.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Model {
    /// The score at which half of the games are won: a cubic of the material, lowest power first.
    pub half: [f64; 4],
    /// The width of the curve: the same.
    pub width: [f64; 4],
}

/// Material for which the cubics' argument is one.
const USUAL_MATERIAL: f64 = 58.0;
/// With less or more, nothing was learned.
const MATERIAL_RANGE: (i32, i32) = (10, 78);

/// The pieces of both sides on the usual scale of 1, 3, 3, 5, 9.
#[must_use]
pub fn material(board: &Board) -> i32 {
    let count = |kind| board.kind(kind).len() as i32;
    count(PieceKind::Pawn)
        + 3 * (count(PieceKind::Knight) + count(PieceKind::Bishop))
        + 5 * count(PieceKind::Rook)
        + 9 * count(PieceKind::Queen)
}

/// The argument of the cubics.
#[must_use]
pub fn argument(material: i32) -> f64 {
    f64::from(material.clamp(MATERIAL_RANGE.0, MATERIAL_RANGE.1)) / USUAL_MATERIAL
}

impl Model {
    /// Half and width for this material, neither ever too small to divide by.
    #[must_use]
    pub fn curve(&self, material: i32) -> (f64, f64) {
        let x = argument(material);
        let cubic = |c: &[f64; 4]| ((c[3] * x + c[2]) * x + c[1]) * x + c[0];
        (cubic(&self.half).max(10.0), cubic(&self.width).max(5.0))
    }

    /// The chances of win, draw and loss for the side whose score it is.
    #[must_use]
    pub fn chances(&self, score: i32, material: i32) -> [f64; 3] {
        let (half, width) = self.curve(material);
        let chance = |score: f64| 1.0 / (1.0 + ((half - score) / width).exp());
        let (win, loss) = (chance(f64::from(score)), chance(-f64::from(score)));
        [win, (1.0 - win - loss).max(0.0), loss]
    }

    /// The score on a scale where 100 is an even chance to win.
    #[must_use]
    pub fn centipawns(&self, score: i32, material: i32) -> i32 {
        (100.0 * f64::from(score) / self.curve(material).0).round() as i32
    }
}

/// For the evaluation written by hand: 846,914 positions of its own games at 1,000 to 2,000 nodes a move.
pub const HAND: Model =
    Model { half: [202.074, -280.184, 238.759, -73.610], width: [28.069, 164.118, -130.471, 56.950] };

/// For networks: 2,378,480 positions of games at 1,500 nodes a move, of two networks that the one built in comes from.
pub const NETWORK: Model =
    Model { half: [217.974, -276.699, 239.785, -66.625], width: [28.798, 104.302, -61.538, 35.196] };

/// How scores of one position are shown to people: the model that belongs to the evaluation, and the material at the root.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    model: Model,
    material: i32,
}

impl Scale {
    /// For scores of this board.
    #[must_use]
    pub fn new(model: Model, board: &Board) -> Scale {
        Scale { model, material: material(board) }
    }

    /// The score as it is told: 100 for an even chance to win. Mates and tablebase results stay what they are.
    #[must_use]
    pub fn told(&self, score: i32) -> i32 {
        if score::is_decisive(score) {
            return score;
        }
        self.model.centipawns(score, self.material).clamp(-score::MAX_EVAL, score::MAX_EVAL)
    }

    /// Chances of win, draw and loss per mille, for the side whose score it is; the score as the engine counts, not as it is told.
    #[must_use]
    pub fn per_mille(&self, score: i32) -> [u16; 3] {
        let [win, _, loss] = self.model.chances(score, self.material);
        let (win, loss) = ((1000.0 * win).round() as u16, (1000.0 * loss).round() as u16);
        [win, 1000_u16.saturating_sub(win + loss), loss]
    }
}

/// Chances per mille for a score as programs tell it, when nothing is known of the board: those of an ordinary middle game.
#[must_use]
pub fn of_told(centipawns: i32) -> [u16; 3] {
    const MATERIAL: i32 = 50;
    let scale = Scale { model: HAND, material: MATERIAL };
    let score = f64::from(centipawns) * HAND.curve(MATERIAL).0 / 100.0;
    scale.per_mille(score.round() as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scale() -> Scale {
        Scale::new(HAND, &Board::start())
    }

    #[test]
    fn chances_add_up_and_mirror() {
        for score in [-score::MATE, -500, -1, 0, 1, 77, 500, score::MATE] {
            let [win, draw, loss] = scale().per_mille(score);
            assert_eq!(win + draw + loss, 1000);
            assert_eq!(scale().per_mille(-score), [loss, draw, win]);
        }
        assert_eq!(scale().per_mille(score::mate_in(3)), [1000, 0, 0]);
    }

    #[test]
    fn a_pawn_is_an_even_chance_to_win() {
        for fen in ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "8/5k2/5p2/8/3R4/8/4r1PK/8 w - - 0 1"] {
            let board: Board = fen.parse().expect("a legal position");
            let scale = Scale::new(HAND, &board);
            let half = (0..1000).find(|&score| scale.told(score) >= 100).expect("some score is worth a pawn");
            assert!(scale.per_mille(half)[0].abs_diff(500) <= 10, "{fen}: {half}");
        }
    }

    #[test]
    fn a_told_pawn_is_an_even_chance_too() {
        assert!(of_told(100)[0].abs_diff(500) <= 10 && of_told(-100)[2].abs_diff(500) <= 10);
        assert_eq!(of_told(0)[0], of_told(0)[2]);
    }

    #[test]
    fn what_is_decided_is_told_as_it_is() {
        for score in [score::mate_in(4), score::mated_in(7), score::TB_WIN - 3] {
            assert_eq!(scale().told(score), score);
        }
        assert!(!score::is_decisive(scale().told(score::MAX_EVAL)));
    }

    #[test]
    fn more_is_never_worse() {
        let all: Vec<_> = (-3000..3000).map(|score| (scale().told(score), scale().per_mille(score))).collect();
        assert!(all.is_sorted_by(|a, b| a.0 <= b.0 && a.1[0] <= b.1[0] && a.1[2] >= b.1[2]));
    }
}
